"""Theorem 3: the kernel of an attention layer of many heads, in closed form."""

from theorems.engine import Given, Provenance, eq
from theorems.engine.rules import Theorem, inner
from theorems.infinite_attention.letters.kernels import (
    input_ab,
    input_kernel,
    output_kernel,
    sigma_ov,
    sigma_qk,
    weight_products,
)
from theorems.infinite_attention.letters.table import claim

IDENTITY = claim(
    "inf.thm3.identity",
    at="Theorem 3; Equation (7)",
    title="The kernel of attention without a nonlinearity is a cubic form in the input's kernel",
    states=eq(
        output_kernel, sigma_ov**2 * sigma_qk**2 * input_ab * inner(input_kernel, input_kernel)
    ),
    given=[output_kernel, sigma_ov, sigma_qk, input_ab, input_kernel],
    provenance=Provenance.DERIVED,
    note="proofs_notes/inf_kernels.md#the-identity",
)


@IDENTITY.proved()
def covariance_of_the_scores(given: Given) -> Theorem:
    """The covariance of the scores at tokens i and j is proportional to the kernel there."""
    covariance = sigma_qk**2 * input_ab * input_kernel
    kernel = sigma_ov**2 * inner(input_kernel, weight_products)
    return given.follows(
        given.meaning("the kernel", eq(output_kernel, kernel)),
        given.meaning(
            "the means of products of weights, which are the scores",
            eq(inner(input_kernel, weight_products), inner(input_kernel, covariance)),
        ),
    )

"""Theorem 3: the kernel of an attention layer of many heads, in closed form."""

from theorems.engine import Given, Provenance, eq
from theorems.engine.rules import Theorem, inner
from theorems.infinite_attention.kernel_limit.finite_widths.widths import (
    SCORES_THEMSELVES,
    products_with_weights,
)
from theorems.infinite_attention.kernel_limit.score_covariances import PROJECTIONS
from theorems.infinite_attention.letters.kernels import (
    input_ab,
    input_kernel,
    output_kernel,
    sigma_ov,
    sigma_qk,
    weight_products,
)
from theorems.infinite_attention.letters.network import S_ab, sigma_k, sigma_q
from theorems.infinite_attention.letters.scores import score_ai, score_bj
from theorems.infinite_attention.letters.table import claim

IDENTITY = claim(
    "inf.thm3.identity",
    at="Theorem 3; Equation (7)",
    title="The kernel of attention without a nonlinearity is a cubic form in the input's kernel",
    states=eq(output_kernel, sigma_ov**2 * sigma_qk**2 * input_ab * inner(input_kernel, input_kernel)),
    assuming=SCORES_THEMSELVES,
    rests_on="inf.thm3.scores.corrected",
    discharging={PROJECTIONS: "covariances of scores are the same at every width, and in the limit"},
    provenance=Provenance.DERIVED,
    note="proofs_notes/inf_kernels.md#the-identity",
)


@IDENTITY.proved()
def covariance_of_the_scores(given: Given) -> Theorem:
    """The covariance of the scores at tokens i and j is proportional to the kernel there."""
    scale = given.meaning("the scale of the scores", eq(sigma_qk, sigma_q * sigma_k))
    scores = given.substituted(given.fact("inf.thm3.scores.corrected", "one head"), {S_ab: input_ab})
    weights = products_with_weights(given, input_kernel, (score_ai, score_bj), scores, input_ab)
    kernel = sigma_ov**2 * inner(input_kernel, weight_products)
    output = given.meaning("the kernel", eq(output_kernel, kernel))
    return given.follows(output, weights, scale)

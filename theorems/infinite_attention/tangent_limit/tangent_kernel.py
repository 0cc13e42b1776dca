"""Theorem 18: the tangent kernel of an attention layer is a derivative of its kernel."""

from sympy import Expr, Symbol, diff

from theorems.engine import Given, Provenance, eq
from theorems.engine.rules import Theorem, act, inner
from theorems.infinite_attention.kernel_limit.attention_kernel import IDENTITY as LINEAR
from theorems.infinite_attention.kernel_limit.finite_widths.widths import SCORES_THEMSELVES
from theorems.infinite_attention.letters.kernels import (
    input_ab,
    input_kernel,
    input_tangent,
    kernel_change,
    output_kernel,
    output_tangent,
    sigma_ov,
    sigma_qk,
    slope_products,
    tangent_ab,
    weight_products,
)
from theorems.infinite_attention.letters.table import claim

_NOTE = "proofs_notes/inf_kernels.md#the-tangent-kernel"


def _kernel() -> Expr:
    """Equation (7), with the scales of values and output weights."""
    return sigma_ov**2 * inner(input_kernel, weight_products)


def printed_tangent(is_half: int = 1) -> Expr:
    """The right side of Equation (22), with 1 or 0 in the place of its δ for τ = 1/2."""
    scores = is_half * sigma_ov**2 * sigma_qk**2
    return (
        2 * output_kernel
        + sigma_ov**2 * inner(input_tangent, weight_products)
        + scores
        * (2 * input_ab + tangent_ab)
        * inner(input_kernel, act(slope_products, input_kernel))
        + scores * input_ab * inner(input_kernel, act(slope_products, input_tangent))
    )


def _change() -> Expr:
    """The derivative at the start of the path, with the means of products to first order.

    Values and scores both move; the covariance of the scores is a product of two entries.
    """
    step = Symbol("step", real=True)
    entry = input_ab + step * (input_ab + tangent_ab)
    kernel = input_kernel + step * (input_kernel + input_tangent)
    covariance = sigma_qk**2 * (entry * kernel - input_ab * input_kernel)
    means = weight_products + act(slope_products, covariance)
    return diff(sigma_ov**2 * inner(kernel, means), step).subs(step, 0)


STRUCTURE = claim(
    "inf.thm18.structure",
    at="Theorem 18; Equation (22)",
    title="The tangent kernel is the kernel and its derivative along the input's two kernels",
    states=eq(printed_tangent(), output_kernel + kernel_change),
    given=[
        output_kernel,
        kernel_change,
        sigma_ov,
        sigma_qk,
        input_ab,
        tangent_ab,
        input_kernel,
        input_tangent,
        weight_products,
        slope_products,
    ],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@STRUCTURE.proved()
def product_rule_and_chain_rule(given: Given) -> Theorem:
    """By Price's theorem the means of products change by means of products of derivatives."""
    kernel = given.meaning("the kernel", eq(output_kernel, _kernel()))
    change = given.textbook("Price's theorem and the chain rule", eq(kernel_change, _change()))
    return given.follows(kernel, change)


IDENTITY = claim(
    "inf.thm18.structure.identity",
    at="Theorem 18; Equation (22)",
    title="Without a nonlinearity the tangent kernel is four kernels and two inherited terms",
    states=eq(
        output_tangent,
        4 * sigma_ov**2 * sigma_qk**2 * input_ab * inner(input_kernel, input_kernel)
        + sigma_ov**2
        * sigma_qk**2
        * (
            tangent_ab * inner(input_kernel, input_kernel)
            + 2 * input_ab * inner(input_kernel, input_tangent)
        ),
    ),
    given=[
        output_tangent,
        sigma_ov,
        sigma_qk,
        input_ab,
        tangent_ab,
        input_kernel,
        input_tangent,
    ],
    assuming=SCORES_THEMSELVES,
    rests_on=[STRUCTURE, LINEAR],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@IDENTITY.proved()
def derivatives_are_one(given: Given) -> Theorem:
    """The derivative of a cubic form with three equal arguments, and the kernel once more."""
    kernel = given.fact(LINEAR)
    step = Symbol("step", real=True)
    moved = {
        input_ab: input_ab + step * (input_ab + tangent_ab),
        input_kernel: input_kernel + step * (input_kernel + input_tangent),
    }
    path = kernel.statement.args[1].xreplace(moved)
    product_rule = given.supposed(  # the kernel has this form at all kernels of the input
        SCORES_THEMSELVES, eq(kernel_change, diff(path, step).subs(step, 0))
    )
    printed = given.meaning("the tangent kernel", eq(output_tangent, printed_tangent()))
    return given.follows(given.fact(STRUCTURE), printed, kernel, product_rule)


CONSTANT = claim(
    "inf.thm18.structure.constant",
    at="Theorem 18; Equation (22)",
    title="For equal queries and keys the tangent kernel is the derivative with scores held fixed",
    states=eq(printed_tangent(is_half=0), output_kernel + kernel_change),
    given=[
        output_kernel,
        kernel_change,
        sigma_ov,
        input_tangent,
        weight_products,
    ],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@CONSTANT.proved()
def values_alone(given: Given) -> Theorem:
    """At τ = 1 scores are functions of the kernels of either input with itself, held fixed."""
    step = Symbol("step", real=True)
    moved = sigma_ov**2 * inner(
        input_kernel + step * (input_kernel + input_tangent), weight_products
    )
    kernel = given.meaning("the kernel", eq(output_kernel, _kernel()))
    change = given.meaning(
        "the derivative with constant scores", eq(kernel_change, diff(moved, step).subs(step, 0))
    )
    return given.follows(kernel, change)

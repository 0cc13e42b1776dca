"""Theorem 18: the tangent kernel of an attention layer is a derivative of its kernel."""

from collections.abc import Callable, Iterable

from sympy import Expr, Function, Integer, Interval, Symbol, diff, symbols

from theorems.engine import Given, Hypothesis, Provenance, eq, rules
from theorems.engine.rules import Operator, Theorem, Vector, act, inner
from theorems.engine.rules.vocabulary import derivative, operators, vectors
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


def printed_kernel() -> Expr:
    """Equation (7), with the scales of values and output weights."""
    return sigma_ov**2 * inner(input_kernel, weight_products)


def printed_tangent(is_half: int = 1) -> Expr:
    """The right side of Equation (22), with 1 or 0 in the place of its δ for τ = 1/2."""
    scores = is_half * sigma_ov**2 * sigma_qk**2
    return (
        2 * output_kernel
        + sigma_ov**2 * inner(input_tangent, weight_products)
        + scores * (2 * input_ab + tangent_ab) * inner(input_kernel, act(slope_products, input_kernel))
        + scores * input_ab * inner(input_kernel, act(slope_products, input_tangent))
    )


_t = Symbol("t", real=True)
_PATH = Interval(0, 1)
_moved = input_kernel + input_tangent
#: Along the path of the kernels: means of products of weights, and of products of derivatives.
_means, _slopes, _rate = vectors("means"), operators("slopes"), Function("rate", real=True)


PRICE = Hypothesis(
    "price",
    "means of products of attention weights change with the covariances of the scores by the means"
    " of products of their derivatives, as Price's theorem says of regular functions of normal"
    " variables",
)


def derivative_of_the_kernel(
    given: Given, covariance: Callable[[Expr], Expr], slopes: Operator, parts: Iterable[Vector]
) -> list[Theorem]:
    """The kernel moves with the input's kernel and with the means of products of weights.

    ``covariance`` is that of the scores at a place of the path, ``slopes`` are the means of
    products of derivatives at its start, and ``parts`` of what the covariance is made there.
    """
    x, y = symbols("x y", real=True)
    change = diff(covariance(_t), _t)
    laws = {}
    for letter, u in ((x, input_kernel), (y, _moved)):
        law = derivative(inner(u, act(_slopes(_t), change)), inner(u, _means(_t)), _t, _PATH)
        laws[letter] = given.supposed(PRICE, law)
    kernel = rules.differentiated(
        sigma_ov**2 * (x + _t * y), _t, _PATH, laws, over={sigma_ov: given.domain[sigma_ov]}
    )
    start = given.meaning(
        "the start of the path",
        eq(kernel_change, _rate(0)),
        *(eq(inner(u, _means(0)), inner(u, weight_products)) for u in (input_kernel, input_tangent)),
        *(eq(inner(input_kernel, act(_slopes(0), u)), inner(input_kernel, act(slopes, u))) for u in parts),
    )
    named = rules.rate_of(kernel, _rate(_t))
    return [start, given.substituted(named, {_t: Integer(0)})]


STRUCTURE = claim(
    "inf.thm18.structure",
    at="Theorem 18; Equation (22)",
    title="The tangent kernel is the kernel and its derivative along the input's two kernels",
    states=eq(printed_tangent(), output_kernel + kernel_change),
    assuming=PRICE,
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@STRUCTURE.proved()
def product_rule_and_chain_rule(given: Given) -> Theorem:
    """The means of products change by means of products of derivatives."""
    kernel = given.meaning("the kernel", eq(output_kernel, printed_kernel()))

    def covariance(t: Expr) -> Expr:
        return sigma_qk**2 * (input_ab + t * (input_ab + tangent_ab)) * (input_kernel + t * _moved)

    parts = input_kernel, input_tangent
    return given.follows(kernel, *derivative_of_the_kernel(given, covariance, slope_products, parts))


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
            tangent_ab * inner(input_kernel, input_kernel) + 2 * input_ab * inner(input_kernel, input_tangent)
        ),
    ),
    assuming=SCORES_THEMSELVES,
    rests_on=[STRUCTURE, "inf.thm3.identity"],
    discharging={PRICE: "the weights are the scores, whose products have the covariances as means"},
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@IDENTITY.proved()
def derivatives_are_one(given: Given) -> Theorem:
    """The derivative of a cubic form with three equal arguments, and the kernel once more."""
    given.require(SCORES_THEMSELVES)  # so that the kernel has this form at all kernels of the input
    kernel = given.fact("inf.thm3.identity")
    moved = {input_ab: input_ab + _t * (input_ab + tangent_ab), input_kernel: input_kernel + _t * _moved}
    change = _change_along(given, kernel.statement.args[1].xreplace(moved))
    printed = given.meaning("the tangent kernel", eq(output_tangent, printed_tangent()))
    return given.follows(given.fact(STRUCTURE), printed, kernel, *change)


def _change_along(given: Given, path: Expr) -> list[Theorem]:
    """The derivative of a formula for the kernel along the path, at its start."""
    letters = path.free_symbols - {_t}
    over = {x: getattr(x, "belongs_to", given.domain.get(x)) for x in letters}
    rate = rules.rate_of(rules.differentiated(path, _t, _PATH, over=over), _rate(_t))
    start = given.meaning("the derivative at the start", eq(kernel_change, _rate(0)))
    return [start, rate.at({_t: Integer(0)})]


CONSTANT = claim(
    "inf.thm18.structure.constant",
    at="Theorem 18; Equation (22)",
    title="For equal queries and keys the tangent kernel is the derivative with scores held fixed",
    states=eq(printed_tangent(is_half=0), output_kernel + kernel_change),
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@CONSTANT.proved()
def values_alone(given: Given) -> Theorem:
    """At τ = 1 scores are functions of the kernels of either input with itself, held fixed."""
    path = sigma_ov**2 * inner(input_kernel + _t * _moved, weight_products)
    kernel = given.meaning("the kernel", eq(output_kernel, printed_kernel()))
    return given.follows(kernel, *_change_along(given, path))

"""Moments of a summand of the inner product of two backpropagation matrices, by those of forms."""

from sympy import Abs, Reals, Symbol, sqrt, symbols

from theorems.classical import powers
from theorems.engine import Given, eq, half_line, le, rules
from theorems.engine.rules import Random, Theorem, inner, probabilities
from theorems.eoc_mlp.letters.activation import DELTA, a, b, kappa_phi
from theorems.eoc_mlp.letters.backpropagation import back_1, back_2, summand
from theorems.eoc_mlp.letters.tails import order
from theorems.eoc_mlp.premises.lengths import squared_length_not_negative

_KAPPA = kappa_phi(DELTA) ** 2
_w = Symbol("w", real=True)
_f1, _f2 = symbols("f1 f2", nonnegative=True)
#: Coefficients with the share Δ.
_COEFFICIENTS = {a: sqrt(1 - DELTA), b: sqrt(DELTA)}


def _summand_by_forms(given: Given) -> Theorem:
    """|W| ≤ κ² √f₁ √f₂ for W = σ²φ'φ'⟨b₁, b₂⟩ and f = |b|², at coefficients for which σ is 1."""
    over = {DELTA: given.domain[DELTA]}
    bound = given.fact("eoc.prop19.summands").at(_COEFFICIENTS, over=over)
    scale = given.fact("eoc.prop18.range", "scale").at(_COEFFICIENTS, over=over)
    (size,) = bound.statement.lhs.args
    meant = given.meaning(
        "a summand, and the two forms",
        eq(_w, size),
        eq(_f1, inner(back_1, back_1)),
        eq(_f2, inner(back_2, back_2)),
    )
    plain = le(Abs(_w), _KAPPA * sqrt(_f1) * sqrt(_f2))
    return rules.follows(plain, [bound, scale, meant])


def moment_of_product(given: Given, first: Random, second: Random) -> Theorem:
    """E|W|^q ≤ κ^{2q} E f₁^{q/2} f₂^{q/2}, as this holds of all values."""
    numbers, values = {order: given.domain[order], DELTA: given.domain[DELTA]}, half_line(0)
    over = {**numbers, _w: Reals, _f1: values, _f2: values}
    plain = _summand_by_forms(given)
    left, right = plain.statement.args
    raised = powers.increase(left, right, order, over=over)
    product = _KAPPA**order * _f1 ** (order / 2) * _f2 ** (order / 2)
    roots = sqrt(_f1), sqrt(_f2)
    spelled = [
        powers.of_product(_KAPPA, roots[0] * roots[1], order, over=over),
        powers.of_product(*roots, order, over=over),
    ]
    pathwise = rules.follows(le(left**order, product), [plain, raised, *spelled])
    at = {_w: summand, _f1: first, _f2: second}
    sure = probabilities.surely(pathwise, at)
    terms = (one.xreplace(at) for one in (left**order, product))
    larger = probabilities.larger_mean(*terms, over=numbers)
    positive = map(squared_length_not_negative, (first, second), (back_1, back_2))
    return rules.follows(larger.statement, [sure, larger, *positive])

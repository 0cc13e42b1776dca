"""Lemma 2, proof: how far a bounded variable and its square can be from their means at once.

Along (δ, Δ) the second derivative of a head is the mean of ⟨2Sδ + (S² − Var S)U, X⟩ for the
centred S = ⟨Δq, X − a⟩. With |X| ≤ 1 all of the curvature comes down to the inequality here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import sympy as sp
from hypothesis import strategies as st
from numpy.typing import NDArray

from numeric.attention_smoothness import largest_deviation
from symbolic.equality import equal
from symbolic.nonnegative import nonnegative
from theorems.engine import Measured, Obligations, Provenance, claim, half_line

__all__ = ["DEVIATIONS", "FOUR_NUMBERS", "POLYNOMIAL"]

_NOTE = "proofs_notes/st_smoothness.md#a-variable-and-its-square"
_LAW = (
    "Y is a random variable in [−1, 1] with mean μ ≥ 0 (else take −Y); S = Y − μ, V = E S²",
    "p = P(S² ≥ V) < 1 (else S² = V); e = E(Y | S² ≥ V)",
)
_A, _P = sp.symbols("a p", nonnegative=True)
_MU, _Y, _E, _BETA = sp.symbols("mu y e beta", real=True)
_UNIT, _BELOW_ONE = sp.Interval(0, 1), sp.Interval.Ropen(0, 1)

FOUR_NUMBERS = claim(
    "st.lem2.four_numbers",
    at="Lemma 2, proof",
    title="A law on [-1, 1] enters through four numbers",
    states=(
        r"\mathbb{E}|S| \le \alpha + \beta, \quad \mathbb{E}|S^2 - V| \le 2\Phi, \quad"
        r" \Phi = (1-p)(2\alpha - p(1-\mu^2)) - \tfrac{p\beta^2}{1-p}, \quad \alpha + \beta \le"
        r" 1 - \mu^2, \quad \alpha \le p(1-\mu^2) + \mu\beta, \quad \alpha \le p(1+\mu)"
    ),
    assuming=(*_LAW, "α = p(1 − μe), β = E[|S|; S² < V]"),
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@FOUR_NUMBERS.proved(controls={"other_slope": {"slope": 2}}, part="E|S|")
def chord(slope: int = 1) -> Obligations:
    """|y − μ| ≤ 1 − μy on [−1, 1]: 1 − μy ≥ 0, and the squares differ by (1 − μ²)(1 − y²) ≥ 0.

    On S² ≥ V it gives E[|S|; S² ≥ V] ≤ p(1 − μe) = α, and E|S| ≤ α + β.
    """
    gap = (1 - slope * _MU * _Y) ** 2 - (_Y - _MU) ** 2
    yield "squares", equal(gap, (1 - _MU**2) * (1 - _Y**2))


@FOUR_NUMBERS.proved(
    controls={"without_the_rest": {"rest": 0}, "other_square": {"square": 2}}, part="Φ"
)
def square_given_the_event(rest: int = 1, square: int = 1) -> Obligations:
    """E|S² − V| = 2E[S² − V; S² ≥ V] = 2p(1 − p)(E(S² | S² ≥ V) − E(S² | S² < V)).

    The first mean is at most 1 − 2μe + μ², as y² ≤ 1, and the second at least (β/(1 − p))².
    """
    inside, outside = sp.symbols("m_1 m_0", real=True)
    V = _P * inside + rest * (1 - _P) * outside
    yield "the event", equal(_P * (inside - V), _P * (1 - _P) * (inside - outside))
    bound = 1 - 2 * _MU * _Y + square * _MU**2
    yield "S² ≤ 1 − 2μY + μ²", equal(bound - (_Y - _MU) ** 2, 1 - _Y**2)
    alpha = _P * (1 - _MU * _E)
    first = _P * (1 - _P) * (1 - 2 * _MU * _E + _MU**2)
    both = first - _P * (1 - _P) * (_BETA / (1 - _P)) ** 2
    yield "Φ", equal(both, _phi(_P, alpha, _BETA, _MU), {_P: _BELOW_ONE})


def _phi(p: Any, alpha: Any, beta: Any, mu: Any) -> sp.Expr:
    return (1 - p) * (2 * alpha - p * (1 - mu**2)) - p * beta**2 / (1 - p)


@FOUR_NUMBERS.proved(controls={"tighter": {"factor": sp.Rational(99, 100)}}, part="constraints")
def three_constraints(factor: Any = 1) -> Obligations:
    """With g = E(Y | S² < V): pe + (1 − p)g = μ, |e| ≤ 1, and (1 − p)(g − μ) ≤ β ≤ (1 − p)(1 − μg).

    So p(μ − e) ≤ β.
    """
    g = (_MU - _P * _E) / (1 - _P)
    alpha = _P * (1 - _MU * _E)
    total = alpha + (1 - _P) * (1 - _MU * g)
    yield "sum", equal(total, factor * (1 - _MU**2), {_P: _BELOW_ONE})
    second = factor * _P * (1 - _MU**2) + _MU * _BETA - alpha
    yield "second", equal(second, _MU * (_BETA - _P * (_MU - _E)))
    third = factor * _P * (1 + _MU) - alpha
    yield "third", equal(third, _P * _MU * (1 + _E))


POLYNOMIAL = claim(
    "st.lem2.polynomial",
    at="Lemma 2, proof",
    title="The polynomial inequality behind the largest curvature",
    states=r"\Phi \le a\sqrt{1 - a}, \quad a = \alpha + \beta",
    assuming="0 ≤ μ, p < 1; α, β ≥ 0 satisfy the three constraints",
    rests_on=[FOUR_NUMBERS],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)
# y = √(1 − a) ≥ μ by the first constraint. Φ decreases in β, and β is at least
#     β₁ = (a − p(1 − μ²))/(1 + μ) and β₂ = a − p(1 + μ)
# by the second and the third.


@POLYNOMIAL.proved(controls={"smaller": {"factor": sp.Rational(1, 2)}}, part="large p")
def few_outside(factor: Any = 1) -> Obligations:
    """p ≥ a/(1 − μ²): Φ ≤ (1 − p)(2a − p(1 − μ²)) ≤ (1 − a)a = y²a ≤ ya.

    For 2a − p(1 − μ²) ≤ a, and 1 − p ≤ 1 − a.
    """
    more = sp.Symbol("r", nonnegative=True)
    square = sp.Symbol("s", nonnegative=True)  # μ²
    box = {square: _BELOW_ONE, _A: _UNIT}
    p = _A / (1 - square) + more
    below = sp.Symbol("b", nonnegative=True)  # β
    falls = -_phi(_P, _A - below, below, _MU).diff(below)
    yield "Φ decreases in β", nonnegative(sp.cancel(falls), {_P: _BELOW_ONE})
    yield "first factor", nonnegative(factor * _A - (2 * _A - p * (1 - square)), box)
    yield "second factor", nonnegative((1 - _A) - (1 - p), box)


def _middle(p: Any, mu: Any, y: Any, factor: Any = 1) -> sp.Expr:
    """(1 − p)(1 + μ)²(ay − Φ) for β = β₁, a polynomial."""
    a = 1 - y**2
    beta = (a - p * (1 - mu**2)) / (1 + mu)
    gap = factor * a * y - _phi(p, a - beta, beta, mu)
    return sp.cancel((1 - p) * (1 + mu) ** 2 * gap)


@POLYNOMIAL.proved(controls={"smaller": {"factor": sp.Rational(99, 100)}}, part="middle p")
def second_constraint(factor: Any = 1) -> Obligations:
    """(1 − y)/2 ≤ p ≤ a/(1 − μ²): at β = β₁ ≥ 0, with p and y written between their ends.

    μ and y in [0, 1), y = μ + (1 − μ)t. No coefficient is negative; two points attain equality.
    """
    t, share = sp.symbols("t r", nonnegative=True)
    y = _MU + (1 - _MU) * t
    # The ends of p, as 1 − y = (1 − μ)(1 − t), over 2(1 + μ).
    low, high = (1 - _MU) * (1 - t) * (1 + _MU), 2 * (1 - t) * (1 + y)
    above, below = sp.expand(low + share * (high - low)), 2 * (1 + _MU)
    by_power = sp.Poly(_middle(_P, _MU, _Y, factor), _P)
    terms = (c.subs(_Y, y) * above**k * below ** (2 - k) for (k,), c in by_power.terms())
    gap = sp.Add(*terms)
    yield "gap", nonnegative(gap, {_MU: _UNIT, t: _UNIT, share: _UNIT})
    yield "equality", equal(_middle((1 - _MU) / 2, _MU, _MU, factor), sp.Integer(0))


@POLYNOMIAL.proved(controls={"smaller": {"factor": sp.Rational(99, 100)}}, part="small p")
def third_constraint(factor: Any = 1) -> Obligations:
    """p ≤ (1 − y)/2: at β = β₂ ≥ a/2 the bound increases in μ up to μ = y, and there is a product.

    ay − Φ = 2y(1 + y)²/(1 − p) · ((1 − y)/2 − p)(1/(1 + y) − p), both factors ≥ 0.
    """
    y = sp.Symbol("y", nonnegative=True)
    a = 1 - y**2
    bound = _phi(_P, _P * (1 + _MU), a - _P * (1 + _MU), _MU)
    beta = a - _P * (1 + _MU)
    slope = 2 * (1 - _P) * _P * (1 + _MU) + 2 * _P**2 * beta / (1 - _P)
    small = {_P: _BELOW_ONE}
    yield "slope in μ, both terms ≥ 0", equal(bound.diff(_MU), slope, small)
    product = ((1 - y) / 2 - _P) * (1 / (1 + y) - _P)
    stated = 2 * y * (1 + y) ** 2 / (1 - _P) * product
    yield "at μ = y", equal(factor * a * y - bound.subs(_MU, y), stated, small)
    yield "order of the factors", nonnegative(1 / (1 + y) - (1 - y) / 2, {y: _UNIT})
    yield "β₂ ≥ a/2", nonnegative(a - (1 - y) / 2 * (1 + y) - factor * a / 2, {y: _UNIT})


DEVIATIONS = claim(
    "st.lem2.deviations",
    at="Lemma 2, proof",
    title="A bounded variable and its square, both far from their means",
    states=(
        r"A\,\mathbb{E}|S| + B\,\mathbb{E}|S^2 - V| \le K(A, B) = \max_{0 \le x \le 1}"
        r"(1 - x^2)(A + 2Bx)"
    ),
    given={"A": half_line(0), "B": half_line(0)},
    assuming="Y is any random variable in [−1, 1]; S = Y − EY, V = E S²",
    rests_on=[FOUR_NUMBERS, POLYNOMIAL],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)
_FIRST, _SECOND = sp.symbols("A B", positive=True)


@DEVIATIONS.proved(controls={"half": {"twice": 1}}, part="bound")
def at_the_root(twice: int = 2) -> Obligations:
    """A(α + β) + 2BΦ ≤ Aa + 2Ba√(1 − a), which is (1 − x²)(A + 2Bx) at x = √(1 − a)."""
    x = sp.Symbol("x", nonnegative=True)
    a = 1 - x**2
    value = _FIRST * a + twice * _SECOND * a * x
    yield "substitution", equal(value, (1 - x**2) * (_FIRST + 2 * _SECOND * x))


@DEVIATIONS.proved(controls={"other_weight": {"slope": 2}}, part="attained")
def two_points(slope: int = 1) -> Obligations:
    """Y = ±1 with mean x ≥ 0."""
    x = sp.Symbol("x", nonnegative=True)
    weights = ((1 + slope * x) / 2, (1 - slope * x) / 2)
    S = (1 - x, -1 - x)
    V = sum(w * s**2 for w, s in zip(weights, S, strict=True))
    yield "V", equal(V, 1 - x**2)
    # The signs of S and of S² − V at 1 and −1, for 0 ≤ x ≤ 1.
    first = weights[0] * S[0] - weights[1] * S[1]
    second = weights[1] * (S[1] ** 2 - V) - weights[0] * (S[0] ** 2 - V)
    yield "E|S|", equal(first, 1 - x**2)
    yield "E|S² − V|", equal(second, 2 * x * (1 - x**2))


@DEVIATIONS.proved(controls={"six": {"inner": 6}, "sign": {"sign": -1}}, part="closed form")
def stationary_point(inner: int = 12, sign: int = 1) -> Obligations:
    """x = 2B/(A + √(A² + 12B²)); the derivative changes sign there and nowhere else in x ≥ 0."""
    x = sp.Symbol("x", nonnegative=True)
    slope = sp.diff((1 - x**2) * (_FIRST + 2 * _SECOND * x), x)
    root = sp.Symbol("R", positive=True)
    square = _FIRST**2 + inner * _SECOND**2
    point = 2 * _SECOND / (sign * _FIRST + root)
    numerator = sp.numer(sp.together(slope.subs(x, point)))
    remainder = sp.rem(sp.expand(numerator), root**2 - square, root)
    yield "stationary", equal(remainder, sp.Integer(0))
    yield "decreasing slope", nonnegative(-slope.diff(x))


@dataclass(frozen=True)
class _Law:
    """Atoms in [−1, 1] with weights, and A, B ≥ 0."""

    atoms: NDArray[np.float64]
    weights: NDArray[np.float64]
    first: float
    second: float


@st.composite
def _laws(draw: st.DrawFn) -> _Law:
    """One to five atoms; two of them, in one case of three, with the best mean, or next to it."""
    first = draw(st.sampled_from([0.0, 0.1, 1.0, 10.0]))
    second = draw(st.sampled_from([1.0, 0.0, 0.3]) | st.floats(0, 10))
    best = 2 * second / max(first + np.hypot(first, np.sqrt(12) * second), 1e-300)
    if draw(st.integers(0, 2)) == 0:
        x = draw(st.sampled_from([best]) | st.floats(0, 1))
        atoms = np.array([1.0, -1.0, draw(st.floats(-1, 1))])
        small = draw(st.sampled_from([0.0, 1e-3, 0.1]))
        weights = np.array([(1 + x) / 2 * (1 - small), (1 - x) / 2 * (1 - small), small])
    else:
        count = draw(st.integers(1, 5))
        places = st.floats(-1, 1) | st.sampled_from([-1.0, 1.0])
        atoms = np.array(draw(st.lists(places, min_size=count, max_size=count)))
        weights = np.array(draw(st.lists(st.floats(0.001, 1), min_size=count, max_size=count)))
    return _Law(atoms, weights / weights.sum(), first, second)


@DEVIATIONS.tested(over=_laws, controls={"smaller": {"factor": 0.99}}, cases=300, part="bound")
def sampled_laws(law: _Law, factor: float = 1.0) -> Measured:
    """The left side over K(A, B)."""
    bound = factor * largest_deviation(law.first, law.second)
    if bound == 0:
        return Measured(0.0)
    S = law.atoms - law.weights @ law.atoms
    V = law.weights @ S**2
    value = law.weights @ (law.first * np.abs(S) + law.second * np.abs(S**2 - V))
    # Five terms, each with a few roundings; K is at least A and at least 0.7 B.
    return Measured(float(value) / bound, 1e-14)

"""Lemma 2, proof: the derivatives of the weights and of their covariance, and the printed bound 8.

DM[Δ] is the third cumulant of the tokens contracted with Δq. The printed way to its norm loses a
factor 10: 2 · 4 = 8 against 4/(3√3) = 0.77.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import sympy as sp

from numeric.softmax_jacobian import covariance_derivative, softmax
from symbolic.equality import equal
from symbolic.moments import expected
from symbolic.nonnegative import nonnegative
from theorems.engine import Measured, Obligations, claim
from theorems.shallow_transformer.heads import HEADS, ONE_HEAD, ROUNDING, WORDS, SampledHead

__all__ = ["COVARIANCE", "COVARIANCE_SHARP", "DERIVATIVE", "SPREAD", "WEIGHTS"]

_NOTE = "proofs_notes/st_smoothness.md#the-third-cumulant"
_SMALLER = {"factor": sp.Rational(99, 100)}
_UNIT = sp.Interval(0, 1)

WEIGHTS = claim(
    "st.lem2.weights",
    at="Lemma 2, proof",
    title="How fast the softmax weights change",
    states=(
        r"\|D\alpha[\Delta]\|_1 = \sum_t\alpha_t|s_t - \bar s| \le 2\|\Delta\|_F,"
        r" \quad s_t = \langle X_t, \Delta q\rangle,\ \bar s = \sum_t\alpha_t s_t"
    ),
    given=ONE_HEAD,
    assuming=WORDS,
    rests_on=["st.lem2.weights.sharp"],
    note=_NOTE,
)


@WEIGHTS.proved(controls={"smaller": {"factor": sp.Rational(1, 4)}})
def twice_the_best(factor: Any = 1) -> Obligations:
    """2‖Δ‖ is twice the best bound."""
    size = sp.Symbol("D", nonnegative=True)
    yield "2 ≥ 1", nonnegative(factor * 2 * size - size)


@WEIGHTS.tested(over=HEADS, controls={"smaller": {"factor": 0.49}})
def weights_of_heads(head: SampledHead, factor: float = 1.0) -> Measured:
    """Along v = U/|U|: Σ α_t|s_t − s̄| over 2."""
    return Measured(_spread(head) / (2 * factor), ROUNDING)


def _direction(head: SampledHead) -> np.ndarray:
    """U/|U|, or a coordinate vector for U = 0."""
    return head.U / head.u if head.u > 0 else np.eye(len(head.U))[0]


def _spread(head: SampledHead) -> float:
    """‖Dα‖₁ along Δq = U/|U|."""
    s = head.tokens @ _direction(head)
    p = softmax(head.logits)
    return float(p @ np.abs(s - p @ s))


WEIGHTS_SHARP = WEIGHTS.sharpened(
    "st.lem2.weights.sharp",
    title="Best bound for the change of the weights",
    states=r"\|D\alpha[\Delta]\|_1 \le \|\Delta\|_F",
    given=ONE_HEAD,
    assuming=WORDS,
    note=_NOTE,
)


@WEIGHTS_SHARP.proved(controls={"other_slope": {"slope": 2}}, part="bound")
def mean_absolute_deviation(slope: int = 1) -> Obligations:
    """For |s| ≤ 1: E|s − s̄| ≤ E(1 − s̄s) = 1 − s̄² ≤ 1.

    |s − s̄| ≤ 1 − s̄s, as 1 − s̄s ≥ 0 and the squares differ by (1 − s²)(1 − s̄²) ≥ 0.
    """
    s, mean = sp.symbols("s m", real=True)
    gap = (1 - slope * mean * s) ** 2 - (s - mean) ** 2
    yield "squares", equal(gap, (1 - s**2) * (1 - mean**2))
    yield (
        "mean",
        equal(expected(1 - slope * s * mean, [s]).subs(expected(s, [s]), mean), 1 - mean**2),
    )


@WEIGHTS_SHARP.proved(controls={"other_mean": {"first": sp.Rational(2, 3)}}, part="attained")
def two_equal_weights(first: Any = sp.Rational(1, 2)) -> Obligations:
    """Tokens e and −e with weights 1/2, Δq = e."""
    p, s = (first, 1 - first), (1, -1)
    mean = sum(w * v for w, v in zip(p, s, strict=True))
    total = sum(w * abs(v - mean) for w, v in zip(p, s, strict=True))
    yield "value", bool(total == 1)


@WEIGHTS_SHARP.tested(over=HEADS, controls={"smaller": {"factor": 0.99}}, part="bound")
def weights_over_the_best(head: SampledHead, factor: float = 1.0) -> Measured:
    """Along v = U/|U|: Σ α_t|s_t − s̄|."""
    return Measured(_spread(head) / factor, ROUNDING)


DERIVATIVE = claim(
    "st.lem2.third",
    at="Lemma 2, proof",
    title="The derivative of the covariance",
    states=(
        r"DM[\Delta] = \sum_t(D\alpha[\Delta])_t(X_t - a)(X_t - a)^\top, \quad"
        r" (D\alpha[\Delta])_t = \alpha_t(s_t - \bar s)"
    ),
    given=ONE_HEAD,
    assuming=WORDS,
    note=_NOTE,
)


@DERIVATIVE.proved(controls={"without_the_mean": {"mean": 0}, "not_centred": {"centre": 0}})
def entries(mean: int = 1, centre: int = 1) -> Obligations:
    """d/dt E f = E fs − E f E s for every f; for M_{xy} = E xy − E x E y, any two coordinates."""
    x, y, s = variables = sp.symbols("x y s", real=True)

    def change(f: sp.Expr) -> sp.Expr:
        return expected(f * s, variables) - mean * expected(f, variables) * expected(s, variables)

    Ex, Ey, Es = (expected(one, variables) for one in variables)
    derivative = change(x * y) - change(x) * Ey - Ex * change(y)
    cumulant = expected((s - Es) * (x - centre * Ex) * (y - centre * Ey), variables)
    yield "entry", equal(derivative, cumulant)


SPREAD = claim(
    "st.lem2.spread",
    at="Lemma 2, proof",
    title="From the weights to the covariance",
    states=(
        r"\|DM[\Delta]\|_F \le \sum_t|(D\alpha[\Delta])_t||X_t - a|^2"
        r" \le 4\|D\alpha[\Delta]\|_1"
    ),
    given=ONE_HEAD,
    assuming=WORDS,
    rests_on=[DERIVATIVE],
    note=_NOTE,
)


@SPREAD.proved(controls={"smaller": _SMALLER})
def diameter(factor: Any = 1) -> Obligations:
    """‖xxᵀ‖_F = |x|² and |X_t − a| ≤ |X_t| + |a| ≤ 2."""
    first, second = sp.symbols("x a", nonnegative=True)
    gap = 4 * factor - (first + second) ** 2
    yield "diameter", nonnegative(gap, {first: _UNIT, second: _UNIT})
    vector = sp.Matrix(sp.symbols("x1:4", real=True))
    square = sum(entry**2 for entry in vector * vector.T)
    yield "norm", equal(square, vector.dot(vector) ** 2)


@SPREAD.tested(over=HEADS, controls={"quarter": {"factor": 0.25}})
def covariances_over_four(head: SampledHead, factor: float = 1.0) -> Measured:
    """‖DM[Δ]‖_F over 4‖Dα[Δ]‖₁ along Δq = U/|U|."""
    return _over_spread(head, 4 * factor)


def _over_spread(head: SampledHead, factor: float) -> Measured:
    spread = _spread(head)
    if spread < 1e-6:  # rounding would decide
        return Measured(0.0)
    return Measured(_change(head) / (factor * spread), ROUNDING / spread)


def _change(head: SampledHead) -> float:
    """‖DM[Δ]‖_F along Δq = U/|U|."""
    return float(np.linalg.norm(covariance_derivative(head.logits, head.tokens, _direction(head))))


SPREAD_SHARP = SPREAD.sharpened(
    "st.lem2.spread.sharp",
    title="Best factor from the weights to the covariance",
    states=r"\|DM[\Delta]\|_F \le 2\|D\alpha[\Delta]\|_1",
    given=ONE_HEAD,
    assuming=(*WORDS, "2 is a supremum: approached where almost all weight is on one token"),
    rests_on=[DERIVATIVE],
    note=_NOTE,
)


@SPREAD_SHARP.proved(controls={"smaller": _SMALLER}, part="bound")
def difference_of_two_squares(factor: Any = 1) -> Obligations:
    """Σ(Dα)_t = 0: DM is ‖Dα‖₁/2 times a mean of zzᵀ − wwᵀ, z = X − a, w = X′ − a.

    With h = (X − X′)/2, k = (X + X′)/2 − a: ‖zzᵀ − wwᵀ‖_F² = 8(|h|²|k|² + ⟨h, k⟩²), convex in a,
    so |a| = 1. Let h have length H, (X + X′)/2 the component −p along h and r across, and let a
    have η along h. Then |k|² + ⟨h, k⟩²/H² ≤ 2(1 + p)² + 2r², and (H + p)² + r² ≤ 1.
    """
    h, k = (sp.Matrix(sp.symbols(f"{name}1:4", real=True)) for name in "hk")
    matrix = (k + h) * (k + h).T - (k - h) * (k - h).T
    square = sum(entry**2 for entry in matrix)
    yield "norm", equal(square, 8 * (h.dot(h) * k.dot(k) + h.dot(k) ** 2))
    p, r, eta, c = sp.symbols("p r eta c", nonnegative=True)  # c = √(1 − η²)
    length = p**2 + r**2 + 1 + 2 * p * eta + 2 * r * c + (p + eta) ** 2
    slack = (r - c) ** 2 + 4 * p * (1 - eta)
    rest = 2 * (1 + p) ** 2 + 2 * r**2 - length - slack
    rooted = rest.subs(c, sp.sqrt(1 - eta**2))
    yield "|k|² + ⟨h, k⟩²/H²", equal(rooted, sp.Integer(0), {eta: _UNIT})
    # H ≤ s − p with s = √(1 − r²) ≥ p; 8H²(2(1 + p)² + 2r²) ≤ 16, increasing in s up to s = 1.
    s = sp.Symbol("s", nonnegative=True)
    bound = (s - p) ** 2 * ((1 + p) ** 2 + 1 - s**2)
    slope = 2 * (s - p) * ((1 + p) ** 2 + 1 - 2 * s**2 + s * p)
    yield "slope in s", equal(bound.diff(s), slope)
    yield "is not negative", nonnegative((1 + p) ** 2 + 1 - 2 * s**2 + s * p, {p: _UNIT, s: _UNIT})
    yield "at s = 1", nonnegative(factor - bound.subs(s, 1), {p: _UNIT})


@SPREAD_SHARP.proved(controls={"smaller": {"factor": sp.Rational(3, 2)}}, part="supremum")
def two_tokens_of_unequal_weight(factor: Any = 2) -> Obligations:
    """Tokens 1 and −1 with mean x: the quotient is 2x, which tends to 2 as x → 1."""
    x = sp.Symbol("x", positive=True)
    p = ((1 + x) / 2, (1 - x) / 2)
    z = (1 - x, -1 - x)
    third = sum(w * v**3 for w, v in zip(p, z, strict=True))
    spread = p[0] * z[0] - p[1] * z[1]
    yield "limit", bool(sp.limit(sp.cancel(-third / spread), x, 1) == factor)


@SPREAD_SHARP.tested(over=HEADS, controls={"half": {"factor": 0.5}}, part="bound")
def covariances_over_two(head: SampledHead, factor: float = 1.0) -> Measured:
    """‖DM[Δ]‖_F over 2‖Dα[Δ]‖₁ along Δq = U/|U|."""
    return _over_spread(head, 2 * factor)


COVARIANCE = claim(
    "st.lem2.eight",
    at="Lemma 2, proof",
    title="The printed bound for the derivative of the covariance",
    states=r"\|DM[\Delta]\|_F \le 8\|\Delta\|_F",
    given=ONE_HEAD,
    assuming=WORDS,
    rests_on=[SPREAD, WEIGHTS],
    note=_NOTE,
)


@COVARIANCE.proved(controls={"smaller": _SMALLER})
def four_times_two(factor: Any = 1) -> Obligations:
    """4‖Dα‖₁ ≤ 4 · 2‖Δ‖_F."""
    size, spread, rest = sp.symbols("D a r", nonnegative=True)
    yield "product", nonnegative((8 * factor * size - 4 * spread).subs(size, (spread + rest) / 2))


COVARIANCE_SHARP = COVARIANCE.sharpened(
    "st.lem2.eight.sharp",
    title="The largest derivative of the covariance",
    states=r"\max\|DM[\Delta]\|_F = \tfrac{4}{3\sqrt3}\|\Delta\|_F",
    given=ONE_HEAD,
    assuming=WORDS,
    rests_on=[DERIVATIVE],
    note=_NOTE,
)
_K, _G, _E = sp.symbols("k g e", nonnegative=True)


@COVARIANCE_SHARP.proved(controls={"once": {"weight": 1}, "plus": {"sign": 1}}, part="bound")
def an_event(weight: int = 2, sign: int = -1) -> Obligations:
    """⟨N, DM[Δ]⟩ = ⟨v, E(Q − EQ)X⟩ ≤ E|Q − EQ| for Q = (X − a)ᵀN(X − a), v = Δq, |v| ≤ ‖Δ‖_F.

    That is 2p(1 − p) times the difference of E(Q | F) and E(Q | not F), F = {Q ≥ EQ}, p = P(F),
    which is ⟨N, C₁ − C₀ + (1 − 2p)hhᵀ⟩ with the conditional covariances and h the difference of
    the conditional means e and g. So E|Q − EQ| ≤ 2p(1 − p)‖C₁ − C₀ + (1 − 2p)hhᵀ‖_F if ‖N‖_F = 1.
    """
    p = sp.Symbol("p", positive=True)
    e, g = sp.symbols("e1:3", real=True), sp.symbols("g1:3", real=True)
    inside, outside = sp.symbols("c_1 c_0", real=True)  # entries of C₁ and C₀
    a = [p * one + (1 - p) * other for one, other in zip(e, g, strict=True)]

    def second(covariance: Any, m: Any) -> sp.Expr:
        return covariance + (m[0] - a[0]) * (m[1] - a[1])

    h = [one - other for one, other in zip(e, g, strict=True)]
    stated = inside - outside + (1 + sign * weight * p) * h[0] * h[1]
    yield "entry", equal(second(inside, e) - second(outside, g), stated)


@COVARIANCE_SHARP.proved(controls={"smaller": _SMALLER}, part="bound by lengths")
def up_to_one_half(factor: Any = 1) -> Obligations:
    """k = 1 − 2p ≥ 0 (else F and its complement swap names); 2p(1 − p) = (1 − k²)/2.

    ‖P − N‖_F² ≤ (tr P)² + (tr N)² for P, N ⪰ 0; tr C₁ ≤ 1 − e², tr C₀ ≤ 1 − g², |h| ≤ e + g for
    e and g the lengths. With n = 1 − e² + k(e + g)² and q = 1 − g²: (1 − k²)²(n² + q²) ≤ 64/27.
    For k ≤ 1/2, n ≤ 1 + kg²/(1 − k), so n² + q² is convex in g²: at most max(2, 1/(1 − k)²).
    """
    p = sp.Symbol("p", positive=True)
    yield "2p(1 − p)", equal((1 - (1 - 2 * p) ** 2) / 2, 2 * p * (1 - p))
    half = {_K: sp.Interval(0, sp.Rational(1, 2))}
    yield "largest n", equal(*_largest_n(), half)
    limit = factor * sp.Rational(64, 27)
    yield "g = 0", nonnegative(limit - 2 * (1 - _K**2) ** 2, half)
    yield "g = 1", nonnegative(factor * sp.Rational(9, 4) - (1 + _K) ** 2, half)
    yield "9/4 ≤ 64/27", bool(sp.Rational(9, 4) <= limit)


def _n(e: Any, g: Any) -> sp.Expr:
    return 1 - e**2 + _K * (e + g) ** 2


def _largest_n() -> tuple[sp.Expr, sp.Expr]:
    """1 + kg²/(1 − k) exceeds n by a square."""
    gap = 1 + _K * _G**2 / (1 - _K) - _n(_E, _G)
    return gap, (1 - _K) * (_E - _K * _G / (1 - _K)) ** 2


@COVARIANCE_SHARP.proved(controls={"smaller": _SMALLER}, part="bound by lengths, large k")
def from_one_half(factor: Any = 1) -> Obligations:
    """k ≥ 1/2: n² + q² ≤ 16k², and (1 − k²)²·16k² ≤ 64/27.

    For g ≤ (1 − k)/k as before, now up to that end; for larger g, n ≤ k(1 + g)² as n increases in
    e on [0, 1], and (1 + g)²(k²(1 + g)² + (1 − g)²) ≤ 4·4k².
    """
    upper = {_K: sp.Interval(sp.Rational(1, 2), 1)}
    yield "largest n", equal(*_largest_n(), {_K: sp.Interval.Ropen(sp.Rational(1, 2), 1)})
    end = (1 - _K) / _K
    n, q = 1 + _K * end**2 / (1 - _K), 1 - end**2
    yield "g = 0", nonnegative(16 * factor * _K**2 - 2, upper)
    yield "g = (1 − k)/k", nonnegative(16 * factor * _K**2 - sp.cancel(n**2 + q**2), upper)
    yield "n increases", equal(_n(_E, _G).diff(_E), 2 * _K * _G - 2 * (1 - _K) * _E)
    g = end + sp.Symbol("t", nonnegative=True) * (1 - end)
    box = {**upper, sp.Symbol("t", nonnegative=True): _UNIT}
    bracket = 4 * factor * _K**2 - (_K**2 * (1 + g) ** 2 + (1 - g) ** 2)
    yield "larger g", nonnegative(sp.cancel(bracket), box)
    s = sp.Symbol("s", nonnegative=True)  # k²
    cubic = factor * sp.Rational(64, 27) - 16 * s * (1 - s) ** 2
    third = sp.Rational(1, 3)
    for part in (sp.Interval(0, third), sp.Interval(third, 1)):
        yield f"(1 − s)²s ≤ 4/27 on {part}", nonnegative(cubic, {s: part})


@COVARIANCE_SHARP.proved(controls={"smaller": _SMALLER}, part="attained")
def two_tokens(factor: Any = 1) -> Obligations:
    """Tokens 1 and −1 with mean x = 1/√3: E S³ = −2x(1 − x²)."""
    x = sp.Symbol("x", positive=True)
    p, z = ((1 + x) / 2, (1 - x) / 2), (1 - x, -1 - x)
    third = sum(w * v**3 for w, v in zip(p, z, strict=True))
    yield "cumulant", equal(third, -2 * x * (1 - x**2))
    value = -third.subs(x, 1 / sp.sqrt(3))
    yield "value", equal(value, factor * 4 / (3 * sp.sqrt(3)))


@COVARIANCE_SHARP.tested(over=HEADS, controls={"smaller": {"factor": 0.99}}, part="bound")
def covariances_over_the_best(head: SampledHead, factor: float = 1.0) -> Measured:
    """‖DM[Δ]‖_F over 4/(3√3) along Δq = U/|U|."""
    return Measured(_change(head) / (factor * 4 / (3 * np.sqrt(3))), ROUNDING)

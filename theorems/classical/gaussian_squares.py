"""Sums of squares of Gaussian variables, and of what is dominated by such squares."""

from __future__ import annotations

from typing import Any

import numpy as np
import sympy as sp
from hypothesis import strategies as st
from scipy.special import chdtr, chdtrc

from symbolic.equality import equal
from theorems.engine import Measured, Obligations, Provenance, claim, half_line, integers

_NOTE = "proofs_notes/eoc_concentration.md#squares-of-gaussians"
_X, _Y = sp.symbols("x y", positive=True)
_HALF = sp.Rational(1, 2)


def _psi(ell: Any) -> Any:
    """ψ(ℓ) = (1 - 2ℓ)^(-1/2) - 1 - ℓ = Σ_{q≥2} (2q - 1)!! ℓ^q/q!."""
    return (1 - 2 * ell) ** (-_HALF) - 1 - ell


MOMENTS = claim(
    "classical.gaussian_moments",
    at="Gaussian moments",
    title="Moments of weighted sums of squares",
    states=(
        r"\mathbb{E}g^{2q} = (2q-1)!!, \quad"
        r" \mathbb{E}\Bigl(\sum_i \beta_i g_i^2\Bigr)^q \le \Bigl(\sum_i \beta_i\Bigr)^q (2q-1)!!"
    ),
    given={"q": integers(1)},
    assuming="the weights β_i are not negative",
    provenance=Provenance.CLASSICAL,
)


@MOMENTS.proved(controls={"next_moment": {"shift": 1}, "concave": {"power": _HALF}})
def by_parts_and_jensen(shift: int = 0, power: Any = None) -> Obligations:
    """By parts E g^(2q+2) = (2q + 1) E g^(2q); x^q is convex, the weights β_i/Σβ sum to 1."""
    g, q = sp.Symbol("g", real=True), sp.Symbol("q", integer=True, positive=True)
    density = sp.exp(-(g**2) / 2)
    total = sp.diff(-(g ** (2 * q + 1)) * density, g)
    claimed = (g ** (2 * q + 2) - (2 * (q + shift) + 1) * g ** (2 * q)) * density
    yield "by parts", equal(total.subs(q, 3), claimed.subs(q, 3))
    quotient = sp.simplify(total / (g ** (2 * q) * density))
    yield "for every q", equal(sp.expand(quotient), g**2 - 2 * (q + shift) - 1)
    exponent = q + 1 if power is None else power
    yield "convex", sp.diff(_X**exponent, _X, 2).simplify().is_positive


DOMINATED = claim(
    "classical.dominated_squares",
    at="large deviations",
    title="Means of terms with the moments of a Gaussian square",
    states=(
        r"\mathbb{E}|W|^q \le A^q(2q-1)!!\ (q \ge 2) \implies"
        r" \mathbb{P}\Bigl(\tfrac1M\sum_{j=1}^M W_j - \mathbb{E}W \ge sA\Bigr) \le e^{-M\psi^*(s)},"
        r" \quad \psi^*(s) = \tfrac12(x-1)^2(x+2),\ x = (1+s)^{1/3}"
    ),
    given={"M": integers(1), "s": half_line(0)},
    assuming="A > 0; for the lower tail put -W for W",
    rests_on=["classical.chernoff"],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@DOMINATED.proved(controls={"double_factorial": {"shift": 1}, "cube": {"last": 3}})
def sum_and_optimise(shift: int = 0, last: int = 2) -> Obligations:
    """log E e^(λ(W - EW)) ≤ Σ_{q≥2} λ^q E|W|^q/q! ≤ ψ(λA), and ψ*(s) is its conjugate."""
    n = sp.Symbol("n", integer=True, nonnegative=True)
    series = (1 - 2 * _X) ** (-_HALF)
    equation = (1 - 2 * _X) * sp.diff(series, _X) - series
    yield "(1 - 2ℓ) f' = f", equal(equation, sp.Integer(0), {_X: sp.Interval.open(0, _HALF)})
    # The coefficient of ℓ^n in the equation, with f = Σ c_n ℓ^n: (n + 1)c_{n+1} = (2n + 1)c_n.
    ratio = (2 * n + 1) / (n + 1)
    terms = (2 * (n + shift) + 1) / (n + 1)
    yield "the ratio of (2n + 1)!!/(n + 1)! and (2n - 1)!!/n!", equal(ratio, terms)
    yield "first coefficients", equal(sp.series(series, _X, 0, 2).removeO(), 1 + _X)
    ell, s = (1 - _X**-2) / 2, _X**3 - 1
    yield "ψ'(ℓ) = s", equal(sp.diff(_psi(_Y), _Y).subs(_Y, ell), s)
    yield "ψ*(s) = ℓs - ψ(ℓ)", equal(ell * s - _psi(ell), (_X - 1) ** 2 * (_X + last) / 2)


def _chi_square_cases() -> Any:
    return st.tuples(st.integers(1, 3000), st.floats(0, 30), st.booleans())


@DOMINATED.tested(over=_chi_square_cases, controls={"twice": {"factor": 2.0}})
def chi_square_means(case: tuple[int, float, bool], factor: float = 1.0) -> Measured:
    """W = ±g²: exact tails over the bound."""
    M, s, upper = case
    exact = chdtrc(M, M * (1 + s)) if upper else chdtr(M, M * max(0.0, 1 - s))
    root = np.expm1(np.log1p(s) / 3)
    return _ratio(float(exact), -factor * M * root**2 * (root + 3) / 2)


def _ratio(exact: float, log_bound: float) -> Measured:
    """A probability over a bound; below 1e-290 the exact value has lost its digits."""
    return Measured(0.0 if exact < 1e-290 else float(np.exp(np.log(exact) - log_bound)))


RATE = claim(
    "classical.dominated_squares.rate",
    at="large deviations",
    title="Simple lower bounds of the rate",
    states=(
        r"\psi^*(s) \ge \frac{s^2}{6 + \tfrac{10}{3}s}, \quad"
        r" \psi^*(2\tau + \tau^2) \ge \frac{\tau^2}{2}"
    ),
    given={"s": half_line(0), "tau": half_line(0)},
    rests_on=[DOMINATED],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@RATE.proved(
    controls={"smaller": {"linear": sp.Rational(32, 10)}, "two": {"linear": 2}},
    part="in s",
)
def with_a_quadruple_zero(linear: Any = sp.Rational(10, 3)) -> Obligations:
    """With s = x³ - 1 and x = 1 + y the gap is y⁴ times a polynomial without signs."""
    x = 1 + _Y
    gap = (x - 1) ** 2 * (x + 2) / 2 * (6 + linear * (x**3 - 1)) - (x**3 - 1) ** 2
    coefficients = sp.Poly(sp.expand(gap), _Y).all_coeffs()
    first = next(c for c in reversed(coefficients) if c != 0)
    yield "first coefficient", bool(first > 0)
    yield "no negative coefficient", all(c >= 0 for c in coefficients)


@RATE.proved(controls={"larger": {"half": sp.Rational(51, 100)}}, part="in tau")
def at_a_simple_point(half: Any = _HALF) -> Obligations:
    """At ℓ = τ/(2(1 + τ)), with x = √(1 + τ): ℓ(2τ + τ²) - ψ(ℓ) - τ²/2 = (x - 1)²/2.

    As τ grows the quotient of the two sides falls to 1, so that no larger constant will do.
    """
    tau = _X**2 - 1
    ell = tau / (2 * _X**2)
    gap = ell * (2 * tau + tau**2) - _psi(ell) - half * tau**2
    yield "gap", equal(gap, (_X - 1) ** 2 / 2)


LAURENT_MASSART = claim(
    "classical.laurent_massart",
    at="Laurent and Massart (2000), Lemma 1",
    title="Weighted sums of squares, weights of both signs",
    states=(
        r"\mathbb{P}\Bigl(\sum_i \lambda_i(g_i^2 - 1) \ge 2\|\lambda\|_2\sqrt s"
        r" + 2\|\lambda\|_\infty s\Bigr) \le e^{-s}"
    ),
    given={"s": half_line(0)},
    assuming="the g_i are independent standard normals; for the lower tail put -λ for λ",
    rests_on=["classical.chernoff"],
    provenance=Provenance.CLASSICAL,
    note=_NOTE,
)
_S, _F, _M = sp.symbols("s F m", positive=True)


@LAURENT_MASSART.proved(
    controls={"smaller_root": {"root": sp.Rational(19, 10)}, "smaller_line": {"line": 1}}
)
def sum_of_logarithms(root: Any = 2, line: Any = 2) -> Obligations:
    """-½log(1 - 2u) - u ≤ u²/(1 - 2u) for u ≥ 0, ≤ u² for u ≤ 0; then t = √s/(F + 2m√s)."""
    square = _X**2 / (1 - 2 * _X) + sp.log(1 - 2 * _X) / 2 + _X
    yield "zero at u = 0", equal(square.subs(_X, 0), sp.Integer(0))
    slope, half = 2 * _X**2 / (1 - 2 * _X) ** 2, {_X: sp.Interval.open(0, _HALF)}
    yield "increases for u ≥ 0", equal(sp.diff(square, _X), slope, half)
    mirrored = _X**2 + sp.log(1 + 2 * _X) / 2 - _X
    yield "zero at -u = 0", equal(mirrored.subs(_X, 0), sp.Integer(0))
    yield "increases in -u", sp.diff(mirrored, _X).simplify().is_positive
    t = sp.sqrt(_S) / (_F + 2 * _M * sp.sqrt(_S))
    yield "t < 1/(2m)", (1 - 2 * _M * t).simplify().is_positive
    level = root * _F * sp.sqrt(_S) + line * _M * _S
    yield "exponent", equal(t * level - t**2 * _F**2 / (1 - 2 * _M * t), _S)


@LAURENT_MASSART.tested(
    over=st.tuples(st.integers(1, 1000), st.floats(0, 200), st.booleans()),
    controls={"half_the_line": {"line": 1.0}, "half_the_root": {"root": 1.0}},
)
def equal_weights(case: tuple[int, float, bool], root: float = 2.0, line: float = 2.0) -> Measured:
    """d weights ±1: exact chi-square tails over e^(-s)."""
    d, s, upper = case
    level = root * np.sqrt(d * s) + line * s
    exact = chdtrc(d, d + level) if upper else chdtr(d, max(0.0, d - level))
    return _ratio(float(exact), -s)

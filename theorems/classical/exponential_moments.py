"""Tails from exponential moments: Chernoff's bound, Bernstein's, and the one for W >= 0."""

from __future__ import annotations

from typing import Any

import numpy as np
import sympy as sp
from hypothesis import strategies as st
from scipy.special import chdtr, chdtrc

from symbolic.equality import equal
from symbolic.nonnegative import nonnegative
from theorems.engine import Measured, Obligations, Provenance, claim, half_line, integers, interval

_NOTE = "proofs_notes/eoc_concentration.md#exponential-moments"
_LAMBDA, _V, _C, _S, _X, _W = sp.symbols("lambda v c s x w", positive=True)
_UNIT = sp.Interval.open(0, 1)

UNION = claim(
    "classical.union",
    at="measure theory",
    title="Union bound",
    states=r"\mathbb{P}\bigl(\textstyle\bigcup_i E_i\bigr) \le \sum_i \mathbb{P}(E_i)",
    provenance=Provenance.CLASSICAL,
)


@UNION.proved(controls={"one_of_them": {"weight": 0}})
def add_indicators(weight: int = 1) -> Obligations:
    """The indicator of the union is at most the sum of indicators; induction over the events."""
    for first in (0, 1):
        for second in (0, 1):
            either = max(first, second)
            yield f"indicators {first}, {second}", bool(either <= first + weight * second)


CHERNOFF = claim(
    "classical.chernoff",
    at="large deviations",
    title="Chernoff's bound for a mean of independent copies",
    states=(
        r"\mathbb{P}\Bigl(\tfrac1M\sum_{j=1}^M W_j \ge x\Bigr)"
        r" \le e^{-M(\lambda x - \log\mathbb{E}e^{\lambda W})}, \quad \lambda \ge 0"
    ),
    given={"M": integers(1), "lambda_": half_line(0)},
    assuming="for the lower tail put -W for W",
    provenance=Provenance.CLASSICAL,
)


@CHERNOFF.proved(controls={"decreasing": {"sign": -1}, "one_factor": {"factors": 1}})
def exponential_of_the_sum(sign: int = 1, factors: Any = None) -> Obligations:
    """1 ≤ e^y for y = λ(ΣW - Mx) ≥ 0, and the exponentials of independent terms multiply."""
    y, M, L = sp.Symbol("y", real=True), sp.Symbol("M", positive=True), sp.Symbol("L", real=True)
    grows = sp.exp(sign * y)
    yield "e^y increases", sp.diff(grows, y).is_positive
    yield "e^0 = 1", equal(grows.subs(y, 0), sp.Integer(1))
    copies = M if factors is None else sp.Integer(factors)
    bound = sp.exp(-_LAMBDA * M * _X) * sp.exp(L) ** copies
    yield "M factors", equal(bound, sp.exp(-M * (_LAMBDA * _X - L)))


def _chi_square_cases() -> Any:
    return st.tuples(st.integers(1, 2000), st.floats(0, 8), st.booleans())


@CHERNOFF.tested(over=_chi_square_cases, controls={"a_tenth_more": {"factor": 1.1}})
def chi_square_tails(case: tuple[int, float, bool], factor: float = 1.0) -> Measured:
    """W = g²: exact tails over e^(-M(x - 1 - log x)/2), the bound at its best λ."""
    M, deviation, upper = case
    x = 1 + deviation if upper else 1 / (1 + deviation)
    exact = (chdtrc if upper else chdtr)(M, M * x)
    # In logarithms, for both sides may underflow; the ratio is that of the probabilities.
    return _ratio(float(exact), -factor * M * (x - 1 - np.log(x)) / 2)


def _ratio(exact: float, log_bound: float) -> Measured:
    """A probability over a bound; below 1e-290 the exact value has lost its digits."""
    return Measured(0.0 if exact < 1e-290 else float(np.exp(np.log(exact) - log_bound)))


BERNSTEIN = claim(
    "classical.bernstein",
    at="large deviations",
    title="Bernstein's inequality from moments",
    states=(
        r"\mathbb{E}|W|^q \le \tfrac12 q!\,v c^{q-2}\ (q \ge 2) \implies"
        r" \mathbb{P}\Bigl(\tfrac1M\sum_{j=1}^M W_j - \mathbb{E}W \ge s\Bigr)"
        r" \le e^{-\frac{M s^2}{2(v + c s)}}"
    ),
    given={"M": integers(1), "s": half_line(0)},
    rests_on=[CHERNOFF],
    provenance=Provenance.CLASSICAL,
    note=_NOTE,
)


@BERNSTEIN.proved(
    controls={
        "moments_twice_as_large": {"half": 1},
        "half_the_linear_term": {"linear": sp.Rational(1, 2)},
    }
)
def sum_the_series(half: Any = sp.Rational(1, 2), linear: Any = 1) -> Obligations:
    """log E e^(λ(W - EW)) ≤ Σ_{q≥2} λ^q E|W|^q/q! ≤ vλ²/(2(1 - cλ)), at λ = s/(v + cs)."""
    q, n = sp.symbols("q n", integer=True, positive=True)
    term = _LAMBDA**q / sp.factorial(q) * (half * sp.factorial(q) * _V * _C ** (q - 2))
    claimed = _V * _LAMBDA**2 / 2 * (_C * _LAMBDA) ** (q - 2)
    yield "terms of a geometric series", equal(term, claimed)
    partial = (1 - _X**n) / (1 - _X)
    yield "its sums", equal(partial.subs(n, n + 1) - partial, _X**n, {_X: _UNIT})
    yield "1 + y ≤ e^y: log(1 + λEW + r) - λEW ≤ r", _above_its_tangent()
    best = _S / (_V + linear * _C * _S)
    exponent = best * _S - _V * best**2 / (2 * (1 - _C * best))
    yield "exponent", equal(exponent, _S**2 / (2 * (_V + linear * _C * _S)))
    yield "λ < 1/c", (1 - _C * best).simplify().is_positive


def _above_its_tangent() -> bool | None:
    """e^y - 1 - y is convex with a double zero at 0."""
    y = sp.Symbol("y", real=True)
    gap = sp.exp(y) - 1 - y
    touches = gap.subs(y, 0) == 0 and sp.diff(gap, y).subs(y, 0) == 0
    return sp.diff(gap, y, 2).is_positive if touches else False


@BERNSTEIN.tested(over=_chi_square_cases, controls={"half_the_variance": {"v": 1.0}})
def chi_square_means(case: tuple[int, float, bool], v: float = 3.0) -> Measured:
    """W = ±g² has v = 3, c = 2; exact tails over the bound, which holds down to v = Var W = 2."""
    M, s, upper = case
    exact = chdtrc(M, M * (1 + s)) if upper else chdtr(M, M * max(0.0, 1 - s))
    return _ratio(float(exact), -M * s * s / (2 * (v + 2 * s)))


ONE_SIDED = claim(
    "classical.one_sided",
    at="large deviations",
    title="Lower tail of a mean of nonnegative terms",
    states=(
        r"W \ge 0,\ \mathbb{E}W = \mu,\ \mathbb{E}W^2 \le \nu \implies"
        r" \mathbb{P}\Bigl(\tfrac1M\sum_{j=1}^M W_j \le (1-x)\mu\Bigr)"
        r" \le e^{-M\frac{\mu^2}{\nu}(x + (1-x)\log(1-x))} \le e^{-\frac{M\mu^2x^2}{2\nu}}"
    ),
    given={"M": integers(1), "x": interval(0, 1)},
    assuming="μ > 0",
    rests_on=[CHERNOFF],
    provenance=Provenance.CLASSICAL,
    note=_NOTE,
)


@ONE_SIDED.proved(
    controls={
        "without_the_logarithm": {"rate": lambda x: x},
        "second_inequality": {"half": sp.Rational(101, 200)},
    }
)
def bias_by_size(
    rate: Any = lambda x: x + (1 - x) * sp.log(1 - x), half: Any = sp.Rational(1, 2)
) -> Obligations:
    """1 - E e^(-λW) = μ E'ψ(W), ψ(w) = (1 - e^(-λw))/w convex, under the law with density W/μ.

    Jensen: E'ψ(W) ≥ ψ(E'W) = ψ(E W²/μ) ≥ ψ(ν/μ).  With y = λν/μ, log E e^(-λW) ≤
    -(μ²/ν)(1 - e^(-y)), and λ(1 - x)μ = (μ²/ν)(1 - x)y.
    """
    u, mu, nu, y = sp.symbols("u mu nu y", positive=True)
    integral = sp.integrate(sp.exp(-u * _W), (u, 0, _LAMBDA))
    yield "ψ is the integral of e^(-uw)", equal(integral, (1 - sp.exp(-_LAMBDA * _W)) / _W)
    yield "which is convex in w", sp.diff(sp.exp(-u * _W), _W, 2).is_positive
    yield "and decreases", sp.diff(sp.exp(-u * _W), _W).is_negative
    bound = mu * ((1 - sp.exp(-_LAMBDA * _W)) / _W).subs(_W, nu / mu).subs(_LAMBDA, y * mu / nu)
    yield "μψ(ν/μ)", equal(bound, mu**2 / nu * (1 - sp.exp(-y)))
    yield "1 - r ≤ e^(-r)", _above_its_tangent()
    exponent = (1 - sp.exp(-y) - (1 - _X) * y).subs(y, -sp.log(1 - _X))
    yield "exponent at y = -log(1 - x)", equal(exponent, rate(_X), {_X: _UNIT})
    gap = rate(_X) - half * _X**2
    yield from _nonnegative_by_two_derivatives(gap)


def _nonnegative_by_two_derivatives(gap: sp.Expr) -> Obligations:
    """A double zero at x = 0, and second derivative (1 - (1 - x))/(1 - x) or so on (0, 1)."""
    y = sp.Symbol("y", positive=True)  # x = y/(1 + y)
    yield "double zero", bool(gap.subs(_X, 0) == 0 and sp.diff(gap, _X).subs(_X, 0) == 0)
    second = sp.together(sp.diff(gap, _X, 2).subs(_X, y / (1 + y)))
    yield "convex", nonnegative(sp.simplify(second))


@ONE_SIDED.tested(
    over=st.tuples(st.integers(1, 2000), st.floats(0.01, 1), st.floats(0, 1)),
    controls={"smaller_power": {"power": 0.7}},
)
def thinned_copies(case: tuple[int, float, float], power: float = 1.0) -> Measured:
    """W is 1 with probability p, else 0: exact binomial tails over the bound with μ²/ν = p."""
    from scipy.special import bdtr  # noqa: PLC0415 - only here

    M, p, x = case
    rate = x + (1 - x) * np.log1p(-x) if x < 1 else 1.0
    exact = bdtr(np.floor((1 - x) * p * M), M, p)
    return _ratio(float(exact), -M * p**power * rate)

"""Proposition 14: concentration of norms, with the exact law and the best constant."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import sympy as sp
from hypothesis import strategies as st
from scipy.special import bdtr, chdtr, chdtrc, log_ndtr

from numeric.concentration import norm_tail
from numeric.statistics import MeanTest, TwoSampleTest, two_sample_test
from symbolic.equality import equal
from symbolic.gaussian import expectation
from symbolic.notation import a, b, phi
from theorems.engine import Measured, Obligations, Provenance, claim, half_line, integers, interval
from theorems.engine.domain import Domain
from theorems.eoc_mlp.redrawn import chance, frequency_test, redrawn

_NOTE = "proofs_notes/eoc_concentration.md#norms"
_GIVEN: dict[str, Domain] = {"k": integers(2), "t": half_line(0), "delta": interval(0, 1)}
_ALIVE = "x_{k-1}(x) does not vanish"
_HALF = sp.Rational(1, 2)
_T, _P = sp.Symbol("t", positive=True), sp.Symbol("p", positive=True)

LAW = claim(
    "eoc.prop14.law",
    at="Proposition 14",
    title="Exact law of the norm of an activation",
    states=(
        r"\frac{\|x_k\|^2}{\|x_{k-1}\|^2} \sim \frac{(1+r)\chi^2_n + (1-r)\chi^2_{M-n}}{M},"
        r"\quad n \sim \operatorname{Bin}(M, \tfrac12),\ r = \frac{2ab}{a^2+b^2},\ M = m_{k-1}"
    ),
    given=_GIVEN,
    assuming=_ALIVE,
    rests_on=["eoc.def2.homogeneous", "eoc.prop11.rows"],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@LAW.proved(controls={"half": {"mixed": 1}, "sign": {"mixed": -2}})
def sign_and_modulus(mixed: int = 2) -> Obligations:
    """σ²φ(u)² = (1 + r sgn u)u², and the sign of a Gaussian is independent of its modulus."""
    u = sp.Symbol("u", positive=True)
    squares = a**2 + b**2
    r = mixed * a * b / squares
    for sign in (-1, 1):
        square, claimed = phi(sign * u) ** 2 / squares, (1 + sign * r) * u**2
        yield f"sign {sign}", equal(square, claimed, under=[squares > 0])
    x = sp.Symbol("x", real=True)
    density = sp.exp(-(x**2) / 2)
    yield "even density", equal(density.subs(x, -x), density)


@LAW.estimated(draws=2000, controls={"one_chi_square": {"leak": 0.0}, "n_is_m": {"coin": 1.0}})
def networks_and_mixtures(
    rng: np.random.Generator, draws: int, leak: float = 1.0, coin: float = 0.5
) -> Iterator[TwoSampleTest]:
    """Redraw one layer of six networks, and draw from the mixture."""
    for one in redrawn(rng, draws):
        slopes = one.state.mlp.a, one.state.mlp.b
        r = leak * 2 * slopes[0] * slopes[1] / (slopes[0] ** 2 + slopes[1] ** 2)
        n = rng.binomial(one.width, coin, draws)
        # A chi-square variable with no degree of freedom is 0; NumPy asks for more than none.
        first, second = (
            np.where(dof > 0, rng.chisquare(np.maximum(dof, 1)), 0.0) for dof in (n, one.width - n)
        )
        mixture = ((1 + r) * first + (1 - r) * second) / one.width
        yield two_sample_test(one.squared_norms, mixture)


MOMENT = claim(
    "eoc.prop14.exponential_moment",
    at="Proposition 14",
    title="Exponential moment of the square of a normalised activation",
    states=(
        r"\mathbb{E}e^{\lambda\sigma^2\phi(u)^2} = \tfrac12(1 - 2\lambda(1+r))^{-1/2}"
        r" + \tfrac12(1 - 2\lambda(1-r))^{-1/2}, \quad \lambda < \tfrac{1}{2\kappa_\phi^2}"
    ),
    given={"delta": interval(0, 1)},
    rests_on=[LAW],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@MOMENT.proved(controls={"root": {"power": -1}})
def integrate_each_half(power: Any = -_HALF) -> Obligations:
    """E e^(νg²) 1{g > 0} = ½(1 - 2ν)^(-1/2), for ν = λ(1 ± r); with y² = 1 - 2ν."""
    g, y = sp.Symbol("g", real=True), sp.Symbol("y", positive=True)
    half = sp.integrate(sp.exp(-(y**2) * g**2 / 2), (g, 0, sp.oo)) / sp.sqrt(2 * sp.pi)
    yield "half line", equal(half, _HALF * (y**2) ** power)
    yield "second moment", equal(expectation(phi(g) ** 2, g), a**2 + b**2)


EXPLICIT = claim(
    "eoc.prop14.explicit",
    at="Proposition 14",
    title="Concentration of norms with the constant one half",
    states=(
        r"\mathbb{P}\Bigl(\tfrac{\|x_k\|}{\|x_{k-1}\|} \ge 1 + t\Bigr),\ "
        r"\mathbb{P}\Bigl(\tfrac{\|x_k\|}{\|x_{k-1}\|} \le 1 - t\Bigr)"
        r" \le e^{-\frac{m_{k-1}t^2}{2\kappa_\phi^2}}"
    ),
    given=_GIVEN,
    assuming=_ALIVE,
    rests_on=[MOMENT, "classical.chernoff", "eoc.kappa"],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@EXPLICIT.proved(controls={"one_per_cent": {"half": sp.Rational(101, 200)}, "kappa": {"power": 2}})
def both_tails_at_once(half: Any = _HALF, power: int = 1) -> Obligations:
    """With τ = ±t, p = κ^(-2) ∈ [1/2, 1], 2λκ² = τ/(1 + τ) the exponent exceeds pτ²/2 by G ≥ 0.

    G = pτ/2 - ½log(1 + τ) - log ½(1 + (1 + x)^(-1/2)), x = 2(1 - p)τ.  It vanishes at τ = 0, and
    G' has the sign of τ: up to a positive factor it is pτ/(1 - p) - 1 + 2(1 + τ)/N(x).
    """
    tau, x, y = sp.Symbol("tau", positive=True), sp.Symbol("x"), sp.Symbol("y", positive=True)
    lam = _P * tau / (1 + tau) / 2
    yield "exponent", equal(lam * (1 + tau) ** 2 - half * _P**power * tau**2, _P * tau / 2)
    yield "first root", equal(1 - 2 * lam / _P, 1 / (1 + tau))
    inner = 2 * (1 - _P) * tau
    other = 1 - 2 * lam * (2 - 1 / _P)  # 1 - r = 2 - κ²
    yield "second root", equal(other, (1 + inner) / (1 + tau))
    gain = _P * tau / 2 - sp.log(1 + tau) / 2 - sp.log((1 + (1 + inner) ** -_HALF) / 2)
    yield "G(0) = 0", equal(gain.subs(tau, 0), sp.Integer(0))
    norm = (1 + x) ** sp.Rational(3, 2) + 1 + x
    slope = _P * tau / (1 - _P) - 1 + 2 * (1 + tau) / norm.subs(x, inner)
    ranges = {_P: sp.Interval.open(_HALF, 1)}
    yield "G'", equal(sp.diff(gain, tau), (1 - _P) / (2 * (1 + tau)) * slope, ranges)
    yield from _sign_of_the_slope(tau, y)
    yield "p = 1", equal(gain.subs(_P, 1), tau / 2 - sp.log(1 + tau) / 2)


def _sign_of_the_slope(tau: sp.Symbol, y: sp.Symbol) -> Obligations:
    """Both terms are on τ's side of their values at p = 1/2, where 1 + x = 1 + τ = y²."""
    first = _P * tau / (1 - _P) - 2 * (1 - _P) * tau
    beyond, below_one = tau * (2 * _P - 1) * (2 - _P) / (1 - _P), sp.Interval.Ropen(_HALF, 1)
    yield "first term", equal(first, beyond, {_P: below_one})
    yield "second term", equal((1 + tau) - (1 + 2 * (1 - _P) * tau), tau * (2 * _P - 1))
    least = y**2 - 2 + 2 * y**2 / (y**3 + y**2)
    yield "has the sign of y - 1", equal(least, y * (y + 2) * (y - 1) / (1 + y))


@EXPLICIT.tested(
    over=st.tuples(
        st.one_of(st.just(1), st.integers(1, 400)), st.floats(0, 60), st.booleans(), st.booleans()
    ),
    controls={"a_tenth_more": {"factor": 1.1}},
)
def exact_tails(case: tuple[int, float, bool, bool], factor: float = 1.0) -> Measured:
    """Exact tails for the absolute value and the ReLU over the bound."""
    M, t, relu, upper = case
    kappa_squared = 2 if relu else 1
    log_bound = -factor * M * t * t / (2 * kappa_squared)
    if M == 1 and upper:
        log_tail = np.log(2 / kappa_squared) + log_ndtr(-(1 + t) / np.sqrt(kappa_squared))
        return Measured(chance(log_tail, log_bound))
    if not upper and t > 1:
        return Measured(0.0)
    level = M * ((1 + t) if upper else 1 - t) ** 2
    exact = _mixture(M, level, relu, upper)
    return Measured(0.0 if exact < 1e-290 else chance(np.log(exact), log_bound))


def _mixture(M: int, level: float, relu: bool, upper: bool) -> float:
    """P(χ²_M ≥ level), or ≤; for the ReLU of 2χ²_n with n binomial."""
    tail = chdtrc if upper else chdtr
    if not relu:
        return float(tail(M, level))
    n = np.arange(1, M + 1)
    weights = bdtr(n, M, 0.5) - bdtr(n - 1, M, 0.5)
    dead = 0.0 if upper and level > 0 else 0.5**M
    return float(dead + np.sum(weights * tail(n, level / 2)))


@EXPLICIT.estimated(draws=4000, controls={"eight_times": {"factor": 8.0}})
def norms_of_networks(
    rng: np.random.Generator, draws: int, factor: float = 1.0
) -> Iterator[MeanTest]:
    """Frequencies in six networks against the bound of both tails."""
    for one in redrawn(rng, draws):
        t = np.sqrt(2.5 / one.width)
        bound = norm_tail(t * np.sqrt(factor), one.width, one.delta)
        yield frequency_test(np.abs(np.sqrt(one.squared_norms) - 1) >= t, bound)


BEST = EXPLICIT.sharpened(
    "eoc.prop14.best",
    title="The constant one half is the best for every activation and width",
    states=(
        r"\lim_{t\to\infty} -\frac{1}{t^2}\log\mathbb{P}\Bigl(\tfrac{\|x_k\|}{\|x_{k-1}\|}"
        r" \ge 1 + t\Bigr) = \frac{m_{k-1}}{2\kappa_\phi^2}"
    ),
    given=_GIVEN,
    assuming=_ALIVE,
    rests_on=[LAW, EXPLICIT],
    note=_NOTE,
)


@BEST.proved(controls={"kappa_squared": {"power": 2}, "twice": {"factor": 2}})
def one_large_unit(power: int = 1, factor: int = 1) -> Obligations:
    """With probability 2^(-M) all c_j = κ², and then f ≥ κ|s_1|/√M.

    P(s_1 ≥ x) ≥ x/(1 + x²) times the density: the difference decreases to 0.
    """
    x, kappa, M = sp.symbols("x kappa M", positive=True)
    density = sp.exp(-(x**2) / 2)
    slope = -density - sp.diff(x / (1 + x**2) * density, x)
    yield "decreases", equal(slope, -2 * density / (1 + x**2) ** 2)
    yield "to zero", bool(sp.limit(x / (1 + x**2) * density, x, sp.oo) == 0)
    at = sp.sqrt(M) * (1 + _T) / kappa
    log_tail = -M * sp.log(2) + sp.log(at) - sp.log(1 + at**2) - at**2 / 2
    limit = sp.limit(-log_tail / _T**2, _T, sp.oo)
    yield "limit", equal(limit, factor * M / (2 * kappa ** (2 * power)))


REPLACEMENT = claim(
    "eoc.prop14.replacement",
    at="Proposition 14, proof",
    title="The proof of Proposition 12 with one input and without halves",
    states=(
        r"|\phi(z)| \le \kappa_\phi|g|, \quad \mathbb{E}\phi(z)^2 = 1, \quad"
        r" z = \sigma g \sim \mathcal{N}(0, \sigma^2)"
    ),
    assuming="so that κ² stands for κ²z, and 1 for ζ(z): the exponent is -Mt²/(2κ⁴)",
    rests_on=["eoc.init", "eoc.prop12.sharp"],
    note=_NOTE,
)


@REPLACEMENT.proved(controls={"without_sigma": {"power": 0}})
def one_input(power: int = 2) -> Obligations:
    """(|a| + |b|)²σ² = κ², and the second moment at the edge of chaos."""
    first, second, g = sp.symbols("A B g", positive=True)
    scale = (first**2 + second**2) ** (-sp.Integer(power) / 2)
    kappa_squared = (first + second) ** 2 / (first**2 + second**2)
    for sign in (-1, 1):
        gap = (first + second) ** 2 - (first + sign * second) ** 2
        yield f"slope {sign}", sp.expand(gap).is_nonnegative
    yield "κ²", equal(scale * ((first + second) * g) ** 2, kappa_squared * g**2)
    x = sp.Symbol("x", real=True)
    yield "mean", equal(expectation(phi(x) ** 2, x), a**2 + b**2)


PROP_14 = claim(
    "eoc.prop14",
    at="Proposition 14",
    title="Concentration of norms of activations",
    states=(
        r"\mathbb{P}_{1:l-1}\Bigl(\gamma_{k-1}^{1/2}\Bigl|\frac{\|x_k\|}{\|x_{k-1}\|} - 1\Bigr|"
        r" \ge t\Bigr) \le 2e^{-\frac{t^2}{O(\kappa_\phi^2m^{-1/2})^2}}"
    ),
    given=_GIVEN,
    assuming=(_ALIVE + " (missing in the paper)",),
    rests_on=[EXPLICIT, "classical.union"],
    note=_NOTE,
)


@PROP_14.proved(controls={"smaller": {"constant": sp.Rational(19, 10)}})
def compare_exponents(constant: Any = 2) -> Obligations:
    """With t/√γ for t, m_{k-1} = γm and O(x) = √2 x the printed exponent is the smaller one."""
    m, gamma = sp.symbols("m gamma", positive=True)
    more = sp.Symbol("e", nonnegative=True)  # κ² = 1 + e
    ours = gamma * m * (_T / sp.sqrt(gamma)) ** 2 / (2 * (1 + more))
    printed = m * _T**2 / (constant * (1 + more) ** 2)
    quotient = sp.expand(sp.simplify(ours / printed))
    yield "at κ = 1", bool(quotient.subs(more, 0) >= 1)
    yield "for larger κ", (quotient - quotient.subs(more, 0)).is_nonnegative

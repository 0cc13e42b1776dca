"""Proposition 18: concentration of products of derivatives, with constants."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import sympy as sp
from hypothesis import strategies as st
from scipy.special import bdtrc

from numeric.concentration import derivative_product_range, derivative_product_tail
from numeric.cosine_maps import varrho_prime
from numeric.statistics import MeanTest
from symbolic.equality import equal
from symbolic.nonnegative import nonnegative
from symbolic.notation import a, b, phi_prime
from theorems.engine import Measured, Obligations, Provenance, claim, half_line, integers, interval
from theorems.engine.domain import Domain
from theorems.eoc_mlp.redrawn import chance, frequency_test, redrawn

_NOTE = "proofs_notes/eoc_concentration.md#backpropagation-products"
_GIVEN: dict[str, Domain] = {"k": integers(2), "t": half_line(0), "delta": interval(0, 1)}
_ALIVE = "with ρ = 0 if an activation x_{k-1}(x_i) vanishes"
_HALF = sp.Rational(1, 2)
_T, _M, _GAMMA = sp.symbols("t m gamma", positive=True)
_MORE = sp.Symbol("e", nonnegative=True)  # κ² = 1 + e

VALUES = claim(
    "eoc.prop18.values",
    at="Proposition 18, proof",
    title="The summands have three values",
    states=(
        r"\sigma^2\phi'(z_1)\phi'(z_2) \in \{1+r,\ 1-r,\ 1-2\Delta_\phi\}, \quad"
        r" r = \frac{2ab}{a^2+b^2},\ |r| = 2\sqrt{\Delta_\phi(1-\Delta_\phi)}"
    ),
    given={"delta": interval(0, 1)},
    assuming="z_1, z_2 do not vanish, which has probability one",
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@VALUES.proved(controls={"half": {"factor": 1}, "mixed_sign": {"opposite": 1}})
def products_of_slopes(factor: int = 2, opposite: int = -1) -> Obligations:
    """Slopes a ± b; σ² = 1/(a² + b²)."""
    u, squares = sp.Symbol("u", positive=True), a**2 + b**2
    delta, r = b**2 / squares, factor * a * b / squares
    for sign in (-1, 1):
        square = phi_prime(sign * u) ** 2 / squares
        yield f"equal signs {sign}", equal(square, 1 + sign * r, under=[squares > 0])
    mixed = phi_prime(u) * phi_prime(-u) / squares
    yield "opposite signs", equal(mixed, 1 + opposite * 2 * delta, under=[squares > 0])
    yield "r² = 4Δ(1 - Δ)", equal(r**2, 4 * delta * (1 - delta), under=[squares > 0])


RANGE = claim(
    "eoc.prop18.range",
    at="Proposition 18, proof",
    title="Length of the range of the summands",
    states=(
        r"L = 2r + 2\max\{r, \Delta_\phi\} \le 2\kappa_\phi^2, \quad"
        r" r = \sqrt{\Delta_\phi(1-\Delta_\phi)},\ \kappa_\phi^2 = 1 + 2r"
    ),
    given={"delta": interval(0, 1)},
    rests_on=[VALUES, "eoc.kappa"],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@RANGE.proved(controls={"one_per_cent": {"factor": Fraction(198, 100)}})
def largest_less_smallest(factor: Any = 2) -> Obligations:
    """1 + 2r less 1 - 2r, or less 1 - 2Δ; both are at most 2 + 4r since r ≥ 0 and Δ ≤ 1."""
    r, delta = sp.symbols("r Delta", nonnegative=True)
    less = sp.Symbol("v", nonnegative=True)  # Δ = 1 - v
    yield "equal signs", equal((1 + 2 * r) - (1 - 2 * r), 4 * r)
    yield "opposite signs", equal((1 + 2 * r) - (1 - 2 * delta), 2 * r + 2 * delta)
    limit = sp.Rational(factor) * (1 + 2 * r)
    yield "4r", nonnegative(limit - 4 * r)
    yield "2r + 2Δ", nonnegative(limit - (2 * r + 2 * (1 - less)))


EXPLICIT_18 = claim(
    "eoc.prop18.explicit",
    at="Proposition 18",
    title="Concentration of products of derivatives without a linear term",
    states=(
        r"\mathbb{P}\bigl(|X'_{k,k}(x_1,x_2) - \varrho'(\rho)| \ge t\bigr)"
        r" \le 2e^{-\frac{2m_{k-1}t^2}{L^2}} \le 2e^{-\frac{m_{k-1}t^2}{2\kappa_\phi^4}}"
    ),
    given=_GIVEN,
    assuming=(_ALIVE, "L > 0; for Δ = 0 the products are constant"),
    rests_on=[RANGE, "eoc.prop15", "eoc.prop15.dead", "classical.hoeffding", "classical.union"],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@EXPLICIT_18.proved(controls={"one_per_cent": {"half": sp.Rational(101, 200)}})
def from_the_range(half: Any = _HALF) -> Obligations:
    """2/L² ≥ 1/(2κ⁴) for L ≤ 2κ²; with one dead input the values σ²a(a ± b) are in the range."""
    kappa_squared, less = 1 + _MORE, sp.Symbol("v", nonnegative=True)
    length = 2 * kappa_squared / (1 + less)
    yield "exponent", nonnegative(sp.cancel(2 / length**2 / (half / kappa_squared**2)) - 1)
    dead = [a * phi_prime(sign) / (a**2 + b**2) for sign in (-1, 1)]
    ends = [phi_prime(sign) ** 2 / (a**2 + b**2) for sign in (-1, 1)]
    opposite = phi_prime(1) * phi_prime(-1) / (a**2 + b**2)
    for value, end in zip(dead, ends, strict=True):
        same = equal(value, (end + opposite) / 2, under=[a**2 + b**2 > 0])
        yield "a mean of two values", same


@EXPLICIT_18.tested(
    over=st.tuples(st.integers(1, 2000), st.floats(0.01, 0.99), st.floats(0, 1)),
    controls={"an_eighth_more": {"factor": 1.125}},
)
def coins(case: tuple[int, float, float], factor: float = 1.0) -> Measured:
    """|·|: the summands are ±1; exact binomial tails at values taken, over half the bound."""
    M, p, place = case
    count = int(np.ceil(M * (p + place * (1 - p))))
    t = max(0.0, 2 * (count / M - p))
    exact = float(bdtrc(count - 1, M, p))
    log_bound = -factor * 2 * M * (t / float(derivative_product_range(1))) ** 2
    return Measured(0.0 if exact < 1e-290 else chance(np.log(exact), log_bound))


@EXPLICIT_18.estimated(draws=4000, controls={"five_times": {"factor": 5.0}})
def products_of_networks(
    rng: np.random.Generator, draws: int, factor: float = 1.0
) -> Iterator[MeanTest]:
    """Frequencies in six networks against the bound."""
    for one in redrawn(rng, draws):
        slope = float(varrho_prime(one.state.cosines(one.layer)[0, 1], one.delta))
        length = float(derivative_product_range(one.delta))
        t = 0.9 * max(length, 0.1) / np.sqrt(one.width)
        happened = np.abs(one.draws.derivative_products[:, 0, 1] - slope) >= t
        bound = derivative_product_tail(t * np.sqrt(factor), one.width, one.delta)
        yield frequency_test(happened, bound)


SHARP_18 = claim(
    "eoc.prop18.best",
    at="Proposition 18",
    title="The rate 2/L² is attained for the absolute value and orthogonal inputs",
    states=(
        r"\Delta_\phi = 1,\ \rho = 0: \quad \log\mathbb{E}e^{\lambda X} = \log\cosh\lambda"
        r" = \tfrac12\lambda^2 + O(\lambda^4), \quad \sup_\lambda(\lambda t - \log\cosh\lambda)"
        r" = \tfrac{2t^2}{L^2} + O(t^4),\ L = 2"
    ),
    assuming="by Cramér's theorem the supremum is the rate of the tail as the width grows",
    rests_on=[VALUES],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@SHARP_18.proved(controls={"larger": {"factor": sp.Rational(21, 10)}})
def fair_coin(factor: Any = 2) -> Obligations:
    """The rate ½(1 + t)log(1 + t) + ½(1 - t)log(1 - t) = t²/2 + O(t⁴)."""
    lam = sp.Symbol("lambda", real=True)
    yield "mean of ±1", equal((sp.exp(lam) + sp.exp(-lam)) / 2, sp.cosh(lam).rewrite(sp.exp))
    ranges = {_T: sp.Interval.open(0, 1)}
    best = sp.log((1 + _T) / (1 - _T)) / 2
    yield "slope at the best λ", equal(sp.exp(2 * best), (1 + _T) / (1 - _T), ranges)
    rate = (1 + _T) / 2 * sp.log(1 + _T) + (1 - _T) / 2 * sp.log(1 - _T)
    yield "rate", equal(sp.series(rate, _T, 0, 4).removeO(), factor * _T**2 / 2**2)


REGIMES = claim(
    "eoc.prop18.two_regimes",
    at="Propositions 18 and 19, proofs",
    title="The minimum of two exponents as one fraction",
    states=(
        r"\min\Bigl\{\frac{t^2}{(C\gamma^{1/2}\kappa_\phi^2)^2}, \frac{t}{C\gamma^{1/2}"
        r"\kappa_\phi^2}\Bigr\}\gamma m \ge \frac{t^2}{(C\kappa_\phi^2)^2m^{-1}"
        r" + C\kappa_\phi^2m^{-1}t}, \quad \gamma \ge 1"
    ),
    given={"t": half_line(0), "gamma": half_line(1), "C": half_line(0, closed=False)},
)


@REGIMES.proved(controls={"no_linear_term": {"linear": 0}, "no_square": {"square": 0}})
def harmonic_sum(linear: int = 1, square: int = 1) -> Obligations:
    """min{A, B} ≥ AB/(A + B) = t²/(t²/A + t²/B), and γ^(1/2) ≥ 1."""
    C, root = sp.Symbol("C", positive=True), 1 + sp.Symbol("v", nonnegative=True)
    kappa_squared = 1 + _MORE
    first = _T**2 / (C * root * kappa_squared) ** 2 * root**2 * _M
    second = _T / (C * root * kappa_squared) * root**2 * _M
    below = _T**2 / (square * (C * kappa_squared) ** 2 / _M + linear * C * kappa_squared * _T / _M)
    yield "square", nonnegative(sp.cancel(first / below) - 1)
    yield "linear", nonnegative(sp.cancel(second / below) - 1)


PROP_18 = claim(
    "eoc.prop18",
    at="Proposition 18",
    title="Concentration of products of derivatives",
    states=(
        r"\mathbb{P}_{1:l-1}\bigl(\gamma_{k-1}^{1/2}|X'_{k,k}(x_1,x_2)"
        r" - \varrho'(\rho_{k-1}(x_1,x_2))| \ge t\bigr)"
        r" \le 2e^{-\frac{t^2}{O(\kappa_\phi^2m^{-1/2})^2 + O(\kappa_\phi^2m^{-1})t}}"
    ),
    given=_GIVEN,
    assuming=(_ALIVE + " (missing in the paper)",),
    rests_on=[EXPLICIT_18],
    note=_NOTE,
)


@PROP_18.proved(controls={"smaller": {"constant": sp.Rational(19, 10)}})
def compare_with_the_root_of_two(constant: Any = 2) -> Obligations:
    """With O(x) = √2 x for the first O the linear term is not needed, whatever its constant C."""
    C, kappa_squared = sp.Symbol("C", nonnegative=True), 1 + _MORE
    ours = _GAMMA * _M * (_T**2 / _GAMMA) / (2 * kappa_squared**2)
    printed = _T**2 / (constant * kappa_squared**2 / _M + C * kappa_squared / _M * _T)
    yield "exponent", nonnegative(sp.cancel(ours / printed) - 1)

"""Proposition 19: concentration of backpropagation products, with constants."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import sympy as sp
from hypothesis import strategies as st
from scipy.special import chdtr, chdtrc

from numeric.concentration import backpropagation_product_tail
from numeric.networks.backpropagation import backpropagation_products
from numeric.statistics import MeanTest
from symbolic.equality import equal
from symbolic.gaussian import expectation
from symbolic.nonnegative import nonnegative
from theorems.engine import Measured, Obligations, Provenance, claim, half_line, integers, interval
from theorems.engine.domain import Domain
from theorems.eoc_mlp.redrawn import chance, frequency_test, redrawn

_NOTE = "proofs_notes/eoc_concentration.md#backpropagation-products"
_PAIR: dict[str, Domain] = {
    "k1": integers(2),
    "k2": integers(3),
    "t": half_line(0),
    "delta": interval(0, 1),
}
_NONZERO = "k1 < k2 and neither B_{k1,k2-1}(x_i) vanishes"
_T, _M = sp.symbols("t m", positive=True)
_MORE = sp.Symbol("e", nonnegative=True)  # κ² = 1 + e

SUMMANDS = claim(
    "eoc.prop19.summands",
    at="Proposition 19, proof",
    title="The summands are products of Gaussian norms at most",
    states=(
        r"\bigl|\phi'(z_{1,j})\phi'(z_{2,j})\langle B_1^*v_j, B_2^*v_j\rangle\bigr|"
        r" \le (|a|+|b|)^2\|B_1^*v_j\|\,\|B_2^*v_j\|, \quad v_j = m^{q_{k_2-1}/2}A_{k_2-1,j}"
    ),
    given={"k1": integers(2), "k2": integers(3)},
    assuming="k1 < k2",
)


@SUMMANDS.proved(controls={"larger_of_both": {"combine": sp.Max}})
def slopes_and_schwarz(combine: Any = lambda first, second: first + second) -> Obligations:
    """|a ± b| ≤ |a| + |b|, and Cauchy-Schwarz for the scalar product: Lagrange's identity."""
    first, second = sp.symbols("A B", nonnegative=True)
    for sign in (-1, 1):
        gap = combine(first, second) ** 2 - (first + sign * second) ** 2
        decided = nonnegative(gap.subs({first: 1, second: 1})), sp.expand(gap).is_nonnegative
        yield f"sign {sign}", decided[1] if decided[0] else False
    u, v = sp.symbols("u:2", real=True), sp.symbols("v:2", real=True)
    lengths = (u[0] ** 2 + u[1] ** 2) * (v[0] ** 2 + v[1] ** 2)
    product = (u[0] * v[0] + u[1] * v[1]) ** 2
    yield "in the plane of both", equal(lengths - product, (u[0] * v[1] - u[1] * v[0]) ** 2)


MOMENTS = claim(
    "eoc.prop19.moments",
    at="Proposition 19, proof",
    title="Moments of the summands",
    states=(
        r"\mathbb{E}|W|^q \le (\kappa_\phi^2\|B_1\|_F\|B_2\|_F)^q(2q-1)!!, \quad"
        r" W = \phi'(z_1)\phi'(z_2)\langle B_1^*v, B_2^*v\rangle"
    ),
    given={"q": integers(2)},
    rests_on=[SUMMANDS, "classical.gaussian_moments", "eoc.prop11.rows"],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@MOMENTS.proved(controls={"without_sigma": {"sigma_power": 1}})
def schwarz_and_jensen(sigma_power: int = 2) -> Obligations:
    """v = σg: E(‖B₁*g‖‖B₂*g‖)^q ≤ √(E‖B₁*g‖^(2q) E‖B₂*g‖^(2q)), where ‖B*g‖² = Σβ_ig_i².

    The β_i, squares of the singular values of B, have the sum ‖B‖²_F.
    """
    sigma, total, F1, F2 = sp.symbols("sigma s F1 F2", positive=True)
    q, double = sp.symbols("q D", positive=True)  # D = (2q - 1)!!
    kappa_squared = (total * sigma) ** 2
    bound = (total**2 * sigma**sigma_power) ** q
    bound *= sp.sqrt(F1 ** (2 * q) * double * F2 ** (2 * q) * double)
    yield "product", equal(bound, (kappa_squared * F1 * F2) ** q * double)


EXPLICIT_19 = claim(
    "eoc.prop19.explicit",
    at="Proposition 19",
    title="Concentration of backpropagation products with constants",
    states=(
        r"\mathbb{P}\Bigl(\frac{|X'_{k_1,k_2}(x_1,x_2) - \mathbb{E}_{A_{k_2-1}}X'_{k_1,k_2}"
        r"(x_1,x_2)|}{\sqrt{X'_{k_1,k_2-1}(x_1,x_1)X'_{k_1,k_2-1}(x_2,x_2)}} \ge t\Bigr)"
        r" \le 2e^{-\frac{m_{k_2-1}t^2}{6\kappa_\phi^4 + \frac{10}{3}\kappa_\phi^2t}}"
    ),
    given=_PAIR,
    assuming=(_NONZERO,),
    rests_on=[MOMENTS, "classical.dominated_squares.rate", "classical.union"],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@EXPLICIT_19.proved(controls={"three": {"linear": 3}, "kappa": {"power": 1}})
def scale_the_rate(linear: Any = sp.Rational(10, 3), power: int = 2) -> Obligations:
    """The rate s²/(6 + (10/3)s) at s = t/κ²."""
    kappa_squared = sp.Symbol("K", positive=True)
    s = _T / kappa_squared
    rate = s**2 / (6 + sp.Rational(10, 3) * s)
    claimed = _T**2 / (6 * kappa_squared**power + linear * kappa_squared * _T)
    yield "exponent", equal(rate, claimed)


@EXPLICIT_19.tested(
    over=st.tuples(st.integers(1, 3000), st.floats(0, 30), st.booleans()),
    controls={"twice": {"factor": 2.0}},
)
def one_column(case: tuple[int, float, bool], factor: float = 1.0) -> Measured:
    """|·|, equal inputs, B = 1: X' is a chi-square mean; exact tails over half the bound."""
    M, t, upper = case
    exact = chdtrc(M, M * (1 + t)) if upper else chdtr(M, M * max(0.0, 1 - t))
    log_bound = -factor * M * t * t / (6 + 10 * t / 3)
    return Measured(0.0 if exact < 1e-290 else chance(np.log(float(exact)), log_bound))


@EXPLICIT_19.estimated(draws=4000, controls={"sixty_times": {"factor": 60.0}})
def pairs_of_layers(
    rng: np.random.Generator, draws: int, factor: float = 1.0
) -> Iterator[MeanTest]:
    """Frequencies in the deeper networks against the bound; the mean is that of the draws."""
    for one in redrawn(rng, draws):
        for k1, values in one.draws.backpropagation_products.items():
            before = backpropagation_products(one.state, k1, one.layer)
            scale = float(np.sqrt(before[0, 0] * before[1, 1]))
            if scale == 0:
                continue
            # The mean of the draws is off by 1/√draws deviations, t is one or so.
            t = 1.5 / np.sqrt(one.width)
            centred = values[:, 0, 1] - values[:, 0, 1].mean()
            bound = backpropagation_product_tail(t * np.sqrt(factor), one.width, one.delta)
            yield frequency_test(np.abs(centred) >= t * scale, bound)


BEST = claim(
    "eoc.prop19.best",
    at="Proposition 19",
    title="The constant six is the best: the variance is attained",
    states=(
        r"\phi = |\cdot|,\ B_1 = B_2 = ee^*,\ \hat x_1 \perp \hat x_2 \perp e: \quad"
        r" W = \operatorname{sgn}(g_1)\operatorname{sgn}(g_2)g_3^2,\quad \mathbb{E}W = 0,"
        r"\quad \mathbb{E}W^2 = 3(\kappa_\phi^2\|B_1\|_F\|B_2\|_F)^2"
    ),
    assuming=(
        "by Cramér's theorem t²/(2 Var W) is the rate of the tail for small t as the width grows",
    ),
    rests_on=[SUMMANDS],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@BEST.proved(controls={"variance_of_a_square": {"moment": 2}, "five": {"six": 5}})
def independent_signs(moment: int = 3, six: int = 6) -> Obligations:
    """Three orthogonal directions see independent Gaussians; κ = 1 and both norms are 1."""
    g = sp.Symbol("g", real=True)
    yield "mean", equal(expectation(sp.sign(g), g) ** 2, sp.Integer(0))
    variance = expectation(sp.sign(g) ** 2, g) ** 2 * expectation(g**4, g)
    yield "variance", equal(variance, sp.Integer(moment))
    yield "rate", equal(_T**2 / (2 * variance), _T**2 / six)


PROP_19 = claim(
    "eoc.prop19",
    at="Proposition 19",
    title="Concentration of backpropagation products",
    states=(
        r"\mathbb{P}_{1:l-1}\Bigl(\frac{\gamma_{k_2-1}^{1/2}|X'_{k_1,k_2}(x_1,x_2)"
        r" - \mathbb{E}_{A_{k_2-1}}X'_{k_1,k_2}(x_1,x_2)|}"
        r"{\sqrt{X'_{k_1,k_2-1}(x_1,x_1)X'_{k_1,k_2-1}(x_2,x_2)}} \ge t\Bigr)"
        r" \le 2e^{-\frac{t^2}{O(\kappa_\phi^2m^{-1/2})^2 + O(\kappa_\phi^2m^{-1})t}}"
    ),
    given=_PAIR,
    assuming=(_NONZERO,),
    rests_on=[EXPLICIT_19],
    note=_NOTE,
)


@PROP_19.proved(controls={"five": {"square": 5}, "three": {"linear": 3}})
def compare_exponents(square: Any = 6, linear: Any = sp.Rational(10, 3)) -> Obligations:
    """With √6 x and (10/3)x for the two O(x), and γ^(1/2) ≥ 1."""
    root, kappa_squared = 1 + sp.Symbol("v", nonnegative=True), 1 + _MORE
    t = _T / root
    ours = root**2 * _M * t**2 / (6 * kappa_squared**2 + sp.Rational(10, 3) * kappa_squared * t)
    printed = _T**2 / (square * kappa_squared**2 / _M + linear * kappa_squared / _M * _T)
    yield "exponent", nonnegative(sp.cancel(ours / printed) - 1)

"""Section 6.1: what the experiment on the linearisation error sees, by the choice of the point.

Lemma 3 is of the right order m^(−1/2) for directions that add up over the heads. Independent
directions in the heads have an error of order 1/m: its summands have mean zero.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import isqrt
from typing import Any

import numpy as np
import sympy as sp

from numeric.attention_smoothness import linearisation_constant
from numeric.networks.transformer import (
    SINE,
    TANH,
    Inputs,
    clipped_tokens,
    linear_model,
    predict,
    symmetric_initialisation,
)
from numeric.statistics import MeanTest, SlopeTest, mean_test, slope_test
from symbolic.equality import equal
from theorems.engine import Obligations, Provenance, claim, integers
from theorems.shallow_transformer.boundary import Rho, aimed
from theorems.shallow_transformer.linearisation import BLOCKWISE, EQ_19, GIVEN, LEMMA_3, PAIRED

__all__ = ["COHERENT", "INDEPENDENT", "INDEPENDENT_CORRECTED", "ORDER"]

Rng = np.random.Generator

_NOTE = "proofs_notes/st_smoothness.md#the-experiment"
_M, _C, _RHO_U = sp.symbols("m rho_c rho_u", positive=True)
_H = sp.Symbol("h", positive=True)  # ρ_u/√m
_GAUSS = sp.Symbol("U", real=True)

ORDER = claim(
    "st.lem3.order",
    at="Lemma 3",
    title="The order in Lemma 3 cannot be improved",
    states=(
        r"\mathbb{E}\sup_{\varphi\in\partial\Omega_\rho}|f - f_{\mathrm{lin}}| \ge"
        r" \rho_ce^{-1/2}\sin\tfrac{\rho_u}{\sqrt m} \sim"
        r" \frac{e^{-1/2}\rho_c\rho_u}{\sqrt m}"
    ),
    given=GIVEN,
    assuming="σ = sin, d = T = 1, X = 1; ρ_u ≤ π√m; U_i is standard normal",
    rests_on=[PAIRED],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@ORDER.proved(controls={"faster": {"power": 1}, "other_mean": {"exponent": -1}})
def all_heads_up(power: Any = sp.Rational(1, 2), exponent: Any = -sp.Rational(1, 2)) -> Obligations:
    """δc_i = ρ_c/√m and δU_i = ρ_u/√m in all heads: E(sin(U + h) − sin U) = e^(−1/2) sin h."""
    k = sp.Symbol("k", positive=True)
    density = sp.exp(-(_GAUSS**2) / 2) / sp.sqrt(2 * sp.pi)
    wave = sp.integrate(sp.cos(k * _GAUSS) * density, (_GAUSS, -sp.oo, sp.oo))
    yield "E cos kU", equal(wave, sp.exp(-(k**2) / 2))
    mean = _mean_of_waves(sp.sin(_GAUSS + _H) - sp.sin(_GAUSS))
    yield "mean", equal(mean, sp.exp(exponent) * sp.sin(_H))
    error = _M / sp.sqrt(_M) * _C / sp.sqrt(_M) * mean.subs(_H, _RHO_U / sp.sqrt(_M))
    yield "m heads", equal(error, _C * sp.exp(exponent) * sp.sin(_RHO_U / sp.sqrt(_M)))
    limit = sp.limit((_M**power * error).subs(_M, 1 / _H**2), _H, 0, "+")
    yield "limit", limit == _C * _RHO_U * sp.exp(exponent)


def _mean_of_waves(expression: sp.Expr) -> sp.Expr:
    """E of a trigonometric polynomial in a standard normal U, from E exp(ikU) = exp(−k²/2)."""
    turn = sp.Symbol("z")  # exp(iU)
    waves = {sp.sin(_GAUSS): (turn - 1 / turn) / (2 * sp.I), sp.cos(_GAUSS): (turn + 1 / turn) / 2}
    collected = sp.collect(sp.expand(sp.expand_trig(expression).subs(waves)), turn, evaluate=False)
    means = (
        c * sp.exp(-((sp.log(power).diff(turn) * turn) ** 2) / 2) for power, c in collected.items()
    )
    return sp.expand(sp.Add(*means))


COHERENT = claim(
    "st.exp.linearisation",
    at="Section 6.1 and Figure 1",
    title="Directions that add up have an error of order m^(-1/2)",
    states=(
        r"\sup_{j\in[n]}|f(X^{(j)};\varphi) - f_{\mathrm{lin}}(X^{(j)};\varphi)|"
        r" \asymp m^{-1/2}"
    ),
    given={"m": integers(2), "n": integers(1)},
    assuming=(
        "φ on the boundary of Ω_ρ; the paper does not say which point",
        "δθ_i along the gradient of Σ_j h(X^(j); θ_i), all δc_i = ρ_c/√m",
        "ρ_c > 0 and ρ_u + ρ_w > 0",
    ),
    rests_on=[LEMMA_3, ORDER],
    note=_NOTE,
)


def _errors(aim: str, m: int, rho: Rho, rng: Rng, draws: int) -> np.ndarray:
    """sup_j |f − f_lin| of so many networks with σ = tanh and 20 inputs, d = 4, T = 6."""
    found = []
    for _ in range(draws):
        initial, inputs = symmetric_initialisation(m, 4, rng), clipped_tokens(20, 6, 4, rng)
        moved = initial + aimed(aim, initial, inputs, TANH, rho, rng)
        linear = linear_model(initial, moved, inputs, TANH, threads=1)
        found.append(np.abs(predict(moved, inputs, TANH, threads=1) - linear).max())
    return np.array(found)


def _slopes(aim: str, exponent: float, rng: Rng, draws: int) -> SlopeTest:
    """The exponent of the mean error in m; all widths grow with the effort, as its precision."""
    unit = 64 * isqrt(draws // 16)
    widths = [unit, 4 * unit, 16 * unit]
    samples = [_errors(aim, m, (1.0, 1.0, 1.0), rng, draws) for m in widths]
    means = [float(one.mean()) for one in samples]
    errors = [float(one.std(ddof=1)) / np.sqrt(draws) for one in samples]
    return slope_test(widths, means, errors, exponent)


@COHERENT.estimated(draws=16, controls={"one": {"exponent": -1.0}, "none": {"exponent": -0.25}})
def slope_of_coherent_directions(rng: Rng, draws: int, exponent: float = -0.5) -> SlopeTest:
    """Mean of sup_j|f − f_lin| at three widths: a power of m."""
    return _slopes("paired", exponent, rng, draws)


INDEPENDENT = claim(
    "st.exp.linearisation.independent",
    at="Section 6.1 and Figure 1",
    title="Independent directions have an error of order m^(-1/2)",
    states=(
        r"\liminf_{m\to\infty}\sqrt m\,\mathbb{E}\sup_{j\in[n]}"
        r"|f(X^{(j)};\varphi) - f_{\mathrm{lin}}(X^{(j)};\varphi)| > 0"
    ),
    given={"m": integers(2), "n": integers(1)},
    assuming=(
        "φ on the boundary of Ω_ρ, the other reading: δc_i, δU_i, δW_i independent and uniform"
        " on their spheres, in all m heads",
        "φ⁽⁰⁾ is the symmetric initialisation",
    ),
    rests_on=[EQ_19, BLOCKWISE],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


def _mean_of_pair(mirrored: int = -1) -> sp.Expr:
    """Mean over the signs of δc of δc Δ + c r in one head, plus that of its partner.

    E Δ and E r are those of the same law for both heads, which have the same θ⁽⁰⁾.
    """
    c, size, change, rest = sp.symbols("c d E_Delta E_r", real=True)
    heads = (c, mirrored * c)
    signs = (1, -1)
    return sum((s * size * change + one * rest) / 2 for one in heads for s in signs)


@INDEPENDENT.refuted(controls={"coherent": {"power": 2}, "same_sign": {"mirrored": 1}})
def variance_of_a_sum(power: int = 1, mirrored: int = -1) -> Obligations:
    """Given φ⁽⁰⁾, f − f_lin is a sum of m independent terms, none above C/m^(3/2), of mean zero.

    Pairs of terms have mean zero, so E|f − f_lin|² ≤ m C²/m³ and E sup_j ≤ √n C/m. C is
    σ_1ρ_cℓ + … of st.lem3.sharp at B = |U_i| + ρ_u; E C² over a standard normal U_i is finite, as C
    grows like B², and the same for all m. Terms that add up have m² in place of m.
    """
    yield "mean of a pair", equal(_mean_of_pair(mirrored), sp.Integer(0))
    n, C = sp.symbols("n C", positive=True)
    size = sp.sqrt(n * _M**power * C**2 / _M**3)
    yield "√m times it tends to 0", sp.limit(sp.sqrt(_M) * size, _M, sp.oo) == 0


INDEPENDENT_CORRECTED = INDEPENDENT.corrected(
    "st.exp.linearisation.independent.corrected",
    title="Independent directions have an error of order 1/m",
    states=(
        r"\mathbb{E}\sup_{j\in[n]}|f - f_{\mathrm{lin}}|^2 \le \frac{n}{m^2}\,\mathbb{E}\Bigl["
        r"(\sigma_1\rho_c\ell)^2 + \tfrac14(\sigma_2\ell^2 + \sigma_1K)^2\Bigr]"
    ),
    given={"m": integers(2), "n": integers(1)},
    assuming=(
        "δc_i, δU_i, δW_i independent and uniform on their spheres, in all m heads",
        "ℓ, K as in st.lem3.sharp at B = |U_1⁽⁰⁾| + ρ_u/√m; σ = sin, d = T = 1 attains the order",
    ),
    rests_on=[EQ_19, BLOCKWISE],
    note=_NOTE,
)


@INDEPENDENT_CORRECTED.proved(
    controls={"same_sign": {"mirrored": 1}, "added_up": {"power": 2}}, part="bound"
)
def second_moment(power: int = 1, mirrored: int = -1) -> Obligations:
    """Variances of independent terms add; δc Δ and c r are uncorrelated by the sign of δc.

    |Δ| ≤ σ_1ℓ/√m, |r| ≤ (σ_2ℓ² + σ_1K)/(2m), and a supremum is at most a sum over j.
    """
    yield "mean of a pair", equal(_mean_of_pair(mirrored), sp.Integer(0))
    n, first, second, x, y = sp.symbols("n P Q x y", positive=True)
    both = sum((s * x + y) ** 2 for s in (1, -1)) / 2
    yield "uncorrelated", equal(both, x**2 + y**2)
    root = sp.sqrt(_M)
    term = both.subs({x: _C / root * first / root, y: second / (2 * _M)}) / _M
    stated = n / _M**2 * ((_C * first) ** 2 + second**2 / 4)
    yield "sum", equal(n * _M**power * term, stated)


@INDEPENDENT_CORRECTED.proved(controls={"half": {"power": 1}, "cube": {"power": 3}}, part="order")
def sine(power: int = 2) -> Obligations:
    """σ = sin, d = T = 1: m²E|f − f_lin|² tends to ρ_c²ρ_u²(1 + e⁻²)/2 > 0, exactly.

    With h = ρ_u/√m: E Δ² = E(sin(U ± h) − sin U)², and the variance of r given U is
    (sin h − h)² cos² U.
    """
    square = _mean_of_waves((sp.sin(_GAUSS + _H) - sp.sin(_GAUSS)) ** 2)
    cosine = _mean_of_waves(sp.cos(_GAUSS) ** 2)
    # m heads, each over √m; ρ_c²/m = (ρ_c h/ρ_u)².
    moment = (_C * _H / _RHO_U) ** 2 * square + (sp.sin(_H) - _H) ** 2 * cosine
    leading = sp.series(moment, _H, 0, 5).removeO() * (_RHO_U / _H) ** (2 * power)
    limit = sp.limit(sp.expand(leading), _H, 0, "+")
    stated = (_C * _RHO_U) ** 2 * (1 + sp.exp(-2)) / 2
    yield "limit", sp.simplify(limit - stated) == 0


@INDEPENDENT_CORRECTED.estimated(
    draws=16, controls={"root": {"exponent": -0.5}, "faster": {"exponent": -1.5}}, part="order"
)
def slope_of_independent_directions(rng: Rng, draws: int, exponent: float = -1.0) -> SlopeTest:
    """Mean of sup_j|f − f_lin| at three widths: a power of m."""
    return _slopes("independent", exponent, rng, draws)


_CASES = (
    # σ, d, T, m, ρ; the first is nearly the extremal one
    (SINE, 1, 1, 8, (1.0, 1.0, 0.0)),
    (TANH, 2, 3, 2, (1.0, 1.0, 1.0)),
    (TANH, 2, 3, 32, (0.0, 1.0, 2.0)),
)


@INDEPENDENT_CORRECTED.estimated(draws=300, controls={"tenth": {"share": 0.1}}, part="bound")
def second_moments(rng: Rng, draws: int, share: float = 1.0) -> Iterator[MeanTest]:
    """m²|f − f_lin|² for one input, less its bound given φ⁽⁰⁾: no mean above zero."""
    for case in _CASES:
        excess = [_excess(case, rng, share) for _ in range(draws)]
        yield mean_test(excess, 0.0, alternative="greater")


def _excess(case: Any, rng: Rng, share: float) -> float:
    activation, d, T, m, rho = case
    initial, inputs = symmetric_initialisation(m, d, rng), clipped_tokens(1, T, d, rng)
    if T == 1:
        inputs = Inputs(np.ones((1, 1, 1)), np.ones((1, 1)))
    moved = initial + aimed("independent", initial, inputs, activation, rho, rng)
    f = predict(moved, inputs, activation, threads=1)
    error = f - linear_model(initial, moved, inputs, activation, threads=1)
    B = initial.block_norms()[1] + rho[1] / np.sqrt(m)
    whole = linearisation_constant(rho[0], *rho[1:], B, *activation.bounds[1:])
    remainder = np.asarray(linearisation_constant(0, *rho[1:], B, *activation.bounds[1:]))
    bound = float(np.mean((whole - remainder) ** 2 + remainder**2))
    return float(m**2 * error[0] ** 2 - share * bound)

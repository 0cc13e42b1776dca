"""Proposition 10: operator norms of backpropagation matrices, with constants."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np
import sympy as sp
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.special import chdtrc

from numeric.concentration import backpropagation_radius
from numeric.cosine_maps import delta_phi
from numeric.networks.backpropagation import backpropagation_matrix
from numeric.networks.forward_pass import ForwardPass
from numeric.statistics import MeanTest
from symbolic.equality import equal
from symbolic.nonnegative import nonnegative
from symbolic.notation import a, b
from theorems.engine import Measured, Obligations, Provenance, claim
from theorems.eoc_mlp.backpropagation_rows import GIVEN, MEAN, SHORT, WIDTH
from theorems.eoc_mlp.redrawn import chance, frequency_test
from theorems.eoc_mlp.samples import Scene

Floats = NDArray[np.float64]

_NOTE = "proofs_notes/eoc_concentration.md#backpropagation-matrices"
_HALF = sp.Rational(1, 2)
_HALF_ROOT_PI = sp.sqrt(sp.pi) / 2
_B, _M, _S, _LAMBDA = sp.symbols("B M s lambda", positive=True)  # B is the operator norm

EXPLICIT = claim(
    "eoc.prop10.explicit",
    at="Proposition 10",
    title="Norms of backpropagation matrices with constants",
    states=(
        r"\mathbb{P}\Bigl(\|B'\| \ge \|B\|\Bigl(1 + \frac{\kappa_\phi^2}{\sqrt{2M}}"
        r" + \frac{s\sqrt{\kappa_\phi^2 + \Delta_\phi(1-\Delta_\phi)}}{\sqrt M}\Bigr)"
        r" + \frac{\kappa_\phi\,w(B)}{\sqrt M}\Bigr) \le e^{-s^2/2}, \quad w(B) \le \|B\|_F"
    ),
    given=GIVEN,
    assuming=(SHORT,),
    rests_on=[
        MEAN,
        WIDTH,
        "classical.gaussian_lipschitz",
        "classical.hoeffding_lemma",
        "classical.chernoff",
    ],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@EXPLICIT.proved(controls={"kappa_alone": {"signs": 0}, "larger": {"half": sp.Rational(51, 100)}})
def average_over_the_signs(signs: int = 1, half: Any = _HALF) -> Obligations:
    """Given ε the norm is a κ‖B‖-Lipschitz function of Gaussians; E e^(νε_j) = cosh ν ≤ e^(ν²/2).

    The signs add ‖B‖(r/2)M^(-1/2)Σε_j to the mean, with r²/4 = Δ(1 - Δ).  A vanishing x_{k2-1}
    makes all slopes a, and √M B' = σaGB with |σa| ≤ 1: the same with fewer terms.
    """
    kappa, r, nu = sp.symbols("kappa r nu", positive=True)
    p, u = _HALF, 2 * nu
    lemma = (1 - p) * sp.exp(-p * u) + p * sp.exp((1 - p) * u)
    yield "the lemma for a fair sign", equal(lemma, (sp.exp(nu) + sp.exp(-nu)) / 2)
    yield "its exponent", equal(u**2 / 8, nu**2 / 2)
    one = _LAMBDA * _B * r / (2 * sp.sqrt(_M))
    exponent = (_LAMBDA * kappa * _B) ** 2 / 2 + signs * _M * one**2 / 2
    spread = _B * sp.sqrt(kappa**2 + r**2 / 4)
    yield "sum of exponents", equal(exponent, (_LAMBDA * spread) ** 2 / 2)
    best = _S / spread
    yield "Chernoff", equal(best * _S * spread - (best * spread) ** 2 / 2, half * _S**2)
    squares = a**2 + b**2
    delta, quarter = b**2 / squares, (2 * a * b / squares) ** 2 / 4
    yield "r²/4", equal(quarter, delta * (1 - delta), under=[squares > 0])


_WIDTHS_AND_LEVELS = st.tuples(st.one_of(st.just(1), st.integers(1, 2000)), st.floats(0, 30))
SHAPES = (
    Scene((3, 4, 6, 8, 1), a=0.0, b=1.0, angle=1.0, layer=3),
    Scene((3, 6, 9, 6, 1), a=0.5, b=0.5, angle=1.0, layer=3, q=1.0),
    Scene((4, 8, 8, 2, 1), a=1.0, b=-2.0, angle=1.0, layer=3, q=0.5),
    Scene((4, 5, 1, 12, 1), a=1.0, b=0.3, angle=1.0, layer=3),
)


def _redrawn_norms(state: ForwardPass, draws: int, rng: np.random.Generator) -> Floats:
    """‖B_{2,4}‖ of the first input, A_3 redrawn."""
    mlp, layer = state.mlp, 3
    rows = mlp.scale(layer) * mlp.sample_layer(layer, rng, draws)
    slopes = mlp.phi_prime(rows @ state.activation(layer)[0]) / np.sqrt(mlp.widths[layer])
    product_ = rows @ backpropagation_matrix(state, 2, layer)[0]
    return np.asarray(np.linalg.norm(slopes[..., None] * product_, 2, axis=(-2, -1)))


@EXPLICIT.estimated(draws=3000, controls={"a_seventh_of_the_excess": {"share": 1 / 7}})
def norms_of_networks(
    rng: np.random.Generator, draws: int, share: float = 1.0
) -> Iterator[MeanTest]:
    """Frequencies of large norms in four networks, above the bound at s²/2 = 3."""
    for scene in SHAPES:
        state = scene.build(rng)
        B = backpropagation_matrix(state, 2, 3)[0]
        operator, frobenius = float(np.linalg.norm(B, 2)), float(np.linalg.norm(B))
        delta = float(delta_phi(scene.a, scene.b))
        radius = backpropagation_radius(3.0, operator, frobenius, scene.widths[3], delta)
        level = operator + share * (radius - operator)
        yield frequency_test(_redrawn_norms(state, draws, rng) > level, np.exp(-3.0))


@EXPLICIT.tested(
    over=_WIDTHS_AND_LEVELS,
    controls={"a_fifth_less": {"factor": 0.8}},
)
def one_column(case: tuple[int, float], factor: float = 1.0) -> Measured:
    """|·| or the identity, B = 1: √M‖B'‖ has the chi law; exact tails over the bound."""
    M, s = case
    level = np.sqrt(M) + 1 / np.sqrt(2) + factor * s + np.sqrt(2 / np.pi)
    exact = float(chdtrc(M, level**2))
    return Measured(0.0 if exact < 1e-290 else chance(np.log(exact), -s * s / 2))


GAUSSIAN = EXPLICIT.sharpened(
    "eoc.prop10.gaussian",
    title="For the absolute value the random layer is Gaussian",
    states=(
        r"\Delta_\phi(1 - \Delta_\phi) = 0 \implies \mathbb{P}\Bigl(\|B'\| \ge"
        r" \|B\|\Bigl(1 + \frac{s}{\sqrt M}\Bigr) + \frac{w(B)}{\sqrt M}\Bigr) \le e^{-s^2/2}"
    ),
    given={name: GIVEN[name] for name in ("k1", "k2", "s")},
    assuming=(SHORT, "φ(s) = bs or φ(s) = b|s|"),
    rests_on=[
        WIDTH,
        "classical.gaussian_lipschitz.tail",
        "classical.sudakov_fernique",
        "classical.gordon_increments",
    ],
    note=_NOTE,
)


@GAUSSIAN.proved(controls={"relu": {"slopes": (0, 2)}})
def signs_do_not_matter(slopes: tuple[int, int] = (-1, 1)) -> Obligations:
    """D_s is orthogonal, so ‖D_sGB‖ = ‖GB‖; by Chevet E‖GB‖ ≤ ‖B‖E‖g'‖ + w(B), E‖g'‖ ≤ √M."""
    rows = sp.Matrix(2, 2, sp.symbols("g:4"))
    for pattern in product(slopes, repeat=2):
        signed = sp.diag(*pattern) * rows
        gap = (signed.T * signed - rows.T * rows).expand()
        yield f"slopes {pattern}", bool(gap.is_zero_matrix)


@GAUSSIAN.tested(
    over=_WIDTHS_AND_LEVELS,
    controls={"a_tenth_less": {"factor": 0.9}},
)
def chi_law(case: tuple[int, float], factor: float = 1.0) -> Measured:
    """B = 1: exact tails over the bound."""
    M, s = case
    exact = float(chdtrc(M, (np.sqrt(M) + factor * s + np.sqrt(2 / np.pi)) ** 2))
    return Measured(0.0 if exact < 1e-290 else chance(np.log(exact), -s * s / 2))


BEST = claim(
    "eoc.prop10.best",
    at="Proposition 10",
    title="The constant κ of the Frobenius norm is the best",
    states=(
        r"M = 1,\ B = \mathcal{I}_d: \quad \mathbb{P}\bigl(\|B'\| \ge C\|B\| + c\|B\|_F\bigr)"
        r" \ge \tfrac12 - o(1), \quad d \to \infty, \quad c < \kappa_\phi,\ C \ge 0"
    ),
    given={"delta": GIVEN["delta"]},
    rests_on=["eoc.prop10.decomposition"],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@BEST.proved(controls={"equal": {"share": 0}})
def one_unit_of_many_inputs(share: int = 1) -> Obligations:
    """‖B'‖ = κ‖g‖ with probability 1/2 or more, ‖g‖² has mean d and variance 2d: Chebyshev.

    With c = κ - e the level (C + c√d)²/κ² is below d by e'd or so.
    """
    d, C, c, e = sp.symbols("d C c e", positive=True)
    level = (C + c * sp.sqrt(d)) ** 2 / (c + share * e) ** 2
    gap = sp.limit((d - level) / d, d, sp.oo)
    yield "distance from the mean", sp.factor(gap).is_positive
    chebyshev = sp.limit(2 * d / (d - level) ** 2, d, sp.oo)
    yield "probability of a larger deviation", equal(chebyshev, sp.Integer(0))


SUBSTITUTED = claim(
    "eoc.prop10.gaussian_width",
    at="Proposition 10, proof",
    title="Norms of backpropagation matrices in terms of the Gaussian width",
    states=(
        r"\mathbb{P}_{k_2-1}\bigl(\|B'\| \ge (1+t)\|B\| + O(\kappa_\phi^2m_{k_2-1}^{-1/2}w(B))"
        r"\bigr) \le 2e^{-\frac{t^2}{O(\kappa_\phi^2m_{k_2-1}^{-1/2})^2}}"
    ),
    given=GIVEN,
    assuming=(SHORT, "with 1 + √π/2 and √2 for the constants of both O"),
    rests_on=[EXPLICIT, WIDTH],
    note=_NOTE,
)
_MORE = sp.Symbol("e", nonnegative=True)  # κ² = 1 + e, Δ(1 - Δ) = e²/4


@SUBSTITUTED.proved(controls={"spread": {"square": sp.Rational(19, 10)}, "width": {"half": 0}})
def absorb_the_norm(square: Any = 2, half: Any = _HALF_ROOT_PI) -> Obligations:
    """‖B‖ ≤ √(π/2) w(B), κ ≤ κ², and 2(κ² + Δ(1 - Δ)) ≤ 2κ⁴."""
    kappa_squared = 1 + _MORE
    yield "shift", equal(sp.sqrt(sp.pi / 2) / sp.sqrt(2), half)
    yield "κ² ≤ κ⁴", nonnegative(kappa_squared**2 - kappa_squared)
    gap = square * kappa_squared**2 - 2 * (kappa_squared + _MORE**2 / 4)
    yield "spread", nonnegative(gap)


SCALED = claim(
    "eoc.prop10.scaled",
    at="Proposition 10, proof",
    title="The bound after scaling, with the width of the layer in the exponent",
    states=(
        r"\mathbb{P}_{k_2-1}\Bigl(\gamma_{k_2-1}^{1/2}\Bigl(\frac{\|B'\|"
        r" - O(\kappa_\phi^2m_{k_2-1}^{-1/2}\|B\|_F)}{\|B\|} - 1\Bigr)_+ \ge t\Bigr)"
        r" \le 2e^{-\frac{t^2}{O(\kappa_\phi^2m_{k_2-1}^{-1/2})^2}}"
    ),
    given=GIVEN,
    assuming=(SHORT,),
    note=_NOTE,
    provenance=Provenance.EXTRACTED,
)


@SCALED.refuted(controls={"unit": {"width": 0}})
def one_column_of_many_units(width: int = 1) -> Obligations:
    """|·|, B = 1, m = 1, γ = M: P(χ_M ≥ √M + c), c = t + C, exceeds the bound for large M.

    The first of the M squares exceeds 1 + 2c√M + c² =: x² with a probability of at least
    √(2/π) x/(1 + x²) e^(-x²/2), the others their mean with at least (EX²)²/(4EX⁴) ≥ 1/60.
    """
    M, c, t, C = sp.symbols("M c t C", positive=True)
    n = sp.Symbol("n", positive=True)
    second, fourth = 2 * n, 12 * n**2 + 48 * n  # moments of a centred chi-square variable
    generating = sp.log(1 - 2 * _S) * (-n / 2) - n * _S
    cumulants = [sp.diff(generating, _S, order).subs(_S, 0) for order in (2, 4)]
    yield "variance", equal(cumulants[0], second)
    yield "fourth moment", equal(cumulants[1] + 3 * cumulants[0] ** 2, fourth)
    more = 1 + sp.Symbol("v", nonnegative=True)
    share = (second**2 / (4 * fourth) - sp.Rational(1, 60)).subs(n, more)
    yield "others", nonnegative(sp.cancel(share))
    square = 1 + 2 * c * sp.sqrt(M) + c**2
    log_tail = sp.log(square) / 2 - sp.log(1 + square) - square / 2
    gap = log_tail + t**2 * M**width / C**2
    yield "exponent of the quotient", bool(sp.limit(gap / M, M, sp.oo) == t**2 / C**2)


CORRECTED = SCALED.corrected(
    "eoc.prop10.scaled.corrected",
    title="The bound after scaling, with the width unit in the exponent",
    states=(
        r"\mathbb{P}_{k_2-1}\Bigl(\gamma_{k_2-1}^{1/2}\Bigl(\frac{\|B'\|"
        r" - O(\kappa_\phi^2m_{k_2-1}^{-1/2}\|B\|_F)}{\|B\|} - 1\Bigr)_+ \ge t\Bigr)"
        r" \le 2e^{-\frac{t^2}{O(\kappa_\phi^2m^{-1/2})^2}}"
    ),
    given=GIVEN,
    assuming=(SHORT, "B does not vanish, and t > 0 (at t = 0 the bound is 2)"),
    rests_on=[SUBSTITUTED],
    note=_NOTE,
)


@CORRECTED.proved(controls={"width_of_the_layer": {"power": 2}})
def scale_by_gamma(power: int = 1) -> Obligations:
    """With t/√γ for t and m_{k2-1} = γm; w(B) ≤ |B|_F."""
    t, m, gamma, kappa, C = sp.symbols("t m gamma kappa C", positive=True)
    inner = (t / sp.sqrt(gamma)) ** 2 / (C * kappa**2 / sp.sqrt(gamma**power * m)) ** 2
    yield "exponent", equal(inner, t**2 / (C * kappa**2 / sp.sqrt(m)) ** 2)


PROP_10 = claim(
    "eoc.prop10",
    at="Proposition 10",
    title="Backpropagation matrices are bounded",
    states=(
        r"\mathbb{P}_{1:l-1}\Bigl(\gamma_{k_2-1}^{1/2}\Bigl(\frac{\|B'\|"
        r" - O(\kappa_\phi^2m_{k_2-1}^{-1/2}\|B\|_F)}{\|B\|} - 1\Bigr)_+ \ge t\Bigr)"
        r" \le 2e^{-\frac{t^2}{O(\kappa_\phi^2m^{-1/2})^2}}"
    ),
    given=GIVEN,
    assuming=(
        SHORT,
        "B does not vanish, and t > 0 (at t = 0 the event is certain, the bound 2)",
    ),
    rests_on=[SUBSTITUTED, "eoc.prop10.scaled.corrected"],
    note=_NOTE,
)


@PROP_10.proved(controls={"dependent": {"weight": 2}})
def integrate_the_other_layers(weight: int = 1) -> Obligations:
    """A bound of the conditional probability that is constant bounds the probability: Fubini."""
    bound, p = sp.symbols("bound p", positive=True)
    yield "mean of a constant", equal(bound * p + bound * (weight - p), bound)

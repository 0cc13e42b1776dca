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
from symbolic.gaussian import expectation
from symbolic.notation import a, b, phi_prime
from theorems.classical.polynomials import nonnegative
from theorems.engine import Measured, Provenance, claim, half_line, integers, interval
from theorems.engine.domain import Domain
from theorems.eoc_mlp.redrawn import chance, frequency_test
from theorems.eoc_mlp.samples import Scene

Obligations = Iterator[tuple[str, bool | None]]
Floats = NDArray[np.float64]

_PROOF = "Proposition 10, proof"
_NOTE = "proofs_notes/eoc_concentration.md#backpropagation-matrices"
_GIVEN: dict[str, Domain] = {
    "k1": integers(2),
    "k2": integers(3),
    "s": half_line(0),
    "delta": interval(0, 1),
}
_SHORT = "k1 < k2, B' = B_{k1,k2}, B = B_{k1,k2-1}, M = m_{k2-1}"
_HALF = sp.Rational(1, 2)
_MEAN_MODULUS, _HALF_ROOT_PI = sp.sqrt(2 / sp.pi), sp.sqrt(sp.pi) / 2
_B, _F, _M, _S, _LAMBDA = sp.symbols("B F M s lambda", positive=True)  # ‖B‖, |B|_F

ISOTROPIC = claim(
    "eoc.prop10.isotropic",
    at=_PROOF,
    title="The rows are isotropic",
    states=(
        r"\mathbb{E}(\phi'(z_j)v_j)^{\otimes2} = \mathbb{E}\phi'(u)^2\bigl(u^2\tau^{-2}"
        r"\hat x^{\otimes2} + \sigma^2(\mathcal{I} - \hat x^{\otimes2})\bigr) = \mathcal{I},"
        r" \quad u \sim \mathcal{N}(0, \sigma^2\tau^2),\ v_j = m^{q_{k_2-1}/2}A_{k_2-1,j}"
    ),
    assuming="x_{k2-1}(x) does not vanish",
    rests_on=["eoc.prop16.moments"],
)


@ISOTROPIC.proved(
    controls={"without_slopes": {"slope": lambda _: sp.Integer(1) / 2}, "whole": {"kept": 0}}
)
def along_and_across(slope: Any = phi_prime, kept: int = 1) -> Obligations:
    """σ²E φ'(g)²g² along x̂, σ²E φ'(g)² across, with u = στg."""
    g = sp.Symbol("g", real=True)
    squares = a**2 + b**2
    along = expectation(slope(g) ** 2 * (g**2 + (1 - kept)), g) / squares
    across = expectation(slope(g) ** 2, g) / squares
    yield "along", equal(along, sp.Integer(1))
    yield "across", equal(across, sp.Integer(1))


ROWS = claim(
    "eoc.prop10.subgaussian",
    at=_PROOF,
    title="Sub-gaussian norm of the rows, with its constant",
    states=(
        r"\|\langle\phi'(z_j)v_j, y\rangle\|_{\psi_2} \le \sqrt{\tfrac83}\,\kappa_\phi"
        r" = O(\kappa_\phi), \quad \|y\| = 1"
    ),
    rests_on=["eoc.sec2.psi.gaussian"],
)


@ROWS.proved(controls={"without_sigma": {"power": 0}})
def largest_slope(power: int = 1) -> Obligations:
    """|φ'| ≤ |a| + |b|, and ⟨v, y⟩ = σg."""
    first, second, sigma, g = sp.symbols("A B sigma g", positive=True)
    for sign in (-1, 1):
        gap = (first + second) ** 2 - (first + sign * second) ** 2
        yield f"slope {sign}", sp.expand(gap).is_nonnegative
    kappa = (first + second) * sigma
    yield "bound", equal((first + second) * sigma**power * g, kappa * g)


WIDTH = claim(
    "eoc.prop10.width",
    at=_PROOF,
    title="Gaussian width of the image of the sphere",
    states=(
        r"\sqrt{\tfrac2\pi}\,\|B\| \le w(B) = \mathbb{E}\|B^*g\| \le"
        r" \sqrt{\mathbb{E}\|B^*g\|^2} = \|B\|_F"
    ),
    note=_NOTE,
)


@WIDTH.proved(controls={"operator_norm": {"frobenius": False}, "one": {"least": 1}})
def second_moment(frobenius: bool = True, least: Any = _MEAN_MODULUS) -> Obligations:
    """‖B*g‖ = sup ⟨By, g⟩; E g_i g_j = δ_ij; for one y, E|⟨By, g⟩| = ‖By‖√(2/π)."""
    B = sp.Matrix(3, 2, sp.symbols("b:6", real=True))
    gram = B * B.T
    mean = gram.trace() if frobenius else gram[0, 0]
    yield "E‖B*g‖²", equal(mean, sum(entry**2 for entry in B))
    g = sp.Symbol("g", real=True)
    yield "E|g|", equal(expectation(abs(g), g), least)


DECOMPOSITION = claim(
    "eoc.prop10.decomposition",
    at="Proposition 10",
    title="The random layer given the signs of its preactivations",
    states=(
        r"\sqrt M B' = D_s(D_\varepsilon|h|\hat x^* + G_\perp)B, \quad"
        r" s_j^2 = 1 + r\varepsilon_j, \quad |s_j| \le \kappa_\phi"
    ),
    given=_GIVEN,
    assuming=(
        _SHORT,
        "signs ε, |h| and the rows of G_⊥ ⊥ x̂ are independent, h and G_⊥ Gaussian",
        "x_{k2-1}(x) does not vanish",
    ),
    rests_on=["eoc.prop11.rows", "eoc.kappa"],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@DECOMPOSITION.proved(controls={"half": {"mixed": 1}})
def slopes_by_sign(mixed: int = 2) -> Obligations:
    """s_j = σφ'(ε_j): s_j² = 1 + rε_j with |r| = κ² - 1; h = Gx̂ is independent of G(𝓘 - x̂x̂*)."""
    squares = a**2 + b**2
    for sign in (-1, 1):
        square = phi_prime(sign) ** 2 / squares
        yield f"sign {sign}", equal(square, 1 + sign * mixed * a * b / squares)
    first, second = sp.symbols("A B", positive=True)
    excess = (first + second) ** 2 / (first**2 + second**2) - 1
    yield "|r| = κ² - 1", equal(excess, mixed * first * second / (first**2 + second**2))
    x = sp.Matrix(sp.symbols("x:3", real=True))
    length = (x.T * x)[0]
    rest = sp.eye(3) - x * x.T / length
    yield "uncorrelated", bool((rest * x).applyfunc(sp.cancel).is_zero_matrix)


MEAN = claim(
    "eoc.prop10.mean",
    at="Proposition 10",
    title="Mean norm given the signs",
    states=(
        r"\mathbb{E}\bigl[\sqrt M\|B'\| \bigm| \varepsilon\bigr] \le \kappa_\phi\,w(B)"
        r" + \|B\|\sqrt M\Bigl(1 + \tfrac{r}{2}\bar\varepsilon"
        r" + \tfrac{\kappa_\phi^2}{\sqrt{2M}}\Bigr), \quad"
        r" \bar\varepsilon = \tfrac1M\sum_j\varepsilon_j"
    ),
    given=_GIVEN,
    assuming=(_SHORT,),
    rests_on=[
        DECOMPOSITION,
        "classical.sudakov_fernique",
        "classical.gordon_increments",
    ],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@MEAN.proved(controls={"variance": {"share": 1}, "larger_root": {"root": sp.Rational(3, 10)}})
def two_columns(share: int = 2, root: Any = _HALF) -> Obligations:
    """By Gordon's comparison E sup ≤ κ w(B) + ‖B‖ E‖D_s[g', h]‖ for a Gaussian g'.

    The 2 × 2 Gram matrix of D_s[g', h] has the largest eigenvalue (p + q)/2 + √(((p - q)/2)² + c²)
    with E(p + q)/2 = Σs² and E((p - q)/2)² + E c² = 2Σs⁴ ≤ 2Mκ⁴; and √(1 + x) ≤ 1 + x/2.
    """
    p, q, c = sp.symbols("p q c", real=True)
    top = (p + q) / 2 + sp.sqrt(((p - q) / 2) ** 2 + c**2)
    matrix = sp.Matrix([[p, c], [c, q]])
    yield "eigenvalue", equal((matrix - top * sp.eye(2)).det(), sp.Integer(0))
    g = sp.Symbol("g", real=True)
    second, fourth = (expectation(g**n, g) for n in (2, 4))
    spread = (2 * fourth - 2 * second**2) / 4 + second**2
    yield "E((g² - h²)/2)² + E(gh)² = 2", equal(spread, sp.Integer(share))
    x = sp.Symbol("x", positive=True)
    yield "(1 + x/2)² ≥ 1 + x", nonnegative((1 + root * x) ** 2 - (1 + x))
    kappa, M = sp.symbols("kappa M", positive=True)
    half = sp.sqrt(2 * M * kappa**4) / M / 2
    yield "half the root", equal(half, kappa**2 / sp.sqrt(2 * M))


EXPLICIT = claim(
    "eoc.prop10.explicit",
    at="Proposition 10",
    title="Norms of backpropagation matrices with constants",
    states=(
        r"\mathbb{P}\Bigl(\|B'\| \ge \|B\|\Bigl(1 + \frac{\kappa_\phi^2}{\sqrt{2M}}"
        r" + \frac{s\sqrt{\kappa_\phi^2 + \Delta_\phi(1-\Delta_\phi)}}{\sqrt M}\Bigr)"
        r" + \frac{\kappa_\phi\,w(B)}{\sqrt M}\Bigr) \le e^{-s^2/2}, \quad w(B) \le \|B\|_F"
    ),
    given=_GIVEN,
    assuming=(_SHORT,),
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
    delta = b**2 / (a**2 + b**2)
    yield "r²/4", equal((2 * a * b / (a**2 + b**2)) ** 2 / 4, delta * (1 - delta))


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
    given={name: _GIVEN[name] for name in ("k1", "k2", "s")},
    assuming=(_SHORT, "φ(s) = bs or φ(s) = b|s|"),
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


SUBSTITUTED = claim(
    "eoc.prop10.gaussian_width",
    at=_PROOF,
    title="Norms of backpropagation matrices in terms of the Gaussian width",
    states=(
        r"\mathbb{P}_{k_2-1}\bigl(\|B'\| \ge (1+t)\|B\| + O(\kappa_\phi^2m_{k_2-1}^{-1/2}w(B))"
        r"\bigr) \le 2e^{-\frac{t^2}{O(\kappa_\phi^2m_{k_2-1}^{-1/2})^2}}"
    ),
    given=_GIVEN,
    assuming=(_SHORT, "with 1 + √π/2 and √2 for the constants of both O"),
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


PROP_10 = claim(
    "eoc.prop10",
    at="Proposition 10",
    title="Backpropagation matrices are bounded",
    states=(
        r"\mathbb{P}_{1:l-1}\Bigl(\gamma_{k_2-1}^{1/2}\Bigl(\frac{\|B'\|"
        r" - O(\kappa_\phi^2m_{k_2-1}^{-1/2}\|B\|_F)}{\|B\|} - 1\Bigr)_+ \ge t\Bigr)"
        r" \le 2e^{-\frac{t^2}{O(\kappa_\phi^2m^{-1/2})^2}}"
    ),
    given=_GIVEN,
    assuming=(
        _SHORT,
        "B does not vanish, and t > 0 (at t = 0 the event is certain, the bound 2)",
        "the displays of the proof have m_{k2-1} for m in the exponent: a slip",
    ),
    rests_on=[SUBSTITUTED],
    note=_NOTE,
)


@PROP_10.proved(controls={"width_of_the_layer": {"power": 2}})
def scale_by_gamma(power: int = 1) -> Obligations:
    """With t/√γ for t and m_{k2-1} = γm; w(B) ≤ |B|_F."""
    t, m, gamma, kappa, C = sp.symbols("t m gamma kappa C", positive=True)
    inner = (t / sp.sqrt(gamma)) ** 2 / (C * kappa**2 / sp.sqrt(gamma**power * m)) ** 2
    yield "exponent", equal(inner, t**2 / (C * kappa**2 / sp.sqrt(m)) ** 2)

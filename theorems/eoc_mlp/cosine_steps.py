"""Section 3.3, proof of Proposition 25: one layer, from the proxies to the cosines.

With f_i = |x_k(x_i)|/|x_{k-1}(x_i)| and D half the distance of the x_k(x_i)/|x_{k-1}(x_i)|, the
law of cosines says z_k = (D² - (f₁ - f₂)²/4)/(f₁f₂).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import sympy as sp
from hypothesis import strategies as st

from numeric.certify import Box, Certificate, certify_positive_to_end
from numeric.networks.forward_pass import forward_pass
from numeric.networks.mlp import MLP
from numeric.statistics import MeanTest, mean_test
from symbolic.cosine_maps import zeta
from symbolic.equality import equal
from symbolic.networks.mlp import ExactMLP
from theorems.engine import (
    Discrepancy,
    Measured,
    Obligations,
    Provenance,
    claim,
    half_line,
    integers,
    interval,
)
from theorems.engine.domain import Domain
from theorems.eoc_mlp.angles import exact
from theorems.eoc_mlp.samples import inputs_at

_GIVEN: dict[str, Domain] = {"k": integers(2), "epsilon": interval(0, 1), "delta": interval(0, 1)}
_ALIVE = "no activation vanishes"
_NOTE = "proofs_notes/eoc_limits.md#from-proxies-to-cosines"
_D, _F1, _F2 = sp.symbols("D f1 f2", positive=True)

PROXY = claim(
    "eoc.prop25.proxy",
    at="Proposition 25, proof",
    title="The squared cosine distance of layer k, with the norms of layer k - 1",
    states=(
        r"z_k = \frac{1-\rho_k}{2} = \Bigl\|\tfrac12\tfrac{x_k(x_{i_1})}{\|x_{k-1}(x_{i_1})\|}"
        r" - \tfrac12\tfrac{x_k(x_{i_2})}{\|x_{k-1}(x_{i_2})\|}\Bigr\|^2"
    ),
    given=_GIVEN,
    assuming=(_ALIVE,),
    note=_NOTE,
    provenance=Provenance.EXTRACTED,
)


def _half_distance(norms: tuple[Any, Any], scales: tuple[Any, Any]) -> tuple[Any, Any]:
    """z_k, and the squared half distance with other norms, for activations (3, 0) and (0, 5)."""
    first, second = norms[0] * sp.Matrix([1, 0]), norms[1] * sp.Matrix([0, 1])
    difference = first / scales[0] - second / scales[1]
    cosine = first.dot(second) / (norms[0] * norms[1])
    return (1 - cosine) / 2, difference.dot(difference) / 4


@PROXY.refuted(controls={"own_norms": {"before": (3, 5)}})
def other_norms(before: tuple[int, int] = (4, 4)) -> Obligations:
    """Orthogonal activations of norms 3 and 5 behind activations of norm 4."""
    distance, printed = _half_distance(
        (sp.Integer(3), sp.Integer(5)), tuple(map(sp.Integer, before))
    )
    yield "the two sides differ", bool(distance != printed)


COSINE = PROXY.corrected(
    "eoc.prop25.proxy.corrected",
    title="The law of cosines for the proxies",
    states=(
        r"z_k = \frac{4D^2 - f_1^2 - f_2^2}{4f_1f_2} + \frac12"
        r" = \frac{D^2 - (f_1 - f_2)^2/4}{f_1f_2}, \quad f_i = \tfrac{\|x_k(x_i)\|}"
        r"{\|x_{k-1}(x_i)\|},\ D = \tfrac12\Bigl\|\tfrac{x_k(x_1)}{\|x_{k-1}(x_1)\|}"
        r" - \tfrac{x_k(x_2)}{\|x_{k-1}(x_2)\|}\Bigr\|"
    ),
    given=_GIVEN,
    assuming=(_ALIVE,),
    note=_NOTE,
)


@COSINE.proved(controls={"without_quarter": {"four": 1}, "sum": {"sign": -1}})
def law_of_cosines(four: int = 4, sign: int = 1) -> Obligations:
    """4D² = f₁² + f₂² - 2f₁f₂ρ and z = (1 - ρ)/2."""
    rho = sp.Symbol("rho", real=True)
    square = (_F1**2 + _F2**2 - 2 * _F1 * _F2 * rho) / four
    printed = (4 * square - _F1**2 - _F2**2) / (4 * _F1 * _F2) + sp.Rational(1, 2)
    yield "the printed root", equal(printed, (1 - rho) / 2)
    short = (square - (_F1 - sign * _F2) ** 2 / 4) / (_F1 * _F2)
    yield "the short form", equal(short, (1 - rho) / 2)


def _passes() -> Any:
    return st.tuples(st.integers(0, 2**32 - 1), st.floats(0.01, 3.1), st.integers(1, 6))


@COSINE.tested(over=_passes, controls={"layer_below": {"shift": 1}}, cases=60)
def in_networks(case: tuple[int, float, int], shift: int = 0) -> Discrepancy:
    """The short form in sampled networks with φ(s) = s/2 + |s|."""
    seed, angle, width = case
    rng = np.random.default_rng(seed)
    mlp = MLP((3, 4, width, 1), 0.5, 1.0)
    state = forward_pass(mlp, mlp.sample(rng), inputs_at(angle, 3, rng))
    below = state.norms(2 - shift)
    if min(below.min(), state.norms(3).min()) < 1e-3:
        return Discrepancy(0.0, 1e-12)
    ratios = state.norms(3) / state.norms(2)
    distance = np.linalg.norm(np.subtract(*(state.activation(3) / below[:, None]))) / 2
    found = (distance**2 - np.subtract(*ratios) ** 2 / 4) / np.prod(ratios)
    # D² and the ratios have a few roundings, magnified by their sizes over the product.
    size = (distance**2 + float(np.max(ratios)) ** 2) / float(np.prod(ratios))
    return Discrepancy(float(found - (1 - state.cosines(3)[0, 1]) / 2), 1e-13 * (1 + float(size)))


SANDWICH = claim(
    "eoc.prop25.sandwich",
    at="Proposition 25, proof, after (9)",
    title="From (8) and (9) to the cosine distance",
    states=(
        r"(8), (9) \implies \frac{1 - \frac{z_{k-1}}{\zeta(z_{k-1})}(k-1)^{-1}\epsilon}"
        r"{1 + (k-1)^{-1}\epsilon}\,\zeta(z_{k-1})^{1/2} \le z_k^{1/2}"
    ),
    given=_GIVEN,
    assuming=(_ALIVE,),
    note=_NOTE,
)


@SANDWICH.refuted(controls={"right_angle": {"angle": sp.pi / 2}})
def parallel_activations(angle: Any = sp.pi / 3) -> Obligations:
    """k = 2, one unit (m = 1), φ = |·|: A₁x₁ = 1 + ε, A₁x₂ = 1 - ε with ε² = ζ(z₁), so z₂ = 0.

    Then (8) holds, and (9) with equality of D and √ζ, while the left side is positive.
    """
    start = (1 - sp.cos(angle)) / 2
    image = sp.simplify(zeta(start, sp.Integer(1)))
    epsilon = sp.sqrt(image)
    inputs = sp.Matrix([[1, 0], [sp.cos(angle), sp.sin(angle)]])
    wanted = sp.Matrix([1 + epsilon, 1 - epsilon])
    network = ExactMLP([(inputs.inv() * wanted).T, [[1]]], a=0, b=1)
    activations = [sp.simplify(network.activation(inputs.row(i).T, 2)[0]) for i in (0, 1)]
    deviations = [sp.simplify(value - 1) for value in activations]
    yield "(8)", all(equal(d**2, epsilon**2) for d in deviations) and bool(epsilon < 1)
    yield "(9)", equal((activations[0] - activations[1]) ** 2 / 4, image)
    yield "z₂ = 0: x_2 has one coordinate, and both are positive", bool(activations[1] > 0)
    yield "the left side is positive", bool(1 - start / image * epsilon > 0)


CORRECTED = SANDWICH.corrected(
    "eoc.prop25.sandwich.corrected",
    title="From (8) and (9) to the cosine distance, with the difference of the norms",
    states=(
        r"(8) \implies \frac{\sqrt{1-y^2}}{1+\epsilon'}\,D \le z_k^{1/2} \le \frac{D}"
        r"{1-\epsilon'}, \quad y = \frac{|f_1-f_2|}{2D}, \quad \epsilon' = \frac{\epsilon}{k-1};"
        r"\quad \text{without the root iff } \epsilon'(1+\epsilon') \le 2D^2"
    ),
    given=_GIVEN,
    assuming=(_ALIVE,),
    rests_on=[COSINE],
    note=_NOTE,
)


@CORRECTED.proved(controls={"difference": {"half": 1}}, part="with the root")
def take_the_norms_out(half: int = 2) -> Obligations:
    """z_k = D²(1 - y²)/(f₁f₂) with 1 - ε' ≤ f_i ≤ 1 + ε'."""
    y = (_F1 - _F2) / (half * _D)
    short = (_D**2 - (_F1 - _F2) ** 2 / 4) / (_F1 * _F2)
    yield "z_k = D²(1 - y²)/(f₁f₂)", equal(short, _D**2 * (1 - y**2) / (_F1 * _F2))


@CORRECTED.proved(controls={"twice": {"threshold": 4}}, part="without the root")
def threshold_of_the_printed_form(threshold: int = 2) -> Obligations:
    """With f = (1 + ε')(1 - p), (1 + ε')(1 - r): 4D²(p + r - pr) ≥ (1 + ε')²(p - r)².

    Let 0 ≤ r ≤ p ≤ P = 2ε'/(1 + ε').  Then (p - r)² ≤ P(p - r) ≤ P(p + r - pr), and at r = 0,
    p = P both are equal, so that the inequality holds throughout iff 4D² ≥ (1 + ε')²P.
    """
    e, p, r = sp.symbols("e p r", positive=True)
    scale = 1 + e
    f1, f2 = scale * (1 - p), scale * (1 - r)
    gap = (4 * _D**2 - (f1 - f2) ** 2) * scale**2 - 4 * _D**2 * f1 * f2
    claimed = scale**2 * (4 * _D**2 * (p + r - p * r) - scale**2 * (p - r) ** 2)
    yield "the inequality in p and r", equal(gap, claimed)
    yield "p + r - pr ≥ p - r: the rest is r(2 - p)", equal(p + r - p * r - (p - r), r * (2 - p))
    largest = 2 * e / scale
    yield "the threshold", equal(scale**2 * largest, threshold * e * scale)


DIFFERENCE = claim(
    "eoc.prop25.norm_difference",
    at="Proposition 25, proof, after (9)",
    title="Ratios of norms of nearby inputs differ little",
    states=(
        r"\mathbb{P}_{k-1}\bigl(|f_1^2 - f_2^2| \ge 4\kappa_\phi^2\sqrt{z_{k-1}}\,\tau\bigr)"
        r" \le 2e^{-\frac{m_{k-1}\tau^2}{6 + \frac{10}{3}\tau}}"
    ),
    given={"tau": half_line(0), "delta": interval(0, 1)},
    assuming=(_ALIVE,),
    rests_on=["classical.dominated_squares", "classical.dominated_squares.rate", "eoc.init"],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@DIFFERENCE.proved(controls={"twice": {"factor": 2}, "root": {"power": 1}})
def product_of_difference_and_sum(factor: int = 1, power: int = 2) -> Obligations:
    """φ₁² - φ₂² = 4YV, |Y| ≤ κ√z |g|, |V| ≤ κ(|u₁| + |u₂|)/2, and E|YV|^q ≤ (κ²√z)^q (2q - 1)!!.

    g = (u₁ - u₂)/(2√z) is standard normal; Cauchy and Schwarz, then x^(2q) is convex.
    """
    p1, p2, rho = sp.symbols("p1 p2 rho", positive=True)
    product = (p1 - p2) / 2 * (p1 + p2) / 2
    yield "φ₁² - φ₂² = 4YV", equal(p1**2 - p2**2, 4 * factor * product)
    yield "Var(u₁ - u₂) = 4z", equal(1 + 1 - 2 * rho, 4 * (1 - rho) / 2)
    moment = sp.Symbol("c", positive=True)  # (2q - 1)!!
    yield "E|YV|^q", equal(sp.sqrt(moment) * sp.sqrt(moment), moment ** sp.Rational(power, 2))


@DIFFERENCE.estimated(draws=1500, controls={"a_tenth": {"share": 0.1}})
def sampled_differences(
    rng: np.random.Generator, draws: int, share: float = 1.0
) -> Iterator[MeanTest]:
    """How often |f₁² - f₂²| exceeds the bound at which the right side is 2e⁻², for width 40."""
    width, level = 40, 2.0
    h = np.sqrt(level / width)
    tau = share * h * (5 / 3 * h + np.sqrt(25 / 9 * h * h + 6))
    for angle in (0.01, 1.0, 3.0):
        first, second = rng.standard_normal((2, draws, width))
        u = np.stack([first, np.cos(angle) * first + np.sin(angle) * second])
        squares = np.mean(np.maximum(u, 0.0) ** 2 * 2, axis=-1)  # the ReLU: σ²φ² = 2 max(u, 0)²
        outside = abs(np.subtract(*squares)) >= 4 * 2 * np.sin(angle / 2) * tau
        outside = np.append(outside, True)  # keeps the variance positive
        yield mean_test(outside.astype(float), 2 * np.exp(-level), alternative="greater")


ALGEBRA = claim(
    "eoc.prop25.algebra",
    at="Proposition 25, proof",
    title="Subtracting ω from the sandwich",
    states=(
        r"\frac{1-\epsilon'}{1+Q\epsilon'}\,\omega \le w_k \le \frac{1+\epsilon'}{1-Q\epsilon'}\,"
        r"\omega \implies |w_k - \omega| \le \frac{(1+Q)\,\epsilon'}{1-Q\epsilon'}\,\omega,"
        r"\quad Q = \frac{\omega^2}{w_{k-1}^2} = \frac{z_{k-1}}{\zeta(z_{k-1})}"
    ),
    given={"epsilon": interval(0, 1), "Q": half_line(1)},
    assuming="Q ε' < 1",
)


@ALGEBRA.proved(controls={"minus": {"sign": -1}, "smaller": {"one": 0}})
def subtract(sign: int = 1, one: int = 1) -> Obligations:
    """The upper side gives the bound exactly, the lower side the same with 1 + Qε' below."""
    e, Q = sp.symbols("e Q", positive=True)
    bound = (one + sign * Q) * e / (1 - Q * e)
    small = [Q * e < 1]
    yield "upper", equal((1 + e) / (1 - Q * e) - 1, bound, under=small)
    lower = bound * (1 - Q * e) / (1 + Q * e)
    yield "lower", equal(1 - (1 - e) / (1 + Q * e), lower, under=small)


STEP = claim(
    "eoc.prop25.step",
    at="Proposition 25, proof",
    title="The relative error of one layer, with explicit constants",
    states=(
        r"\Bigl|\log\frac{w_k}{\omega(w_{k-1})}\Bigr| \le \frac32 x, \quad x = \sqrt3\,"
        r"\kappa_\phi^2 Q\,\frac{\sqrt{L/m}}{k-1} \le \frac18, \quad Q \ge"
        r" \max\Bigl\{\frac{11}{4}, \frac{z_{k-1}}{\zeta(z_{k-1})}\Bigr\}"
    ),
    given={"k": integers(2), "delta": interval(0, 1)},
    assuming=(
        _ALIVE,
        "the three events of layer k hold, each of probability at least 1 - 2 exp(-L): norms"
        " (Proposition 14), proxies (Proposition 12), and the difference of the norms",
    ),
    rests_on=[CORRECTED, DIFFERENCE],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@STEP.certified(
    controls={
        "above": {"upper": "7/5"},
        "below": {"lower": "6/5"},
    }
)
def logarithms(upper: str = "3/2", lower: str = "3/2") -> list[Certificate]:
    """With e = κ√2 h, h = x/(√3 κ² Q), p = Q^(-1/2): log(1 + e) - log(1 - x) - ½ log(1 - y²).

    Here y = κ²τ√Q/((1 - e)(1 - x)) and τ = h(5h/3 + √(25h²/9 + 6)); κ in [1, √2]
    and p ≤ (11/4)^(-1/2) < 0.6031.
    """

    def pieces(x: Any, p: Any, kappa: Any) -> tuple[Any, Any]:
        root = exact(3).sqrt()
        h = x * (p * p / (root * kappa * kappa))
        e = h * kappa * exact(2).sqrt()
        third = h * exact(5) / 3
        y = x * (p / root) * (third + (third * third + 6).sqrt()) / ((1 - e) * (1 - x))
        return e, y

    def above(x: Any, p: Any, kappa: Any) -> Any:
        e, y = pieces(x, p, kappa)
        return x * _rational(upper) + (1 - x).log() + (1 - y * y).log() / 2 - (1 + e).log()

    def below(x: Any, p: Any, kappa: Any) -> Any:
        e, _ = pieces(x, p, kappa)
        return x * _rational(lower) + (1 - e).log() - (1 + x).log()

    others = Box(p=(0, "6031/10000"), kappa=(1, exact(2).sqrt()))
    return [
        certify_positive_to_end(side, "x", 0, "1/8", order=1, others=others)
        for side in (above, below)
    ]


def _rational(text: str) -> Any:
    numerator, denominator = map(int, text.split("/"))
    return exact(numerator) / denominator


@STEP.tested(
    over=st.tuples(*[st.floats(0, 1)] * 4, st.booleans()),
    controls={"root": {"with_difference": False, "largest": 60.0}},
)
def worst_layers(
    case: tuple[float, ...], with_difference: bool = True, largest: float = 0.125
) -> Measured:
    """|log w_k/ω| over (3/2)x for proxies and norms at the ends of their intervals."""
    size, kappa_share, q_share, spread, high = case
    kappa, q = 1 + kappa_share * (2**0.5 - 1), 2.75 / max(q_share, 0.05)
    x = 0.125 * max(size, 1e-3)
    h = x / (3**0.5 * kappa**2 * q)
    e, tau = kappa * 2**0.5 * h, h * (5 / 3 * h + (25 / 9 * h * h + 6) ** 0.5)
    proxy = 1 - x if high else 1 + x  # in units of √ζ
    half_gap = spread * min(e, kappa**2 * q**0.5 * tau) if with_difference else largest * e
    f1, f2 = (1 + e, 1 + e - 2 * half_gap) if high else (1 - e, 1 - e + 2 * half_gap)
    z = (proxy**2 - (f1 - f2) ** 2 / 4) / (f1 * f2)
    if z <= 0:
        return Measured(2.0)
    return Measured(abs(np.log(z)) / 2 / (1.5 * x), 1e-12)

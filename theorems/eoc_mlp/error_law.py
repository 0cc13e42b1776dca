"""Remark 13 and Figure 1: how errors of the inverse cosine distance travel through the layers.

Everything is to first order in 1/m. With w̄_k = ω^(k-1)(w_1) the limit, √m (w_k - w̄_k) tends to
N(0, V_k) in law, and m times its mean to β_k.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import isqrt, sqrt
from typing import Any

import numpy as np
import sympy as sp
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import special

from numeric.cosine_maps import omega
from numeric.error_growth import error_moments
from numeric.networks.forward_law import sample_forward
from numeric.statistics import MeanTest, TwoSampleTest, mean_test, two_sample_test
from symbolic.equality import equal
from theorems.engine import Domain, Measured, Obligations, Provenance, claim, half_line, integers
from theorems.engine.claim import Profile
from theorems.eoc_mlp.layer_errors import BIAS, CONTRACTION, CONVEX, NOISE
from theorems.eoc_mlp.layer_moments import LAYER

Floats = NDArray[np.float64]
Rng = np.random.Generator

_NOTE = "proofs_notes/eoc_figures.md"
GIVEN: dict[str, Domain] = {"w": half_line(sp.sqrt(2)), "k": integers(2)}
ABSOLUTE = "φ(s) = |s|"
FIRST_ORDER = "to first order in 1/m: V_k and β_k are those of the law of the errors"
INCREMENT = sp.Rational(4, 3) / sp.pi  # what a layer adds to w at least, for Δ = 1
PATTERNS: dict[str, Callable[[int], int]] = {
    "squares": lambda k: k * k,
    "linear": lambda k: k,
    "constant": lambda _: 1,
}


def errors_at(w: float, gammas: Sequence[int], m: int, rng: Rng, draws: int) -> Floats:
    """w_k - ω^(k-1)(w) for k = 1, …, l in draws of networks with φ(s) = |s|, ``(draws, l)``."""
    half = 1 / w
    inputs = [[1.0, 0.0], [1 - 2 * half**2, 2 * half * sqrt(1 - half**2)]]
    law = sample_forward(inputs, [m * gamma for gamma in gammas], 0, 1, rng, draws)
    limits = [w]
    for _ in gammas:
        limits.append(float(omega(limits[-1], 1)))
    return np.asarray(law.inverse_cosine_distances[..., 0, 1] - np.array(limits))


LAW = claim(
    "eoc.fig1.law",
    at="Figure 1",
    title="Law of the errors of inverse cosine distances to first order in 1/m",
    states=(
        r"\sqrt m\,(w_k - \bar w_k) \Rightarrow \mathcal{N}(0, V_k), \quad \bar w_k ="
        r" \omega^{k-1}(w_1), \quad V_{k+1} = \omega'(\bar w_k)^2\,V_k"
        r" + \frac{R(\bar w_k)\,\bar w_{k+1}^2}{\gamma_k}, \quad \beta_{k+1} ="
        r" \omega'(\bar w_k)\,\beta_k + \tfrac{1}{2}\omega''(\bar w_k)\,V_k"
        r" + \frac{B(\bar w_k)\,\bar w_{k+1}}{\gamma_k}"
    ),
    given=GIVEN,
    assuming=(
        "V₁ = β₁ = 0",
        "β_k/m is the mean of the error to first order, on an event of probability 1 - O(exp(-cm))",
    ),
    rests_on=[LAYER, "eoc.omega.prime"],
    provenance=Provenance.DERIVED,
    note=f"{_NOTE}#from-layer-to-layer",
)
LAW.cited(
    "van der Vaart, Asymptotic Statistics, Theorem 3.1",
    why="the delta method, applied layer by layer: convergence in law is not for a machine",
    part="the limits",
)


@LAW.proved(controls={"twice": {"noise": 2}, "straight": {"curvature": 0}}, part="recursion")
def one_more_layer(noise: int = 1, curvature: int = 1) -> Obligations:
    """Mean and variance of ω(w̄ + e)(1 + η) for e of variance V/m, mean β/m, to order x = 1/m.

    e and η are uncorrelated to this order, and higher moments are of higher order.
    """
    x, v, beta, r, b, gamma = sp.symbols("x V beta R B gamma", positive=True)
    zero, one, two = sp.symbols("omega omega1 omega2", positive=True)
    e, eta = sp.symbols("e eta")
    change = (zero + one * e + curvature * two * e**2 / 2) * (1 + eta) - zero
    moments = {(1, 0): beta, (0, 1): b / gamma, (2, 0): v, (0, 2): r / gamma}

    def mean(expression: sp.Expr) -> sp.Expr:
        terms = sp.Poly(sp.expand(expression), e, eta).terms()
        return sum(c * moments.get(powers, 0) * x for powers, c in terms)

    yield "no constant term", equal(change.subs({e: 0, eta: 0}), sp.S.Zero)
    expected = one * beta + two * v / 2 + b * zero / gamma
    yield "β", equal(sp.expand(mean(change)), sp.expand(expected * x))
    variance = one**2 * v + noise * r * zero**2 / gamma
    yield "V", equal(sp.expand(mean(change**2)), sp.expand(variance * x))


@LAW.estimated(
    draws=400,
    controls={"next_width": {"shift": 1}, "equal_widths": {"power": 0}},
    part="the limits",
)
def normalised_squares(rng: Rng, draws: int, shift: int = 0, power: int = 1) -> Iterator[MeanTest]:
    """Means of m e²/V_k, which are 1 + O(1/m); m grows with the number of draws like its root.

    So the term of order 1/m stays below the error of the mean, at every profile.
    """
    for name, unit, depth in (("squares", 128, 6), ("linear", 256, 8), ("constant", 1024, 8)):
        pattern, m = PATTERNS[name], unit * isqrt(draws // 400)
        errors = errors_at(sqrt(2), [pattern(k) for k in range(1, depth)], m, rng, draws)
        gammas = [float(pattern(k + shift) ** power) for k in range(1, depth)]
        variance = error_moments(sqrt(2), gammas, 1).variances[-1]
        yield mean_test(m * errors[:, -1] ** 2 / variance, 1.0)


@LAW.estimated(
    draws=2000,
    controls={"no_bias": {"factor": 0.0}, "half": {"factor": 0.5}},
    part="the limits",
    profile=Profile.FULL,
)
def means_of_errors(rng: Rng, draws: int, factor: float = 1.0) -> Iterator[MeanTest]:
    """Means of m e, which are β_k + O(1/m), with m as above."""
    for name, unit, depth in (("squares", 64, 5), ("linear", 128, 6), ("constant", 256, 8)):
        m = unit * max(1, isqrt(draws // 20_000))
        gammas = [PATTERNS[name](k) for k in range(1, depth)]
        errors = errors_at(sqrt(2), gammas, m, rng, draws)[:, -1]
        bias = error_moments(sqrt(2), [float(gamma) for gamma in gammas], 1).biases[-1]
        yield mean_test(m * errors, factor * bias)


BOUNDS = claim(
    "eoc.fig1.bounds",
    at="Figure 1",
    title="The errors are as large as the noises of the layers together",
    states=(
        r"\tfrac{1}{10}\sum_{j<k}\frac{\bar w_{j+1}^2}{\gamma_j} \le V_k \le \sum_{j<k}"
        r"\frac{\bar w_{j+1}^2}{\gamma_j}, \quad \tfrac{1}{2}\sum_{j<k}\frac{\bar w_{j+1}}"
        r"{\gamma_j} \le \beta_k \le \tfrac{11}{10}\sum_{j<k}\frac{\bar w_{j+1}}{\gamma_j}"
        r" + \tfrac{5}{4}\sum_{j<k}\frac{V_j}{\bar w_j^3}, \quad"
        r" \tfrac{4}{3\pi}\,j \le \bar w_{j+1} - w_1 \le j"
    ),
    given=GIVEN,
    assuming=(ABSOLUTE, "V_k and β_k follow the recursions of eoc.fig1.law"),
    rests_on=[
        *(NOISE, BIAS, CONTRACTION, CONVEX),
        *("eoc.omega.acute", "eoc.omega.increment", "eoc.omega.remainder"),
    ],
    provenance=Provenance.DERIVED,
    note=f"{_NOTE}#from-layer-to-layer",
)


@BOUNDS.proved(
    controls={
        "variance": {"least": sp.Rational(1, 8)},
        "bias": {"drift": sp.Rational(3, 5)},
        "step": {"largest": sp.Rational(9, 10)},
    }
)
def constants(
    least: Any = sp.Rational(1, 10), drift: Any = sp.Rational(1, 2), largest: Any = sp.S.One
) -> Obligations:
    """From the second layer on w̄ ≥ ω(√2) ≥ 7/3, so that products of slopes are at least 4/7.

    V_k is the sum of the noises R w̄²/γ, 1/3 ≤ R ≤ 1, times squares of products of slopes in
    [4/7, 1]; β_k is the sum of B w̄/γ and ω''V/2 ≥ 0 times such products.
    """
    after_orthogonal = 1 / sp.sqrt(sp.Rational(1, 2) - 1 / sp.pi)  # ω(√2) for Δ = 1
    start = sp.Rational(7, 3)
    survives = 1 - 1 / start
    yield "ω(√2) ≥ 7/3", bool(after_orthogonal >= start)
    yield "V from below", bool(survives**2 / 3 >= least)
    yield "β from below", bool(survives * sp.Rational(9, 10) >= drift)
    step = INCREMENT + sp.Rational(3, 4) / sp.sqrt(2)
    yield "ω(w) ≤ w + 1 for w ≥ √2", bool(step <= largest)


@BOUNDS.tested(
    over=st.tuples(
        st.floats(sqrt(2), 50), st.lists(st.floats(0.01, 1000), min_size=1, max_size=12)
    ),
    controls={"tenth": {"least": 0.37}, "one": {"most": 0.9}},
    cases=60,
)
def sums_of_noises(
    case: tuple[float, list[float]], least: float = 0.1, most: float = 1.0
) -> Measured:
    """The larger of V_k/(most Σ) and least Σ/V_k."""
    w, gammas = case
    moments = error_moments(w, gammas, 1)
    noises = float(np.sum(moments.limits[1:] ** 2 / np.array(gammas)))
    variance = float(moments.variances[-1])
    # Sums of at most twelve positive terms, each of some ten rounded factors.
    return Measured(max(variance / (most * noises), least * noises / variance), 200 * 2.0**-53)


INFINITESIMAL = claim(
    "eoc.fig1.infinitesimal",
    at="Figure 1",
    title="Exact law of one layer for nearly parallel inputs: the logarithm of w drifts",
    states=(
        r"\frac{w_{k+1}}{w_k} \Rightarrow \Bigl(\frac{\chi^2_{M}}{\chi^2_{M-1}}\Bigr)^{1/2}"
        r" \text{ as } w_k \to \infty, \quad \mathbb{E}\log\Bigl(\frac{\chi^2_{M}}"
        r"{\chi^2_{M-1}}\Bigr)^{1/2} = \tfrac{1}{2}\Bigl(\psi\bigl(\tfrac{M}{2}\bigr)"
        r" - \psi\bigl(\tfrac{M-1}{2}\bigr)\Bigr) > 0"
    ),
    given={"M": integers(2)},
    assuming=(ABSOLUTE, "M = m_k, the two chi-squares are independent"),
    provenance=Provenance.DERIVED,
    note=f"{_NOTE}#fixed-width",
)


@INFINITESIMAL.estimated(
    draws=20_000,
    controls={"same_freedom": {"lost": 0}, "two_lost": {"lost": 2}},
)
def far_ratios(rng: Rng, draws: int, lost: int = 1) -> Iterator[MeanTest | TwoSampleTest]:
    """Widths 3 and 8 at w = 10⁹, where two inputs differ in a sign with probability 10⁻⁹."""
    for width in (3, 8):
        law = sample_forward([[1.0, 0.0], [1.0, 2e-9]], (width,), 0, 1, rng, draws)
        distances = law.inverse_cosine_distances[..., 0, 1]
        ratios = distances[:, 1] / distances[:, 0]
        model = np.sqrt(rng.chisquare(width, draws) / rng.chisquare(width - lost, draws))
        yield two_sample_test(ratios, model)
        drift = (special.digamma(width / 2) - special.digamma((width - lost) / 2)) / 2
        yield mean_test(np.log(ratios), float(drift))


@INFINITESIMAL.proved(controls={"without_log_2": {"scale": 1}}, part="drift")
def digamma_increases(scale: int = 2) -> Obligations:
    """E log χ²_M = ψ(M/2) + log 2, by differentiating the moments; and ψ' > 0."""
    q, m, x, n = sp.symbols("q M x n", positive=True)
    moment = sp.Integer(scale) ** q * sp.gamma(m / 2 + q) / sp.gamma(m / 2)  # E (χ²_M)^q
    logarithm = sp.diff(moment, q).subs(q, 0)
    yield "E log χ²", equal(sp.simplify(logarithm - sp.log(2) - sp.digamma(m / 2)), sp.S.Zero)
    yield "ψ'(x) = Σ (x + n)⁻² > 0", ((x + n) ** -2).is_positive

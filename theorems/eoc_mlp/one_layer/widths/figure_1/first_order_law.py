"""Figure 1: the law of the errors of the inverse cosine distance, layer by layer.

Everything is to first order in 1/m. With w̃_k = ω^(k-1)(w_1) the limit, √m (w_k - w̃_k) tends to
N(0, V_k) in law, and m times its mean to β_k.
"""

from collections.abc import Callable, Iterator, Sequence
from math import isqrt, sqrt
from typing import Any

import numpy as np
import sympy as sp
from scipy import special
from sympy import Expr, Rational

from numeric.arguments import Floats
from numeric.cosine_maps import omega as omega_at
from numeric.statistics import MeanTest, TwoSampleTest, mean_test, two_sample_test
from symbolic.equality import equal
from theorems.engine import Given, Obligations, Provenance, eq, gt, half_line, sentence
from theorems.engine.claims.kinds import Profile
from theorems.engine.statements.values import unfolded
from theorems.eoc_mlp.hypotheses import ABSOLUTE_VALUE, BY_DEFINITION, TYPICAL_EVENT
from theorems.eoc_mlp.letters.activation import DELTA
from theorems.eoc_mlp.letters.cosines import omega, omega_prime, omega_second, w_1_input, w_tilde
from theorems.eoc_mlp.letters.figure import V_k, beta_k, bias, degrees, digamma_of, drift, noise
from theorems.eoc_mlp.letters.network import gamma
from theorems.eoc_mlp.letters.table import claim
from theorems.eoc_mlp.sampling.drawn_once import forward_draws, seed_of

Rng = np.random.Generator

_NOTE = "proofs_notes/eoc_figures.md"
ACUTE = {w_1_input: half_line(sp.sqrt(2))}
INCREMENT = Rational(4, 3) / sp.pi  # what a layer adds to w at least, for Δ = 1
PATTERNS: dict[str, Callable[[int], int]] = {
    "squares": lambda k: k * k,
    "linear": lambda k: k,
    "constant": lambda _: 1,
}


def errors_at(w: float, gammas: Sequence[int], m: int, rng: Rng, draws: int) -> Floats:
    """w_k - ω^(k-1)(w) for k = 1, …, l in draws of networks with φ(s) = |s|, ``(draws, l)``."""
    half = 1 / w
    inputs = ((1.0, 0.0), (1 - 2 * half**2, 2 * half * sqrt(1 - half**2)))
    widths = tuple(m * gamma for gamma in gammas)
    law = forward_draws(seed_of(rng), inputs, widths, (0, 1), draws)
    limits = [w]
    for _ in gammas:
        limits.append(float(omega_at(limits[-1], 1)))
    return np.asarray(law.inverse_cosine_distances[..., 0, 1] - np.array(limits))


_NEXT = omega(w_tilde, DELTA)
_VARIANCE = omega_prime(w_tilde, DELTA) ** 2 * V_k + noise(w_tilde, DELTA) * _NEXT**2 / gamma
_MEAN = (
    omega_prime(w_tilde, DELTA) * beta_k
    + omega_second(w_tilde, DELTA) * V_k / 2
    + bias(w_tilde, DELTA) * _NEXT / gamma
)

LAW = claim(
    "eoc.fig1.law",
    at="Figure 1",
    title="Law of the errors of inverse cosine distances to first order in 1/m",
    states={
        "variance": sentence(
            r"\sqrt m\,(w_k - $w_tilde) \Rightarrow \mathcal{N}($mean, $V_k), \quad V_1 = $zero,"
            r" \quad V_{k+1} = $formula",
            mean=0,
            zero=0,
            formula=_VARIANCE,
        ),
        "mean": sentence(
            r"m\,\mathbb{E}(w_k - $w_tilde) \to $beta_k, \quad \beta_1 = $zero,"
            r" \quad \beta_{k+1} = $formula",
            zero=0,
            formula=_MEAN,
        ),
    },
    assuming=[TYPICAL_EVENT],
    rests_on=["eoc.fig1.layer", "eoc.omega.prime", "eoc.omega"],
    discharging=BY_DEFINITION,
    provenance=Provenance.DERIVED,
    note=f"{_NOTE}#from-layer-to-layer",
    excused={
        "domain of gamma: from 99/100": "true as well: the argument is for every positive width",
        "domain of beta_k: from -1/100": "true as well: the step is linear in the mean",
    },
)
LAW.cited(
    "van der Vaart, Asymptotic Statistics, Theorem 3.1",
    why="the delta method, applied layer by layer: convergence in law is not for a machine",
    part="variance",
)
#: Where the map of a layer has two derivatives; a variance is not negative.
_ARGUED = {**{w_tilde: half_line(1, closed=False), V_k: half_line(0)}, DELTA: sp.Interval(0, 1)}
_R, _B = sp.symbols("R B", positive=True)
_SLOPES = sp.symbols("omega omega1 omega2", positive=True)
_FUNCTIONS = (omega, omega_prime, omega_second)


def _plain(formula: Expr) -> Expr:
    """The formula in symbols for ω, ω', ω'', R and B at w̃_k."""
    values = {f(w_tilde, DELTA): one for f, one in zip(_FUNCTIONS, _SLOPES, strict=True)}
    return formula.xreplace({**values, noise(w_tilde, DELTA): _R, bias(w_tilde, DELTA): _B})


def _one_more_layer(power: int) -> Expr:
    """The mean of a power of ω(w̃ + e)(1 + η) - ω(w̃) to order x = 1/m, over x.

    The error e has the variance V/m and the mean β/m, η has R/(γm) and B/(γm); both are
    uncorrelated to this order, and higher moments are of higher order.
    """
    e, eta = sp.symbols("e eta")
    zero, one, two = _SLOPES
    change = (zero + one * e + two * e**2 / 2) * (1 + eta) - zero
    moments = {(1, 0): beta_k, (0, 1): _B / gamma, (2, 0): V_k, (0, 2): _R / gamma}
    terms = sp.Poly(sp.expand(change**power), e, eta).terms()
    return sum(c * moments.get(powers, 0) for powers, c in terms)


@LAW.argued(
    "variance",
    bridge="The delta method: an error and the noise of the next layer are independent to first"
    " order, and the map of a layer is differentiable.",
    uses=[TYPICAL_EVENT],
    over=_ARGUED,
)
def spread_after_one_more_layer(zero: int, formula: Expr) -> Obligations:
    """The second moment of the error after a layer; the inputs have no error."""
    yield "V", equal(sp.expand(_one_more_layer(2)), sp.expand(_plain(formula)))
    after = formula.xreplace({V_k: sp.sympify(zero)})
    fresh = noise(w_tilde, DELTA) * _NEXT**2 / gamma
    yield "the first layer adds its noise alone", equal(_plain(after), _plain(fresh))


@LAW.argued(
    "mean",
    bridge="The mean of the expansion of second order, on an event on which it converges.",
    uses=[TYPICAL_EVENT],
    over=_ARGUED,
)
def mean_after_one_more_layer(zero: int, formula: Expr) -> Obligations:
    """The mean of the error after a layer; the inputs have no error."""
    yield "β", equal(sp.expand(_one_more_layer(1)), sp.expand(_plain(formula)))
    after = formula.xreplace({V_k: sp.S.Zero, beta_k: sp.sympify(zero)})
    fresh = bias(w_tilde, DELTA) * _NEXT / gamma
    yield "the first layer adds its bias alone", equal(_plain(after), _plain(fresh))


def _followed(formula: Expr, letter: Any, gammas: Sequence[float]) -> list[float]:
    """The values of the letter in layers 2, 3, … by its recursion, from orthogonal inputs."""
    spread, mean, values, place = 0.0, 0.0, [], sqrt(2)
    follow = sp.lambdify((w_tilde, V_k, beta_k, gamma), unfolded(formula.subs(DELTA, 1)))
    spreads = sp.lambdify((w_tilde, V_k, beta_k, gamma), unfolded(_VARIANCE.subs(DELTA, 1)))
    for width in gammas:
        value = float(follow(place, spread, mean, width))
        spread = value if letter == V_k else float(spreads(place, spread, mean, width))
        mean = value
        place = float(omega_at(place, 1))
        values.append(value)
    return values


@LAW.estimated(
    "variance",
    draws=400,
    controls={
        "no_noise_below": {"formula": noise(w_tilde, DELTA) * _NEXT**2 / gamma},
        "twice_the_noise": {"formula": _VARIANCE + noise(w_tilde, DELTA) * _NEXT**2 / gamma},
        "shifted": {"mean": 1},
    },
)
def normalised_squares(rng: Rng, draws: int, mean: int, formula: Expr) -> Iterator[MeanTest]:
    """Means of m e²/V_k, which are 1 + O(1/m); m grows with the number of draws like its root.

    So the term of order 1/m stays below the error of the mean, at every profile.
    """
    for name, unit, depth in (("squares", 128, 6), ("linear", 256, 8), ("constant", 1024, 8)):
        pattern, m = PATTERNS[name], unit * isqrt(draws // 400)
        gammas = [pattern(layer) for layer in range(1, depth)]
        errors = errors_at(sqrt(2), gammas, m, rng, draws)[:, -1]
        variance = _followed(formula, V_k, gammas)[-1]
        yield mean_test((sqrt(m / variance) * errors - mean) ** 2, 1.0)


@LAW.estimated(
    "mean",
    draws=2000,
    controls={"no_bias": {"formula": sp.S.Zero}, "half": {"formula": _MEAN / 2}},
    profile=Profile.FULL,
)
def means_of_errors(rng: Rng, draws: int, formula: Expr) -> Iterator[MeanTest]:
    """Means of m e, which are β_k + O(1/m), with m as above."""
    for name, unit, depth in (("squares", 64, 5), ("linear", 128, 6), ("constant", 256, 8)):
        m = unit * max(1, isqrt(draws // 20_000))
        gammas = [PATTERNS[name](layer) for layer in range(1, depth)]
        errors = errors_at(sqrt(2), gammas, m, rng, draws)[:, -1]
        yield mean_test(m * errors, _followed(formula, beta_k, gammas)[-1])


_DIGAMMA = (digamma_of(degrees / 2) - digamma_of((degrees - 1) / 2)) / 2

INFINITESIMAL = claim(
    "eoc.fig1.infinitesimal",
    at="Figure 1",
    title="Exact law of one layer for nearly parallel inputs: the logarithm of w drifts",
    states={
        "law": sentence(
            r"\frac{w_{k+1}}{w_k} \Rightarrow \Bigl(\frac{\chi^2_{$degrees}}"
            r"{\chi^2_{$degrees-$lost}}\Bigr)^{$half} \text{ as } w_k \to \infty, \text{ the two"
            r" chi-squares independent}",
            lost=1,
            half=Rational(1, 2),
        ),
        "drift": eq(drift, _DIGAMMA),
        "positive": gt(drift, 0),
    },
    assuming=[ABSOLUTE_VALUE],
    provenance=Provenance.DERIVED,
    note=f"{_NOTE}#fixed-width",
)


@INFINITESIMAL.argued(
    "law",
    bridge="No sign changes but with a probability of order 1/w; and given u the part of g across u"
    " is a standard normal vector of one dimension less.",
    uses=[ABSOLUTE_VALUE],
)
def tangent_of_the_angle(lost: int, half: Expr) -> Obligations:
    """For |u| and |u| + δ sgn(u) g sin² of the angle is nearly δ²‖h‖²/‖u‖², h being g across u."""
    delta = sp.Symbol("delta", positive=True)
    u = sp.Matrix(sp.symbols("u1:4", positive=True))
    g = sp.Matrix(sp.symbols("g1:4", real=True))
    after = u + delta * g
    sine = 1 - (u.dot(after)) ** 2 / (u.dot(u) * after.dot(after))
    leading = sp.cancel(sp.diff(sine, delta, 2).subs(delta, 0) / 2)
    across = g - u * (u.dot(g) / u.dot(u))
    yield "squared sine", sp.cancel(leading - across.dot(across) / u.dot(u)) == 0
    # w is the inverse of the sine of half the angle, that of the inputs being δ.
    square = sp.Symbol("squared sine over that of the inputs", positive=True)
    yield "quotient of lengths", equal((1 / square) ** half, 1 / sp.sqrt(square))
    projection = sp.eye(3) - u * u.T / u.dot(u)
    yield "dimensions across u", sp.cancel(projection.trace() - (3 - lost)) == 0


@INFINITESIMAL.estimated("law", draws=20_000, controls={"same_freedom": {"lost": 0}, "two_lost": {"lost": 2}})
def far_ratios(rng: Rng, draws: int, lost: int, half: Expr) -> Iterator[MeanTest | TwoSampleTest]:
    """Widths 3 and 8 at w = 10⁹, where two inputs differ in a sign with probability 10⁻⁹."""
    for width in (3, 8):
        law = forward_draws(seed_of(rng), ((1.0, 0.0), (1.0, 2e-9)), (width,), (0, 1), draws)
        distances = law.inverse_cosine_distances[..., 0, 1]
        ratios = distances[:, 1] / distances[:, 0]
        model = (rng.chisquare(width, draws) / rng.chisquare(width - lost, draws)) ** float(half)
        yield two_sample_test(ratios, model)
        drift_ = (special.digamma(width / 2) - special.digamma((width - lost) / 2)) / 2
        yield mean_test(np.log(ratios), float(drift_))


@INFINITESIMAL.argued(
    "drift",
    bridge="The mean of a logarithm is the derivative of the moments at 0, for each of the two chi-squares.",
    uses=[ABSOLUTE_VALUE],
)
def differentiate_the_moments(given: Given) -> Obligations:
    """E log χ²_M = ψ(M/2) + log 2, by differentiating the moments."""
    order, size = sp.symbols("q M", positive=True)

    def logarithm(freedom: Expr) -> Expr:
        moment = 2**order * sp.gamma(freedom / 2 + order) / sp.gamma(freedom / 2)
        return sp.diff(moment, order).subs(order, 0)

    found = (logarithm(size) - logarithm(size - 1)) / 2
    wanted = unfolded(given.goal.rhs).subs(degrees, size)
    gap = sp.simplify(sp.expand(found - wanted))
    yield "E log of the quotient", bool(given.goal.func(gap, 0) == True)  # noqa: E712 - SymPy


@INFINITESIMAL.argued(
    "positive",
    bridge="The digamma function increases, as its derivative is the sum of (x + n)^(-2).",
    uses=[ABSOLUTE_VALUE],
    over={degrees: sp.Range(2, sp.oo)},
)
def digamma_increases(given: Given) -> Obligations:
    """Half the difference of two values of an increasing function, and the smaller bound is 0."""
    place, index = sp.symbols("x n", positive=True)
    yield "ψ'(x) = Σ (x + n)⁻² > 0", ((place + index) ** -2).is_positive
    far = sp.limit(unfolded(_DIGAMMA).subs(degrees, 2 * place), place, sp.oo)
    yield "no larger bound", bool(far == given.goal.rhs)
    least = sp.expand_func(unfolded(_DIGAMMA).subs(degrees, 2))
    yield "log 2 at M = 2", bool(given.goal.func(least, given.goal.rhs))

"""Figure 1: noise and bias that one layer of finite width adds to the distance.

To first order in 1/M a layer of width M turns w into ω(w)(1 + error), the error with mean B/M and
variance R/M.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from math import isqrt, sqrt
from typing import Any

import mpmath
import numpy as np
import sympy as sp
from hypothesis import strategies as st
from sympy import Abs, Expr, asin, cos, pi

from numeric.cosine_maps import delta_phi
from numeric.cosine_maps import omega as omega_at
from numeric.inverse_distance_errors import relative_bias, relative_noise
from numeric.networks.forward_law import sample_forward
from numeric.statistics import MeanTest, mean_test
from symbolic.derivation import Derivation, Step
from symbolic.equality import equal
from symbolic.gaussian import GaussianMean
from symbolic.gaussian.polar import polar_steps
from symbolic.notation import ABBREVIATIONS, DOMAIN, NOT_BOTH_ZERO
from symbolic.notation import phi as relu
from theorems.engine import (
    Discrepancy,
    Given,
    Obligations,
    Provenance,
    defining,
    eq,
    half_line,
    interval,
    open_interval,
    sentence,
)
from theorems.engine.rules import Theorem
from theorems.engine.statements.values import unfolded
from theorems.eoc_mlp.hypotheses import BY_DEFINITION, SCALE, SHARE, TYPICAL_EVENT
from theorems.eoc_mlp.letters.activation import DELTA, SIGMA, a, b, phi, u1, u2
from theorems.eoc_mlp.letters.cosines import t, w, zeta
from theorems.eoc_mlp.letters.figure import (
    bias,
    cubes,
    fourth_moment,
    fourth_y,
    mixed_y,
    noise,
    product_moment,
    signed_squares,
)
from theorems.eoc_mlp.letters.table import claim

Rng = np.random.Generator

_NOTE = "proofs_notes/eoc_figures.md#one-layer"
_ANGLE = {t: open_interval(0, pi)}


def _mean(integrand: Expr) -> GaussianMean:
    """The mean for standard normals u_1, u_2 of correlation cos t."""
    return GaussianMean(integrand, u1, u2, cos(t))


def _integrated(integrand: Expr, closed_form: Expr, factor: Any = 1) -> Derivation:
    """The mean, integrated in polar coordinates over four sectors of constant signs."""
    return Derivation(
        title="Fourth moment of a pair of normals",
        name="",
        start=factor * _mean(integrand),
        steps=[*polar_steps(sp.sympify(factor), integrand, u1, u2), Step(closed_form, "collect")],
        domain=DOMAIN,
        where={} if factor == 1 else ABBREVIATIONS,
        under=() if factor == 1 else NOT_BOTH_ZERO,
    )


_CUBES, _SQUARES = Abs(u1) ** 3 * Abs(u2), u1 * Abs(u1) * u2 * Abs(u2)

MOMENTS = claim(
    "eoc.fig1.moments",
    at="Figure 1",
    title="Fourth moments of a pair of preactivations",
    states={
        "cubes": defining(cubes(t), eq(_mean(_CUBES), unfolded(cubes(t)))),
        "signed squares": defining(signed_squares(t), eq(_mean(_SQUARES), unfolded(signed_squares(t)))),
    },
    given=_ANGLE,
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@MOMENTS.proved("cubes")
def integrate_the_cubes(given: Given) -> Theorem:
    """Integrate in polar coordinates, where the signs are constant on four sectors."""
    return given.derived(_integrated(_CUBES, unfolded(cubes(t))))


@MOMENTS.proved("signed squares")
def integrate_the_signed_squares(given: Given) -> Theorem:
    """Integrate in polar coordinates, where the signs are constant on four sectors."""
    return given.derived(_integrated(_SQUARES, unfolded(signed_squares(t))))


_SPREAD = 4 * DELTA * (1 - DELTA)
_POWERS = {"fourth": (4, 0), "product": (2, 2), "third": (3, 1)}
_CLOSED = {
    "fourth": 3 * (1 + _SPREAD),
    "product": 1 + 2 * cos(t) ** 2 + _SPREAD * signed_squares(t),
    "third": 3 * (1 - DELTA) * (1 + 2 * DELTA) * cos(t) + DELTA * (3 - 2 * DELTA) * cubes(t),
}

ACTIVATIONS = claim(
    "eoc.fig1.activations",
    at="Figure 1",
    title="Fourth moments of a pair of activations",
    states={
        name: eq(SIGMA**4 * _mean(phi(u1, a, b) ** p * phi(u2, a, b) ** q), _CLOSED[name])
        for name, (p, q) in _POWERS.items()
    },
    given=_ANGLE,
    assuming=[SHARE, SCALE],
    rests_on=[MOMENTS],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@ACTIVATIONS.proved("fourth", "product", "third")
def integrate_powers_of_the_activation(given: Given) -> Theorem:
    """Integrate in polar coordinates, then insert σ and Δ."""
    p, q = _POWERS[given.part]
    closed_form = unfolded(_CLOSED[given.part])
    return given.derived(_integrated(relu(u1) ** p * relu(u2) ** q, closed_form, SIGMA**4))


_ZETA = zeta(w**-2, DELTA)
_VARIANCE = fourth_y / (4 * _ZETA**2) - mixed_y / (4 * _ZETA) + (fourth_moment + product_moment) / 8
_DRIFT = (
    sp.Rational(3, 2) * noise(w, DELTA)
    + mixed_y / (4 * _ZETA)
    + (fourth_moment - product_moment) / (16 * _ZETA)
    - (3 * fourth_moment + product_moment) / 8
)
#: Noise and bias have closed forms for shares of the absolute value, and for distances apart.
_ARGUED = {DELTA: interval(0, 1), w: half_line(1, closed=False)}
_ERROR = r"\eta = \frac{w_{k+1} - \omega($w)}{\omega($w)}: \quad "

LAYER = claim(
    "eoc.fig1.layer",
    at="Figure 1",
    title="Noise and bias of the inverse cosine distance in one layer",
    states={
        "variance": sentence(
            _ERROR + r"m_k\operatorname{Var}\eta \to $letter = $formula",
            letter=noise(w, DELTA),
            formula=_VARIANCE,
        ),
        "mean": sentence(
            _ERROR + r"m_k\,\mathbb{E}\eta \to $letter = $formula", letter=bias(w, DELTA), formula=_DRIFT
        ),
    },
    assuming=[TYPICAL_EVENT],
    rests_on=[MOMENTS, ACTIVATIONS, "eoc.zeta.closed_form"],
    discharging=BY_DEFINITION,
    provenance=Provenance.DERIVED,
    note=_NOTE,
    excused=dict.fromkeys(
        [f"domain of {one}" for one in (fourth_moment, product_moment, fourth_y, mixed_y)],
        "true as well: means of squares are not negative",
    ),
)
LAYER.cited(
    "van der Vaart, Asymptotic Statistics, Theorem 3.1",
    why="the delta method, with tails by Bernstein's inequality; limits are not for a machine",
    part="variance",
)


@LAYER.argued(
    "variance",
    bridge="The delta method: limits of mean and variance are those of the expansion of second"
    " order, on an event on which the averages are close to their means.",
    uses=[TYPICAL_EVENT],
    over=_ARGUED,
)
def variance_of_the_expansion(letter: Expr, formula: Expr) -> Obligations:
    """The slopes of w, as a function of the averages, with the covariances of these."""
    covariances, slopes, _ = _expansion()
    yield "variance", equal((slopes.T * covariances * slopes)[0], _in_moments(formula), _POSITIVE)
    yield "closed form", _closed(letter, formula)


@LAYER.argued(
    "mean",
    bridge="The delta method, as for the variance; the terms of first order have mean 0.",
    uses=[TYPICAL_EVENT],
    over=_ARGUED,
)
def mean_of_the_expansion(letter: Expr, formula: Expr) -> Obligations:
    """Half the second derivatives of w with the covariances of the averages."""
    covariances, _, bent = _expansion()
    found = (bent * covariances).trace() / 2
    yield "mean", equal(found, _in_moments(formula), _POSITIVE)
    yield "closed form", _closed(letter, formula)


_Z, _FOUR, _TWO, _THIRD = sp.symbols("zeta F P T", positive=True)
_POSITIVE = dict.fromkeys((_Z, _FOUR, _TWO, _THIRD), sp.Interval.open(0, sp.oo))


def _expansion() -> tuple[sp.Matrix, sp.Matrix, sp.Matrix]:
    """Expand w = ((1 - C/√(AB))/2)^(-1/2) to second order at the means A = B = 1, C = ϱ.

    A, B, C are averages over the width of φ₁², φ₂², φ₁φ₂: their covariances are the fourth moments
    less the products of their means. Derivatives are relative to w.
    """
    variables = sp.symbols("A B C", positive=True)
    first, second, third = variables
    value = ((1 - third / sp.sqrt(first * second)) / 2) ** sp.Rational(-1, 2)
    means = {first: 1, second: 1, third: 1 - 2 * _Z}
    mean = sp.Matrix([1, 1, 1 - 2 * _Z])
    covariances = (
        sp.Matrix([[_FOUR, _TWO, _THIRD], [_TWO, _FOUR, _THIRD], [_THIRD, _THIRD, _TWO]]) - mean * mean.T
    )
    relative = sp.sqrt(_Z)
    slopes = sp.Matrix([sp.diff(value, x) for x in variables]).subs(means) * relative
    bent = sp.hessian(value, variables).subs(means) * relative
    return covariances, slopes, bent


def _in_moments(formula: Expr) -> Expr:
    """The formula in ζ, F = Eφ₁⁴, P = Eφ₁²φ₂² and T = Eφ₁³φ₂, by symmetry of both inputs."""
    moments = {fourth_moment: _FOUR, product_moment: _TWO, _ZETA: _Z}
    moments[fourth_y] = (2 * _FOUR - 8 * _THIRD + 6 * _TWO) / 16
    moments[mixed_y] = (2 * _FOUR + 2 * _TWO - 4 * _THIRD) / 4
    variance = _VARIANCE.xreplace(moments)
    return formula.xreplace({**moments, noise(w, DELTA): variance}).xreplace(moments)


def _closed(letter: Expr, formula: Expr) -> bool | None:
    """Whether the letter's closed form is the formula, with the moments in closed form."""
    angle = {t: 2 * asin(1 / w)}
    closed = {name: unfolded(one).subs(angle) for name, one in _CLOSED.items()}
    values = {_FOUR: closed["fourth"], _TWO: closed["product"], _THIRD: closed["third"]}
    found = _in_moments(formula).xreplace({**values, _Z: unfolded(_ZETA)})
    domain = {w: sp.Interval.open(1, sp.oo), DELTA: sp.Interval(0, 1)}
    positive = [unfolded(_ZETA) > 0]
    return equal(unfolded(letter), found, domain, under=positive)


_ANGLES_AND_SHARES = st.tuples(st.integers(1, 31), st.integers(0, 8))


@LAYER.tested("variance", over=_ANGLES_AND_SHARES, cases=30)
def noise_by_two_computations(case: tuple[int, int], letter: Expr) -> Discrepancy:
    """The closed form here and the ball formulas of the numbers, at t = n/10 and Δ = d/8."""
    return _gap(letter, relative_noise, *case)


@LAYER.tested("mean", over=_ANGLES_AND_SHARES, cases=30)
def bias_by_two_computations(case: tuple[int, int], letter: Expr) -> Discrepancy:
    """The closed form here and the ball formulas of the numbers, at t = n/10 and Δ = d/8."""
    return _gap(letter, relative_bias, *case)


def _gap(letter: Expr, number: Any, tenths: int, eighths: int) -> Discrepancy:
    inverse = float(1 / np.sin(tenths / 20))
    with mpmath.workdps(40):
        found = _in_digits(letter)(mpmath.mpf(inverse), mpmath.mpf(eighths) / 8)
    wanted = float(number(inverse, Fraction(eighths, 8)))
    # One rounding to a float each.
    return Discrepancy(float(found) - wanted, 4 * 2.0**-53 * abs(wanted))


@cache
def _in_digits(letter: Expr) -> Any:
    """The closed form as a function of w and Δ that computes in mpmath's digits."""
    return sp.lambdify((w, DELTA), unfolded(letter), "mpmath", cse=True)


@LAYER.estimated("variance", draws=600, controls={"half_the_noise": {"letter": noise(w, DELTA) / 2}})
def squares_of_errors(rng: Rng, draws: int, letter: Expr) -> Iterator[MeanTest]:
    """Means of M η², for a right, an acute and a small angle."""
    for point, width, error, _ in _layers(rng, draws):
        yield mean_test(width * error**2, float(unfolded(letter).subs(point)))


@LAYER.estimated("mean", draws=600, controls={"no_bias": {"letter": sp.Integer(0)}})
def means_of_errors(rng: Rng, draws: int, letter: Expr) -> Iterator[MeanTest]:
    """Means of M(η - its linear part), for a right, an acute and a small angle."""
    for point, width, error, linear in _layers(rng, draws):
        yield mean_test(width * (error - linear), float(unfolded(letter).subs(point)))


def _layers(rng: Rng, draws: int) -> Iterator[tuple[dict[Expr, float], int, Any, Any]]:
    """Errors of a layer in draws of it, the part linear in the inner products, and where."""
    # The terms of order 1/M beyond the first fall faster than the error of the means.
    width = 2000 * isqrt(draws // 600)
    for inverse, (first, second) in ((sqrt(2), (0, 1)), (3.0, (0, 1)), (20.0, (0.5, 0.5))):
        error, linear = _layer_error(inverse, first, second, width, rng, draws)
        yield {w: inverse, DELTA: float(delta_phi(first, second))}, width, error, linear


def _layer_error(
    inverse: float, first: float, second: float, width: int, rng: Rng, draws: int
) -> tuple[np.ndarray, np.ndarray]:
    """w_2/ω(w) - 1 in draws of a layer, and the part of it that is linear in the inner products."""
    half = 1 / inverse
    inputs = [[1.0, 0.0], [1 - 2 * half**2, 2 * half * sqrt(1 - half**2)]]
    law = sample_forward(inputs, (width,), first, second, rng, draws)
    limit = float(omega_at(inverse, delta_phi(first, second)))
    products, cosine = law.inner_products[:, 1], 1 - 2 / limit**2
    centred = products[:, 0, 1] - cosine * (products[:, 0, 0] + products[:, 1, 1]) / 2
    error = law.inverse_cosine_distances[:, 1, 0, 1] / limit - 1
    return error, centred * limit**2 / 4

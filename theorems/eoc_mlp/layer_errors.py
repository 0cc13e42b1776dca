"""Remark 13 and Figure 1: what one layer of finite width does to the inverse cosine distance.

To first order in 1/M a layer of width M turns w into ω(w)(1 + error), the error with mean B/M and
variance R/M. The figure's network is φ(s) = |s|, where Δ = 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from math import isqrt, sqrt
from typing import Any

import numpy as np
import sympy as sp
from flint import arb
from hypothesis import strategies as st

from numeric.certify import Certificate, certify_positive_to_end
from numeric.cosine_maps import delta_phi, omega
from numeric.error_growth import LayerMoments, layer_moments, relative_bias, relative_noise
from numeric.networks.forward_law import sample_forward
from numeric.statistics import MeanTest, mean_test
from symbolic.equality import equal
from symbolic.gaussian import bivariate_expectation
from theorems.engine import Discrepancy, Domain, Obligations, Provenance, claim, half_line, interval
from theorems.engine.domain import open_interval
from theorems.eoc_mlp.angles import exact, half_sine, squared_distance

Rng = np.random.Generator

_NOTE = "proofs_notes/eoc_figures.md"
_T = sp.Symbol("t", positive=True)
_U1, _U2 = sp.symbols("u1 u2", real=True)
_DELTA = sp.Symbol("Delta", nonnegative=True)
_ANGLES = {_T: sp.Interval.open(0, sp.pi)}
_GIVEN: dict[str, Domain] = {"w": half_line(1, closed=False), "delta": interval(0, 1)}
_ACUTE: dict[str, Domain] = {"w": half_line(sp.sqrt(2))}
ABSOLUTE = "φ(s) = |s|"

MOMENTS = claim(
    "eoc.fig1.moments",
    at="Figure 1",
    title="Fourth moments of a pair of preactivations",
    states=(
        r"\mathbb{E}|u_1|^3|u_2| = \tfrac{1}{\pi}\bigl(3(\pi - 2t)\cos t + 6\sin t - 2\sin^3 t"
        r"\bigr), \quad \mathbb{E}\,u_1|u_1|u_2|u_2|"
        r" = \tfrac{1}{\pi}\bigl((\pi - 2t)(1 + 2\cos^2 t) + 6\sin t\cos t\bigr)"
    ),
    given={"t": open_interval(0, sp.pi)},
    assuming=("u₁, u₂ are standard normals of correlation cos t",),
    provenance=Provenance.DERIVED,
    note=f"{_NOTE}#one-layer",
)


@MOMENTS.proved(controls={"sines": {"sines": 5}, "cubes": {"cubes": 3}})
def integrate_over_the_sectors(sines: int = 6, cubes: int = 2) -> Obligations:
    """Integrate in polar coordinates, where the signs are constant on four sectors."""
    cosine, sine, turned = sp.cos(_T), sp.sin(_T), sp.pi - 2 * _T
    third = _mean(abs(_U1) ** 3 * abs(_U2))
    signed = _mean(_U1 * abs(_U1) * _U2 * abs(_U2))
    expected = 3 * turned * cosine + sines * sine - cubes * sine**3
    yield "E|u₁|³|u₂|", equal(third, expected / sp.pi, _ANGLES)
    product = turned * (1 + 2 * cosine**2) + sines * sine * cosine
    yield "E u₁|u₁|u₂|u₂|", equal(signed, product / sp.pi, _ANGLES)


def _mean(f: sp.Expr) -> sp.Expr:
    return bivariate_expectation(f, _U1, _U2, sp.cos(_T))


LAYER = claim(
    "eoc.fig1.layer",
    at="Figure 1",
    title="Noise and bias of the inverse cosine distance in one layer",
    states=(
        r"w_{k+1} = \omega(w)(1 + \eta), \quad m_k\operatorname{Var}\eta \to R"
        r" = \frac{\mathbb{E}Y^4}{4\zeta^2} - \frac{\mathbb{E}Y^2(\phi_1^2+\phi_2^2)}{4\zeta}"
        r" + \frac{F + P}{8}, \quad m_k\,\mathbb{E}\eta \to B = \frac{3R}{2}"
        r" + \frac{\mathbb{E}Y^2(\phi_1^2+\phi_2^2)}{4\zeta} + \frac{F - P}{16\zeta}"
        r" - \frac{3F + P}{8}"
    ),
    given=_GIVEN,
    assuming=(
        "φ₁ = σφ(u₁), φ₂ = σφ(u₂), Y = (φ₁ - φ₂)/2, F = Eφ₁⁴, P = Eφ₁²φ₂²",
        "w = w_k is given, ζ = ζ(1/w²)",
        "moments to first order in 1/m_k, on an event of probability 1 - O(exp(-c m_k))",
    ),
    rests_on=[MOMENTS, "eoc.zeta.closed_form"],
    provenance=Provenance.DERIVED,
    note=f"{_NOTE}#one-layer",
)


LAYER.cited(
    "van der Vaart, Asymptotic Statistics, Theorem 3.1",
    why="the delta method, with tails by Bernstein's inequality; limits are not for a machine",
    part="the limits",
)


@LAYER.proved(
    controls={"wrong_power": {"power": sp.Rational(-1, 3)}, "unnormalised": {"norms": 0}},
    part="derivatives of w at the means",
)
def delta_method(power: Any = sp.Rational(-1, 2), norms: int = 1) -> Obligations:
    """Expand w = ((1 - C/√(AB^norms))/2)^power to second order at the means A = B = 1, C = ϱ.

    A, B, C are means over the width of φ₁², φ₂², φ₁φ₂: their covariances are the fourth moments.
    """
    a, b, c = variables = sp.symbols("A B C", positive=True)
    z, four, two, third = sp.symbols("zeta F P T", positive=True)
    root = sp.sqrt(a * b**norms)
    w = ((1 - c / root) / 2) ** power
    means = {a: 1, b: 1, c: 1 - 2 * z}
    covariances = sp.Matrix([[four, two, third], [two, four, third], [third, third, two]])
    covariances -= sp.Matrix([1, 1, 1 - 2 * z]) * sp.Matrix([[1, 1, 1 - 2 * z]])
    slopes = sp.Matrix([sp.diff(w, x).subs(means) for x in variables])
    bent = sp.hessian(w, variables).subs(means)
    mean = z ** sp.Rational(-1, 2)
    fourth, mixed = (2 * four - 8 * third + 6 * two) / 16, (2 * four + 2 * two - 4 * third) / 4
    noise = fourth / (4 * z**2) - mixed / (4 * z) + (four + two) / 8
    bias = 3 * noise / 2 + mixed / (4 * z) + (four - two) / (16 * z) - (3 * four + two) / 8
    variance = (slopes.T * covariances * slopes)[0] / mean**2
    yield "variance", equal(sp.simplify(variance - noise), sp.S.Zero)
    yield "mean", equal(sp.simplify((bent * covariances).trace() / 2 / mean - bias), sp.S.Zero)


@LAYER.proved(controls={"leaky": {"cross": 2}}, part="moments of the (a, b)-ReLU")
def moments_of_the_activation(cross: int = 3) -> Obligations:
    """φ³ = (α³ + 3αβ²)u³ + (β³ + 3α²β)|u|³ for φ = αu + β|u|, α² = 1 - Δ, β² = Δ; even parts."""
    alpha, beta = sp.sqrt(1 - _DELTA), sp.sqrt(_DELTA)
    spread = 4 * _DELTA * (1 - _DELTA)
    kurtosis = sp.Rational(1, 2) * sum(3 * (alpha + e * beta) ** 4 for e in (1, -1))
    yield "F = 3(1 + r²)", equal(sp.expand(kurtosis), sp.expand(3 * (1 + spread)))
    odd = (alpha**3 + cross * alpha * beta**2) * alpha
    even = (beta**3 + cross * alpha**2 * beta) * beta
    yield "weight of 3ρ", equal(sp.expand(odd), sp.expand((1 - _DELTA) * (1 + 2 * _DELTA)))
    yield "weight of E|u₁|³|u₂|", equal(sp.expand(even), sp.expand(_DELTA * (3 - 2 * _DELTA)))
    yield "r² = (2αβ)²", equal(sp.expand((2 * alpha * beta) ** 2), sp.expand(spread))
    square = _mean(_U1**2 * _U2**2)
    yield "E u₁²u₂² = 1 + 2ρ²", equal(square, 1 + 2 * sp.cos(_T) ** 2, _ANGLES)
    yield "E u₁³u₂ = 3ρ", equal(_mean(_U1**3 * _U2), 3 * sp.cos(_T), _ANGLES)


@LAYER.tested(
    over=st.tuples(st.integers(1, 31), st.integers(0, 8)),
    controls={"one_per_cent": {"factor": 1.01}},
    part="the numbers",
    cases=30,
)
def closed_forms_agree(case: tuple[int, int], factor: float = 1.0) -> Discrepancy:
    """E Y⁴ of the symbolic integral and of the ball formulas, at t = n/10 and Δ = d/8."""
    tenths, eighths = case
    weight = sp.Rational(eighths, 8)
    phi = [sp.sqrt(1 - weight) * u + sp.sqrt(weight) * abs(u) for u in (_U1, _U2)]
    fourth = bivariate_expectation(sp.expand((phi[0] - phi[1]) ** 4 / 16), _U1, _U2, sp.cos(_T))
    wanted = float(fourth.subs(_T, sp.Rational(tenths, 10)).evalf(40))
    found = float(layer_moments(exact(Fraction(tenths, 10)), exact(Fraction(eighths, 8))).fourth)
    # Terms of size 3 are rounded some twenty times at 53 bits in the balls.
    return Discrepancy(factor * found - wanted, 60 * 2.0**-53)


@LAYER.estimated(
    draws=600,
    controls={"half_the_noise": {"noise": 0.5}, "no_bias": {"bias": 0.0}},
    part="the limits",
)
def one_layer(rng: Rng, draws: int, noise: float = 1.0, bias: float = 1.0) -> Iterator[MeanTest]:
    """Means of M η² and of M(η - its linear part), for a right, an acute and a small angle."""
    # The terms of order 1/M beyond the first fall faster than the error of the means.
    width = 2000 * isqrt(draws // 600)
    for w, (a, b) in ((sqrt(2), (0, 1)), (3.0, (0, 1)), (20.0, (0.5, 0.5))):
        delta = float(delta_phi(a, b))
        error, linear = _layer_error(w, a, b, width, rng, draws)
        yield mean_test(width * error**2, noise * relative_noise(w, delta))
        yield mean_test(width * (error - linear), bias * relative_bias(w, delta))


def _layer_error(
    w: float, a: float, b: float, width: int, rng: Rng, draws: int
) -> tuple[np.ndarray, np.ndarray]:
    """w_2/ω(w) - 1 in draws of a layer, and the part of it that is linear in the inner products."""
    half = 1 / w
    inputs = [[1.0, 0.0], [1 - 2 * half**2, 2 * half * sqrt(1 - half**2)]]
    law = sample_forward(inputs, (width,), a, b, rng, draws)
    limit = float(omega(w, delta_phi(a, b)))
    products, cosine = law.inner_products[:, 1], 1 - 2 / limit**2
    centred = products[:, 0, 1] - cosine * (products[:, 0, 0] + products[:, 1, 1]) / 2
    error = law.inverse_cosine_distances[:, 1, 0, 1] / limit - 1
    return error, centred * limit**2 / 4


NOISE = claim(
    "eoc.fig1.noise",
    at="Figure 1",
    title="The noise of a layer lies between 1/3 and 1",
    states=r"\tfrac{1}{3}\,\zeta^2 < R\,\zeta^2 < \zeta^2",
    given=_ACUTE,
    assuming=(ABSOLUTE, "R and B are the expressions of eoc.fig1.layer"),
    rests_on=[MOMENTS],
    provenance=Provenance.DERIVED,
    note=f"{_NOTE}#one-layer",
)
BIAS = claim(
    "eoc.fig1.bias",
    at="Figure 1",
    title="The bias of a layer lies between 9/10 and 11/10",
    states=r"\tfrac{9}{10}\,\zeta^2 < B\,\zeta^2 < \tfrac{11}{10}\,\zeta^2",
    given=_ACUTE,
    assuming=(ABSOLUTE, "R and B are the expressions of eoc.fig1.layer"),
    rests_on=[MOMENTS],
    provenance=Provenance.DERIVED,
    note=f"{_NOTE}#one-layer",
)

_FOURTH_ORDER = "Y⁴, Y²ζ and ζ² are of order t⁴, and so is the second-order part of ζ times ζ"


def _compare(
    part: Callable[[LayerMoments], Any], factor: Fraction, sign: int, order: int = 4, why: str = ""
) -> Certificate:
    """sign (factor ζ² - part) > 0 on t in (0, π/2]."""

    def f(t: Any) -> Any:
        moments = layer_moments(t, arb(1))
        return (moments.zeta * moments.zeta * exact(factor) - part(moments)) * sign

    reason = why or _FOURTH_ORDER
    return certify_positive_to_end(f, "t", 0, "pi/2", order=order, vanishing=reason)


@NOISE.certified(controls={"less": {"above": Fraction(9, 10)}, "more": {"below": Fraction(2, 5)}})
def noise_in_balls(
    below: Fraction = Fraction(1, 3), above: Fraction = Fraction(1)
) -> Iterator[Certificate]:
    """Both inequalities; R = 1 at t = 0 and 0.358… at t = π/2."""
    yield _compare(lambda moments: moments.noise, below, -1)
    equal_at_zero = above == 1
    why = "R tends to 1: both sides are t⁴/16 to leading order" if equal_at_zero else ""
    yield _compare(lambda moments: moments.noise, above, 1, 5 if equal_at_zero else 4, why)


@BIAS.certified(controls={"less": {"above": Fraction(21, 20)}, "more": {"below": Fraction(49, 50)}})
def bias_in_balls(
    below: Fraction = Fraction(9, 10), above: Fraction = Fraction(11, 10)
) -> Iterator[Certificate]:
    """Both inequalities; B lies between 0.975… (t = π/2) and 1.061…."""
    yield _compare(lambda moments: moments.bias, below, -1)
    yield _compare(lambda moments: moments.bias, above, 1)


_DEEP: dict[str, Domain] = {"w": half_line(sp.Rational(7, 3))}
_LAST = Fraction(8, 9)  # above the angle 2 arcsin(3/7) = 0.8857… of w = 7/3

CONTRACTION = claim(
    "eoc.fig1.contraction",
    at="Figure 1",
    title="Errors survive: the product of all slopes of ω along an orbit is bounded below",
    states=(
        r"\omega'(w) \ge \frac{1 - 1/w}{1 - 1/\omega(w)}, \quad\text{so}\quad"
        r" \prod_{i=j}^{k-1}\omega'(\omega^i(w)) \ge 1 - \frac{1}{\omega^j(w)}"
    ),
    given=_DEEP,
    assuming=(ABSOLUTE,),
    rests_on=["eoc.omega.prime", "eoc.zeta.sandwich", "eoc.omega"],
    provenance=Provenance.DERIVED,
    note=f"{_NOTE}#from-layer-to-layer",
)


@CONTRACTION.certified(
    controls={"half": {"weight": Fraction(1, 2)}, "nearly": {"weight": Fraction(9, 10)}},
    part="one layer",
)
def slope_in_balls(weight: Fraction = Fraction(1)) -> Certificate:
    """ζ's³(1 - q) > q³(1 - s) for s = 1/w, q = √ζ = 1/ω, squared: (ζ's³)² > ζ(ζ(1 - s) + ζ's³)²."""

    def f(t: Any) -> Any:
        value, s, slope = layer_moments(t, arb(1)).zeta, half_sine(t), 1 - t * 2 / arb.pi()
        cube = slope * s * s * s
        right = value * (1 - s * exact(weight)) + cube * exact(weight)
        return cube * cube - value * right * right

    why = "cubes s³(1 - 4s/π) stand on both sides, to two orders"
    return certify_positive_to_end(f, "t", 0, _LAST, order=8, vanishing=why)


@CONTRACTION.proved(controls={"squared": {"power": 2}}, part="telescoping")
def telescoping(power: int = 1) -> Obligations:
    """The factors of layers i = j, …, k - 1 multiply to the first numerator over the last."""
    x, y, z = sp.symbols("x y z", positive=True)
    beyond = dict.fromkeys((x, z), sp.Interval.open(1, sp.oo))
    two = (1 - 1 / x) / (1 - 1 / y) * ((1 - 1 / y) / (1 - 1 / z)) ** power
    claimed = sp.cancel((1 - 1 / x) / (1 - 1 / z))
    yield "two layers", equal(sp.cancel(two), claimed, {**beyond, y: beyond[x]})
    least = (1 - 1 / x) - (1 - 1 / x) / (1 - 1 / (1 + z))
    yield "the last denominator is below 1", sp.simplify(least.subs(x, 1 + x)).is_negative


CONVEX = claim(
    "eoc.fig1.convex",
    at="Figure 1",
    title="ω is convex, and nearly straight",
    states=r"0 \le \omega''(w) \le \tfrac{5}{2}\,w^{-3}",
    given=_DEEP,
    assuming=(ABSOLUTE,),
    rests_on=["eoc.omega.prime"],
    provenance=Provenance.DERIVED,
    note=f"{_NOTE}#from-layer-to-layer",
)


@CONVEX.proved(controls={"twice": {"factor": 2}}, part="formula")
def second_derivative(factor: int = 1) -> Obligations:
    """ω'' = (z/ζ)^(3/2) f/(2π²ζ cos(t/2)), f = 4πζ(1 - cos t) - 3 sin t (t - sin t)(π - 2t)."""
    value = (1 - sp.cos(_T)) / 2 - (sp.sin(_T) - _T * sp.cos(_T)) / sp.pi
    z = sp.sin(_T / 2) ** 2
    slope = (1 - 2 * _T / sp.pi) * (z / value) ** sp.Rational(3, 2)
    speed = -2 * z / sp.cos(_T / 2)  # dt/dw for w = 1/sin(t/2)
    w = sp.Symbol("w", positive=True)
    chain = sp.diff(2 * sp.asin(1 / w), w).subs(w, 1 / sp.sin(_T / 2))
    right_half = {sp.sqrt(1 - z): sp.cos(_T / 2)}  # the cosine is positive on (0, π)
    yield "dt/dw", equal(sp.expand(chain.subs(right_half)), speed, _ANGLES)
    f = 4 * sp.pi * value * (1 - sp.cos(_T)) - 3 * sp.sin(_T) * (_T - sp.sin(_T)) * (sp.pi - 2 * _T)
    given = -factor * f / (4 * sp.pi**2 * value * z) * (z / value) ** sp.Rational(3, 2)
    yield "dω'/dt", equal(sp.diff(slope, _T), given, _ANGLES, [value > 0])


@CONVEX.certified(
    controls={"less": {"largest": 18}, "more": {"factor": Fraction(11, 10)}}, part="bounds of f"
)
def bounds_of_the_numerator(largest: int = 20, factor: Fraction = Fraction(1)) -> Iterator[Any]:
    """0 < f < 20 s³ζ, and 8ζ > 5z, on (0, 8/9]."""

    def f(t: Any) -> Any:
        value, sine = layer_moments(t, arb(1)).zeta, t.sin()
        bent = sine * (t - sine) * (arb.pi() - t * 2) * 3 * exact(factor)
        return value * (1 - t.cos()) * arb.pi() * 4 - bent

    def above(t: Any) -> Any:
        return half_sine(t) * squared_distance(t) * layer_moments(t, arb(1)).zeta * largest - f(t)

    def value(t: Any) -> Any:
        return layer_moments(t, arb(1)).zeta * 8 - squared_distance(t) * exact(factor) * 5

    why = "both products are πt⁴/2 to leading order"
    yield certify_positive_to_end(f, "t", 0, _LAST, order=5, vanishing=why)
    yield certify_positive_to_end(above, "t", 0, _LAST, order=5, vanishing=why)
    yield certify_positive_to_end(value, "t", 0, _LAST, order=2)


@CONVEX.proved(controls={"two": {"bound": sp.Integer(2)}}, part="the constant")
def product_of_the_bounds(bound: Any = sp.Rational(5, 2)) -> Obligations:
    """(8/5)^(3/2) 20/(2π² cos(t/2)) ≤ 5/2, where cos(t/2) = √(1 - s²) ≥ √(40/49)."""
    largest = (
        sp.Rational(8, 5) ** sp.Rational(3, 2) * 10 / (sp.pi**2 * sp.sqrt(sp.Rational(40, 49)))
    )
    yield "constant", bool(largest <= bound)

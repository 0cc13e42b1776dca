r"""Duals of powers, rectified powers and Hermite polynomials.

Monomial of degree d. From s^d = sum_m d!/(2^m m! (d-2m)!) He_(d-2m)(s) and Mehler's formula,

    E u1^d u2^d = (v1 v2)^(d/2) M_d(rho),
    M_d(rho) = sum_m (d!/(2^m m!))^2 rho^(d-2m) / (d-2m)!.

Rectified monomial max(s, 0)^d (the arc-cosine kernels of Cho and Saul, "Kernel methods for deep
learning", 2009, without their factor 2). Polar coordinates give, with cos psi = -rho,

    R_d(rho) = (d!/2pi) int_0^psi (cos t - cos psi)^d dt
             = (d!)^2 / (sqrt(8 pi) Gamma(d + 3/2)) x^(d + 1/2) 2F1(1/2, 1/2; d + 3/2; x/2)

with x = 1 + rho, a series of positive terms; and s^d = max(s,0)^d + (-1)^d max(-s,0)^d gives
M_d(rho) = 2 R_d(rho) + 2 (-1)^d R_d(-rho).

Hermite polynomial He_n (probabilists', leading coefficient 1; He_n has variance n! under N(0,1)).
From E exp(t u1 - t^2/2 + s u2 - s^2/2), with c the covariance and y = (v1 - 1)(v2 - 1),

    E He_n(u1) He_n(u2) = sum_m (n!/(2^m m!))^2 y^m c^(n-2m) / (n-2m)!,

which is n! rho^n for unit variances. For y < 0 it is n! w^n P_n(c/w), w^2 = c^2 - y, with P_n the
Legendre polynomial, and its recurrence replaces the alternating sum in floats.
"""

import math
from collections.abc import Callable
from functools import cache
from typing import Any

import mpmath
import numpy as np
from flint import arb
from scipy.special import hyp2f1

from numeric.arguments import Floats
from numeric.balls import monotone_enclosure
from numeric.dual_activations.formula import CORRELATION, Duals, Formula, ball_scale, scale, times
from numeric.dual_activations.piecewise import RELU, STEP

#: The coefficients of so high a power are some 500 integers of 9,000 bits; a tenfold degree would
#: take a thousand times as long.
MOST_DEGREE = 1000


@cache
def _mehler(degree: int) -> tuple[int, ...]:
    """(n!/(2^m m!))^2 / (n-2m)! for n = degree and m = 0, 1, ...: integers."""
    coefficients = [math.factorial(degree)]
    for m in range(degree // 2):
        left = degree - 2 * m
        coefficients.append(coefficients[m] * left * (left - 1) // (4 * (m + 1) ** 2))
    return tuple(coefficients)


def _float(integer: int) -> float:
    return float(integer) if integer.bit_length() < 1024 else math.inf


def _mehler_sum(degree: int, x: Any, y: Any, number: Callable[[int], Any]) -> Any:
    """The sum over m of the coefficients times x^(degree - 2m) y^m, in any arithmetic."""
    first, *others = map(number, _mehler(degree))
    total, square, power = first + 0 * x, x * x, y
    for coefficient in others:
        total = total * square + coefficient * power
        power = power * y
    return total * x if degree % 2 else total


# Powers


def _power(degree: int) -> Formula:
    return Formula(
        lambda rho, v1, v2: scale(v1, v2) ** degree * _mehler_sum(degree, rho, 1.0, _float),
        lambda rho, v1, v2: ball_scale(v1, v2) ** degree * _mehler_sum(degree, rho, arb(1), arb),
    )


@cache
def monomial(degree: int) -> Duals:
    """Duals of s^degree and of its derivative."""
    return Duals(_power(degree), times(_power(max(degree - 1, 0)), lambda: degree**2))


# Rectified powers


def _rectified_power(degree: int) -> Formula:
    """Dual of max(s, 0)^degree; steps and rays have their own, simpler formulas."""
    if degree < 2:
        return (STEP, RELU)[degree].dual

    def floats(rho: Floats, v1: Floats, v2: Floats) -> Floats:
        tail = _small_angle(degree, 1 - np.abs(rho))
        all_powers = _mehler_sum(degree, rho, 1.0, _float)
        upper = all_powers / 2 - (-1) ** degree * tail
        return np.asarray(scale(v1, v2) ** degree * np.where(rho > 0, upper, tail))

    def balls(rho: arb, v1: arb, v2: arb) -> arb:
        angular = monotone_enclosure(lambda end: _angular_ball(degree, 1 + end), rho, CORRELATION)
        return ball_scale(v1, v2) ** degree * angular

    return Formula(floats, balls)


def _small_angle(degree: int, x: Floats) -> Floats:
    """R_degree(x - 1) for 0 <= x <= 1, where the series at x/2 converges fast."""
    with mpmath.workdps(30):
        half = mpmath.mpf(1) / 2
        constant = mpmath.factorial(degree) ** 2 / mpmath.gamma(degree + 3 * half)
        first = float(constant / mpmath.sqrt(8 * mpmath.pi))
    series = hyp2f1(0.5, 0.5, degree + 1.5, x / 2)
    return np.asarray(first * x**degree * np.sqrt(x) * series)


def _angular_ball(degree: int, x: arb) -> arb:
    """R_degree(x - 1) at one point x of [0, 2]."""
    half = arb(0.5)
    series = (x / 2).hypgeom_2f1(half, half, degree + 3 * half)
    constant = arb(math.factorial(degree)) ** 2 / (degree + 3 * half).gamma()
    return constant * x**degree * (x / (8 * arb.pi())).sqrt() * series


@cache
def rectified_monomial(degree: int) -> Duals:
    """Duals of max(s, 0)^degree and of its derivative."""
    if degree == 0:
        return STEP
    return Duals(_rectified_power(degree), times(_rectified_power(degree - 1), lambda: degree**2))


# Hermite polynomials


def _hermite(degree: int) -> Formula:
    def floats(rho: Floats, v1: Floats, v2: Floats) -> Floats:
        c, y = rho * scale(v1, v2), (v1 - 1) * (v2 - 1)
        return np.where(y < 0, _legendre(degree, c, y), _mehler_sum(degree, c, y, _float))

    def balls(rho: arb, v1: arb, v2: arb) -> arb:
        covariance, y = rho * ball_scale(v1, v2), (v1 - 1) * (v2 - 1)
        value: arb = _mehler_sum(degree, covariance, y, arb)
        return value

    return Formula(floats, balls)


def _legendre(degree: int, c: Floats, y: Floats) -> Floats:
    """Evaluate n! w^n P_n(c/w), n = degree and w^2 = c^2 - y, by the three-term recurrence."""
    square = c * c - y
    previous, current = np.zeros_like(c), np.ones_like(c)
    for n in range(degree):
        following = (2 * n + 1) * c * current - n * n * square * previous
        previous, current = current, following
    return current


@cache
def hermite(degree: int) -> Duals:
    """Duals of He_degree and of its derivative degree He_(degree - 1)."""
    return Duals(_hermite(degree), times(_hermite(max(degree - 1, 0)), lambda: degree**2))

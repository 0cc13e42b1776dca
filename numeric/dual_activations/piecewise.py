r"""Duals of the activations made of two rays: p s for s > 0 and m s for s < 0.

With a = (p + m)/2 and b = (p - m)/2, so that phi(s) = a s + b|s|, polar coordinates give

    E phi(u1) phi(u2)   = sqrt(v1 v2) (a^2 rho + b^2 (2/pi)(sqrt(1 - rho^2) + rho arcsin rho)),
    E phi'(u1) phi'(u2) = a^2 + b^2 (2/pi) arcsin rho;

the second is also the dual of a step from m to p. In floats the first is summed as

    a^2 rho + ... = (a^2 + b^2) max(rho, 0) + p m min(rho, 0) + b^2 double_gap(|rho|),

with double_gap(r) = (2/pi)(sqrt(1 - r^2) - r arccos r) >= 0: two of these terms have opposite
signs only where the sum has a true zero.

The derivative of a step of height j is j delta_0 (as a distribution), and its dual is j^2 times
the joint density at (0, 0):  j^2 / (2 pi sqrt(v1 v2 (1 - rho^2))).
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from flint import arb

from numeric import cosine_map_balls
from numeric.arcsine import TWO_OVER_PI, double_gap
from numeric.arguments import POSITIVE, REAL, Floats, Interval, open_interval
from numeric.balls import by_slope, sine_of
from numeric.dual_activations.formula import CORRELATION, Duals, Formula, ball_scale, scale, sine


class Rays(NamedTuple):
    """Quadratic coefficients of two rays, in any arithmetic."""

    odd: Any  # a^2
    even: Any  # b^2
    total: Any  # a^2 + b^2
    product: Any  # a^2 - b^2 = p m


def _from_ab(a: Any, b: Any) -> Rays:
    return Rays(a * a, b * b, a * a + b * b, (a - b) * (a + b))


def _from_slope(slope: Any) -> Rays:
    odd, even = (1 + slope) / 2, (1 - slope) / 2
    return Rays(odd * odd, even * even, (1 + slope * slope) / 2, slope)


def _lines(rays: Rays, rho: Floats, v1: Floats, v2: Floats) -> Floats:
    above, below = np.maximum(rho, 0), np.minimum(rho, 0)
    kink = rays.even * double_gap(np.abs(rho))
    return np.asarray(scale(v1, v2) * (rays.total * above + rays.product * below + kink))


def _line_balls(rays: Rays, rho: arb, v1: arb, v2: arb) -> arb:
    # varrho(., 1) is the cosine map of |s|, and varrho_prime(., 1) is its derivative.
    def cosine(point: arb) -> Any:
        return rays.odd * point + rays.even * cosine_map_balls.varrho(point, arb(1))

    image = by_slope(cosine, lambda inside: _step_balls(rays, inside), rho, CORRELATION)
    return ball_scale(v1, v2) * image


def _steps(rays: Rays, rho: Floats) -> Floats:
    """a^2 + b^2 (2/pi) arcsin rho, near rho = -1 from the complementary angle."""
    low = rays.product + rays.even * (TWO_OVER_PI * np.arccos(-rho))
    centre = rays.odd + rays.even * (TWO_OVER_PI * np.arcsin(rho))
    return np.asarray(np.where(rho < -0.5, low, centre))


def _step_balls(rays: Rays, rho: arb) -> arb:
    value: arb = rays.odd + rays.even * cosine_map_balls.varrho_prime(rho, arb(1))
    return value


def _duals(rays: Callable[..., Rays], **parameters: Interval) -> Duals:
    """Both duals; the slope at 0 is not defined, so that the second asks for variances above 0."""
    return Duals(
        Formula(
            lambda rho, v1, v2, *p: _lines(rays(*p), rho, v1, v2),
            lambda rho, v1, v2, *p: _line_balls(rays(*p), rho, v1, v2),
            parameters,
        ),
        Formula(
            lambda rho, _v1, _v2, *p: _steps(rays(*p), rho),
            lambda rho, _v1, _v2, *p: _step_balls(rays(*p), rho),
            parameters,
            variance=POSITIVE,
        ),
    )


def _density_at_zero(weight: int) -> Formula:
    """Weight times the joint density of (u1, u2) at (0, 0), infinite at parallel inputs."""
    return Formula(
        lambda rho, v1, v2: weight / (2 * np.pi * scale(v1, v2) * sine(rho)),
        lambda rho, v1, v2: weight / (2 * arb.pi() * ball_scale(v1, v2) * sine_of(rho)),
        rho=open_interval(-1, 1),
        variance=POSITIVE,
    )


AB_RELU = _duals(_from_ab, a=REAL, b=REAL)
LEAKY_RELU = _duals(_from_slope, slope=REAL)
RELU = _duals(lambda: _from_ab(0.5, 0.5))
ABS = _duals(lambda: _from_ab(0, 1))
SIGN = Duals(ABS.derivative, _density_at_zero(2**2))
STEP = Duals(RELU.derivative, _density_at_zero(1))

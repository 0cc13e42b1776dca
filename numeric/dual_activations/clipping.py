r"""Dual of clip(s) = max(-B, min(s, B)), which has no closed form: a single integral.

Let h = B/sqrt v1, k = B/sqrt v2, and p_r the density of two standard normals of correlation r. The
second derivative of clip is delta_(-B) - delta_B, so that Price's theorem, used twice, gives

    E clip clip   = sqrt(v1 v2) (rho E0 + int_0^rho (rho - r) 2 (p_r(h, k) - p_r(h, -k)) dr),
    E clip' clip' = E0 + int_0^rho 2 (p_r(h, k) - p_r(h, -k)) dr,
    E0            = erf(h/sqrt 2) erf(k/sqrt 2);

the second is P(|u1| < B, |u2| < B). The first is odd in rho, the second even, and for rho > 0 only
positive terms are added. With r = tanh y, 0 < y < Y = artanh rho, the integrand is analytic but
for the zeros of cosh y:

    2 (p_r(h, k) - p_r(h, -k)) dr = (e^(-f(y)) - e^(-f(-y))) / (pi cosh y) dy,
    f(y) = ((h - k) cosh y)^2 / 2 + h k e^(-y) cosh y,      rho - r = sinh(Y - y) / (cosh Y cosh y).

At rho = 1, with g the smaller and m the larger of h, k and phi the standard normal density,

    E clip clip   = sqrt(v1 v2) (erf(g/sqrt 2) - 2 g phi(g)) + 2 (B^2/m) (phi(g) - phi(m))
                    + B^2 erfc(m/sqrt 2),
    E clip' clip' = erf(g/sqrt 2).
"""

from functools import cache

import numpy as np
from flint import acb, arb
from scipy.special import erf, erfc, gammainc

from numeric.arguments import POSITIVE, Floats, closed
from numeric.balls import monotone_enclosure
from numeric.dual_activations.formula import CORRELATION, Duals, Formula, ball_scale, scale

_UNIT = closed(0, 1)

# Floats

_FAR = 64.0  # beyond 64 standard deviations erfc and the density are below 10^-800
_PANELS = 24  # Y <= 18.8 for floats below 1, so that a panel is at most 0.8 wide
_NODES = 16  # the integrand varies over lengths of order 1: truncation is below rounding


@cache
def _panel() -> tuple[Floats, Floats]:
    nodes, weights = np.polynomial.legendre.leggauss(_NODES)
    return (nodes + 1) / 2, weights / 2


def _thresholds(v1: Floats, v2: Floats, bound: Floats) -> tuple[Floats, Floats]:
    with np.errstate(divide="ignore"):
        return np.minimum(bound / np.sqrt(v1), _FAR), np.minimum(bound / np.sqrt(v2), _FAR)


def _density_gap(y: Floats, h: Floats, k: Floats) -> Floats:
    """2 (p_r(h, k) - p_r(h, -k)) dr/dy at r = tanh y."""
    cosh = np.cosh(y)
    near = ((h - k) * cosh) ** 2 / 2 + h * k * np.exp(-y) * cosh
    return np.asarray(np.exp(-near) * -np.expm1(-2 * h * k * np.sinh(y) * cosh) / (np.pi * cosh))


def _integrals(size: Floats, h: Floats, k: Floats) -> tuple[Floats, Floats]:
    """The integrals over (0, size) of the density gap and of (size - r) times it (NaN at 1)."""
    end = np.arctanh(size)
    offsets, weights = _panel()
    total, moment = np.zeros_like(size), np.zeros_like(size)
    width = (end / _PANELS)[:, None]
    for panel in range(_PANELS):
        y = (panel + offsets) * width
        terms = weights * width * _density_gap(y, h[:, None], k[:, None])
        total += terms.sum(axis=1)
        moment += (terms * np.sinh(end[:, None] - y) / np.cosh(y)).sum(axis=1) / np.cosh(end)
    return total, moment


def _clip_slope(rho: Floats, v1: Floats, v2: Floats, bound: Floats) -> Floats:
    h, k = _thresholds(v1, v2, bound)
    size = np.abs(rho)
    total, _ = _integrals(size, h, k)
    independent = erf(h / np.sqrt(2)) * erf(k / np.sqrt(2))
    parallel = erf(np.minimum(h, k) / np.sqrt(2))
    return np.asarray(np.where(size < 1, independent + total, parallel))


def _clip(rho: Floats, v1: Floats, v2: Floats, bound: Floats) -> Floats:
    h, k = _thresholds(v1, v2, bound)
    size = np.abs(rho)
    _, moment = _integrals(size, h, k)
    independent = erf(h / np.sqrt(2)) * erf(k / np.sqrt(2))
    value = scale(v1, v2) * (size * independent + moment)
    return np.sign(rho) * np.where(size < 1, value, _clip_parallel(v1, v2, bound))


def _clip_parallel(v1: Floats, v2: Floats, bound: Floats) -> Floats:
    h, k = _thresholds(v1, v2, bound)
    least, most = np.minimum(h, k), np.maximum(h, k)
    # erf(g/sqrt 2) - 2 g phi(g) is the law of a chi variable with three degrees of freedom.
    linear = scale(v1, v2) * gammainc(1.5, least * least / 2)
    drop = -np.exp(-least * least / 2) * np.expm1(-(most - least) * (most + least) / 2)
    mixed = 2 * bound * np.sqrt(np.minimum(v1, v2)) * drop / np.sqrt(2 * np.pi)
    return np.asarray(linear + mixed + bound * (bound * erfc(most / np.sqrt(2))))


# Balls


def _ball_integral(size: arb, h: arb, k: arb, moment: bool) -> arb:
    """One of the two integrals over (0, size), at one point size of [0, 1)."""
    end = acb(size.atanh())

    def integrand(y: acb, _analytic: bool) -> acb:
        cosh, product = y.cosh(), acb(h * k)
        shared = -((acb(h - k) * cosh) ** 2) / 2
        near, far = shared - product * (-y).exp() * cosh, shared - product * y.exp() * cosh
        gap = (near.exp() - far.exp()) / (acb.pi() * cosh)
        return gap * (end - y).sinh() / (end.cosh() * cosh) if moment else gap

    return acb.integral(integrand, acb(0), end).real


def _erf_ball(threshold: arb) -> arb:
    return (threshold / arb(2).sqrt()).erf()


def _clip_slope_balls(rho: arb, v1: arb, v2: arb, bound: arb) -> arb:
    if v1.is_zero() or v2.is_zero():
        larger = v1 + v2
        return arb(1) if larger.is_zero() else _erf_ball(bound / larger.sqrt())
    h, k = bound / v1.sqrt(), bound / v2.sqrt()

    def at(size: arb) -> arb:
        if size == 1:
            return _erf_ball(h.min(k))
        return _erf_ball(h) * _erf_ball(k) + _ball_integral(size, h, k, moment=False)

    return monotone_enclosure(at, abs(rho), _UNIT)


def _clip_balls(rho: arb, v1: arb, v2: arb, bound: arb) -> arb:
    if v1.is_zero() or v2.is_zero():
        return arb(0)
    h, k = bound / v1.sqrt(), bound / v2.sqrt()

    def at(size: arb) -> arb:
        if size == 1:
            return _clip_parallel_balls(v1, v2, bound)
        moment = _ball_integral(size, h, k, moment=True)
        return ball_scale(v1, v2) * (size * _erf_ball(h) * _erf_ball(k) + moment)

    def odd(point: arb) -> arb:
        return at(point) if point >= 0 else -at(-point)

    return monotone_enclosure(odd, rho, CORRELATION)


def _clip_parallel_balls(v1: arb, v2: arb, bound: arb) -> arb:
    h, k = bound / v1.sqrt(), bound / v2.sqrt()
    least, most = h.min(k), h.max(k)
    linear = ball_scale(v1, v2) * (_erf_ball(least) - 2 * least * _normal_density(least))
    mixed = 2 * bound**2 / most * (_normal_density(least) - _normal_density(most))
    return linear + mixed + bound**2 * (most / arb(2).sqrt()).erfc()


def _normal_density(x: arb) -> arb:
    return (-(x**2) / 2).exp() / (2 * arb.pi()).sqrt()


CLIP = Duals(
    Formula(_clip, _clip_balls, {"bound": POSITIVE}),
    Formula(_clip_slope, _clip_slope_balls, {"bound": POSITIVE}),
)

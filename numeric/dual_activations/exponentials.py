r"""Duals of exp, sin, cos and Gaussians, from the moment generating function of (u1, u2).

With c = rho sqrt(v1 v2) the covariance, k the rate or frequency and p the phase,

    E exp(k u1) exp(k u2)         = exp(k^2 Var(u1 + u2) / 2),
    E sin(k u1 + p) sin(k u2 + p) = e^(-k^2 (v1 + v2)/2) (cos^2 p sinh k^2 c + sin^2 p cosh k^2 c),
    E cos(k u1 + p) cos(k u2 + p) = e^(-k^2 (v1 + v2)/2) (cos^2 p cosh k^2 c + sin^2 p sinh k^2 c),
    E exp(k u1^2) exp(k u2^2)     = det^(-1/2),
    4 k^2 E u1 u2 exp(k u1^2 + k u2^2) = 4 k^2 c det^(-3/2),
    det = det(I - 2k Sigma) = 1 - 2k (v1 + v2) + 4 k^2 v1 v2 (1 - rho^2).

The last two are finite if and only if I - 2k Sigma is positive definite, that is if det > 0 and
k (v1 + v2) < 1 (half of its trace is positive).
"""

import numpy as np
from flint import arb

from numeric.arguments import REAL, Floats
from numeric.dual_activations.formula import Duals, Formula, ball_scale, scale, sine, times, variance_of_sum

# Exponentials


def _exponential(rho: Floats, v1: Floats, v2: Floats, rate: Floats) -> Floats:
    return np.exp(rate * rate * variance_of_sum(rho, v1, v2) / 2)


def _exponential_balls(rho: arb, v1: arb, v2: arb, rate: arb) -> arb:
    return (rate * rate * ((v1 + v2) / 2 + rho * ball_scale(v1, v2))).exp()


_EXP = Formula(_exponential, _exponential_balls, {"rate": REAL})
EXP = Duals(_EXP, times(_EXP, lambda rate: rate * rate))


# Waves


def _hyperbolic(rho: Floats, v1: Floats, v2: Floats, frequency: Floats) -> tuple[Floats, Floats]:
    """e^(-k^2 (v1 + v2)/2) times cosh and sinh of k^2 c, neither of them over- or underflowing."""
    square = frequency * frequency
    size = np.abs(rho)
    envelope = np.exp(-square * variance_of_sum(-size, v1, v2) / 2) / 2
    decay = -2 * square * size * scale(v1, v2)
    return envelope * (1 + np.exp(decay)), -np.sign(rho) * envelope * np.expm1(decay)


def _hyperbolic_balls(rho: arb, v1: arb, v2: arb, frequency: arb) -> tuple[arb, arb]:
    square = frequency * frequency
    envelope = (-square * (v1 + v2) / 2).exp()
    sinh, cosh = (square * rho * ball_scale(v1, v2)).sinh_cosh()
    return envelope * cosh, envelope * sinh


def _cos(rho: Floats, v1: Floats, v2: Floats, frequency: Floats, phase: Floats) -> Floats:
    even, odd = _hyperbolic(rho, v1, v2, frequency)
    return np.asarray(np.cos(phase) ** 2 * even + np.sin(phase) ** 2 * odd)


def _cos_balls(rho: arb, v1: arb, v2: arb, frequency: arb, phase: arb) -> arb:
    even, odd = _hyperbolic_balls(rho, v1, v2, frequency)
    return phase.cos() ** 2 * even + phase.sin() ** 2 * odd


def _sin(rho: Floats, v1: Floats, v2: Floats, frequency: Floats, phase: Floats) -> Floats:
    even, odd = _hyperbolic(rho, v1, v2, frequency)
    return np.asarray(np.cos(phase) ** 2 * odd + np.sin(phase) ** 2 * even)


def _sin_balls(rho: arb, v1: arb, v2: arb, frequency: arb, phase: arb) -> arb:
    even, odd = _hyperbolic_balls(rho, v1, v2, frequency)
    return phase.cos() ** 2 * odd + phase.sin() ** 2 * even


_WAVE = {"frequency": REAL, "phase": REAL}
_COS, _SIN = Formula(_cos, _cos_balls, _WAVE), Formula(_sin, _sin_balls, _WAVE)
COS = Duals(_COS, times(_SIN, lambda frequency, _phase: frequency * frequency))
SIN = Duals(_SIN, times(_COS, lambda frequency, _phase: frequency * frequency))


# Gaussians

_TOO_STEEP = (
    "rate must lie below 1/(2 lambda), lambda the largest eigenvalue of the covariance of "
    "(u1, u2), where the expectation becomes infinite; got"
)


def root_determinant(rho: Floats, v1: Floats, v2: Floats, rate: Floats) -> Floats:
    """sqrt(det(I - 2 rate Sigma)); for rate < 0 all its terms are positive and cannot overflow."""
    trace_part = 1 - 2 * rate * (v1 + v2)
    determinant = trace_part + (2 * rate * v1) * (2 * rate * v2) * (1 - rho) * (1 + rho)
    too_steep = (rate > 0) & ((determinant <= 0) | (rate * (v1 + v2) >= 1))
    if too_steep.any():
        first = int(np.argmax(too_steep))
        given = f"rate {rate[first]:g}, variances ({v1[first]:g}, {v2[first]:g})"
        raise ValueError(f"{_TOO_STEEP} {given}, rho {rho[first]:g}")
    product = 2 * rate * scale(v1, v2) * sine(rho)
    decaying = np.hypot(np.sqrt(trace_part), product)
    return np.where(rate > 0, np.sqrt(determinant), decaying)


def determinant_ball(rho: arb, v1: arb, v2: arb, rate: arb) -> arb:
    """Ball around det(I - 2 rate Sigma), NaN if it may be 0 or negative."""
    determinant = (1 - 2 * rate * v1) * (1 - 2 * rate * v2) - (2 * rate * rho * ball_scale(v1, v2)) ** 2
    half_trace = 1 - rate * (v1 + v2)
    if determinant <= 0 or half_trace <= 0:
        raise ValueError(f"{_TOO_STEEP} rate {rate}, variances ({v1}, {v2}), rho {rho}")
    return determinant if determinant > 0 and half_trace > 0 else arb.nan()


def _gaussian(rho: Floats, v1: Floats, v2: Floats, rate: Floats) -> Floats:
    return 1 / root_determinant(rho, v1, v2, rate)


def _gaussian_balls(rho: arb, v1: arb, v2: arb, rate: arb) -> arb:
    return determinant_ball(rho, v1, v2, rate).rsqrt()


def _gaussian_slope(rho: Floats, v1: Floats, v2: Floats, rate: Floats) -> Floats:
    root = root_determinant(rho, v1, v2, rate)
    return (2 * rate / root) ** 2 * (rho * scale(v1, v2) / root)


def _gaussian_slope_balls(rho: arb, v1: arb, v2: arb, rate: arb) -> arb:
    determinant = determinant_ball(rho, v1, v2, rate)
    return 4 * rate * rate * rho * ball_scale(v1, v2) * determinant.rsqrt() / determinant


GAUSSIAN = Duals(
    Formula(_gaussian, _gaussian_balls, {"rate": REAL}),
    Formula(_gaussian_slope, _gaussian_slope_balls, {"rate": REAL}),
)

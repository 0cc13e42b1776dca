r"""Duals of erf(k s) and of the GELU phi(s) = s Phi(s), Phi the standard normal law.

Price's theorem, d/dc E phi(u1) phi(u2) = E phi'(u1) phi'(u2) in the covariance c, integrated from
c = 0 gives, with r = rho and c = r sqrt(v1 v2),

    E erf(k u1) erf(k u2) = (2/pi) arctan(2 k^2 c / sqrt(det)),  E phi' phi' = (4 k^2/pi)/sqrt(det),
    det = 1 + 2 k^2 (v1 + v2) + 4 k^4 v1 v2 (1 - r^2),

and, with A = 1 + v1, B = 1 + v2, D = AB - c^2, h = 1/A + 1/B and the angle
beta = arctan2(sqrt D, -c) in (0, pi), for the GELU

    2 pi E phi(u1) phi(u2)   = c beta + (v1 v2 (1 - r^2) + c^2 h) / sqrt D,
    2 pi E phi'(u1) phi'(u2) = beta + c h / sqrt D + c / D^(3/2).

For large variances and rho near -1 the first is small and its terms are not; then

    c beta + ... = |c| (tan beta - beta) + 1/sqrt D - h sqrt D   (c < 0),
    tan beta - beta = (tan^3 beta / 3) cos^2 beta 2F1(1, 1; 5/2; sin^2 beta)

whose terms are no larger than a few times the sum, except next to its zero.
"""

from typing import Any, NamedTuple

import numpy as np
from flint import arb
from scipy.special import hyp2f1

from numeric.arcsine import TWO_OVER_PI
from numeric.arguments import REAL, Floats
from numeric.balls import sine_of
from numeric.dual_activations.exponentials import determinant_ball, root_determinant
from numeric.dual_activations.formula import Duals, Formula, ball_scale, scale, sine

# erf


def _erf(rho: Floats, v1: Floats, v2: Floats, k: Floats) -> Floats:
    covariance = 2 * k * k * rho * scale(v1, v2)
    return TWO_OVER_PI * np.arctan2(covariance, root_determinant(rho, v1, v2, -k * k))


def _erf_balls(rho: arb, v1: arb, v2: arb, k: arb) -> arb:
    covariance = 2 * k * k * rho * ball_scale(v1, v2)
    return 2 * (covariance * determinant_ball(rho, v1, v2, -k * k).rsqrt()).atan() / arb.pi()


def _erf_slope(rho: Floats, v1: Floats, v2: Floats, k: Floats) -> Floats:
    return 4 / np.pi * k * (k / root_determinant(rho, v1, v2, -k * k))


def _erf_slope_balls(rho: arb, v1: arb, v2: arb, k: arb) -> arb:
    return 4 * k * k * determinant_ball(rho, v1, v2, -k * k).rsqrt() / arb.pi()


ERF = Duals(
    Formula(_erf, _erf_balls, {"scale": REAL}), Formula(_erf_slope, _erf_slope_balls, {"scale": REAL})
)


# GELU


class _Gelu(NamedTuple):
    """What both GELU formulas are made of, in any arithmetic."""

    c: Any
    height: Any  # sqrt(v1 v2 (1 - rho^2))
    harmonic: Any  # 1/A + 1/B
    root: Any  # sqrt D

    def plain(self, angle: Any) -> Any:
        """2 pi E phi phi, as c beta + (v1 v2 (1 - rho^2) + c^2 h) / sqrt D."""
        correlated = self.c / self.root * self.c * self.harmonic
        return self.c * angle + self.height * (self.height / self.root) + correlated

    def slope(self, angle: Any) -> Any:
        """2 pi E phi' phi', as beta + c h / sqrt D + c / D^(3/2)."""
        ratio = self.c / self.root
        return angle + ratio * self.harmonic + ratio / self.root / self.root


def _gelu_parts(rho: Floats, v1: Floats, v2: Floats) -> _Gelu:
    spread = scale(v1, v2)
    height = spread * sine(rho)
    root = np.hypot(np.sqrt(1 + v1 + v2), height)
    return _Gelu(rho * spread, height, 1 / (1 + v1) + 1 / (1 + v2), root)


def _gelu(rho: Floats, v1: Floats, v2: Floats) -> Floats:
    parts = _gelu_parts(rho, v1, v2)
    tangent = parts.root / np.abs(parts.c)
    opposed = np.abs(parts.c) * _tangent_minus_angle(np.minimum(tangent, 1))
    opposed += 1 / parts.root - parts.harmonic * parts.root
    plain = parts.plain(np.arctan2(parts.root, -parts.c))
    return np.asarray(np.where((parts.c < 0) & (tangent < 1), opposed, plain) / (2 * np.pi))


def _tangent_minus_angle(tangent: Floats) -> Floats:
    """Evaluate tan(beta) - beta from 0 <= tan(beta) <= 1."""
    square = tangent * tangent
    series = hyp2f1(1.0, 1.0, 2.5, square / (1 + square))
    return np.asarray(tangent * square / (3 * (1 + square)) * series)


def _gelu_slope(rho: Floats, v1: Floats, v2: Floats) -> Floats:
    parts = _gelu_parts(rho, v1, v2)
    return np.asarray(parts.slope(np.arctan2(parts.root, -parts.c)) / (2 * np.pi))


def _gelu_ball_parts(rho: arb, v1: arb, v2: arb) -> tuple[_Gelu, arb]:
    spread = ball_scale(v1, v2)
    c, height = rho * spread, sine_of(rho) * spread
    root = (1 + v1 + v2 + height * height).sqrt()
    parts = _Gelu(c, height, 1 / (1 + v1) + 1 / (1 + v2), root)
    return parts, arb.pi() / 2 + (c / root).atan()


def _gelu_balls(rho: arb, v1: arb, v2: arb) -> arb:
    parts, angle = _gelu_ball_parts(rho, v1, v2)
    value: arb = parts.plain(angle) / (2 * arb.pi())
    return value


def _gelu_slope_balls(rho: arb, v1: arb, v2: arb) -> arb:
    parts, angle = _gelu_ball_parts(rho, v1, v2)
    value: arb = parts.slope(angle) / (2 * arb.pi())
    return value


GELU = Duals(Formula(_gelu, _gelu_balls), Formula(_gelu_slope, _gelu_slope_balls))

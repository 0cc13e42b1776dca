"""A Gaussian pair in polar coordinates, and where an integrand with break lines is smooth.

With independent standard normals (x, y) = r (cos t, sin t), the pair

    u1 = s1 x,   u2 = s2 (rho x + sigma y),   sigma = sqrt(1 - rho^2)

has standard deviations s1, s2 and correlation rho, also for rho = 1 or -1, and

    E f(u1, u2) = 1/(2 pi) int_{-pi}^{pi} int_0^inf f r exp(-r^2 / 2) dr dt.

Let f be smooth but for the lines u1 = b and u2 = b. Along the ray at angle t they are met at one
radius each, which is smooth in t except where the ray turns parallel to a line. So the radial
integral, cut at these radii, is smooth in t between those directions and the directions of the
crossings of a line of u1 with a line of u2. For lines through the origin the radii drop out and
four sectors remain. None of this degenerates as rho tends to 1 or -1.
"""

from collections.abc import Sequence
from typing import Any, Protocol

from numeric.arguments import left_open

#: Degrees of a homogeneous function: from -2 on nothing is integrable at the origin, and beyond the
#: largest degree the Gamma function of the radius soon leaves every range.
DEGREES = left_open(-2, 10**6)


class Trigonometry(Protocol):
    """What is needed of an arithmetic: of mpmath.mp for numbers, of this module for arrays."""

    pi: Any

    def atan2(self, y: Any, x: Any) -> Any:
        """Return the angle of (x, y), 0 at the origin."""


def sector_ends(
    arithmetic: Trigonometry, rho: Any, sigma: Any, lines1: Sequence[Any], lines2: Sequence[Any]
) -> list[Any]:
    """Return angles in [-pi, pi], unsorted, between which the radial integral is smooth.

    lines1, lines2: the break points of u1 / s1 and of u2 / s2. Ends of sectors are harmless where
    they are not needed, so that the quarters are always among them.
    """
    atan2, pi = arithmetic.atan2, arithmetic.pi
    quarters = [factor * pi / 2 + 0 * rho for factor in (-2, -1, 0, 1, 2)]
    if not lines1 and not lines2:
        return quarters
    parallel_to_lines2 = [atan2(rho, -sigma), atan2(-rho, sigma)]
    crossings = [atan2(b2 - rho * b1, sigma * b1) for b1 in lines1 for b2 in lines2]
    return quarters + parallel_to_lines2 + crossings

"""Ball formulas in the angle t = arccos ρ, where the maps of the chapter are analytic at the ends.

With z = (1 - ρ)/2 = sin²(t/2) and segment(t) = sin t - t cos t,

    ζ(z) = z - (Δ/π) segment(t),      ζ'(z) = 1 - 2Δt/π.

The functions take a ball or a power series of balls, as ``numeric.certify`` asks.
"""

from fractions import Fraction
from typing import Any

from flint import arb


def exact(number: int | Fraction) -> arb:
    """A ball around a rational number."""
    value = Fraction(number)
    return arb(value.numerator) / value.denominator


def segment(t: Any) -> Any:
    """sin t - t cos t.

    It is positive on (0, π] and t³/3 near 0.
    """
    return t.sin() - t * t.cos()


def half_sine(t: Any) -> Any:
    """s = sin(t/2) = √z, the reciprocal of w."""
    return (t * exact(Fraction(1, 2))).sin()

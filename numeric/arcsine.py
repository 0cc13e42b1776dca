r"""The arcsine and its integral in float64, without cancellation: what the cosine maps are made of.

With c_n = (2n)! / (4^n n!^2 (2n+1)), the (positive) Taylor coefficients of arcsin,

    slope_gap(z) = (4/pi) arcsin sqrt z            = (4/pi) sqrt z    sum_n c_n z^n
    gap(z)       = int_0^z slope_gap = (sin t - t cos t) / pi, t = 2 arcsin sqrt z,
                                                   = (4/pi) z sqrt z  sum_n c_n z^n / (n + 3/2)

and around z = 1/2, with r = 1 - 2z,

    slope_gap(z) = 1 - (2/pi) arcsin r             = 1 - (2/pi) r     sum_n c_n r^2n
    gap(z)       = 1/pi - r/2 + (r^2 / 2 pi)                          sum_n c_n r^2n / (n + 1).

For z <= 1/4 in the first pair and |r| <= 1/2 in the second every sum is taken at u <= 1/4, where a
polynomial of degree 12 replaces it: the Chebyshev series on [0, 1/4], cut. Its coefficients fall
like those of the nearest singularity, u = 1, by 7 + sqrt 48 from each to the next, to 2^-56.
"""

import functools
import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.polynomial import Chebyshev, Polynomial
from numpy.typing import NDArray

from numeric.arguments import Floats

_DEGREES = {1 / 4: 12, 1 / 32: 7}  # of the polynomials on [0, 1/4] and on [0, 1/32]
_SPLITTER = 2.0**27 + 1  # Veltkamp's constant for 53-bit numbers

TWO_OVER_PI = 2 / np.pi
FOUR_OVER_PI = 4 / np.pi
_TWO_OVER_PI_REST = -3.935735335036497e-17  # 2/pi - TWO_OVER_PI
_HALF_GAP = 0.5 * ((1 - TWO_OVER_PI) - _TWO_OVER_PI_REST)  # 1/2 - 1/pi


def slope_gap(z: Floats) -> tuple[Floats, Floats]:
    """(4/pi) arcsin sqrt z for 0 <= z <= 1/4, as a float and the small rest that it misses."""
    root = np.sqrt(z)
    square, error = product(root, root)
    # The square of a tiny root underflows and says nothing about it; its rest does not matter.
    missed = np.where(z > 1e-200, (z - square - error) / (2 * root + 1e-300), 0.0)
    leading, rest = product(root, FOUR_OVER_PI)
    tail = 2 * _TWO_OVER_PI_REST + FOUR_OVER_PI * z * _at(_tail_coefficient, z)
    return leading, rest + (root * tail + FOUR_OVER_PI * missed)


def arcsine(r: Floats) -> Floats:
    """(2/pi) arcsin r for |r| <= 1/2."""
    square = r * r
    rest = _TWO_OVER_PI_REST + TWO_OVER_PI * square * _at(_tail_coefficient, square)
    return r * (TWO_OVER_PI + rest)


def relative_gap(z: Floats) -> Floats:
    """gap(z) / z for 0 <= z <= 1/4."""
    return relative_gap_of_root(np.sqrt(z), z)


def relative_gap_of_root(root: Floats, z: Floats, largest: float = 0.25) -> Floats:
    """gap(z) / z from both sqrt z and z, for 0 <= z <= largest <= 1/4."""
    return FOUR_OVER_PI * root * _at(_gap_coefficient, z, largest)


def double_gap(r: Floats) -> Floats:
    """2 gap((1 - r)/2) for 0 <= r <= 1."""
    return piecewise(r >= 0.5, _double_gap_near_end, _double_gap_at_centre, r)


def _double_gap_near_end(r: Floats) -> Floats:
    z = 0.5 - 0.5 * r
    return 2 * z * relative_gap(z)


def _double_gap_at_centre(r: Floats) -> Floats:
    return (TWO_OVER_PI - r) + (_TWO_OVER_PI_REST + _centre_rise(r * r))


def complement(z: Floats) -> Floats:
    """Return z - gap(z) for 0 <= z <= 1/2."""
    return piecewise(z <= 0.25, _complement_near_end, _complement_at_centre, z)


def _complement_near_end(z: Floats) -> Floats:
    return z * (1 - relative_gap(z))


def _complement_at_centre(z: Floats) -> Floats:
    r = 1 - 2 * z
    return _HALF_GAP - 0.5 * _centre_rise(r * r)


def _centre_rise(square: Floats) -> Floats:
    """(r^2/pi) sum c_n r^2n/(n+1) from r^2: the rise of (2/pi)(sqrt(1-r^2) + r arcsin r)."""
    return (0.5 * TWO_OVER_PI) * square * _at(_centre_coefficient, square)


def product(x: Floats, y: Floats | float) -> tuple[Floats, Floats]:
    """Return x y rounded, and its exact rounding error (Veltkamp, Dekker; |x|, |y| < 2^996)."""
    rounded = x * y
    x_high, x_low = _halves(x)
    y_high, y_low = (x_high, x_low) if x is y else _halves(y)
    error = ((x_high * y_high - rounded) + x_high * y_low + x_low * y_high) + x_low * y_low
    return rounded, error


def _halves(x: Any) -> tuple[Any, Any]:
    scaled = _SPLITTER * x
    high = scaled - (scaled - x)
    return high, x - high


def piecewise(
    first: NDArray[np.bool_],
    where_first: Callable[..., Floats],
    elsewhere: Callable[..., Floats],
    *arrays: Floats,
) -> Floats:
    """One formula where `first` holds and another elsewhere, on one-dimensional arrays."""
    chosen, others = np.flatnonzero(first), np.flatnonzero(~first)
    if not others.size:
        return where_first(*arrays)
    if not chosen.size:
        return elsewhere(*arrays)
    result = np.empty(first.size)
    result[chosen] = where_first(*(array[chosen] for array in arrays))
    result[others] = elsewhere(*(array[others] for array in arrays))
    return result


# The polynomials


def _at(term: Callable[[int], Fraction], u: Floats, largest: float = 0.25) -> Floats:
    """The power series with these coefficients, for 0 <= u <= largest <= 1/4."""
    first, *others = _polynomial(term, 1 / 32 if largest <= 1 / 32 else 1 / 4)
    value = np.full_like(u, first)
    for coefficient in others:
        value *= u
        value += coefficient
    return value


@functools.cache
def _polynomial(term: Callable[[int], Fraction], top: float) -> tuple[float, ...]:
    """Coefficients, highest first, of the Taylor series cut in the Chebyshev basis of [0, top].

    The series itself is cut at 30 terms, with a remainder below 4^-30.
    """
    taylor = Polynomial([float(term(n)) for n in range(30)])
    short = taylor.convert(domain=[0, top], kind=Chebyshev).truncate(_DEGREES[top] + 1)
    return tuple(map(float, short.convert(kind=Polynomial).coef[::-1]))


def _arcsine_coefficient(n: int) -> Fraction:
    """c_n."""
    return Fraction(math.comb(2 * n, n), 4**n * (2 * n + 1))


def _tail_coefficient(n: int) -> Fraction:
    return _arcsine_coefficient(n + 1)


def _gap_coefficient(n: int) -> Fraction:
    return _arcsine_coefficient(n) / (n + Fraction(3, 2))


def _centre_coefficient(n: int) -> Fraction:
    return _arcsine_coefficient(n) / (n + 1)

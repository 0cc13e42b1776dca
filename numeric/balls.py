"""Balls with care: ends, hulls, images under monotone functions, clipped roots and arcs.

A ball ``arb`` contains the true number. Three facts of ball arithmetic shape this module: a NaN
ball compares False with everything, so that ``not (x > 0)`` says nothing; a ball known to come
from [0, inf) or [-1, 1] may still stick out and turn ``sqrt`` or ``asin`` into NaN; and a long
computation on a wide ball overestimates, where a monotone function needs its two ends only.
"""

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction

import mpmath
from flint import arb, ctx, fmpq

from numeric.arguments import NONNEGATIVE, REAL, Interval, closed

COSINE = closed(-1, 1)


@contextmanager
def working_precision(prec: int, cap: int | None = None) -> Iterator[None]:
    """Set the precision in bits and the length of power series, both restored on leaving."""
    old_prec, old_cap = ctx.prec, ctx.cap
    ctx.prec, ctx.cap = prec, old_cap if cap is None else cap
    try:
        yield
    finally:
        ctx.prec, ctx.cap = old_prec, old_cap


def ball(value: Fraction | mpmath.mpf | float) -> arb:
    """A ball around one number: exact if it is dyadic and fits, else at flint's precision."""
    if isinstance(value, Fraction):
        return arb(fmpq(value.numerator, value.denominator))
    return arb(value)


def hull(lower: fmpq, upper: fmpq) -> arb:
    """Return a ball containing [lower, upper]; equal to it when both ends have few binary digits.

    The midpoint is a binary number, and the radius is computed from it in rational arithmetic and
    rounded up to 30 bits, as a ball stores it: the ball may exceed the interval, and never falls
    short of it. (Other constructors widen even an exactly representable radius, and [0, 1] would
    then stick out below 0.)
    """
    middle = arb((lower + upper) / 2).mid()
    centre = middle.fmpq()
    radius = max(upper - centre, centre - lower)
    bits = 30 + int(radius.q).bit_length() - int(radius.p).bit_length()
    mantissa = (radius * fmpq(2) ** bits).ceil()
    return arb(middle.man_exp(), (mantissa, -bits))


def float_below(x: arb) -> float:
    """Return a float that is at most every number in x."""
    return math.nextafter(float(x.lower()), -math.inf)


def clip(value: arb, lower: arb, upper: arb) -> arb:
    """A ball around the points of a ball between two bounds (sticking out by rounding alone)."""
    low, high = ends(value, lower, upper)
    return low.union(high)


def ends(value: arb, lower: arb, upper: arb) -> tuple[arb, arb]:
    """The two ends of a ball as exact numbers, moved into [lower, upper]."""
    low, high = (value, value) if value.is_exact() else (value.lower(), value.upper())
    low = lower if low < lower else min(low, upper)
    high = upper if high > upper else max(high, lower)
    return low, high


def monotone_enclosure(f: Callable[[arb], arb], x: arb, domain: Interval = REAL) -> arb:
    """Return a ball around the image of a ball, cut to a closed domain, under a monotone function.

    It is the hull of the values at the two ends, valid only for functions proved to be monotone
    (either way) on the whole of the ball; nothing is checked here. Worth it where evaluating them
    on the wide ball overestimates, as iterates of a map do. A ball that is one number but for
    rounding is handed to ``f`` as it is, unless that costs more than a few bits.

    >>> cube_minus = lambda x: 3 * x - x**3                    # increasing on [-1, 1]
    >>> x = arb(0.5, 0.25)
    >>> float(cube_minus(x).rad()) > 1.5 * float(monotone_enclosure(cube_minus, x).rad())
    True
    >>> print(monotone_enclosure(arb.sqrt, arb(0.5, 0.6), closed(0, 1)))
    [+/- 1.01]
    """
    rounded = _as_rounded(f, x, domain)
    if rounded is not None:
        return rounded
    low, high = ends(x, arb(domain.lower), arb(domain.upper))
    return f(low) if low == high else f(low).union(f(high))


def _as_rounded(f: Callable[[arb], arb], x: arb, domain: Interval) -> arb | None:
    """The value at a ball inside the domain that is one number but for rounding, if it is tight."""
    precision: int = ctx.prec
    if x.is_exact() or x.rel_accuracy_bits() < precision - _ROUNDED:
        return None
    if not domain.lower <= x <= domain.upper:
        return None
    value = f(x)
    return value if value.rel_accuracy_bits() >= precision - _LOST else None


# In bits: how much wider than a rounding error a ball may be to count as one number, and how much
# wider its image may be.
_ROUNDED, _LOST = 4, 12


def by_slope(
    function: Callable[[arb], arb], slope: Callable[[arb], arb], value: arb, domain: Interval
) -> arb:
    """A tight ball around the image of a ball under a function with the given derivative.

    Where the derivative is known well the value at the middle encloses the image, by the mean
    value theorem; where it keeps its sign the two ends do; and elsewhere the mean value theorem
    again. `function` is asked at exact points and at balls that are one number but for rounding,
    `slope` at a low precision, which is enough for a radius.
    """
    rounded = _as_rounded(function, value, domain)
    if rounded is not None:
        return rounded
    low, high = ends(value, arb(domain.lower), arb(domain.upper))
    if low == high:
        return function(low)
    inside = low.union(high)
    with working_precision(min(ctx.prec, _SLOPE_BITS)):
        steepness = slope(inside)
    known = steepness.rel_accuracy_bits() >= _TIGHT_SLOPE
    if not known and (steepness >= 0 or steepness <= 0):
        return function(low).union(function(high))
    middle = min(max(inside.mid(), low), high)
    return function(middle) + steepness * (inside - middle)


# A ball keeps 30 bits of its radius.
_SLOPE_BITS, _TIGHT_SLOPE = 64, 24


def sine_of(cosine: arb) -> arb:
    """Return a ball around sqrt(1 - rho^2) for rho in a ball, cut to [-1, 1]."""
    return monotone_enclosure(lambda r: ((1 - r) * (1 + r)).sqrt(), abs(cosine), closed(0, 1))


def _clipped(function: Callable[[arb], arb], x: arb, domain: Interval, name: str) -> arb:
    """Return the image of the part of x in a closed domain under a monotone function."""
    if not x.is_finite():
        return arb.nan()
    if x < domain.lower or x > domain.upper:
        raise ValueError(f"the argument of {name} must lie in {domain}, got {x}")
    return monotone_enclosure(function, x, domain)


def sqrt_nonnegative(x: arb) -> arb:
    """Return a ball containing sqrt of the true argument, which is known to be nonnegative.

    The part of the ball below 0 is dropped first, so that a ball around 0 has a root.

    Raises: ValueError if the whole ball is negative. A NaN or infinite ball gives NaN.

    >>> arb(0, 1).sqrt().is_nan()
    True
    >>> root = sqrt_nonnegative(arb(0, 1))
    >>> root >= 0, root.contains(0), root.contains(1)
    (True, True, True)
    """
    return _clipped(arb.sqrt, x, NONNEGATIVE, "sqrt").nonnegative_part()


def asin_clipped(x: arb) -> arb:
    """Return a ball containing asin of the true argument, which is known to lie in [-1, 1].

    Raises: ValueError if the ball misses [-1, 1]. A NaN or infinite ball gives NaN.

    >>> asin_clipped(arb(1, 1e-10)).contains(arb.pi() / 2)
    True
    """
    return _clipped(arb.asin, x, COSINE, "asin")


def acos_clipped(x: arb) -> arb:
    """Return a ball containing acos of the true argument, which is known to lie in [-1, 1].

    Raises: ValueError if the ball misses [-1, 1]. A NaN or infinite ball gives NaN.

    >>> acos_clipped(arb(1, 1e-10)).contains(0)
    True
    """
    return _clipped(arb.acos, x, COSINE, "acos")

"""Balls with care: hulls that lose nothing, clipped roots and arcs, working precision.

A ball ``arb`` contains the true number. Three facts of ball arithmetic shape this module: a NaN
ball compares False with everything, so that ``not (x > 0)`` says nothing; a ball known to come
from [0, inf) or [-1, 1] may still stick out and turn ``sqrt`` or ``asin`` into NaN; and a long
computation on a wide ball overestimates, where a monotonic function needs its two ends only.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from flint import arb, ctx, fmpq

from numeric.arguments import NONNEGATIVE, REAL, Interval, closed
from numeric.arithmetic import monotone

COSINE = closed(-1, 1)


@contextmanager
def working(prec: int, cap: int | None = None) -> Iterator[None]:
    """Set the precision in bits and the length of power series, both restored on leaving."""
    old_prec, old_cap = ctx.prec, ctx.cap
    ctx.prec, ctx.cap = prec, old_cap if cap is None else cap
    try:
        yield
    finally:
        ctx.prec, ctx.cap = old_prec, old_cap


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


def monotone_enclosure(f: Callable[[arb], arb], x: arb) -> arb:
    """Return a ball containing f(x) for f monotonic on the ball x: the hull of f at its two ends.

    Valid only for f proved to be monotonic (either way) on the whole of x; nothing is checked
    here. Worth it where evaluating f on the wide ball overestimates, as iterates of a map do.

    >>> cube_minus = lambda x: 3 * x - x**3                    # increasing on [-1, 1]
    >>> x = arb(0.5, 0.25)
    >>> float(cube_minus(x).rad()) > 1.5 * float(monotone_enclosure(cube_minus, x).rad())
    True
    """
    return monotone(f, x, REAL) if x.is_finite() else arb.nan()


def _clipped(function: Callable[[arb], arb], x: arb, domain: Interval, name: str) -> arb:
    """Return the image of the part of x in a closed domain under a monotonic function."""
    if not x.is_finite():
        return arb.nan()
    if x < domain.lower or x > domain.upper:
        raise ValueError(f"the argument of {name} must lie in {domain}, got {x}")
    return monotone(function, x, domain)


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

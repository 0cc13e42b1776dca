"""Intervals with exact ends, and interval arithmetic for sums, products and powers.

An end is a rational number, a rational multiple of pi, or infinite; whether it belongs to the
span is known. What has another end (a root, an exponential) is widened to a rational number.
"""

from collections.abc import Callable
from typing import NamedTuple

import sympy
from sympy import Expr, Integer, Rational, oo, pi

from symbolic.enclosure import enclose, sign_of
from symbolic.size import bits

_BITS = 64
_LONGEST = 4096


class Span(NamedTuple):
    """The real numbers between two ends, perhaps without 0.

    >>> UNIT.nonnegative, UNIT.positive, Span(Integer(0), oo, True, True).positive
    (True, False, True)
    """

    low: Expr
    high: Expr
    low_open: bool = False
    high_open: bool = False
    punctured: bool = False

    @property
    def nonnegative(self) -> bool:
        """Whether all numbers are at least 0."""
        return bool(self.low >= 0)

    @property
    def positive(self) -> bool:
        """Whether all numbers are above 0."""
        return bool(self.low > 0) or (self.low == 0 and (self.low_open or self.punctured))

    @property
    def nonzero(self) -> bool:
        """Whether 0 is not among the numbers."""
        return self.punctured or self.positive or self.negated().positive

    @property
    def is_point(self) -> bool:
        """Whether there is one number only."""
        return bool(self.low == self.high)

    def negated(self) -> "Span":
        """The numbers with the other sign."""
        return Span(-self.high, -self.low, self.high_open, self.low_open, self.punctured)

    def meet(self, other: "Span") -> "Span":
        """The numbers of both spans, which must have some in common.

        >>> UNIT.meet(Span(Integer(0), oo, True, True))
        Span(low=0, high=1, low_open=True, high_open=False, punctured=False)
        """
        low, low_open = _innermost(self.low, self.low_open, other.low, other.low_open)
        high, high_open = _innermost(-self.high, self.high_open, -other.high, other.high_open)
        return Span(low, -high, low_open, high_open, self.punctured or other.punctured)


UNIT = Span(Integer(0), Integer(1))
SYMMETRIC = Span(Integer(-1), Integer(1))
REALS = Span(-oo, oo, True, True)
POSITIVE = Span(Integer(0), oo, True, True)
NONNEGATIVE = Span(Integer(0), oo, False, True)
QUARTERS = Span(-pi / 2, pi / 2)


def _innermost(a: Expr, a_open: bool, b: Expr, b_open: bool) -> tuple[Expr, bool]:
    if a == b:
        return a, a_open or b_open
    return (a, a_open) if a > b else (b, b_open)


def point(number: Expr) -> Span:
    """The span of one number; a little more if it is no multiple of 1 or pi."""
    return _widened(number, number)


def _widened(low: Expr, high: Expr, low_open: bool = False, high_open: bool = False) -> Span:
    """A span with ends of the three kinds: another end moves outwards."""
    if not _is_plain(low):
        low, low_open = _beyond(low, -1), low.is_infinite or False
    if not _is_plain(high):
        high, high_open = _beyond(high, 1), high.is_infinite or False
    return Span(low, high, low_open or low.is_infinite, high_open or high.is_infinite)


def _is_plain(end: Expr) -> bool:
    return bool(end.is_Rational or end.as_coeff_Mul()[1] == pi or end.is_infinite)


def _beyond(end: Expr, direction: int) -> Expr:
    """A rational number on the given side of the end; infinity where no ball can be had."""
    ball = enclose(end, None, _BITS)
    if not ball.is_finite():
        return direction * oo
    mantissa, exponent = (ball.upper() if direction > 0 else ball.lower()).man_exp()
    if abs(int(exponent)) > _LONGEST:
        if int(mantissa) * direction >= 0:
            return direction * oo
        return -direction * Integer(2) ** _LONGEST if exponent > 0 else Integer(0)
    return Rational(int(mantissa)) * Rational(2) ** int(exponent)


def total(a: Span, b: Span) -> Span:
    """Sums of a number of each.

    >>> total(UNIT, Span(Integer(-1), Integer(2), True))
    Span(low=-1, high=3, low_open=True, high_open=False, punctured=False)
    """
    return _widened(a.low + b.low, a.high + b.high, a.low_open or b.low_open, a.high_open or b.high_open)


def product(a: Span, b: Span) -> Span:
    """Products of a number of each.

    >>> product(POSITIVE, Span(Integer(-1), Integer(0), False, True))
    Span(low=-oo, high=0, low_open=True, high_open=True, punctured=True)
    """
    corners = [
        _corner(x, y)
        for x in ((a.low, a.low_open), (a.high, a.high_open))
        for y in ((b.low, b.low_open), (b.high, b.high_open))
    ]
    low, low_open = _extreme(corners, min)
    high, high_open = _extreme(corners, max)
    found = _widened(low, high, low_open, high_open)
    return found._replace(punctured=a.nonzero and b.nonzero)


_End = tuple[Expr, bool]


def _corner(x: _End, y: _End) -> _End:
    """The product of two ends; 0 times infinity is 0, and a 0 that is reached makes one."""
    zeros = [is_open for end, is_open in (x, y) if end == 0]
    if zeros:
        return sympy.S.Zero, all(zeros)
    return x[0] * y[0], x[1] or y[1]


def _extreme(ends: list[_End], which: Callable[..., Expr]) -> _End:
    value = which((end for end, _ in ends))
    return value, all(is_open for end, is_open in ends if end == value)


def reciprocal(a: Span) -> Span:
    """Quotients 1/x for a span without 0."""
    if a.punctured and not (a.nonnegative or a.negated().nonnegative):
        return REALS._replace(punctured=True)
    if not a.positive:
        return reciprocal(a.negated()).negated()
    low = sympy.S.Zero if a.high == oo else 1 / a.high
    high = oo if a.low == 0 else 1 / a.low
    return _widened(low, high, a.high_open, a.low_open)


def power(a: Span, exponent: Rational) -> Span:
    """Powers of numbers; for an exponent that is no integer the span has none below 0.

    >>> power(SYMMETRIC, Integer(2)), power(UNIT, Rational(1, 2)).high
    (Span(low=0, high=1, low_open=False, high_open=False, punctured=False), 1)
    """
    if exponent < 0:
        return reciprocal(power(a, -exponent))
    if exponent.is_Integer and exponent % 2 == 0 and not a.nonnegative:
        return power(absolute(a), exponent)
    found = increasing(a, lambda end: _raised(end, exponent))
    return found._replace(punctured=a.nonzero)


def _raised(end: Expr, exponent: Rational) -> Expr:
    """A power of an end; left as it is, to be enclosed in a ball, if it has too many digits."""
    if not end.is_Rational or bits(end) <= 1 or bits(end) * abs(exponent) <= _LONGEST:
        return end**exponent
    return sympy.Pow(end, exponent, evaluate=False)


def absolute(a: Span) -> Span:
    """Absolute values."""
    if a.nonnegative:
        return a
    if a.negated().nonnegative:
        return a.negated()
    (high, is_open), zero = _extreme([(-a.low, a.low_open), (a.high, a.high_open)], max), 0
    return Span(Integer(zero), high, a.punctured, is_open, a.punctured)


def increasing(a: Span, function: Callable[[Expr], Expr]) -> Span:
    """Values of a function that increases on the span; infinite ends have their limit.

    >>> increasing(NONNEGATIVE, sympy.exp)
    Span(low=1, high=oo, low_open=False, high_open=True, punctured=False)
    """
    return _widened(function(a.low), function(a.high), a.low_open, a.high_open)


def decreasing(a: Span, function: Callable[[Expr], Expr]) -> Span:
    """Values of a function that decreases on the span."""
    return increasing(a, lambda end: -function(end)).negated()


def sine(a: Span) -> Span:
    """Sines: between ends where the function is monotone, [-1, 1] otherwise.

    >>> sine(Span(Integer(0), pi, True, True))
    Span(low=0, high=1, low_open=True, high_open=False, punctured=False)
    """
    half = pi / 2
    if a.low >= -half and a.high <= half:
        return increasing(a, sympy.sin)
    if a.low >= 0 and a.high <= pi:
        left, right = sympy.sin(a.low), sympy.sin(a.high)
        low, low_open = _extreme([(left, a.low_open), (right, a.high_open)], min)
        if a.low >= half:
            return decreasing(a, sympy.sin)
        return _widened(low, Integer(1), low_open)
    if a.low >= -pi and a.high <= 0:
        return sine(a.negated()).negated()
    return SYMMETRIC


def largest(a: Span, b: Span) -> Span:
    """The larger of a number of each."""
    low, low_open = _innermost(a.low, a.low_open, b.low, b.low_open)
    high, high_open = _extreme([(a.high, a.high_open), (b.high, b.high_open)], max)
    return Span(low, high, low_open, high_open)


def of_number(number: Expr) -> Span | None:
    """The span of a number without symbols; None if it is not known to be real.

    >>> of_number(sympy.sqrt(2) - 1).positive, of_number(sympy.log(-1)), of_number(sympy.zoo)
    (True, None, None)
    """
    if number.is_Rational:
        return Span(number, number)
    try:
        finite, sign = enclose(number).is_finite(), sign_of(number)
    except TypeError:
        return None
    if not finite or sign == 0:
        return point(sympy.S.Zero) if finite else None
    return point(number)._replace(punctured=sign is not None)


def half_line(span: Span | None) -> Span:
    """All numbers with the sign that the span has; all reals for None."""
    if span is None:
        return REALS
    for line in (POSITIVE, NONNEGATIVE):
        for one in (line, line.negated()):
            if span.meet(one) == span:
                return one
    return REALS._replace(punctured=span.nonzero)

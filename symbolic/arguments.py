"""Validation of arguments: exact numbers inside their domain, or symbols."""

import math
import re
import reprlib
from collections.abc import Collection, Mapping
from decimal import Decimal
from fractions import Fraction
from numbers import Integral, Rational, Real
from typing import Any, TypeVar

import sympy
from sympy import Expr, FiniteSet, ImmutableMatrix, Interval, MatrixBase, Range, Set, Symbol

from symbolic.enclosure import sign_of

Known = TypeVar("Known", str, int)
Exact = int | Fraction | Decimal | str | Expr

ANGLE = Interval.open(0, sympy.pi)
CORRELATION = Interval(-1, 1)
OPEN_CORRELATION = Interval.open(-1, 1)
UNIT = Interval(0, 1)
OPEN_UNIT = Interval.open(0, 1)
BEYOND_ONE = Interval.open(1, sympy.oo)
POSITIVE = Interval.open(0, sympy.oo)
REAL = sympy.Reals

#: Of numerator and denominator. SymPy looks for squares in numbers under a root: that takes two
#: seconds at 1000 digits, and grows with their third power.
MOST_DIGITS = 1000

_INTEGERS = (sympy.S.Integers, sympy.S.Naturals, sympy.S.Naturals0)
_SETS = (Interval, Range, FiniteSet, *map(type, _INTEGERS))
_LONG_EXPONENT = re.compile(r"e[+-]?[\d_]{5}", re.IGNORECASE)


def exact(value: Any, name: str) -> Expr:
    """Convert the value to an exact SymPy expression.

    Accepts an int, a Fraction, a Decimal, a string such as "0.1" or "1/3", and any real SymPy
    expression without floating-point numbers. Raises TypeError for a float (its decimal digits
    are not its value), a bool or anything else, ValueError for NaN, infinity, values that are not
    real, and rationals of more than MOST_DIGITS digits.

    >>> exact("0.1", "rho"), exact(Fraction(2, 4), "rho"), exact(sympy.sqrt(2), "rho")
    (1/10, 1/2, sqrt(2))
    >>> exact(0.1, "rho")
    Traceback (most recent call last):
      ...
    TypeError: rho must be exact, got the float 0.1; write "0.1" for the decimal ...
    """
    expression = _exact(value, name)
    if expression.is_Rational and max(abs(expression.p), expression.q) >= 10**MOST_DIGITS:
        raise _too_long(value, name)
    return expression


def _exact(value: Any, name: str) -> Expr:
    if isinstance(value, Expr):
        return _exact_expression(value, name)
    if isinstance(value, bool):
        raise TypeError(f"{name} must be an exact number or a SymPy expression, got {value}")
    if isinstance(value, str | Decimal):
        return _from_decimal(value, name)
    if isinstance(value, Integral):
        return sympy.Integer(int(value))
    if isinstance(value, Rational):
        return sympy.Rational(int(value.numerator), int(value.denominator))
    if isinstance(value, Real):
        raise TypeError(_float_message(float(value), name))
    raise TypeError(f"{name} must be an exact number or a SymPy expression, got {shown(value)}")


def exact_in(value: Any, name: str, domain: Interval) -> Expr:
    """Convert the value to an exact expression, refused if it is known to lie outside the interval.

    A symbol passes unless its assumptions put it outside. Raises ValueError naming the
    argument, the domain and the value; errors of `exact` otherwise.

    >>> exact_in("1/2", "rho", CORRELATION), exact_in(sympy.Symbol("rho"), "rho", CORRELATION)
    (1/2, rho)
    >>> exact_in("1.000000001", "rho", CORRELATION)
    Traceback (most recent call last):
      ...
    ValueError: rho must lie in [-1, 1], got 1.000000001
    """
    expression = exact(value, name)
    low, high = expression - domain.start, domain.end - expression
    if not (_may_be_above(low, domain.left_open) and _may_be_above(high, domain.right_open)):
        given = value if isinstance(value, str) else shown(value)
        raise ValueError(f"{name} must lie in {interval_text(domain)}, got {given}")
    return expression


def interval_text(domain: Interval) -> str:
    """Interval as it is written in error messages.

    >>> interval_text(BEYOND_ONE), interval_text(CORRELATION)
    ('(1, infinity)', '[-1, 1]')
    """
    ends = ["infinity" if end == sympy.oo else str(end) for end in (domain.start, domain.end)]
    return f"{'(' if domain.left_open else '['}{', '.join(ends)}{')' if domain.right_open else ']'}"


def natural(value: Any, name: str, least: int = 1) -> int:
    """Convert the value to a Python int that is at least `least`.

    >>> natural(3, "depth")
    3
    >>> natural(0, "depth")
    Traceback (most recent call last):
      ...
    ValueError: depth must be an integer at least 1, got 0
    """
    if isinstance(value, bool) or not isinstance(value, Integral | sympy.Integer):
        raise TypeError(f"{name} must be an integer at least {least}, got {shown(value)}")
    if int(value) < least:
        raise ValueError(f"{name} must be an integer at least {least}, got {shown(value)}")
    return int(value)


def choice(value: Any, name: str, known: Collection[Known]) -> Known:
    """Return the value if it is one of the known words or integers, else raise ValueError.

    >>> choice(2, "depth", (2, 3))
    2
    >>> choice("c", "part", ["a", "b"])
    Traceback (most recent call last):
      ...
    ValueError: part must be one of a, b, got 'c'
    """
    comparable = isinstance(value, str | Integral | sympy.Integer) and not isinstance(value, bool)
    for one in known if comparable else ():
        if one == value:
            return one
    raise ValueError(f"{name} must be one of {', '.join(map(str, known))}, got {shown(value)}")


def flag(value: Any, name: str) -> bool:
    """Return the value if it is True or False, else raise TypeError."""
    if not isinstance(value, bool):
        raise TypeError(f"{name} must be True or False, got {shown(value)}")
    return value


def symbol(value: Any, name: str) -> Symbol:
    """Return the value if it is a SymPy symbol, else raise TypeError.

    >>> symbol("u", "u")
    Traceback (most recent call last):
      ...
    TypeError: u must be a SymPy symbol, got 'u'
    """
    if not isinstance(value, Symbol):
        raise TypeError(f"{name} must be a SymPy symbol, got {shown(value)}")
    return value


def pair(value: Any, name: str, of: str) -> tuple[Any, Any]:
    """Return the two entries of a tuple or list, else raise TypeError; `of` shows them.

    >>> pair([1, 2], "variances", "v1, v2")
    (1, 2)
    """
    if not isinstance(value, tuple | list) or len(value) != 2:
        raise TypeError(f"{name} must be a pair ({of}), got {shown(value)}")
    return value[0], value[1]


def ranges(value: Any, name: str) -> Mapping[Symbol, Set]:
    """Return a mapping of symbols to sets of real numbers (none for None), else raise TypeError.

    The sets are those of SymPy: Interval, Range, FiniteSet, Reals, Integers, Naturals, Naturals0.

    >>> n = Symbol("n")
    >>> ranges({n: sympy.Range(1, 5)}, "domain")
    {n: Range(1, 5, 1)}
    """
    if value is None:
        return {}
    if not isinstance(value, Mapping) or not all(
        isinstance(x, Symbol) and isinstance(numbers, _SETS) for x, numbers in value.items()
    ):
        raise TypeError(f"{name} must map symbols to sets of real numbers, got {shown(value)}")
    return value


def exact_matrix(value: Any, name: str, shape: tuple[int | None, int | None]) -> ImmutableMatrix:
    """Convert the value to an immutable exact matrix; None in `shape` leaves a side free.

    >>> exact_matrix([[1, "1/2"]], "x", (None, 2))
    Matrix([[1, 1/2]])
    >>> exact_matrix([[1, 2]], "x", (2, None))
    Traceback (most recent call last):
      ...
    ValueError: x must have shape (2, any), got (1, 2)
    """
    try:
        rows = value.tolist() if isinstance(value, MatrixBase) else [list(row) for row in value]
    except TypeError as error:
        raise TypeError(f"{name} must be a matrix of exact numbers, got {shown(value)}") from error
    if not rows or len({len(row) for row in rows}) != 1:
        raise ValueError(f"{name} must be a matrix with rows of equal length, got {shown(value)}")
    found = (len(rows), len(rows[0]))
    if any(want not in (None, have) for want, have in zip(shape, found, strict=True)):
        wanted = ", ".join("any" if side is None else str(side) for side in shape)
        raise ValueError(f"{name} must have shape ({wanted}), got {found}")
    return ImmutableMatrix([[exact(entry, name) for entry in row] for row in rows])


def _exact_expression(value: Expr, name: str) -> Expr:
    if value.has(sympy.nan) or value.is_real is False:
        raise ValueError(f"{name} must be a real number, got {value}")
    floats = value.atoms(sympy.Float)
    if floats:
        raise TypeError(_float_message(float(min(floats)), name))
    return value


def _from_decimal(value: str | Decimal, name: str) -> Expr:
    if _LONG_EXPONENT.search(str(value)):
        raise _too_long(value, name)
    try:
        fraction = Fraction(value)
    except (ValueError, OverflowError, ZeroDivisionError) as error:
        raise ValueError(f'{name} must be a number such as "0.1" or "1/3", got {shown(value)}') from error
    return sympy.Rational(fraction.numerator, fraction.denominator)


def _too_long(value: Any, name: str) -> ValueError:
    wanted = f"a quotient of integers of at most {MOST_DIGITS} digits"
    return ValueError(f"{name} must be {wanted}, got {shown(value)}")


def _float_message(value: float, name: str) -> str:
    if not math.isfinite(value):
        return f"{name} must be an exact finite number, got the float {value}"
    return (
        f"{name} must be exact, got the float {value}; "
        f'write "{value}" for the decimal or Fraction({value}) for the binary value'
    )


def shown(value: Any) -> str:
    """A value as error messages show it, whatever it is."""
    if isinstance(value, str | list | tuple | MatrixBase):
        return reprlib.repr(value)
    try:
        return str(value)
    except ValueError:  # Python refuses to print integers of more than a few thousand digits
        return "a number too long to print"


def _may_be_above(distance: Expr, is_open: bool) -> bool:
    """Whether the signed distance from an end of the interval is not known to be wrong."""
    if distance.is_infinite:
        return True
    if distance.is_number:
        sign = sign_of(distance)
        return sign is None or sign > 0 or (sign == 0 and not is_open)
    return not (distance.is_negative or (is_open and distance.is_zero))

"""Checks of arguments: every error message names the argument, the domain and the value."""

import math
import numbers
import re
import reprlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any, SupportsInt, TypeGuard, cast

import mpmath
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_DECIMAL = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)(e([+-]?\d{1,5}))?", re.ASCII | re.IGNORECASE)
_LONG_EXPONENT = re.compile(r"e[+-]?[\d_]{6}", re.IGNORECASE)

#: The dual of a rectified power to so many digits takes 20 seconds, and ten times as many take 80
#: times as long: whoever asks for more has made a slip.
MOST_DIGITS = 100_000
#: The bits of so many digits.
MOST_BITS = math.ceil(MOST_DIGITS * math.log2(10))


@dataclass(frozen=True, slots=True)
class Interval:
    """A real interval with open or closed ends; an infinite end is always open.

    >>> print(closed(-1, 1), open_interval(1, math.inf), left_open(0, 1))
    [-1, 1] (1, infinity) (0, 1]
    >>> 1 in closed(-1, 1), 1 in open_interval(-1, 1), math.nan in REAL
    (True, False, False)
    """

    lower: int | float
    upper: int | float
    has_lower: bool
    has_upper: bool

    def __contains__(self, value: Any) -> bool:
        """Compare exactly; `value` is any real number Python can order (NaN is in no interval)."""
        above = value >= self.lower if self.has_lower else value > self.lower
        below = value <= self.upper if self.has_upper else value < self.upper
        return bool(above and below)

    def outside(self, values: Floats) -> NDArray[np.bool_]:
        """Which entries of an array lie outside; NaN does."""
        above = values >= self.lower if self.has_lower else values > self.lower
        below = values <= self.upper if self.has_upper else values < self.upper
        return ~(above & below)

    def __str__(self) -> str:
        left, right = "[" if self.has_lower else "(", "]" if self.has_upper else ")"
        return f"{left}{_end(self.lower)}, {_end(self.upper)}{right}"


def _end(value: int | float) -> str:
    if math.isinf(value):
        return "infinity" if value > 0 else "-infinity"
    return f"{value:g}"


def closed(lower: int | float, upper: int | float) -> Interval:
    """[lower, upper]; an infinite end is left open."""
    return Interval(lower, upper, not math.isinf(lower), not math.isinf(upper))


def open_interval(lower: int | float, upper: int | float) -> Interval:
    """(lower, upper)."""
    return Interval(lower, upper, has_lower=False, has_upper=False)


def left_open(lower: int | float, upper: int | float) -> Interval:
    """(lower, upper]; an infinite upper end is left open."""
    return Interval(lower, upper, has_lower=False, has_upper=not math.isinf(upper))


def right_open(lower: int | float, upper: int | float) -> Interval:
    """[lower, upper); an infinite lower end is left open."""
    return Interval(lower, upper, has_lower=not math.isinf(lower), has_upper=False)


REAL = open_interval(-math.inf, math.inf)
POSITIVE = open_interval(0, math.inf)
NONNEGATIVE = closed(0, math.inf)


def is_array(value: object) -> bool:
    """Whether a value is to be treated entry by entry."""
    return isinstance(value, (np.ndarray, list, tuple))


def real_number(name: str, value: object, domain: Interval = REAL) -> float:
    """`value` as a float in `domain`; integers and fractions are compared before they are rounded.

    Raises TypeError for anything but a real number (booleans, strings and complex numbers are
    none) and ValueError outside the domain, NaN and infinities included.

    >>> real_number("rho", Fraction(1, 2), closed(-1, 1))
    0.5
    >>> real_number("rho", 1.000000001, closed(-1, 1))
    Traceback (most recent call last):
    ...
    ValueError: rho must lie in [-1, 1], got 1.000000001
    """
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, numbers.Real):
        raise TypeError(_not_real(name, domain, value))
    if value not in domain:
        raise ValueError(_outside(name, domain, value))
    try:
        rounded = float(value)
    except OverflowError:
        rounded = math.inf
    if rounded not in domain:
        raise ValueError(f"{_outside(name, domain, value)}, which as a float is {rounded}")
    return rounded


def real_array(
    name: str, value: object, domain: Interval = REAL, shape: tuple[int | str, ...] | None = None
) -> Floats:
    """`value` as a float64 array with all entries in `domain` and, if given, of that shape.

    A letter in `shape` stands for any length, and the same letter for the same length; "..." in
    front of the others stands for any axes.
    Raises TypeError for entries that are not real numbers, ValueError for entries outside the
    domain (NaN and infinities included) and for another shape.

    >>> real_array("x", [[1, 2], [3, 4]], shape=("n", "d")).shape
    (2, 2)
    >>> real_array("x", [1, 2], shape=("n", "d"))
    Traceback (most recent call last):
    ...
    ValueError: x must have shape (n, d), got shape (2,)
    """
    if not is_array(value):
        array = np.array(real_number(name, value, domain))
    else:
        array = _numeric_array(name, value, domain)
        bad = domain.outside(array)
        if bad.any():
            index = tuple(int(i) for i in np.argwhere(bad)[0])
            raise ValueError(f"{_outside(name, domain, float(array[index]))} at index {index}")
    if shape is not None:
        _check_shape(name, array.shape, shape)
    return array


def _numeric_array(name: str, value: object, domain: Interval) -> Floats:
    try:
        array = np.asarray(value)
    except ValueError as error:
        raise ValueError(f"{name} must be a rectangular array, got {shown(value)}") from error
    if array.size == 0 and array.dtype.kind == "f":
        return array.astype(np.float64)
    if array.dtype.kind == "O":
        flat = [real_number(name, entry, domain) for entry in array.flat]
        return np.array(flat, dtype=np.float64).reshape(array.shape)
    if array.dtype.kind not in "iuf":
        raise TypeError(_not_real(name, domain, value))
    return array.astype(np.float64, copy=False)


def _check_shape(name: str, given: tuple[int, ...], wanted: tuple[int | str, ...]) -> None:
    lengths: dict[str, int] = {}
    leading = wanted[:1] == ("...",)
    named = wanted[1:] if leading else wanted
    last = given[max(0, len(given) - len(named)) :] if leading else given
    fits = len(last) == len(named) and all(
        actual == (lengths.setdefault(length, actual) if isinstance(length, str) else length)
        for actual, length in zip(last, named, strict=True)
    )
    if not fits:
        pattern = ", ".join(map(str, wanted)) + ("," if len(wanted) == 1 else "")
        raise ValueError(f"{name} must have shape ({pattern}), got shape {given}")


def exact_number(name: str, value: object, domain: Interval = REAL) -> Fraction | mpmath.mpf:
    """`value` without any rounding: what `digits=` evaluates at.

    Takes integers, fractions (any `numbers.Rational`), decimal strings such as "0.3" (with an
    exponent of at most five digits), floats and mpmath numbers, the last two at their exact binary
    value. Raises TypeError for other types, ValueError for other strings and outside the domain.

    >>> exact_number("delta", "0.3"), exact_number("delta", 0.5)
    (Fraction(3, 10), Fraction(1, 2))
    """
    exact = _exact(name, value, domain)
    if exact not in domain:
        raise ValueError(_outside(name, domain, value))
    return exact


def written_fraction(name: str, text: str) -> Fraction:
    """The fraction that a string such as "0.3", "1e-3" or "1/3" denotes, else ValueError.

    An exponent has at most five digits: a few more, and the number would fill the memory.
    """
    if _LONG_EXPONENT.search(text):
        raise ValueError(f"{name} must have an exponent of at most five digits, got {shown(text)}")
    try:
        return Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise ValueError(f"{name} must be a finite rational number, got {shown(text)}") from None


def exact_array(name: str, value: object, shape: tuple[int | str, ...]) -> NDArray[np.object_]:
    """`value` as an array of Fractions, without any rounding, of the given shape.

    Entries as for `exact_number`, letters in `shape` as for `real_array`.

    >>> exact_array("x", [["0.1", 2]], shape=("n", "d"))
    array([[Fraction(1, 10), Fraction(2, 1)]], dtype=object)
    """
    array = np.asarray(value, dtype=object)
    _check_shape(name, array.shape, shape)
    result = np.empty(array.shape, dtype=object)
    for index, entry in np.ndenumerate(array):
        exact = exact_number(name, entry)
        if not isinstance(exact, Fraction):
            exact = Fraction(*map(int, mpmath.libmp.to_rational(exact._mpf_)))
        result[index] = exact
    return result


def _exact(name: str, value: object, domain: Interval) -> Fraction | mpmath.mpf:
    if type(value) is int:
        return Fraction(value)
    if isinstance(value, str):
        if not _DECIMAL.fullmatch(value):
            raise ValueError(f"{name} must be a decimal number in {domain}, got {shown(value)}")
        return Fraction(*Decimal(value).as_integer_ratio())  # of any length, unlike an int
    if isinstance(value, (bool, np.bool_)):
        raise TypeError(_not_real(name, domain, value))
    if isinstance(value, numbers.Rational):
        return Fraction(int(value.numerator), int(value.denominator))
    if isinstance(value, mpmath.mpf):
        return value
    if isinstance(value, (float, np.floating)):
        if not math.isfinite(value):
            raise ValueError(_outside(name, domain, value))
        return Fraction(*value.as_integer_ratio())
    raise TypeError(_not_real(name, domain, value))


def positive_integer(name: str, value: object) -> int:
    """`value` as an int of at least 1; TypeError for other types, ValueError below 1.

    >>> positive_integer("depth", 0)
    Traceback (most recent call last):
    ...
    ValueError: depth must be a positive integer, got 0
    """
    return integer(name, value, least=1)


def integer(name: str, value: object, least: int, most: int | None = None) -> int:
    """`value` as an int from `least` to `most`; booleans and floats are no integers.

    >>> integer("layer", 4, 1, 3)
    Traceback (most recent call last):
    ...
    ValueError: layer must be an integer in [1, 3], got 4
    """
    if not _is_integer(value):
        raise TypeError(f"{name} must be {_integers(least, most)}, got {shown(value)}")
    number = int(value)
    if number < least or (most is not None and number > most):
        raise ValueError(f"{name} must be {_integers(least, most)}, got {shown(number)}")
    return number


def _is_integer(value: object) -> TypeGuard[SupportsInt]:
    if type(value) is int:
        return True
    return isinstance(value, numbers.Integral) and not isinstance(value, (bool, np.bool_))


def _integers(least: int, most: int | None) -> str:
    if most is not None:
        zeros = len(str(most)) - 1
        short = zeros >= 15 and most == 10**zeros
        return f"an integer in [{least}, {f'10^{zeros}' if short else most}]"
    return "a positive integer" if least == 1 else f"an integer of at least {least}"


def decimal_digits(digits: object) -> int:
    """The argument `digits` as an int in [1, MOST_DIGITS]."""
    return integer("digits", digits, 1, MOST_DIGITS)


def precision_bits(prec: object) -> int:
    """The argument `prec`, a precision in bits, as an int in [16, MOST_BITS]."""
    return integer("prec", prec, 16, MOST_BITS)


def one_of(name: str, value: object, known: Collection[str]) -> str:
    """`value` if it is one of the known words, else ValueError.

    >>> one_of("alternative", "lower", ("greater", "less"))
    Traceback (most recent call last):
    ...
    ValueError: alternative must be one of 'greater', 'less', got 'lower'
    """
    if not isinstance(value, str) or value not in known:
        raise ValueError(f"{name} must be one of {', '.join(map(repr, known))}, got {shown(value)}")
    return value


def flag(name: str, value: object) -> bool:
    """`value` as a bool; nothing else is true or false."""
    if not isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name} must be True or False, got {shown(value)}")
    return bool(value)


def identifier(name: str, value: object) -> str:
    """`value` if it is a word that can name a variable, as keyword arguments do."""
    if not isinstance(value, str) or not value.isidentifier():
        raise TypeError(f"{name} must be the name of a variable, got {shown(value)}")
    return value


def sentence(name: str, value: object) -> str:
    """`value` if it is a string, to be quoted to the reader."""
    if not isinstance(value, str):
        raise TypeError(f"{name} must be a string, got {shown(value)}")
    return value


def is_sequence(value: object) -> bool:
    """Whether `value` lists things: a tuple, a list, a range or an array, but no string."""
    listed = isinstance(value, Sequence) and not isinstance(value, str | bytes)
    return listed or (isinstance(value, np.ndarray) and value.ndim > 0)


def sequence(name: str, value: object, of: str) -> tuple[Any, ...]:
    """The entries of a tuple, list, range or array, else TypeError; `of` says what they are.

    >>> sequence("breaks", 0, of="numbers")
    Traceback (most recent call last):
    ...
    TypeError: breaks must be a sequence of numbers, got 0
    """
    if not is_sequence(value):
        raise TypeError(f"{name} must be a sequence of {of}, got {shown(value)}")
    return tuple(cast(Sequence[Any], value))


def pair(name: str, value: object, of: str) -> tuple[Any, Any]:
    """The two entries of such a sequence, else TypeError; `of` shows them.

    >>> pair("variances", (1, 2, 3), of="v1, v2")
    Traceback (most recent call last):
    ...
    TypeError: variances must be a pair (v1, v2), got (1, 2, 3)
    """
    if not is_sequence(value) or len(cast(Sequence[Any], value)) != 2:
        raise TypeError(f"{name} must be a pair ({of}), got {shown(value)}")
    first, second = cast(Sequence[Any], value)
    return first, second


def _outside(name: str, domain: Interval, value: object) -> str:
    return f"{name} must lie in {domain}, got {shown(value)}"


def _not_real(name: str, domain: Interval, value: object) -> str:
    return f"{name} must be a real number in {domain}, got {shown(value)}"


def shown(value: object) -> str:
    """A value as error messages show it: briefly, whatever it is."""
    if isinstance(value, (str, bytes, np.ndarray, list, tuple)):
        return reprlib.repr(value)
    try:
        text = str(value)
    except ValueError:  # Python refuses to print integers of more than a few thousand digits
        return "a number too long to print"
    return text if len(text) <= 60 else f"{text[:40]}...{text[-10:]}"

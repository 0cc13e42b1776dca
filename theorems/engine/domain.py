"""Machine-readable domains of a claim's variables: what is quantified over, ends included."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from numbers import Integral, Real
from typing import Any

__all__ = [
    "Choices",
    "ClaimError",
    "Domain",
    "Integers",
    "Interval",
    "choices",
    "half_line",
    "integers",
    "interval",
    "open_interval",
    "reals",
]

End = int | Fraction | float


class ClaimError(ValueError):
    """A claim's record, or the registry as a whole, is not well formed."""


@dataclass(frozen=True)
class Interval:
    """A real interval; an infinite end is always open.

    >>> print(open_interval(-1, 1), half_line(0))
    (-1, 1) [0, infinity)
    >>> 1 in open_interval(-1, 1)
    False
    """

    lower: End
    upper: End
    closed_below: bool = True
    closed_above: bool = True

    def __post_init__(self) -> None:
        ends = (self.lower, self.upper)
        if any(isinstance(end, bool) or not isinstance(end, Real) for end in ends):
            raise ClaimError(f"an interval's ends are real numbers, got {ends}")
        if not self.lower < self.upper:
            raise ClaimError(f"an interval needs lower < upper, got {ends}")
        if math.isinf(self.lower):
            object.__setattr__(self, "closed_below", False)
        if math.isinf(self.upper):
            object.__setattr__(self, "closed_above", False)

    def __contains__(self, value: Any) -> bool:
        above = value >= self.lower if self.closed_below else value > self.lower
        below = value <= self.upper if self.closed_above else value < self.upper
        return bool(above and below)

    def __str__(self) -> str:
        left, right = "[(", "])"
        ends = (_print(self.lower), _print(self.upper))
        return f"{left[not self.closed_below]}{', '.join(ends)}{right[not self.closed_above]}"

    def latex(self) -> str:
        r"""The interval in LaTeX.

        >>> print(half_line(math.sqrt(2)).latex(), reals().latex())
        [\sqrt{2}, \infty) \mathbb{R}
        """
        if math.isinf(self.lower) and math.isinf(self.upper):
            return r"\mathbb{R}"
        left, right = "[("[not self.closed_below], "])"[not self.closed_above]
        return f"{left}{_latex(self.lower)}, {_latex(self.upper)}{right}"


@dataclass(frozen=True)
class Integers:
    """The integers from ``lower`` to ``upper`` (``None``: without end).

    >>> print(integers(1), integers(1, 2), integers(0, 9))
    {1, 2, ...} {1, 2} {0, 1, ..., 9}
    """

    lower: int
    upper: int | None = None

    def __post_init__(self) -> None:
        ends = (self.lower,) if self.upper is None else (self.lower, self.upper)
        if not all(_is_integer(end) for end in ends) or ends[0] > ends[-1]:
            raise ClaimError(f"integers need integer ends, lower <= upper, got {ends}")

    def __contains__(self, value: Any) -> bool:
        fits = _is_integer(value) and value >= self.lower
        return bool(fits and (self.upper is None or value <= self.upper))

    def __str__(self) -> str:
        if self.upper is None:
            return f"{{{self.lower}, {self.lower + 1}, ...}}"
        if self.upper - self.lower < 3:
            return "{" + ", ".join(map(str, range(self.lower, self.upper + 1))) + "}"
        return f"{{{self.lower}, {self.lower + 1}, ..., {self.upper}}}"

    def latex(self) -> str:
        r"""The integers in LaTeX.

        >>> print(integers(2).latex(), integers(1, 2).latex())
        \{2, 3, \ldots\} \{1, 2\}
        """
        return _braced(str(self).replace("...", r"\ldots"))


@dataclass(frozen=True)
class Choices:
    """A finite set."""

    values: tuple[Any, ...]

    def __post_init__(self) -> None:
        if not self.values:
            raise ClaimError("a finite set of values must not be empty")

    def __contains__(self, value: Any) -> bool:
        return value in self.values

    def __str__(self) -> str:
        return "{" + ", ".join(str(value) for value in self.values) + "}"

    def latex(self) -> str:
        r"""The set in LaTeX: numbers as they are, names upright.

        >>> print(choices([-1, Fraction(1, 2), "relu"]).latex())
        \{-1, \tfrac{1}{2}, \mathrm{relu}\}
        """
        return _braced("{" + ", ".join(map(_latex, self.values)) + "}")


Domain = Interval | Integers | Choices


def _is_integer(value: Any) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool)


def _print(end: End) -> str:
    return ("-" if end < 0 else "") + "infinity" if math.isinf(end) else str(end)


def _latex(value: Any) -> str:
    """An end or an element: fractions, infinity, and the floats that are roots of integers."""
    if isinstance(value, bool) or not isinstance(value, int | float | Fraction):
        return rf"\mathrm{{{value}}}".replace("_", r"\_")
    size = abs(value)
    if isinstance(size, Fraction) and size.denominator > 1:
        written = rf"\tfrac{{{size.numerator}}}{{{size.denominator}}}"
    elif isinstance(size, float):
        written = _float(size)
    else:
        written = str(size)
    return f"-{written}" if value < 0 else written


def _float(size: float) -> str:
    if math.isinf(size):
        return r"\infty"
    square = round(size * size)
    root = not size.is_integer() and math.sqrt(square) == size
    return rf"\sqrt{{{square}}}" if root else repr(size).removesuffix(".0")


def _braced(text: str) -> str:
    return rf"\{{{text[1:-1]}\}}"


def interval(lower: End, upper: End) -> Interval:
    """The closed interval [lower, upper]."""
    return Interval(lower, upper)


def open_interval(lower: End, upper: End) -> Interval:
    """The open interval (lower, upper)."""
    return Interval(lower, upper, closed_below=False, closed_above=False)


def half_line(lower: End, *, closed: bool = True) -> Interval:
    """The half-line [lower, infinity), or (lower, infinity)."""
    return Interval(lower, math.inf, closed_below=closed)


def reals() -> Interval:
    """The real line."""
    return Interval(-math.inf, math.inf)


def integers(lower: int, upper: int | None = None) -> Integers:
    """The integers from ``lower`` on, or up to ``upper``."""
    return Integers(lower, upper)


def choices(values: Sequence[Any]) -> Choices:
    """A finite set of values."""
    return Choices(tuple(values))

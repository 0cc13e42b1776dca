"""Boxes: one finite closed interval per named variable, its ends known exactly or as balls.

Subdivision happens in rational arithmetic. An irrational end (a multiple of pi, or a ball) is
covered by a rational just outside it, so that the rational cells cover the true box; whether a
rational point lies *in* the true box is decided separately, and only certainly-inside points may
refute anything.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from numbers import Rational
from typing import TypeAlias

from flint import arb, fmpq, fmpz

from numeric.arguments import shown, written_fraction
from numeric.certify.outcome import Range

Exact: TypeAlias = int | Fraction | fmpz | fmpq | str
Real: TypeAlias = Exact | arb

_MULTIPLE_OF_PI = re.compile(r"(?P<sign>-?)(?:(?P<times>[0-9./]+)\*)?pi(?:/(?P<over>[0-9]+))?")


@dataclass(frozen=True)
class End:
    """A real number: exactly rational, a rational multiple of pi, or any number of a ball."""

    label: str
    rational: fmpq | None = None
    times_pi: fmpq | None = None
    given: arb | None = None

    def ball(self) -> arb:
        """Return a ball containing the number, at the working precision."""
        if self.rational is not None:
            return arb(self.rational)
        if self.times_pi is not None:
            return arb.pi() * arb(self.times_pi)
        assert self.given is not None
        return self.given

    def below(self) -> fmpq:
        """Return a rational that is at most the number; the number itself if it is rational."""
        return self.rational if self.rational is not None else self.ball().lower().fmpq()

    def above(self) -> fmpq:
        """Return a rational that is at least the number; the number itself if it is rational."""
        return self.rational if self.rational is not None else self.ball().upper().fmpq()


def exact_rational(value: object, name: str = "the value") -> fmpq:
    """Return an int, a fraction, or a decimal or quotient string as the rational it denotes.

    Raises: TypeError for a float (write '0.1' or a Fraction: 0.1 is not a tenth) or another
    type; ValueError for a string that is no number.

    >>> exact_rational("0.1") == exact_rational(Fraction(1, 10))
    True
    """
    if isinstance(value, fmpq):
        return value
    if isinstance(value, fmpz):
        return fmpq(value)
    if isinstance(value, bool) or not isinstance(value, Rational | str):
        raise TypeError(
            f"{name} must be an int, a Fraction, an fmpq or a string such as '0.1' or '1/3', "
            f"got {shown(value)}"
        )
    if isinstance(value, str):
        value = written_fraction(name, value)
    return fmpq(int(value.numerator), int(value.denominator))


def real_end(value: Real | End, name: str = "the end") -> End:
    """Return a number as an exact end; strings may also be 'pi', '-pi/2' or '3/4*pi'.

    Raises: TypeError or ValueError naming the argument; ValueError for a ball not finite.

    >>> real_end("pi/2").ball().contains(arb.pi() / 2)
    True
    """
    if isinstance(value, End):
        return value
    if isinstance(value, arb):
        if not value.is_finite():
            raise ValueError(f"{name} must be finite, got {value}")
        return End(str(value), given=value)
    if isinstance(value, str) and (match := _MULTIPLE_OF_PI.fullmatch(value.replace(" ", ""))):
        times = exact_rational(match["times"] or 1, name) / int(match["over"] or 1)
        return End(value, times_pi=-times if match["sign"] else times)
    return End(label(value), exact_rational(value, name))


def label(value: Exact) -> str:
    """Return an exact number as it is printed on a certificate: a string as it was given."""
    return value if isinstance(value, str) else shown(value)


class Interval:
    """The closed interval between two finite ends.

    Raises: TypeError or ValueError for an end that is no finite exact number, or if the ends
    are not certainly in order.
    """

    def __init__(self, lower: Real | End, upper: Real | End, name: str = "the interval") -> None:
        self.lower = real_end(lower, f"the lower end of {name}")
        self.upper = real_end(upper, f"the upper end of {name}")
        if not self._in_order():
            ends = f"[{self.lower.label}, {self.upper.label}]"
            raise ValueError(f"{name} must have its lower end below its upper end, got {ends}")

    def _in_order(self) -> bool:
        if self.lower.rational is not None and self.upper.rational is not None:
            return bool(self.lower.rational <= self.upper.rational)
        return self.lower.ball() < self.upper.ball()

    def cover(self) -> Edge:
        """Return rational ends of an interval containing this one (equal if it is rational)."""
        return Edge(self.lower.below(), self.upper.above())

    def certainly_contains(self, x: fmpq) -> bool:
        """Return whether the rational x is proved to lie in the interval."""
        return bool(self.lower.above() <= x <= self.upper.below())

    def range(self, *, lower_open: bool = False, upper_open: bool = False) -> Range:
        """Return the interval as printed on a certificate."""
        return Range(self.lower.label, self.upper.label, lower_open, upper_open)


class Box(Mapping[str, Interval]):
    """A product of closed intervals, one per named variable.

    Ends are int, Fraction, fmpq, strings ('0.1', '1/3', 'pi', 'pi/2'), or finite balls arb.

    Raises: TypeError or ValueError naming the variable whose ends are not as described.

    >>> print(Box(t=(0, "pi"), delta=("1/10", 1)))
    t in [0, pi], delta in [1/10, 1]
    """

    def __init__(self, **intervals: Interval | tuple[Real | End, Real | End]) -> None:
        self._intervals = {name: as_interval(i, name) for name, i in intervals.items()}

    def __getitem__(self, name: str) -> Interval:
        return self._intervals[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._intervals)

    def __len__(self) -> int:
        return len(self._intervals)

    def __str__(self) -> str:
        return ", ".join(f"{name} in {i.range()}" for name, i in self.items())

    def __or__(self, other: Box) -> Box:
        """Return the product of two boxes; a variable of both takes the right interval."""
        return Box(**{**self, **other})


def as_interval(value: Interval | tuple[Real | End, Real | End], name: str) -> Interval:
    """Return a pair of ends as an Interval."""
    if isinstance(value, Interval):
        return value
    if not isinstance(value, tuple | list) or len(value) != 2:
        raise TypeError(f"{name} must be a pair (lower, upper) or an Interval, got {shown(value)}")
    return Interval(value[0], value[1], name)


@dataclass(frozen=True)
class Edge:
    """A rational closed interval, as subdivision handles it."""

    lower: fmpq
    upper: fmpq

    @property
    def width(self) -> fmpq:
        """Return the length."""
        return self.upper - self.lower

    def middle(self) -> fmpq:
        """Return a point with few binary digits within 1/32 of the width from the midpoint.

        Cells then get ends that balls represent exactly, whatever the ends of the box: the cell
        [0, h] stays in [0, inf), where a square root has a value.
        """
        midpoint = (self.lower + self.upper) / 2
        if self.width == 0:
            return midpoint
        order = int(self.width.p).bit_length() - int(self.width.q).bit_length()
        grid = fmpq(2) ** (order - 5)
        return (midpoint / grid + fmpq(1, 2)).floor() * grid

    def halves(self) -> tuple[Edge, Edge]:
        """Return two edges that cover this one and share one point."""
        middle = self.middle()
        return Edge(self.lower, middle), Edge(middle, self.upper)

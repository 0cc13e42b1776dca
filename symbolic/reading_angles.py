"""Sums as they are written, and angles in them: their sines and cosines, and inverse functions."""

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Iterator
from typing import NamedTuple

import sympy
from flint import fmpq
from sympy import Expr, Rational, pi

from symbolic.generators import Generator, Generators
from symbolic.quotients import ONE, ZERO, Arithmetic, Polynomial, Quotient, content_of, monomial, rational
from symbolic.size import MOST_ANGLES, MOST_MULTIPLE, Work
from symbolic.spans import QUARTERS, SYMMETRIC

__all__ = ["AngleReader", "Frame"]

#: Multiples of pi over these have sines and cosines with roots of numbers.
_KNOWN_ANGLES = frozenset({1, 2, 3, 4, 5, 6, 8, 10, 12})


class Frame(NamedTuple):
    """Other expressions for symbols, and the sines and cosines of angles in (0, pi/2)."""

    leaves: dict[Expr, Expr]
    sine: dict[Expr, Expr]
    cosine: dict[Expr, Expr]


class AngleReader(ABC):
    """Reads sums and angles; how other expressions are read is for `symbolic.reading` to say."""

    def __init__(self, work: Work | None = None, frame: Frame | None = None) -> None:
        self.of = Arithmetic(work or Work())
        self.made = Generators(self.of)
        self._frame = frame or Frame({}, {}, {})

    @abstractmethod
    def read(self, expression: Expr) -> Quotient:
        """The expression as a quotient of polynomials in generators."""

    @abstractmethod
    def _raised(self, base: Quotient, exponent: Quotient) -> Quotient:
        """A power of what has been read."""

    def spelled(self, quotient: Quotient) -> Expr:
        """The quotient as an expression."""
        return self.made.spelled(quotient)

    def _angle(self, argument: Expr) -> tuple[Quotient, Quotient]:
        """Sine and cosine, by the addition theorems unless the angle has too many terms."""
        summands = self._summands(argument)
        short = sum(len(one.top) for one in summands) <= 4 * MOST_ANGLES
        terms = list(self._terms(summands)) if short else []
        split = short and len(terms) <= MOST_ANGLES
        if not (split and all(abs(times) <= MOST_MULTIPLE for times, _ in terms)):
            angle = self.read(argument)
            terms = [(-1, angle.negated()) if angle.is_negative else (1, angle)]
        sine, cosine = ZERO, ONE
        for times, unit in terms:
            sine, cosine = self._turned((sine, cosine), self._multiple(times, unit))
        return sine, cosine

    def _turned(
        self, one: tuple[Quotient, Quotient], other: tuple[Quotient, Quotient]
    ) -> tuple[Quotient, Quotient]:
        """Sine and cosine of the sum of two angles."""
        (s, c), (z, w) = one, other
        sine = self.of.total([self.of.product([s, w]), self.of.product([c, z])])
        cosine = self.of.total([self.of.product([c, w]), self.of.product([s.negated(), z])])
        return self.made.lowered(sine), self.made.lowered(cosine)

    def _multiple(self, times: int, unit: Quotient) -> tuple[Quotient, Quotient]:
        """Sine and cosine of a multiple of an angle."""
        inner, share = self.made.single(unit)
        number = share.number()
        if inner is not None and inner.symbol == pi and number is not None:
            turn = Rational(times, int(number.q))
            if int(number.q) in _KNOWN_ANGLES:
                return self.read(sympy.sin(pi * turn)), self.read(sympy.cos(pi * turn))
        sine, cosine = self._unit_angle(unit)
        if times < 0:
            sine = sine.negated()
        found = sine, cosine
        for _ in range(abs(times) - 1):
            found = self._turned(found, (sine, cosine))
        return found

    def _unit_angle(self, unit: Quotient) -> tuple[Quotient, Quotient]:
        inner, share = self.made.single(unit)
        if inner is not None and share == ONE:
            if inner.symbol in self._frame.sine:
                angle = inner.symbol
                return self.read(self._frame.sine[angle]), self.read(self._frame.cosine[angle])
            if inner.kind in ("asin", "atan") and inner.inside is not None:
                return self._inverted(inner.kind, inner.inside)
        if pi in (self.made.symbols(unit) or []):
            spelled = self.spelled(unit)
            values = sympy.sin(spelled), sympy.cos(spelled)
            if not any(one.has(sympy.sin, sympy.cos) for one in values):
                return self.read(values[0]), self.read(values[1])
        cosine = self.made.get(
            ("cos", self.of.key(unit)),
            lambda: Generator(self.made.applied(sympy.cos, unit), SYMMETRIC, "cos", unit),
        )
        square = self.of.total([ONE, self.of.power(cosine, 2).negated()])
        sine = Generator(self.made.applied(sympy.sin, unit), SYMMETRIC, "sin", unit, 2, square)
        return self.made.get(("sin", self.of.key(unit)), lambda: sine), cosine

    def _inverted(self, kind: str, value: Quotient) -> tuple[Quotient, Quotient]:
        """Sine and cosine of the angle that has this sine, or this tangent."""
        sign, half = (-1, rational(1, 2)) if kind == "asin" else (1, rational(-1, 2))
        square = self.of.product([rational(sign), value, value])
        cosine = self._raised(self.of.total([ONE, square]), half)
        return (value if kind == "asin" else self.of.product([value, cosine])), cosine

    def _arccosine(self, argument: Expr) -> Quotient:
        return self.of.total([self.read(pi / 2), self._arcsine(self.read(argument)).negated()])

    def _arcsine(self, value: Quotient) -> Quotient:
        """Resolve asin of ± sin v, cos v, cos 2v: each of these angles lies in range."""
        for angle, sine in self._frame.sine.items():
            s, c, quarter = self.read(sine), self.read(self._frame.cosine[angle]), pi / 2
            twice = self.of.total([ONE, self.of.product([rational(-2), s, s])])
            angles = ((s, angle), (c, quarter - angle), (twice, quarter - 2 * angle))
            for known, found in angles:
                if value == known:
                    return self.read(found)
                if value == known.negated():
                    return self.read(found).negated()
        if value.is_negative:
            return self._arcsine(value.negated()).negated()
        if self.made.is_root(value):
            known_angle = sympy.asin(self.spelled(value))
            if not known_angle.has(sympy.asin):
                return self.read(known_angle)
        span = QUARTERS.meet(self.made.extent(value))
        found = Generator(self.made.applied(sympy.asin, value), span, "asin", value)
        return self.made.get(("asin", self.of.key(value)), lambda: found)

    def _times(self, *parts: Quotient) -> Quotient:
        return self.of.product(parts)

    def _summands(self, expression: Expr) -> list[Quotient]:
        """The summands as they are written: over a common denominator they would be others."""
        number, rest = expression.as_coeff_Mul()
        if not rest.is_Add:
            return [self.read(expression)]
        found = [one for part in rest.args for one in self._summands(part)]
        return [self._times(self.read(number), one) for one in found]

    def _terms(self, summands: Iterable[Quotient]) -> Iterator[tuple[int, Quotient]]:
        """Integers and units with this sum of products; a unit has coefficient 1 over one."""
        shares: dict[Hashable, fmpq] = {}
        units: dict[Hashable, Quotient] = {}
        for summand in summands:
            content = content_of(summand.bottom)
            bottom = summand.bottom / content
            for denominator, top in self._parts(summand.top, bottom):
                name = str(denominator)
                for powers, number in self.of.terms(top):
                    key = (powers, name)
                    shares[key] = shares.get(key, fmpq(0)) + fmpq(number, content)
                    units[key] = Quotient(monomial(powers), denominator)
        for place, share in shares.items():
            if share != 0:
                top, bottom = units[place]
                yield int(share.p), self.of.lowest(top, bottom * int(share.q))

    def _parts(self, top: Polynomial, bottom: Polynomial) -> Iterator[tuple[Polynomial, Polynomial]]:
        """Denominators and numerators of the polynomial part and of what is left."""
        if bottom.is_one():
            yield bottom, top
            return
        self.of.work.spend(len(top) * len(bottom))
        whole, rest = divmod(top, bottom)
        yield from ((ONE.bottom, whole), (bottom, rest))

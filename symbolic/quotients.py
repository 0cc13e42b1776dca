"""Quotients of polynomials with rational coefficients, in the arithmetic of FLINT.

Each operation is measured before it is done (`symbolic.size`). Generators are numbered, and stand
for whatever their owner says (`symbolic.reading`).
"""

from collections.abc import Iterable, Iterator
from math import gcd, prod
from typing import NamedTuple, cast

import flint
from flint import fmpq, fmpz_mpoly, fmpz_mpoly_ctx

from symbolic.size import MOST_BITS, MOST_DEGREE, MOST_GENERATORS, MOST_TERMS, Work, check, terms_of_power

Polynomial = fmpz_mpoly
_CONTEXT = fmpz_mpoly_ctx.get([f"g{k}" for k in range(MOST_GENERATORS)], flint.Ordering.lex)
_LONGEST_EXPONENT = 10**6
#: What takes as long as so many products of terms: to look at a term, to call FLINT, and to divide
#: by a common factor, or to factor, per term, degree and generator.
_WORK_OF_A_TERM, _WORK_OF_A_CALL, _WORK_OF_DIVISION, _WORK_OF_FACTORING = 300, 70, 10, 20
Monomial = tuple[int, ...]


class Quotient(NamedTuple):
    """A quotient top/bottom without a common factor; the first term below is positive."""

    top: Polynomial
    bottom: Polynomial

    @property
    def is_zero(self) -> bool:
        """Whether the numerator is 0."""
        return bool(self.top.is_zero())

    @property
    def is_negative(self) -> bool:
        """Whether the first term of the numerator has a negative coefficient."""
        return not self.is_zero and bool(self.top.leading_coefficient() < 0)

    def negated(self) -> "Quotient":
        """The quotient with the other sign."""
        return Quotient(-self.top, self.bottom)

    def number(self) -> fmpq | None:
        """The value if there is no generator in it."""
        if not (self.top.is_constant() and self.bottom.is_constant()):
            return None
        return fmpq(constant_of(self.top), constant_of(self.bottom))


def constant_of(polynomial: Polynomial) -> flint.fmpz:
    """The number that a constant polynomial is."""
    return polynomial.leading_coefficient() if not polynomial.is_zero() else flint.fmpz(0)


def content_of(polynomial: Polynomial) -> int:
    """The greatest common factor of the coefficients."""
    return gcd(*(int(one) for one in polynomial.coeffs()))


def constant(value: int) -> Polynomial:
    """The polynomial that is this integer."""
    return _CONTEXT.constant(value)


def generator(index: int) -> Quotient:
    """The generator with this number."""
    check("different symbols, roots and functions", index + 1, MOST_GENERATORS)
    return Quotient(_CONTEXT.gen(index), constant(1))


def rational(top: int, bottom: int = 1) -> Quotient:
    """A rational number as a quotient, in lowest terms and with bottom > 0."""
    check("binary digits of a number", max(top.bit_length(), bottom.bit_length()), 2 * MOST_BITS)
    return Quotient(constant(top), constant(bottom))


def of_polynomial(polynomial: Polynomial | flint.fmpz) -> Quotient:
    """A polynomial, or an integer, as a quotient."""
    top = polynomial if isinstance(polynomial, Polynomial) else constant(int(polynomial))
    return Quotient(top, constant(1))


def monomial(powers: Monomial) -> Polynomial:
    """The product of powers of generators."""
    return _CONTEXT.from_dict({powers: 1})


ZERO, ONE = rational(0), rational(1)


class Arithmetic:
    """Operations with quotients, each charged to the work of one decision.

    >>> of = Arithmetic(Work())
    >>> x, y = generator(0), generator(1)
    >>> of.quotient(of.total([of.power(x, 2), of.product([rational(-1), y, y])]), of.total([x, y]))
    Quotient(top=g0 - g1, bottom=1)
    """

    def __init__(self, work: Work) -> None:
        self.work = work

    def key(self, quotient: Quotient) -> tuple[str, str]:
        """What is the same for equal quotients, and no other ones."""
        self.work.spend(_WORK_OF_A_TERM * (len(quotient.top) + len(quotient.bottom)))
        return str(quotient.top), str(quotient.bottom)

    def terms(self, polynomial: Polynomial) -> Iterable[tuple[Monomial, flint.fmpz]]:
        """The powers of the generators in each term, and its coefficient."""
        self.work.spend(_WORK_OF_A_TERM * len(polynomial))
        return cast(Iterable[tuple[Monomial, flint.fmpz]], polynomial.to_dict().items())

    def total(self, parts: Iterable[Quotient]) -> Quotient:
        """The sum, over a common denominator."""
        top, bottom = ZERO
        for part in parts:
            if part.bottom == bottom:
                self._charge(len(top) + len(part.top))
                top = top + part.top
                continue
            shared = self.common(bottom, part.bottom)
            mine, its = _divided(part.bottom, shared), _divided(bottom, shared)
            top = self.times(top, mine) + self.times(part.top, its)
            bottom = self.times(bottom, mine)
        return self.lowest(top, bottom)

    def product(self, parts: Iterable[Quotient]) -> Quotient:
        """The product."""
        found = ONE
        for part in parts:
            one, other = self.lowest(found.top, part.bottom), self.lowest(part.top, found.bottom)
            found = Quotient(self.times(one.top, other.top), self.times(one.bottom, other.bottom))
        return found

    def quotient(self, one: Quotient, other: Quotient) -> Quotient:
        """The first over the second; ZeroDivisionError if that is 0."""
        return self.product([one, self.power(other, -1)])

    def power(self, base: Quotient, exponent: int) -> Quotient:
        """A whole power; ZeroDivisionError for a negative one of 0."""
        top, bottom = base if exponent >= 0 else (base.bottom, base.top)
        if bottom.is_zero():
            raise ZeroDivisionError("a denominator is 0")
        if exponent < 0 and bottom.leading_coefficient() < 0:
            top, bottom = -top, -bottom
        return Quotient(self.raised(top, abs(exponent)), self.raised(bottom, abs(exponent)))

    def times(self, one: Polynomial, other: Polynomial) -> Polynomial:
        """The product of two polynomials."""
        terms = prod(a + b + 1 for a, b in zip(one.degrees(), other.degrees(), strict=True))
        check("terms of a polynomial", min(len(one) * len(other), terms), MOST_TERMS)
        self._charge(len(one) * len(other))
        return one * other

    def raised(self, base: Polynomial, exponent: int) -> Polynomial:
        """A power of a polynomial with an exponent that is not negative."""
        check("factors of a power", exponent, _LONGEST_EXPONENT)
        terms = terms_of_power(len(base), base.degrees(), exponent)
        check("terms of a polynomial", terms, MOST_TERMS)
        longest = exponent * (_length(base) + len(base).bit_length())
        check("binary digits of a number", longest, 16 * MOST_BITS)
        check("exponents of a polynomial", exponent * max(base.degrees()), 1000 * MOST_DEGREE)
        self._charge(terms * (2 + longest // 64))
        return base**exponent

    def common(self, one: Polynomial, other: Polynomial) -> Polynomial:
        """The greatest common factor."""
        if one.is_constant() and other.is_constant():
            return one.gcd(other)
        if not (len(one) == 1 or len(other) == 1):
            self._charge(_WORK_OF_DIVISION * (self._effort(one) + self._effort(other)))
        return one.gcd(other)

    def lowest(self, top: Polynomial, bottom: Polynomial) -> Quotient:
        """The quotient in lowest terms; ZeroDivisionError for bottom = 0."""
        if bottom.is_zero():
            raise ZeroDivisionError("a denominator is 0")
        if top.is_zero() or bottom.is_one():
            return Quotient(top, bottom) if bottom.is_one() else ZERO
        shared = self.common(top, bottom)
        if bottom.leading_coefficient() < 0:
            shared = -shared
        return Quotient(_divided(top, shared), _divided(bottom, shared))

    def factors(self, polynomial: Polynomial) -> tuple[int, list[tuple[Polynomial, int]]]:
        """A number and irreducible factors with their powers, of which the product is made."""
        self._charge(_WORK_OF_FACTORING * self._effort(polynomial))
        number, found = polynomial.factor()
        return int(number), [(factor, int(power)) for factor, power in found]

    def split_by(self, polynomial: Polynomial, index: int) -> Iterator[tuple[int, Polynomial]]:
        """The polynomial by the powers of one generator: each power, and its factor.

        >>> x, y = generator(0).top, generator(1).top
        >>> list(Arithmetic(Work()).split_by(x**2 * y + 3 * x**2 + y, 0))
        [(2, g1 + 3), (0, g1)]
        """
        found: dict[int, dict[Monomial, flint.fmpz]] = {}
        for powers, number in self.terms(polynomial):
            rest = (*powers[:index], 0, *powers[index + 1 :])
            found.setdefault(int(powers[index]), {})[rest] = number
        for power, terms in found.items():
            yield power, _CONTEXT.from_dict(terms)

    def _effort(self, polynomial: Polynomial) -> int:
        """What it counts to take a polynomial to its factors."""
        degree = max(0, int(polynomial.total_degree()))
        if len(polynomial) > 1:
            check("degrees of a polynomial that is to be factored", degree, MOST_DEGREE)
        generators = sum(1 for one in polynomial.degrees() if one)
        return len(polynomial) * (degree + 1) * (generators + 1)

    def _charge(self, amount: int) -> None:
        self.work.spend(amount + _WORK_OF_A_CALL)


def _divided(polynomial: Polynomial, factor: Polynomial) -> Polynomial:
    return polynomial if factor.is_one() else polynomial / factor


def _length(polynomial: Polynomial) -> int:
    """Binary digits of the longest coefficient."""
    return max((int(abs(one)).bit_length() for one in polynomial.coeffs()), default=0)

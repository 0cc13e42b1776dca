"""Generators of polynomials: what each stands for, where it lies, which equation it fulfils."""

from collections.abc import Callable, Hashable, Iterator
from functools import reduce
from typing import NamedTuple

import sympy
from sympy import Dummy, Expr, Integer, Pow, Rational, Symbol

from symbolic import spans
from symbolic.quotients import ONE, ZERO, Arithmetic, Polynomial, Quotient, generator, of_polynomial, rational
from symbolic.spans import NONNEGATIVE, POSITIVE, REALS, SYMMETRIC, Span

#: With more terms only their signs are looked at, not how large they are.
_MOST_INTERVALS = 40
#: To multiply intervals takes as long as so many products of terms.
_WORK_OF_AN_INTERVAL = 3000


class Generator(NamedTuple):
    """What a generator stands for, and numbers among which it lies.

    The expression is written out only when it is asked for, as SymPy may think about it for long;
    ``symbol`` is set if it is a symbol or a number with a name. ``kind`` and ``inside`` say how it
    was made of one other quotient. If ``order`` is not 0, its power with this exponent is
    ``power``.
    """

    spell: Callable[[], Expr]
    span: Span
    kind: str = ""
    inside: Quotient | None = None
    order: int = 0
    power: Quotient = ZERO
    symbol: Expr | None = None

    @classmethod
    def of(cls, expression: Expr, span: Span) -> "Generator":
        """The generator for an expression that is left as it is."""
        return cls(lambda: expression, span, symbol=expression if expression.is_Atom else None)


class Generators:
    """The generators in order: what one stands for has no generators but those before it."""

    def __init__(self, of: Arithmetic) -> None:
        self._of = of
        self._all: list[Generator] = []
        self._places: dict[Hashable, int] = {}

    def get(self, key: Hashable, make: Callable[[], Generator]) -> Quotient:
        """The generator with this key, made if there is none yet."""
        if key not in self._places:
            one = make()
            generator(len(self._all))  # refused if there are too many
            self._places[key] = len(self._all)
            self._all.append(one)
        return generator(self._places[key])

    # Normal forms

    def lowered(self, quotient: Quotient) -> Quotient:
        """The quotient with lower powers of generators that fulfil an equation."""
        for index in reversed(range(len(self._all))):
            order = self._all[index].order
            if order:
                degrees = (part.degrees()[index] for part in quotient)
                if max(degrees) >= order:
                    quotient = self._lowered_in(quotient, index)
        return quotient

    def _lowered_in(self, quotient: Quotient, index: int) -> Quotient:
        top, bottom = (self._polynomial_lowered(part, index) for part in quotient)
        return self._of.quotient(top, bottom)

    def _polynomial_lowered(self, polynomial: Polynomial, index: int) -> Quotient:
        one, letter = self._all[index], generator(index)
        terms = []
        for exponent, factor in self._of.split_by(polynomial, index):
            many, few = divmod(exponent, one.order)
            powers = [self._of.power(one.power, many), self._of.power(letter, few)]
            terms.append(self._of.product([of_polynomial(factor), *powers]))
        return self._of.total(terms)

    def spelled(self, quotient: Quotient) -> Expr:
        """The quotient as an expression."""
        used = [any(pair) for pair in zip(*(part.degrees() for part in quotient), strict=True)]
        pairs = zip(self._all, used, strict=False)
        letters = [one.spell() if needed else sympy.S.One for one, needed in pairs]
        top, bottom = (self._sum(part, letters) for part in quotient)
        return top / bottom

    def _sum(self, polynomial: Polynomial, letters: list[Expr]) -> Expr:
        terms = [
            sympy.Mul(
                Integer(int(number)), *(x ** int(k) for x, k in zip(letters, powers, strict=False) if k)
            )
            for powers, number in self._of.terms(polynomial)
        ]
        return sympy.Add(*terms)

    def spelled_in(self, polynomial: Polynomial, letters: dict[Expr, Symbol]) -> Expr:
        """The polynomial with a letter for all that is no number, entered among the letters."""
        shown = [self._letter(one.spell(), letters) for one in self._all]
        return self._sum(polynomial, shown)

    def _letter(self, expression: Expr, letters: dict[Expr, Symbol]) -> Expr:
        if not expression.free_symbols:
            return expression
        return letters.setdefault(expression, Dummy(f"g{len(letters)}", real=True))

    def factors(self, quotient: Quotient) -> tuple[Rational, list[tuple[Quotient, int]]]:
        """A number and irreducible polynomials with their powers, with this product."""
        top, above = self._of.factors(quotient.top)
        bottom, below = self._of.factors(quotient.bottom)
        signed = [(factor, power) for factor, power in above]
        signed += [(factor, -power) for factor, power in below]
        return Rational(top, bottom), [(of_polynomial(one), power) for one, power in signed]

    def single(self, quotient: Quotient) -> tuple[Generator | None, Quotient]:
        """The generator of which this is a rational multiple, and that number."""
        if len(quotient.top) != 1 or not quotient.bottom.is_constant():
            return None, ZERO
        powers = [int(k) for k in quotient.top.degrees()]
        if sum(powers) != 1:
            return None, ZERO
        number = of_polynomial(quotient.top.coeffs()[0])
        return self._all[powers.index(1)], self._of.lowest(number.top, quotient.bottom)

    # Signs

    def extent(self, quotient: Quotient) -> Span:
        """The half-line in which the values lie, by the signs of the factors."""
        if quotient.is_zero:
            return spans.point(sympy.S.Zero)
        number, factors = self.factors(quotient)
        signs = (_power_extent(self.span(factor), power) for factor, power in factors)
        return spans.half_line(reduce(spans.product, signs, spans.point(number)))

    def span(self, polynomial: Quotient) -> Span:
        """Numbers among which the values of a polynomial lie, by those of its generators."""
        sign = self._by_signs(polynomial.top)
        few = len(polynomial.top) <= _MOST_INTERVALS
        return sign if sign != REALS or not few else self._by_intervals(polynomial.top)

    def _by_signs(self, polynomial: Polynomial) -> Span:
        """The half-line in which all terms lie, all reals if they have different signs."""
        sides = [_side(one.span) for one in self._all]
        signs = set[int]()
        strict = False
        for powers, number in self._of.terms(polynomial):
            sign, nonzero = (1 if number > 0 else -1), True
            for (side, apart), power in zip(sides, powers, strict=False):
                if power:
                    sign *= side if power % 2 else 1
                    nonzero = nonzero and apart
            signs.add(sign)
            strict = strict or nonzero
        if len(signs) != 1 or 0 in signs:
            return REALS
        half_line = POSITIVE if strict else NONNEGATIVE
        return half_line if 1 in signs else half_line.negated()

    def _by_intervals(self, polynomial: Polynomial) -> Span:
        self._of.work.spend(_WORK_OF_AN_INTERVAL * len(polynomial))
        return reduce(spans.total, self._term_spans(polynomial), spans.point(sympy.S.Zero))

    def _term_spans(self, polynomial: Polynomial) -> Iterator[Span]:
        for powers, number in self._of.terms(polynomial):
            term = spans.point(Integer(int(number)))
            for one, power in zip(self._all, powers, strict=False):
                if power:
                    term = spans.product(term, spans.power(one.span, Integer(int(power))))
            yield term

    def is_whole(self, quotient: Quotient) -> bool:
        """Whether it is a polynomial in symbols that are integers."""
        used = [one for one, k in zip(self._all, quotient.top.degrees(), strict=False) if k]
        return bool(quotient.bottom.is_one()) and all(
            one.symbol is not None and one.symbol.is_integer for one in used
        )

    def is_root(self, quotient: Quotient) -> bool:
        """Whether it is a rational number, or one times a root of another one."""
        inner, _ = self.single(quotient)
        if inner is None or inner.inside is None:
            return quotient.number() is not None
        return inner.kind == "root" and inner.inside.number() is not None

    def symbols(self, quotient: Quotient) -> list[Expr] | None:
        """The symbols of a rational multiple of a product of symbols, None for anything else."""
        if len(quotient.top) != 1 or not quotient.bottom.is_constant():
            return None
        used = [one.symbol for one, k in zip(self._all, quotient.top.degrees(), strict=False) if k]
        return [one for one in used if one is not None] if None not in used else None

    # Kinds of generators

    def applied(self, function: type[Expr], *parts: Quotient) -> Callable[[], Expr]:
        """The function at quotients, to be written out when it is asked for."""
        return lambda: function(*map(self.spelled, parts), evaluate=False)

    def root_of(self, base: Quotient, order: int) -> Generator:
        """A root with a base that is not negative where it is defined."""
        spell = self.applied(Pow, base, rational(1, order))
        if base.number() is not None:
            span = spans.of_number(spell()) or REALS
        else:
            span = POSITIVE if self.extent(base).positive else NONNEGATIVE
        return Generator(spell, span, "root", base, order, base)

    def power_of(self, base: Quotient, exponent: Quotient) -> Generator:
        """A power whose exponent is no number; that of -1 to an integer is a sign."""
        spell = self.applied(Pow, base, exponent)
        if base == rational(-1) and self.is_whole(exponent):
            return Generator(spell, SYMMETRIC, "sign", exponent, 2, ONE)
        return Generator(spell, POSITIVE if self.extent(base).positive else REALS)

    def exponential_of(self, exponent: Quotient) -> Generator:
        """An exponential."""
        span = spans.increasing(self.extent(exponent), sympy.exp)
        return Generator(self.applied(sympy.exp, exponent), span, "exp", exponent)

    def logarithm_of(self, argument: Quotient) -> Generator:
        """A logarithm."""
        spell = self.applied(sympy.log, argument)
        span = spans.of_number(spell()) if argument.number() is not None else None
        return Generator(spell, span or REALS, "log", argument)

    def modulus_of(self, value: Quotient) -> Generator:
        """An absolute value."""
        span = spans.absolute(self.span(value))
        square = self._of.power(value, 2)
        return Generator(self.applied(sympy.Abs, value), span, "abs", value, 2, square)

    def sign_of(self, value: Quotient) -> Generator:
        """The sign of what is not 0."""
        return Generator(self.applied(sympy.sign, value), SYMMETRIC, "sign", value, 2, ONE)


def _side(span: Span) -> tuple[int, bool]:
    """1 for numbers that are not negative, -1 for not positive ones, else 0; and if 0 is none."""
    if span.nonnegative:
        return 1, span.positive
    return (-1 if span.negated().nonnegative else 0), span.nonzero


def _power_extent(base: Span, exponent: int) -> Span:
    return spans.power(base, Integer(exponent)) if exponent > 0 or base.nonzero else REALS

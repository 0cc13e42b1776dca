"""Expressions read as quotients of polynomials in symbols, roots, exponentials, angles, functions.

Reading puts an expression into a normal form as far as it goes: sums of angles are split by the
addition theorems, hyperbolic functions are written in exponentials, sums in exponents become
products, roots and logarithms of positive factors are taken one factor after the other, and
absolute values and signs of what is known to be positive or negative are resolved. Generators that
fulfil an equation (sin² = 1 - cos², the square of a root) have their higher powers lowered by it.

All symbols are real, and what is read off holds where everything in the expression is defined.
What is too much work raises TooLargeError; what SymPy or FLINT refuse, and a denominator that is
0, another error of `symbolic.size.GIVING_UP`.
"""

from collections.abc import Callable, Iterable, Iterator

import sympy
from sympy import Expr, Integer, Rational, pi
from sympy.core.function import AppliedUndef

from symbolic import spans
from symbolic.generators import Generator
from symbolic.quotients import ONE, ZERO, Quotient, rational
from symbolic.reading_angles import AngleReader, Frame
from symbolic.size import Work
from symbolic.spans import NONNEGATIVE, POSITIVE, REALS, Span

__all__ = ["Frame", "Reader"]

_SMALL_PRIMES = 1000
_ODD = (sympy.atan, sympy.erf)

_Factors = list[tuple[Quotient, int]]


class Reader(AngleReader):
    """Reads expressions over one numbering of generators, within the work of one decision.

    An ``opaque`` reader leaves functions, roots and numbers as they are, a generator each.

    >>> x, y = sympy.symbols("x y", real=True)
    >>> reader = Reader()
    >>> reader.spelled(reader.read(sympy.sin(x + y) - sympy.sin(x) * sympy.cos(y)))
    sin(y)*cos(x)
    >>> reader.read(sympy.sinh(x) - sympy.exp(x) / 2 + sympy.exp(-x) / 2).is_zero
    True
    >>> reader.spelled(reader.read((x + sympy.sqrt(x)) ** 2))
    2*x**(3/2) + x**2 + x
    """

    def __init__(self, work: Work | None = None, frame: Frame | None = None, opaque: bool = False) -> None:
        super().__init__(work, frame)
        self._memo: dict[Expr, Quotient] = {}
        self._rules: dict[type, Callable[..., Quotient]] = {
            sympy.Add: lambda *parts: self.of.total(map(self.read, parts)),
            sympy.Mul: lambda *parts: self.of.product(map(self.read, parts)),
            sympy.Pow: self._power,
            sympy.exp: lambda a: self._exponential(self._summands(a)),
            type(sympy.E): lambda: self._exponential([ONE]),
            sympy.log: lambda a: self._logarithm(self.read(a)),
            sympy.sin: lambda a: self._angle(a)[0],
            sympy.cos: lambda a: self._angle(a)[1],
            sympy.tan: lambda a: self.of.quotient(*self._angle(a)),
            sympy.sinh: lambda a: self._halves(a)[0],
            sympy.cosh: lambda a: self._halves(a)[1],
            sympy.tanh: lambda a: self.of.quotient(*self._halves(a)),
            sympy.asin: lambda a: self._arcsine(self.read(a)),
            sympy.acos: self._arccosine,
            sympy.Abs: lambda a: self._absolute(self.read(a)),
            sympy.sign: lambda a: self._sign(self.read(a)),
            sympy.Max: lambda *parts: self._extreme(sympy.Max, 1, parts),
            sympy.Min: lambda *parts: self._extreme(sympy.Min, -1, parts),
        }
        self._opaque = opaque

    def read(self, expression: Expr) -> Quotient:
        """The expression as a quotient of polynomials in generators."""
        if expression not in self._memo:
            self.of.work.spend(100)
            self._memo[expression] = self.made.lowered(self._found(expression))
        return self._memo[expression]

    def factors(self, expression: Expr) -> list[tuple[Expr, int]]:
        """Factors of the expression with their powers, a number first.

        >>> x, y = sympy.symbols("x y", real=True)
        >>> Reader().factors(2 * x / y - 2 * y / x)
        [(-2, 1), (-x + y, 1), (x + y, 1), (x, -1), (y, -1)]
        """
        number, found = self.made.factors(self.read(expression))
        return [(number, 1), *((self.spelled(one), power) for one, power in found)]

    def half_line(self, expression: Expr) -> Span:
        """The half-line in which factoring shows the values to lie."""
        return self.made.extent(self.read(expression))

    def _found(self, expression: Expr) -> Quotient:
        if expression.is_Rational:
            return rational(int(expression.p), int(expression.q))
        leaf = self._frame.leaves.get(expression, expression)
        if leaf is not expression:
            return self.read(leaf)
        rule = self._rules.get(expression.func)
        if rule is not None and (not self._opaque or _is_rational(expression)):
            return rule(*expression.args)
        return self._applied(expression)

    # Functions that have no rule, and symbols

    def _applied(self, expression: Expr) -> Quotient:
        """A generator for the function at the values of its arguments, or for all of it."""
        if self._opaque or not _is_plain(expression):
            return self.made.get(expression, lambda: Generator.of(expression, self._assumed(expression)))
        arguments = [self.read(one) for one in expression.args]
        if isinstance(expression, AppliedUndef):
            return self.made.get(
                (expression.func, *(self.of.key(one) for one in arguments)),
                lambda: Generator.of(expression, self._assumed(expression)),
            )
        if isinstance(expression, _ODD) and arguments[0].is_negative:
            return self.read(expression.func(-expression.args[0], evaluate=False)).negated()
        key = (expression.func, *(self.of.key(one) for one in arguments))
        return self.made.get(key, lambda: self._function(expression.func, arguments))

    def _function(self, function: type[Expr], arguments: list[Quotient]) -> Generator:
        spell = self.made.applied(function, *arguments)
        if function in (sympy.atan, sympy.erf):
            inside = self.made.extent(arguments[0])
            span = spans.increasing(inside, function)
        else:
            span = POSITIVE if function is sympy.erfc else REALS
        kind = "atan" if function is sympy.atan else ""
        return Generator(spell, span, kind, arguments[0])

    def _assumed(self, expression: Expr) -> Span:
        if expression.is_finite is False or expression is sympy.nan:
            raise ValueError(f"{expression} is no number")
        if expression in self._frame.sine:
            return Span(Integer(0), pi / 2, True, True)
        if not isinstance(expression, sympy.Symbol | AppliedUndef):
            found = None if expression.free_symbols else spans.of_number(expression)
            return found or REALS
        if expression.is_nonnegative:
            return POSITIVE if expression.is_positive else NONNEGATIVE
        if expression.is_nonpositive:
            return POSITIVE.negated() if expression.is_negative else NONNEGATIVE.negated()
        return REALS

    # Powers, exponentials, logarithms

    def _power(self, base: Expr, exponent: Expr) -> Quotient:
        if exponent.is_Integer:
            return self.of.power(self.read(base), int(exponent))
        return self._raised(self.read(base), self.read(exponent))

    def _raised(self, base: Quotient, exponent: Quotient) -> Quotient:
        """A power, of each positive factor of the base alone."""
        if base.is_zero:
            raise ValueError("a power of 0 with an exponent that is no positive integer")
        number = exponent.number()
        even = number is not None and int(number.q) % 2 == 0
        found = list[Quotient]()
        factors = self._all_factors if self.made.is_whole(exponent) else self._positive_factors
        for factor, power in factors(base, even):
            found += self._powers(factor, power, exponent)
        return self.of.product(found)

    def _powers(self, base: Quotient, power: int, exponent: Quotient) -> Iterator[Quotient]:
        """A power of one factor; of a root or an exponential it is one of what is inside."""
        inner, share = self.made.single(base)
        if inner is not None and inner.inside is not None and share == ONE:
            if inner.kind == "root":
                yield self._raised(inner.inside, self._times(rational(power, inner.order), exponent))
                return
            if inner.kind == "exp":
                yield self._exponential([self._times(rational(power), inner.inside, exponent)])
                return
        for times, unit in self._terms([exponent]):
            yield self._unit_power(base, power * times, unit)

    def _unit_power(self, base: Quotient, times: int, unit: Quotient) -> Quotient:
        """The base to the power of so many times the unit."""
        number = unit.number()
        if number is None:
            one = self.made.get(
                ("pow", self.of.key(base), self.of.key(unit)), lambda: self.made.power_of(base, unit)
            )
            return self.of.power(one, times)
        order = int(number.q)
        whole, rest = divmod(times, order)
        if not rest:
            return self.of.power(base, whole)
        if base.number() is not None and base.is_negative:
            raise ValueError("a root of a negative number")
        root = self.made.get(("root", order, self.of.key(base)), lambda: self.made.root_of(base, order))
        return self.of.product([self.of.power(base, whole), self.of.power(root, rest)])

    def _all_factors(self, quotient: Quotient, _even: bool) -> _Factors:
        number, factors = self.made.factors(quotient)
        sign = [] if number > 0 else [(rational(-1), 1)]
        return [*sign, *_primes(abs(number)), *factors]

    def _positive_factors(self, quotient: Quotient, even: bool) -> _Factors:
        """Factors that are not negative, primes among them; and the product of all others.

        If the root is an ``even`` one, even powers are those of absolute values.
        """
        number, factors = self.made.factors(quotient)
        found, rest, sign = _primes(abs(number)), [], 1 if number > 0 else -1
        for factor, power in factors:
            extent = self.made.span(factor)
            if extent.nonnegative:
                found.append((factor, power))
            elif extent.negated().nonnegative:
                found.append((factor.negated(), power))
                sign *= (-1) ** power
            elif even and power % 2 == 0:
                found.append((self._modulus(factor), power))
            else:
                rest.append(self.of.power(factor, power))
        others = self.of.product([rational(sign), *rest])
        return found if others == ONE else [*found, (others, 1)]

    def _exponential(self, summands: list[Quotient]) -> Quotient:
        return self.of.product(
            self.of.power(self._unit_exponential(unit), times) for times, unit in self._terms(summands)
        )

    def _unit_exponential(self, unit: Quotient) -> Quotient:
        inner, share = self.made.single(unit)
        if inner is not None and inner.kind == "log" and inner.inside is not None:
            return self._raised(inner.inside, share)
        return self.made.get(("exp", self.of.key(unit)), lambda: self.made.exponential_of(unit))

    def _logarithm(self, argument: Quotient) -> Quotient:
        if argument.is_zero:
            raise ValueError("a logarithm of 0")
        return self.of.total(
            self.of.product([rational(power), self._factor_logarithm(factor)])
            for factor, power in self._positive_factors(argument, even=True)
        )

    def _factor_logarithm(self, factor: Quotient) -> Quotient:
        if factor.number() is not None and factor.is_negative:
            raise ValueError("a logarithm of a negative number")
        inner, _ = self.made.single(factor)
        if inner is not None and inner.inside is not None and factor.bottom.is_one():
            if inner.kind == "exp":
                return inner.inside
            if inner.kind == "root":
                share = rational(1, inner.order)
                return self.of.product([share, self._logarithm(inner.inside)])
        return self.made.get(("log", self.of.key(factor)), lambda: self.made.logarithm_of(factor))

    def _halves(self, argument: Expr) -> tuple[Quotient, Quotient]:
        """The hyperbolic sine and cosine."""
        grown = self._exponential(self._summands(argument))
        shrunk, half = self.of.power(grown, -1), rational(1, 2)
        total, difference = (self.of.total([grown, one]) for one in (shrunk, shrunk.negated()))
        return self.of.product([half, difference]), self.of.product([half, total])

    # Absolute values, signs, extremes

    def _absolute(self, value: Quotient) -> Quotient:
        if value.is_zero:
            return ZERO
        number, factors = self.made.factors(value)
        parts = [rational(abs(int(number.p)), int(number.q))]
        for factor, power in factors:
            parts.append(self.of.power(self._modulus(factor) if power % 2 else factor, power))
        return self.of.product(parts)

    def _modulus(self, factor: Quotient) -> Quotient:
        extent = self.made.span(factor)
        if extent.nonnegative:
            return factor
        if extent.negated().nonnegative:
            return factor.negated()
        return self.made.get(("abs", self.of.key(factor)), lambda: self.made.modulus_of(factor))

    def _sign(self, value: Quotient) -> Quotient:
        if value.is_zero:
            return ZERO
        number, factors = self.made.factors(value)
        parts = [rational(1 if number > 0 else -1)]
        parts += [self._factor_sign(factor) for factor, power in factors if power % 2]
        return self.of.product(parts)

    def _factor_sign(self, factor: Quotient) -> Quotient:
        extent = self.made.span(factor)
        if extent.positive:
            return ONE
        if extent.negated().positive:
            return rational(-1)
        return self.made.get(("sign", self.of.key(factor)), lambda: self.made.sign_of(factor))

    def _extreme(self, function: type[Expr], side: int, parts: Iterable[Expr]) -> Quotient:
        """Max or Min: without what is known to be no extreme; of two by their difference."""
        left = list({self.of.key(one): one for one in map(self.read, parts)}.values())
        for one in list(left):
            gaps = (self.made.extent(self._less(other, one)) for other in left if other != one)
            if any((gap if side > 0 else gap.negated()).nonnegative for gap in gaps):
                left.remove(one)
        if len(left) == 1:
            return left[0]
        if len(left) == 2:
            gap = self._absolute(self._less(*left))
            total = self.of.total([*left, gap if side > 0 else gap.negated()])
            return self.of.product([rational(1, 2), total])
        left.sort(key=self.of.key)
        key = (function, *(self.of.key(one) for one in left))
        return self.made.get(key, lambda: Generator(self.made.applied(function, *left), REALS))

    def _less(self, one: Quotient, other: Quotient) -> Quotient:
        return self.of.total([one, other.negated()])


def _primes(number: Rational) -> _Factors:
    """The small primes of a positive number with their powers, and what is left."""
    found = sympy.factorint(int(number.p), limit=_SMALL_PRIMES)
    below = sympy.factorint(int(number.q), limit=_SMALL_PRIMES)
    powers = {one: found.get(one, 0) - below.get(one, 0) for one in [*found, *below]}
    return [(rational(int(prime)), int(power)) for prime, power in powers.items() if power]


def _is_rational(expression: Expr) -> bool:
    """Whether it is a sum, a product, or a whole power."""
    return bool(expression.is_Add or expression.is_Mul or (expression.is_Pow and expression.exp.is_Integer))


def _is_plain(expression: Expr) -> bool:
    """Whether it is a function of numbers and nothing else: no integral, no list of cases."""
    return isinstance(expression, sympy.Function) and all(isinstance(one, Expr) for one in expression.args)

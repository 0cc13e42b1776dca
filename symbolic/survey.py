"""Analysis of an expression on a range: where it is defined and continuous, and its sign.

What is shown holds on the whole range of the symbols, ends included: a quotient needs a
denominator without zeros, a root a base that is at least 0, a logarithm one above 0. Signs come
from intervals (`symbolic.spans`), from coefficients (`symbolic.boxes`) or from factoring
(`symbolic.rational_parametrisation`).
"""

from collections.abc import Callable, Mapping
from functools import cached_property, reduce

import sympy
from sympy import Derivative, DiracDelta, Dummy, Expr, Pow, Symbol, harmonic, oo
from sympy.core.function import AppliedUndef

from symbolic import spans
from symbolic.boxes import polynomial_sign
from symbolic.conditions import Conditions, Known
from symbolic.rational_parametrisation import parametrised
from symbolic.reading import Frame, Reader
from symbolic.size import Work
from symbolic.spans import NONNEGATIVE, POSITIVE, QUARTERS, REALS, SYMMETRIC, Span
from symbolic.symbol_ranges import SymbolRange, SymbolRanges

_FORMAL = (sympy.sign, AppliedUndef, Derivative, DiracDelta, harmonic)
_MOST_FACES = 3
_MOST_OPERATIONS = 120


def _increasing(function: Callable[[Expr], Expr]) -> Callable[[Span], Span]:
    return lambda a: spans.increasing(a, function)


def _smallest(*all_: Span) -> Span:
    return reduce(spans.largest, [one.negated() for one in all_]).negated()


#: The values of functions that are defined and continuous everywhere.
_CONTINUOUS: dict[type, Callable[..., Span]] = {
    sympy.Add: lambda *all_: reduce(spans.total, all_),
    sympy.Mul: lambda *all_: reduce(spans.product, all_),
    sympy.Max: lambda *all_: reduce(spans.largest, all_),
    sympy.Min: _smallest,
    sympy.Abs: spans.absolute,
    sympy.sin: spans.sine,
    sympy.cos: lambda a: spans.sine(spans.total(a, spans.point(sympy.pi / 2))),
    sympy.cosh: lambda a: spans.increasing(spans.absolute(a), sympy.cosh),
    sympy.erfc: lambda a: spans.decreasing(a, sympy.erfc),
    **{f: _increasing(f) for f in (sympy.exp, sympy.atan, sympy.sinh, sympy.tanh, sympy.erf)},
}


class Survey:
    """What can be said of expressions on the whole range of their symbols.

    >>> x = Symbol("x", real=True)
    >>> unit = Survey({x: SymbolRange(spans.UNIT)})
    >>> unit.span(1 / (1 + x))
    Span(low=1/2, high=1, low_open=False, high_open=False, punctured=False)
    >>> print(unit.span(1 / x), unit.span(sympy.log(x)), unit.span(sympy.sqrt(x - 1)))
    None None None
    """

    def __init__(self, symbol_ranges: SymbolRanges, under: Conditions = (), work: Work | None = None) -> None:
        self.symbol_ranges = dict(symbol_ranges)
        self.work = work or Work()
        self._under = under
        self._known = Known(under, self.work)
        self._spans: dict[Expr, Span | None] = {}
        self._sharp: dict[Expr, Span | None] = {}
        self._letters: dict[Expr, Symbol] = {}
        self._rules: dict[type, Callable[..., Span | None]] = {
            Pow: self._power,
            sympy.log: self._logarithm,
            sympy.tan: self._tangent,
            sympy.asin: self._arcsine,
            sympy.acos: self._arccosine,
            sympy.gamma: self._gamma,
            sympy.sign: self._sign,
        }

    @cached_property
    def frame(self) -> Frame:
        """The parametrisation of the range's inside."""
        return parametrised(self.symbol_ranges)

    def without_jumps(self, expression: Expr) -> Expr:
        """The expression with a letter for all that jumps or that has no formula.

        What holds for all values of the letter holds for the sign of a number that may vanish,
        for an undefined function, for the distribution delta and for a harmonic number.

        >>> x = Symbol("x", real=True)
        >>> Survey({x: SymbolRange(spans.REALS)}).without_jumps(2 + sympy.sign(x)).has(sympy.sign)
        False
        """
        if not expression.has(*_FORMAL):
            return expression
        if isinstance(expression, Derivative):
            return self._letter(expression, REALS, isinstance(expression.expr, AppliedUndef))
        arguments = [self.without_jumps(argument) for argument in expression.args]
        rebuilt = expression.func(*arguments)
        if not isinstance(rebuilt, _FORMAL):
            return rebuilt
        inside = [self.sharp_span(argument) for argument in arguments]
        known = [span for span in inside if span is not None]
        if isinstance(rebuilt, sympy.sign):
            return self._letter(rebuilt, SYMMETRIC, bool(known) and not known[0].nonzero)
        whole = len(known) == len(inside)
        counts = not isinstance(rebuilt, harmonic) or all(one.nonnegative for one in known)
        return self._letter(rebuilt, REALS, whole and counts)

    def _letter(self, expression: Expr, span: Span, wanted: bool) -> Expr:
        if not wanted:
            return expression
        if expression not in self._letters:
            letter = Dummy("f", real=True)
            self._letters[expression] = letter
            self.symbol_ranges[letter] = SymbolRange(span)
            self.__dict__.pop("frame", None)
        return self._letters[expression]

    def span(self, expression: Expr) -> Span | None:
        """Numbers among which all values lie, None if some may be missing or jump.

        Missing is what is no finite real number; the values depend continuously on the symbols
        that are no integers.
        """
        if expression not in self._spans:
            self._spans[expression] = self._found(expression)
        return self._spans[expression]

    def sharp_span(self, expression: Expr) -> Span | None:
        """As `span`, with more effort to learn the sign: by coefficients, conditions and factors.

        >>> x, y = sympy.symbols("x y", real=True)
        >>> survey = Survey({x: SymbolRange(spans.UNIT), y: SymbolRange(spans.UNIT)})
        >>> survey.span(1 + x * y - x).nonnegative, survey.sharp_span(1 + x * y - x).nonnegative
        (True, True)
        >>> survey.sharp_span(x**2 - x * y + y**2 + 1).positive
        True
        """
        if expression not in self._sharp:
            self._sharp[expression] = self._sharpened(expression)
        return self._sharp[expression]

    def _found(self, expression: Expr) -> Span | None:
        if expression.is_Symbol:
            symbol_range = self.symbol_ranges.get(expression)
            return None if symbol_range is None else symbol_range.span
        if not expression.free_symbols:
            return spans.of_number(expression)
        rule = self._rules.get(expression.func)
        if rule is not None:
            return rule(*expression.args)
        arguments = [self.span(argument) for argument in expression.args]
        known = [one for one in arguments if one is not None]
        if len(known) < len(arguments) or expression.func not in _CONTINUOUS:
            return None
        return _CONTINUOUS[expression.func](*known)

    def quick_span(self, expression: Expr) -> Span | None:
        """The interval of `sharp_span`, by interval arithmetic and coefficients alone."""
        found = self.span(expression)
        if found is None or found.nonzero or not expression.free_symbols:
            return found
        return found.meet(self._by_coefficients(expression))

    def _sharpened(self, expression: Expr) -> Span | None:
        found = self.quick_span(expression)
        if found is None or found.nonzero or not expression.free_symbols:
            return found
        if self._known:
            found = found.meet(self._by_conditions(expression))
        if found.nonzero or expression.count_ops() > _MOST_OPERATIONS:
            return found
        return found.meet(self._by_factors(expression))

    def _by_conditions(self, expression: Expr) -> Span:
        """The sign of what the conditions speak of, or of a product of such and known ones."""
        found = self._known.sign(expression)
        if found.nonzero:
            return found
        return self.work.attempt(
            lambda: self._known.sign_of_product(
                expression, lambda one: spans.half_line(self.quick_span(one))
            ),
            REALS,
        )

    def _by_coefficients(self, expression: Expr) -> Span:
        """The sign of numerator and denominator as polynomials, in whatever they are made of."""
        return self.work.attempt(lambda: self._coefficients_sign(expression), REALS)

    def _coefficients_sign(self, expression: Expr) -> Span:
        reader = Reader(self.work, opaque=True)
        letters: dict[Expr, Symbol] = {}
        parts = [reader.made.spelled_in(one, letters) for one in reader.read(expression)]
        ranges = {letter: self.span(node) for node, letter in letters.items()}
        known = {letter: span for letter, span in ranges.items() if span is not None}
        if len(known) < len(ranges):
            return REALS
        top, bottom = (self._sign_of_polynomial(part, known) for part in parts)
        return spans.product(top, bottom)._replace(punctured=top.nonzero)

    def _sign_of_polynomial(self, part: Expr, ranges: Mapping[Symbol, Span]) -> Span:
        """The half-line in which a polynomial or a number lies."""
        if not part.free_symbols:
            return spans.half_line(spans.of_number(part))
        return polynomial_sign(part, ranges, self.work)

    def _by_factors(self, expression: Expr) -> Span:
        """The sign inside by factoring; at the ends, unless that takes too long, once more."""
        reader = Reader(self.work, self.frame)
        inside = self.work.attempt(lambda: reader.half_line(expression), REALS)
        if not inside.nonzero or self._keeps_sign(expression, inside):
            return inside
        for line in (NONNEGATIVE, NONNEGATIVE.negated()):
            if inside.meet(line) == inside:
                return line
        return REALS  # not 0 inside, with signs that are not known, says nothing of the ends

    def _keeps_sign(self, expression: Expr, half_line: Span) -> bool:
        """Whether the sign is the same with each symbol at each end that belongs to it."""
        faces = [
            {**self.symbol_ranges, x: SymbolRange(spans.point(end))}
            for x in expression.free_symbols
            for end in _closed_ends(self.symbol_ranges[x])
        ]
        if len(faces) > _MOST_FACES:
            return False
        ends = (Survey(face, self._under, self.work).sharp_span(expression) for face in faces)
        return all(end is not None and end.meet(half_line) == end for end in ends)

    def _power(self, base: Expr, exponent: Expr) -> Span | None:
        if exponent.is_Integer and exponent > 0:
            return _mapped(self.span(base), lambda a: spans.power(a, exponent))
        found = self.sharp_span(base)
        if found is None:
            return None
        if exponent.is_Integer:
            return spans.power(found, exponent) if found.nonzero else None
        if exponent.is_Rational:
            fits = found.nonnegative and (exponent > 0 or found.nonzero)
            return spans.power(found, exponent) if fits else None
        return self._varying_power(found, exponent)

    def _varying_power(self, base: Span, exponent: Expr) -> Span | None:
        """Powers with an exponent that is no rational number."""
        found = self.sharp_span(exponent)
        if found is None:
            return None
        if base.positive:
            logarithm = spans.increasing(base, _log)
            return spans.increasing(spans.product(found, logarithm), sympy.exp)
        if base.nonnegative and found.positive:
            return NONNEGATIVE
        if exponent.is_integer and (base.nonzero or found.nonnegative):
            return REALS._replace(punctured=base.nonzero)
        return None

    def _logarithm(self, argument: Expr) -> Span | None:
        found = self.sharp_span(argument)
        if found is None or not found.positive:
            return None
        return spans.increasing(found.meet(POSITIVE), _log)

    def _tangent(self, argument: Expr) -> Span | None:
        cosine = self.span(sympy.cos(argument))
        inside = self.span(argument)
        if cosine is None or inside is None or not cosine.nonzero:
            return None
        if inside.low >= QUARTERS.low and inside.high <= QUARTERS.high:
            return spans.increasing(inside, _tan)
        return REALS

    def _arcsine(self, argument: Expr) -> Span | None:
        return _mapped(self._cosine_or_none(argument), lambda a: spans.increasing(a, sympy.asin))

    def _arccosine(self, argument: Expr) -> Span | None:
        return _mapped(self._cosine_or_none(argument), lambda a: spans.decreasing(a, sympy.acos))

    def _cosine_or_none(self, argument: Expr) -> Span | None:
        """The span of a number that lies in [-1, 1], None if it may lie outside."""
        found = self.span(argument)
        if found is None or (found.low >= -1 and found.high <= 1):
            return found
        gaps = [self.sharp_span(1 - argument), self.sharp_span(1 + argument)]
        inside = all(gap is not None and gap.nonnegative for gap in gaps)
        if not inside and self._known:
            gap = self.sharp_span(1 - argument**2)
            inside = gap is not None and gap.nonnegative
        return found.meet(SYMMETRIC) if inside else None

    def _gamma(self, argument: Expr) -> Span | None:
        found = self.sharp_span(argument)
        return POSITIVE if found is not None and found.positive else None

    def _sign(self, argument: Expr) -> Span | None:
        found = self.sharp_span(argument)
        if found is None or not found.nonzero:
            return None
        if found.positive:
            return spans.point(sympy.S.One)
        return spans.point(-sympy.S.One) if found.negated().positive else SYMMETRIC


def _mapped(span: Span | None, function: Callable[[Span], Span]) -> Span | None:
    return None if span is None else function(span)


def _log(end: Expr) -> Expr:
    return -oo if end == 0 else sympy.log(end)


def _tan(end: Expr) -> Expr:
    return sympy.sign(end) * oo if abs(end) == QUARTERS.high else sympy.tan(end)


def _closed_ends(symbol_range: SymbolRange) -> list[Expr]:
    """The ends that belong to a range of real numbers."""
    span = symbol_range.span
    if symbol_range.step or symbol_range.members or span.is_point:
        return []
    ends = [(span.low, span.low_open), (span.high, span.high_open)]
    return [end for end, is_open in ends if not is_open]

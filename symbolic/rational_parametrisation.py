"""A rational parametrisation of all symbols at once, under which roots and signs resolve.

Each symbol is written in p > 0 or in v in (0, pi/2), sin v = 2(1 + p) / ((1 + p)² + 1),
cos v = ((1 + p)² - 1) / ((1 + p)² + 1), by the interval that it fills. Square roots such as
sqrt(1 - rho²), absolute values and signs then resolve by factoring, because everything in sight
is positive, and asin, acos of the parametrised numbers become v.

The ends of an interval are never reached: what is read off holds inside. It holds at the ends too
for what is continuous there, which `symbolic.survey` finds out. Integers keep their ends.
"""

from collections.abc import Callable
from functools import reduce

import sympy
from sympy import Dummy, Expr, Integer, Symbol, cos, oo, sin
from sympy.functions.elementary.trigonometric import TrigonometricFunction
from sympy.polys.polyerrors import BasePolynomialError

from symbolic import spans
from symbolic.spans import NONNEGATIVE, POSITIVE, REALS, SYMMETRIC, UNIT, Span
from symbolic.symbol_ranges import SymbolRange, SymbolRanges

_MOST_TERMS, _MOST_OPERATIONS, _SHORT = 6, 120, 30
#: No sine of an angle of the frame is as long; to cancel in what is longer may take for ever.
_LONGEST_SINE = 200

#: What SymPy raises where it cannot rewrite: nothing is shown then, and nothing wrong.
GIVING_UP = (
    ArithmeticError,
    AttributeError,
    BasePolynomialError,
    RuntimeError,
    RecursionError,
    TypeError,
    ValueError,
)


class RationalParametrisation:
    """The rational parametrisation that belongs to what the symbols range over."""

    def __init__(self, symbol_ranges: SymbolRanges) -> None:
        self.leaves: dict[Expr, Expr] = {}
        self.sine: dict[Expr, Expr] = {}
        self.cosine: dict[Expr, Expr] = {}
        for symbol, symbol_range in symbol_ranges.items():
            self.leaves[symbol] = self._leaf(symbol, symbol_range)
        self._rules: dict[type, Callable[..., Expr]] = {
            sin: lambda argument: self._trigonometric(sin(argument)),
            cos: lambda argument: self._trigonometric(cos(argument)),
            sympy.asin: self._arcsine,
            sympy.acos: lambda argument: sympy.pi / 2 - self._arcsine(argument),
            sympy.Abs: _absolute_value,
            sympy.sign: _sign,
            sympy.Pow: _power,
            sympy.exp: _exponential,
            sympy.Max: _extreme(sympy.Max),
            sympy.Min: _extreme(sympy.Min),
        }

    def rewrite(self, expression: Expr) -> Expr:
        """Rewrite the leaves first, then resolve the functions above them."""
        if not expression.args:
            return self.leaves.get(expression, expression)
        arguments = [self.rewrite(argument) for argument in expression.args]
        return self._rules.get(expression.func, expression.func)(*arguments)

    def half_line(self, expression: Expr) -> Span:
        """The half-line in which factoring shows the expression to lie inside."""
        try:
            rewritten = self.rewrite(expression)
            if rewritten.count_ops() > _MOST_OPERATIONS:
                return REALS
            return spans.half_line(_extent(factored(rewritten)))
        except GIVING_UP:
            return REALS

    def _leaf(self, symbol: Symbol, symbol_range: SymbolRange) -> Expr:
        """Write the symbol in the parameter that suits its interval."""
        span = symbol_range.span
        if len(symbol_range.members) == 1 or span.is_point:
            return symbol_range.members[0] if symbol_range.members else span.low
        if symbol_range.step:
            return _integer(symbol, span)
        if span.nonnegative:
            return self._nonnegative_leaf(symbol, span)
        if span.negated().nonnegative:
            return -self._nonnegative_leaf(symbol, span.negated())
        if _inside(span, SYMMETRIC):
            return 1 - 2 * self._quarter_turn()[1] ** 2
        return symbol if symbol.is_real else Dummy(symbol.name, real=True)

    def _nonnegative_leaf(self, symbol: Symbol, span: Span) -> Expr:
        if span.high == oo and span.low >= 1:
            return 1 / self._quarter_turn()[1]
        if _inside(span, UNIT):
            return self._quarter_turn()[1] ** 2
        if span.high != oo and _inside(span, Span(Integer(0), sympy.pi)):
            return 2 * self._quarter_turn()[0]
        return Dummy(symbol.name, positive=True)

    def _quarter_turn(self) -> tuple[Expr, Expr]:
        """Make a new angle v in (0, pi/2) and its sine as a rational function of p > 0."""
        angle, p = Dummy("v", positive=True), Dummy("p", positive=True)
        self.sine[angle] = 2 * (1 + p) / (p**2 + 2 * p + 2)
        self.cosine[angle] = p * (p + 2) / (p**2 + 2 * p + 2)
        return angle, self.sine[angle]

    def _trigonometric(self, node: Expr) -> Expr:
        rational = {sin(v): s for v, s in self.sine.items()}
        rational |= {cos(v): c for v, c in self.cosine.items()}
        return split_angles(node).xreplace(rational)

    def _arcsine(self, argument: Expr) -> Expr:
        """Resolve asin of ± sin v, cos v, cos 2v: each of these angles lies in range."""
        if argument.count_ops() > _LONGEST_SINE:
            return sympy.asin(argument)
        argument = sympy.cancel(argument)
        for v, s in self.sine.items():
            quarter = sympy.pi / 2
            angles = {s: v, self.cosine[v]: quarter - v, 1 - 2 * s**2: quarter - 2 * v}
            for value, angle in angles.items():
                if sympy.cancel(argument - value) == 0:
                    return angle
                if sympy.cancel(argument + value) == 0:
                    return -angle
        return sympy.asin(argument)


def split_angles(expression: Expr) -> Expr:
    """The addition theorems, unless an angle has too many terms: each doubles the result.

    >>> x, y = sympy.symbols("x y")
    >>> split_angles(sin(x + y))
    sin(x)*cos(y) + sin(y)*cos(x)
    """
    angles = (node.args[0] for node in expression.atoms(TrigonometricFunction))
    if any(len(sympy.Add.make_args(angle.expand())) > _MOST_TERMS for angle in angles):
        return expression
    return sympy.expand_trig(expression)


def _known_sign(expression: Expr) -> int | None:
    """The sign that the assumptions of an expression's symbols give to its factors."""
    found = _extent(factored(expression))
    if found.positive:
        return 1
    if found.negated().positive:
        return -1
    return 0 if found == spans.point(sympy.S.Zero) else None


def _extent(expression: Expr) -> Span:
    """Numbers among which the values lie, by the signs that the symbols are assumed to have."""
    if not expression.free_symbols:
        return spans.of_number(expression) or REALS
    if expression.is_Symbol:
        return _assumed(expression)
    if expression.is_Pow and expression.exp.is_Rational:
        return _power_extent(_extent(expression.base), expression.exp)
    rule = _EXTENTS.get(expression.func)
    return rule(*map(_extent, expression.args)) if rule else REALS


def _assumed(symbol: Symbol) -> Span:
    if symbol.is_nonnegative:
        return POSITIVE if symbol.is_positive else NONNEGATIVE
    if symbol.is_nonpositive:
        return POSITIVE.negated() if symbol.is_negative else NONNEGATIVE.negated()
    return REALS


def _power_extent(base: Span, exponent: Expr) -> Span:
    fits = exponent > 0 or base.nonzero
    return (
        spans.power(base, exponent) if fits and (exponent.is_Integer or base.nonnegative) else REALS
    )


_EXTENTS: dict[type, Callable[..., Span]] = {
    sympy.Add: lambda *parts: reduce(spans.total, parts),
    sympy.Mul: lambda *parts: reduce(spans.product, parts),
    sympy.Abs: spans.absolute,
    sympy.exp: lambda a: spans.increasing(a, sympy.exp),
    sympy.sinh: lambda a: spans.increasing(a, sympy.sinh),
    sympy.tanh: lambda a: spans.increasing(a, sympy.tanh),
    sympy.atan: lambda a: spans.increasing(a, sympy.atan),
    sympy.cosh: lambda _: POSITIVE,
    sin: lambda _: SYMMETRIC,
    cos: lambda _: SYMMETRIC,
    sympy.Pow: lambda base, _: POSITIVE if base.positive else REALS,
}


def factored(expression: Expr) -> Expr:
    """The expression as a quotient of products, a number as it is."""
    return expression if expression.is_number else sympy.factor(sympy.together(expression))


def _integer(symbol: Symbol, span: Span) -> Expr:
    """The symbol itself if its assumptions say all of the span's sign, else one that does."""
    signs = {
        "positive": span.positive,
        "negative": span.negated().positive,
        "nonnegative": span.nonnegative,
        "nonpositive": span.negated().nonnegative,
    }
    sign = next((name for name, holds in signs.items() if holds), "real")
    if symbol.is_integer and getattr(symbol, f"is_{sign}"):
        return symbol
    return Dummy(symbol.name, integer=True, **{sign: True})


def _inside(span: Span, other: Span) -> bool:
    return bool(span.low >= other.low and span.high <= other.high)


def _absolute_value(argument: Expr) -> Expr:
    sign = _known_sign(argument)
    return sympy.Abs(argument) if sign is None else sign * argument


def _sign(argument: Expr) -> Expr:
    sign = _known_sign(argument)
    return sympy.sign(argument) if sign is None else sympy.Integer(sign)


def _extreme(function: Callable[..., Expr]) -> Callable[..., Expr]:
    """Max or Min, whose arguments SymPy compares at length unless they are short."""

    def rule(*arguments: Expr) -> Expr:
        short = sum(argument.count_ops() for argument in arguments) < _SHORT
        return function(*arguments, evaluate=short)

    return rule


def _power(base: Expr, exponent: Expr) -> Expr:
    """Let squares leave a root: its base is factored, and the factors are positive."""
    if exponent.is_Integer:
        return base**exponent
    return sympy.expand_power_base(sympy.factor(sympy.together(base)) ** exponent)


def _exponential(exponent: Expr) -> Expr:
    return sympy.exp(sympy.together(exponent).expand()).expand(power_exp=True)

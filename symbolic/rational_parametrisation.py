"""A rational parametrisation of all symbols at once, under which roots and signs resolve.

Each symbol is written in p > 0 or in v in (0, pi/2), sin v = 2(1 + p) / ((1 + p)² + 1),
cos v = ((1 + p)² - 1) / ((1 + p)² + 1), by the interval that it fills. Square roots such as
sqrt(1 - rho²), absolute values and signs then resolve by factoring (`symbolic.reading`), because
everything in sight is positive, and asin, acos of the parametrised numbers become v.

The ends of an interval are never reached: what is read off holds inside. It holds at the ends too
for what is continuous there, which `symbolic.survey` finds out. Integers keep their ends.
"""

import sympy
from sympy import Dummy, Expr, Integer, Symbol, oo

from symbolic.reading import Frame
from symbolic.spans import SYMMETRIC, UNIT, Span
from symbolic.symbol_ranges import SymbolRange, SymbolRanges


def parametrised(symbol_ranges: SymbolRanges) -> Frame:
    """The rational parametrisation that belongs to what the symbols range over.

    >>> from symbolic.reading import Reader
    >>> x = Symbol("x", real=True)
    >>> frame = parametrised({x: SymbolRange(SYMMETRIC)})
    >>> reader = Reader(frame=frame)
    >>> reader.spelled(reader.read(sympy.sqrt(1 - x**2)))
    (4*_p**3 + 12*_p**2 + 8*_p)/(_p**4 + 4*_p**3 + 8*_p**2 + 8*_p + 4)
    """
    frame = Frame({}, {}, {})
    for symbol, symbol_range in symbol_ranges.items():
        frame.leaves[symbol] = _leaf(symbol, symbol_range, frame)
    return frame


def _leaf(symbol: Symbol, symbol_range: SymbolRange, frame: Frame) -> Expr:
    """Write the symbol in the parameter that suits its interval."""
    span = symbol_range.span
    if len(symbol_range.members) == 1 or span.is_point:
        return symbol_range.members[0] if symbol_range.members else span.low
    if symbol_range.step:
        return _integer(symbol, span)
    if span.nonnegative:
        return _nonnegative_leaf(symbol, span, frame)
    if span.negated().nonnegative:
        return -_nonnegative_leaf(symbol, span.negated(), frame)
    if _inside(span, SYMMETRIC):
        return 1 - 2 * _quarter_turn(frame)[1] ** 2
    return symbol if symbol.is_real else Dummy(symbol.name, real=True)


def _nonnegative_leaf(symbol: Symbol, span: Span, frame: Frame) -> Expr:
    if span.high == oo and span.low >= 1:
        return 1 / _quarter_turn(frame)[1]
    if _inside(span, UNIT):
        return _quarter_turn(frame)[1] ** 2
    if span.high != oo and _inside(span, Span(Integer(0), sympy.pi)):
        return 2 * _quarter_turn(frame)[0]
    return Dummy(symbol.name, positive=True)


def _quarter_turn(frame: Frame) -> tuple[Expr, Expr]:
    """Make a new angle v in (0, pi/2) and its sine as a rational function of p > 0."""
    angle, p = Dummy("v", positive=True), Dummy("p", positive=True)
    frame.sine[angle] = 2 * (1 + p) / (p**2 + 2 * p + 2)
    frame.cosine[angle] = p * (p + 2) / (p**2 + 2 * p + 2)
    return angle, frame.sine[angle]


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

"""Exact sample points of the ranges of symbols, at which a ball may refute a statement."""

import itertools
import random
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import TypeAlias

from sympy import Expr, Symbol, oo

from symbolic.symbol_ranges import SymbolRange, SymbolRanges, allowed

Value: TypeAlias = Fraction | Expr
Place = dict[Symbol, Value]

_FIRST = 4
_CORNERS = 64
_MORE = 100
_FAR = 1000
_NEAR = 3
_TRIES = 20
_SEED = 20250301


def first_points(symbols: Sequence[Symbol], symbol_ranges: SymbolRanges) -> Iterator[Place]:
    """A few points well inside the range, the same ones on every call; one if there is no symbol.

    >>> x = Symbol("x", real=True)
    >>> from symbolic.spans import UNIT
    >>> next(first_points([x], {x: SymbolRange(UNIT)}))
    {x: Fraction(557, 1009)}
    """
    dice = random.Random(_SEED)
    for _ in range(_FIRST if symbols else 1):
        yield from _point({x: _inner(x, symbol_ranges[x], dice) for x in symbols})


def more_points(symbols: Sequence[Symbol], symbol_ranges: SymbolRanges) -> Iterator[Place]:
    """Ends that belong to the range, what lies close to the others or far out, and more inside."""
    dice = random.Random(_SEED + 1)
    sides = {x: _outer(x, symbol_ranges[x]) for x in symbols}
    for x, values in sides.items():
        for value in values:
            inside: dict[Symbol, Value | None] = {
                y: _inner(y, symbol_ranges[y], dice) for y in symbols if y != x
            }
            yield from _point({**inside, x: value})
    for corner in itertools.islice(itertools.product(*sides.values()), _CORNERS):
        yield from _point(dict(zip(symbols, corner, strict=True)))
    for _ in range(_MORE if symbols else 0):
        yield from _point({x: _anywhere(x, symbol_ranges[x], dice) for x in symbols})


def _point(values: dict[Symbol, Value | None]) -> Iterator[Place]:
    """The point, if each symbol was given a value."""
    place = {x: value for x, value in values.items() if value is not None}
    if len(place) == len(values):
        yield place


def _inner(symbol: Symbol, symbol_range: SymbolRange, dice: random.Random) -> Value | None:
    """A number well inside, with a denominator free of accidents; None if none was met."""
    if symbol_range.members:
        return dice.choice(symbol_range.members)
    if symbol_range.step:
        return _integer(symbol, symbol_range, dice)
    low, high = _ends(symbol_range)
    if low is None:
        low = Fraction(-_NEAR) if high is None else high - _NEAR
    if high is None:
        high = max(low, Fraction(0)) + _NEAR
    found = low + Fraction(dice.randint(50, 950), 1009) * (high - low)
    return found if allowed(symbol, found) else None


def _anywhere(symbol: Symbol, symbol_range: SymbolRange, dice: random.Random) -> Value | None:
    """A number that may lie close to an end or far out."""
    if symbol_range.members or symbol_range.step:
        return _inner(symbol, symbol_range, dice)
    share = Fraction(dice.randint(1, 999), 1000)
    low, high = _ends(symbol_range)
    if low is not None and high is not None:
        found = low + share * (high - low)
    elif low is not None:
        found = low + share / (1 - share)
    elif high is not None:
        found = high - share / (1 - share)
    else:
        found = (2 * share - 1) / (share * (1 - share))
    return found if allowed(symbol, found) else None


def _integer(symbol: Symbol, symbol_range: SymbolRange, dice: random.Random) -> Value | None:
    span = symbol_range.span
    for _ in range(_TRIES):
        count = dice.randint(0, 8) * symbol_range.step
        if span.low.is_finite:
            found = span.low + count
        else:
            found = span.high - count if span.high.is_finite else dice.choice((-1, 1)) * count
        if found <= span.high and allowed(symbol, Fraction(int(found))):
            return Fraction(int(found))
    return None


def _outer(symbol: Symbol, symbol_range: SymbolRange) -> list[Value]:
    """Closed ends, numbers close to open ones, numbers far out, and -1, 0, 1 if these belong."""
    if symbol_range.members:
        return list(symbol_range.members)
    span = symbol_range.span
    low, high = _ends(symbol_range)
    found: list[Value] = [*symbol_range.ends]
    if low is None:
        found.append((high or 0) - Fraction(_FAR) * max(1, symbol_range.step))
    if high is None:
        found.append((low or 0) + Fraction(_FAR) * max(1, symbol_range.step))
    if not symbol_range.step:
        width = Fraction(1) if low is None or high is None else high - low
        found += [low + width / _FAR] if low is not None and span.low_open else []
        found += [high - width / _FAR] if high is not None and span.high_open else []
    if symbol_range.step <= 1:
        found += [Fraction(k) for k in (0, 1, -1) if span.low < k < span.high]
    return [value for value in found if allowed(symbol, value)]


def _ends(symbol_range: SymbolRange) -> tuple[Fraction | None, Fraction | None]:
    return _fraction(symbol_range.span.low), _fraction(symbol_range.span.high)


def _fraction(end: Expr) -> Fraction | None:
    if end in (oo, -oo):
        return None
    return Fraction(int(end.p), int(end.q)) if end.is_Rational else Fraction(float(end))

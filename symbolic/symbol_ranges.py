"""Ranges of the symbols of an expression: their domain within what is assumed of them."""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

import sympy
from sympy import Expr, FiniteSet, Interval, Range, Set, Symbol, oo

from symbolic.spans import REALS, Span, point

Domain = Mapping[Symbol, Set]

_SIGNS = {
    "positive": Interval.open(0, oo),
    "negative": Interval.open(-oo, 0),
    "nonnegative": Interval(0, oo),
    "nonpositive": Interval(-oo, 0),
}
_SUBTLE = ("nonzero", "even", "odd", "prime", "composite", "irrational", "rational", "integer")


class SymbolRange(NamedTuple):
    """The numbers that a symbol stands for.

    `span` contains them; `step` is 0 for all numbers of the span, else they are integers and
    `step` apart; `ends` are those ends of the span that belong to it, `members` the numbers
    themselves where the domain lists them.
    """

    span: Span
    step: int = 0
    ends: tuple[Expr, ...] = ()
    members: tuple[Expr, ...] = ()


SymbolRanges = Mapping[Symbol, SymbolRange]


def symbol_ranges_of(symbols: Iterable[Symbol], domain: Domain) -> dict[Symbol, SymbolRange]:
    """What each symbol ranges over, by the domain and by its own assumptions.

    Raises ValueError for a symbol with neither a domain nor an assumption that makes it real,
    and for a domain with a number that the assumptions exclude.

    >>> p, n = Symbol("p", positive=True), Symbol("n", integer=True)
    >>> symbol_ranges_of([n], {n: Interval.open(0, 5)})[n].span
    Span(low=1, high=4, low_open=False, high_open=False, punctured=False)
    >>> symbol_ranges_of([p], {p: Interval(0, 1)})
    Traceback (most recent call last):
      ...
    ValueError: p is assumed positive, its domain must lie in (0, oo), got Interval(0, 1)
    >>> symbol_ranges_of([Symbol("z")], {})
    Traceback (most recent call last):
      ...
    ValueError: z needs a domain, or an assumption that makes it real
    """
    wanted = dict.fromkeys([*domain, *sorted(symbols, key=str)])
    return {symbol: _range_of(symbol, domain.get(symbol)) for symbol in wanted}


def allowed(symbol: Symbol, value: Expr | Fraction) -> bool:
    """Whether the subtler assumptions of a symbol allow the value.

    >>> [n for n in range(5) if allowed(Symbol("k", odd=True), sympy.Integer(n))]
    [1, 3]
    """
    wanted = _subtle(symbol)
    if not wanted:
        return True
    number = sympy.sympify(value)
    return all(getattr(number, f"is_{name}") is truth for name, truth in wanted)


@lru_cache(maxsize=4096)
def _subtle(symbol: Symbol) -> tuple[tuple[str, bool], ...]:
    """What is assumed beyond being real, whole, or of a sign."""
    assumed = ((name, getattr(symbol, f"is_{name}")) for name in _SUBTLE)
    return tuple((name, truth) for name, truth in assumed if truth is not None)


@lru_cache(maxsize=4096)
def _range_of(symbol: Symbol, domain: Set | None) -> SymbolRange:
    name, numbers = _assumed(symbol)
    if domain is None:
        if not symbol.is_real:
            raise ValueError(f"{symbol} needs a domain, or an assumption that makes it real")
        found = _of_set(symbol, numbers)
        return found._replace(span=found.span._replace(punctured=bool(symbol.is_nonzero)))
    found = _of_set(symbol, domain)
    if symbol.is_real is False or found.span.meet(_span(numbers)) != found.span:
        words = str(numbers).replace("Interval.open", "").replace("Interval", "")
        words = f"is assumed {name}, its domain must lie in {words}"
        raise ValueError(f"{symbol} {words}, got {domain}")
    hole = symbol.is_nonzero and not found.span.nonzero
    if hole or not all(allowed(symbol, member) for member in found.members):
        raise ValueError(f"{symbol} is assumed to have no value that lies in its domain {domain}")
    return found


def _assumed(symbol: Symbol) -> tuple[str, Interval]:
    for name, numbers in _SIGNS.items():
        if getattr(symbol, f"is_{name}"):
            return name, numbers
    return "real", sympy.Reals


def _of_set(symbol: Symbol, numbers: Set) -> SymbolRange:
    """The numbers of a set that the symbol may take: only integers if it is one."""
    if isinstance(numbers, FiniteSet):
        return _of_members(symbol, tuple(numbers))
    if isinstance(numbers, Range):
        low, high = sorted([numbers.inf, numbers.sup])
        return _of_integers(low, high, abs(int(numbers.step)))
    if not isinstance(numbers, Interval):
        return _of_integers(numbers.inf, numbers.sup)
    if symbol.is_integer:
        return _integers_of(symbol, numbers)
    span = _span(numbers)
    closed = [(numbers.start, numbers.left_open), (numbers.end, numbers.right_open)]
    return SymbolRange(span, 0, tuple(end for end, is_open in closed if not is_open))


def _of_members(symbol: Symbol, members: tuple[Expr, ...]) -> SymbolRange:
    if not members or any(not (member.is_number and member.is_real) for member in members):
        raise ValueError(f"the domain of {symbol} must list real numbers, got {members}")
    spans = [point(member) for member in members]
    low, high = min(span.low for span in spans), max(span.high for span in spans)
    whole = all(member.is_integer for member in members)
    return SymbolRange(Span(low, high), int(whole), members, members)


def _span(numbers: Interval) -> Span:
    """The span of an interval; its ends must be numbers."""
    if not (numbers.start.is_number and numbers.end.is_number):
        raise ValueError(f"the ends of a domain must be numbers, got {numbers}")
    if numbers == sympy.Reals:
        return REALS
    low, high = point(numbers.start).low, point(numbers.end).high
    return Span(low, high, bool(numbers.left_open), bool(numbers.right_open))


def _integers_of(symbol: Symbol, numbers: Interval) -> SymbolRange:
    low, high = sympy.ceiling(numbers.start), sympy.floor(numbers.end)
    low += int(bool(numbers.left_open) and low == numbers.start)
    high -= int(bool(numbers.right_open) and high == numbers.end)
    if low > high:
        raise ValueError(f"the domain of {symbol} must have an integer, got none")
    return _of_integers(low, high)


def _of_integers(low: Expr, high: Expr, step: int = 1) -> SymbolRange:
    ends = tuple(end for end in (low, high) if end.is_finite)
    return SymbolRange(Span(low, high, low == -oo, high == oo), step, ends)

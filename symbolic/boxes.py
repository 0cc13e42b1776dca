"""Polynomials of one sign on a box, shown by the signs of coefficients.

With x = lower + (upper - lower) v/(1 + v) for a bounded symbol, x = lower + v for a half-line,
v >= 0, a polynomial times powers of 1 + v becomes a polynomial in the v. If it has no negative
coefficient it is at least 0 on the box, ends included. It is positive if moreover, at each end
that belongs to the box, a term with positive coefficient survives.

(For one that is positive on a bounded box a division of the box, or a higher power, always gets
there; a zero on an end may be no obstacle, a zero inside is.)
"""

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import sympy
from sympy import Dummy, Expr, Poly, Symbol, oo

from symbolic.size import Work, check
from symbolic.spans import NONNEGATIVE, POSITIVE, REALS, Span, point

_MOST_PIECES = 32
_MOST_TERMS = 2000
#: To put an interval's variable into a term takes as long as so many products of terms.
_WORK_OF_A_TERM = 500


class _Chart(NamedTuple):
    """x = top/bottom in a variable v >= 0, and whether x may have the values at v = 0 and oo."""

    top: Expr
    bottom: Expr
    variable: Symbol
    has_zero: bool
    has_infinity: bool

    @property
    def is_scaling(self) -> bool:
        """Whether x is a multiple of the variable, so that a term remains one."""
        return bool(self.bottom == 1 and self.top in (self.variable, -self.variable))


def polynomial_sign(polynomial: Expr, spans: Mapping[Symbol, Span], work: Work | None = None) -> Span:
    """The half-line in which the values of a polynomial are shown to lie, all reals if none is.

    Raises TooLargeError if that is too much work.

    >>> x, y = sympy.symbols("x y", real=True)
    >>> unit = Span(sympy.Integer(0), sympy.Integer(1))
    >>> polynomial_sign((1 - x * y) ** 2 - (x - y) ** 2, {x: unit, y: unit}) == NONNEGATIVE
    True
    >>> polynomial_sign(x**2 - x + 1, {x: REALS}) == REALS
    True
    """
    symbols = sorted(polynomial.free_symbols, key=str)
    try:
        given = Poly(polynomial, *symbols) if symbols else None
    except sympy.PolynomialError:
        return REALS
    if given is not None and given.is_zero:
        return point(sympy.S.Zero)
    if given is None or len(given.terms()) > _MOST_TERMS:
        return REALS
    work = work or Work()
    whole = _over_pieces(given, [_charts(spans[x]) for x in symbols], work)
    if whole == REALS and any(_straddles(spans[x]) for x in symbols):
        halves = [[c for half in _halves(spans[x]) for c in _charts(half)] for x in symbols]
        return _over_pieces(given, halves, work)
    return whole


def _over_pieces(polynomial: Poly, charts: Sequence[Sequence[_Chart]], work: Work) -> Span:
    """The half-line that serves on all pieces of the box."""
    found: Span | None = None
    for number, piece in enumerate(itertools.product(*charts)):
        sign = REALS if number == _MOST_PIECES else _on_piece(polynomial, piece, work)
        found = sign if found is None else _hull(found, sign)
        if found == REALS:
            break
    return REALS if found is None else found


def _hull(a: Span, b: Span) -> Span:
    if a == b:
        return a
    if a.nonnegative and b.nonnegative:
        return NONNEGATIVE
    both_below = a.negated().nonnegative and b.negated().nonnegative
    return NONNEGATIVE.negated() if both_below else REALS


def _straddles(span: Span) -> bool:
    return bool(-oo < span.low < 0 < span.high)


def _halves(span: Span) -> list[Span]:
    if not _straddles(span):
        return [span]
    zero = sympy.S.Zero
    return [span._replace(low=zero, low_open=False), span._replace(high=zero, high_open=False)]


def _charts(span: Span) -> list[_Chart]:
    """One chart, or two for the whole line."""
    v = Dummy("v", nonnegative=True)
    low, high = span.low, span.high
    if span.is_point:
        return [_Chart(low, sympy.S.One, v, True, False)]
    if low.is_finite and high.is_finite:
        closed = (not span.low_open, not span.high_open)
        return [_Chart(low + high * v, 1 + v, v, *closed)]
    if low.is_finite:
        return [_Chart(low + v, sympy.S.One, v, not span.low_open, False)]
    if high.is_finite:
        return [_Chart(high - v, sympy.S.One, v, not span.high_open, False)]
    return [_Chart(sign * v, sympy.S.One, v, True, False) for sign in (1, -1)]


def _terms_on(polynomial: Poly, charts: Sequence[_Chart]) -> int:
    """At most so many terms has the polynomial in the variables of the charts."""
    degrees = [int(one) for one in polynomial.degree_list()]
    mixed = [one for one, chart in zip(degrees, charts, strict=True) if not chart.is_scaling]
    spread = len(polynomial.terms()) * math.prod(one + 1 for one in mixed)
    return min(spread, math.prod(one + 1 for one in degrees))


def _on_piece(polynomial: Poly, charts: Sequence[_Chart], work: Work) -> Span:
    """The half-line by the coefficients in the variables of the charts."""
    terms = _terms_on(polynomial, charts)
    check("terms of a polynomial on a box", terms, _MOST_TERMS)
    squares = sum((int(degree) + 1) ** 2 for degree in polynomial.degree_list())
    work.spend(_WORK_OF_A_TERM * (terms * len(charts) + squares))
    symbols, degrees = polynomial.gens, list[int]()
    for x, chart in zip(symbols, charts, strict=True):
        polynomial, degree = _inserted(polynomial, x, chart)
        degrees.append(degree)
        if polynomial.is_zero:
            return point(sympy.S.Zero)
    terms = polynomial.terms()
    if all(c.is_nonnegative for _, c in terms):
        sign = 1
    elif all(c.is_nonpositive for _, c in terms):
        sign = -1
    else:
        return REALS
    powers = [monomial for monomial, c in terms if c.is_zero is False]
    strict = all(any(_survives(one, corner) for one in powers) for corner in _corners(charts, degrees))
    half_line = POSITIVE if strict else NONNEGATIVE
    return half_line if sign > 0 else half_line.negated()


def _inserted(polynomial: Poly, x: Symbol, chart: _Chart) -> tuple[Poly, int]:
    """The polynomial with the chart for x, without quotients; and its degree in x."""
    place, degree = polynomial.gens.index(x), int(polynomial.degree(x))
    top, bottom = (Poly(one, chart.variable) for one in (chart.top, chart.bottom))
    powers = {
        k: (top**k * bottom ** (degree - k)).terms()
        for k in {monomial[place] for monomial in polynomial.monoms()}
    }
    found: dict[tuple[int, ...], Expr] = {}
    for monomial, c in polynomial.terms():
        for (power,), factor in powers[monomial[place]]:
            key = (*monomial[:place], power, *monomial[place + 1 :])
            found[key] = found.get(key, sympy.S.Zero) + c * factor
    gens = [chart.variable if one == x else one for one in polynomial.gens]
    return Poly(found, *gens), degree


def _corners(charts: Sequence[_Chart], degrees: Sequence[int]) -> Iterator[tuple[int | None, ...]]:
    """The powers that a term must have to survive at the smallest faces; None if any will do."""
    ends: list[list[int | None]] = []
    for chart, degree in zip(charts, degrees, strict=True):
        closed = [(0, chart.has_zero), (degree, chart.has_infinity)]
        ends.append([power for power, belongs in closed if belongs] or [None])
    return itertools.product(*ends)


def _survives(powers: Sequence[int], corner: Sequence[int | None]) -> bool:
    return all(wanted in (None, k) for k, wanted in zip(powers, corner, strict=True))

"""Equality and order of expressions and matrices, decided for all values of the symbols.

The answers are yes, no, or open. "Yes" says that at every point of the range, ends included, both
sides are real numbers and the relation holds: it rests on a normal form (`symbolic.normal_form`)
or a sign, together with a survey of where the sides are defined and continuous
(`symbolic.survey`). "No" rests on an exact point of the range where a ball proves the contrary
(`symbolic.enclosure`). A few points are tried first, so a "yes" has always also survived them.
"""

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

import sympy
from sympy import Expr, MatrixBase, Ne, Set, Symbol
from sympy.logic.boolalg import Boolean

from symbolic.arguments import ranges
from symbolic.conditions import Conditions, as_conditions, margin
from symbolic.enclosure import Ball, enclose
from symbolic.normal_form import Domain, has_zero_form
from symbolic.points import Place, first_points, more_points
from symbolic.size import TooLargeError, Work, check_expression
from symbolic.spans import Span, point
from symbolic.survey import Survey
from symbolic.symbol_ranges import SymbolRange, SymbolRanges, symbol_ranges_of

PointSource = Callable[[Sequence[Symbol], SymbolRanges], Iterator[Place]]
_Sets = frozenset[tuple[Symbol, Set]]
_MOST_MEMBERS = 64
#: To enclose a part of an expression in a ball takes as long as so many products of terms.
_WORK_OF_A_PART = 10


class Decision(NamedTuple):
    """Answer of a check, True, False or None for undecided, and what it rests on."""

    answer: bool | None
    detail: str


class _Case(NamedTuple):
    """Two sides, what their symbols range over, and the conditions that cut the range down."""

    lhs: Expr
    rhs: Expr
    symbol_ranges: SymbolRanges
    under: Conditions
    work: Work

    def __str__(self) -> str:
        difference = self.lhs - self.rhs
        try:
            return str(difference)
        except ZeroDivisionError:  # SymPy orders terms by their values, and one has none
            return str(sympy.sstr(difference, order="none"))

    def undecided(self, why: str) -> Decision:
        """The open answer, and what was not tried as it would have been too much work."""
        refusal = self.work.refusal
        return Decision(None, f"{why}; {refusal}" if refusal else why)

    def surveyed(self) -> tuple[Survey, Expr, Expr]:
        """The survey of the range, and the sides with letters for what jumps."""
        survey = Survey(self.symbol_ranges, self.under, self.work)
        return survey, survey.without_jumps(self.lhs), survey.without_jumps(self.rhs)

    def points(self, source: PointSource) -> Iterator[Place]:
        """The points of a source at which balls prove the conditions."""
        sides = [self.lhs, self.rhs, *map(margin, self.under)]
        symbols = sorted(set[Symbol]().union(*(one.free_symbols for one in sides)), key=str)
        effort = _WORK_OF_A_PART * check_expression(*sides)
        for place in source(symbols, self.symbol_ranges):
            self.work.spend(effort)
            if self._is_inside(place):
                yield place

    def _is_inside(self, place: Place) -> bool:
        balls = [(enclose(margin(one), place), isinstance(one, Ne)) for one in self.under]
        return all(ball.is_finite() and (ball > 0 or (ne and 0 not in ball)) for ball, ne in balls)

    def is_inhabited(self) -> bool:
        """Whether the conditions hold somewhere, so that a yes says something."""
        if not self.under:
            return True
        return any(True for source in (first_points, more_points) for _ in self.points(source))


def equal(lhs: Expr, rhs: Expr, domain: Domain | None = None, under: Iterable[Boolean] = ()) -> bool | None:
    """Whether two expressions, or matrices, agree for all values of their symbols.

    `domain` maps symbols to sets: an Interval with open or closed ends, a Range, Reals, Integers,
    Naturals, or a FiniteSet of numbers. A symbol ranges over the numbers of its set, only the
    integers among them if it is assumed to be one; a symbol without a set over the numbers that
    its own assumptions allow. Only points with all relations of `under` (>, < or !=) count.
    True, False (a point was found), or None when neither was shown.

    Raises ValueError for a symbol with neither a set nor an assumption that makes it real, and
    for a set with numbers that the symbol's assumptions exclude.

    >>> from sympy import Interval, asin, cos, pi, sign, sqrt, symbols
    >>> t, u = symbols("t u", real=True)
    >>> equal(sqrt(1 - cos(t) ** 2), sympy.sin(t), {t: Interval(0, pi)})
    True
    >>> equal(asin(cos(t)), pi / 3 - t, {t: Interval.open(0, pi)})
    False
    >>> [equal(sign(t), 1, {t: set_}) for set_ in (Interval.open(0, 1), Interval(0, 1))]
    [True, False]
    >>> equal((t - u) / (t**2 - u**2), 1 / (t + u), under=[t**2 > u**2])
    True
    """
    return decide_equal(lhs, rhs, domain, under).answer


def decide_equal(
    lhs: Expr, rhs: Expr, domain: Domain | None = None, under: Iterable[Boolean] = ()
) -> Decision:
    """Decide equality as `equal` does, and say why.

    >>> x = Symbol("x", real=True)
    >>> decide_equal((x + 1) ** 2, x**2 + 2 * x + 1).detail
    'the difference has normal form 0'
    >>> decide_equal(sympy.Matrix([x, 1]), sympy.Matrix([x])).detail
    'shapes (2, 1) and (1, 1) differ'
    >>> decide_equal((x**2 - 1) / (x - 1), x + 1).detail
    'a side of -x - 1 + (x**2 - 1)/(x - 1) = 0 may be undefined or jump somewhere'
    """
    sets, conditions = frozenset(ranges(domain, "domain").items()), as_conditions(under)
    if isinstance(lhs, MatrixBase) or isinstance(rhs, MatrixBase):
        return _decide_matrices(sympy.Matrix(lhs), sympy.Matrix(rhs), sets, conditions)
    return _decide_equal(sympy.sympify(lhs), sympy.sympify(rhs), sets, conditions)


@lru_cache(maxsize=4096)
def _decide_equal(lhs: Expr, rhs: Expr, sets: _Sets, under: Conditions) -> Decision:
    return _decided(_equal_in, lhs, rhs, sets, under)


def _decided(
    decide: Callable[[_Case], Decision], lhs: Expr, rhs: Expr, sets: _Sets, under: Conditions
) -> Decision:
    """The decision of all cases, open if that is too much work."""
    try:
        check_expression(lhs, rhs, *under)
        work = Work()
        return together_decided([decide(case) for case in _cases(lhs, rhs, dict(sets), under, work)])
    except TooLargeError as error:
        return Decision(None, f"too large to decide: {error}")


def _equal_in(case: _Case) -> Decision:
    witness = _witness(case, _is_nonzero, first_points)
    if witness is not None:
        return Decision(False, witness)
    survey, left, right = case.surveyed()
    regular = _is_regular(survey, left, right) and case.is_inhabited()
    if regular and has_zero_form(left - right, survey):
        return Decision(True, "the difference has normal form 0")
    witness = _witness(case, _is_nonzero, more_points)
    if witness is not None:
        return Decision(False, witness)
    if not regular:
        return case.undecided(f"a side of {case} = 0 may be undefined or jump somewhere")
    return case.undecided(f"neither a normal form nor a point decides {case} = 0")


def together_decided(decisions: Sequence[Decision]) -> Decision:
    """Combine decisions: false if one is false, else open if one is open, else true.

    >>> together_decided([Decision(True, "a"), Decision(None, "b")])
    Decision(answer=None, detail='b')
    """
    for answer in (False, None):
        for decision in decisions:
            if decision.answer is answer:
                return decision
    return Decision(True, "; ".join(dict.fromkeys(decision.detail for decision in decisions)))


def decide_at_least(
    lhs: Expr, rhs: Expr, domain: Domain | None = None, under: Iterable[Boolean] = ()
) -> Decision:
    """Decide lhs >= rhs on the whole range, which is given as for `equal`.

    True if the difference is shown to have no negative values, by intervals, coefficients or
    factors; False if a ball at some point excludes it, open otherwise.

    >>> from sympy import Interval
    >>> rho = Symbol("rho", real=True)
    >>> closed = {rho: Interval(-1, 1)}
    >>> decide_at_least(sympy.sqrt(1 - rho**2), 1 - rho**2, closed).answer
    True
    >>> decide_at_least(rho, rho**2, closed).answer
    False
    """
    sets, conditions = frozenset(ranges(domain, "domain").items()), as_conditions(under)
    return _decide_at_least(sympy.sympify(lhs), sympy.sympify(rhs), sets, conditions)


@lru_cache(maxsize=4096)
def _decide_at_least(lhs: Expr, rhs: Expr, sets: _Sets, under: Conditions) -> Decision:
    return _decided(_at_least_in, lhs, rhs, sets, under)


def _at_least_in(case: _Case) -> Decision:
    witness = _witness(case, _is_negative, first_points)
    if witness is not None:
        return Decision(False, witness)
    survey, left, right = case.surveyed()
    regular = _is_regular(survey, left, right) and case.is_inhabited()
    if regular and _is_nonnegative(survey.quick_span(left - right)):
        return Decision(True, "the difference has no negative coefficients")
    witness = _witness(case, _is_negative, more_points)
    if witness is not None:
        return Decision(False, witness)
    if regular and _is_nonnegative(survey.sharp_span(left - right)):
        return Decision(True, "the difference factors into numbers of known sign")
    return case.undecided(f"neither a sign nor a point decides {case} >= 0")


def _witness(case: _Case, refutes: Callable[[Ball], bool], source: PointSource) -> str | None:
    """Describe a point where the ball of the difference refutes the relation.

    The sides are not simplified together: what one of them hides has no value.
    """
    difference = sympy.Add(case.lhs, -case.rhs, evaluate=False)
    for values in case.points(source):
        try:
            ball = enclose(difference, values)
        except TypeError:
            return None
        if ball.is_finite() and refutes(ball):
            place = ", ".join(f"{symbol} = {value}" for symbol, value in values.items())
            return f"{f'at {place} ' if place else ''}the difference lies in {ball.str(11)}"
    return None


def _is_nonzero(ball: Ball) -> bool:
    return 0 not in ball


def _is_negative(ball: Ball) -> bool:
    return bool(ball < 0)


def _is_regular(survey: Survey, *sides: Expr) -> bool:
    """Whether all sides are defined and continuous on the whole range."""
    return all(survey.span(side) is not None for side in sides)


def _is_nonnegative(span: Span | None) -> bool:
    return span is not None and span.nonnegative


def _cases(lhs: Expr, rhs: Expr, domain: Domain, under: Conditions, work: Work) -> Iterator[_Case]:
    """The sides on the ranges of the symbols, with every choice of the numbers that are listed."""
    symbols = set[Symbol]().union(*(one.free_symbols for one in (lhs, rhs, *under)))
    symbol_ranges = symbol_ranges_of(symbols, domain)
    listed = {x: symbol_range.members for x, symbol_range in symbol_ranges.items() if symbol_range.members}
    if math.prod(map(len, listed.values())) > _MOST_MEMBERS:
        yield _Case(lhs, rhs, symbol_ranges, under, work)
        return
    for choice in itertools.product(*listed.values()):
        single = {x: SymbolRange(point(v), 0, (v,), (v,)) for x, v in zip(listed, choice, strict=True)}
        yield _Case(lhs, rhs, {**symbol_ranges, **single}, under, work)


def _decide_matrices(lhs: MatrixBase, rhs: MatrixBase, sets: _Sets, under: Conditions) -> Decision:
    if lhs.shape != rhs.shape:
        return Decision(False, f"shapes {lhs.shape} and {rhs.shape} differ")
    return together_decided(
        [_decide_equal(left, right, sets, under) for left, right in zip(lhs, rhs, strict=True)]
    )

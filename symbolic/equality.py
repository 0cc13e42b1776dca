"""Equality of expressions and matrices, decided for all values of the symbols: yes, no, or open.

"Yes" rests on a normal form (`symbolic.normal_form`), "no" on an exact point where a ball proves
that the sides differ (`symbolic.enclosure`). The point is looked for first, so a "yes" has always
also survived the balls.
"""

import random
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

import sympy
from sympy import Expr, Interval, MatrixBase, Symbol

from symbolic.arguments import ranges
from symbolic.enclosure import Ball, enclose
from symbolic.normal_form import Domain, is_nonnegative_on, vanishes

_POINTS = 4
_SEED = 20250301


class Decision(NamedTuple):
    """Answer of a check, True, False or None for undecided, and what it rests on."""

    answer: bool | None
    detail: str


def equal(lhs: Expr, rhs: Expr, domain: Domain | None = None) -> bool | None:
    """Whether two expressions, or matrices, agree for all values of their symbols.

    `domain` maps symbols to open intervals; a symbol without one ranges over the numbers that
    its own assumptions allow. True, False (a point was found), or None when neither was shown.

    >>> from sympy import asin, cos, pi, sqrt, symbols
    >>> t = symbols("t", real=True)
    >>> equal(sqrt(1 - cos(t) ** 2), sympy.sin(t), {t: Interval.open(0, pi)})
    True
    >>> equal(asin(cos(t)), pi / 3 - t, {t: Interval.open(0, pi)})
    False
    """
    return decide_equal(lhs, rhs, domain).answer


def decide_equal(lhs: Expr, rhs: Expr, domain: Domain | None = None) -> Decision:
    """Decide equality as `equal` does, and say why.

    >>> x = Symbol("x", real=True)
    >>> decide_equal((x + 1) ** 2, x**2 + 2 * x + 1).detail
    'the difference has normal form 0'
    >>> decide_equal(sympy.Matrix([x, 1]), sympy.Matrix([x])).detail
    'shapes (2, 1) and (1, 1) differ'
    """
    domain = ranges(domain, "domain")
    if isinstance(lhs, MatrixBase) or isinstance(rhs, MatrixBase):
        return _decide_matrices(sympy.Matrix(lhs), sympy.Matrix(rhs), domain)
    difference = sympy.sympify(lhs) - sympy.sympify(rhs)
    witness = nonzero_point(difference, domain)
    if witness is not None:
        return Decision(False, witness)
    if vanishes(difference, domain):
        return Decision(True, "the difference has normal form 0")
    return Decision(None, f"neither a normal form nor a point decides {difference} = 0")


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


def decide_at_least(lhs: Expr, rhs: Expr, domain: Domain | None = None) -> Decision:
    """Decide lhs >= rhs on the whole domain.

    True if the difference factors into numbers of known sign, False if a ball at some point
    excludes it, open otherwise.

    >>> rho = Symbol("rho", real=True)
    >>> inside = {rho: Interval.open(-1, 1)}
    >>> decide_at_least(sympy.sqrt(1 - rho**2), 1 - rho**2, inside).answer
    True
    >>> decide_at_least(rho, rho**2, inside).answer
    False
    """
    domain = ranges(domain, "domain")
    difference = sympy.sympify(lhs) - sympy.sympify(rhs)
    for place, ball in _balls(difference, domain):
        if ball < 0:
            return Decision(False, f"{place}the difference lies in {ball.str(11)}")
    if is_nonnegative_on(difference, domain):
        return Decision(True, "the difference factors into numbers of known sign")
    return Decision(None, f"neither a factorisation nor a point decides {difference} >= 0")


def nonzero_point(expression: Expr, domain: Domain | None = None) -> str | None:
    """Describe an exact point where a ball proves the expression nonzero; None if none is found.

    >>> nonzero_point(sympy.Integer(2))
    'the difference lies in 2.0000000000'
    """
    for place, ball in _balls(expression, domain):
        if ball.is_finite() and 0 not in ball:
            return f"{place}the difference lies in {ball.str(11)}"
    return None


def _balls(expression: Expr, domain: Domain | None) -> Iterator[tuple[str, Ball]]:
    """Balls at the sample points, with the points described; none if balls do not apply."""
    symbols = sorted(expression.free_symbols, key=str)
    for point in _points(symbols, domain or {}):
        try:
            ball = enclose(expression, point)
        except TypeError:
            return
        place = ", ".join(f"{symbol} = {value}" for symbol, value in point.items())
        yield (f"at {place} " if place else ""), ball


def _decide_matrices(lhs: MatrixBase, rhs: MatrixBase, domain: Domain | None) -> Decision:
    if lhs.shape != rhs.shape:
        return Decision(False, f"shapes {lhs.shape} and {rhs.shape} differ")
    return together_decided(
        [decide_equal(left, right, domain) for left, right in zip(lhs, rhs, strict=True)]
    )


def _points(symbols: Sequence[Symbol], domain: Domain) -> Iterator[dict[Symbol, Fraction]]:
    """Exact rational points of the domain, the same ones on every call."""
    dice = random.Random(_SEED)
    for _ in range(_POINTS if symbols else 1):
        yield {symbol: _value(symbol, domain.get(symbol), dice) for symbol in symbols}


def _value(symbol: Symbol, interval: Interval | None, dice: random.Random) -> Fraction:
    """A rational number well inside the interval, with a denominator free of accidents."""
    if symbol.is_integer:
        return Fraction(dice.randint(1, 9))
    share = Fraction(dice.randint(50, 950), 1009)
    if interval is None:
        interval = Interval(0 if symbol.is_nonnegative else -3, 0 if symbol.is_nonpositive else 3)
    ends = (interval.start, interval.end)  # the reals have no arguments
    low, high = (Fraction(float(end)) if end.is_finite else end for end in ends)
    if high == sympy.oo:
        return 3 * share if low == -sympy.oo else low + share / (1 - share)
    return low + share * (high - low)

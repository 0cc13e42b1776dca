"""Expressions that are at least 0 on a box; rational functions by the signs of coefficients."""

from collections.abc import Iterable

import sympy
from sympy import Expr
from sympy.logic.boolalg import Boolean

from symbolic.equality import decide_at_least
from symbolic.symbol_ranges import Domain

__all__ = ["nonnegative"]


def nonnegative(expression: Expr, domain: Domain | None = None, under: Iterable[Boolean] = ()) -> bool | None:
    """Whether an expression is at least 0 for all values of its symbols.

    `domain` maps symbols to sets and `under` lists conditions as in `symbolic.equality.equal`; a
    symbol without a set ranges over the numbers that its own assumptions allow. True says that
    the expression is defined and at least 0 on the whole range, ends included: for a rational
    function by the signs of coefficients of numerator and denominator. False rests on an exact
    point where the value is negative; None says that neither was found.

    Raises as `equal` does.

    >>> x, y = sympy.symbols("x y", real=True)
    >>> unit = sympy.Interval(0, 1)
    >>> nonnegative((1 - x * y) ** 2 - (x - y) ** 2, {x: unit, y: unit})
    True
    >>> nonnegative(x - x**2, {x: sympy.Interval(0, 2)})
    False
    >>> print(nonnegative(x**2 - x * y + y**2))
    None
    """
    return decide_at_least(expression, sympy.S.Zero, domain, under).answer

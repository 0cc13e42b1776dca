"""Relations that SymPy leaves as they are written.

SymPy's own constructors evaluate at once what they can decide, and a statement must stay a
statement: ``Le(0, n)`` for a nonnegative n would be ``True``.
"""

from typing import Any

import sympy
from sympy.logic.boolalg import And, Boolean, Equivalent, Implies

__all__ = ["both", "eq", "ge", "gt", "iff", "implies", "le", "lt"]


def eq(left: Any, right: Any) -> Boolean:
    """Left = right.

    >>> eq(1, 1)
    Eq(1, 1)
    """
    return sympy.Eq(left, right, evaluate=False)


def le(left: Any, right: Any) -> Boolean:
    """Left <= right.

    >>> le(0, 1)
    0 <= 1
    """
    return sympy.Le(left, right, evaluate=False)


def lt(left: Any, right: Any) -> Boolean:
    """Left < right."""
    return sympy.Lt(left, right, evaluate=False)


def ge(left: Any, right: Any) -> Boolean:
    """Left >= right."""
    return sympy.Ge(left, right, evaluate=False)


def gt(left: Any, right: Any) -> Boolean:
    """Left > right."""
    return sympy.Gt(left, right, evaluate=False)


def both(*relations: Boolean) -> Boolean:
    """All of the relations; one alone is itself.

    >>> both(le(0, 1))
    0 <= 1
    >>> both(le(0, 1), lt(1, 2))
    (0 <= 1) & (1 < 2)
    """
    return relations[0] if len(relations) == 1 else And(*relations)


def implies(condition: Boolean, conclusion: Boolean) -> Boolean:
    """The conclusion wherever the condition holds."""
    return Implies(condition, conclusion, evaluate=False)


def iff(one: Boolean, other: Boolean) -> Boolean:
    """Either both relations hold or neither does."""
    return Equivalent(one, other)

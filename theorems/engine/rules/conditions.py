"""Whether conditions contradict each other, as far as that is plain."""

from __future__ import annotations

from collections.abc import Iterable

import sympy
from sympy import Expr
from sympy.logic.boolalg import And, Boolean

__all__ = ["excludes", "exclusive"]


def exclusive(first: frozenset[Boolean], second: frozenset[Boolean]) -> bool:
    """Whether two conditions are not met together, as far as that is plain.

    >>> x, y = sympy.symbols("x y", real=True)
    >>> exclusive(frozenset([sympy.Eq(x, 1)]), frozenset([x < 1]))
    True
    >>> exclusive(frozenset([x >= y + 1]), frozenset([2 * y >= 2 * x]))
    True
    """
    together = [*first, *second]
    values = {one.lhs: one.rhs for one in together if isinstance(one, sympy.Eq) and one.lhs.is_Symbol}
    there = [one.xreplace(values) for one in together]
    return bool(And(*together, *there) == sympy.false) or any(excludes(one, there) for one in there)


def excludes(one: Boolean, others: Iterable[Boolean]) -> bool:
    """Whether an inequality contradicts another one: what both say is positive has no positive sum."""
    excess = _positive(one)
    return excess is not None and any(
        bool((total := sympy.expand(excess[0] + more[0])).is_negative)
        or (bool(total.is_zero) and (excess[1] or more[1]))
        for more in map(_positive, others)
        if more is not None
    )


def _positive(one: Boolean) -> tuple[Expr, bool] | None:
    """What an inequality says is not negative, with slope 1 or -1 in a letter; if it is strict."""
    if not isinstance(one, sympy.Ge | sympy.Le | sympy.Gt | sympy.Lt):
        return None
    gap = sympy.expand(one.gts - one.lts)
    slopes = (gap.coeff(x) for x in sorted(gap.free_symbols, key=str))
    slope = next((abs(found) for found in slopes if found.is_number and found != 0), sympy.S.One)
    return sympy.expand(gap / slope), isinstance(one, sympy.Gt | sympy.Lt)

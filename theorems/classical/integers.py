"""Integers are equal or at least one apart, which a solver for real numbers does not see.

>>> from sympy import Range, oo
>>> n = Symbol("n", integer=True, nonnegative=True)
>>> print(apart(n, 3, over={n: Range(oo)}).statement)
Eq(n, 3) | (n >= 4) | (n <= 2)
"""

from functools import cache
from typing import Any

from sympy import Or, Symbol

from theorems.engine import eq, ge, le, rules
from theorems.engine.rules import Theorem
from theorems.engine.rules.ranges import Over

_n = Symbol("n", integer=True, nonnegative=True)
_i, _j = Symbol("i", integer=True), Symbol("j", integer=True)


def apart(i: Any, j: Any, *, over: Over) -> Theorem:
    """i = j, or i + 1 ≤ j, or j + 1 ≤ i for integers, whose letters range ``over`` these sets.

    Raises NotProved if a term is no integer.
    """
    return _apart().at({_i: i, _j: j}, over=over)


@cache
def _apart() -> Theorem:
    """A natural number is 0 or at least 1, by induction; such is the distance of two integers."""
    steps = rules.induction(Or(eq(_n, 0), ge(_n, 1)), _n, 0)
    known = [
        steps.at({_n: larger - other}, under=[ge(larger, other)]) for larger, other in ((_i, _j), (_j, _i))
    ]
    said = Or(eq(_i, _j), ge(_i, _j + 1), le(_i, _j - 1))
    return rules.follows(said, known)

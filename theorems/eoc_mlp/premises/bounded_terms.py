"""Sums and products of terms of which bounds are known, one step at a time for the solver."""

from typing import Any

from sympy import Abs, Reals, symbols

from theorems.engine import both, implies, le, rules
from theorems.engine.rules import Theorem

_x, _y, _a, _b = _reals = symbols("x y a b", real=True)


def _of_bounded(combined: Any, bound: Any, *terms: Any, over: Any) -> Theorem:
    """What holds of x and y if |x| ≤ a and |y| ≤ b, at four terms."""
    bounded = both(le(Abs(_x), _a), le(Abs(_y), _b))
    reals = dict.fromkeys(_reals, Reals)
    general = rules.follows(implies(bounded, le(Abs(combined), bound)), over=reals)
    return rules.instance(general, dict(zip(_reals, terms, strict=True)), over=over)


def product_of_bounds(*terms: Any, over: Any) -> Theorem:
    """|xy| ≤ ab if |x| ≤ a and |y| ≤ b."""
    return _of_bounded(_x * _y, _a * _b, *terms, over=over)


def sum_of_bounds(*terms: Any, over: Any) -> Theorem:
    """|x + y| ≤ a + b if |x| ≤ a and |y| ≤ b."""
    return _of_bounded(_x + _y, _a + _b, *terms, over=over)

"""How far the hyperbolic sine, written with the power e^y = a, lies above a cube beyond y = 8."""

from typing import Any

import sympy as sp

from theorems.engine import ge, gt, le, rules
from theorems.engine.rules import Theorem

_circle, _large, _base = sp.symbols("circle large base", positive=True)
_more = sp.Symbol("more than nothing", nonnegative=True)
#: π, a = e^y, b = e^t and t for y = 8 + 3t.
CIRCLE_AND_POWERS = (_circle, _large, _base, _more)


def above_the_cube(constant: Any) -> Theorem:
    """π²(a - 1/a)/2 > c²(8 + 3t)³ for a ≥ 2900b³ and b ≥ 1 + t, as 8 + 3t ≤ 8b."""
    above = sp.Interval.open(0, sp.oo)
    over = {_circle: above, _large: above, _base: above, _more: sp.Interval(0, sp.oo)}
    cube = (8 + 3 * _more) ** 3
    under = [gt(_circle, 3), ge(_large, 2900 * _base**3), ge(_base, 1 + _more)]
    small = rules.follows(le(cube, 512 * _base**3), over=over, under=under[2:])
    growth = _circle**2 * (_large / 2 - 1 / (2 * _large))
    most = rules.follows(gt(growth, constant**2 * 512 * _base**3), under=under)
    return rules.follows(gt(growth, constant**2 * cube), [small, most], under=under)

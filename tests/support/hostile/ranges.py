"""Mistakes about where letters range and about what a premise speaks of."""

import sympy

from hostile import LETTERS, Mistakes
from theorems.engine import eq, ge, half_line, interval, le

HERE = Mistakes("ranges")
x = LETTERS.number("x", "x", "a share", interval(0, 1))
y = LETTERS.number("y", "y", "another share", interval(0, 1))
far = LETTERS.number("far", "z", "a size", half_line(0))
area = LETTERS.quantity("area", "F", "an area", half_line(0))
side = LETTERS.number("side", "s", "a side", half_line(0))


@HERE.mistake("fails at", le(far, 1), [far])
def a_range_that_is_too_narrow(given):
    """It holds for z in [0, 1] only."""
    return given.follows()


@HERE.mistake("is about its value", le(area, 2 + side), [area, side])
def a_meaning_as_a_law(given):
    """The area of one square, at another side."""
    square = given.meaning("the area", eq(area, side**2))
    return given.follows(given.substituted(square, {side: sympy.Integer(1)}))


@HERE.mistake("fails at", ge(x * y, x + y - sympy.Rational(1, 2)), [x, y])
def a_constant_that_is_too_good(given):
    """xy >= x + y - 1 holds, as (1 - x)(1 - y) >= 0."""
    return given.follows()

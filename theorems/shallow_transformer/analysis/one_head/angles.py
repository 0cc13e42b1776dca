"""Equal squares, and the double angle, of which proofs about heads make use."""

from functools import cache

from sympy import Symbol, sqrt

from theorems.engine import eq, le
from theorems.engine.rules import Theorem
from theorems.shallow_transformer.premises.named import ONE_HEAD

#: The letters of ``double_angle``: k, cos φ and sin φ.
ANGLE = _k, _c, _s = tuple(Symbol(one, nonnegative=True) for one in "kcs")


@cache
def double_angle() -> Theorem:
    """2cs + 2ks² ≤ k + √(1 + k²) if c² + s² = 1: it is k more than sin 2φ − k cos 2φ."""
    unit, sine, cosine = eq(_c**2 + _s**2, 1), 2 * _c * _s, _c**2 - _s**2
    circle = ONE_HEAD.follows(goal=eq(sine**2 + cosine**2, 1), under=[unit])
    a, b = (Symbol(one, real=True) for one in "ab")
    line = ONE_HEAD.follows(goal=le(a - _k * b, sqrt(1 + _k**2)), under=[eq(a**2 + b**2, 1)])
    along = ONE_HEAD.substituted(line, {a: sine, b: cosine})
    return ONE_HEAD.follows(circle, along, goal=le(sine + 2 * _k * _s**2, _k + sqrt(1 + _k**2)), under=[unit])


@cache
def equal_squares() -> Theorem:
    """Numbers that are at least 0 are equal if their squares are."""
    a, b = (Symbol(one, nonnegative=True) for one in "ab")
    return ONE_HEAD.follows(goal=eq(a, b), under=[eq(a**2, b**2)])

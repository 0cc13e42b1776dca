"""Inequalities between elementary functions of the angle of two inputs, from signs of slopes.

On them the claims about the cosine map and the distance maps stand, by way of
:mod:`theorems.eoc_mlp.premises.substitutions`.
"""

from sympy import Expr, Ge, Interval, Symbol, cos, diff, pi, sin
from sympy.logic.boolalg import Boolean

from theorems.classical.functions import sine_below_identity
from theorems.engine import eq, ge, le, rules
from theorems.engine.rules import Theorem
from theorems.engine.rules.principles import increasing
from theorems.eoc_mlp.letters.cosines import t

#: All angles of two inputs, ends included.
ANGLES = Interval(0, pi)
_ALL, _ACUTE, _OBTUSE = {t: ANGLES}, {t: Interval(0, pi / 2)}, {t: Interval(pi / 2, pi)}
_other = Symbol("other angle", real=True)


def segment(angle: Expr) -> Expr:
    """sin t - t cos t, by which the maps of the chapter differ from the identity."""
    return sin(angle) - angle * cos(angle)


def between_ends(function: Expr, slope: Theorem, end: Expr | int = 0) -> Theorem:
    """A function of the angle against its value at an end of a range, by the sign of its slope.

    ``slope`` says that the derivative is at least 0 there, or at most 0.
    """
    first = end == slope.over[t].inf
    grows = increasing(slope, function, t, _other)
    at_end = {t: end, _other: t} if first else {_other: end}
    above = isinstance(slope.statement, Ge) == first
    compared = (ge if above else le)(function, function.subs(t, end))
    return rules.follows(compared, [grows.at(at_end)])


def segment_is_nonnegative() -> Theorem:
    """sin t - t cos t ≥ 0: it is 0 at 0, and its derivative is t sin t."""
    return between_ends(segment(t), rules.decided(ge(t * sin(t), 0), over=_ALL))


def absolute_map_is_at_most_one() -> Theorem:
    """The cosine map for Δ = 1 falls from 1 at t = 0 up to π/2, and returns to 1 at π."""
    value = cos(t) + 2 / pi * segment(t)
    falls = between_ends(value, _slope(le, value, _ACUTE))
    rises = between_ends(value, _slope(ge, value, _OBTUSE), pi)
    return rules.follows(le(value, 1), [falls, rises], over=_ALL)


def segment_above_cube() -> Theorem:
    """3 (sin t - t cos t) ≥ 8 sin³(t/2): the difference has the slope 3 sin t (t - 2 sin(t/2))."""
    excess = 3 * segment(t) - 8 * sin(t / 2) ** 3
    factors = rules.decided(eq(diff(excess, t), 3 * sin(t) * (t - 2 * sin(t / 2))), over=_ALL)
    return between_ends(excess, _slope(ge, excess, _ALL, factors, _below_identity(t / 2)))


def segment_below_distance() -> Theorem:
    """2 (sin t - t cos t) ≤ π (1 - cos t) - sin² t, so that ζ > 0 for 0 < t < π.

    The difference has the slope 2 sin t (π/2 - t - sin(π/2 - t)), and is 0 at both ends.
    """
    gap = pi * (1 - cos(t)) - sin(t) ** 2 - 2 * segment(t)
    quarter = pi / 2 - t
    known = [rules.decided(eq(sin(quarter), cos(t)), over=_ALL), _below_identity(quarter)]
    rises = between_ends(gap, _slope(ge, gap, _ACUTE, *known))
    falls = between_ends(gap, _slope(le, gap, _OBTUSE, *known), pi)
    return rules.follows(ge(gap, 0), [rises, falls], over=_ALL)


def segment_below_tangent() -> Theorem:
    """2t + t cos t - 3 sin t ≥ 0: its slope is 0 at 0, and has the slope sin t - t cos t."""
    gap = 2 * t + t * cos(t) - 3 * sin(t)
    bend = rules.follows(ge(diff(gap, t, 2), 0), [segment_is_nonnegative()])
    return between_ends(gap, between_ends(diff(gap, t), bend))


def _below_identity(angle: Expr) -> Theorem:
    return sine_below_identity(angle, over=_ALL)


def _slope(compared: Boolean, function: Expr, over: dict[Symbol, Interval], *known: Theorem) -> Theorem:
    """The sign of the derivative, as sin t ≥ 0 and by what is known."""
    sine = rules.decided(ge(sin(t), 0), over=over)
    return rules.follows(compared(diff(function, t), 0), [sine, *known])

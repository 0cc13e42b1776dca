"""Mistakes about suprema, derivatives, convexity, power series and balls."""

import sympy
from sympy import Abs, Derivative, Integer, Integral, Piecewise, Rational, Symbol, exp, log, sign, sqrt

from hostile import LETTERS, Mistakes
from symbolic.derivation import Derivation, Step
from theorems.engine import eq, ge, gt, implies, interval, le, lt
from theorems.engine.rules import principles
from theorems.engine.rules.leaves import textbook
from theorems.engine.rules.power_series import sum_of_series

HERE = Mistakes("limits")
u = LETTERS.number("lim_u", "u", "a number around 0", interval(-1, 1))
w = LETTERS.number("lim_w", "w", "a share", interval(0, 1))
v = LETTERS.number("lim_v", "v", "another share", interval(0, 1))
r = LETTERS.number("lim_r", "r", "a number up to two", interval(0, 2))
top = LETTERS.quantity("lim_top", "S", "the largest of some values", interval(-9, 9))
_HALF = Rational(1, 2)
_top = Symbol("top", real=True)
_t, _y = Symbol("t", real=True), Symbol("y", real=True)
_UNIT, _AROUND = sympy.Interval(0, 1), sympy.Interval(-1, 1)


def _derived(given, start, *steps, **more):
    """A chain of equal expressions."""
    links = [step if isinstance(step, Step) else Step(step, "so it is") for step in steps]
    return given.derived(Derivation("a chain", "", start, links, **more))


@HERE.mistake("is two extremes", le(u**2, 0), [u])
def two_suprema_with_one_letter(given):
    """The letter is first the supremum of -u^2, which is 0, then the largest of the squares."""
    below = given.follows(goal=le(-(u**2), 0))
    above = principles.supremum(below, _top, over={_top: sympy.Reals})
    squares = given.largest("the largest square", le(u**2, _top))
    return given.follows(above, squares)


@HERE.mistake("is two extremes", le(u, _HALF), [u])
def a_supremum_over_a_smaller_range(given):
    """The supremum of t over [0, 1/2] is 1/2, and that over [-1, 1] is 1."""
    half = sympy.Interval(0, _HALF)
    small = textbook("half", le(_t, _HALF), over={_t: half})
    above = principles.supremum(small, _top, over={_top: sympy.Reals})
    return given.follows(above, given.largest("the largest number", le(u, _top)))


@HERE.mistake("must not depend on it", le(top, w), [top, w])
def a_bound_that_moves_with_the_value(given):
    """Each w^2 is at most w, but the supremum of w^2 is not at most each w."""
    each = given.follows(goal=le(w**2, w))
    return principles.supremum(each, top, over=given.domain)


@HERE.mistake("the proof ends in", lt(top, 1), [top])
def a_supremum_as_if_it_were_attained(given):
    """Each value is less than 1, but their supremum is 1."""
    each = textbook("less than one", lt(_t, 1), over={_t: sympy.Interval.open(0, 1)})
    return principles.supremum(each, top, over=given.domain)


@HERE.mistake("values must be compared with their extreme", le(top, 2 * w), [top, w])
def a_bound_of_the_largest_as_its_meaning(given):
    """That S is the largest says that values are at most S, not that S is at most something."""
    return given.follows(given.largest("the largest share", le(top, 2 * w)))


@HERE.mistake("must say value <= bound", ge(top, 0), [top])
def a_supremum_below_a_lower_bound(given):
    """That values are at least 0 says nothing by the rule for upper bounds."""
    each = textbook("squares", ge(_t**2, 0), over={_t: sympy.Reals})
    return principles.supremum(each, top, over=given.domain)


@HERE.mistake("must not depend on it", le(top, 0), [top])
def a_supremum_under_a_condition_on_the_value(given):
    """On [-1, 1] only those t that are at most 0 have t <= 0."""
    each = textbook("half", le(_t, 0), over={_t: _AROUND}, under=[le(_t, 0)])
    return principles.supremum(each, top, over=given.domain)


@HERE.mistake("must say 2", implies(le(u, v), le(u**2, v**2)), [u, v])
def increasing_by_the_wrong_direction(given):
    """The slope is bounded from above by 2, which says nothing of its sign."""
    slope = given.follows(goal=le(2 * u, 2))
    return given.substituted(principles.increasing(slope, u**2, u, _y), {_y: v})


@HERE.mistake(r"Contains.* fails", implies(le(u, v), le(u**2, v**2)), [u, v])
def increasing_at_values_outside(given):
    """The square increases on [0, 1], and u goes down to -1."""
    slope = textbook("slope", ge(2 * _t, 0), over={_t: _UNIT})
    rising = principles.increasing(slope, _t**2, _t, _y)
    return given.substituted(rising, {_t: u, _y: v})


@HERE.mistake("not known to exist everywhere", implies(le(u, v), le(Abs(u), Abs(v))), [u, v])
def increasing_although_there_is_a_corner(given):
    """The absolute value decreases up to 0."""
    slope = textbook("slope", ge(sign(_t), 0), over={_t: _UNIT})
    rising = principles.increasing(slope, Abs(_t), _t, _y)
    return given.substituted(rising, {_t: u, _y: v})


@HERE.mistake("must be that of t alone", implies(le(u, v), ge(1 / u, 1 / v)), [u, v])
def decreasing_across_a_pole(given):
    """1/u decreases on either side of 0, but 1/(-1) < 1/1."""
    slope = textbook("slope", le(-1 / _t**2, 0), over={_t: _AROUND}, under=[sympy.Ne(_t, 0)])
    falling = principles.increasing(slope, 1 / _t, _t, _y)
    return given.substituted(falling, {_t: u, _y: v})


@HERE.mistake("must say", implies(le(u, v), le(u * v, v**2)), [u, v])
def increasing_by_the_derivative_of_another_letter(given):
    """The slope of uv in v is u, and not that in u."""
    slope = textbook("slope", ge(_t, 0), over={_t: _UNIT, w: _UNIT})
    rising = principles.increasing(slope, _t * w, _t, _y)
    return given.substituted(rising, {_t: u, _y: v})


@HERE.mistake("a new letter", implies(le(w, v), le(w**2, v**2)), [w, v], true=True)
def increasing_towards_a_letter_that_is_not_new(given):
    """The other letter must not occur in the slope already."""
    slope = textbook("slope", ge(2 * _t * (1 + v), 0), over={_t: _UNIT, v: _UNIT})
    rising = principles.increasing(slope, _t**2 * (1 + v), _t, v)
    return given.substituted(rising, {_t: w})


_k = sympy.Symbol("k", integer=True)
_MEANS = sympy.Range(1, 4)
m = LETTERS.number("lim_m", "m", "how many", _MEANS)


def _mean_of(term):
    return sympy.Sum(term, (_k, 0, m - 1)) / m


@HERE.mistake("must say", le(_mean_of(-(_k**2)), -(_mean_of(_k) ** 2)), [m], true=True)
def jensen_for_a_concave_function(given):
    """Minus the square is concave: the inequality of the rule would be turned around."""
    bent = textbook("bend", le(Integer(-2), 0), over={_t: sympy.Reals})
    return principles.jensen_for_sums(bent, -(_t**2), _t, _k, _k, m, over=given.domain)


@HERE.mistake("must say", le(_mean_of(_k) ** 3, _mean_of(_k**3)), [m], true=True)
def jensen_for_a_cube_on_all_reals(given):
    """The second derivative 6t of a cube is negative for t < 0."""
    bent = textbook("bend", sympy.true, over={_t: sympy.Reals})
    return principles.jensen_for_sums(bent, _t**3, _t, _k, _k, m, over=given.domain)


@HERE.mistake("a theorem must say that", le(_mean_of(-_k) ** 3, _mean_of(-(_k**3))), [m])
def jensen_for_terms_outside_of_the_interval(given):
    """At m = 3 the terms are 0, -1, -2, where a cube is concave: -1 <= -3 is false."""
    bent = textbook("bend", ge(6 * _t, 0), over={_t: sympy.Interval(0, 9)})
    return principles.jensen_for_sums(bent, _t**3, _t, -_k, _k, m, over=given.domain)


@HERE.mistake(
    "not known to exist everywhere", le(-sympy.Max(_mean_of(_k - 1), 0), _mean_of(-sympy.Max(_k - 1, 0))), [m]
)
def jensen_although_there_is_a_corner(given):
    """At m = 3 it says 0 <= -1/3: both pieces have the second derivative 0, and turn down at 0."""
    bent = textbook("bend", sympy.true, over={_t: _AROUND})
    corner = Piecewise((0, _t < 0), (-_t, True))
    return principles.jensen_for_sums(bent, corner, _t, _k - 1, _k, m, over=given.domain)


@HERE.mistake("wrong values: lim_m = 1", le(_mean_of(1 / _k) ** 2, _mean_of(1 / _k**2)), [m])
def jensen_for_terms_without_values(given):
    """The first term is 1/0."""
    bent = textbook("bend", sympy.true, over={_t: sympy.Reals})
    return principles.jensen_for_sums(bent, _t**2, _t, 1 / _k, _k, m, over=given.domain)


@HERE.mistake("wrong values: lim_u = 0", gt(u, 0), [u])
def a_cover_of_sides_that_cancel(given):
    """A logarithm on both sides cancels, and has no value at 0 or below."""
    return given.follows(given.covered(le(log(u), log(u) + 1)))


@HERE.mistake("wrong values: lim_u = 0", le(1 / u, 1 / u + 1), [u])
def a_cover_of_poles_that_cancel(given):
    """1/u has no value at 0."""
    return given.covered()


@HERE.mistake("no ball arithmetic", gt(sqrt(-2) + 1, sqrt(-2)))
def a_strict_inequality_between_numbers_that_are_not_real(given):
    """Both sides have the same imaginary part, and no order."""
    from theorems.engine.rules import enclosed

    return enclosed(given.goal)


@HERE.mistake("no finite value", ge(sqrt(u) + 1, 0), [u])
def a_cover_of_a_root_of_negative_numbers(given):
    """The root has no real value for u < 0."""
    return given.covered(max_boxes=100)


@HERE.mistake("must range over a bounded interval", gt(exp(-m), 0), [m], true=True)
def a_cover_of_integers(given):
    """Boxes cover intervals, and m ranges over three integers."""
    return given.covered()


@HERE.mistake("f = -", ge(u**3, 0), [u])
def a_cover_from_a_zero_at_the_wrong_end(given):
    """The cube vanishes at 0 and not at -1, below which it is negative."""
    return given.covered(zero_orders={u: (3, 0)})


@HERE.mistake("both sides meet", gt(w**2, 0), [w])
def a_strict_cover_of_an_end_where_both_sides_meet(given):
    """At w = 0 both sides are 0."""
    return given.covered(zero_orders={w: (2, 0)})


@HERE.mistake("is nan at lim_w = 0", ge(sympy.sin(w) / w, 0), [w])
def a_cover_of_a_quotient_at_its_zero(given):
    """The quotient has a limit at 0, and no value."""
    return given.covered(zero_orders={w: (1, 0)})


@HERE.mistake("has a corner", eq(sign(u), Derivative(Abs(u), u)), [u])
def a_derivative_at_a_corner(given):
    """The absolute value has no derivative at 0."""
    return _derived(given, Derivative(Abs(u), u), sign(u))


@HERE.mistake("has a corner", eq(Derivative(Piecewise((0, u < 0), (1, True)), u), 0), [u])
def a_derivative_across_a_jump(given):
    """A step from 0 to 1 has no derivative where it jumps."""
    return _derived(given, given.goal.lhs, Integer(0))


@HERE.mistake("has a corner", eq(Derivative(Integral(sign(_t), (_t, -1, u)), u), sign(u)), [u])
def a_fundamental_theorem_for_a_jump(given):
    """The integral of the sign is |u| - 1, which has a corner at 0."""
    return _derived(given, given.goal.lhs, sign(u))


@HERE.mistake("must spell it out", le(w, 0), [w])
def a_derivative_of_an_abbreviation_held_fixed(given):
    """The slope of s = t^2 in t is 2t, and 0 for a letter s that is held fixed."""
    s = Symbol("s", real=True)
    fixed = _derived(given, Derivative(s, w), Integer(0))
    moving = _derived(given, Derivative(s, w), 2 * w, where={s: w**2})
    return given.follows(fixed, moving)


@HERE.mistake("must spell it out", le(u, 0), [u])
def a_sum_of_an_abbreviation_held_fixed(given):
    """Where s stands for k, the sum of s over k is no multiple of s."""
    s = Symbol("s", real=True)
    total = sympy.Sum(s, (_k, 1, 2))
    return _derived(given, total, Integer(3), where={s: _k})


@HERE.mistake(r"lim_r < 1 fails", eq(sympy.Sum(r**_k, (_k, 0, sympy.oo)), 1 / (1 - r)), [r])
def a_geometric_series_outside_of_its_radius(given):
    """It diverges from r = 1 on, where its value is negative or none."""
    converges, _ = sum_of_series(Integer(1), _k, 0, r, 1 / (1 - r), over=given.domain)
    return given.follows(goal=converges)


@HERE.mistake("does not solve the equation", le(r, 9), [r], true=True)
def a_series_with_the_value_of_another_one(given):
    """The sum of r^k is 1/(1 - r), and not 1/(1 + r)."""
    sum_of_series(Integer(1), _k, 0, r, 1 / (1 + r), over={r: sympy.Interval(0, 2)})
    return given.follows()


@HERE.mistake("converges nowhere", le(r, 9), [r], true=True)
def a_series_that_converges_nowhere(given):
    """The sum of k! r^k diverges for every r > 0."""
    sum_of_series(sympy.factorial(_k), _k, 0, r, exp(r), over={r: sympy.Interval(0, 2)})
    return given.follows()


@HERE.mistake("must not depend on", le(r, 9), [r], true=True)
def a_series_with_its_letter_in_the_coefficients(given):
    """The coefficients r^k make another series than that of the letter."""
    sum_of_series(r**_k, _k, 0, r, 1 / (1 - r**2), over={r: sympy.Interval(0, 2)})
    return given.follows()

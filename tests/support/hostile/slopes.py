"""Mistakes about derivatives: functions that have none, bounds that are none, places left out."""

import sympy
from sympy import Abs, Function, Integer, Interval, Reals, Symbol

from hostile import LETTERS, Mistakes
from theorems.engine import Hypothesis, eq, ge, interval, le, reals, rules
from theorems.engine.rules import Vector, inner
from theorems.engine.rules.vocabulary import derivative, vectors

HERE = Mistakes("slopes")
step = LETTERS.quantity("slope_step", r"|f(1) - f(0)|", "how far a function moves", reals())
far = LETTERS.number("slope_far", "b", "a place", interval(0, 9))
SMOOTH = Hypothesis("slope_smooth", "the function is differentiable", latex=r"f' \text{ exists}")
_t, _s = Symbol("t", real=True), Symbol("s", real=True)
_f, _g, _h = (Function(name, real=True) for name in "fgh")
_UNIT = Interval(0, 1)
_LAW = derivative(_g(_t), _f(_t), _t, _UNIT)
_MOVED = eq(step, _f(1) - _f(0))


def _from_end_to_end(theorem):
    return rules.instance(theorem, {_t: 0, _s: 1}, over={})


@HERE.mistake("made by the rules", le(step, 0), [step])
def a_formula_with_another_derivative(given):
    """The derivative of t^2 is not 0."""
    law = given.textbook("slopes", derivative(0 * _t, _t**2, _t, _UNIT))
    none = given.follows(goal=le(0 * _t, 0))
    return given.follows(_from_end_to_end(rules.mean_value(law, none, _s)))


@HERE.mistake("made by the rules", le(step, 0), [step], assuming=[SMOOTH])
def a_function_without_change_by_hypothesis(given):
    """That f is differentiable does not say that its derivative is 0."""
    law = given.supposed(SMOOTH, derivative(Integer(0), _f(_t), _t, _UNIT))
    return given.follows(law)


@HERE.mistake("must name the derivative", le(step, 0), [step])
def a_function_without_change_by_a_meaning(given):
    """A meaning gives the derivative a name, and no value."""
    law = given.meaning("the slope", derivative(Integer(0), _f(_t), _t, _UNIT))
    return given.follows(law, given.meaning("the step", _MOVED))


@HERE.mistake("must name the derivative", le(step, 1), [step])
def a_name_for_the_slope_of_a_corner(given):
    """|t| has no derivative at 0."""
    around = Interval(-1, 1)
    return given.follows(given.meaning("the slope", derivative(_g(_t), Abs(_t), _t, around)))


@HERE.mistake("may have no derivative", ge(step**2, -1), [step], true=True)
def a_name_for_the_slope_of_a_named_corner(given):
    """Nor has a function that stands for |t|."""
    around = {_t: Interval(-1, 1)}
    law = given.meaning("the slope", derivative(_g(_t), _f(_t), _t, around[_t]))
    bent = given.meaning("a function with a corner", eq(_f(_t), Abs(_t)), over=around)
    return given.follows(law, bent)


@HERE.mistake("may have no derivative", ge(step**2, -1), [step], true=True)
def a_name_for_the_slope_of_a_product_with_a_corner(given):
    """Nor has a product with a vector that moves, if it stands for |t|."""
    place, v = vectors("place"), Vector("v")
    around = {_t: Interval(-1, 1)}
    law = derivative(_g(_t), inner(v, place(_t)), _t, around[_t])
    bent = given.meaning("a corner", eq(inner(v, place(_t)), Abs(_t)), over=around)
    return given.follows(given.meaning("the slope", law), bent)


@HERE.mistake("stands for two things", ge(step**2, -1), [step], true=True)
def one_name_for_two_slopes(given):
    """The derivatives of f and h need not be the same."""
    other = derivative(_g(_t), _h(_t), _t, _UNIT)
    return given.follows(given.meaning("a slope", _LAW), given.meaning("another one", other))


@HERE.mistake("must be free of t|free of t", le(step, 1), [step])
def a_bound_that_moves(given):
    """The rate 2t is at most 2t, but t^2 does not move by 2t at t = 0."""
    law = rules.differentiated(_t**2, _t, _UNIT)
    each = rules.follows(le(2 * _t, 2 * _t + 0 * _s), over={_t: _UNIT})
    return given.follows(rules.mean_value(law, each, _s))


@HERE.mistake("must be bounded for t in", le(step, 1), [step])
def a_bound_for_some_of_the_places(given):
    """2t is at most 1 up to one half only."""
    law = rules.differentiated(_t**2, _t, _UNIT)
    half = rules.follows(le(2 * _t, 1), over={_t: Interval(0, sympy.Rational(1, 2))})
    return given.follows(_from_end_to_end(rules.mean_value(law, half, _s)))


@HERE.mistake("must be bounded for t in", le(step, 1), [step])
def a_bound_under_a_condition_on_the_place(given):
    """2t is at most 1 where t is at most one half."""
    law = rules.differentiated(_t**2, _t, _UNIT)
    half = rules.follows(le(2 * _t, 1), over={_t: _UNIT}, under=[le(2 * _t, 1)])
    return given.follows(_from_end_to_end(rules.mean_value(law, half, _s)))


@HERE.mistake("is at most a number", le(step, 0), [step])
def a_bound_for_another_rate(given):
    """That t is at most 1 says nothing of 2t."""
    law = rules.differentiated(_t**2, _t, _UNIT)
    other = rules.follows(le(_t, 1), over={_t: _UNIT})
    return given.follows(_from_end_to_end(rules.mean_value(law, other, _s)))


@HERE.mistake("must be a new letter", le(step, 0), [step])
def a_second_place_that_is_the_first_one(given):
    """The places must be two letters."""
    law = rules.differentiated(_t**2, _t, _UNIT)
    each = rules.follows(le(2 * _t, 2), over={_t: _UNIT})
    return given.follows(rules.mean_value(law, each, _t))


@HERE.mistake("about its value", le(step, 1), [step])
def a_bound_at_one_place(given):
    """What a letter stands for is said of the place that it is, not of all."""
    law = rules.differentiated(_t**2, _t, _UNIT)
    here = given.meaning("this place", eq(_t, sympy.Rational(1, 2)), over={_t: _UNIT})
    each = rules.follows(le(2 * _t, 1), [here], over={_t: _UNIT})
    return given.follows(_from_end_to_end(rules.mean_value(law, each, _s)))


@HERE.mistake("no letters of the theorem", le(step, 1), [step], assuming=[SMOOTH])
def the_running_letter_at_a_place(given):
    """The letter of a derivative is bound."""
    law = given.supposed(SMOOTH, _LAW)
    return rules.instance(law, {_t: far}, over={far: Interval(0, 9)})


@HERE.mistake("differentiable everywhere", le(step, 1), [step])
def a_chain_that_leaves_the_interval(given):
    """The square root has no derivative at values below 0."""
    outer = rules.differentiated(1 / (1 + _t), _t, _UNIT)
    return given.follows(rules.chained(outer, rules.differentiated(5 * _s, _s, _UNIT)))


@HERE.mistake("not known to exist everywhere", le(step, 1), [step])
def the_slope_of_a_corner(given):
    """|t| has no derivative at 0."""
    return given.follows(rules.differentiated(Abs(_t), _t, Interval(-1, 1)))


@HERE.mistake("may be undefined|not follow|is undecided|fails", le(step, 1), [step])
def the_slope_across_a_pole(given):
    """1/t has none at 0."""
    return given.follows(rules.differentiated(1 / _t, _t, Interval(-1, 1)))


@HERE.mistake("about the derivative of", le(step, 1), [step])
def a_second_derivative_of_another_function(given):
    """Taylor's formula takes the derivative of the derivative."""
    law, other = (rules.differentiated(f, _t, _UNIT) for f in (_t**2, _t**3))
    each = rules.follows(le(Abs(2 + 0 * _t), 2), over={_t: _UNIT})
    return given.follows(rules.taylor(law, other, each, _s))


@HERE.mistake("through an interval", le(step, 1), [step])
def a_function_of_integers(given):
    """There is no derivative on a set of points."""
    return given.follows(rules.differentiated(_t**2, _t, sympy.FiniteSet(0, 1)))


@HERE.mistake("a function of t", le(step, 1), [step])
def a_letter_for_a_rate(given):
    """The rate is another number at each place."""
    return given.follows(rules.rate_of(rules.differentiated(_t**2, _t, Reals), _f(_s)))

"""Mistakes about roots, logarithms, quotients, functions and conditions."""

import sympy
from sympy import Abs, Function, Integer, Limit, Max, Min, Piecewise, Rational, Symbol, exp, floor, log, sqrt

from hostile import LETTERS, Mistakes
from symbolic.derivation import Derivation, Step
from theorems.engine import Hypothesis, eq, ge, gt, implies, interval, le, lt, open_interval
from theorems.engine.rules import defined, facts, follows

HERE = Mistakes("expressions")
x = LETTERS.number("ex_x", "x", "a number around 0", interval(-1, 1))
y = LETTERS.number("ex_y", "y", "another number around 0", interval(-1, 1))
a = LETTERS.number("ex_a", "a", "a share", interval(0, 1))
b = LETTERS.number("ex_b", "b", "a positive share", open_interval(0, 1))
q = LETTERS.number("ex_q", "q", "a number up to two", interval(0, 2))
h = LETTERS.function("ex_h", "h", "a root", closed_form=lambda t: sqrt(t - 1))
c = LETTERS.function("ex_c", "c", "a logarithm", closed_form=log)
_t = Symbol("t", real=True)
f, g = Function("f"), Function("g")
_UNIT = sympy.Interval(0, 1)
HALF = Rational(1, 2)


def chain(given, start, *steps, **more):
    links = [step if isinstance(step, Step) else Step(step, "so it is") for step in steps]
    return given.derived(Derivation("a chain", "", start, links, **more))


@HERE.mistake("false at ex_q = 0", ge(h(q) ** 2, 0), [q])
def a_square_of_a_root_of_a_negative_number(given):
    """At q = 0 the square of the root of q - 1 is -1."""
    return given.follows()


@HERE.mistake("wrong values: ex_a = 0", ge(c(a) + 1, c(a)), [a])
def a_cover_of_a_function_that_cancels(given):
    """At 0 there is no logarithm."""
    return given.covered()


@HERE.mistake("at ex_x = .* the difference lies in", eq(sqrt(x**2), x), [x])
def a_root_of_a_square(given):
    """At -1 it is 1."""
    return given.decided()


@HERE.mistake("may be undefined", eq(log(x**2), 2 * log(x)), [x])
def a_logarithm_of_a_square(given):
    """At -1 the right side has no value."""
    return chain(given, log(x**2), 2 * log(x), domain=given.domain)


@HERE.mistake("of nan = 0 may be undefined", eq(1, 2))
def a_division_by_zero_in_a_chain(given):
    """A quotient by x - x has no value."""
    return chain(given, (x**2 - x * x) / (x - x), Integer(1))


@HERE.mistake("the difference lies in", eq(x, Abs(x)), [x])
def a_sign_lost_in_a_chain(given):
    """At -1 the root of the square is 1."""
    return chain(given, x, sqrt(x**2), Abs(x), domain=given.domain)


@HERE.mistake("may be undefined", eq(x + 1, (x**2 - 1) / (x - 1)), [x])
def a_factor_cancelled_in_a_chain(given):
    """At x = 1 the quotient has no value."""
    return chain(given, x + 1, (x**2 - 1) / (x - 1), domain=given.domain)


@HERE.mistake("may be undefined", eq((x**3) ** Rational(1, 3), x), [x])
def a_cube_root_of_a_cube(given):
    """A power with the exponent 1/3 has no real value at -1."""
    return given.decided()


@HERE.mistake("Contains.* fails at ex_a = 0", ge(log(a), a - 1), [a])
def a_logarithm_above_its_tangent(given):
    """It is below, and has no value at 0."""
    return given.follows(facts.logarithm_below_tangent(a, over=given.domain))


@HERE.mistake("Contains.* fails", eq(log(x * y), log(x) + log(y)), [x, y])
def a_logarithm_of_a_product_of_negative_numbers(given):
    """At x = y = -1 only the left side has a value."""
    return given.follows(facts.logarithm_of_product(x, y, over=given.domain))


@HERE.mistake("Contains.* fails", eq(log(x**2), 2 * log(x)), [x])
def a_logarithm_of_a_power_of_a_negative_number(given):
    """At x = -1 only the left side has a value."""
    return given.follows(facts.logarithm_of_power(x, 2, over=given.domain))


@HERE.mistake("Contains.* fails", implies(lt(x, y), lt(log(x), log(y))), [x, y])
def a_logarithm_that_increases_from_below_zero(given):
    """A number below 0 has no logarithm."""
    return given.follows(facts.logarithm_increases(x, y, over=given.domain))


@HERE.mistake("fails at ex_a = 0, ex_q = 0", eq(a**q, 0), [a, q])
def a_power_of_zero(given):
    """A number to the power 0 is 1."""
    return given.follows()


@HERE.mistake("fails at", ge(x**q, 0), [x, q])
def a_power_of_a_negative_number(given):
    """At x = -1 and q = 1 it is -1."""
    return given.follows()


@HERE.mistake("fails at ex_x = -1", eq(Piecewise((1, x < 0), (2, x > 0)), 2), [x])
def a_piecewise_function_without_a_piece_at_zero(given):
    """At -1 it is 1, and at 0 it has no value."""
    return given.follows()


@HERE.mistake("wrong values: ex_x = 0", ge(Piecewise((1, x < 0), (2, x > 0)), 1), [x])
def a_piecewise_function_with_a_gap(given):
    """At 0 no piece says what it is."""
    return given.follows()


@HERE.mistake("fails at", eq(Max(x, y), x), [x, y])
def a_maximum_as_its_first_number(given):
    """At x = 0 and y = 1 it is 1."""
    return given.follows()


@HERE.mistake("fails at", ge(Min(x, y) + Max(x, y), x * y + 1), [x, y])
def a_minimum_and_a_maximum(given):
    """At x = y = 0 it says 0 >= 1."""
    return given.follows()


@HERE.mistake("fails at ex_q = 1/2", ge(floor(q), q), [q])
def a_floor_above(given):
    """The floor of 1/2 is 0."""
    return given.follows()


@HERE.mistake("may be undefined or jump", eq(floor(q), q), [q])
def a_floor_decided(given):
    """The floor of 1/2 is 0, and the floor jumps."""
    return given.decided()


@HERE.mistake("wrong values: ex_x = 0", ge(1 / x**2, 1), [x])
def an_inverse_square_at_zero(given):
    """At 0 there is no value."""
    return given.follows()


@HERE.mistake("f = {.*f = {", ge(a, HALF), [a])
def functions_with_one_name(given):
    """A function of which nothing is known, and a nonnegative one of this name, are two."""
    other = Function("f", nonnegative=True)
    sign_ = given.follows(goal=ge(other(a), 0))
    meant = given.meaning("f", eq(f(a), a - HALF))
    return given.follows(sign_, meant)


@HERE.mistake("is defined in two ways", ge(a, HALF), [a])
def a_function_defined_twice(given):
    """The function is t, and then 1."""
    one = defined(f(_t), _t, over={_t: _UNIT})
    two = defined(f(_t), Integer(1), over={_t: _UNIT})
    return given.follows(given.substituted(one, {_t: a}), given.substituted(two, {_t: a}))


@HERE.mistake("contradict each other", ge(a, HALF), [a])
def functions_defined_in_a_circle(given):
    """From f = g + 1 and g = f + 1 anything follows."""
    one = defined(f(_t), g(_t) + 1, over={_t: _UNIT})
    two = defined(g(_t), f(_t) + 1, over={_t: _UNIT})
    return given.follows(given.substituted(one, {_t: a}), given.substituted(two, {_t: a}))


@HERE.mistake("Contains.* fails at ex_q = 2", ge(f(q), 0), [q])
def a_definition_beyond_its_range(given):
    """The function is defined on [0, 1] alone."""
    return given.follows(given.substituted(defined(f(_t), _t, over={_t: _UNIT}), {_t: q}))


@HERE.mistake("fails at t = 0", ge(a, 2), [a])
def a_definition_without_value(given):
    """There is no 1/t at 0."""
    return given.follows(given.substituted(defined(f(_t), 1 / _t, over={_t: _UNIT}), {_t: a}))


@HERE.mistake("the difference lies in 1", eq(Limit(Abs(_t) / _t, _t, 0), 0))
def a_limit_from_both_sides(given):
    """From above the limit is 1, and from both sides there is none."""
    return chain(given, Limit(Abs(_t) / _t, _t, 0), Integer(0))


LARGE = Hypothesis("large", "$ex_a is at least two", ge(a, 2))
SMALL = Hypothesis("small", "$ex_a is at most a half", le(a, HALF))
BIG = Hypothesis("big", "$ex_a is more than a half", gt(a, HALF))


@HERE.mistake("contradict each other", ge(a, 5), [a], assuming=[LARGE])
def a_hypothesis_that_no_number_meets(given):
    """No share is at least two."""
    return given.follows()


@HERE.mistake("contradict each other", ge(a, 5), [a], assuming=[SMALL, BIG])
def hypotheses_that_contradict_each_other(given):
    """No share is at most a half and more than a half."""
    return given.follows()


@HERE.mistake("uses the hypothesis small", le(a, HALF), [a])
def a_hypothesis_that_is_not_assumed(given):
    """The claim does not assume that a is small."""
    given.require(SMALL)
    return given.follows()


@HERE.mistake("false at ex_a = 1", le(a, HALF), [a])
def a_condition_that_is_not_assumed(given):
    """It is shown under a condition that the claim does not make."""
    return follows(given.goal, over=given.domain, under=[le(a, HALF)])


@HERE.mistake("fails at ex_a = 0, f = ", ge(a, HALF), [a])
def a_function_at_one_place_as_at_another(given):
    """That f is 1/2 at 1/2 says nothing of other places."""
    half = given.meaning("f at a half", eq(f(HALF), HALF))
    return given.follows(half, given.meaning("f", eq(f(a), a)))


@HERE.mistake("what a name stands for", eq(q**2, 4), [q])
def a_meaning_with_a_minimum(given):
    """That the minimum of q and 2 is 2 is a statement about q."""
    return given.follows(given.meaning("the least", eq(Min(q, 2), 2)))


@HERE.mistake("fails at", eq(exp(x + y), exp(x) + exp(y)), [x, y])
def an_exponential_of_a_sum_as_a_sum(given):
    """It is the product."""
    return given.follows(facts.exponential_of_sum(x + y, x, y, over=given.domain))


@HERE.mistake("fails at ex_b = 1/2", gt(b, b**2 + HALF), [b])
def an_open_interval_as_closed(given):
    """At 1/2 it says 1/2 > 3/4."""
    return given.follows()

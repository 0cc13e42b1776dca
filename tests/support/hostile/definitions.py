"""Mistakes about definitions: a name outside of its range, in a circle, or none at all."""

from sympy import Eq, Function, Interval, Or, Reals, Symbol, oo

from hostile import LETTERS, Mistakes
from theorems.engine import eq, ge, half_line, implies, interval, le, reals, rules
from theorems.engine.rules import E, Random, Vector, facts, inner, norm
from theorems.engine.rules.principles import supremum
from theorems.engine.rules.vocabulary import independent
from theorems.engine.statements.letters import Kind

HERE = Mistakes("definitions")
area = LETTERS.quantity("area_0", "a", "an area", half_line(0))
side = LETTERS.quantity("side_0", "s", "a side", interval(0, 1))
some = LETTERS.quantity("some_0", "d", "some number", reals())
other = LETTERS.quantity("other_0", "b", "another side", half_line(0))
signed = LETTERS.quantity(Symbol("signed_0", real=True), "c", "a number", half_line(0))
free = LETTERS.number("free_0", "x", "any length", half_line(0))
X = LETTERS.thing(Random("X_0"), "X", "a random variable", Kind.LAW)
Y = LETTERS.thing(Random("Y_0"), "Y", "another random variable", Kind.LAW)
u = LETTERS.thing(Vector("u_0"), "u", "a vector", Kind.VECTOR)
z, v, top = (Symbol(name, real=True) for name in ("z_0", "v_0", "top_0"))
n = Symbol("n_0", integer=True, nonnegative=True)
f, h = Function("f_0", real=True), Function("h_0", nonnegative=True)
W, V = Random("W_0"), Vector("v_1")
LARGE, FULL, SMALL = ge(area + side, 1), ge(side, 1), le(free, 1)
UNIT, LENGTHS = Interval(0, 1), Interval(0, oo)
OUTSIDE, OTHERS = "may lie outside of its range", "explained by other letters"


@HERE.mistake(f"area_0 stands for side_0 - 1, which {OUTSIDE}", LARGE, [area, side])
def a_quantity_below_its_range(given):
    """An area is not negative, so that s - 1 is an area only for s = 1."""
    return given.follows(given.meaning("the area", eq(area, side - 1)))


@HERE.mistake("signed_0 ranges over .* known to lie in Reals", ge(signed, 1), [signed], true=False)
def a_range_that_is_widened_for_the_meaning_only(given):
    """The equation for all numbers, and the inference for those of the claim."""
    return given.follows(given.meaning("a number", eq(signed, 2 * z + 1), over={signed: Reals}))


@HERE.mistake(f"h_0.* {OUTSIDE}", FULL, [side])
def a_function_without_negative_values(given):
    """h(s) = s - 1 with h >= 0."""
    return given.follows(given.meaning("a function", eq(h(side), side - 1)))


@HERE.mistake(f"z_0 stands for side_0 - 1, which {OUTSIDE}", FULL, [side])
def a_letter_of_the_proof_below_its_range(given):
    """z = s - 1 with z >= 0."""
    return given.follows(given.meaning("a letter", eq(z, side - 1), over={z: LENGTHS}))


@HERE.mistake(f"z_0 stands for v_0, which {OUTSIDE}", FULL, [side])
def a_range_in_two_steps(given):
    """z = v with z >= 0, and v = s - 1."""
    first = given.meaning("a letter", eq(z, v), over={z: LENGTHS})
    return given.follows(first, given.meaning("its value", eq(v, side - 1)))


@HERE.mistake("z_0 ranges over .* known to lie in Reals", FULL, [side])
def a_range_that_is_made_smaller_later(given):
    """z = s - 1 for all numbers z, and then z >= 0."""
    meaning = given.meaning("a letter", eq(z, side - 1))
    sign = rules.follows(ge(z, 0), over={z: LENGTHS})
    return given.follows(sign, meaning)


@HERE.mistake("v_0 ranges over .* known to lie in Reals", FULL, [side])
def a_name_that_becomes_another_one(given):
    """z = s - 1 for all numbers z, then called v, which is not negative."""
    meaning = given.meaning("a letter", eq(z, side - 1))
    named = rules.instance(meaning, {z: v}, over={v: LENGTHS})
    return given.follows(named)


@HERE.mistake("may not be h_0", FULL, [side])
def a_name_that_becomes_a_function(given):
    """z = s - 1 for all numbers z, then called h(n), which is not negative."""
    meaning = given.meaning("a letter", eq(z, side - 1))
    return given.follows(given.substituted(meaning, {z: h(n)}))


@HERE.mistake(f"free_0, which {OUTSIDE}", SMALL, [free])
def a_number_in_a_smaller_range(given):
    """w in [0, 1] stands for any length."""
    return given.follows(given.meaning("a part", eq(z, free), over={z: UNIT}))


@HERE.mistake("is no extreme of free_0", SMALL, [free])
def a_largest_within_a_range(given):
    """The largest length in [0, 1]."""
    return given.follows(given.largest("the largest", le(free, top), over={top: UNIT}))


@HERE.mistake("is no extreme of free_0", ge(free, 1), [free])
def a_least_within_a_range(given):
    """The least length, at least 1."""
    return given.follows(given.least("the least", le(top, free), over={top: Interval(1, oo)}))


@HERE.mistake("top_0 may not be 1", SMALL, [free])
def a_largest_that_becomes_a_number(given):
    """The largest length is called 1."""
    return given.follows(given.substituted(given.largest("the largest", le(free, top)), {top: 1}))


@HERE.mistake("top_0 is two extremes", le(free, side), [free, side])
def the_largest_and_the_least(given):
    """One number as the largest and as the least, by one name."""
    high = given.largest("an extreme", le(free, top))
    return given.follows(high, given.least("an extreme", le(top, side)))


@HERE.mistake("top_0 is the largest, and stands for something", SMALL, [free])
def an_extreme_that_stands_for_a_number(given):
    """The largest length, which is 1."""
    high = given.largest("the largest", le(free, top))
    return given.follows(high, given.meaning("one", eq(top, 1)))


@HERE.mistake("may lie outside", FULL, [side])
def a_supremum_above_its_range(given):
    """The supremum of -1 - v, v >= 0, is at most s - 1; as a number that is not negative."""
    each = rules.follows(le(-1 - v, side - 1), over={v: LENGTHS, side: UNIT})
    return given.follows(supremum(each, top, over={top: LENGTHS}))


@HERE.mistake("stands for two things", FULL, [side])
def different_things_under_conditions(given):
    """r = 1 where s < 1, and r = 2 anyway."""
    one = given.meaning("first", implies(side < 1, eq(z, 1)))
    return given.follows(one, given.meaning("second", eq(z, 2)))


@HERE.mistake(f"h_0.n_0. stands for -1, which {OUTSIDE}", FULL, [side])
def an_impossible_value_under_a_condition(given):
    """h(n) = -1 where s < 1, though h is not negative."""
    return given.follows(given.meaning("a side", implies(side < 1, eq(h(n), -1))))


@HERE.mistake("explained by each other", eq(some, 0), [some])
def a_circle(given):
    """c = 2z and z = 2c."""
    one = given.meaning("one", eq(some, 2 * z))
    return given.follows(one, given.meaning("the other", eq(z, 2 * some)))


@HERE.mistake("explained by each other", eq(some, 0), [some])
def a_circle_of_three(given):
    """c = 2z, z = 2v and v = 2c."""
    pairs = ((some, 2 * z), (z, 2 * v), (v, 2 * some))
    return given.follows(*(given.meaning(str(one), eq(one, value)) for one, value in pairs))


@HERE.mistake(OTHERS, FULL, [side])
def a_difference(given):
    """1 - s = z with z >= 0 and also s = 1 + z."""
    return given.follows(given.meaning("the rest", eq(1 - side, -z), over={z: LENGTHS}))


@HERE.mistake("does not say what", ge(other, 1), [other])
def a_product(given):
    """b z = 1 with z in [0, 1]."""
    return given.follows(given.meaning("an inverse", eq(other * z, 1), over={z: UNIT}))


@HERE.mistake("stands for two things", eq((1 + other) * (1 + side), 1), [other, side])
def a_product_of_explained_letters(given):
    """z v = 1, where z = b and v = s."""
    over = {z: Interval.Ropen(1, oo), v: Interval.Lopen(0, 2)}
    product = given.meaning("an inverse", eq(z * v, 1), over=over)
    pairs = ((z, other), (v, side))
    known = [given.meaning(str(x), eq(x, 1 + y), over={x: over[x]}) for x, y in pairs]
    return given.follows(product, *known)


@HERE.mistake("values of one name", FULL, [side])
def alternatives(given):
    """s = 1 or z = 2."""
    return given.follows(given.meaning("a choice", Or(Eq(side, 1), Eq(z, 2))))


@HERE.mistake("is no meaning but a hypothesis", le(other, 1), [other])
def an_indicator_among_the_quantities(given):
    """b is 0 or 1."""
    return given.follows(given.meaning("an indicator", Or(Eq(other, 0), Eq(other, 1))))


@HERE.mistake("is no meaning but a hypothesis", le(E(X) ** 2, E(X)), [X])
def a_mean_of_a_random_variable_of_the_claim(given):
    """X is centred."""
    return given.follows(given.meaning("centred", eq(E(X), 0)))


@HERE.mistake("is no meaning but a hypothesis", eq(E(X * Y), E(X) * E(Y)), [X, Y])
def independence_of_random_variables_of_the_claim(given):
    """That X and Y are independent is no meaning."""
    apart = given.meaning("independent", independent(X, Y))
    return given.follows(apart, facts.expectation_of_independent(X, Y))


@HERE.mistake("is no meaning but a hypothesis", le(inner(u, u), 1), [u])
def a_length_of_a_vector_of_the_claim(given):
    """|u| = 1."""
    return given.follows(given.meaning("a unit vector", eq(norm(u), 1)))


@HERE.mistake("stands for two things", eq(side, other), [side, other])
def two_means_of_a_sum(given):
    """E W = s, |v| = b, and their sum is 2b."""
    parts = given.meaning("parts", eq(E(W), side), eq(norm(V), other))
    return given.follows(parts, given.meaning("both", eq(E(W) + norm(V), 2 * other)))


@HERE.mistake("z_0 stands for f_0.0.: side_0 - 1 may lie outside", FULL, [side])
def a_range_by_way_of_a_function(given):
    """z = f(0) with z >= 0, and f(0) = s - 1."""
    first = given.meaning("a letter", eq(z, f(0)), over={z: LENGTHS})
    return given.follows(first, given.meaning("its value", eq(f(0), side - 1)))


@HERE.mistake("z_0 stands for E.W_0.: side_0 - 1 may lie outside", FULL, [side])
def a_range_by_way_of_a_mean(given):
    """z = E W with z >= 0, and E W = s - 1."""
    first = given.meaning("a letter", eq(z, E(W)), over={z: LENGTHS})
    return given.follows(first, given.meaning("its value", eq(E(W), side - 1)))


@HERE.mistake("z_0 stands for f_0.2.: .* may lie outside", FULL, [side])
def a_range_by_way_of_a_recursion(given):
    """z = f(2) with z >= 0, where f(n + 1) = f(n) + s - 1 and f(0) = 0."""
    steps = given.meaning("steps", eq(f(0), 0), eq(f(n + 1), f(n) + side - 1))
    last = given.meaning("the last", eq(z, f(2)), over={z: LENGTHS})
    at = [rules.instance(steps, {n: place}) for place in (0, 1)]
    return given.follows(*at, steps, last)

"""Mistakes about induction, integers, and sums of any length."""

import sympy
from sympy import Abs, Function, Integer, Rational, Sum, Symbol

from hostile import LETTERS, Mistakes
from symbolic.derivation import Derivation, Step
from theorems.engine import eq, ge, gt, implies, integers, interval, le, lt
from theorems.engine.rules import cases, induction, instance
from theorems.engine.rules.leaves import textbook
from theorems.engine.rules.sums import (
    by_recursion,
    last_term,
    last_vector,
    linear,
    spelled_out,
    summed,
    telescoped,
)
from theorems.engine.rules.vocabulary import norm, vectors

HERE = Mistakes("counting")
n = LETTERS.number("cnt_n", "n", "how many", integers(0))
p = LETTERS.number("cnt_p", "p", "how many, one at least", integers(1))
z = LETTERS.number("cnt_z", "z", "an integer", integers(-3, 9))
x = LETTERS.number("cnt_x", "x", "a number up to nine", interval(0, 9))
few = LETTERS.number("cnt_few", "f", "a few", integers(0, 4))
k, j = sympy.symbols("k j", integer=True)
_m = Symbol("m", integer=True)
f, g = Function("f"), Function("g")
_FROM_0, _FROM_1 = sympy.Range(sympy.oo), sympy.Range(1, sympy.oo)


def total(term, last, first=0):
    return Sum(term, (k, first, last))


@HERE.mistake("wrong values: cnt_n = 0", ge(2**n, n**2), [n])
def an_induction_whose_base_is_too_early(given):
    """At n = 3 it says 8 >= 9; the step holds from 3 on."""
    step = textbook("the step", ge(2 * _m**2, (_m + 1) ** 2), over={_m: sympy.Range(3, sympy.oo)})
    return induction(given.goal, n, 0, step=[step])


@HERE.mistake("False fails", gt(p, p + 1), [p])
def an_induction_without_its_base(given):
    """From p > p + 1 follows p + 1 > p + 2, but it does not begin."""
    return induction(given.goal, p, 1)


@HERE.mistake("the proof is for cnt_n in", ge(n**2 + 1, n), [n], true=True)
def an_induction_from_two_on(given):
    """At n = 0 and n = 1 it is not shown."""
    return induction(given.goal, n, 2)


@HERE.mistake("must be bound by the induction alone", ge(n, 1), [n])
def an_induction_under_a_hypothesis_about_its_letter(given):
    """At n = 0 it is false; the hypothesis n >= 1 is about the letter."""
    return induction(given.goal, n, 1, under=[ge(n, 1)])


@HERE.mistake("fails at", le(x, n), [x, n])
def an_induction_for_a_letter_that_stays(given):
    """At n = 0 it says that x is 0 at most."""
    return induction(given.goal, n, 0, over={x: given.domain[x]})


@HERE.mistake("would be caught", ge(Sum(n, (n, 0, 3)) + n, n), [n], true=True)
def an_induction_on_a_letter_that_is_also_an_index(given):
    """The index of the sum has the name of the letter."""
    return induction(given.goal, n, 0)


@HERE.mistake("fails at cnt_n = 0, f = ", le(total(f(k), n), total(f(k), n + 1)), [n])
def a_sum_that_grows_by_terms_of_any_sign(given):
    """With f = -1 it shrinks by each term."""
    return given.follows(last_term(total(f(k), n + 1), over=given.domain))


@HERE.mistake("fails at cnt_n = 0, f = ", eq(total(f(k), n), total(f(k), n - 1) + f(n - 1)), [n])
def a_last_term_off_by_one(given):
    """The last term is f(n)."""
    return given.follows(last_term(total(f(k), n), over=given.domain))


@HERE.mistake("fails at cnt_n = 0", eq(total(1, n), n), [n])
def a_count_off_by_one(given):
    """From 0 to n there are n + 1 terms."""
    return given.follows(linear(total(2 * 1 + 0 * k, n), over=given.domain))


@HERE.mistake("must begin at 0", eq(total(2 * k, p, 1), 2 * total(k, p, 1)), [p], true=True)
def numbers_out_of_a_sum_from_one_on(given):
    """The rule is about sums from 0 on."""
    return given.follows(linear(total(2 * k, p, 1), over=given.domain))


@HERE.mistake("Contains.* fails", eq(total(2 * k + 1, z), 2 * total(k, z) + z + 1), [z], true=True)
def numbers_out_of_a_sum_of_less_than_no_terms(given):
    """For z < -1 the sum has no number of terms."""
    return given.follows(linear(total(2 * k + 1, z), over=given.domain))


@HERE.mistake("fails at f = ", eq(total(k * f(k), n), n * total(f(k), n)), [n])
def the_index_out_of_a_sum(given):
    """A factor that depends on the index stays inside."""
    return given.follows(linear(total(k * f(k), n), over=given.domain))


@HERE.mistake("fails at f = ", eq(total(f(k) * g(k), 1), total(f(k), 1) * total(g(k), 1)))
def a_sum_of_products_as_a_product_of_sums(given):
    """With f = g = 1 it says 2 = 4."""
    sums = [spelled_out(total(one, 1), over=given.domain) for one in (f(k) * g(k), f(k), g(k))]
    return given.follows(*sums)


@HERE.mistake("is not the growth", eq(total(2 * k + 1, n - 1), (n + 1) ** 2 - 1), [n])
def telescoping_off_by_one(given):
    """The growth from k^2 to (k + 1)^2 is 2k + 1, and that from (k + 1)^2 another one."""
    each = textbook("growth", eq((k + 1) ** 2 - k**2, 2 * k + 1), over={k: _FROM_0})
    return given.follows(telescoped(each, k, (k + 1) ** 2, n, over=given.domain))


@HERE.mistake("fails at cnt_n = 0", eq(total(2 * k + 1, n), n**2), [n])
def telescoping_up_to_one_term_more(given):
    """The sum up to n is (n + 1)^2."""
    each = textbook("growth", eq((k + 1) ** 2 - k**2, 2 * k + 1), over={k: _FROM_0})
    return given.follows(telescoped(each, k, k**2, n, over=given.domain))


@HERE.mistake("Contains.*Range.1, .* fails", ge(total(k - 1, n - 1), 0), [n])
def adding_up_what_holds_from_one_on(given):
    """The term at 0 is -1, and at n = 1 it is the only one."""
    each = textbook("from one on", ge(k - 1, 0), over={k: _FROM_1})
    return given.follows(summed(each, k, n, over=given.domain))


@HERE.mistake("False fails at .*cnt_n = 0", lt(total(f(k), n - 1), total(f(k) + 1, n - 1)), [n])
def adding_up_a_strict_inequality(given):
    """Of no terms both sums are 0."""
    each = given.follows(goal=lt(f(n), f(n) + 1))
    return given.follows(summed(each, n, p, over={p: _FROM_1}))


@HERE.mistake("Contains.* fails", le(total(0, z - 1), total(1, z - 1)), [z])
def adding_up_over_a_negative_number_of_terms(given):
    """Sums of less than no terms are none of the rule's."""
    each = textbook("a number", le(Integer(0), 1 + 0 * k), over={k: _FROM_0})
    return given.follows(summed(each, k, z, over=given.domain))


@HERE.mistake("between integers", eq(total(1, x), x + 1), [x])
def a_sum_up_to_a_number_that_is_not_whole(given):
    """A sum up to x = 1/2 has one term."""
    return given.follows(linear(total(1 + 0 * k, x), over=given.domain))


@HERE.mistake("between integers", eq(total(f(k), Rational(5, 2)), f(0) + f(1) + f(2)))
def a_sum_up_to_a_fraction_spelled_out(given):
    """A sum runs to an integer."""
    return given.follows(spelled_out(total(f(k), Rational(5, 2)), over=given.domain))


@HERE.mistake("one index", eq(Sum(f(k, j), (k, 0, n), (j, 0, 1)), Sum(f(k, 0), (k, 0, n))), [n])
def a_double_sum_as_a_sum(given):
    """With f = 1 it has twice as many terms."""
    return given.follows(last_term(given.goal.lhs, over={**given.domain, j: _FROM_0}))


_v = vectors("v")


@HERE.mistake("one index between integers", ge(n, 1), [n])
def a_double_sum_of_vectors_as_a_sum(given):
    """The norm of a double sum is not that of a single one at each j."""
    double = Sum(_v(k, j), (k, 0, n), (j, 0, 2))
    return given.follows(last_vector(double, over={**given.domain, j: _FROM_0}))


@HERE.mistake("contradict each other", eq(total(f(k), 0, 2), f(2) + f(1)))
def a_sum_from_two_down_to_zero(given):
    """A sum whose end comes before its beginning has no terms to be added."""
    return given.follows(spelled_out(total(f(k), 0, 2), over=given.domain))


@HERE.mistake("ComplexInfinity", eq(total(1 / k, 1), 1))
def a_sum_with_a_term_that_has_no_value(given):
    """The first term is 1/0."""
    return given.follows(spelled_out(total(1 / k, 1), over=given.domain))


@HERE.mistake("fails at", eq(x, few), [x, few])
def an_integer_between_the_same_ends(given):
    """Numbers up to nine are not the integers up to four."""
    return given.follows()


@HERE.mistake("fails at cnt_x = ", le(x * (x - 1), 0), [x])
def a_case_split_over_integers_alone(given):
    """It is shown at 0 and at 1, and fails beyond."""
    parts = [textbook(f"at {one}", given.goal, over={x: interval(0, 9)}, under=[eq(x, one)])
             for one in (0, 1)]  # fmt: skip
    return cases(parts, over=given.domain)


@HERE.mistake("the same statement", ge(x, 1), [x])
def cases_of_different_statements(given):
    """In one case something else is shown."""
    parts = [given.follows(goal=ge(x, 0)), given.follows(goal=ge(x, -1))]
    return cases(parts, over=given.domain)


@HERE.mistake("Contains.* fails", ge(x * (x - 1), 0), [x])
def an_integer_fact_at_a_real_number(given):
    """For integers it holds, and fails at x = 1/2."""
    whole = textbook("integers", ge(k * (k - 1), 0), over={k: sympy.Integers})
    return given.substituted(whole, {k: x})


@HERE.mistake("Contains.* fails", ge(few, 1), [few])
def an_integer_fact_at_half_an_integer(given):
    """Half of a few is no integer if the few are odd."""
    whole = textbook("integers", implies(gt(k, -1), ge(k, 0)), over={k: _FROM_1})
    return given.follows(given.substituted(whole, {k: few / 2}))


@HERE.mistake("Contains.* fails", ge(n, 1), [n])
def a_fact_one_place_too_early(given):
    """At n = 0 the index is -1."""
    place = textbook("places", ge(k, 0), over={k: _FROM_0})
    return given.follows(given.substituted(place, {k: n - 1}))


@HERE.mistake("could take: Infinity", ge(n, 1), [n])
def an_instance_at_infinity(given):
    """Infinity is no integer."""
    large = textbook("sizes", ge(k, 0), over={k: _FROM_0})
    return given.follows(instance(large, {k: sympy.oo}, over={}))


@HERE.mistake("fails at f = ", gt(total(Abs(f(k)), n), 0), [n])
def a_sum_of_sizes_above_zero(given):
    """All terms may be 0."""
    return by_recursion(given.goal, n)


@HERE.mistake("stands for two things", eq(f(n), 0), [n])
def a_sequence_explained_twice(given):
    """The sequence is first 0, then n."""
    first = given.meaning("the sequence", eq(f(n), 0 * n), under=[])
    second = given.meaning("the sequence again", eq(f(n), n))
    return given.follows(first, second)


@HERE.mistake("difference lies in", eq(total(k, n), n * (n - 1) / 2), [n])
def a_closed_form_off_by_one(given):
    """The sum up to n is n(n + 1)/2."""
    return given.derived(
        Derivation("triangle", "", total(k, n), [Step(n * (n - 1) / 2, "add up")], domain=given.domain)
    )


@HERE.mistake("may be undefined", eq(total(x**k, n), (1 - x ** (n + 1)) / (1 - x)), [x, n])
def a_geometric_sum_at_one(given):
    """At x = 1 the quotient is 0/0."""
    end = given.goal.rhs
    return given.derived(
        Derivation("geometric", "", total(x**k, n), [Step(end, "add up")], domain=given.domain)
    )


@HERE.mistake("fails at v = ", eq(norm(total(_v(k), n)), total(norm(_v(k)), n)), [n])
def the_norm_of_a_sum_as_the_sum_of_norms(given):
    """Opposite vectors cancel."""
    return given.follows(last_vector(total(_v(k), n), over=given.domain))

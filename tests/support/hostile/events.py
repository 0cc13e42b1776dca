"""Mistakes about events and their probabilities, and about normal variables."""

import sympy
from sympy import Abs, Rational, Symbol, cos, exp, log, sqrt

from hostile import LETTERS, Mistakes
from hostile.expectations import X, Y
from theorems.engine import Hypothesis, eq, ge, half_line, implies, integers, le, lt, reals, rules
from theorems.engine.rules import E, Event, P, Random, facts, leaves, principles, probabilities
from theorems.engine.rules.gaussian_means import gaussian_mean
from theorems.engine.rules.normal_variables import fourth_moment, normal_tail, tails_of_one_law
from theorems.engine.rules.vocabulary import events, normal
from theorems.engine.statements.letters import Kind

HERE = Mistakes("events")
A = LETTERS.thing(Event("event"), "A", "an event", Kind.OBJECT)
B = LETTERS.thing(Event("event_b"), "B", "another event", Kind.OBJECT)
above = LETTERS.number("above", "t", "a positive level", half_line(0, closed=False))
number = LETTERS.number("number", "k", "a number of events", integers(1))
_value, _s = Symbol("value", real=True), Symbol("s", real=True)
NORMAL = Hypothesis("normal_variable", "$X is centred and normal", normal(X))
BOTH = Hypothesis("normal_variables", "$X and $Y are normal", normal(X) & normal(Y))
STANDARD = Hypothesis("standard", "$X is standard normal")


@HERE.mistake("does not follow", eq(P(A & B), P(A) * P(B)), [A, B])
def events_that_are_independent_without_a_reason(given):
    """If A = B is a fair event, the sides are 1/2 and 1/4."""
    return given.follows(facts.probability(A), facts.probability(B))


@HERE.mistake("does not follow", eq(P(A | B), P(A) + P(B)), [A, B])
def the_union_bound_as_an_equation(given):
    """If A = B is sure, the sides are 1 and 2."""
    return given.follows(facts.union_bound(A, B))


@HERE.mistake("does not follow", ge(P(A | B), P(A) + P(B)), [A, B])
def the_union_bound_the_wrong_way_round(given):
    """If A = B is sure, the sides are 1 and 2."""
    return given.follows(facts.union_bound(A, B))


@HERE.mistake("does not follow", eq(P(A) + P(B), 1), [A, B])
def another_event_as_the_complement(given):
    """B need not be the complement of A."""
    return given.follows(probabilities.complement(A), probabilities.complement(B))


@HERE.mistake("does not follow", le(P(A), P(A & B)), [A, B])
def the_larger_of_two_events_the_wrong_way_round(given):
    """If A is sure and B is impossible, the sides are 1 and 0."""
    return given.follows(probabilities.implied_event(A, A & B))


@HERE.mistake("does not follow", eq(P(A & B), P(A)), [A, B])
def an_event_that_is_likely_taken_for_sure(given):
    """B may be impossible."""
    return given.follows(probabilities.sure_event(A, B))


@HERE.mistake("does not follow", le(P(ge(X, above)), E(X) / above), [X, above])
def markov_without_a_sign(given):
    """If X is 1 or -1, the right side is 0 at t = 1."""
    return given.follows(facts.markov(X, above, over={above: half_line(0, closed=False)}))


@HERE.mistake("does not follow", le(P(ge(Abs(X), above)), E(X**2) / above), [X, above])
def chebyshev_with_a_wrong_power(given):
    """If X = t = 1/2, the sides are 1 and 1/2."""
    each = facts.markov(X**2, above**2, over={above: half_line(0, closed=False)})
    return given.follows(each)


@HERE.mistake(r"Contains\(0, Interval.open\(0, oo\)\) fails", le(P(ge(Abs(X), 0)), E(Abs(X))), [X])
def markov_at_zero(given):
    """If X = 0, the sides are 1 and 0."""
    return given.follows(facts.markov(X, 0))


@HERE.mistake(r"Contains\(-1, Interval\(0, oo\)\) fails", le(P(ge(X, 0)), E(exp(-X))), [X])
def chernoff_with_a_negative_rate(given):
    """If X = 1, the sides are 1 and 1/e."""
    return given.follows(facts.chernoff(X, 0, -1))


@HERE.mistake("value of X = ", eq(P(ge(sqrt(X), 0)), 1 - P(lt(sqrt(X), 0))), [X])
def the_complement_of_what_is_not_defined(given):
    """If X = -1, its root is neither below 0 nor above."""
    return given.follows(probabilities.complement(lt(sqrt(X), 0)))


@HERE.mistake("value of X", le(P(ge(log(X), 0)), 1), [X], true=True)
def an_event_that_is_not_defined(given):
    """A negative number has no logarithm."""
    return given.follows(facts.probability(ge(log(X), 0)))


@HERE.mistake("value of X", le(P(ge(1 / X, 1) | A), P(ge(1 / X, 1)) + P(A)), [X, A], true=True)
def an_event_with_a_quotient(given):
    """If X = 0, there is no 1/X."""
    return given.follows(facts.union_bound(ge(1 / X, 1), A))


@HERE.mistake("does not follow", eq(P(ge(log(Abs(X) + 1), 0)), 1), [X], true=True)
def what_holds_for_positive_numbers_only(given):
    """It is shown on the positive half line, and X need not lie there."""
    over = {_value: half_line(0)}
    known = leaves.textbook("logarithms", ge(log(Abs(_value) + 1), 0), over=over)
    return given.follows(probabilities.surely(known, {_value: X}))


@HERE.mistake("no hypothesis may be about", eq(P(le(X, X**2)), 1), [X])
def what_is_sure_under_a_condition_only(given):
    """If X = 1/2, its square is smaller."""
    known = rules.follows(le(_value, _value**2), over={_value: reals()}, under=[_value >= 1])
    return given.follows(probabilities.surely(known, {_value: X}))


@HERE.mistake("s would be caught in P", eq(P(ge(P(ge(X, Y)), P(ge(X, Y)))), 1), [X, Y], true=True)
def a_tail_at_a_random_level(given):
    """P(X >= s) at s = Y is a random number, and P(X >= Y) is not."""
    over = {_s: sympy.Reals, X: X.belongs_to}
    known = rules.follows(ge(P(ge(X, _s)) + 1, P(ge(X, _s))), over=over)
    return given.follows(probabilities.surely(known, {_s: Y}))


@HERE.mistake("one event implies another", le(P(ge(X, 1)), P(ge(X, 2))), [X])
def a_relation_taken_for_an_implication(given):
    """If X = 1, the sides are 1 and 0."""
    known = rules.follows(ge(_value**2 + 1, _value), over={_value: reals()})
    return given.follows(principles.more_probable(known, _value, X))


@HERE.mistake("does not follow", le(P(ge(X, 1)), P(ge(X, 2))), [X])
def a_tail_that_increases(given):
    """If X = 1, the sides are 1 and 0."""
    known = rules.follows(implies(ge(_value, 2), ge(_value, 1)), over={_value: reals()})
    return given.follows(principles.more_probable(known, _value, X))


@HERE.mistake("some may not be event: a fair event", eq(P(A), Rational(1, 2)), [A])
def an_event_that_exists_as_a_law(given):
    """There is an event of probability 1/2, and A may be sure."""
    some = Event("some")
    half = given.textbook("a fair event", eq(P(some), Rational(1, 2)))
    return given.follows(given.substituted(half, {some: A}))


@HERE.mistake("event may not be event_b", eq(P(B), P(A)), [A, B])
def the_probability_of_one_event_for_another(given):
    """What is meant by A has nothing to do with B."""
    known = given.meaning("the event", eq(P(A), Rational(1, 2)))
    return given.follows(known, given.substituted(known, {A: B}))


@HERE.mistake("may have the wrong values", eq(P(events("F")(number)), P(events("F")(1))), [number])
def events_of_a_family_that_are_equally_probable_without_a_reason(given):
    """The first event may be sure, and the others impossible."""
    over = {number: integers(1)}
    each = facts.probability(events("F")(number), over=over)
    return given.follows(each, facts.probability(events("F")(1)))


@HERE.mistake("does not follow", eq(E(X**4), E(X**2) ** 2), [X], assuming=[NORMAL])
def the_fourth_moment_without_its_factor(given):
    """The factor is 3."""
    return given.follows(fourth_moment(X))


@HERE.mistake("does not follow", eq(E(X**4), 3), [X], assuming=[NORMAL])
def the_fourth_moment_of_a_standard_variable_for_any_other(given):
    """If the variance is 4, the fourth moment is 48."""
    return given.follows(fourth_moment(X))


@HERE.mistake("does not follow", eq(E(X**4), 3 * E(X**2) ** 2), [X])
def the_fourth_moment_of_what_is_not_normal(given):
    """A fair sign has the moments 1 and 1."""
    return given.follows(fourth_moment(X))


@HERE.mistake("does not follow", eq(E((X + Y) ** 4), 3 * E((X + Y) ** 2) ** 2), [X, Y], assuming=[BOTH])
def a_sum_of_normal_variables_that_is_not_normal(given):
    """Let Y be X or -X by a fair coin: the sum is 0 in half of the cases."""
    return given.follows(fourth_moment(X + Y), fourth_moment(X), fourth_moment(Y))


@HERE.mistake("does not follow", eq(E(X * Y), 0), [X, Y], assuming=[BOTH])
def standard_normals_that_are_dependent(given):
    """They may be equal."""
    return given.follows(facts.expectation_of_independent(X, Y))


@HERE.mistake(
    "does not follow", le(P(ge(Abs(X), above)), exp(-(above**2) / 2)), [X, above], assuming=[NORMAL]
)
def a_normal_tail_without_its_variance(given):
    """If the variance is large, the tail is near to 1."""
    return given.follows(normal_tail(X, above, over={above: half_line(0, closed=False)}))


@HERE.mistake(
    "does not follow", eq(P(ge(Abs(X), above)), P(ge(Abs(Y), above))), [X, Y, above], assuming=[BOTH]
)
def tails_of_different_variances(given):
    """The variances may be different."""
    return given.follows(tails_of_one_law(X, Y, above, over={above: half_line(0, closed=False)}))


@HERE.mistake("no bound is known for", le(E(exp(X)), 1), [X], assuming=[NORMAL])
def the_mean_of_a_function_that_grows(given):
    """The mean is exp(1/2) if the variance is 1."""
    law = leaves.supposed("normal", normal(X), over={X: X.belongs_to})
    return given.follows(gaussian_mean(law, exp(X), Rational(1)))


@HERE.mistake("no bound is known for", le(E(cos(1 / X)), 1), [X], assuming=[NORMAL])
def the_mean_of_a_function_with_a_pole(given):
    """There is no 1/X at 0."""
    law = leaves.supposed("normal", normal(X), over={X: X.belongs_to})
    return given.follows(gaussian_mean(law, cos(1 / X), Rational(1)))


@HERE.mistake("must say that a variable is normal", le(E(cos(X)), Rational(7, 10)), [X])
def the_gaussian_mean_of_any_variable(given):
    """If X = 0, the mean is 1."""
    law = leaves.supposed("unit", eq(E(X**2), 1), over={X: X.belongs_to})
    return given.follows(gaussian_mean(law, cos(X), Rational(1)))


@HERE.mistake("does not follow", le(E(cos(X)), Rational(7, 10)), [X], assuming=[NORMAL])
def the_gaussian_mean_of_another_variance(given):
    """If the variance is 0, the mean is 1."""
    over = {X: X.belongs_to}
    law = rules.follows(normal(X), over=over, under=[normal(X)])
    return given.follows(gaussian_mean(law, cos(X), Rational(1), 24))


@HERE.mistake("must be a nonnegative rational", le(E(cos(X)), 1), [X], assuming=[NORMAL])
def a_negative_variance(given):
    """No variance is negative."""
    law = leaves.supposed("normal", normal(X), over={X: X.belongs_to})
    return given.follows(gaussian_mean(law, cos(X), Rational(-1)))


@HERE.mistake("X may not be Y: standard", le(E(Y**2), E(X**2)), [X, Y], assuming=[STANDARD])
def a_normal_variable_in_words_that_is_another_one(given):
    """That X is standard normal says nothing of Y."""
    law = given.supposed(STANDARD, eq(E(X**2), 1))
    return given.follows(law, given.substituted(law, {X: Y}))


@HERE.mistake("G may not be X: moments", eq(E(X**2), 1), [X])
def the_moments_of_a_normal_variable_as_a_law(given):
    """There is a variable with these moments, and X may be 0."""
    g = Random("G")
    over = {g: g.belongs_to}
    known = leaves.textbook("moments", eq(E(g**2), 1), over=over)
    return given.follows(rules.instance(known, {g: X}, over={X: X.belongs_to}))

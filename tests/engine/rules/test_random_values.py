"""What is put in for random letters: it is real, defined, and not caught by a mean."""

import pytest
import sympy as sp
from sympy import Abs, Eq, Reals, Symbol, exp, log, sqrt
from trying import each

from theorems.engine.rules import EVENTS, RANDOM, E, Event, NotProved, P, Random, facts, instance
from theorems.engine.rules.leaves import claimed
from theorems.engine.rules.principles import expected, expected_jointly
from theorems.engine.rules.probabilities import complement, surely
from theorems.engine.rules.random_values import check_random
from theorems.engine.rules.vocabulary import randoms

X, Y, A = Random("X"), Random("Y"), Event("A")
x = Symbol("x", real=True)
n = Symbol("n", integer=True)


@each("value", sqrt(X), 1 / X, log(X), log(Abs(X)), sp.Lt(sqrt(X), 0), sp.Or(1 / X > 1, A))
def test_what_is_not_defined_everywhere_is_refused(value):
    with pytest.raises(NotProved):
        check_random([value], {}, ())


@each("value", X, sqrt(Abs(X)), exp(X * Y), 1 / (1 + X**2), sqrt(P(X > 1)), sp.And(A, X > 1))
def test_what_is_defined_everywhere_is_taken(value):
    check_random([value], {X: RANDOM, A: EVENTS}, ())


def test_what_is_almost_sure_may_be_used():
    square = facts.expectation_of_square(sqrt(X), under=[Eq(P(X >= 0), 1)])
    assert square.statement == (E(sqrt(X)) ** 2 <= E(X))
    with pytest.raises(NotProved):
        facts.expectation_of_square(sqrt(X), under=[Eq(P(X >= 0), sp.Rational(1, 2))])


def test_conditions_on_numbers_may_be_used():
    inside = facts.probability(X / x > 1, over={x: Reals}, under=[x > 0])
    assert inside.under == {x > 0}
    with pytest.raises(NotProved):
        facts.probability(X / x > 1, over={x: Reals})


def test_a_complement_is_one_of_what_is_defined():
    with pytest.raises(NotProved):
        complement(sqrt(X) < 0)
    assert complement(X < 0).statement == Eq(P(X >= 0), 1 - P(X < 0))


def test_what_is_not_real_is_refused():
    with pytest.raises(TypeError):
        facts.expectation_of_square(sp.I * X)


@each("rule", surely, lambda theorem, at: expected(theorem, *next(iter(at.items()))))
def test_a_relation_at_what_is_not_defined_is_refused(rule):
    square = claimed("c", x**2 >= 2 * x - 1, over={x: Reals})
    with pytest.raises(NotProved):
        rule(square, {x: sqrt(X)})


@each("mean", E(Abs(X - x)), P(x < X))
def test_what_is_random_is_not_caught_by_a_mean(mean):
    theorem = claimed("c", mean + x**2 >= x - 1, over={x: Reals, X: RANDOM})
    with pytest.raises(ValueError, match="x would be caught"):
        expected(theorem, x, X)
    with pytest.raises(ValueError, match="x would be caught"):
        surely(theorem, {x: Y})


def test_a_number_may_be_put_into_a_mean():
    theorem = claimed("c", E(Abs(X - x)) + x**2 >= x - 1, over={x: Reals, X: RANDOM})
    shown = instance(theorem, {x: E(Y)}, over={Y: RANDOM})
    assert shown.statement == (E(Abs(X - E(Y))) + E(Y) ** 2 >= E(Y) - 1)


def test_a_family_is_not_caught_by_a_mean():
    f = sp.Function("f", real=True)
    over = {n: sp.S.Integers, X: RANDOM}
    theorem = claimed("c", E(Abs(X - f(n))) >= f(n) - E(Abs(X)), over=over)
    with pytest.raises(ValueError, match="caught in a mean"):
        expected_jointly(theorem, {f: randoms("F")})

"""A statement is refuted by a point at which it fails itself; a step that fails refutes nothing."""

import pytest
import sympy as sp
from checked import answer, stated, x
from sympy import Interval, Rational, Symbol

from theorems.engine import Hypothesis, ge, le, rules
from theorems.engine.claims.kinds import Answer
from theorems.engine.rules import leaves

OTHER = Symbol("another letter", real=True)
UNIT = Interval(0, 1)
SMALL = Hypothesis("small", "$x is at most a half", formula=le(x, Rational(1, 2)))


def outcome(step, states=None, **record):
    """The outcome of a proof that begins with a step."""
    one = stated(states, **record)

    @one.proved()
    def with_a_step(given):
        """A step, and then the goal."""
        step(given)
        return given.follows()

    return answer(one)


def about_another_letter(_given):
    rules.follows(ge(OTHER, 1), over={OTHER: UNIT})


def about_the_same_letter(_given):
    rules.follows(ge(x, 1), over={x: UNIT})


def decided_to_be_false(_given):
    rules.decided(le(OTHER**2 + 1, OTHER), over={OTHER: UNIT})


def covered_in_vain(given):
    given.covered(le(x, Rational(1, 2)))


def false_between_numbers(_given):
    rules.enclosed(sp.Lt(sp.pi, 3, evaluate=False))


def no_textbook_fact(_given):
    leaves.textbook("growth", le(OTHER, OTHER**2), over={OTHER: UNIT})


STEPS = [
    about_another_letter,
    about_the_same_letter,
    decided_to_be_false,
    covered_in_vain,
    false_between_numbers,
    no_textbook_fact,
]


@pytest.mark.parametrize("step", STEPS)
def test_a_true_statement_is_not_refuted_by_a_bad_step(step):
    found = outcome(step)
    assert found.answer is Answer.UNDECIDED
    assert found.summary.startswith("a step fails")


@pytest.mark.parametrize("step", STEPS)
def test_a_false_one_is_refuted_by_a_point_of_its_own(step):
    found = outcome(step, le(x * (1 - x), Rational(1, 5)))
    assert found.answer is Answer.REJECTED
    place = sp.sympify(found.witness.partition(" = ")[2])
    assert place in UNIT
    assert place * (1 - place) > Rational(1, 5)


def test_a_point_outside_of_the_hypotheses_refutes_nothing():
    """x <= 1/2 is assumed, and x >= 1/2 + x^2 would need more: no such point is a witness."""
    found = outcome(about_the_same_letter, le(x**2, x / 2), assuming=[SMALL])
    assert found.answer is Answer.UNDECIDED


def test_the_goal_itself_refutes_as_before():
    found = outcome(lambda _given: None, le(x * (1 - x), Rational(1, 5)))
    assert found.answer is Answer.REJECTED
    assert found.witness

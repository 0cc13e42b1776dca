"""A statement is refuted by a point at which it fails itself; a step that fails refutes nothing."""

import pytest
import sympy as sp
from checked import answer, stated, x
from sympy import Interval, Rational, Symbol

from theorems.engine import Hypothesis, ge, le, rules
from theorems.engine.claims.kinds import Answer, Severity
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


IN_WORDS = Hypothesis("small", "$x is so small that the bound holds")
ELSEWHERE = Hypothesis("elsewhere", "nothing is said of letters here")
FALSE = le(x * (1 - x), Rational(1, 5))


class TestHypothesesInWords:
    """What a hypothesis in words says of a letter may exclude the point, as no machine can tell."""

    def told(self, found):
        return found.answer, "unless small excludes it" in found.summary

    def refuted(self, *assuming):
        one = stated(FALSE, assuming=assuming)

        @one.refuted(severity=Severity.EDGE)
        def at_one_half():
            """The bound is exceeded there."""
            return {x: Rational(1, 2)}

        return answer(one)

    def test_they_keep_a_goal_from_being_refuted(self):
        found = outcome(lambda _given: None, FALSE, assuming=[IN_WORDS])
        assert self.told(found) == (Answer.UNDECIDED, True)
        assert found.witness

    def test_or_a_proof_by_what_they_mean(self):
        one = stated(FALSE, assuming=[IN_WORDS])

        @one.proved()
        def below_a_fifth(given):
            """They mean that x is at most a fifth."""
            return given.follows(given.supposed(IN_WORDS, le(5 * x, 1)))

        assert self.told(answer(one)) == (Answer.UNDECIDED, True)

    def test_or_a_counterexample_of_the_author(self):
        assert self.told(self.refuted(IN_WORDS)) == (Answer.UNDECIDED, True)

    def test_those_that_speak_of_no_letter_of_the_part_do_not(self):
        assert outcome(lambda _given: None, FALSE, assuming=[ELSEWHERE]).answer is Answer.REJECTED
        assert self.refuted(ELSEWHERE, SMALL).answer is Answer.ACCEPTED

"""Premises of a proof have names and kinds, need their hypotheses, and must not be the goal."""

import pytest
import sympy
from checked import LETTERS, answer, far, stated

from theorems.engine import Answer, Hypothesis, eq, ge, le
from theorems.engine.domain import half_line
from theorems.engine.trust import Leaf

SMALL = Hypothesis("small", "the number $area$ is small")
_Z = sympy.Symbol("z", real=True)


def kinds(outcome):
    return {kind for kind, _, _ in outcome.numbers["trusts"]}


area = LETTERS.quantity("area", "F", "an area", half_line(0))


def with_check(check, letter=area, **record):
    one = stated(le(letter, 2), given=(letter,), **record)
    one.proved()(check)
    return answer(one)


def test_what_a_letter_stands_for_is_a_leaf_of_its_own_kind():
    def short(given):
        square = given.meaning("z", eq(area, 1 - _Z**2))
        return given.follows(square)

    outcome = with_check(short)
    assert outcome.answer is Answer.ACCEPTED
    assert kinds(outcome) == {"meaning", "solver"}


def test_a_number_that_is_quantified_over_stands_for_itself():
    def short(given):
        return given.follows(given.meaning("z", eq(far, 1 - _Z**2)))

    outcome = with_check(short, far)
    assert outcome.answer is Answer.REJECTED
    assert "far = " in outcome.witness


def test_what_a_hypothesis_says_is_refused_without_the_hypothesis():
    def short(given):
        return given.follows(given.supposed(SMALL, le(area, 1)))

    assert with_check(short, assuming=[SMALL]).answer is Answer.ACCEPTED
    assert "small" in with_check(short).summary


@pytest.mark.parametrize("kind", ["meaning", "textbook"])
def test_a_premise_must_not_be_the_goal(kind):
    one = stated()

    @one.proved()
    def begging(given):
        return getattr(given, kind)("something", given.goal)

    outcome = answer(one)
    assert outcome.answer is Answer.UNDECIDED
    assert "takes over what it should show" in outcome.summary


def test_a_theorem_at_letters_that_are_not_the_claims():
    def moved(given):
        positive = given.textbook("squares are not negative", ge(_Z**2 - 2 * _Z, -1))
        seen.append(given.put(positive, {_Z: area * _Z}))
        return given.follows()

    seen = []
    with_check(moved)
    assert dict(seen[0].over) == {area: half_line(0), _Z: sympy.S.Reals}
    assert str(seen[0].statement) == "area**2*z**2 - 2*area*z >= -1"


def test_leaves_say_of_what_kind_they_are():
    assert str(Leaf("meaning", "what x stands for", "t.a")) == "meaning: what x stands for (t.a)"


def test_an_instance_needs_no_hypotheses_about_other_letters():
    other = Hypothesis("other", "the number $far is small", formula=le(far, 1))

    def moved(given):
        always = given.textbook("squares", ge(_Z**2 - 2 * _Z, -1))
        return given.follows(given.instance(always, {_Z: area}))

    one = stated(ge(area**2 - 2 * area, -1), given=(area, far), assuming=[other])
    one.proved()(moved)
    assert answer(one).answer is Answer.ACCEPTED

"""Premises of a proof have names and kinds, need their hypotheses, and must not be the goal."""

import sympy
from checked import LETTERS, answer, far, stated
from trying import each

from symbolic.derivation import Derivation, Step
from theorems.engine import Answer, Hypothesis, eq, ge, le
from theorems.engine.judging.trust import Leaf
from theorems.engine.statements.domain import half_line, interval

SMALL = Hypothesis("small", "the number $area$ is small")
_Z = sympy.Symbol("z", real=True)
_SIDE = LETTERS.number("side", "s", "a side", half_line(0))
SMALL_SIDE = Hypothesis("small", "the numbers $area$ and $side$ are small")


def kinds(outcome):
    return {kind for kind, _, _ in outcome.numbers["trusts"]}


area = LETTERS.quantity("area", "F", "an area", half_line(0))


def with_check(check, letter=area, **record):
    one = stated(le(letter, 2), **record)
    one.proved()(check)
    return answer(one)


def test_what_a_letter_stands_for_is_a_leaf_of_its_own_kind():
    def short(given):
        square = given.meaning("z", eq(area, 1 - _Z**2), over={_Z: interval(-1, 1)})
        return given.follows(square)

    outcome = with_check(short)
    assert outcome.answer is Answer.ACCEPTED
    assert kinds(outcome) == {"meaning", "solver"}
    assert outcome.numbers["stand for"] == [("area", "= 1 - z^{2}", "Add(1, Mul(-1, Pow(z, 2)))")]


def test_a_number_that_is_quantified_over_stands_for_itself():
    def short(given):
        return given.follows(given.meaning("z", eq(far, 1 - _Z**2), over={_Z: interval(-1, 1)}))

    outcome = with_check(short, far)
    assert outcome.answer is Answer.REJECTED
    assert "far = " in outcome.witness


@each("moved", lambda given: {area: 1}, lambda given: {_SIDE: 1})
@each("kind", "meaning", "supposed")
def test_what_is_said_of_the_claims_letters_is_not_said_of_other_values(kind, moved):
    """What is known of one side is no law for all sides."""

    def short(given):
        named = SMALL_SIDE if kind == "supposed" else "the area"
        known = getattr(given, kind)(named, eq(area, _SIDE**2))
        return given.follows(given.substituted(known, moved(given)))

    one = stated(le(area, 2), assuming=[SMALL_SIDE])
    one.proved()(short)
    outcome = answer(one)
    assert outcome.answer is Answer.UNDECIDED
    assert "is about its value" in outcome.summary


@each(
    "kind, goal", ("meaning", eq(area, 2)), ("bridge", eq(area, 2)), ("textbook", ge(area**2, 2 * area - 1))
)
def test_a_premise_must_not_be_the_goal(kind, goal):
    one = stated(goal)

    @one.proved()
    def begging(given):
        return getattr(given, kind)("something", given.goal)

    outcome = answer(one)
    assert outcome.answer is Answer.UNDECIDED
    assert "takes over what it should show" in outcome.summary


def test_a_derivation_is_a_premise_and_is_remembered():
    square = Derivation("square", "the square", (area - 1) ** 2, [Step(area**2 - 2 * area + 1, "")])
    one, seen = stated(le(area * (2 - area), 1)), []

    @one.proved()
    def completed(given):
        theorem = given.derived(square)
        seen.append((theorem.statement, given.derivations))
        return given.follows(theorem)

    outcome = answer(one)
    assert outcome.answer is Answer.ACCEPTED
    assert "derivation" in kinds(outcome)
    assert seen == [(eq((area - 1) ** 2, area**2 - 2 * area + 1), [square])]


def test_leaves_say_of_what_kind_they_are():
    assert str(Leaf("meaning", "what x stands for", "t.a")) == "meaning: what x stands for (t.a)"


def test_an_instance_needs_no_hypotheses_about_other_letters():
    other = Hypothesis("other", "the number $far is small", formula=le(far, 1))

    def moved(given):
        always = given.textbook("squares", ge(_Z**2 - 2 * _Z, -1))
        return given.follows(given.instance(always, {_Z: area}))

    one = stated(ge(area**2 - 2 * area, -1), assuming=[other])
    one.proved()(moved)
    assert answer(one).answer is Answer.ACCEPTED


class TestExtremes:
    def test_a_quantity_is_at_least_the_values_of_which_it_is_the_largest(self):
        def short(given):
            bounded = given.supposed(SMALL, le(area, 1))
            return given.follows(bounded, given.largest("largest sine", le(_Z, area)))

        outcome = with_check(short, assuming=[SMALL])
        assert (outcome.answer, kinds(outcome)) == (Answer.ACCEPTED, {"meaning", "hypothesis", "solver"})
        assert outcome.numbers["stand for"] == [("area", r"\text{the largest } z", "z")]

    def test_a_quantity_is_at_most_the_values_of_which_it_is_the_least(self):
        def short(given):
            over = {_Z: half_line(0)}
            value = given.meaning("z", eq(_Z, 1), over=over)
            return given.follows(value, given.least("least value", le(area, _Z), over=over))

        outcome = with_check(short)
        assert outcome.answer is Answer.ACCEPTED
        assert outcome.numbers["stand for"] == [("area", r"\text{the least } z", "z")]


class TestBridges:
    @staticmethod
    def in_words(given):
        return given.follows(given.bridge("as the page says", le(area, 1)))

    @each("grade", "proved", "certified")
    def test_a_step_in_words_is_no_proof(self, grade):
        one = stated(le(area, 2))
        getattr(one, grade)()(self.in_words)
        outcome = answer(one)
        assert outcome.answer is Answer.UNDECIDED
        assert "argued" in outcome.summary

    def test_a_step_in_words_is_an_argument(self):
        one = stated(le(area, 2))
        one.argued(bridge="As the page says.")(self.in_words)
        assert answer(one).answer is Answer.ACCEPTED


def test_what_a_meaning_says_is_kept_in_the_letters_of_the_claim():
    def check(given):
        return given.follows(given.meaning("the area", eq(area, 1 + _Z**2 - _Z**2)))

    outcome = with_check(check)
    assert ("meaning", "the area", "F = 1") in outcome.numbers["trusts"]

"""What is done again for a near variant, and what is known without."""

import sympy
from checked import HALF, SHARES, Sample, answer, named, proof, said, searched, stated, trial, x
from hypothesis import assume
from hypothesis import strategies as st
from trying import each

from theorems.engine import Answer, Discrepancy, Measured, eq, interval, le, lt, sentence
from theorems.engine.judging.near import Rerun, examine_near
from theorems.engine.rules import leaves
from theorems.engine.statements.statement import Formula
from theorems.engine.statements.variants import near_variants, with_part

QUARTER = sympy.Rational(1, 4)
BOUND = le(x * (1 - x), QUARTER)


def tried(one, first=None, *, every=False, number=0):
    """For each constant how it was changed, and what came out."""
    found = examine_near(one, one.evidence[number], trial(one), first, every=every)
    return {what: [(v.how, out.answer.value) for v, out in some] for what, some in found.items()}


def variant(one, name):
    """The near variant of that name."""
    return next(v for v in near_variants(one, "statement") if v.name == name)


def argued(one, check):
    one.argued(bridge="It is so.")(check)
    return one


def simulated(one, check, controls=None):
    one.estimated(draws=5, controls=controls or {})(check)
    return one


class TestWhichAreTried:
    def test_in_brief_constants_only_and_each_until_it_is_rejected(self):
        one = argued(
            stated(sentence("$c, $d", c=2, d=3), ()), named(lambda c, d: [("numbers", c <= 2 and d == 3)])
        )
        assert tried(one) == {
            "c": [("2 -> 99/50", "accepted"), ("2 -> 101/50", "rejected")],
            "d": [("3 -> 297/100", "rejected")],
        }

    def test_in_full_all_of_them(self):
        one = argued(stated(sentence("$c", c=2), ()), named(lambda c: [("number", c <= 2)]))
        found = tried(one, every=True)
        assert [how for how, _ in found["c"]] == [
            "2 -> 99/50", "2 -> 101/50", "2 -> 1", "2 -> 3",
        ]  # fmt: skip
        assert found["sign of c"] == [("2 -> -2", "accepted")]

    def test_in_brief_the_signs_and_terms_of_a_formula_are_left_to_the_audit(self):
        one = proof()
        assert set(tried(one, answer(one))) == {"1", "1/4"}
        assert {"<=", "1/4", "sign of 1", "term 1"} <= set(tried(one, answer(one), every=True))

    def test_what_the_record_excuses_is_tried_in_full_only(self):
        one = argued(
            stated(sentence("$c, $d", c=2, d=3), (), excused={"c": "by t.other"}),
            named(lambda c, d: [("numbers", (c, d) == (2, 3))]),
        )
        assert set(tried(one)) == {"d"}
        assert set(tried(one, every=True)) == {"c", "sign of c", "d", "sign of d"}

    def test_slots_that_a_check_does_not_take_do_not_concern_it(self):
        one = argued(stated(sentence("$c, $d", c=2, d=3), ()), named(lambda c: [("number", c == 2)]))
        assert set(tried(one)) == {"c"}
        assert set(tried(one, every=True)) == {"c", "sign of c"}


class TestSimulations:
    def test_of_a_formula_are_repeated_unless_other_evidence_ties_the_constant(self):
        def check(given, rng, draws):
            assert rng
            return Sample(given.goal.rhs * 4 * draws == draws)

        one = simulated(stated(eq(x, QUARTER)), check)
        assert [word for _, word in tried(one)["1/4"]] == ["rejected"]
        simulated(one, named(lambda rng, draws: [rng, draws], "again"))
        assert tried(one)
        searched(one, lambda share: {x: share})
        assert tried(one) == {}
        assert [word for _, word in tried(one, every=True)["1/4"]] == ["rejected"] * 2

    def test_of_another_part_do_not_count(self):
        one = stated({"statement": eq(x, QUARTER), "other": le(x, 1)})
        simulated(one, named(lambda given, rng, draws: Sample(given.goal and rng and draws)))
        one.tested("other", over=SHARES, cases=5)(named(lambda share: {x: share}, "searched"))
        assert tried(one)

    def test_of_a_sentence_are_repeated_whatever_else_there_is(self):
        one = said()
        simulated(one, named(lambda rng, draws, two: Sample(rng and draws and two == 2)))
        argued(one, named(lambda two: [("exponent", two == 2)], "also"))
        assert tried(one) == {"two": [("2 -> 99/50", "rejected")]}

    def test_slots_that_a_control_changes_are_left_to_it(self):
        one = simulated(
            stated(sentence("$c, $d", c=2, d=3), ()),
            named(lambda rng, draws, c, d: Sample(rng and draws and (c, d) == (2, 3))),
            controls={"off": {"c": 5}},
        )
        assert set(tried(one)) == {"d"}
        assert not any("c" in what for what in tried(one, every=True))

    def test_controls_of_other_evidence_leave_nothing(self):
        one = stated(sentence("$c", c=2), ())
        one.argued(bridge="So.", controls={"off": {"c": 5}})(named(lambda c: [("number", c == 2)]))
        assert set(tried(one)) == {"c"}


class TestProofs:
    def test_one_that_looks_at_the_goal_is_made_again_in_full(self):
        one, made = stated(BOUND), []

        @one.proved()
        def looks(given):
            made.append(given.goal)
            return given.follows()

        found = tried(one, every=True)
        assert ("1/4 -> 101/400", "accepted") in found["1/4"]
        assert ("1/4 -> 99/400", "rejected") in found["1/4"]
        # Those that the theorem already contradicts are not tried again.
        assert le(x * (1 - x), sympy.Rational(101, 400)) in made
        assert le(x * (1 - x), sympy.Rational(99, 400)) not in made

    def test_in_brief_none_is_made_again(self):
        one, made = stated(BOUND), []

        @one.proved()
        def looks(given):
            made.append(given.goal)
            return given.follows()

        first = answer(one)
        assert tried(one, first)["1/4"] == [("1/4 -> 99/400", "rejected")]
        assert made == [BOUND]

    def test_what_is_not_contradicted_is_not_what_the_proof_ends_in(self):
        one = proof()
        run = Rerun(one, one.evidence[0], trial(one), answer(one))
        outcome = run.in_brief(variant(one, "1/4: 1/4 -> 101/400"))
        assert outcome.answer is Answer.UNDECIDED
        assert outcome.summary == "the proof ends in the statement, not in this"
        assert outcome.theorem is not None

    def test_what_is_contradicted_is_told_with_the_point(self):
        one = proof()
        run = Rerun(one, one.evidence[0], trial(one), answer(one))
        outcome = run.in_brief(variant(one, "1/4: 1/4 -> 99/400"))
        assert outcome.answer is Answer.REJECTED
        assert (outcome.summary, outcome.witness) == ("false at x = 1/2", "x = 1/2")


class TestArguments:
    def test_one_about_a_formula_that_ends_otherwise_is_made_once_for_each_variant(self):
        one, goals = stated(BOUND), []

        @one.argued(bridge="By inspection.")
        def by_eye(given):
            goals.append(given.goal)
            yield "the constant", given.goal == BOUND

        first = answer(one)
        assert first.theorem is None
        goals.clear()
        assert tried(one, first)["1/4"] == [("1/4 -> 99/400", "rejected")]
        assert goals
        assert BOUND not in goals

    def test_one_that_ends_in_the_statement_is_held_against_it(self):
        one = stated(BOUND)

        @one.argued(bridge="The last step is in words.")
        def in_words():
            yield leaves.bridge("the last step", BOUND, over={x: interval(0, 1)})

        for first in (None, answer(one)):
            found = dict(tried(one, first)["1/4"])
            assert found == {"1/4 -> 99/400": "rejected"}

    def test_in_full_it_is_not_made_again_if_it_does_not_look_at_the_goal(self):
        one, made = stated(BOUND), []

        @one.argued(bridge="The last step is in words.")
        def in_words():
            made.append(1)
            return leaves.bridge("the last step", BOUND, over={x: interval(0, 1)})

        found = dict(tried(one, every=True)["1/4"])
        assert found == {"1/4 -> 99/400": "rejected", "1/4 -> 101/400": "undecided"}
        assert len(made) == 1


class TestSearches:
    def test_a_formula_is_evaluated_at_the_cases_seen_without_asking_the_check(self):
        one, asked = stated(BOUND), []
        searched(one, lambda share: asked.append(share) or {x: share})
        first = answer(one)
        asked.clear()
        assert tried(one, first)["1/4"] == [("1/4 -> 99/400", "rejected")]
        assert not asked

    def test_without_a_first_outcome_the_search_is_made_once(self):
        one, asked = stated(BOUND), []
        searched(one, lambda share: asked.append(share) or {x: share})
        first = answer(one)
        asked.clear()
        assert tried(one)["1/4"] == [("1/4 -> 99/400", "rejected")]
        assert len(asked) == len(first.seen)

    def test_what_is_violated_says_by_how_much_and_what_survives_how_often(self):
        one = searched(stated(le(x, 1)), lambda share: {x: share})
        first = answer(one)
        run = Rerun(one, one.evidence[0], trial(one), first)
        lower = run.in_brief(variant(one, "1: 1 -> 99/100"))
        assert (lower.answer, lower.summary) == (Answer.REJECTED, "violated: ratio 1.0101")
        upper = run.in_brief(variant(one, "1: 1 -> 101/100"))
        assert upper.answer is Answer.ACCEPTED
        assert upper.summary == f"survives all {len(first.seen)} cases"

    @each("refusal", ValueError, ZeroDivisionError, TypeError, None)
    def test_cases_at_which_a_variant_has_no_meaning_say_nothing(self, refusal):
        one = said()

        def tail(case, two):
            if two != 2 and refusal is not None:
                raise refusal("not there")
            assume(two == 2)
            return Measured(case / 2)

        one.tested(over=st.floats(1, 2), cases=10)(named(tail))
        assert {word for _, word in tried(one, answer(one))["two"]} == {"accepted"}

    def test_other_faults_of_a_check_leave_it_undecided(self):
        one = said()

        def tail(case, two):
            if two != 2:
                raise KeyError("a slip of the author")
            return Discrepancy(case * 0, 1e-9)

        one.tested(over=st.floats(1, 2), cases=10)(named(tail))
        assert {word for _, word in tried(one, answer(one))["two"]} == {"undecided"}

    def test_a_sentence_is_searched_anew_where_no_outcome_is_at_hand(self):
        one, asked = said(), []

        def tail(case, two):
            asked.append(two)
            return Measured(case / two / 2)

        one.tested(over=st.floats(1, 2), cases=10)(named(tail))
        run = Rerun(one, one.evidence[0], trial(one))
        assert run.in_brief(variant(one, "two: 2 -> 3")).answer is Answer.ACCEPTED
        assert set(asked) == {3}


def test_a_strict_bound_that_is_attained_is_rejected_beside_the_proof():
    one = proof()
    strict = with_part(one, "statement", Formula(lt(x * (1 - x), QUARTER)))
    changed = variant(one, "<=: <= -> <")
    assert changed.claim.parts == strict.parts
    outcome = Rerun(one, one.evidence[0], trial(one)).outcome(changed)
    assert (outcome.answer, outcome.witness) == (Answer.REJECTED, f"x = {HALF}")

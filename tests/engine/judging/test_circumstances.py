"""Under what circumstances a check runs, and what its answer comes to."""

import signal
import threading
import time
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
import sympy
from checked import answer, far, named, proof, said, searched, size, stated, trial, x, y
from demo.kinds import Certificate, Decision
from hypothesis import strategies as st
from trying import each

from theorems.engine import (
    Answer,
    Hypothesis,
    Measured,
    Rounded,
    Severity,
    eq,
    half_line,
    interval,
    le,
    lt,
    rules,
    sentence,
)
from theorems.engine.judging.examine import called, ending, examine, examine_again
from theorems.engine.judging.given import Given
from theorems.engine.judging.limits import guarded
from theorems.engine.rules import leaves
from theorems.engine.statements.variants import with_changes

QUARTER = sympy.Rational(1, 4)
BOUND = le(x * (1 - x), QUARTER)
HALF = Hypothesis("half", "$x is at most a half", formula=le(x, sympy.Rational(1, 2)))
ACCEPTED, REJECTED, UNDECIDED = Answer.ACCEPTED, Answer.REJECTED, Answer.UNDECIDED


def argued(one, check, **how):
    one.argued(bridge="So.", **how)(check)
    return one


class TestGranted:
    def test_a_formula_has_no_slots_to_dispute(self):
        one = argued(stated(BOUND), named(lambda given: [("it", given.goal == BOUND)]))
        outcome = examine(one, one.evidence[0], trial(one), constant=1)
        assert outcome.answer is UNDECIDED
        assert "the part statement has no slots" in outcome.summary

    def test_a_check_of_a_part_that_is_gone(self):
        one = proof()
        gone = with_changes(one, states={"other": one.parts["statement"]})
        outcome = examine(gone, one.evidence[0], trial(one))
        assert (outcome.answer, "has no part 'statement'" in outcome.summary) == (UNDECIDED, True)

    def test_a_slot_that_is_gone(self):
        one = argued(said(), named(lambda two: [("it", two == 2)]))
        other = with_changes(one, states={"statement": sentence(r"$far \le $c", c=1)})
        outcome = examine(other, one.evidence[0], trial(one))
        assert outcome.answer is UNDECIDED
        assert "a_check takes ['two'], which the statement does not have" in outcome.summary

    @each("domain, wanted", (half_line(0), ACCEPTED), (half_line(0, closed=False), UNDECIDED))
    def test_an_argument_for_a_smaller_domain(self, domain, wanted):
        one = argued(said(), named(lambda two: [("it", two == 2)]), over={far: domain})
        outcome = answer(one)
        assert outcome.answer is wanted
        if wanted is UNDECIDED:
            assert "the argument is for far in Interval.open(0, oo), the claim for" in outcome.summary

    def test_an_argument_about_a_letter_that_the_claim_does_not_have(self):
        one = argued(said(), named(lambda two: [("it", two == 2)]), over={x: interval(0, 1)})
        assert answer(one).answer is UNDECIDED

    def test_a_letter_without_range_makes_every_check_vacuous(self):
        one = argued(said(), named(lambda two: [("it", two == 2)]))
        nothing = with_changes(one, given={far: sympy.S.EmptySet})
        outcome = examine(nothing, one.evidence[0], trial(one))
        assert outcome.summary == "vacuous: a letter has nothing to range over"

    def test_what_a_check_is_handed(self):
        seen = []

        def check(given, two):
            seen.append((given.part, two))
            return "anything"

        one = argued(said(), check)
        given = Given(one, "statement", trial(one).find)
        assert called(given, one.evidence[0]) == "anything"
        assert seen == [("statement", 2)]


class TestProofs:
    def test_a_proof_that_is_declined_tells_a_point_at_which_it_fails(self):
        outcome = answer(proof(stated(le(x, QUARTER))))
        assert outcome.answer is REJECTED
        assert outcome.witness.startswith("x = ")
        assert Fraction(outcome.witness[4:]) > Fraction(1, 4)

    def test_one_about_what_is_determined_refutes_nothing(self):
        outcome = answer(proof(stated(le(size, 1), [size])))
        assert outcome.answer is UNDECIDED
        assert outcome.summary.startswith("it does not follow: ")

    @each("how", "proved", "argued")
    def test_a_rule_that_declines_inside_of_either(self, how):
        one = stated(le(size, 1), [size])
        decorate = one.proved() if how == "proved" else one.argued(bridge="So.")
        decorate(named(lambda given: given.follows()))
        assert answer(one).summary.startswith("it does not follow: ")

    def test_a_sentence_is_not_proved(self):
        one = said()
        one.proved()(named(lambda given: rules.follows(le(0, 1), over=given.domain)))
        assert answer(one).summary == "a sentence cannot be proved: nothing compares it"

    def test_what_is_no_theorem_is_named(self):
        one = stated()
        one.proved()(named(lambda given: [given]))
        assert answer(one).summary == "a proof returns a theorem, got list"

    def test_only_an_accepted_proof_keeps_its_theorem(self):
        assert answer(proof()).theorem.statement == BOUND
        assert answer(proof(stated(le(x, QUARTER)))).theorem is None

    def test_a_false_statement_shown_in_words_is_still_rejected(self):
        one = stated(le(x, QUARTER))
        one.proved()(named(lambda given: leaves.bridge("so", le(x, QUARTER), over=given.domain)))
        assert answer(one).answer is not ACCEPTED


class TestArguments:
    def test_one_theorem_or_several(self):
        alone = argued(stated(BOUND), named(lambda given: given.follows()))
        several = argued(stated(BOUND), named(lambda given: [given.follows()] * 2))
        assert (answer(alone).answer, answer(alone).cases) == (ACCEPTED, 1)
        assert (answer(several).answer, answer(several).cases) == (ACCEPTED, 2)

    def test_the_theorem_that_is_the_statement_is_found_among_others(self):
        one = argued(stated(BOUND), named(lambda given: [given.follows(goal=le(x, 1)), given.follows()]))
        assert answer(one).theorem.statement == BOUND
        other = argued(stated(BOUND), named(lambda given: given.goal and [given.follows(goal=le(x, 1))]))
        assert answer(other).theorem is None

    def test_a_sentence_ends_in_no_theorem(self):
        one = argued(said(), named(lambda given, two: given and two))
        given = Given(one, "statement", trial(one).find)
        assert ending(given, rules.follows(le(x, 2), over={x: interval(0, 1)})) is None

    def test_an_argument_that_passes_by_the_relation_is_undecided(self):
        one = argued(stated(BOUND), named(lambda: [("it", True)]))
        why = "the argument neither looks at the relation nor ends in it"
        assert (answer(one).answer, answer(one).summary) == (UNDECIDED, why)
        plain = argued(said(), named(lambda: [("it", True)]))
        assert answer(plain).answer is ACCEPTED

    def test_beside_a_weaker_search_it_must_look(self):
        one = argued(stated(BOUND), named(lambda: [("it", True)], "by_eye"))
        searched(one, lambda share: {x: share})
        assert answer(one).answer is UNDECIDED

    def test_obligations_after_a_false_one_are_not_asked(self):
        asked = []

        def check(two):
            yield "first", two == 2
            asked.append(1)
            yield "second", two != 2
            asked.append(2)
            yield "third", True

        outcome = answer(argued(said(), check))
        assert (outcome.summary, outcome.cases, asked) == ("1 of 2 exact steps rejected: second", 2, [1])

    def test_the_first_that_fails_is_told(self):
        outcome = answer(argued(said(), named(lambda two: [("a", two == 2), ("b", None), ("c", None)])))
        assert outcome.summary == "2 of 3 exact steps undecided, first: b"

    def test_a_certificate_says_what_it_covers(self):
        undecided = Certificate(Decision.UNDECIDED, domain={"x": "[0, 1]", "y": "[2, 3]"})
        outcome = answer(argued(said(), named(lambda two: two and [undecided])))
        assert outcome.summary.endswith("f > 0 for x in [0, 1], y in [2, 3]")
        reason = replace(undecided, reason="too deep")
        outcome = answer(argued(said(), named(lambda two: two and [reason])))
        assert outcome.summary.endswith("[2, 3] (too deep)")

    def test_a_certificate_over_nothing_is_refused(self):
        nothing = Certificate(Decision.PROVED, domain={})
        outcome = answer(argued(said(), named(lambda two: two and nothing)))
        assert "a certificate over no variables covers nothing" in outcome.summary

    def test_the_same_answer_twice_is_the_first(self):
        one = argued(said(), named(lambda two: [("it", two == 2)]))
        first = answer(one)
        assert examine_again(one, one.evidence[0], trial(one), first) is first
        other = replace(first, answer=REJECTED)
        again = examine_again(one, one.evidence[0], trial(one), other)
        assert (again.answer, again.summary) == (UNDECIDED, "first rejected, then accepted")


class TestSearches:
    def test_all_that_no_case_covers_is_told(self):
        one = stated(le(x * y, 1), [x, y])
        searched(one, lambda share: {x: share / 2, y: 0.5})
        outcome = answer(one)
        assert outcome.summary == "no case covers x near 1, y near 0, y near 1"
        assert outcome.answer is UNDECIDED

    def test_the_cases_of_a_search_are_kept(self):
        one = searched(stated(), lambda share: {x: share})
        outcome = answer(one)
        assert len(outcome.seen) >= outcome.cases
        assert all(set(point) == {x} for point in outcome.seen)
        sentences = said()
        sentences.tested(over=st.floats(1, 2), cases=5)(named(lambda case, two: Measured(case / 9 / two)))
        assert len(answer(sentences).seen) >= 5

    def test_a_violated_search_does_not_ask_what_is_covered(self):
        one = searched(stated(le(x, 0)), lambda share: {x: share / 2})
        assert answer(one).answer is REJECTED

    def test_an_equation_that_is_met_within_rounding(self):
        one = stated(eq(size, x), [size, x])
        searched(one, lambda share: {x: share, size: Rounded(share, 1e-9)})
        outcome = answer(one)
        assert (outcome.answer, outcome.tightness) == (ACCEPTED, None)
        assert "largest error in units of rounding" in outcome.summary

    def test_quantities_need_not_cover_their_range(self):
        one = stated(le(size, 9), [size])
        searched(one, lambda share: {size: 1 + share})
        assert answer(one).answer is ACCEPTED

    def test_what_is_no_number_of_the_claim_is_refused(self):
        stranger = sympy.Symbol("stranger", real=True)
        one = searched(stated(), lambda share: {x: share, stranger: share})
        assert "stranger is no number of the claim" in answer(one).summary

    def test_a_letter_of_the_paper_that_the_claim_does_without_may_have_a_value(self):
        assert answer(searched(stated(), lambda share: {x: share, y: share})).answer is ACCEPTED

    def test_a_missing_value_is_named(self):
        one = searched(stated(le(x * y, 1), [x, y]), lambda share: {x: share})
        assert "the case has no value for ['y']" in answer(one).summary

    def test_a_hypothesis_about_letters_without_value_is_passed_over(self):
        ordered = Hypothesis("ordered", "so", formula=le(y, 1))
        one = searched(stated(le(x, 1), [x, y], assuming=[ordered]), lambda share: {x: share})
        assert answer(one).answer is ACCEPTED

    def test_a_case_that_may_meet_a_hypothesis_is_taken(self):
        """A ball around the end of what the hypothesis allows decides neither way."""
        one = stated(le(x, 1), assuming=[HALF])
        searched(one, lambda share: {x: Rounded(0.5 * share, 1e-12)})
        assert answer(one).cases == 60

    def test_a_case_that_does_not_meet_a_hypothesis_is_refused(self):
        one = searched(stated(le(x, 1), assuming=[HALF]), lambda share: {x: share})
        outcome = answer(one)
        assert outcome.answer is UNDECIDED
        assert "does not meet" in outcome.summary

    @each(
        "end_is_open, largest, wanted",
        (False, 1.0, ACCEPTED),
        (False, 0.99, UNDECIDED),
        (True, 0.951, ACCEPTED),
        (True, 0.949, UNDECIDED),
    )
    def test_a_closed_end_is_attained_and_an_open_one_approached_up_to_a_twentieth(
        self, end_is_open, largest, wanted
    ):
        one = stated(le(x**2, x), {x: sympy.Interval(0, 1, right_open=end_is_open)})
        one.tested(over=st.sampled_from([0.0, 0.5, largest]), cases=9)(named(lambda share: {x: share}))
        assert answer(one).answer is wanted

    @each("least, wanted", (0.049, ACCEPTED), (0.051, UNDECIDED))
    def test_the_open_end_of_a_half_line_is_approached_up_to_a_twentieth(self, least, wanted):
        one = stated(lt(0, far), {far: half_line(0, closed=False)})
        one.tested(over=st.sampled_from([least, 5.0]), cases=9)(named(lambda some: {far: some}))
        assert answer(one).answer is wanted


class TestLimits:
    def test_an_interruption_by_the_user_goes_through(self):
        def check(two):
            raise KeyboardInterrupt(two)

        with pytest.raises(KeyboardInterrupt):
            answer(argued(said(), check))

    def test_a_larger_effort_has_more_time(self, monkeypatch):
        from theorems.engine.judging import limits

        monkeypatch.setattr(limits, "_SECONDS", 1)

        def run():
            end = time.process_time() + 1.2
            while time.process_time() < end:
                pass
            return "done"

        assert guarded(run, 30) == "done"

    @each("clock, name", (signal.ITIMER_REAL, signal.SIGALRM), (signal.ITIMER_PROF, signal.SIGPROF))
    def test_no_alarm_is_left_behind(self, clock, name):
        before = signal.getsignal(name)
        assert guarded(lambda: signal.getitimer(clock)[0] > 0, 1)
        assert signal.getitimer(clock)[0] == 0
        assert signal.getsignal(name) is before

    def test_a_thread_has_no_time_limit_and_no_other_trouble(self):
        found = []
        one = argued(said(), named(lambda two: [("it", two == 2)]))
        other = threading.Thread(target=lambda: found.append(answer(one).answer))
        other.start()
        other.join()
        assert found == [ACCEPTED]

    def test_overflow_is_told_and_underflow_is_not(self):
        seen = []
        guarded(lambda: seen.append(np.geterr()), 1)
        assert seen == [{"divide": "warn", "over": "warn", "under": "ignore", "invalid": "warn"}]


def test_a_refutation_of_a_formula_by_obligations():
    one = stated(lt(x * (1 - x), QUARTER))
    one.refuted(severity=Severity.EDGE)(named(lambda given: [("it", given.goal != BOUND)]))
    assert answer(one).answer is ACCEPTED

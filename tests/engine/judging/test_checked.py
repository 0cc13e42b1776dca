"""Evidence answers to the statement: what is proved, tested or argued must be what is displayed."""

from dataclasses import replace

import pytest
import sympy
from checked import (
    HALF,
    answer,
    claim,
    judged,
    named,
    near,
    proof,
    said,
    searched,
    size,
    stated,
    trial,
    x,
)
from hypothesis import strategies as st
from trying import each

from theorems.engine import Answer, ClaimError, Hypothesis, Rounded, eq, le, lt, open_interval
from theorems.engine.judging.examine import examine
from theorems.engine.statements.statement import Formula
from theorems.engine.statements.variants import with_changes, with_part

QUARTER = sympy.Rational(1, 4)
ACCEPTED, REJECTED, UNDECIDED = Answer.ACCEPTED, Answer.REJECTED, Answer.UNDECIDED


class TestProofs:
    def test_a_proof_under_a_hypothesis_that_is_not_assumed_is_none(self):
        small = Hypothesis("small", "$x is small", formula=le(x, HALF))
        one = stated(le(x, HALF), assuming=[small])
        proof(one)
        assert answer(one).answer is ACCEPTED
        dropped = with_changes(one, assuming=())
        assert examine(dropped, one.evidence[0], trial()).answer is REJECTED

    def test_a_premise_must_be_something_the_claim_rests_on(self):
        base = claim("t.base", at="a", title="t", states=le(x**2, x), given=[x])
        free = stated(le(x**2, 1))

        @free.proved()
        def quoted(given):
            return given.follows(given.fact(base))

        assert answer(free, base).answer is UNDECIDED
        resting = stated(le(x**2, 1), rests_on=[base])
        resting.proved()(quoted)
        assert answer(resting, base).answer is ACCEPTED

    def test_a_certificate_makes_a_proof_certified_and_no_more(self):
        states = le(sympy.exp(-x), 1 - x + x**2 / 2 + sympy.Rational(1, 100))
        for kind, wanted in (("proved", UNDECIDED), ("certified", ACCEPTED)):
            one = stated(states)

            @getattr(one, kind)()
            def by_balls(given):
                return given.covered()

            assert answer(one).answer is wanted


class TestNearVariants:
    def test_a_sharp_constant_is_tied(self):
        found = near(proof())
        assert "rejected" in found["1/4"]
        assert {"rejected"} == set(found["sign of -x"]) | set(found["term -x"])

    def test_a_loose_constant_is_seen_to_be_loose(self):
        found = near(proof(stated(le(x * (1 - x), 1))))
        assert set(found["1"]) >= {"accepted"}
        assert "rejected" in found["1"]  # the integer 0 is too small


class TestSearches:
    def test_the_engine_evaluates_the_relation(self):
        one = searched(stated(), lambda share: {x: share})
        outcome = answer(one)
        assert (outcome.answer, outcome.tightness) == (ACCEPTED, pytest.approx(1, abs=0.01))

    def test_a_case_outside_of_the_domain_is_a_fault(self):
        outcome = answer(searched(stated(), lambda share: {x: 2 * share}))
        assert (outcome.answer, "is not in" in outcome.summary) == (UNDECIDED, True)

    @each(
        "closed, largest, wanted",
        (True, 1, ACCEPTED),
        (True, 0.99, UNDECIDED),
        (False, 0.99, ACCEPTED),
    )
    def test_a_closed_end_must_be_attained_and_an_open_one_approached(
        self, closed, largest, wanted
    ):
        one = stated(le(x**2, x), {x: sympy.Interval(0, 1, right_open=not closed)})
        one.tested(over=st.sampled_from([0.0, 0.5, float(largest)]), cases=20)(
            named(lambda share: {x: share})
        )
        assert answer(one).answer is wanted

    @each(
        "value, wanted",
        (Rounded(1.0, 1e-9), ACCEPTED),
        (Rounded(1.1, 1e-9), REJECTED),
        (Rounded(1.0, 5.0), UNDECIDED),
    )
    def test_rounding_is_allowed_for_and_no_more(self, value, wanted):
        states, letters = le(size, 1), [size]
        found = searched(stated(states, letters), lambda share: share >= 0 and {size: value})
        assert answer(found).answer is wanted


class TestSentences:
    def test_slots_are_handed_to_the_evidence_by_name(self):
        one = said()

        @one.argued(bridge="Markov's inequality for the exponential.")
        def optimal_exponent(two):
            yield "exponent", two == 2

        assert answer(one).answer is ACCEPTED
        assert set(near(one)["two"]) == {"rejected"}

    def test_an_argument_names_its_bridge(self):
        with pytest.raises(ClaimError, match="bridge"):
            said().argued(bridge=" ")

    def test_a_hypothesis_that_the_prose_uses_must_be_there(self):
        copies = Hypothesis("copies", "the variables are independent copies")
        one = said(assuming=[copies])

        @one.argued(bridge="As above.", uses=[copies])
        def optimal_exponent(two):
            yield "exponent", two == 2

        assert answer(one).answer is ACCEPTED
        dropped = with_changes(one, assuming=())
        assert examine(dropped, one.evidence[0], trial()).answer is UNDECIDED


class TestJudgement:
    def test_arguments_count_only_together(self):
        one = said()
        one.argued(bridge="First half.")(named(lambda two: [("exponent", two == 2)]))
        assert str(judged(one).grade) == "argued"

        @one.argued(bridge="Second half.")
        def second(two):
            yield "unknown", {}.get(two)

        assert judged(one).verdict.value == "open"

    def test_a_constant_that_may_be_changed_is_a_problem(self):
        one = said()
        one.argued(bridge="As above.")(named(lambda two: [("exponent", two > 0)]))
        assert any("two of the statement is not tied" in text for text in judged(one).problems)
        excused = replace(one, excused={"two": "true as well for every rate, by t.other"})
        assert not judged(excused).problems


class TestReplacedStatements:
    """A statement that is false, or about nothing, is never held to be proved."""

    CLAIMS = (proof(), proof(stated(le(x, 1))), searched(stated(), lambda share: {x: share}))

    @each("one", *CLAIMS)
    def test_by_zero_equals_one(self, one):
        false = with_part(one, "statement", Formula(eq(0, 1)))
        assert examine(false, one.evidence[0], trial()).answer is not ACCEPTED

    @each("one", *CLAIMS)
    def test_by_an_empty_domain(self, one):
        nothing = with_changes(one, given={x: sympy.S.EmptySet})
        assert examine(nothing, one.evidence[0], trial()).answer is not ACCEPTED

    def test_by_a_strict_inequality_that_is_attained(self):
        strict = with_part(CLAIMS_SHARP, "statement", Formula(lt(x * (1 - x), QUARTER)))
        assert examine(strict, CLAIMS_SHARP.evidence[0], trial()).answer is not ACCEPTED


CLAIMS_SHARP = proof(stated(given={x: open_interval(0, 1)}))


# Evidence that means well and says nothing is refused, or comes out undecided.


class TestCarelessEvidence:
    """Evidence that means well and says nothing is refused, or comes to nothing."""

    def test_a_parameter_that_is_no_slot(self):
        with pytest.raises(ClaimError, match="no slots"):

            @said().argued(bridge="As above.")
            def strange(three):
                yield "exponent", three == 3

    def test_a_default_is_a_second_copy_of_a_constant(self):
        with pytest.raises(ClaimError, match="defaults"):

            @said().argued(bridge="As above.")
            def retyped(two=2):
                yield "exponent", two == 2

    def test_a_check_that_ignores_what_it_is_given(self):
        with pytest.raises(ClaimError, match="never looks at"):

            @said().argued(bridge="As above.")
            def blind(two):
                yield "exponent", True

        with pytest.raises(ClaimError, match="never looks at"):
            searched(stated(), lambda share: {x: 0.5})

    def test_an_endless_check_ends(self, monkeypatch):
        from theorems.engine.judging import limits as module

        monkeypatch.setattr(module, "_SECONDS", 1)
        one = said()

        @one.argued(bridge="As above.")
        def endless(two):
            while two:
                pass
            yield "never", True

        outcome = answer(one)
        assert (outcome.answer, "stopped after 1 s" in outcome.summary) == (UNDECIDED, True)

    def test_a_part_that_does_not_exist(self):
        with pytest.raises(ClaimError, match="no part"):
            stated().proved("attained")

"""Evidence that means well and says nothing is refused, or comes out undecided."""

import pytest
import sympy
from checked import HALF, answer, judged, named, said, searched, stated, trial, x
from flint import arb
from hypothesis import strategies as st
from trying import each

from theorems.engine import (
    Answer,
    ClaimError,
    Discrepancy,
    Measured,
    eq,
    le,
)

QUARTER = sympy.Rational(1, 4)
ACCEPTED, REJECTED, UNDECIDED = Answer.ACCEPTED, Answer.REJECTED, Answer.UNDECIDED


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

    def test_a_check_that_accepts_at_its_first_call_only(self):
        from theorems.engine.judging.examine import examine_again

        one, calls = said(), []

        @one.argued(bridge="As above.")
        def fickle(two):
            calls.append(two)
            yield "exponent", len(calls) == 1

        first = answer(one)
        assert first.answer is ACCEPTED
        assert examine_again(one, one.evidence[0], trial(), first).answer is UNDECIDED

    def test_a_certificate_over_no_variables_says_so(self):
        from numeric.certify import Box, certify_positive

        one = said()

        @one.argued(bridge="As above.")
        def one_number(two):
            yield certify_positive(lambda: arb(two), Box())

        assert answer(one).answer is UNDECIDED

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

    def test_an_exit_in_a_check_is_undecided(self):
        one = said()

        @one.argued(bridge="As above.")
        def leaves(two):
            raise GeneratorExit(two)

        assert answer(one).answer is UNDECIDED

    @each("result", Measured(1.9, rounding=0.99), Discrepancy(1.0, 1e6), Measured(1.005, 0.01))
    def test_a_rounding_that_hides_everything(self, result):
        one = said()
        one.tested(over=st.floats(0, 1), cases=20)(
            named(lambda case, two: two and case >= 0 and result)
        )
        assert answer(one).answer is not ACCEPTED

    def test_a_part_without_evidence_leaves_the_claim_open(self):
        one = stated({"trivial": eq(x, x), "wanted": le(x, HALF)})
        one.proved("trivial")(named(lambda given: given.follows()))
        assert judged(one).verdict.value == "open"

    def test_a_part_that_does_not_exist(self):
        with pytest.raises(ClaimError, match="no part"):
            stated().proved("attained")

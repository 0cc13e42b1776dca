"""Evidence answers to the statement: what is proved, tested or argued must be what is displayed."""

import contextlib
import time
from dataclasses import replace

import pytest
import sympy
from checked import answer, judged, named, said, searched, size, stated, x
from trying import each

from theorems.engine import Answer, ClaimError, Rounded, le

ACCEPTED, REJECTED, UNDECIDED = Answer.ACCEPTED, Answer.REJECTED, Answer.UNDECIDED


class TestProofs:
    def test_a_certificate_makes_a_proof_certified_and_no_more(self):
        states = le(sympy.exp(-x), 1 - x + x**2 / 2 + sympy.Rational(1, 100))
        for kind, wanted in (("proved", UNDECIDED), ("certified", ACCEPTED)):
            one = stated(states)

            @getattr(one, kind)()
            def by_balls(given):
                return given.covered()

            assert answer(one).answer is wanted


class TestSearches:
    def test_a_case_outside_of_the_domain_is_a_fault(self):
        outcome = answer(searched(stated(), lambda share: {x: 2 * share}))
        assert (outcome.answer, "is not in" in outcome.summary) == (UNDECIDED, True)

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
    def test_an_argument_names_its_bridge(self):
        with pytest.raises(ClaimError, match="bridge"):
            said().argued(bridge=" ")


class TestJudgement:
    def test_a_constant_that_may_be_changed_is_a_problem(self):
        one = said()
        one.argued(bridge="As above.")(named(lambda two: [("exponent", two > 0)]))
        assert any("two of the statement is not tied" in text for text in judged(one).problems)
        excused = replace(one, excused={"two": "true as well for every rate, by t.other"})
        assert not judged(excused).problems


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
        told = "out of time on this machine: stopped after 1 s"
        assert (outcome.answer, outcome.summary) == (UNDECIDED, told)

    def test_a_check_that_catches_everything_ends_as_well(self, monkeypatch):
        from theorems.engine.judging import limits as module

        monkeypatch.setattr(module, "_SECONDS", 1)
        monkeypatch.setattr(module, "_IDLE", 2)
        one = said()

        @one.argued(bridge="As above.")
        def endless(two):
            while two:
                with contextlib.suppress(Exception):
                    time.sleep(5)
            yield "never", True

        assert answer(one).summary.startswith("out of time on this machine")

    def test_a_part_that_does_not_exist(self):
        with pytest.raises(ClaimError, match="no part"):
            stated().proved("attained")

"""Evidence that means well and says nothing is refused, or comes out undecided."""

import pytest
import sympy
from checked import answer, said, searched, stated, x

from theorems.engine import Answer, ClaimError

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

"""What a run keeps and says: results, near variants, what nobody says otherwise, searches."""

import json
import math
from dataclasses import replace
from itertools import count
from types import SimpleNamespace

import pytest
import sympy
from checked import answer, named, said, searched, stated, trial, x
from hypothesis import assume
from hypothesis import strategies as st
from trying import each

from theorems.engine import Answer, Choice, ClaimError, Discrepancy, Measured, le, sentence
from theorems.engine.judging import examination
from theorems.engine.judging.answers import Compared
from theorems.engine.judging.describing import described
from theorems.engine.judging.examination import result_of
from theorems.engine.judging.results import EvidenceResult
from theorems.engine.judging.search import search
from theorems.engine.running.versions import versions
from theorems.engine.statements.statement import Formula, parts_of

UNIT = st.floats(0, 1)


class TestResults:
    @staticmethod
    def asked(one):
        """How often a check that looks at the statement itself is asked for it."""
        return [two for two in one if two == 2]

    def test_an_argument_is_asked_twice_however_long_it_takes_and_a_proof_is_not(self, monkeypatch):
        clock = count(step=1000)
        slow = SimpleNamespace(perf_counter=lambda: next(clock))
        monkeypatch.setattr(examination, "time", slow)
        one, asked = said(), []
        one.argued(bridge="So.")(named(lambda two: asked.append(two) or [("it", two == 2)]))
        result_of(one, one.evidence[0], trial(one))
        assert self.asked(asked) == [2, 2]
        proved, made = stated(), []
        proved.proved()(named(lambda given: made.append(1) or given.follows()))
        result_of(proved, proved.evidence[0], trial(proved))
        assert made == [1]

    def test_an_argument_that_changes_its_mind_is_undecided(self):
        one, calls = said(), count()
        one.argued(bridge="So.")(named(lambda two: [("it", two == 2 and next(calls) == 0)]))
        found = result_of(one, one.evidence[0], trial(one))
        assert found.answer is Answer.UNDECIDED
        assert found.outcome.summary == "first accepted, then rejected"

    def test_of_several_the_most_telling_is_kept(self):
        one = said()
        one.argued(bridge="So.")(
            named(lambda two: [("it", {2: True, 3: False}.get(two, True if two > 2 else None))])
        )
        found = result_of(one, one.evidence[0], trial(one)).near["two"]
        assert (found.variant, found.said) == ("2 -> 3", "rejected")

    def test_what_is_undecided_is_more_telling_than_what_is_accepted(self):
        one = said()
        one.argued(bridge="So.")(named(lambda two: [("it", True if two >= 2 else None)]))
        found = result_of(one, one.evidence[0], trial(one)).near["two"]
        assert (found.variant, found.said) == ("2 -> 99/50", "undecided")

    def test_the_variants_of_what_is_not_accepted_are_not_tried(self):
        one = said()
        one.argued(bridge="So.")(named(lambda two: [("it", two != 2)]))
        found = result_of(one, one.evidence[0], trial(one))
        assert (found.answer, found.near) == (Answer.REJECTED, {})

    def test_controls_are_part_of_the_result(self):
        one = said()
        one.argued(bridge="So.", controls={"off": {"two": 3}})(named(lambda two: [("it", two == 2)]))
        found = result_of(one, one.evidence[0], trial(one))
        assert found.controls["off"].answer is Answer.REJECTED
        assert EvidenceResult.from_json(json.loads(json.dumps(found.as_json()))) == found


class TestRuns:
    def test_the_versions_that_matter_are_told(self):
        found = versions()
        assert {"python", "package", "sympy", "z3-solver", "python-flint", "scipy"} <= set(found)
        assert all(one[0].isdigit() for one in found.values())


class TestSearches:
    def test_a_violation_says_after_how_many_cases(self):
        cases = st.sampled_from([3])
        outcome = search(Measured, cases, cases=9, seed=0)
        assert outcome.summary == "violated: ratio 3, found after 1 case"
        assert outcome.cases == 1

    def test_shrinking_a_violation_is_no_further_case(self):
        outcome = search(Measured, st.integers(2, 10**6), cases=50, seed=0)
        assert (outcome.answer, outcome.witness, outcome.cases) == (Answer.REJECTED, "2", 1)

    def test_the_first_of_equal_cases_is_the_witness(self):
        seen = []
        outcome = search(lambda n: seen.append(n) or Measured(0.5), UNIT, cases=20, seed=0)
        assert (outcome.witness, outcome.tightness) == (described(seen[0]), 0.5)

    def test_one_identity_among_inequalities_leaves_no_tightness(self):
        def check(n):
            return Measured(0.5) if n else Discrepancy(0.0, 1.0, 1000.0)

        outcome = search(check, st.sampled_from([0, 1]), cases=20, seed=0)
        assert (outcome.answer, outcome.tightness, outcome.cases) == (Answer.ACCEPTED, None, 2)
        assert "largest error in units of rounding 0.5" in outcome.summary

    @each("equation", False, True)
    def test_a_compared_equation_has_no_tightness(self, equation):
        outcome = search(lambda n: Compared(True, n, 0.0, equation), UNIT, cases=20, seed=0)
        assert (outcome.tightness is None) is equation
        broken = search(lambda n: Compared(False, 2.0, 0.0, equation), UNIT, cases=5, seed=0)
        assert broken.tightness == (None if equation else 2.0)

    def test_what_drowned_is_counted_beside_what_is_undefined(self):
        def check(n):
            return Measured(0.5, 1.0) if n == 0 else Measured(math.nan if n == 1 else 0.25)

        outcome = search(check, st.sampled_from([0, 1, 2]), cases=20, seed=0)
        assert outcome.summary == "the ratio is nan, so nothing is decided"
        assert (outcome.answer, outcome.cases, outcome.tightness) == (Answer.UNDECIDED, 2, 0.25)
        assert outcome.numbers == {"cases lost in rounding": 1}

    def test_a_climb_leaves_what_is_no_case_and_what_is_not_allowed(self):
        def check(n):
            assume(n <= 0.75)
            return Measured(n)

        back = (lambda n: [n], lambda vector: float(vector[0]) if vector[0] < 0.875 else None)
        outcome = search(check, st.just(0.5), cases=5, seed=0, coordinates=back)
        assert outcome.answer is Answer.ACCEPTED
        assert outcome.tightness == pytest.approx(0.75, abs=1e-6)

    def test_a_climb_from_below_zero_keeps_clear_of_what_is_no_case(self):
        back = (lambda n: [n], lambda vector: float(vector[0]) if vector[0] <= -5 else None)
        outcome = search(Measured, st.just(-50.0), cases=5, seed=0, coordinates=back)
        assert outcome.tightness == pytest.approx(-5, abs=1e-3)

    def test_without_a_case_there_is_no_climb(self):
        line = (lambda n: 1 / 0, lambda vector: 1 / 0)
        outcome = search(lambda n: Measured(0.5, 9), UNIT, cases=5, seed=0, coordinates=line)
        assert outcome.summary == "vacuous: every case was lost in rounding"


class TestStatements:
    def test_latex_that_would_not_compile_is_refused(self):
        with pytest.raises(ClaimError, match=r"\{ is never closed in 'x\^\{'"):
            sentence("x^{")

    @each(
        "value, printed",
        (sympy.Rational(-2, 3), r"{-\tfrac{2}{3}}"),
        (sympy.Rational(2, 3), r"{\tfrac{2}{3}}"),
        (sympy.Integer(-2), "{-2}"),
        (7, "{7}"),
        (Choice(r"\alpha", 7), r"{\alpha}"),
        (2 * x, "{2 x}"),
    )
    def test_how_slots_print(self, value, printed):
        assert stated(sentence("$c $x", c=value)).displayed == f"{printed} {{x}}"

    def test_letters_of_a_slot_count(self):
        assert set(stated(sentence("$c", c=2 * x)).domains) == {x}

    def test_a_list_with_a_relation_that_is_decided_is_refused(self):
        with pytest.raises(ClaimError, match="evaluate=False"):
            parts_of([le(0, x), sympy.true])

    def test_parts_have_names_of_text(self):
        assert list(parts_of({1: le(x, 1)})) == ["1"]

    def test_a_formula_knows_the_functions_of_the_paper(self):
        from theorems.engine import Letters

        square = Letters().function("keeping_square", "s", "a square")
        assert Formula(le(square(x), 1)).functions == {square}
        assert Formula(le(sympy.sin(x), 1)).functions == set()


def test_a_search_of_a_formula_is_the_same_whoever_asks():
    one = searched(stated(), lambda share: {x: share})
    assert answer(one).seen == answer(one).seen
    other = replace(one, id="t.other")
    assert answer(other).seen != answer(one).seen

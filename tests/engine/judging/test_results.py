"""Results are values, and as JSON they say the same."""

import json
import math
from fractions import Fraction

import numpy as np
import pytest
from checked import result, variant
from hypothesis import given
from hypothesis import strategies as st
from trying import each

from theorems.engine import Answer, Discrepancy, Measured
from theorems.engine.errors import OUT_OF_TIME
from theorems.engine.judging.answers import Compared, Outcome, brief, plain
from theorems.engine.judging.results import EvidenceResult, Near

ANSWERS = st.sampled_from(Answer)
TEXTS = st.one_of(st.text(max_size=12), st.text("ab \n", min_size=290, max_size=310))
FINITE = st.floats(allow_nan=False, allow_infinity=False)
NUMBERS = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), TEXTS, st.fractions()),
    lambda inner: st.one_of(st.lists(inner), st.tuples(inner), st.dictionaries(TEXTS, inner)),
    max_leaves=4,
)
OUTCOMES = st.builds(
    Outcome,
    ANSWERS,
    TEXTS,
    st.none() | st.floats(allow_nan=False),
    st.none() | st.integers(0),
    st.none() | TEXTS,
    st.dictionaries(TEXTS, NUMBERS, max_size=3),
    seen=st.just((1, 2)),
    theorem=st.just("a theorem"),
)
#: What a near variant says where a safety net held it back.
TIMED_OUT = Near("constant", "more", "x < 1", Answer.UNDECIDED, f"it fails: {OUT_OF_TIME}: 9 s")
SAID = st.tuples(ANSWERS, st.just(False)) | st.just((Answer.UNDECIDED, True))


@st.composite
def results(draw):
    """A result as the examination makes it: what is in it is kept."""
    kept = OUTCOMES.map(Outcome.kept)
    near = st.builds(
        lambda words, said, summary: Near(*words, said[0], brief(summary), said[1]),
        st.tuples(TEXTS, TEXTS, TEXTS),
        SAID,
        TEXTS,
    )
    return EvidenceResult(
        draw(TEXTS),
        draw(TEXTS),
        draw(kept),
        draw(st.dictionaries(TEXTS, kept, max_size=2)),
        draw(FINITE),
        draw(st.dictionaries(TEXTS, near, max_size=2)),
    )


class TestJson:
    @given(results())
    def test_a_result_is_read_as_it_was_written(self, one):
        assert EvidenceResult.from_json(one.as_json()) == one
        written = json.dumps(one.as_json(), allow_nan=False)
        assert EvidenceResult.from_json(json.loads(written)) == one

    @given(OUTCOMES)
    def test_an_outcome_is_kept_without_what_serves_in_one_process_only(self, one):
        kept = one.kept()
        assert kept.kept() == kept
        assert (kept.seen, kept.theorem) == ((), None)
        assert (kept.answer, kept.tightness, kept.cases) == (one.answer, one.tightness, one.cases)
        assert kept.summary == brief(one.summary)
        assert kept.witness == (None if one.witness is None else brief(one.witness))
        assert set(kept.numbers) == set(one.numbers)

    def test_what_json_cannot_say_is_kept_as_text(self):
        numbers = {"share": Fraction(1, 2), "ends": (0.5, math.nan, -math.inf)}
        kept = Outcome(Answer.ACCEPTED, "so", math.inf, numbers=numbers).kept()
        assert kept.numbers == {"share": "1/2", "ends": [0.5, "nan", "-inf"]}
        assert kept.tightness == math.inf

    def test_it_is_written_in_words(self):
        one = result("t.a", "e", controls={"off": Answer.REJECTED}, near={"two": "pinned"})
        written = one.as_json()
        assert written["outcome"]["answer"] == "accepted"
        assert written["controls"]["off"]["answer"] == "rejected"
        assert written["near"]["two"] == {
            "kind": "constant",
            "variant": "more",
            "statement": "x < 1",
            "answer": "pinned",
            "summary": "why",
        }

    def test_what_is_no_result_is_refused(self):
        """By one of the three errors that readers of files expect."""
        expected, written = (KeyError, TypeError, ValueError), result("t.a", "e").as_json()
        for name in written:
            with pytest.raises(KeyError):
                EvidenceResult.from_json({key: written[key] for key in written if key != name})
        for strange in (None, [3], "word", ["word"], {"word": 3}):
            for name in ("outcome", "controls", "seconds", "near"):
                with pytest.raises(expected):
                    EvidenceResult.from_json(written | {name: strange})
            with pytest.raises(expected):
                EvidenceResult.from_json(strange)

    def test_leaves_of_a_proof_are_three_texts_each(self):
        written = result("t.a", "e").outcome.as_json()
        for leaves in ([["solver"]], [["solver", "Z3", 3]], ["abcd"], [3], 3, [[[], [], []]]):
            with pytest.raises((TypeError, ValueError)):
                Outcome.from_json(written | {"numbers": {"trusts": leaves}})
        leaves = [["solver", "Z3", "arithmetic"]]
        assert Outcome.from_json(written | {"numbers": {"trusts": leaves}}).numbers == {"trusts": leaves}

    def test_a_letter_stands_for_a_text(self):
        written = result("t.a", "e").outcome.as_json()
        for said in ([["x"]], [["x", "= y"]], [["x", 3, "y"]], [[3, "= y", "y"]], [3], 3, ["abc"]):
            for what in ("stand for", "untried"):
                with pytest.raises((TypeError, ValueError)):
                    Outcome.from_json(written | {"numbers": {what: said}})
        said = {"stand for": [["x", "= y", "y"]], "untried": [["square", "s", "no case has v"]]}
        assert Outcome.from_json(written | {"numbers": said}).numbers == said

    def test_what_is_no_near_variant_is_refused(self):
        written = variant(Answer.REJECTED).as_json()
        for name in written:
            with pytest.raises(KeyError):
                Near.from_json({key: written[key] for key in written if key != name})
        with pytest.raises(ValueError):
            Near.from_json(written | {"answer": "perhaps"})


class TestResults:
    def test_a_near_variant_says_its_answer_or_that_it_is_pinned(self):
        assert [variant(one).said for one in Answer] == [one.value for one in Answer]
        assert variant("pinned").said == "pinned"
        assert Near.from_json(variant("pinned").as_json()) == variant("pinned")

    @each(
        "one, decided",
        (result("t.a", "e"), True),
        (result("t.a", "e", Answer.REJECTED), True),
        (result("t.a", "e", Answer.UNDECIDED), False),
        (result("t.a", "e", controls={"a": Answer.REJECTED, "b": Answer.ACCEPTED}), True),
        (result("t.a", "e", controls={"a": Answer.REJECTED, "b": Answer.UNDECIDED}), False),
        (result("t.a", "e", near={"2": Answer.UNDECIDED, "3": "pinned"}), True),
        (result("t.a", "e", near={"2": TIMED_OUT}), False),
    )
    def test_what_another_run_may_decide_is_not_decided(self, one, decided):
        assert one.is_decided is decided

    def test_controls_that_were_not_rejected_are_told(self):
        one = result("t.a", "e", controls=dict(zip("abc", Answer, strict=True)))
        assert one.accepted_controls == ["a", "c"]


# Numbers that checks answer with: where a violation begins, where rounding drowns it.


class TestMeasured:
    @each(
        "ratio, rounding, drowned",
        (0.5, 0.0, False),
        (0.5, 0.0099, False),
        (0.5, 0.01, True),
        (3, 1, False),
        (0.5, 1, True),
    )
    def test_a_rounding_of_a_hundredth_drowns_what_does_not_violate(self, ratio, rounding, drowned):
        assert Measured(ratio, rounding).lost_in_rounding is drowned


class TestDiscrepancies:
    def test_an_allowance_beyond_a_hundredth_of_the_size_drowns(self):
        cases = [
            (0, 0.01, 1, False),
            (0, 0.011, 1, True),
            (1, 0.5, 1, False),
            (0, 0.5, 100, False),
            (0, 2, 100, True),
            (0, 0, 0, False),
            (0, 1e-9, 0, True),
        ]
        for error, allowed, size, drowned in cases:
            assert Discrepancy(error, allowed, size).lost_in_rounding is drowned

    def test_quantities_are_of_size_one_unless_told_otherwise(self):
        assert Discrepancy(0, 0).size == 1

    @each("size", -1, math.inf, math.nan)
    def test_a_size_is_finite_and_not_negative(self, size):
        with pytest.raises(ValueError, match=r"size must lie in \[0, infinity\)"):
            Discrepancy(0, 0, size)


class TestCompared:
    @each("answer, violates", (True, False), (False, True), (None, False))
    def test_it_violates_where_balls_say_so(self, answer, violates):
        assert Compared(answer, 0.5, 0.0, equation=False).violates is violates

    @each(
        "answer, rounding, equation, drowned",
        (None, 0.0099, False, False),
        (None, 0.01, False, True),
        (None, 0.5, True, False),
        (None, math.inf, True, True),
        (False, 1.0, False, False),
    )
    def test_an_inequality_drowns_in_a_hundredth_and_an_equation_in_its_own_measure(
        self, answer, rounding, equation, drowned
    ):
        assert Compared(answer, 0.5, rounding, equation).lost_in_rounding is drowned


class TestPlainData:
    def test_what_json_knows_stays(self):
        for value in (None, True, 3, 0.5, "a\n b"):
            assert plain(value) is value

    def test_arrays_and_their_numbers_become_lists_and_numbers(self):
        assert plain({"array": np.array([1.0, 2.0]), "number": np.float64(0.5)}) == {
            "array": [1.0, 2.0],
            "number": 0.5,
        }

    def test_the_rest_becomes_text(self):
        assert plain({1: (Fraction(1, 2), [math.nan, -math.inf])}) == {"1": ["1/2", ["nan", "-inf"]]}

    @each("length, kept", (300, 300), (301, 297))
    def test_a_long_line_is_cut(self, length, kept):
        assert brief("a" * length) == "a" * kept + "..." * (kept < length)
        assert len(brief("a" * length)) == 300

    def test_text_is_on_one_line(self):
        assert brief("a\n  b\tc") == "a b c"

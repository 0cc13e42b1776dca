"""Results are values, and as JSON they say the same."""

import json
import math
from dataclasses import replace
from fractions import Fraction

import pytest
from checked import result, variant
from hypothesis import given
from hypothesis import strategies as st

from theorems.engine import Answer
from theorems.engine.judging.answers import Outcome, brief
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

    def test_its_answer_is_that_of_its_outcome(self):
        one = result("t.a", "e", Answer.UNDECIDED)
        assert one.answer is Answer.UNDECIDED
        assert replace(one, outcome=Outcome(Answer.REJECTED, "no")).answer is Answer.REJECTED

    def test_controls_that_were_not_rejected_are_told(self):
        one = result("t.a", "e", controls=dict(zip("abc", Answer, strict=True)))
        assert one.accepted_controls == ["a", "c"]

    def test_it_takes_no_time_and_has_no_controls_unless_told(self):
        one = EvidenceResult("t.a", "e", Outcome(Answer.ACCEPTED, "so"))
        assert (one.controls, one.near, one.seconds) == ({}, {}, 0.0)

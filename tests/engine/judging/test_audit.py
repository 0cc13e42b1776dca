"""Whose answer decides whether a change is noticed, and what excuses one that is not."""

import json

import sympy
from checked import LETTERS, Sample, far, named, proof, said, searched, size, stated, trial, x, y
from hypothesis import strategies as st

from theorems.engine import Answer, Hypothesis, Measured, Severity, eq, half_line, le, reals, sentence
from theorems.engine.claims.registry import Registry
from theorems.engine.judging.audit import audit, summary
from theorems.engine.judging.examine import examine

QUARTER = sympy.Rational(1, 4)
SMALL = Hypothesis("small", "$far is small")
w = LETTERS.number("w", "w", "any number", reals())


def findings(one, *others):
    """What became of each change."""
    known = Registry((), {other.id: other for other in (one, *others)})
    return {found.variant.name: found for found in audit(one, known, trial(one, *others))}


def argued(one, check, name="by_eye", **how):
    one.argued(bridge="So.", **how)(named(check, name))
    return one


class TestWhoNotices:
    def test_the_strongest_evidence_of_the_part_by_not_accepting(self):
        one = stated(sentence("$c", c=2), ())
        argued(one, lambda c: [("it", True if c == 2 else None)])
        found = findings(one)["c: 2 -> 3"]
        assert found.noticed
        assert found.why.startswith("by_eye: undecided, ")

    def test_weaker_evidence_by_rejecting_only(self):
        one = stated(sentence("$c", c=2), ())
        one.tested(over=st.floats(1, 2), cases=5)(
            named(lambda case, c: Measured(case * (9 if c == 3 else 0.1 if c == 2 else "strange")))
        )
        argued(one, lambda c: [("it", c > 0)])
        found = findings(one)
        assert found["c: 2 -> 3"].noticed
        assert found["c: 2 -> 3"].why.startswith("a_check: rejected, ")
        assert not found["c: 2 -> 1"].noticed  # there the search breaks, and decides nothing

    def test_an_argument_that_accepts_everything_is_named(self):
        one = argued(stated(), lambda given: [("it", given.goal != 0)])
        assert {found.why for found in findings(one).values()} == {"by_eye accepts it as well"}

    def test_beside_a_proof_an_argument_may_be_a_step(self):
        one = argued(stated(), lambda: [("it", True)])
        one.proved()(named(lambda given: given.follows(), "by_rule"))
        assert examine(one, one.evidence[0], trial(one)).answer is Answer.ACCEPTED


class TestHypotheses:
    DROPPED = "hypothesis small: dropped"

    def test_a_search_notices_one_that_is_dropped(self):
        small = Hypothesis("small", "$x is small", formula=le(x, QUARTER))
        one = searched(stated(le(x, QUARTER), assuming=[small]), lambda share: {x: share})
        assert findings(one)[self.DROPPED].noticed

    def test_a_proof_notices_one_that_it_needs(self):
        half = Hypothesis("small", "$x is a half", formula=eq(x, sympy.S.Half))
        one = proof(stated(eq(x * (1 - x), QUARTER), assuming=[half]))
        assert findings(one)[self.DROPPED].noticed


class TestParts:
    @staticmethod
    def two():
        one = stated({"lower": le(0, x), "upper": le(x, 1)})
        one.proved("lower", "upper")(named(lambda given: given.follows(), "ends"))
        return one

    def test_a_part_that_is_removed_is_missed_by_its_own_evidence(self):
        found = findings(self.two())
        assert found["part lower: removed"].noticed
        assert "the claim has no part 'lower'" in found["part lower: removed"].why
        assert found["part lower: removed"].why.startswith("ends_1: ")
        assert found["part upper: removed"].why.startswith("ends_2: ")

    def test_a_constant_of_one_part_is_noticed_by_the_evidence_of_that_part(self):
        found = findings(self.two())
        assert found["1: 1 -> 99/100"].why.startswith("ends_2: rejected")
        assert found["1: 1 -> 101/100"].why == "ends_2 proves it as well"
        assert found["1: 1 -> 101/100"].excuse == "true as well: ends_2 proves it as well"

    def test_a_larger_domain_is_proved_only_if_every_part_is(self):
        one = stated({"squares": le(0, w**2 + 1), "sizes": le(-1, w)}, {w: half_line(0)})
        one.proved("squares", "sizes")(named(lambda given: given.follows(), "both"))
        found = findings(one)["domain of w: from -1/100"]
        assert (found.noticed, found.why) == (False, "both_1, both_2 proves it as well")
        assert found.excuse == f"true as well: {found.why}"

    def test_a_larger_domain_that_one_part_only_proves_is_accepted_by_the_rest(self):
        words = sentence("$w > $c", c=0)
        one = stated({"squares": le(0, w**2 + 1), "words": words}, {w: half_line(0)})
        one.proved("squares")(named(lambda given: given.follows(), "proof"))
        one.argued("words", bridge="So.")(named(lambda c: [("it", c == 0)], "by_eye"))
        found = findings(one)["domain of w: from -1/100"]
        assert (found.noticed, found.excuse) == (False, None)
        assert found.why == "proof, by_eye accepts it as well"


class TestSamples:
    def test_a_search_about_a_sentence_is_not_repeated_on_a_larger_domain(self):
        one, asked = said(assuming=[SMALL]), []
        one.tested(over=st.floats(1, 2), cases=5)(
            named(lambda case, two: asked.append(two) or Measured(case / 9 / two), "searched")
        )
        found = findings(one)
        assert found["domain of far: from -1/100"].why == "searched accepts it as well"
        assert found["hypothesis small: dropped"].why == "searched accepts it as well"
        assert set(asked) != {2}  # but the slots are changed

    def test_nor_a_simulation(self):
        one, drawn = stated(sentence("$far"), [far]), []
        one.estimated(draws=5, controls={})(
            named(lambda rng, draws: drawn.append(rng) or Sample(draws), "drawn")
        )
        assert findings(one)["domain of far: from -1/100"].why == "drawn accepts it as well"
        assert not drawn

    def test_a_simulation_of_a_formula_is_made_again_for_every_variant(self):
        """It compares what it has drawn with the number that is printed."""
        one = stated(eq(size, QUARTER), [size])

        @one.estimated(controls={}, draws=5)
        def a_quarter(given, rng, draws):
            drawn = (rng.integers(1, 2) for _ in range(draws))
            return Sample(given.goal.rhs * 4 * draws == sum(drawn))

        found = findings(one)
        for change in ("1/4: 1/4 -> 99/400", "1/4: 1/4 -> 101/400"):
            assert found[change].why.startswith("a_quarter: rejected")

    def test_what_the_samples_are_made_for_must_be_granted(self):
        one = said(assuming=[SMALL])
        one.tested(over=st.floats(1, 2), cases=5, uses=(SMALL,))(
            named(lambda case, two: Measured(case / 9 / two), "searched")
        )
        found = findings(one)
        assert not found["domain of far: from -1/100"].noticed
        dropped = found["hypothesis small: dropped"]
        assert dropped.noticed
        assert dropped.why.startswith("searched: undecided, MissingError")

    def test_a_search_about_a_formula_sees_a_smaller_claim(self):
        one = searched(stated(le(x, 1)), lambda share: {x: share})
        found = findings(one)["domain of x: up to 101/100"]
        assert found.noticed
        assert "no case covers" in found.why


class TestExcuses:
    LOOSE = le(x * (1 - x), sympy.S.Half)

    def audited(self, *others, **record):
        one = searched(stated(self.LOOSE, **record), lambda share: {x: share})
        return findings(one, *(other(one) for other in others))

    @staticmethod
    def sharper(one):
        return one.sharpened("t.sharp", title="S", states=le(x * (1 - x), QUARTER))

    @staticmethod
    def corrected(one):
        return one.corrected("t.right", title="R", states=le(x * (1 - x), QUARTER))

    def test_what_goes_unnoticed_has_none_of_its_own(self):
        found = self.audited()["1/2: 1/2 -> 99/200"]
        assert (found.noticed, found.excuse) == (False, None)

    def test_a_sharper_claim_excuses_constants_and_relations_but_no_terms(self):
        found = self.audited(self.sharper)
        assert found["1/2: 1/2 -> 99/200"].excuse == "true as well, by t.sharp"
        assert found["<=: <= -> <"].excuse == "true as well, by t.sharp"
        assert found["1: 1 -> 0"].excuse == "true as well, by t.sharp"
        others = [one for one in found.values() if one.variant.kind in {"sign", "term", "domain"}]
        assert others
        assert not any(one.excuse for one in others)

    def test_a_correction_excuses_nothing(self):
        assert not any(found.excuse for found in self.audited(self.corrected).values())

    def test_the_record_excuses_one_change_or_all_of_a_constant(self):
        found = self.audited(excused={"1/2: 1/2 -> 99/200": "by t.other"})
        assert found["1/2: 1/2 -> 99/200"].excuse == "by t.other"
        assert found["1/2: 1/2 -> 101/200"].excuse is None
        found = self.audited(excused={"1/2": "by t.other"})
        assert found["1/2: 1/2 -> 101/200"].excuse == "by t.other"

    def test_what_is_noticed_needs_none(self):
        one = searched(stated(excused={"1/4": "by t.other"}), lambda share: {x: share})
        found = findings(one)
        assert (found["1/4: 1/4 -> 99/400"].noticed, found["1/4: 1/4 -> 99/400"].excuse) == (True, None)
        assert found["1/4: 1/4 -> 101/400"].excuse == "by t.other"


class TestWhatIsLeftAlone:
    def test_false_claims(self):
        one = proof()
        one.refuted(severity=Severity.EDGE)(named(lambda given: given.goal, "refuted"))
        assert findings(one) == {}

    def test_open_claims(self):
        one = stated()
        one.left_open("nobody knows")
        assert findings(one) == {}

    def test_parts_that_are_only_cited(self):
        one = stated({"quoted": le(x, 1), "ours": le(y, 1)}, [x, y])
        one.cited("A book", why="it is long", part="quoted")
        one.proved("ours")(named(lambda given: given.follows(), "proof"))
        touched = {found.variant.part for found in findings(one).values()}
        assert touched == {"ours", None}

    def test_parts_without_evidence_go_unnoticed(self):
        one = stated({"nothing": le(x, 1), "ours": le(y, 1)}, [x, y])
        one.proved("ours")(named(lambda given: given.follows(), "proof"))
        found = [f for f in findings(one).values() if f.variant.part == "nothing"]
        assert found
        assert {(one.noticed, one.why) for one in found} == {(False, "nothing looks at it")}

    def test_a_source_beside_other_evidence_says_nothing(self):
        one = searched(stated(le(x, 1)), lambda share: {x: share})
        one.cited("A book", why="it is long")
        assert "cited" not in {found.why.partition(":")[0] for found in findings(one).values()}


def test_a_finding_is_recorded_in_full():
    record = findings(proof())["1/4: 1/4 -> 99/400"].as_json()
    assert record["id"] == "t.one"
    assert (record["part"], record["kind"]) == ("statement", "constant")
    assert record["change"] == "1/4: 1/4 -> 99/400"
    assert record["statement"] == r"x \left(1 - x\right) \leq \frac{99}{400}"
    assert (record["noticed"], record["excuse"]) == (True, None)
    assert record["why"].startswith("by_the_kernel: rejected, false at x = 1/2")
    assert json.loads(json.dumps(record)) == record


def test_the_summary_counts_excuses():
    noticed = {"kind": "constant", "noticed": True, "excuse": None}
    excused = {"kind": "constant", "noticed": False, "excuse": "by t.other"}
    neither = {"kind": "sign", "noticed": False, "excuse": None}
    counts = summary([noticed, noticed, excused, neither])
    assert counts["all"] == {"variants": 4, "noticed": 2, "excused": 1, "neither": 1}
    assert summary([])["all"] == {"variants": 0, "noticed": 0, "excused": 0, "neither": 0}
    assert counts["sign"] == {"variants": 1, "noticed": 0, "excused": 0, "neither": 1}

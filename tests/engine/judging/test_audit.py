"""The audit changes one thing at a time and tells what the evidence does not notice."""

import json
from dataclasses import dataclass
from fractions import Fraction

import sympy
from checked import LETTERS, far, named, near, proof, searched, size, stated, trial, x
from sympy.logic.boolalg import Boolean

from theorems.engine import (
    Answer,
    Hypothesis,
    eq,
    half_line,
    implies,
    integers,
    interval,
    le,
    lt,
    open_interval,
    rules,
    sentence,
)
from theorems.engine.claims.registry import Registry
from theorems.engine.judging.audit import audit, summary
from theorems.engine.judging.examine import examine
from theorems.engine.statements.variants import all_variants, near_variants

QUARTER = sympy.Rational(1, 4)
FEW = LETTERS.number("few", "f", "a count", integers(2, 5))
MANY = LETTERS.number("many", "m", "another count", integers(3))


@dataclass(frozen=True)
class Drawn:
    """A statistical test."""

    p_value: float

    def detectable(self, level, power):
        """By how much a number may be off."""
        return power - level


def audited(one, *others):
    """The findings of an audit of one claim, as data."""
    known = Registry((), {other.id: other for other in (one, *others)})
    return [found.as_json() for found in audit(one, known, trial(one, *others))]


def unnoticed(one, *others):
    """What changed without being noticed, with the excuse."""
    return {f["change"]: f["excuse"] for f in audited(one, *others) if not f["noticed"]}


class TestVariants:
    def test_every_number_sign_exponent_and_relation_is_changed(self):
        one = stated(le(2 * x**3 - 1, sympy.sqrt(x) + 5))
        changes = {variant.name for variant in near_variants(one, "statement")}
        assert {
            "2: 2 -> 99/50", "2: 2 -> 3", "exponent 3 of x: 3 -> 4", "5: 5 -> 101/20",
            "exponent 1/2 of x: 1/2 -> 3/4", "sign of 2*x**3: changed", "<=: <= -> <",
            "term sqrt(x): left out", "5: 5 -> 4",
        } <= changes  # fmt: skip

    def test_a_fraction_is_changed_by_one_per_cent_either_way(self):
        one = stated(sentence(r"$x \le $c", c=Fraction(1, 2)))
        hows = {variant.how for variant in near_variants(one, "statement")}
        assert hows == {"1/2 -> 99/200", "1/2 -> 101/200", "1/2 -> -1/2"}

    def test_a_change_that_decides_the_statement_is_none(self):
        one = stated(
            le(
                x,
                x + 1,
            ),
            [x],
        )
        assert all(isinstance(variant.claim.parts["statement"].relation, Boolean)
                   and variant.claim.parts["statement"].relation not in {True, False}
                   for variant in near_variants(one, "statement"))  # fmt: skip

    def test_both_sides_of_an_implication_are_changed(self):
        one = stated(implies(le(x, QUARTER), lt(x**2, 3)))
        changes = {variant.name for variant in near_variants(one, "statement")}
        assert {
            "1/4: 1/4 -> 99/400", "<=: <= -> <", "3: 3 -> 2", "exponent 2 of x: 2 -> 3",
            "<: < -> >",
        } <= changes  # fmt: skip

    def test_the_sign_of_a_product_is_changed(self):
        one = stated(le(-x * far, 2), [x, far])
        signs = {v.how: v.claim for v in near_variants(one, "statement") if v.kind == "sign"}
        assert list(signs) == ["changed"]
        assert signs["changed"].parts["statement"].relation == le(x * far, 2)

    def test_a_part_is_removed_and_the_others_stay(self):
        one = stated({"one": le(x, 1), "other": le(0, x), "third": le(x, 2)})
        left = {v.part: list(v.claim.parts) for v in all_variants(one) if v.kind == "part"}
        assert left["one"] == ["other", "third"]
        assert left["other"] == ["one", "third"]

    def test_a_domain_of_integers_is_longer_by_one(self):
        """The same claim, but for one more integer at one end."""
        found = {
            variant.how: variant.claim.domains
            for variant in all_variants(stated(le(FEW, MANY + 9), [FEW, MANY]))
            if variant.kind == "domain"
        }
        assert {how: str(domains[FEW]) for how, domains in found.items()} == {
            "from 1 on": "Range(1, 6, 1)",
            "up to 6": "Range(2, 7, 1)",
            "from 2 on": "Range(2, 6, 1)",
        }
        assert found["from 2 on"][MANY] == integers(2)

    def test_domains_hypotheses_and_parts_are_changed(self):
        small = Hypothesis("small", "$x is small", formula=le(x, 1))
        parts = {"one": le(x, 1), "other": le(0, x)}
        found = {v.name for v in all_variants(stated(parts, {x: interval(0, 1)}, assuming=[small]))}
        assert {
            "domain of x: from -1/100", "domain of x: up to 101/100",
            "hypothesis small: dropped", "part one: removed", "part other: removed",
        } <= found  # fmt: skip

    def test_an_open_end_is_closed_and_a_half_line_begins_earlier(self):
        opened = {v.name for v in all_variants(stated(given={x: open_interval(0, 1)}))}
        assert {"domain of x: with 0", "domain of x: with 1"} <= opened
        assert "domain of z: from -1/100" in {
            v.name.replace("far", "z")
            for v in all_variants(stated(le(0, far), {far: half_line(0)}))
        }

    def test_a_claim_with_a_larger_domain_reads_as_before(self):
        one = stated(sentence(r"$x \le $c", c=2))
        wider = [v.claim for v in all_variants(one) if v.kind == "domain"]
        assert {other.displayed for other in wider} == {one.displayed}
        assert all(set(other.letters) == set(one.letters) for other in wider)

    def test_slots_are_changed_by_one_per_cent_by_one_and_in_sign(self):
        one = stated(sentence(r"$x \le $c", c=2))
        hows = {v.how for v in near_variants(one, "statement")}
        assert hows == {"2 -> 99/50", "2 -> 101/50", "2 -> 1", "2 -> 3", "2 -> -2"}


class TestAudit:
    def test_a_sharp_statement_notices_everything_false(self):
        excuses = unnoticed(proof())
        assert all("proves it as well" in excuse for excuse in excuses.values())
        assert "1/4: 1/4 -> 99/400" not in excuses

    def test_what_no_evidence_sees_is_told(self):
        one = stated(sentence(r"$far \le $c + $d", c=1, d=2), [far])
        one.argued(bridge="By inspection.")(named(lambda c: [("constant", c == 1)]))
        wrong = {change for change, excuse in unnoticed(one).items() if excuse is None}
        assert "d: 2 -> 3" in wrong
        assert "c: 1 -> 2" not in wrong
        assert "domain of far: from -1/100" in wrong

    def test_a_search_notices_a_hypothesis_that_is_dropped(self):
        small = Hypothesis("small", "$x is small", formula=le(x, QUARTER))
        one = searched(stated(le(x, QUARTER), assuming=[small]), lambda share: {x: share / 4})
        found = {finding["change"]: finding["noticed"] for finding in audited(one)}
        assert "hypothesis small: dropped" in found
        wide = searched(stated(le(x, QUARTER), assuming=[small]), lambda share: {x: share})
        assert {f["change"]: f["noticed"] for f in audited(wide)}["hypothesis small: dropped"]

    def test_an_excuse_of_the_record_is_repeated(self):
        one = stated(sentence(r"$far \le $c", c=1), [far], excused={"c": "by t.other, c = 2"})
        one.argued(bridge="By inspection.")(named(lambda c: [("constant", c >= 0)]))
        assert unnoticed(one)["c: 1 -> 2"] == "by t.other, c = 2"

    def test_a_sharper_claim_excuses_constants(self):
        one = proof(stated(le(x * (1 - x), 1)))
        better = one.sharpened("t.sharp", title="Sharp", states=le(x * (1 - x), QUARTER), given=[x])
        assert all(unnoticed(one, better).values())

    def test_a_search_notices_at_the_cases_it_saw(self):
        assert "1/4: 1/4 -> 99/400" not in unnoticed(searched(stated(), lambda share: {x: share}))

    def test_a_simulation_of_a_formula_is_made_again_for_every_variant(self):
        """It compares what it has drawn with the number that is printed."""
        one = stated(eq(size, QUARTER), [size])

        @one.estimated(controls={}, draws=5)
        def a_quarter(given, rng, draws):
            drawn = (rng.integers(1, 2) for _ in range(draws))
            return Drawn(1.0 if given.goal.rhs * 4 * draws == sum(drawn) else 0.0)

        found = {finding["change"]: finding["why"] for finding in audited(one)}
        for change in ("1/4: 1/4 -> 99/400", "1/4: 1/4 -> 101/400"):
            assert found[change].startswith("a_quarter: rejected")

    def test_dropping_a_hypothesis_that_is_needed_is_noticed(self):
        half = Hypothesis("half", "$x is a half", formula=eq(x, sympy.S.Half))
        one = proof(stated(eq(x * (1 - x), QUARTER), assuming=[half]))
        assert not any("hypothesis" in change for change in unnoticed(one))

    def test_findings_are_plain_data_and_are_counted(self):
        found = audited(proof())
        assert json.loads(json.dumps(found)) == found
        counts = summary(found)
        assert counts["all"]["variants"] == len(found)
        assert sum(row["variants"] for kind, row in counts.items() if kind != "all") == len(found)

    def test_open_claims_are_left_alone(self):
        one = stated()
        one.left_open("nobody knows")
        assert audited(one) == []

    def test_what_is_only_cited_is_left_alone(self):
        one = stated()
        one.cited("A book, p. 1", why="it is long")
        assert audited(one) == []
        searched(one, lambda share: {x: share})
        assert audited(one)

    def test_an_argument_that_ends_in_the_statement_notices_what_a_proof_would(self):
        printed = le(x * (1 - x), QUARTER)
        one = stated(printed)

        @one.argued(bridge="The last step is in words.")
        def in_words():
            """The theorem is the statement as it is printed, whatever the variant."""
            return rules.bridge("the last step", printed, over={x: interval(0, 1)})

        assert all(finding["noticed"] for finding in audited(one) if finding["kind"] == "constant")

    def test_an_argument_that_accepts_everything_is_named(self):
        one = stated()
        one.argued(bridge="By inspection.")(named(lambda given: [("it", given.goal != 0)], "eye"))
        assert {finding["why"] for finding in audited(one)} == {"eye accepts it as well"}

    def test_an_argument_that_ignores_the_relation_is_refused(self):
        one = stated()
        one.argued(bridge="By inspection.")(named(lambda: [("it", True)], "by_eye"))
        answer = examine(one, one.evidence[0], trial(one))
        assert answer.answer is Answer.UNDECIDED
        assert "neither looks at" in answer.summary

    def test_beside_a_proof_an_argument_may_be_a_step(self):
        one = stated()
        one.argued(bridge="By inspection.")(named(lambda: [("it", True)], "by_eye"))
        one.proved()(named(lambda given: given.follows(), "by_rule"))
        assert examine(one, one.evidence[0], trial(one)).answer is Answer.ACCEPTED

    def test_an_argument_that_ignores_the_relation_accepts_none(self):
        one = stated()
        one.argued(bridge="By inspection.")(named(lambda: [("it", True)], "by_eye"))
        answers = {answer for tried in near(one).values() for answer in tried}
        assert answers == {"undecided"}

"""The audit changes one thing at a time and tells what the evidence does not notice."""

import json

import sympy
from checked import Sample, far, named, proof, searched, size, stated, trial, x
from sympy.logic.boolalg import Boolean

from theorems.engine import Answer, Hypothesis, eq, implies, le, lt, sentence
from theorems.engine.claims.registry import Registry
from theorems.engine.judging.audit import audit, summary
from theorems.engine.judging.examine import examine
from theorems.engine.statements.variants import all_variants, near_variants

QUARTER = sympy.Rational(1, 4)


def audited(one, *others):
    """The findings of an audit of one claim, as data."""
    known = Registry((), {other.id: other for other in (one, *others)})
    return [found.as_json() for found in audit(one, known, trial(one, *others))]


def unnoticed(one, *others):
    """What changed without being noticed, with the excuse."""
    return {f["change"]: f["excuse"] for f in audited(one, *others) if not f["noticed"]}


class TestVariants:
    def test_a_change_that_decides_the_statement_is_none(self):
        one = stated(le(x, x + 1), [x])
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

    def test_a_claim_with_a_larger_domain_reads_as_before(self):
        one = stated(sentence(r"$x \le $c", c=2))
        wider = [v.claim for v in all_variants(one) if v.kind == "domain"]
        assert {other.displayed for other in wider} == {one.displayed}
        assert all(set(other.letters) == set(one.letters) for other in wider)


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

    def test_a_simulation_of_a_formula_is_made_again_for_every_variant(self):
        """It compares what it has drawn with the number that is printed."""
        one = stated(eq(size, QUARTER), [size])

        @one.estimated(controls={}, draws=5)
        def a_quarter(given, rng, draws):
            drawn = (rng.integers(1, 2) for _ in range(draws))
            return Sample(given.goal.rhs * 4 * draws == sum(drawn))

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

    def test_an_argument_that_accepts_everything_is_named(self):
        one = stated()
        one.argued(bridge="By inspection.")(named(lambda given: [("it", given.goal != 0)], "eye"))
        assert {finding["why"] for finding in audited(one)} == {"eye accepts it as well"}

    def test_beside_a_proof_an_argument_may_be_a_step(self):
        one = stated()
        one.argued(bridge="By inspection.")(named(lambda: [("it", True)], "by_eye"))
        one.proved()(named(lambda given: given.follows(), "by_rule"))
        assert examine(one, one.evidence[0], trial(one)).answer is Answer.ACCEPTED

"""Records of the engine: what they hold, what they default to, that nobody changes them."""

import dataclasses
from fractions import Fraction

import pytest
import sympy
from checked import LETTERS, SHARES, answer, far, named, proof, said, searched, stated, trial, x, y
from hypothesis import strategies as st
from trying import each

from theorems.engine import (
    Answer,
    Choice,
    ClaimError,
    Contents,
    Discrepancy,
    Grade,
    Hypothesis,
    Kind,
    Letters,
    Measured,
    Paper,
    Profile,
    Rounded,
    Severity,
    claim,
    eq,
    ge,
    half_line,
    interval,
    le,
    reals,
    sentence,
)
from theorems.engine.claims.papers import Papers
from theorems.engine.claims.place import Place
from theorems.engine.claims.registry import Registry
from theorems.engine.judging.answers import Compared, Outcome
from theorems.engine.judging.audit import Finding
from theorems.engine.judging.examination import result_of
from theorems.engine.judging.examine import Circumstances
from theorems.engine.judging.judge import Judgement
from theorems.engine.judging.results import EvidenceResult, Near
from theorems.engine.judging.trust import Leaf
from theorems.engine.running.runner import Run
from theorems.engine.statements.letters import names
from theorems.engine.statements.statement import Formula
from theorems.engine.statements.variants import near_variants

ONE = proof()
VARIANT = next(near_variants(ONE, "statement"))
SMALL = Hypothesis("small", "$x is small")
SO = Outcome(Answer.ACCEPTED, "so")
FIXED = [
    ONE, ONE.evidence[0], VARIANT, SMALL, LETTERS[x], Formula(le(x, 1)),
    sentence("c"), Choice("z", 1), Rounded(1.0, 0.5), Measured(0.5), Discrepancy(0, 1),
    Compared(True, 0.5, 0.0, False), SO,
    Finding("t.one", VARIANT, True, "so"), trial(), EvidenceResult("t.one", "e", SO),
    Near("constant", "more", "x < 1", Answer.REJECTED, "so"),
    Judgement(ONE, None, None, ()), Run(("t.one",)), Leaf("source", "a", "t.one"),
    Registry((), {}), Paper("t", "Title", "Authors"), Papers(), ONE.source,
    Place("Section", "1"), next(iter(Contents("Section 1"))),
]  # fmt: skip


def test_records_are_not_changed_afterwards():
    for record in FIXED:
        name = dataclasses.fields(record)[0].name
        with pytest.raises(dataclasses.FrozenInstanceError, match=f"assign to field '{name}'"):
            setattr(record, name, None)


class TestClaims:
    def test_each_is_itself_and_no_other(self):
        one, other = (claim("t.one", at="a", title="t", states=eq(1, 1)) for _ in range(2))
        assert one != other
        assert len({one, other, one}) == 2

    def test_it_shows_its_record_and_not_what_is_attached(self):
        one = stated()
        one.left_open("nobody knows")
        searched(one, lambda share: {x: share})
        shown = repr(one)
        assert "t.one" in shown
        assert not any(word in shown for word in ("Letters", "Evidence", "nobody knows"))

    def test_parts_stand_apart(self):
        one = stated({"upper": le(x, 1), "lower": ge(x, 0)})
        assert one.displayed == r"x \leq 1,\quad x \geq 0"
        assert one._repr_latex_() == r"$\displaystyle x \leq 1,\quad x \geq 0$"

    def test_without_evidence_or_with_a_remark_it_is_open(self):
        one = stated()
        assert one.declared_open
        searched(one, lambda share: {x: share})
        assert not one.declared_open
        one.left_open("the rest is unknown")
        assert one.declared_open

    def test_its_severity_is_that_of_its_counterexample(self):
        one = searched(stated(), lambda share: {x: share})
        assert (one.severity, one.declared_false) == (None, False)
        one.refuted(severity=None)(named(lambda given: given.goal, "first"))
        one.refuted(severity=Severity.SLIP)(named(lambda given: given.goal, "second"))
        assert (one.severity, one.declared_false) == (Severity.SLIP, True)

    @each(
        "severity, wrong",
        ("FALSE", True),
        ("GAP", True),
        ("EDGE", False),
        ("DEPENDENCE", False),
        ("SLIP", False),
    )
    def test_only_the_gravest_findings_are_errors(self, severity, wrong):
        assert Severity[severity].is_error is wrong

    def test_letters_are_given_as_a_list_or_with_domains_or_not_at_all(self):
        assert stated().domains == {x: interval(0, 1)}
        assert stated(given={x: interval(0, Fraction(1, 2))}).domains[x].sup == sympy.S.Half
        assert stated().domains == {x: interval(0, 1)}
        assert claim("t.none", at="a", title="t", states=eq(1, 1)).given == {}

    @each("how", "corrected", "sharpened")
    def test_a_claim_about_another_shares_its_letters_and_place_unless_it_says_otherwise(self, how):
        one = stated()
        other = getattr(one, how)("t.two", title="Two", states=le(x, 1))
        assert (other.letters is one.letters, other.at, other.of) == (True, "Eq. (1)", "t.one")
        table = Letters()
        s = table.number("s", "s", "a number", reals())
        other = getattr(one, how)("t.two", title="Two", at="here", states=le(s, s + 1),
                                  letters=table)  # fmt: skip
        assert (other.letters is table, other.at) == (True, "here")


class TestEvidence:
    def test_one_proof_of_several_parts_is_a_piece_for_each(self):
        one = stated({"upper": le(x, 1), "lower": ge(x, 0), "other": le(x, 2)})
        one.proved("upper", "lower")(named(lambda given: given.follows(), "ends"))
        found = [(item.name, item.part, item.grade) for item in one.evidence]
        assert found == [("ends_1", "upper", Grade.PROVED), ("ends_2", "lower", Grade.PROVED)]

    def test_of_one_part_it_keeps_its_name(self):
        one = stated({"upper": le(x, 1), "lower": ge(x, 0)})
        one.certified("upper")(named(lambda given: given.covered(), "end"))
        assert [(e.name, e.part, e.grade) for e in one.evidence] == [("end", "upper", Grade.CERTIFIED)]

    def test_without_a_part_it_is_about_the_statement(self):
        one = proof()
        one.argued(bridge="So.")(named(lambda given: [("it", given.goal)], "words"))
        assert {item.part for item in one.evidence} == {"statement"}

    def test_a_search_visits_two_hundred_cases_unless_told_otherwise(self):
        one = stated()
        one.tested(over=SHARES)(named(lambda share: {x: share}))
        assert one.evidence[0].options == {"over": SHARES, "cases": None, "coordinates": None}
        assert answer(one).cases == 200

    def test_beside_a_proof_a_search_visits_a_hundred(self):
        one = proof()
        one.tested(over=SHARES)(named(lambda share: {x: share}))
        one.tested(over=SHARES, cases=7)(named(lambda share: {x: share}, "few"))
        assert [answer(one, number=number).cases for number in (1, 2)] == [100, 7]

    def test_sources_are_numbered_and_shown(self):
        one = stated()
        one.cited("Someone (1900)", why="it is long")
        one.cited("Somebody (1950)", why="it is longer")
        assert [item.name for item in one.evidence] == ["cited_0", "cited_1"]
        assert one.evidence[0].says == "Cited: Someone (1900)."
        assert answer(one, number=1).summary == "Somebody (1950): it is longer"

    def test_the_bridge_hypotheses_and_domains_of_an_argument_are_kept(self):
        one = said(assuming=[SMALL.__class__("tiny", "$far is tiny")])
        one.argued(bridge="So.", uses=iter(one.hypotheses), over={far: half_line(0)})(
            named(lambda two: [("it", two)])
        )
        item = one.evidence[0]
        assert (item.bridge, item.uses, item.over) == ("So.", one.hypotheses, {far: half_line(0)})
        plain = said()
        plain.argued(bridge="So.")(named(lambda two: [("it", two)]))
        assert (plain.evidence[0].uses, plain.evidence[0].over) == ((), {})

    def test_what_a_search_asks_for_does_not_count_its_case(self):
        one = said()
        one.tested(over=st.floats(1, 2), cases=5)(
            named(lambda two_of_them, two: Measured(two_of_them / 9 / two))
        )
        assert one.evidence[0].needs == ["two"]
        assert one.evidence[0].parameters == ("two_of_them", "two")

    def test_a_variable_that_only_an_inner_function_reads_is_looked_at(self):
        one = said()

        @one.argued(bridge="So.")
        def inside(two):
            return [("it", all(k == two for k in (2, 2)))]

        assert answer(one).answer is Answer.ACCEPTED

    def test_a_piece_for_a_missing_slot_says_which(self):
        with pytest.raises(ClaimError, match=r"^t\.one: a_check takes \['four', 'three'\], which"):
            said().argued(bridge="So.")(named(lambda three, four: [three, four]))


class TestOutcomes:
    def test_they_are_equal_whatever_was_seen_on_the_way(self):
        plain = Outcome(Answer.ACCEPTED, "so")
        rich = Outcome(Answer.ACCEPTED, "so", seen=(1, 2), theorem="a theorem")
        assert plain == rich
        assert repr(plain) == repr(rich)
        assert plain.as_json() == rich.as_json()

    def test_they_are_recorded_in_full(self):
        outcome = Outcome(Answer.REJECTED, "so", 0.5, 3, "x = 1", {"level": Fraction(1, 2)})
        assert outcome.as_json() == {
            "answer": "rejected",
            "summary": "so",
            "tightness": 0.5,
            "cases": 3,
            "witness": "x = 1",
            "numbers": {"level": "1/2"},
        }

    def test_a_trial_is_the_same_whoever_finds_its_claims(self):
        assert Circumstances(Profile.QUICK, 0, 1e-6) == Circumstances(Profile.QUICK, 0, 1e-6, dict.get)
        with pytest.raises(KeyError, match=r"no claim has the id 't\.nowhere'"):
            Circumstances(Profile.QUICK, 0, 1e-6).find("t.nowhere")

    def test_a_result_takes_time(self):
        result = result_of(ONE, ONE.evidence[0], trial(ONE))
        assert result.seconds > 0
        assert (result.claim_id, result.name) == ("t.one", "by_the_kernel")
        assert (EvidenceResult("t.one", "e", SO).seconds, Judgement(ONE, None, None, ()).complete) == (
            0,
            True,
        )


class TestLetters:
    def test_a_letter_is_called_what_its_symbol_is_called(self):
        assert (LETTERS[far].name, LETTERS[far].latex, len(LETTERS)) == ("far", "z", len([*LETTERS]))

    def test_messages_name_letters_in_order(self):
        assert names([y, x, far]) == "far, x, y"

    @each("kind", Kind.NUMBER, Kind.QUANTITY)
    def test_numbers_and_quantities_have_a_domain(self, kind):
        from theorems.engine.statements.letters import Letter

        symbol = sympy.Symbol("s", real=True)
        assert Letter(symbol, "s", "a letter", kind, reals()).domain == reals()
        with pytest.raises(ClaimError, match="exactly numbers and quantities"):
            Letter(symbol, "s", "a letter", kind)

    def test_things_have_none(self):
        from theorems.engine.statements.letters import Letter

        with pytest.raises(ClaimError, match="exactly numbers and quantities"):
            Letter(sympy.Symbol("v"), "v", "a vector", Kind.VECTOR, reals())
        assert Letters().thing("v", "v", "a vector", Kind.VECTOR).assumptions0["commutative"]

    @each(
        "shown, printed",
        (None, r"g{\left(1, x\right)}"),
        (0, r"{g}_{1, x}"),
        (1, r"g{\left(1\right)}"),
        (2, r"g{\left(1, x\right)}"),
    )
    def test_some_arguments_are_understood(self, shown, printed):
        g = Letters().function("g", "g", "a function", shown=shown)
        assert sympy.latex(g(1, x)) == printed

    def test_an_argument_that_is_understood_is_told_unless_it_is_a_letter(self):
        g = Letters().function("g", "g", "a function", shown=1)
        assert sympy.latex(g(x, y)) == r"g{\left(x\right)}"
        assert sympy.latex(g(x, 2 * y)) == r"{g}_{2 y}{\left(x\right)}"
        assert sympy.latex(g(x, y) ** 2) == r"g^{2}{\left(x\right)}"

    def test_a_function_is_real_and_has_no_digits_of_its_own(self):
        zeta = Letters().function("zeta", r"\zeta", "no Riemann's")
        assert zeta(x).is_real
        assert zeta(2).evalf() == zeta(2)
        assert zeta.is_named

    def test_an_unknown_function_of_the_paper_keeps_its_meaning(self):
        g = Letters().function("g", "g", "a function", justified_by="t.one")
        assert (g.meaning, g.written, g.justified_by) == ("a function", "g", "t.one")


class TestHypotheses:
    def test_a_formula_must_be_a_relation(self):
        with pytest.raises(ClaimError, match="formula must be a relation"):
            Hypothesis("small", "it is small", formula=x + 1)

    def test_letters_of_its_display_count(self):
        shown = Hypothesis("small", "$x is small", latex=r"$far \to \infty")
        assert shown.letters(LETTERS) == {x, far}

    @each("name", "", "two words", 3, None)
    def test_it_has_a_name(self, name):
        with pytest.raises(ClaimError, match="named like a variable"):
            Hypothesis(name, "it is so")

    @each("says", "", " ", None)
    def test_it_says_something(self, says):
        with pytest.raises(ClaimError, match="must say something"):
            Hypothesis("small", says)

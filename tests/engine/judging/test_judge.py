"""Verdicts and grades follow from answers alone, and never exceed what a claim rests on."""

import pytest
from checked import result
from hypothesis import given
from hypothesis import strategies as st

from theorems.engine import Answer, Grade, Severity, Verdict, claim, sentence
from theorems.engine.claims.evidence import Evidence
from theorems.engine.claims.kinds import Role
from theorems.engine.claims.registry import Registry
from theorems.engine.judging.answers import Outcome
from theorems.engine.judging.judge import judge, ties
from theorems.engine.judging.results import EvidenceResult

ACCEPTED, REJECTED, UNDECIDED = Answer.ACCEPTED, Answer.REJECTED, Answer.UNDECIDED
GRADES = list(Grade)
HOLDS, FALSE, OPEN = Verdict.HOLDS, Verdict.FALSE, Verdict.OPEN


def nothing(constant=1):
    """No check is run here."""


def evidence(name, grade=Grade.PROVED, part="statement", role=Role.SUPPORTS):
    controls = {} if grade is Grade.CITED else {"wrong": {"constant": 0}}
    return Evidence(name, grade, nothing, controls, part, role)


def record(identifier="t.a", *items, rests_on=(), remark=None):
    states = {item.part: sentence("s") for item in items} or sentence("s")
    one = claim(identifier, at="a", title="t", states=states, rests_on=rests_on)
    one.evidence.extend(items)
    if remark:
        one.left_open(remark)
    return one


def judged(*claims, answers, ids=None):
    """Judgements, given answers by (claim, evidence)."""
    known = Registry((), {one.id: one for one in claims})
    controls = {"wrong": REJECTED}
    results = {key: result(*key, answer, controls) for key, answer in answers.items()}
    return judge(known, results, ids)


def single(*items, remark=None, **answers):
    one = record("t.a", *items, remark=remark)
    return judged(one, answers={("t.a", name): a for name, a in answers.items()}, ids=["t.a"])["t.a"]


class TestOwnEvidence:
    def test_accepted_evidence_gives_its_grade(self):
        for grade in GRADES:
            one = single(evidence("e", grade), e=ACCEPTED)
            assert (one.verdict, one.grade, one.problems, one.reasons) == (HOLDS, grade, (), ())

    def test_the_strongest_accepted_evidence_of_a_part_counts(self):
        items = [evidence("t", Grade.TESTED), evidence("p", Grade.PROVED)]
        assert single(*items, t=ACCEPTED, p=ACCEPTED).grade is Grade.PROVED
        one = single(*items, t=ACCEPTED, p=UNDECIDED)
        assert (one.verdict, one.grade) == (HOLDS, Grade.TESTED)
        assert one.problems == ("p is undecided: why",)

    def test_the_weakest_part_counts(self):
        items = [
            evidence("p", Grade.PROVED, "upper bound"),
            evidence("c", Grade.CERTIFIED, "lower bound"),
            evidence("t", Grade.TESTED, "lower bound"),
        ]
        assert single(*items, p=ACCEPTED, c=ACCEPTED, t=ACCEPTED).grade is Grade.CERTIFIED
        one = single(*items, p=ACCEPTED, c=UNDECIDED, t=UNDECIDED)
        assert (one.verdict, one.grade) == (OPEN, None)
        assert one.reasons == ("nothing accepted for: lower bound",)

    def test_one_rejected_check_makes_the_claim_false(self):
        surprise = "declared holds, came out false as stated"
        for grade in GRADES[1:]:
            items = [evidence("p", Grade.PROVED), evidence("r", grade)]
            one = single(*items, p=ACCEPTED, r=REJECTED)
            assert (one.verdict, one.grade) == (FALSE, grade)
            assert one.problems == (surprise, "r is rejected: why")

    def test_arguments_count_only_together(self):
        items = [evidence("a", Grade.ARGUED), evidence("b", Grade.ARGUED)]
        assert single(*items, a=ACCEPTED, b=ACCEPTED).grade is Grade.ARGUED
        assert single(*items, a=ACCEPTED, b=UNDECIDED).verdict is OPEN

    def test_a_proof_with_something_in_words_among_its_leaves_is_argued(self):
        one = record("t.a", evidence("p"), evidence("q", Grade.TESTED))
        for shown, grade in (("argued", Grade.ARGUED), ("proved", Grade.PROVED)):
            proof = Outcome(ACCEPTED, "", numbers={"grade": shown})
            results = {("t.a", "p"): EvidenceResult("t.a", "p", proof)}
            results["t.a", "q"] = result("t.a", "q", ACCEPTED, {})
            assert judge(Registry((), {"t.a": one}), results)["t.a"].grade is grade

    def test_undecided_alone_is_open_and_a_problem(self):
        one = single(evidence("e"), e=UNDECIDED)
        assert (one.verdict, one.grade) == (OPEN, None)
        assert one.problems == ("declared holds, came out open", "e is undecided: why")

    def test_no_evidence_is_open_for_the_reason_given(self):
        one = single(remark="out of reach")
        assert (one.verdict, one.grade, one.reasons) == (OPEN, None, ("out of reach",))
        assert one.problems == ()

    def test_left_open_stays_open_whatever_was_tested(self):
        one = single(evidence("e"), remark="only the first half", e=ACCEPTED)
        assert (one.verdict, one.grade, one.problems) == (OPEN, None, ())
        assert one.reasons == ("only the first half",)
        one = single(evidence("e"), remark="only the first half", e=REJECTED)
        assert one.verdict is FALSE
        assert one.problems[0] == "declared open, came out false as stated"


class TestCounterexamples:
    refutes = evidence("r", Grade.CERTIFIED, role=Role.REFUTES)

    def test_an_accepted_counterexample_makes_the_claim_false(self):
        one = single(self.refutes, r=ACCEPTED)
        assert (one.verdict, one.grade, one.problems) == (FALSE, Grade.CERTIFIED, ())

    def test_a_finding_is_labelled_with_its_severity(self):
        edge = Evidence("r", Grade.PROVED, nothing, {"wrong": {"constant": 0}}, "statement",
                        Role.REFUTES, severity=Severity.EDGE)  # fmt: skip
        assert single(edge, r=ACCEPTED).label == "false as stated: edge"
        assert single(evidence("s"), s=ACCEPTED).label == "holds"
        assert single(evidence("s", Grade.CITED), s=ACCEPTED).label == "cited"
        held = single(evidence("t"), edge, t=ACCEPTED, r=UNDECIDED)
        assert held.label == held.verdict.value == "open"

    def test_the_strongest_counterexample_counts(self):
        proved = evidence("s", Grade.PROVED, role=Role.REFUTES)
        for items in ([self.refutes, proved], [proved, self.refutes]):
            assert single(*items, r=ACCEPTED, s=ACCEPTED).grade is Grade.PROVED

    def test_one_that_is_none_is_a_problem(self):
        one = single(self.refutes, r=REJECTED)
        assert one.verdict is OPEN
        assert one.problems == ("declared false as stated, came out open", "r is rejected: why")
        one = single(evidence("t"), self.refutes, t=ACCEPTED, r=REJECTED)
        assert one.verdict is HOLDS
        assert one.problems[0] == "declared false as stated, came out holds"

    def test_while_it_is_not_settled_the_claim_does_not_hold(self):
        for answers in ({"t": ACCEPTED}, {"t": ACCEPTED, "r": UNDECIDED}):
            one = single(evidence("t"), self.refutes, **answers)
            assert (one.verdict, one.reasons) == (OPEN, ("r may be a counterexample",))


class TestControls:
    def test_a_control_not_rejected_is_a_problem(self):
        one = record("t.a", evidence("e"))
        for control in (ACCEPTED, UNDECIDED):
            results = {("t.a", "e"): result("t.a", "e", controls={"wrong": control})}
            found = judge(Registry((), {"t.a": one}), results)["t.a"]
            assert found.verdict is HOLDS
            assert found.problems == (f"control wrong of e was not rejected but {control.value}",)

    def test_controls_of_counterexamples_count_too(self):
        one = record("t.a", TestCounterexamples.refutes)
        results = {("t.a", "r"): result("t.a", "r", controls={"wrong": UNDECIDED})}
        assert judge(Registry((), {"t.a": one}), results)["t.a"].problems


class TestDependencies:
    def chain(self, lower_grade, upper_grade, lower_answer=ACCEPTED, **how):
        lower = record("t.low", evidence("e", lower_grade), **how)
        upper = record("t.up", evidence("e", upper_grade), rests_on=["t.low"])
        answers = {("t.low", "e"): lower_answer, ("t.up", "e"): ACCEPTED}
        return judged(upper, lower, answers=answers)

    def test_resting_on_what_does_not_hold_is_open(self):
        for answer, verdict in ((REJECTED, FALSE), (UNDECIDED, OPEN)):
            found = self.chain(Grade.PROVED, Grade.PROVED, answer)
            assert (found["t.up"].verdict, found["t.up"].grade) == (OPEN, None)
            assert found["t.up"].reasons == (f"rests on t.low: {verdict.value}",)
            assert found["t.up"].problems == ("declared holds, came out open",)

    def test_a_counterexample_is_no_stronger_than_what_it_uses(self):
        refutes = TestCounterexamples.refutes
        for lower in GRADES:
            low = record("t.low", evidence("e", lower))
            up = record("t.up", refutes, rests_on=[low])
            answers = {("t.up", "r"): ACCEPTED, ("t.low", "e"): ACCEPTED}
            found = judged(low, up, answers=answers)["t.up"]
            assert (found.verdict, found.grade) == (FALSE, min(lower, refutes.grade))

    def test_a_counterexample_that_uses_what_is_open_leaves_it_open(self):
        low = record("t.low", remark="unknown")
        up = record("t.up", TestCounterexamples.refutes, rests_on=[low])
        found = judged(low, up, answers={("t.up", "r"): ACCEPTED})["t.up"]
        assert (found.verdict, found.grade) == (OPEN, None)
        assert found.problems == ("declared false as stated, came out open",)

    def test_judgements_come_in_reading_order(self):
        assert list(self.chain(Grade.PROVED, Grade.PROVED)) == ["t.up", "t.low"]

    @given(st.lists(st.sampled_from(GRADES), min_size=2, max_size=6), st.data())
    def test_grades_are_minima_over_all_ancestors(self, grades, data):
        claims, ancestors = [], []
        for i, grade in enumerate(grades):
            below = data.draw(st.sets(st.integers(0, i - 1))) if i else set()
            ids = [f"t.c{j}" for j in below]
            claims.append(record(f"t.c{i}", evidence("e", grade), rests_on=ids))
            ancestors.append({i}.union(*(ancestors[j] for j in below)))
        answers = {(one.id, "e"): ACCEPTED for one in claims}
        found = judged(*reversed(claims), answers=answers)
        for i, above in enumerate(ancestors):
            assert found[f"t.c{i}"].grade is min(grades[j] for j in above)


class TestWhatWasNotExamined:
    def test_evidence_of_a_larger_profile_leaves_the_claim_open_in_part(self):
        items = [evidence("q", part="a"), evidence("f", part="b")]
        one = single(*items, q=ACCEPTED)
        assert (one.verdict, one.complete, one.problems) == (OPEN, False, ())
        assert one.reasons == ("nothing accepted for: b",)

    def test_a_part_with_other_evidence_is_settled(self):
        one = single(evidence("q", Grade.TESTED), evidence("f", Grade.PROVED), q=ACCEPTED)
        assert (one.verdict, one.grade, one.complete) == (HOLDS, Grade.TESTED, False)

    def test_it_excuses_nothing_that_was_examined(self):
        items = [evidence("q", part="a"), evidence("f", part="b")]
        one = single(*items, q=REJECTED)
        assert one.verdict is FALSE
        assert len(one.problems) == 2
        assert single(*items, q=UNDECIDED).problems == ("q is undecided: why",)

    def test_it_spreads_to_what_rests_on_the_claim(self):
        low, up = record("t.low", evidence("e")), record("t.up", evidence("e"), rests_on=["t.low"])
        found = judged(low, up, answers={("t.up", "e"): ACCEPTED}, ids=["t.up"])
        assert [one.complete for one in found.values()] == [False, False]
        assert found["t.up"].verdict is OPEN
        assert found["t.up"].problems == ()

    def test_without_names_only_what_is_known_is_judged(self):
        low, up = record("t.low", evidence("e")), record("t.up", evidence("e"), rests_on=["t.low"])
        alone, question = record("t.alone", evidence("e")), record("t.open", remark="why not")
        claims = (low, up, alone, question)
        assert list(judged(*claims, answers={("t.up", "e"): ACCEPTED})) == ["t.open"]
        assert list(judged(*claims, answers={("t.low", "e"): ACCEPTED})) == ["t.low", "t.open"]

    def test_with_names_nothing_else_is_judged(self):
        alone, question = record("t.alone", evidence("e")), record("t.open", remark="why not")
        answers = {("t.alone", "e"): ACCEPTED}
        assert list(judged(alone, question, answers=answers, ids=["t.alone"])) == ["t.alone"]
        with pytest.raises(KeyError, match=r"t\.alone"):
            judged(alone, question, answers=answers, ids=["t.alonf"])


def test_a_simulation_ties_the_numbers_of_those_controls_that_it_rejects():
    one = record("t.a", evidence("e", Grade.ESTIMATED))
    for control, tied in ((REJECTED, {"constant": "rejected"}), (ACCEPTED, {}), (UNDECIDED, {})):
        told = {"e": result("t.a", "e", controls={"wrong": control})}
        assert ties(one, told, "statement") == tied


def test_tightness_is_the_largest_over_the_evidence():
    one = record("t.a", evidence("e"), evidence("f"), evidence("g"))
    sizes = {"e": 0.5, "f": 0.75, "g": None}
    outcomes = {name: Outcome(ACCEPTED, "why", tightness=one) for name, one in sizes.items()}
    results = {("t.a", name): EvidenceResult("t.a", name, one) for name, one in outcomes.items()}
    found = judge(Registry((), {"t.a": one}), results)["t.a"]
    assert found.tightness == 0.75
    assert single(evidence("e"), e=ACCEPTED).tightness is None


@given(
    st.lists(
        st.tuples(
            st.sampled_from(GRADES[3:]),
            st.sampled_from(["a", "b"]),
            st.sampled_from(list(Role)),
            st.sampled_from([ACCEPTED, REJECTED, UNDECIDED, None]),
        ),
        min_size=1,
        max_size=5,
    )
)
def test_a_claim_holds_only_if_every_part_has_accepted_support(items):
    """The rules once more, in the words of the design."""
    evidences = [evidence(f"e{i}", g, p, r) for i, (g, p, r, _) in enumerate(items)]
    answers = {f"e{i}": a for i, (*_, a) in enumerate(items) if a}
    one = single(*evidences, **answers)
    support = [(g, p, a) for g, p, r, a in items if r is Role.SUPPORTS]
    refuting = [a for _, _, r, a in items if r is Role.REFUTES]
    parts = {p for _, p, _, _ in items}
    broken = {p for g, p, a in support if g is Grade.ARGUED and a != ACCEPTED}  # one argument
    counted = [(g, p) for g, p, a in support if a == ACCEPTED]
    counted = [(g, p) for g, p in counted if g is not Grade.ARGUED or p not in broken]
    covered = {p for _, p in counted}
    if ACCEPTED in refuting or REJECTED in [a for *_, a in support]:
        assert one.verdict is FALSE
    elif parts and parts == covered and all(a == REJECTED for a in refuting):
        assert one.verdict is HOLDS
        best = {p: max(g for g, q in counted if q == p) for p in parts}
        assert one.grade is min(best.values())
    else:
        assert (one.verdict, one.grade) == (OPEN, None)
        assert one.reasons
    bad = [a for *_, a in items if a in {REJECTED, UNDECIDED}]
    assert len(one.problems) >= len(bad)

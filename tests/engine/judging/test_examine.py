"""What exact evidence may answer: nothing but a real decision is ever accepted."""

from dataclasses import dataclass, replace

import flint
import mpmath
import numpy as np
import sympy
from demo.kinds import Certificate, Decision
from examining import TRIAL, answer, attached, returning, stated
from hypothesis import strategies as st
from trying import each

from theorems.engine import Answer, Choice, Grade, Measured, Severity
from theorems.engine.claims.kinds import Role
from theorems.engine.judging.examine import examine, examine_controls


@dataclass
class Chain:
    """What the engine needs of a derivation."""

    answers: tuple

    def check(self):
        return [type("Step", (), {"reason": f"step {i}", "answer": a}) for i, a in enumerate(self.answers)]

    def latex(self):
        return ""


def some(*answers):
    yield from (("step", one) for one in answers)


def broken():
    yield ("fine", True)
    raise RuntimeError("later")


class TestArgued:
    @each(
        "value",
        [("a", True)],
        [("a", True), ("b", True)],
        lambda: some(True, True),
        Chain((True, True)),
        (("a", True),),
    )
    def test_accepted(self, value):
        assert answer("argued", returning(value)).answer is Answer.ACCEPTED

    @each(
        "value",
        [("a", False)],
        [("a", True), ("b", False)],
        [("a", None), ("b", False)],
        lambda: some(False, True),
        Chain((True, False, None)),
    )
    def test_rejected(self, value):
        outcome = answer("argued", returning(value))
        assert outcome.answer is Answer.REJECTED

    def test_undecided(self):
        cases = [
            None,
            True,
            1,
            "yes",
            "ab",
            object(),
            [],
            (),
            {},
            some,
            Chain(()),
            [True],
            [("a",)],
            [("a", True, True)],
            [("a", None)],
            [("a", True), ("b", None)],
            [("a", 1)],
            [("a", "True")],
            [("a", np.True_)],
            [("a", np.False_)],
            [("a", np.array([True]))],
            [("a", sympy.true)],
            [("a", sympy.Symbol("x") > 0)],
            [("a", flint.arb(1))],
            [("a", object())],
            Chain((True, None)),
            Chain((True, 1)),
            broken,
            ("a", True),
        ]
        for value in cases:
            assert answer("argued", returning(value)).answer is Answer.UNDECIDED

    def test_the_summary_counts_the_steps(self):
        assert answer("argued", returning([("a", True)])).summary == "1 exact step"
        assert answer("argued", returning([("a", True), ("b", True)])).summary == "2 exact steps"

    def test_without_certificates_there_are_no_numbers_to_record(self):
        outcome = answer("argued", returning([("a", True)]))
        assert outcome.as_json()["numbers"] == {}


class TestCertificates:
    proved = Certificate(Decision.PROVED)
    undecided = replace(proved, decision=Decision.UNDECIDED, reason="out of budget")
    refuted = replace(proved, decision=Decision.REFUTED, witness="x = 1/2", margin=None)

    def test_all_certificates_must_be_proved(self):
        for value in (self.proved, [self.proved], lambda: iter([self.proved, self.proved])):
            assert answer("argued", returning(value)).answer is Answer.ACCEPTED
        for value in (self.refuted, [self.undecided, self.refuted], (self.refuted, self.proved)):
            assert answer("argued", returning(value)).answer is Answer.REJECTED
        for value in (self.undecided, [self.proved, self.undecided]):
            assert answer("argued", returning(value)).answer is Answer.UNDECIDED

    def test_a_decision_of_another_name_decides_nothing(self):
        strange = replace(self.proved, decision=Answer.ACCEPTED)
        assert answer("argued", returning(strange)).answer is Answer.UNDECIDED

    def test_numbers_and_assumptions_are_reported(self):
        pair = [self.proved, replace(self.proved, boxes=5, margin=0.5, assumptions=("f is C^1",))]
        outcome = answer("argued", returning(pair))
        assert outcome.numbers["boxes"] == 8
        assert outcome.numbers["vouched for"] == ["f is C^1"]
        assert answer("argued", returning([self.proved, self.refuted])).witness == "x = 1/2"

    def test_the_certificates_of_the_package_are_understood(self):
        from numeric.certify.outcome import Certificate as Real
        from numeric.certify.outcome import Decision as Decided
        from numeric.certify.outcome import Range, Witness

        real = Real(Decided.PROVED, "f > 0", {"x": Range("0", "pi")}, 4, 2, 53, "balls")
        at = Witness({"x": 1}, "-1")
        assert answer("argued", returning(real)).answer is Answer.ACCEPTED
        wrong = replace(real, decision=Decided.REFUTED, witness=at)
        outcome = answer("argued", returning(wrong))
        assert (outcome.answer, outcome.witness) == (Answer.REJECTED, str(at))
        unknown = replace(real, decision=Decided.UNDECIDED, reason="too deep")
        outcome = answer("argued", returning([real, unknown]))
        assert outcome.answer is Answer.UNDECIDED
        assert "too deep" in outcome.summary


def test_a_violation_is_reported_at_the_simplest_case():
    def check(case, constant):
        return Measured(constant + case / 1000 if case >= 10 else 0.5)

    outcome = answer("tested", check, over=st.integers(0, 10**6))
    assert (outcome.answer, outcome.witness) == (Answer.REJECTED, "10")


def test_seeds_differ_between_seeds_claims_and_checks():
    def seed(number, identifier, name):
        namespace = {}
        exec(f"def {name}(constant): return [constant]", namespace)
        one = attached(stated(identifier), "argued", namespace[name])
        return replace(TRIAL, seed=number).seed_of(one, one.evidence[0])

    seeds = {seed(n, i, f) for n in (0, 1) for i in ("t.a", "t.b") for f in ("f", "g")}
    assert len(seeds) == 8
    assert seed(0, "t.a", "f") == seed(0, "t.a", "f")


def test_a_cited_source_is_accepted_as_cited():
    one = stated()
    one.cited("Rudin, 1.1", why="textbook")
    outcome = examine(one, one.evidence[0], TRIAL)
    assert (outcome.answer, outcome.summary) == (Answer.ACCEPTED, "Rudin, 1.1: textbook")
    assert one.evidence[0].grade is Grade.CITED


@each("leaving", SystemExit, GeneratorExit)
def test_leaving_the_program_is_an_exception_like_any_other(leaving):
    def check(constant):
        raise leaving(constant)

    assert answer("argued", check).answer is Answer.UNDECIDED


def test_controls_replace_slots():
    one, changes = stated(), {"off": 2, "broken": Choice("none", None), "same": 1}
    controls = {name: {"constant": value} for name, value in changes.items()}

    @one.argued(bridge="It is so.", controls=controls)
    def check(constant):
        return [("positive", 2 - constant > 0)]

    outcomes = examine_controls(one, one.evidence[0], TRIAL)
    assert {name: out.answer.value for name, out in outcomes.items()} == {
        "off": "rejected",
        "broken": "undecided",
        "same": "accepted",
    }


def test_a_counterexample_to_a_sentence_is_made_of_obligations():
    one = attached(stated(), "refuted", returning([("c = 2", True)]), severity=Severity.EDGE)
    assert one.evidence[0].role is Role.REFUTES
    assert examine(one, one.evidence[0], TRIAL).answer is Answer.ACCEPTED


def test_precision_changed_by_one_check_does_not_reach_the_next():
    seen = []

    def check(constant):
        assert constant
        seen.append((mpmath.mp.prec, flint.ctx.prec, np.geterr()["invalid"]))
        mpmath.mp.dps, flint.ctx.prec = 50, 1000
        np.seterr(invalid="ignore")
        return [("it", True)]

    mpmath.mp.prec, flint.ctx.prec = 100, 200
    answer("argued", check)
    answer("argued", check)
    assert seen == [(53, 53, "warn")] * 2
    assert (mpmath.mp.prec, flint.ctx.prec, np.geterr()["invalid"]) == (100, 200, "warn")


class TestAnswers:
    T, F, N = Answer.ACCEPTED, Answer.REJECTED, Answer.UNDECIDED

    def test_conjunction(self):
        table = {
            (): self.N,
            (self.T,): self.T,
            (self.F,): self.F,
            (self.N,): self.N,
            (self.T, self.N): self.N,
            (self.N, self.F): self.F,
            (self.T, self.F): self.F,
            (self.T, self.T): self.T,
        }
        assert {answers: Answer.all(answers) for answers in table} == table
        assert Answer.all(iter([self.T])) is self.T

    def test_grades_are_ordered(self):
        order = ["cited", "estimated", "tested", "argued", "certified", "proved"]
        assert [str(grade) for grade in sorted(Grade)] == order

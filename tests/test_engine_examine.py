"""What each kind of evidence may answer: nothing but a real decision is ever accepted."""

import math
from dataclasses import dataclass, replace

import flint
import mpmath
import numpy as np
import pytest
import sympy
from demo.kinds import Certificate, Decision
from hypothesis import assume
from hypothesis import strategies as st

from theorems.engine import Answer, Discrepancy, Grade, Measured, claim
from theorems.engine.claim import Profile, Role
from theorems.engine.examine import Trial, examine, examine_controls

NAN, INF = math.nan, math.inf
UNIT = st.floats(0, 1)
TRIAL = Trial(Profile.QUICK, seed=0, level=1e-6)
CONTROL = {"wrong": {"constant": 0}}


def answer(kind, check, trial=TRIAL, **how):
    """The answer of one check, attached to a claim as a paper would."""
    one = claim("t.one", at="Eq. (1)", title="One", states="1 = 1")
    getattr(one, kind)(controls=CONTROL, **how)(check)
    return examine(one, one.evidence[0], trial)


def returning(value):
    """A check that answers the same whatever it is asked."""

    def check(*_case, constant=1, rng=None, draws=None):
        return value() if callable(value) else value

    return check


@dataclass
class Chain:
    """What the engine needs of a derivation."""

    answers: tuple

    def check(self):
        return [
            type("Step", (), {"reason": f"step {i}", "answer": a})
            for i, a in enumerate(self.answers)
        ]

    def latex(self):
        return ""


def some(*answers):
    yield from (("step", one) for one in answers)


def broken():
    yield ("fine", True)
    raise RuntimeError("later")


class TestProved:
    @pytest.mark.parametrize(
        "value",
        [
            [("a", True)],
            [("a", True), ("b", True)],
            lambda: some(True, True),
            Chain((True, True)),
            (("a", True),),
        ],
    )
    def test_accepted(self, value):
        assert answer("proved", returning(value)).answer is Answer.ACCEPTED

    @pytest.mark.parametrize(
        "value",
        [
            [("a", False)],
            [("a", True), ("b", False)],
            [("a", None), ("b", False)],
            lambda: some(False, True),
            Chain((True, False, None)),
        ],
    )
    def test_rejected(self, value):
        outcome = answer("proved", returning(value))
        assert outcome.answer is Answer.REJECTED

    @pytest.mark.parametrize(
        "value",
        [
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
        ],
    )
    def test_undecided(self, value):
        assert answer("proved", returning(value)).answer is Answer.UNDECIDED

    def test_the_summary_names_the_step_that_fails(self):
        outcome = answer("proved", returning([("first", True), ("second", False)]))
        assert "second" in outcome.summary
        assert "first" not in outcome.summary
        assert outcome.cases == 2


class TestCertified:
    proved = Certificate(Decision.PROVED)
    undecided = replace(proved, decision=Decision.UNDECIDED, reason="out of budget")
    refuted = replace(proved, decision=Decision.REFUTED, witness="x = 1/2", margin=None)

    def test_all_certificates_must_be_proved(self):
        for value in (self.proved, [self.proved], lambda: iter([self.proved, self.proved])):
            assert answer("certified", returning(value)).answer is Answer.ACCEPTED
        for value in (self.refuted, [self.undecided, self.refuted], (self.refuted, self.proved)):
            assert answer("certified", returning(value)).answer is Answer.REJECTED
        for value in (self.undecided, [self.proved, self.undecided]):
            assert answer("certified", returning(value)).answer is Answer.UNDECIDED

    @pytest.mark.parametrize(
        "value", [None, True, [], (), "PROVED", Decision.PROVED, [("a", True)], [None], object()]
    )
    def test_what_is_no_certificate_decides_nothing(self, value):
        assert answer("certified", returning(value)).answer is Answer.UNDECIDED

    def test_a_decision_of_another_name_decides_nothing(self):
        strange = replace(self.proved, decision=Answer.ACCEPTED)
        assert answer("certified", returning(strange)).answer is Answer.UNDECIDED

    def test_numbers_and_assumptions_are_reported(self):
        pair = [self.proved, replace(self.proved, boxes=5, margin=0.5, assumptions=("f is C^1",))]
        outcome = answer("certified", returning(pair))
        assert outcome.numbers["boxes"] == 8
        assert outcome.numbers["margin"] == 0.25
        assert outcome.numbers["vouched for"] == ["f is C^1"]
        assert outcome.numbers["covers"] == ["f > 0 for x in [0, 1]"] * 2
        assert answer("certified", returning([self.proved, self.refuted])).witness == "x = 1/2"

    def test_without_margins_there_is_no_margin(self):
        outcome = answer("certified", returning(replace(self.proved, margin=None)))
        assert (outcome.answer, outcome.numbers["margin"]) == (Answer.ACCEPTED, None)

    def test_the_certificates_of_the_package_are_understood(self):
        from numeric.certify.outcome import Certificate as Real
        from numeric.certify.outcome import Decision as Decided
        from numeric.certify.outcome import Range, Witness

        real = Real(Decided.PROVED, "f > 0", {"x": Range("0", "pi")}, 4, 2, 53, "balls")
        at = Witness({"x": 1}, "-1")
        assert answer("certified", returning(real)).answer is Answer.ACCEPTED
        wrong = replace(real, decision=Decided.REFUTED, witness=at)
        outcome = answer("certified", returning(wrong))
        assert (outcome.answer, outcome.witness) == (Answer.REJECTED, str(at))
        unknown = replace(real, decision=Decided.UNDECIDED, reason="too deep")
        outcome = answer("certified", returning([real, unknown]))
        assert outcome.answer is Answer.UNDECIDED
        assert "too deep" in outcome.summary


def searched(check, over):
    return answer("tested", check, over=over, cases=20)


class TestTested:
    @pytest.mark.parametrize(
        "value",
        [
            Measured(0.0),
            Measured(1.0),
            Measured(-3),
            Measured(np.float64(0.5)),
            Measured(np.float32(0.5)),
            Measured(mpmath.mpf(0.5)),
            Measured(sympy.Rational(1, 2)),
            Measured(1.0 + 1e-12, 1e-11),
            Discrepancy(0.0, 0.0),
            Discrepancy(-1e-16, 1e-15),
            Discrepancy(1e-15, 1e-15),
        ],
    )
    def test_accepted(self, value):
        assert searched(returning(value), UNIT).answer is Answer.ACCEPTED

    @pytest.mark.parametrize(
        "value",
        [
            Measured(1.0 + 1e-12),
            Measured(1.0 + 1e-11, 1e-12),
            Measured(1e300, 5.0),
            Discrepancy(2e-15, 1e-15),
            Discrepancy(-2e-15, 1e-15),
            Discrepancy(-1, 0),
        ],
    )
    def test_rejected(self, value):
        assert searched(returning(value), UNIT).answer is Answer.REJECTED

    @pytest.mark.parametrize(
        "value",
        [
            None,
            True,
            False,
            np.True_,
            0.5,
            [],
            (0.5, 0.1),
            object(),
            Measured,
            lambda: (x for x in [Measured(0.5)]),
            Measured(NAN),
            Measured(INF),
            Measured(-INF),
            Measured(NAN, 0.1),
            Measured(INF, INF),
            Measured(0.5, INF),
            Measured(0.5, 1.0),
            Measured(1.5, 1.0),
            Discrepancy(NAN, 1e-15),
            Discrepancy(INF, 1e-15),
            Discrepancy(-INF, 1e-15),
        ],
    )
    def test_undecided(self, value):
        assert searched(returning(value), UNIT).answer is Answer.UNDECIDED

    @pytest.mark.parametrize("value", [NAN, -1e-9, -INF, None, "0", 1j, flint.arb(0), True])
    def test_no_rounding_or_allowance_but_a_positive_number(self, value):
        with pytest.raises((TypeError, ValueError), match="rounding must"):
            Measured(0.5, value)
        with pytest.raises((TypeError, ValueError), match="allowed must"):
            Discrepancy(0.5, value)

    def test_an_infinite_allowance_is_refused(self):
        with pytest.raises(ValueError, match="allowed must"):
            Discrepancy(0.5, INF)

    @pytest.mark.parametrize(
        "value", [None, True, np.True_, "0.5", 0.5j, flint.arb(0.5), np.array([0.5]), [0.5]]
    )
    def test_a_ratio_is_a_real_number(self, value):
        with pytest.raises(TypeError, match="ratio must be a real number"):
            Measured(value)
        with pytest.raises(TypeError, match="error must be a real number"):
            Discrepancy(value, 1e-15)

    def test_an_exception_is_undecided_and_says_where(self):
        def check(case, constant=1):
            return {}[case]

        outcome = searched(check, UNIT)
        assert outcome.answer is Answer.UNDECIDED
        assert "KeyError at test_engine_examine.py:" in outcome.summary

    def test_assuming_the_impossible_is_vacuous(self):
        def check(case, constant=1):
            assume(False)
            return Measured(0.5)

        for outcome in (
            searched(check, UNIT),
            searched(check, st.floats(0, 1).filter(lambda _: False)),
        ):
            assert outcome.answer is Answer.UNDECIDED
            assert outcome.summary.startswith("vacuous")
            assert outcome.cases == 0

    def test_a_strategy_may_be_made_on_demand_and_need_not_be_one(self):
        check = returning(Measured(0.5))
        assert searched(check, lambda: st.integers(0, 3)).answer is Answer.ACCEPTED
        for strange in ([0.1, 0.2], lambda: None, lambda: 1 / 0, st.nothing(), 7):
            assert searched(check, strange).answer is Answer.UNDECIDED

    def test_effort_multiplies_the_cases(self):
        for profile, expected in ((Profile.QUICK, 20), (Profile.FULL, 200)):
            trial = Trial(profile, 0, 1e-6)
            check = returning(Measured(0.5))
            outcome = answer("tested", check, trial, over=UNIT, cases=20)
            assert outcome.cases == expected


@dataclass(frozen=True)
class Statistic:
    """A test as numeric.statistics makes it."""

    p_value: float
    effect: float = 0.1

    def detectable(self, level, power):
        return self.effect


def estimated(value, trial=TRIAL, draws=10):
    return answer("estimated", returning(value), trial, draws=draws)


class TestEstimated:
    def test_accepted_and_rejected(self):
        assert estimated(Statistic(0.5)).answer is Answer.ACCEPTED
        assert estimated(Statistic(1.0)).answer is Answer.ACCEPTED
        assert estimated(Statistic(0.0)).answer is Answer.REJECTED
        assert estimated([Statistic(0.5), Statistic(1e-9)]).answer is Answer.REJECTED
        assert estimated(lambda: iter([Statistic(0.5)])).answer is Answer.ACCEPTED

    def test_the_level_is_shared_among_the_tests(self):
        one = Statistic(0.8e-6)
        assert estimated(one).answer is Answer.REJECTED
        assert estimated([one, Statistic(0.5)]).answer is Answer.ACCEPTED
        assert estimated([Statistic(0.4e-6), Statistic(0.5)]).answer is Answer.REJECTED
        assert estimated(Statistic(1e-6)).answer is Answer.ACCEPTED
        assert estimated([one, Statistic(0.5)]).numbers["level"] == 0.5e-6

    @pytest.mark.parametrize("p", [NAN, -0.1, 1.0000001, INF, -INF, None, "0.5", True, 0.5j])
    def test_a_p_value_that_is_no_probability(self, p):
        assert estimated(Statistic(p)).answer is Answer.UNDECIDED
        assert estimated([Statistic(0.5), Statistic(p)]).answer is Answer.UNDECIDED

    @pytest.mark.parametrize("value", [None, [], (), True, 0.5, [0.5], object(), [None]])
    def test_what_is_no_test(self, value):
        assert estimated(value).answer is Answer.UNDECIDED

    @pytest.mark.parametrize("effect", [NAN, INF])
    def test_a_test_without_power_decides_nothing(self, effect):
        assert estimated(Statistic(0.5, effect)).answer is Answer.UNDECIDED

    def test_the_weakest_test_gives_the_detectable_effect(self):
        numbers = estimated([Statistic(0.5, 0.1), Statistic(0.2, 0.3)]).numbers
        assert numbers["detectable"] == 0.3
        assert numbers["p_value"] == 0.2
        assert numbers["power"] == 0.999

    def test_effort_multiplies_the_draws_and_the_seed_decides_them(self):
        seen = []

        def check(rng, draws, constant=1):
            seen.append((draws, rng.random()))
            return Statistic(0.5)

        for trial in (TRIAL, TRIAL, replace(TRIAL, seed=1), replace(TRIAL, profile=Profile.FULL)):
            answer("estimated", check, trial, draws=7)
        assert [draws for draws, _ in seen] == [7, 7, 7, 70]
        assert seen[0] == seen[1] != seen[2]


def test_seeds_differ_between_seeds_claims_and_checks():
    def seed(number, identifier, name):
        one = claim(identifier, at="a", title="t", states="s")
        namespace = {}
        exec(f"def {name}(constant=1): return []", namespace)
        one.proved(controls=CONTROL)(namespace[name])
        return replace(TRIAL, seed=number).seed_of(one, one.evidence[0])

    seeds = {seed(n, i, f) for n in (0, 1) for i in ("t.a", "t.b") for f in ("f", "g")}
    assert len(seeds) == 8
    assert seed(0, "t.a", "f") == seed(0, "t.a", "f")


def test_a_cited_source_is_accepted_as_cited():
    one = claim("t.one", at="a", title="t", states="s")
    one.cited("Rudin, 1.1", why="textbook")
    outcome = examine(one, one.evidence[0], TRIAL)
    assert (outcome.answer, outcome.summary) == (Answer.ACCEPTED, "Rudin, 1.1: textbook")
    assert one.evidence[0].grade is Grade.CITED


def test_leaving_the_program_is_an_exception_like_any_other():
    def check(constant=1):
        raise SystemExit(0)

    assert answer("proved", check).answer is Answer.UNDECIDED


def test_controls_replace_the_disputed_arguments():
    one = claim("t.one", at="a", title="t", states="s")

    @one.proved(controls={"off": {"claim": 2}, "broken": {"claim": None}, "same": {"claim": 1}})
    def check(claim=1):
        return [("positive", 2 - claim > 0)]

    outcomes = examine_controls(one, one.evidence[0], TRIAL)
    assert {name: out.answer.value for name, out in outcomes.items()} == {
        "off": "rejected",
        "broken": "undecided",
        "same": "accepted",
    }


def test_a_counterexample_is_examined_by_the_rules_of_its_grade():
    one = claim("t.one", at="a", title="t", states="s")
    one.refuted(by=Grade.CERTIFIED, controls=CONTROL)(returning(Certificate(Decision.PROVED)))
    assert one.evidence[0].role is Role.REFUTES
    assert examine(one, one.evidence[0], TRIAL).answer is Answer.ACCEPTED


def test_precision_changed_by_one_check_does_not_reach_the_next():
    seen = []

    def check(constant=1):
        seen.append((mpmath.mp.prec, flint.ctx.prec, np.geterr()["invalid"]))
        mpmath.mp.dps, flint.ctx.prec = 50, 1000
        np.seterr(invalid="ignore")
        return [("it", True)]

    mpmath.mp.prec, flint.ctx.prec = 100, 200
    answer("proved", check)
    answer("proved", check)
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
        order = ["cited", "estimated", "tested", "certified", "proved"]
        assert [str(grade) for grade in sorted(Grade)] == order

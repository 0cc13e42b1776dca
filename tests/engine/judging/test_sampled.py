"""What searches and simulations may answer: NaN, overflow and vacuity are never accepted."""

import math
from dataclasses import dataclass, replace

import flint
import mpmath
import numpy as np
import pytest
import sympy
from examining import TRIAL, answer, returning
from hypothesis import assume
from hypothesis import strategies as st
from trying import each

from theorems.engine import Answer, Discrepancy, Measured
from theorems.engine.claims.kinds import Profile
from theorems.engine.judging.examine import Circumstances

NAN, INF = math.nan, math.inf
UNIT = st.floats(0, 1)


def searched(check, over):
    return answer("tested", check, over=over, cases=20)


class TestTested:
    def test_accepted(self):
        cases = [
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
        ]
        for value in cases:
            assert searched(returning(value), UNIT).answer is Answer.ACCEPTED

    def test_rejected(self):
        cases = [
            Measured(1.0 + 1e-12),
            Measured(1.0 + 1e-11, 1e-12),
            Measured(1e300, 5.0),
            Discrepancy(2e-15, 1e-15),
            Discrepancy(-2e-15, 1e-15),
            Discrepancy(-1, 0),
        ]
        for value in cases:
            assert searched(returning(value), UNIT).answer is Answer.REJECTED

    def test_undecided(self):
        cases = [
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
        ]
        for value in cases:
            assert searched(returning(value), UNIT).answer is Answer.UNDECIDED

    @each("value", NAN, -1e-9, -INF, None, "0", 1j, flint.arb(0), True)
    def test_no_rounding_or_allowance_but_a_positive_number(self, value):
        with pytest.raises((TypeError, ValueError), match="rounding must"):
            Measured(0.5, value)
        with pytest.raises((TypeError, ValueError), match="allowed must"):
            Discrepancy(0.5, value)
        with pytest.raises(ValueError, match="allowed must"):
            Discrepancy(0.5, INF)

    def test_a_discrepancy_is_measured_in_units_of_the_allowance(self):
        pairs = [(-3, 4), (3, 4), (0, 4), (0, 0), (1, 0), (-1, 0)]
        ratios = [Discrepancy(error, allowed).ratio for error, allowed in pairs]
        assert ratios == [0.75, 0.75, 0, 0, INF, INF]

    @each("value", None, True, np.True_, "0.5", 0.5j, flint.arb(0.5), np.array([0.5]), [0.5])
    def test_a_ratio_is_a_real_number(self, value):
        with pytest.raises(TypeError, match="ratio must be a real number"):
            Measured(value)
        with pytest.raises(TypeError, match="error must be a real number"):
            Discrepancy(value, 1e-15)

    def test_an_exception_is_undecided_and_says_where(self):
        def check(case):
            return {}[case]

        outcome = searched(check, UNIT)
        assert outcome.answer is Answer.UNDECIDED
        assert "KeyError at test_sampled.py:" in outcome.summary

    def test_assuming_the_impossible_is_vacuous(self):
        def check(case):
            assume(case > 2)
            return Measured(0.5)

        for outcome in (searched(check, UNIT), searched(check, st.floats(0, 1).filter(lambda _: False))):
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
            trial = Circumstances(profile, 0, 1e-6)
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

    def test_a_p_value_that_is_no_probability(self):
        for p in (NAN, -0.1, 1.0000001, INF, -INF, None, "0.5", True, 0.5j):
            assert estimated(Statistic(p)).answer is Answer.UNDECIDED
            assert estimated([Statistic(0.5), Statistic(p)]).answer is Answer.UNDECIDED

    def test_what_is_no_test(self):
        for value in (None, [], (), True, 0.5, [0.5], object(), [None]):
            assert estimated(value).answer is Answer.UNDECIDED

    def test_the_weakest_test_gives_the_detectable_effect(self):
        outcome = estimated([Statistic(0.5, 0.1), Statistic(0.2, 0.3)])
        assert outcome.summary.startswith("2 tests at level 5.0e-07: smallest p 0.2 (")
        assert outcome.cases == 10
        numbers = outcome.numbers
        assert numbers["detectable"] == 0.3
        assert numbers["p_value"] == 0.2
        assert numbers["power"] == 0.999

    @each("effect, wanted", (1e8, Answer.ACCEPTED), (1e9, Answer.UNDECIDED), (NAN, Answer.UNDECIDED))
    def test_a_test_that_no_effect_makes_fail(self, effect, wanted):
        outcome = estimated([Statistic(0.5), Statistic(0.5, effect)])
        assert outcome.answer is wanted
        undecided = outcome.summary.startswith("a test that no effect makes fail: ")
        assert undecided is (wanted is Answer.UNDECIDED)

    def test_effort_multiplies_the_draws_and_the_seed_decides_them(self):
        seen = []

        def check(rng, draws, constant):
            seen.append((constant * draws, rng.random()))
            return Statistic(0.5)

        for trial in (TRIAL, TRIAL, replace(TRIAL, seed=1), replace(TRIAL, profile=Profile.FULL)):
            answer("estimated", check, trial, draws=7)
        assert [draws for draws, _ in seen] == [7, 7, 7, 70]
        assert seen[0] == seen[1] != seen[2]

"""Error levels under the null, power against shifts, and edges of the statistical tests."""

import math

import numpy as np
import pytest
from scipy import stats

from numeric.statistics import ErrorBudget, mean_test, power, slope_test, two_sample_test

REPLICATIONS = 4000
LEVEL = 0.05
# Rejections under the null are binomial; this many standard deviations have probability < 1e-9.
SIGMAS = 6.2


def _binomial_margin(level=LEVEL):
    return SIGMAS * math.sqrt(level * (1 - level) / REPLICATIONS)


def test_mean_test_keeps_its_level():
    rng = np.random.default_rng(1)
    samples = rng.standard_normal((REPLICATIONS, 12)) + 3.0
    rejected = np.mean([mean_test(row, 3.0).p_value < LEVEL for row in samples])
    assert abs(rejected - LEVEL) < _binomial_margin()


def test_mean_test_is_the_t_test_of_scipy():
    draws = np.random.default_rng(2).exponential(size=50)
    ours, theirs = mean_test(draws, 0.9), stats.ttest_1samp(draws, 0.9)
    assert ours.z == pytest.approx(theirs.statistic, rel=1e-9)
    assert ours.p_value == pytest.approx(theirs.pvalue, rel=1e-9)


def test_mean_test_has_the_power_that_it_states():
    rng = np.random.default_rng(3)
    n = 400
    effect = mean_test(rng.standard_normal(n), 0.0).detectable(LEVEL, 0.9)
    samples = rng.standard_normal((REPLICATIONS, n)) + effect
    found = np.mean([mean_test(row, 0.0).p_value < LEVEL for row in samples])
    # The stated effect uses one estimated standard error, off by about 1/sqrt(2 n) = 3.5 %;
    # at power 0.9 the power moves by at most 3.24 * density(1.28) * 0.035 * 6.2 < 0.13.
    assert abs(found - 0.9) < 0.13 + _binomial_margin(0.9)


def test_far_tails_do_not_vanish():
    draws = np.tile([-1.0, 1.0], 5000)
    p = mean_test(draws, 0.3).p_value
    assert 0.0 < p < 1e-100


@pytest.mark.parametrize(("value", "expected", "p"), [(2.0, 2.0, 1.0), (2.0, 2.0000001, 0.0)])
def test_constant_draws_are_compared_exactly(value, expected, p):
    assert mean_test([value] * 5, expected).p_value == p


def test_rounding_is_no_evidence():
    draws = [1 / 3, 1 / 3 + 2**-54, 1 / 3]
    assert mean_test(draws, 1 / 3 + 2**-52).p_value == 1.0
    assert mean_test(draws, 1 / 3 + 2**-44).p_value < 1e-3


def test_slope_test_keeps_its_level_and_its_interval():
    rng = np.random.default_rng(4)
    sizes, errors = np.array([1.0, 2, 4, 8, 16]), 0.02
    rejected = covered = above = 0
    for _ in range(REPLICATIONS):
        values = sizes**-0.5 * np.exp(errors * rng.standard_normal(5))
        test = slope_test(sizes, values, errors * values, -0.5)
        rejected += test.p_value < LEVEL
        covered += test.interval[0] <= -0.5 <= test.interval[1]
        above += slope_test(sizes, values, errors * values, -0.5, "at most").p_value < LEVEL
    margin = REPLICATIONS * _binomial_margin()
    assert abs(rejected - LEVEL * REPLICATIONS) < margin
    assert abs(covered - 0.95 * REPLICATIONS) < margin
    assert abs(above - LEVEL * REPLICATIONS) < margin


def test_slope_test_finds_wrong_exponents_on_the_right_side():
    sizes = np.array([8.0, 16, 32, 64])
    values, errors = 3 / sizes, 0.01 / sizes
    assert slope_test(sizes, values, errors, -1.0).slope == pytest.approx(-1.0, abs=1e-12)
    assert slope_test(sizes, values, errors, -1.5).p_value < 1e-9
    assert slope_test(sizes, values, errors, -1.5, "at most").p_value < 1e-9
    assert slope_test(sizes, values, errors, -0.5, "at most").p_value > 0.999


def test_slope_test_weighs_by_precision():
    sizes = np.array([1.0, 2.0, 4.0, 8.0])
    values = np.array([1.0, 0.5, 0.25, 10.0])
    sure = slope_test(sizes, values, np.array([0.01, 0.005, 0.0025, 1e4]), -1.0)
    assert sure.slope == pytest.approx(-1.0, abs=1e-3)


def test_two_sample_test_keeps_its_level():
    rng = np.random.default_rng(5)
    draws = rng.standard_normal((REPLICATIONS // 4, 2, 60))
    rejected = np.mean([two_sample_test(x, y).p_value < LEVEL for x, y in draws])
    assert rejected < LEVEL + 2 * _binomial_margin()


@pytest.mark.parametrize("change", [lambda x: x + 0.3, lambda x: 1.4 * x, np.round])
def test_two_sample_test_finds_other_laws(change):
    rng = np.random.default_rng(6)
    first, second = rng.standard_normal((2, 5000))
    assert two_sample_test(first, change(second)).p_value < 1e-6
    assert two_sample_test(first, second).p_value > 1e-3


def test_power_agrees_with_simulation():
    rng = np.random.default_rng(7)
    z = rng.standard_normal(200_000) + 1.5
    threshold = stats.norm.isf(LEVEL / 2)
    found = np.mean(np.abs(z) > threshold)
    assert abs(found - power(3.0, 2.0, LEVEL)) < SIGMAS * 0.5 / math.sqrt(200_000)


def test_budget_shares_are_equal_and_add_up():
    budget = ErrorBudget(1e-6, 40)
    assert budget.level * 40 == pytest.approx(1e-6)
    assert budget.split(5).level * 200 == pytest.approx(1e-6)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: mean_test([1.0], 0), "samples must hold at least 2"),
        (lambda: mean_test([1.0, math.nan], 0), "samples"),
        (lambda: mean_test([1.0, 2.0], math.inf), "expected"),
        (lambda: two_sample_test([1.0, 2.0], [3.0]), "second"),
        (lambda: slope_test([1, 2], [1, 2], [1, 1], 0), "3 distinct"),
        (lambda: slope_test([1, 2, 3], [1, 2, 0], [1, 1, 1], 0), "values"),
        (lambda: slope_test([1, 2, 3], [1, 2, 3], [1, 1], 0), "standard_errors"),
        (lambda: slope_test([1, 2, 3], [1, 2, 3], [1, 1, 1], 0, "above"), "alternative"),
        (lambda: power(1.0, 0.0, 0.05), "standard_error"),
        (lambda: ErrorBudget(1.0, 3), "total"),
        (lambda: ErrorBudget(0.1, 0), "tests"),
    ],
)
def test_bad_input_is_named(call, words):
    with pytest.raises((ValueError, TypeError), match=words):
        call()

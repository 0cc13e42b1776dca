"""Tails, budgets, summaries and refusals of the statistical tests."""

import math

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from trying import each

from numeric.statistics import ErrorBudget, mean_test, power, slope_test, two_sample_test
from numeric.statistics.tails import p_value_of, quantile

# Tails and budgets.


@each("dof", 2, 9, 399, math.inf)
@each("t", 0.5, 3, 10, 30)
def test_tails_to_full_accuracy(dof, t):
    with mpmath.workdps(30):
        if math.isinf(dof):
            tail = mpmath.erfc(t / mpmath.sqrt(2)) / 2
        else:
            x = dof / (dof + mpmath.mpf(t) ** 2)
            tail = mpmath.betainc(mpmath.mpf(dof) / 2, 0.5, 0, x, regularized=True) / 2
    # SciPy's tails are right to some 1e-12.
    assert p_value_of(t, dof, "greater") == pytest.approx(float(tail), rel=1e-11)
    assert p_value_of(-t, dof, "two-sided") == pytest.approx(2 * float(tail), rel=1e-11)
    assert p_value_of(-t, dof, "less") == pytest.approx(float(tail), rel=1e-11)
    assert quantile(float(tail), dof) == pytest.approx(t, rel=1e-9)


def test_far_p_values_are_not_zero():
    rng = np.random.default_rng(12)
    p = mean_test(rng.standard_normal(10_000), 0.3).p_value
    assert 0 < p < 1e-100


def test_budgets():
    budget = ErrorBudget(1e-6, 50)
    assert budget.level == 1e-6 / 50
    assert budget.split(4) == ErrorBudget(1e-6 / 50, 4)
    assert budget.split(4).level * 200 == pytest.approx(1e-6)
    assert budget.accepts(budget.level)
    assert not budget.accepts(budget.level * 0.999)
    assert ErrorBudget() == ErrorBudget(1e-6, 1)


@given(st.floats(-6, 6), st.floats(1e-6, 0.5))
def test_power(effect, alpha):
    q = stats.norm.isf(alpha / 2)
    expected = stats.norm.sf(q - effect) + stats.norm.cdf(-q - effect)
    assert power(2 * effect, 2, alpha) == pytest.approx(expected, rel=1e-9)


def test_power_of_the_detectable_effect():
    test = mean_test(np.random.default_rng(13).standard_normal(10**6), 0)
    effect = test.detectable(1e-6, 0.999)
    assert power(effect, test.standard_error, 1e-6) == pytest.approx(0.999, abs=1e-5)
    assert (power(1, 0, 0.1), power(0, 0, 0.1)) == (1, 0)


def test_summaries():
    assert str(mean_test([1, 3, 1, 3], 1)).startswith("mean 2 +- 0.58 of 4, expected 1: z = 1.73, p")
    assert str(two_sample_test([1, 2], [1, 2])) == (
        "distance 0 (p = 1), means differ by 0 (p = 1), of 2 and 2"
    )
    rate = slope_test([1, 2], [1, 4], [0.01, 0.01], 2)
    assert str(rate).startswith("exponent 2 +- 0.015 from 2 points, expected 2: z = ")


@each(
    "call, error, words",
    (lambda: mean_test([1, 2, 3], 0, batches=2), ValueError, "batches must divide the 3 samples"),
    (lambda: mean_test([1, 2], 0, batches=1), ValueError, "batches must be an integer of at"),
    (lambda: mean_test([1, 2], 0).detectable(0, 0.9), ValueError, "must lie in"),
    (lambda: mean_test([1, 2], 0).detectable(0.1, 1), ValueError, "must lie in"),
    (lambda: two_sample_test([1], [1, 2]), ValueError, "first must be at least 2 numbers"),
    (lambda: two_sample_test([1, 2], [1, 2]).detectable(0.1, 1), ValueError, "power must lie in"),
    (lambda: slope_test([1, 2], [1, 2, 3], [0.1, 0.1], 0), ValueError, "one length"),
    (lambda: slope_test([1], [1], [0.1], 0), ValueError, "one length"),
    (lambda: slope_test([1, 1], [1, 2], [0.1, 0.1], 0), ValueError, "x must not be all equal"),
    (lambda: slope_test([1, 2], [1, -2], [0.1, 0.1], 0), ValueError, "y must lie in"),
    (lambda: slope_test([1, 2], [1, 2], [0.2, 0.1], 0), ValueError, "at most y / 10, got 0.2 y"),
    (lambda: ErrorBudget(0, 1), ValueError, "total must lie in"),
    (lambda: ErrorBudget(1e-6, 0), ValueError, "tests must be a positive integer"),
)
def test_errors(call, error, words):
    with pytest.raises(error, match=words):
        call()

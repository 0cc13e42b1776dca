"""Statistical tests: their false alarms, their power, their tails."""

import math
import subprocess
import sys

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from trying import each

from numeric.statistics import MeanTest, mean_test, slope_test, two_sample_test
from numeric.statistics.tails import p_value_of

# Every count of alarms below is compared with the binomial law at this probability.
FALSE_ALARM = 1e-9


def plausible(alarms, runs, probability, at_most=None):
    """The count lies where a binomial one lies but with probability FALSE_ALARM on either side.

    With ``at_most`` the probability may be anything up to it.
    """
    upper = stats.binom.isf(FALSE_ALARM, runs, at_most or probability)
    lower = 0 if at_most else stats.binom.ppf(FALSE_ALARM, runs, probability)
    return lower <= alarms <= upper


def p_values(run, runs, seed):
    rng = np.random.default_rng(seed)
    return np.array([run(rng).p_value for _ in range(runs)])


# Means.


@each("size", 2, 10, 200)
@each("alternative", "two-sided", "greater", "less")
def test_false_alarms_of_normal_means(size, alternative):
    values = p_values(
        lambda rng: mean_test(3 + 2 * rng.standard_normal(size), 3, alternative=alternative), 3000, 1
    )
    for level in (0.5, 0.1, 0.01):
        assert plausible(np.sum(values < level), 3000, level)


def test_false_alarms_of_skewed_means():
    """Squares of products of normals, of a large skewness: Student's law alone fails at once."""
    draw = lambda rng: (rng.standard_normal(100) * rng.standard_normal(100)) ** 2  # noqa: E731
    rng = np.random.default_rng(2)
    tests = [mean_test(draw(rng), 1) for _ in range(3000)]
    corrected = sum(test.p_value < 0.01 for test in tests)
    student = sum(p_value_of(test.z, 99, "two-sided") < 0.01 for test in tests)
    assert plausible(corrected, 3000, 0.01, at_most=0.02)
    assert not plausible(student, 3000, 0.01, at_most=0.02)


def test_detectable_shifts_are_detected_that_often():
    """At the effect said to be detected with power 0.8, eight in ten tests fire."""
    rng, runs, alpha = np.random.default_rng(3), 2000, 0.01
    plain = mean_test(rng.standard_normal(10**6), 0)
    # Student's quantiles at 500 and at 10^6 differ by less than 0.01.
    shift = plain.detectable(alpha, 0.8) * math.sqrt(10**6 / 500)
    fired = [mean_test(rng.standard_normal(500) + shift, 0).p_value < alpha for _ in range(runs)]
    assert plausible(sum(fired), runs, 0.8)
    one_sided = mean_test(rng.standard_normal(10**6), 0, alternative="greater")
    quantiles = stats.norm.isf(alpha) + stats.norm.isf(0.2)
    effect = one_sided.detectable(alpha, 0.8)
    assert effect == pytest.approx(quantiles * one_sided.standard_error, rel=1e-4)


def test_the_statistics_of_a_small_sample():
    test = mean_test([1, 2, 6], 1)
    assert (test.observed, test.expected, test.samples) == (3, 1, 3)
    assert test.standard_error == pytest.approx(math.sqrt(7 / 3))  # variance 7 of 3 samples
    assert test.z == pytest.approx(2 / math.sqrt(7 / 3))
    assert test.p_value == pytest.approx(stats.ttest_1samp([1, 2, 6], 1).pvalue)
    assert test.skewness == pytest.approx(stats.skew([1, 2, 6]))
    greater = mean_test([1, 2, 6], 1, alternative="greater")
    less = mean_test([1, 2, 6], 1, alternative="less")
    assert greater.p_value == pytest.approx(test.p_value / 2)
    assert greater.p_value + less.p_value == pytest.approx(1)


def test_detectable_shifts_of_a_small_sample():
    """Student's quantiles with two degrees of freedom."""
    test = mean_test([1, 2, 6], 1, rounding=0.125)
    quantiles = stats.t.isf(0.025, 2) + stats.t.isf(0.2, 2)
    assert test.detectable(0.05, 0.8) == pytest.approx(quantiles * math.sqrt(7 / 3) + 0.125)
    assert test.detectable(0.5, 0.01) == 0.125  # a power below the level is had for nothing
    bare = MeanTest(1, 1, 0.5, 0, 1, 10**9)
    assert bare.detectable(0.05, 0.8) == pytest.approx(0.5 * (1.959963985 + 0.841621234))


def test_no_difference_has_no_tail():
    """The mean is the expected one exactly: the correction for skewness must not move it."""
    skewed = np.concatenate([np.zeros(48), np.full(16, 4.0)])
    assert mean_test(skewed, 1).p_value == 1


def test_the_correction_for_skewness():
    """Hall's transformation, spelt out for 50 samples; none for 49."""
    values = np.concatenate([np.zeros(40), np.ones(10)])
    test = mean_test(values, 0.1)
    a = stats.skew(values) / math.sqrt(50)
    t = (0.2 - 0.1) / (np.std(values, ddof=1) / math.sqrt(50))
    expected = 2 * stats.t.sf(t + a * t**2 / 3 + a**2 * t**3 / 27 + a / 6, 49)
    assert test.p_value == pytest.approx(expected)
    few = mean_test(values[1:], 0.1)
    assert few.p_value == pytest.approx(stats.ttest_1samp(values[1:], 0.1).pvalue)


def test_equal_samples_are_compared_exactly():
    same = np.full(7, 0.1)
    assert (mean_test(same, 0.1).p_value, mean_test(same, 0.1).z) == (1, 0)
    assert mean_test(same, 0.1).skewness == 0
    off = mean_test(same, 0.1 + 2**-50, rounding=0)
    assert (off.p_value, off.z, off.standard_error) == (0, -math.inf, 0)
    assert mean_test(same, 0.1 + 2**-50, rounding=2**-49).p_value == 1
    assert mean_test(same, 0.2, alternative="greater").p_value == 1
    assert mean_test(same, 0.2, alternative="less").p_value == 0
    assert mean_test(same, 0.1, rounding=0).detectable(1e-6, 0.999) == 0
    assert mean_test(same, 0.1, rounding=0.5).detectable(1e-6, 0.999) == 0.5


def test_rounding_by_default():
    """2^-40 of the largest number in sight, whichever that is."""
    assert mean_test(np.full(5, 8.0), 8 + 2**-37).p_value == 1
    assert mean_test(np.full(5, 8.0), 8 + 2**-36).p_value == 0
    assert mean_test([-8, 8, 0], 0).rounding == 2**-37
    assert mean_test([0, 1, -1], -16).rounding == 2**-36
    assert mean_test(np.zeros(5), 0).p_value == 1
    assert mean_test(np.zeros(5), 1e-300).p_value == 0


def test_rounding_is_no_effect():
    values = np.array([1.0, 2.0, 3.0])
    assert mean_test(values, 2.5, rounding=0.5).p_value == 1
    assert mean_test(values, 2.5, rounding=0.25).z == pytest.approx(-0.25 / math.sqrt(1 / 3))
    assert mean_test(values, 1.5, rounding=0.25).z == pytest.approx(0.25 / math.sqrt(1 / 3))


@given(st.floats(-1e3, 1e3), st.integers(-200, 200))
def test_means_scale(shift, exponent):
    """Tests do not depend on units: tiny, huge and far away samples."""
    values = np.array([0.25, 1.0, -2.0, 4.0, 0.5])
    plain, factor = mean_test(values, 0.5), 2.0**exponent
    scaled = mean_test(factor * values, factor * 0.5)
    assert scaled.z == pytest.approx(plain.z, rel=1e-12)
    assert scaled.skewness == pytest.approx(plain.skewness, rel=1e-12)
    moved = mean_test(values + shift, 0.5 + shift)
    # The default rounding, 2^-40 of 1004, is subtracted from differences.
    assert moved.z == pytest.approx(plain.z, abs=1e-8)


def test_batches():
    """A slowly varying sequence: without batches the alarms come often, with them rarely."""

    def sequence(rng):
        return np.repeat(rng.standard_normal(200), 50) + rng.standard_normal(10_000)

    plain = p_values(lambda rng: mean_test(sequence(rng), 0), 200, 4)
    batched = p_values(lambda rng: mean_test(sequence(rng), 0, batches=20), 2000, 4)
    assert not plausible(np.sum(plain < 0.01), 200, 0.01)
    assert plausible(np.sum(batched < 0.01), 2000, 0.01)
    test = mean_test([1, 3, 5, 7, 9, 11], 0, batches=3)
    assert (test.samples, test.observed) == (3, 6)
    assert test.standard_error == pytest.approx(4 / math.sqrt(3))


# Laws.


def test_false_alarms_of_two_samples():
    values = p_values(
        lambda rng: two_sample_test(rng.standard_normal(300), rng.standard_normal(200)), 1000, 5
    )
    for level in (0.2, 0.01):
        assert plausible(np.sum(values < level), 1000, level, at_most=level)
    # Not idle: half the level is used by each of two tests that are far from equivalent.
    assert not plausible(np.sum(values < 0.2), 1000, 0.2, at_most=0.06)


def test_two_samples_of_a_discrete_law():
    values = p_values(lambda rng: two_sample_test(rng.integers(0, 3, 300), rng.integers(0, 3, 300)), 1000, 6)
    assert plausible(np.sum(values < 0.1), 1000, 0.1, at_most=0.1)


@each("other", lambda x: x + 0.3, lambda x: 1.4 * x, lambda x: x**3)
def test_different_laws_are_told_apart(other):
    rng = np.random.default_rng(7)
    x, y = rng.standard_normal(4000), other(rng.standard_normal(4000))
    assert two_sample_test(x, y).p_value < 1e-9


@given(
    st.lists(st.integers(0, 5), min_size=2, max_size=30), st.lists(st.integers(0, 5), min_size=2, max_size=30)
)
def test_distances_of_empirical_laws_with_ties(first, second):
    wanted = stats.ks_2samp(first, second, method="asymp").statistic
    assert two_sample_test(first, second).distance == pytest.approx(wanted, abs=1e-15)


def test_the_slow_part_of_scipy_is_not_imported():
    code = "import sys, numeric.statistics;print({'scipy.stats', 'scipy.optimize'} & set(sys.modules))"
    command = [sys.executable, "-c", code]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "set()\n"


def test_detectable_distances_are_detected():
    """Uniform laws on [0, 1] and [d, 1 + d] have distance d."""
    rng, runs = np.random.default_rng(8), 500
    distance = two_sample_test(rng.random(400), rng.random(300)).detectable(0.01, 0.9)
    fired = sum(
        two_sample_test(rng.random(400), distance + rng.random(300)).p_value < 0.01 for _ in range(runs)
    )
    assert fired >= stats.binom.ppf(FALSE_ALARM, runs, 0.9)
    c = math.sqrt(math.log(400) / 2) * math.sqrt(1 / 400 + 1 / 300)
    reach = math.sqrt(math.log(40) / 800) + math.sqrt(math.log(40) / 600)
    assert distance == pytest.approx(c + reach)


def test_two_sample_statistics():
    x, y = [1.0, 2.0, 3.0, 4.0], [3.5, 5.0, 7.0]
    test = two_sample_test(x, y)
    assert test.distance == pytest.approx(3 / 4)
    with mpmath.workdps(20):
        t = mpmath.sqrt(mpmath.mpf(12) / 7) * 0.75
        law = 2 * sum((-1) ** (k - 1) * mpmath.exp(-2 * k * k * t * t) for k in range(1, 20))
    assert test.distance_p_value == pytest.approx(float(law))
    assert test.mean_difference == pytest.approx(2.5 - 31 / 6)
    assert test.mean_p_value == pytest.approx(stats.ttest_ind(x, y, equal_var=False).pvalue)
    assert test.p_value == pytest.approx(2 * min(test.mean_p_value, test.distance_p_value))
    assert test.samples == (4, 3)


def test_constant_samples_have_equal_laws_or_not():
    assert two_sample_test([2, 2, 2], [2, 2]).p_value == 1
    assert two_sample_test([2, 2, 2], [3, 3]).mean_p_value == 0
    mixed = two_sample_test([2, 2, 2, 2], [1, 2, 3, 2])
    assert mixed.mean_p_value == pytest.approx(1)


# Rates.

WIDTHS = np.array([16, 32, 64, 128, 256])


def noisy(rng, exponent, error=0.03):
    exact = 3 * WIDTHS**exponent
    return exact * np.exp(error * rng.standard_normal(5)), error * exact


def test_false_alarms_of_exponents():
    def run(rng):
        return slope_test(WIDTHS, *noisy(rng, -0.5), -0.5)

    values = p_values(run, 3000, 9)
    rng = np.random.default_rng(9)
    misfits = np.array([run(rng).misfit_p_value for _ in range(3000)])
    # The errors are given relative to the exact values, the test divides by the observed ones:
    # weights and errors are off by 3%, a level of 0.01 by 0.03 q^2 = 20%.
    for level in (0.1, 0.01):
        for p in (values, misfits):
            assert plausible(np.sum(p < level), 3000, level, at_most=1.25 * level)
            assert not plausible(np.sum(p < level), 3000, level, at_most=level / 4)


def test_wrong_exponents_are_noticed():
    rng = np.random.default_rng(10)
    y, errors = noisy(rng, -0.5)
    assert slope_test(WIDTHS, y, errors, -1).p_value < 1e-12
    assert slope_test(WIDTHS, y, errors, -0.4).p_value < 1e-3
    assert slope_test(WIDTHS, y, errors, -1, alternative="greater").p_value < 1e-12
    assert slope_test(WIDTHS, y, errors, -1, alternative="less").p_value > 0.999
    bent = 3 / np.sqrt(WIDTHS) * np.exp(0.1 * np.log(WIDTHS / 64) ** 2)
    assert slope_test(WIDTHS, bent, 0.03 * bent, -0.5).misfit_p_value < 1e-6


def test_detectable_exponents_are_detected_that_often():
    rng, runs = np.random.default_rng(11), 2000
    deviation = slope_test(WIDTHS, *noisy(rng, -0.5), -0.5).detectable(0.01, 0.8)
    fired = sum(slope_test(WIDTHS, *noisy(rng, -0.5 + deviation), -0.5).p_value < 0.01 for _ in range(runs))
    assert 0.75 < fired / runs < 0.85


def test_a_fit_by_hand():
    """log x = 0, 1, 2 with weights 1, 4, 1 and log y = 1, 1, 4: a line through 0."""
    x = np.exp([0, 1, 2])
    y = np.exp([1, 1, 4])
    test = slope_test(x, y, y * np.array([0.1, 0.05, 0.1]), 1)
    assert test.slope == pytest.approx(1.5)
    assert test.factor == pytest.approx(1)
    error = math.sqrt(1 / (2 * 100))
    assert test.standard_error == pytest.approx(error)
    assert test.z == pytest.approx(0.5 / error)
    lower, upper = test.interval(0.05)
    assert upper - lower == pytest.approx(2 * 1.959963984540054 * error)
    # residuals 1, -1/2, 1 over 0.1, 0.05, 0.1; one degree of freedom
    assert test.misfit_p_value == pytest.approx(stats.chi2.sf(300, 1))
    assert slope_test(x[:2], y[:2], 0.1 * y[:2], 0).misfit_p_value == 1
    assert test.samples == 3

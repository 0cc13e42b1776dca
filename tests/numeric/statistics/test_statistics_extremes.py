"""Statistics of numbers at the ends of what floats can hold: right, or an error that says what."""

import math

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from trying import each

from numeric.gaussian_mixtures import kullback_leibler, mixture_density
from numeric.mixture_estimates import CovarianceMixture, Estimate, VarianceMixture, mean_estimate
from numeric.statistics import ErrorBudget, mean_test, power, slope_test, two_sample_test
from numeric.statistics.tails import p_value_of, quantile

LARGEST, LEAST = 1.7976931348623157e308, 5e-324
OFTEN = [0.0, 1.0, -1.0, 1e308, -1e308, LARGEST, -LARGEST, 1e-308, LEAST, -LEAST]

extreme = st.sampled_from(OFTEN) | st.floats(allow_nan=False, allow_infinity=False)
positive = st.sampled_from([1.0, 2.0, 1e308, LARGEST, 1e-308, LEAST]) | st.floats(LEAST, LARGEST)
anything = extreme | st.sampled_from([math.inf, -math.inf, math.nan])
chance = st.sampled_from([LEAST, 1e-308, 1e-6, 0.5, 1 - 2**-53]) | st.floats(0, 1)


def samples(values=extreme, least=2, most=6):
    return st.lists(values, min_size=least, max_size=most)


def student(t, dof):
    """P(|T| > t) of Student's law for t >= 0, also where t has a thousand digits."""
    with mpmath.workdps(30):
        x = dof / (dof + mpmath.mpf(t) ** 2)
        return mpmath.betainc(mpmath.mpf(dof) / 2, 0.5, 0, x, regularized=True)


def lies_between(p, ends):
    """Whether p lies between two values, but for the 1e-11 of SciPy's tails and for underflow."""
    return min(ends) * (1 - 1e-11) - 2**-1022 <= p <= max(ends) * (1 + 1e-11) + 2**-1022


def mean_and_error(values):
    """The exact mean of floats and the standard error of the mean."""
    exact = [mpmath.mpf(one) for one in values]
    mean = mpmath.fsum(exact) / len(exact)
    squares = mpmath.fsum((one - mean) ** 2 for one in exact)
    return mean, mpmath.sqrt(squares / (len(exact) - 1) / len(exact))


def around(difference, rounded):
    """The least and the largest size of a difference of means of floats, as floats may sum them.

    A sum of n floats is off by at most n - 1 halves of a unit of 2^-52 of n times the largest;
    shifting, scaling and subtracting add some four to each mean.
    """
    count, largest = len(rounded), max(map(abs, rounded))
    off = (count + 8) * mpmath.ldexp(mpmath.mpf(largest), -52)
    return max(mpmath.mpf(0), abs(difference) - off), abs(difference) + off


def refused(call):
    """The result of a call, and whether it was refused instead, with the name of a number."""
    try:
        return call(), False
    except ValueError as error:
        words = str(error)
    assert "must" in words
    return None, True


@given(samples(), extreme)
def test_means_of_any_floats(values, expected):
    found, was_refused = refused(lambda: mean_test(values, expected, rounding=0))
    with mpmath.workdps(700):  # so many that the least float counts beside the largest
        mean, error = mean_and_error(values)
        least, most = around(mean - expected, [*values, expected])
        if error == 0:
            assert found.p_value == (mean == expected)
        elif was_refused:  # only if z may be beyond the largest float
            assert most / error > LARGEST
        else:
            ends = [student(one / error, len(values) - 1) for one in (least, most)]
            assert lies_between(found.p_value, ends)


@given(samples(), samples())
def test_two_samples_of_any_floats(first, second):
    found, was_refused = refused(lambda: two_sample_test(first, second))
    with mpmath.workdps(700):
        (x, x_error), (y, y_error) = mean_and_error(first), mean_and_error(second)
        error, (least, most) = mpmath.hypot(x_error, y_error), around(x - y, first + second)
        if was_refused:
            assert most > LARGEST or most / error > LARGEST
        elif error == 0 or (x_error + y_error) * 2**1000 < abs(x - y):
            assert found.mean_p_value == pytest.approx(float(x == y), abs=1e-300)
        else:
            shares = [(x_error / error) ** 4 / (len(first) - 1)]
            shares += [(y_error / error) ** 4 / (len(second) - 1)]
            ends = [student(one / error, 1 / sum(shares)) for one in (least, most)]
            assert lies_between(found.mean_p_value, ends)


@given(st.lists(st.tuples(positive, positive, st.floats(0, 0.1)), min_size=2, max_size=5), extreme)
def test_exponents_of_any_floats(points, expected):
    x, y = [one[0] for one in points], [one[1] for one in points]
    errors = [one[1] * one[2] for one in points]
    found, was_refused = refused(lambda: slope_test(x, y, errors, expected))
    if was_refused:
        return
    with mpmath.workdps(60):
        u, v = ([mpmath.log(one) for one in side] for side in (x, y))
        weights = [(mpmath.mpf(b) / s) ** 2 for b, s in zip(y, errors, strict=True)]
        centre = mpmath.fdot(weights, u) / mpmath.fsum(weights)
        spread = mpmath.fsum(w * (a - centre) ** 2 for w, a in zip(weights, u, strict=True))
        products = (w * (a - centre) * b for w, a, b in zip(weights, u, v, strict=True))
        z = abs(mpmath.fsum(products) / spread - expected) * mpmath.sqrt(spread)
        off = 2**-10 + 1e-13 * z  # what the logarithms may be off, and a weight
        ends = [min(one, 1000) / mpmath.sqrt(2) for one in (max(0, z - off), z + off)]
        assert lies_between(found.p_value, [mpmath.erfc(one) for one in ends])


def test_exponents_that_are_answered():
    """The test above would pass if everything were refused."""
    x, y = np.array([1e-300, 1.0, 1e300]), np.array([1e-150, 1.0, 1e150])
    assert slope_test(x, y, y / 100, 0.5).p_value > 0.999
    assert slope_test(x, y, y / 100, 0.51).p_value == 0
    assert slope_test(x, y, y * 1e-8, 0.5).p_value > 0.99


@each(
    "call, words",
    (
        lambda: slope_test([1, 2, 4, 8], [1, 4, 16, 64], [1e-170] * 4, 1.0),
        r"standard_errors must be large .* which could move z by \S+; they go down to 1.56e-172 y",
    ),
    (lambda: slope_test([1, 2], [1e308, 1], [LEAST, 0.1], 1), "standard_errors must be positive"),
    (lambda: slope_test([1, 2], [LEAST, 1], [1e308, 0.1], 1), "at most y / 10, got inf y"),
    (lambda: slope_test([1e300, 1e300 * (1 + 2**-52)], [1, 2], [0.1] * 2, 1), "x must differ in"),
    (lambda: slope_test([1, 2], [1, 2], [0.01, 0.01], 1e308), r"expected must give a finite z, got -inf"),
    (lambda: slope_test([1e5, 2e5], [1, 1e-90], [0.01, 1e-92], 1), "must give a finite factor, got inf"),
    (lambda: slope_test([1, 2], [1, 2], [0.01] * 2, 1).detectable(LEAST, 0.9), "must lie in"),
    (lambda: mean_test([1, 1 + 2**-52], 1e308), "samples and expected must give a finite z, got -inf"),
    (lambda: mean_test([LEAST, 0.0], 1e308), "samples and expected must give a finite z, got -inf"),
    (
        lambda: mean_test([*[1] * 50, 1 + 2**-52], 1e100, rounding=0),
        r"must give a finite z, corrected for skewness from -\S+, got",
    ),
    (
        lambda: mean_test([1e308, -1e308], 0, alternative="greater").detectable(1e-9, 0.5),
        "alpha and power must give a finite detectable shift, got inf",
    ),
    (lambda: mean_test([1, 2], 0).detectable(LEAST, 0.9), "alpha and 1 - power must lie in"),
    (
        lambda: two_sample_test([LARGEST] * 2, [-LARGEST] * 2),
        "first and second must give a finite difference of the means, got inf",
    ),
    (lambda: two_sample_test([0, 1e-310], [10, 10]), "must give a finite statistic of Welch, got -inf"),
    (lambda: p_value_of(math.nan, 3, "two-sided"), "the statistic must be a number, got nan"),
    (lambda: quantile(1e-300, 9), "must give a finite quantile to 1e-300, got -inf"),
    (lambda: ErrorBudget(1e-300, 10**10), "tests must leave a level of at least .*, got 100000"),
    (lambda: ErrorBudget(1e-6, 10**400), "tests must leave a level of at least"),
    (lambda: ErrorBudget().accepts(math.nan), r"p_value must lie in \[0, 1\], got nan"),
    (lambda: power(math.nan, 1, 0.1), "effect must lie in"),
)
def test_what_is_not_finite_is_named(call, words):
    with pytest.raises(ValueError, match=words):
        call()


def test_means_whose_sums_overflow():
    test = mean_test([1e308, -1e308] * 50, 9e307)
    scaled = mean_test([1.0, -1.0] * 50, 0.9)
    assert test.p_value == pytest.approx(scaled.p_value, rel=1e-10)
    assert test.p_value < 1e-13
    assert mean_test([1e308] * 6, 1e308, batches=3).p_value == 1


@given(st.floats(0, math.inf), st.sampled_from([1, 1.5, 2, 5, 40]))
def test_tails_of_any_statistic(t, dof):
    tail = student(t, dof) if math.isfinite(t) else mpmath.mpf(0)
    assert lies_between(p_value_of(t, dof, "two-sided"), [tail, tail])


@each("t", 1e-300, 1e-10, 1e-8, 1e-6)
def test_tails_next_to_zero(t):
    """SciPy's tail of Cauchy's law is off by up to 4e-9 of it here."""
    tail = 1 - 2 * mpmath.atan(mpmath.mpf(t)) / mpmath.pi
    assert lies_between(p_value_of(t, 1, "two-sided"), [tail, tail])


@given(anything, anything, anything)
def test_powers_are_probabilities(effect, error, alpha):
    found, was_refused = refused(lambda: power(effect, error, alpha))
    assert was_refused or 0 <= found <= 1


@given(samples(), samples(), chance, chance)
def test_effects_that_tests_find(first, second, alpha, chance):
    """An effect is finite and not negative, or there is an error."""
    tests = [lambda: mean_test(first, second[0]), lambda: two_sample_test(first, second)]
    for test in tests:
        found, was_refused = refused(lambda test=test: test().detectable(alpha, chance))
        assert was_refused or 0 <= found < math.inf


# Estimates from draws.


@each("size", 1.0, 1e308, 1e-307)
def test_mixtures_do_not_depend_on_the_unit(size):
    """Variances 1/4, 1/2 and 3/2 in any unit; numbers of the first are checked elsewhere."""
    plain, law = (VarianceMixture(unit * np.array([0.25, 0.5, 1.5])) for unit in (1.0, size))
    points, root = np.array([0.0, 0.5, 3.0]), math.sqrt(size)
    for ask in (VarianceMixture.kurtosis, VarianceMixture.divergence, VarianceMixture.distance):
        assert ask(law).value == pytest.approx(ask(plain).value, rel=1e-9)
        assert ask(law).error == pytest.approx(ask(plain).error, rel=1e-9)
    assert law.tail(root * points).value == pytest.approx(plain.tail(points).value, rel=1e-12)
    assert root * law.density(root * points).value == pytest.approx(plain.density(points).value, rel=1e-12)
    assert law.characteristic(points / root).value == pytest.approx(
        plain.characteristic(points).value, rel=1e-12
    )


@each(
    "call, words",
    (lambda: mean_estimate([1e308, 1e308, 0]), "the estimate must stay within float64, got inf"),
    (lambda: mean_estimate([1e200, -1e200]), "its standard error must stay .*, got inf"),
    (lambda: VarianceMixture([1e308, 1.0]).moment(4), "must lie in .*, got inf"),
    (lambda: Estimate(np.array([1.0, math.nan]), np.zeros(2)), "the estimate must .*, got nan"),
    (lambda: kullback_leibler([1e300], [1e-300], 1.0), "the divergence must stay .*, got nan"),
    (
        lambda: CovarianceMixture(np.full((2, 1, 1), 1e308)).covariance(),
        "the estimate must stay within float64, got inf",
    ),
)
def test_estimates_that_are_not_finite_are_named(call, words):
    with pytest.raises(ValueError, match=words):
        call()


@given(positive, positive, st.lists(extreme, min_size=1, max_size=4))
def test_densities_of_any_variances(first, second, points):
    found = mixture_density(points, [first, second])
    with mpmath.workdps(40):
        for y, density in zip(points, found, strict=True):
            variances = [mpmath.mpf(first), mpmath.mpf(second)]
            parts = [mpmath.exp(-(mpmath.mpf(y) ** 2) / (2 * v)) / mpmath.sqrt(v) for v in variances]
            exact = mpmath.fsum(parts) / mpmath.sqrt(2 * mpmath.pi) / 2
            # y^2/(2v) is at most 745 where e^-x is a float, and known to some units of 2^-52
            assert abs(density - exact) <= 4096 * 2.0**-52 * exact + 2.0**-1022

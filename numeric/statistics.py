"""Tests of simulations against predictions, with error probabilities that are stated beforehand.

A claim about a mean, a rate or a law is compared with independent draws. Each test reports a
p-value that stays accurate far in the tail, and ``detectable``: the smallest effect that it
finds with a given power at a given level. Levels come from an ``ErrorBudget``, which shares one
error probability among all tests of a run.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from numeric.arguments import (
    open_interval,
    positive_integer,
    real_array,
    real_number,
    same_length,
)

__all__ = [
    "ErrorBudget",
    "MeanTest",
    "SlopeTest",
    "TwoSampleTest",
    "mean_test",
    "power",
    "slope_test",
    "two_sample_test",
]

_PROBABILITY = open_interval(0, 1)
_POSITIVE = open_interval(0, math.inf)
_EPSILON = float(np.finfo(np.float64).eps)
# A sample and its prediction are each a short chain of float operations: differences of this
# many epsilons, relative to their size, say nothing.
_ROUNDINGS = 16


@dataclass(frozen=True)
class MeanTest:
    """A sample mean against its prediction: p-value of |z| under Student's law.

    ``z`` is (observed - expected) / standard error, with what rounding explains taken off.
    """

    observed: float
    expected: float
    standard_error: float
    z: float
    p_value: float
    samples: int

    def detectable(self, level: float, power: float) -> float:
        """Return the shift of the mean that a test at ``level`` finds with this power.

        >>> test = mean_test([0.0, 1.0] * 5000, 0.5)
        >>> round(test.detectable(0.05, 0.8), 3)
        0.014
        """
        return _shift(level, power, two_sided=True) * self.standard_error

    def __str__(self) -> str:
        return f"mean {self.observed:.6g}, expected {self.expected:.6g}, z = {self.z:.2f}"


@dataclass(frozen=True)
class SlopeTest:
    """A fitted exponent against a predicted one.

    ``slope`` is the exponent of size in y ~ size^slope, ``interval`` its 95 % interval.
    """

    slope: float
    expected: float
    standard_error: float
    interval: tuple[float, float]
    p_value: float
    alternative: str

    def detectable(self, level: float, power: float) -> float:
        """Return the change of the exponent that a test at ``level`` finds with this power."""
        return _shift(level, power, self.alternative == "two-sided") * self.standard_error

    def __str__(self) -> str:
        low, high = self.interval
        return f"slope {self.slope:.4f} in [{low:.4f}, {high:.4f}], expected {self.expected:g}"


@dataclass(frozen=True)
class TwoSampleTest:
    """Two samples of one law: the smaller p-value of Kolmogorov-Smirnov and Welch, doubled."""

    distance: float
    z: float
    p_value: float
    samples: tuple[int, int]
    standard_error: float

    def detectable(self, level: float, power: float) -> float:
        """Return the difference of means that the Welch half finds at level / 2."""
        return _shift(level / 2, power, two_sided=True) * self.standard_error

    def __str__(self) -> str:
        return f"largest distance of the laws {self.distance:.4g}, means differ by z = {self.z:.2f}"


def mean_test(samples: ArrayLike, expected: float) -> MeanTest:
    """Test whether independent draws have the expected mean.

    ``samples`` has shape ``(n,)``, n at least 2. Student's t with n - 1 degrees of freedom; for
    laws that are not normal the error probability holds up to the error of the central limit
    theorem. Draws that do not vary are compared up to rounding: p is 0 or 1.

    Raises TypeError or ValueError for draws or a prediction that are not finite real numbers.

    >>> print(mean_test([0.0, 1.0] * 5000, 0.5))
    mean 0.5, expected 0.5, z = 0.00
    >>> mean_test([1.0, 1.0, 1.0], 2.0).p_value
    0.0
    """
    draws = _draws("samples", samples)
    target = real_number("expected", expected)
    n, mean = len(draws), float(np.mean(draws))
    error = float(np.std(draws, ddof=1)) / math.sqrt(n)
    size = max(abs(target), float(np.max(np.abs(draws))))
    excess = max(0.0, abs(mean - target) - _ROUNDINGS * _EPSILON * size)
    z = math.copysign(_quotient(excess, error), mean - target)
    return MeanTest(mean, target, error, z, float(2 * stats.t.sf(abs(z), n - 1)), n)


def two_sample_test(first: ArrayLike, second: ArrayLike) -> TwoSampleTest:
    """Test whether two samples of shape ``(n,)`` and ``(m,)`` come from one law.

    Kolmogorov-Smirnov (asymptotic p-value, conservative for laws with atoms) and Welch's test of
    the means; twice the smaller p-value is a p-value for both together.

    Raises TypeError or ValueError for samples that are not finite, or shorter than 2.

    >>> rng = np.random.default_rng(0)
    >>> x = rng.standard_normal(2000)
    >>> two_sample_test(x, rng.standard_normal(2000)).p_value > 0.01
    True
    >>> two_sample_test(x, 2 * rng.standard_normal(2000)).p_value < 1e-6
    True
    """
    x, y = _draws("first", first), _draws("second", second)
    ks = stats.ks_2samp(x, y, method="asymp")
    variances = np.var(x, ddof=1) / len(x), np.var(y, ddof=1) / len(y)
    error = math.sqrt(sum(variances))
    z = _quotient(abs(float(x.mean() - y.mean())), error)
    freedom = max(1, min(len(x), len(y)) - 1)
    p = min(float(ks.pvalue), float(2 * stats.t.sf(z, freedom)))
    return TwoSampleTest(float(ks.statistic), z, min(1.0, 2 * p), (len(x), len(y)), error)


def slope_test(
    sizes: ArrayLike,
    values: ArrayLike,
    standard_errors: ArrayLike,
    expected: float,
    alternative: Literal["two-sided", "at most"] = "two-sided",
) -> SlopeTest:
    """Fit values ~ sizes^slope by weighted least squares in logarithms, and test the exponent.

    The errors of log(values) are taken to be normal with deviations standard_errors / values.
    With "at most" only a slope above ``expected`` speaks against the prediction, as for a rate
    that is claimed as an O(.). At least 3 distinct positive sizes; positive values and errors.

    Raises TypeError or ValueError for anything else.

    >>> sizes = [1, 2, 4, 8]
    >>> test = slope_test(sizes, [1.0, 0.5, 0.25, 0.125], [0.01, 0.005, 0.003, 0.001], -1)
    >>> round(test.slope, 10), test.p_value > 0.5
    (-1.0, True)
    """
    x = real_array("sizes", sizes, _POSITIVE, ("n",))
    y = real_array("values", values, _POSITIVE, ("n",))
    errors = real_array("standard_errors", standard_errors, _POSITIVE, ("n",))
    same_length(("sizes", "values", "standard_errors"), (len(x), len(y), len(errors)))
    if len(np.unique(x)) < 3:
        raise ValueError(f"sizes must hold at least 3 distinct numbers, got {sizes!r}")
    if alternative not in ("two-sided", "at most"):
        raise ValueError(f"alternative must be 'two-sided' or 'at most', got {alternative!r}")
    target = real_number("expected", expected)
    weights = (y / errors) ** 2
    logs = np.log(x) - np.average(np.log(x), weights=weights)
    spread = float(np.sum(weights * logs**2))
    slope = float(np.sum(weights * logs * np.log(y))) / spread
    error = spread**-0.5
    z = (slope - target) / error
    p = 2 * stats.norm.sf(abs(z)) if alternative == "two-sided" else stats.norm.sf(z)
    margin = float(stats.norm.isf(0.025)) * error
    return SlopeTest(slope, target, error, (slope - margin, slope + margin), float(p), alternative)


def power(effect: float, standard_error: float, level: float) -> float:
    """Return the probability that a two-sided normal test at ``level`` finds this effect.

    >>> round(power(0.0, 1.0, 0.05), 12), round(power(3.92, 1.0, 0.05), 3)
    (0.05, 0.975)
    """
    shift = real_number("effect", effect) / real_number("standard_error", standard_error, _POSITIVE)
    threshold = float(stats.norm.isf(real_number("level", level, _PROBABILITY) / 2))
    return float(stats.norm.sf(threshold - shift) + stats.norm.cdf(-threshold - shift))


@dataclass(frozen=True)
class ErrorBudget:
    """One error probability shared equally among tests, so that together they keep to it.

    Raises TypeError or ValueError unless ``total`` lies in (0, 1) and ``tests`` is positive.

    >>> budget = ErrorBudget(total=1e-6, tests=50)
    >>> budget.level, budget.split(4).level
    (2e-08, 5e-09)
    """

    total: float
    tests: int

    def __post_init__(self) -> None:
        real_number("total", self.total, _PROBABILITY)
        positive_integer("tests", self.tests)

    @property
    def level(self) -> float:
        """The level of one test."""
        return self.total / self.tests

    def split(self, parts: int) -> ErrorBudget:
        """Return the budget of one test that consists of several comparisons."""
        return ErrorBudget(self.level, positive_integer("parts", parts))


def _draws(name: str, values: ArrayLike) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    draws = real_array(name, values, shape=("n",))
    if len(draws) < 2:
        raise ValueError(f"{name} must hold at least 2 draws, got {len(draws)}")
    return draws.reshape(-1)


def _quotient(difference: float, error: float) -> float:
    """How many standard errors a difference is; infinitely many if nothing varies."""
    if error == 0.0:
        return 0.0 if difference == 0.0 else math.inf
    return difference / error


def _shift(level: float, power: float, two_sided: bool) -> float:
    """The effect, in standard errors, found at this level with this power."""
    size = real_number("level", level, _PROBABILITY) / (2 if two_sided else 1)
    wanted = real_number("power", power, _PROBABILITY)
    return max(0.0, float(stats.norm.isf(size) + stats.norm.ppf(wanted)))

"""Tests of whether two samples have the same law."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import special

from numeric.arguments import Floats, real_number
from numeric.statistics.means import moments, replications, unit_of
from numeric.statistics.tails import PROBABILITY, finite, p_value_of


@dataclass(frozen=True)
class TwoSampleTest:
    """A test of whether two samples have the same law.

    distance  the largest difference of the two empirical distribution functions
    means     the test of equal means; its p-value and that of the distance share the level
    """

    distance: float
    distance_p_value: float
    mean_difference: float
    mean_p_value: float
    p_value: float
    samples: tuple[int, int]

    def detectable(self, alpha: float, power: float) -> float:
        """Return a distance of the two laws that is found at level alpha with at least this power.

        The test fires at distances from c sqrt(1/n + 1/m) on, 2 exp(-2 c^2) = alpha / 2; and
        each empirical distribution function is within sqrt(log(2 / f) / (2n)) of its law with
        probability 1 - f (Dvoretzky, Kiefer, Wolfowitz, Massart), f = (1 - power) / 2.
        """
        real_number("alpha", alpha, PROBABILITY)
        miss = (1 - real_number("power", power, PROBABILITY)) / 2
        n, m = self.samples
        threshold = math.sqrt((math.log(4) - math.log(alpha)) / 2 * (1 / n + 1 / m))
        return threshold + sum(math.sqrt(math.log(2 / miss) / (2 * k)) for k in (n, m))

    def __str__(self) -> str:
        n, m = self.samples
        return (
            f"distance {self.distance:.3g} (p = {self.distance_p_value:.3g}), means differ by "
            f"{self.mean_difference:.3g} (p = {self.mean_p_value:.3g}), of {n} and {m}"
        )


def two_sample_test(first: Any, second: Any) -> TwoSampleTest:
    """Test whether two independent samples, of shapes (n,) and (m,), have the same law.

    Two tests at half the level each: Kolmogorov's and Smirnov's (all differences; by the limit
    law, which is conservative, also with ties) and Welch's of the means (sharper for a shift), so
    that p = min(1, 2 min(p_distance, p_mean)).

    Raises: TypeError, ValueError for samples that are not finite numbers or fewer than 2, and if a
    statistic is not finite.

    >>> rng = np.random.default_rng(1)
    >>> x, y = rng.standard_normal(4000), rng.standard_normal(5000)
    >>> two_sample_test(x, y).p_value > 1e-6, two_sample_test(x, 1.3 * y).p_value < 1e-6
    (True, True)
    """
    x, y = replications("first", first), replications("second", second)
    distance = _distance(x, y)
    size = len(x) * len(y) / (len(x) + len(y))
    distance_p_value = float(special.kolmogorov(math.sqrt(size) * distance))
    difference, mean_p_value = _welch(x, y)
    return TwoSampleTest(
        distance,
        distance_p_value,
        difference,
        mean_p_value,
        min(1.0, 2 * min(distance_p_value, mean_p_value)),
        (len(x), len(y)),
    )


def _distance(x: Floats, y: Floats) -> float:
    """The largest difference of the two empirical distribution functions."""
    both = np.concatenate([x, y])
    below = [np.searchsorted(np.sort(v), both, side="right") / len(v) for v in (x, y)]
    return float(np.max(np.abs(below[0] - below[1])))


def _welch(x: Floats, y: Floats) -> tuple[float, float]:
    """Return the difference of the means, and the p-value of 0 for it by Student's law.

    The degrees of freedom are Welch's.
    """
    unit = unit_of(x, y)
    first, second = moments(x / unit), moments(y / unit)
    gap, total = first.mean - second.mean, math.hypot(first.error, second.error)
    difference = finite("first and second", "difference of the means", unit * gap)
    if total == 0:
        return difference, float(gap == 0)
    shares = (first.error / total) ** 4 / (len(x) - 1) + (second.error / total) ** 4 / (len(y) - 1)
    statistic = finite("first and second", "statistic of Welch", gap / total)
    return difference, p_value_of(statistic, 1 / shares, "two-sided")

"""Statistical checks with known error probabilities: means, laws, rates.

Every test answers a p-value, the probability under the hypothesis of a result at least as extreme,
accurate far in the tail, where a family of tests with a small total error has its levels; and the
effect that it detects with a given power at a given level, without which a pass says nothing.
"""

from numeric.statistics.budget import ErrorBudget, power
from numeric.statistics.laws import TwoSampleTest, two_sample_test
from numeric.statistics.means import MeanTest, mean_test
from numeric.statistics.rates import SlopeTest, slope_test

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

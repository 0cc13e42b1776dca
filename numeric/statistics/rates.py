"""Tests of exponents in power laws."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import special

from numeric.arguments import POSITIVE, Floats, real_array, real_number
from numeric.statistics.tails import Alternative, check_alternative, p_value_of, quantile


@dataclass(frozen=True)
class SlopeTest:
    """A test of the exponent in y = C x^slope.

    misfit_p_value: of the hypothesis that the points lie on any power law, by the sum of squared
    residuals (1 for two points). It is not part of p_value.
    """

    slope: float
    expected: float
    standard_error: float
    z: float
    p_value: float
    factor: float
    misfit_p_value: float
    samples: int
    alternative: Alternative = "two-sided"

    def interval(self, alpha: float) -> tuple[float, float]:
        """Return the interval that covers the exponent with probability 1 - alpha."""
        reach = quantile(alpha / 2) * self.standard_error
        return self.slope - reach, self.slope + reach

    def detectable(self, alpha: float, power: float) -> float:
        """Return the smallest deviation of the exponent found at level alpha with this power."""
        tail = alpha / 2 if self.alternative == "two-sided" else alpha
        return max(0.0, quantile(tail) + quantile(1 - power)) * self.standard_error

    def __str__(self) -> str:
        return (
            f"exponent {self.slope:.4g} +- {self.standard_error:.2g} from {self.samples} points, "
            f"expected {self.expected:.4g}: z = {self.z:.3g}, p = {self.p_value:.3g}"
        )


def slope_test(
    x: Any,
    y: Any,
    standard_errors: Any,
    expected: float,
    *,
    alternative: Alternative = "two-sided",
) -> SlopeTest:
    """Test the exponent of a power law y = C x^slope, from values with known standard errors.

    x, y, standard_errors: shape (n,), n >= 2, all positive, x not all equal. The line through
    (log x, log y) is fitted with weights 1 / s^2, s = standard_errors / y the error of log y to
    first order, which must be at most 1/10 (its second order, s^2 / 2, is then below s / 20).

    alternative: "greater" makes evidence of an exponent above the expected one the alarm.

    Raises: TypeError, ValueError for arguments outside of this.

    >>> widths = np.array([16, 32, 64, 128])
    >>> test = slope_test(widths, 3 / np.sqrt(widths), 0.01 / np.sqrt(widths), -0.5)
    >>> round(test.slope, 6), round(test.factor, 6), test.p_value > 0.999
    (-0.5, 3.0, True)
    """
    u, v, s = _logarithms(x, y, standard_errors)
    expected = real_number("expected", expected)
    check_alternative(alternative)
    weights = 1 / (s * s)
    centre = float(weights @ u / weights.sum())
    spread = float(weights @ (u - centre) ** 2)
    slope = float(weights @ ((u - centre) * v)) / spread
    level = float(weights @ v / weights.sum())
    error = 1 / math.sqrt(spread)
    residuals = (v - level - slope * (u - centre)) / s
    misfit = float(special.gammaincc((len(u) - 2) / 2, float(residuals @ residuals) / 2))
    z = (slope - expected) / error
    return SlopeTest(
        slope,
        expected,
        error,
        z,
        p_value_of(z, math.inf, alternative),
        math.exp(level - slope * centre),
        misfit if len(u) > 2 else 1.0,
        len(u),
        alternative,
    )


def _logarithms(x: Any, y: Any, standard_errors: Any) -> tuple[Floats, Floats, Floats]:
    abscissae, values, errors = (
        real_array(name, value, POSITIVE, shape=("n",))
        for name, value in (("x", x), ("y", y), ("standard_errors", standard_errors))
    )
    if not len(abscissae) == len(values) == len(errors) >= 2:
        lengths = f"{len(abscissae)}, {len(values)}, {len(errors)}"
        raise ValueError(f"x, y, standard_errors must have one length >= 2, got {lengths}")
    if np.all(abscissae == abscissae[0]):
        raise ValueError(f"x must not be all equal, got {abscissae[0]} throughout")
    relative = errors / values
    if relative.max() > 0.1:
        raise ValueError(f"standard_errors must be at most y / 10, got {relative.max():.3g} y")
    return np.log(abscissae), np.log(values), relative

"""Tests of exponents in power laws."""

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from scipy import special

from numeric.arguments import POSITIVE, Floats, real_array, real_number
from numeric.statistics.tails import Alternative, check_alternative, finite, p_value_of, quantile


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
        reach = finite("alpha", "reach", quantile(alpha / 2) * self.standard_error)
        return self.slope - reach, self.slope + reach

    def detectable(self, alpha: float, power: float) -> float:
        """Return the smallest deviation of the exponent found at level alpha with this power."""
        tail = alpha / 2 if self.alternative == "two-sided" else alpha
        quantiles = max(0.0, quantile(tail) + quantile(1 - power))
        return finite("alpha and power", "detectable deviation", quantiles * self.standard_error)

    def __str__(self) -> str:
        return (
            f"exponent {self.slope:.4g} +- {self.standard_error:.2g} from {self.samples} points, "
            f"expected {self.expected:.4g}: z = {self.z:.3g}, p = {self.p_value:.3g}"
        )


def slope_test(
    x: Any, y: Any, standard_errors: Any, expected: float, *, alternative: Alternative = "two-sided"
) -> SlopeTest:
    """Test the exponent of a power law y = C x^slope, from values with known standard errors.

    x, y, standard_errors: shape (n,), n >= 2, all positive, x not all equal. The line through
    (log x, log y) is fitted with weights 1 / s^2, s = standard_errors / y the error of log y to
    first order, which must be at most 1/10 (its second order, s^2 / 2, is then below s / 20).

    alternative: "greater" makes evidence of an exponent above the expected one the alarm.

    Raises: TypeError, ValueError for arguments outside of this; for standard errors so small that
    the rounding of the logarithms could move z by a thousandth; and if a statistic is not finite.

    >>> widths = np.array([16, 32, 64, 128])
    >>> test = slope_test(widths, 3 / np.sqrt(widths), 0.01 / np.sqrt(widths), -0.5)
    >>> round(test.slope, 6), round(test.factor, 6), test.p_value > 0.999
    (-0.5, 3.0, True)
    """
    u, v, s = _logarithms(x, y, standard_errors)
    expected = real_number("expected", expected)
    check_alternative(alternative)
    line = _fitted(u, v, s)
    misfit = float(special.gammaincc((len(u) - 2) / 2, float(line.misfits @ line.misfits) / 2))
    z = finite("standard_errors and expected", "z", (line.slope - expected) * line.reach / line.smallest)
    with np.errstate(over="ignore"):
        factor = finite("x, y and standard_errors", "factor", float(np.exp(line.intercept)))
    return SlopeTest(
        line.slope,
        expected,
        line.smallest / line.reach,
        z,
        p_value_of(z, math.inf, alternative),
        factor,
        misfit if len(u) > 2 else 1.0,
        len(u),
        alternative,
    )


class _Line(NamedTuple):
    """A fitted line, whose slope has the error smallest / reach.

    smallest  error of an ordinate; misfits are the residuals in units of their errors
    """

    slope: float
    intercept: float
    smallest: float
    reach: float
    misfits: Floats


def _fitted(u: Floats, v: Floats, s: Floats) -> _Line:
    """Return the line v = slope u + intercept with weights 1 / s^2, unless rounding moves it."""
    smallest = float(s.min())
    weights = (smallest / s) ** 2
    centre, level = (float(weights @ one / weights.sum()) for one in (u, v))
    across, up = u - centre, v - level
    spread = float(weights @ across**2)
    if not spread > 0:
        raise ValueError(f"x must differ in its logarithms, whose weighted spread is {spread}")
    # Logarithms and sums are off by units of n 2^-52: so many errors the slope may be off.
    steepest = math.sqrt(float(weights @ up**2) / spread)
    size = float(np.max(np.abs(v))) + steepest * float(np.max(np.abs(u)))
    lost = len(u) * 2.0**-50 * size * math.sqrt(float(weights.sum())) / smallest
    if not lost < _LOST:
        raise ValueError(
            "standard_errors must be large beside the rounding of logarithms, which could move z "
            f"by {lost:.3g}; they go down to {smallest:.3g} y"
        )
    slope = float(weights @ (across * up)) / spread
    misfits = (up - slope * across) / s
    return _Line(slope, level - slope * centre, smallest, math.sqrt(spread), misfits)


_LOST = 2.0**-10


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
    with np.errstate(over="ignore"):
        relative = errors / values
    if not relative.min() > 0:
        raise ValueError("standard_errors must be positive as floats when divided by y, got 0.0")
    if relative.max() > 0.1:
        raise ValueError(f"standard_errors must be at most y / 10, got {relative.max():.3g} y")
    return np.log(abscissae), np.log(values), relative

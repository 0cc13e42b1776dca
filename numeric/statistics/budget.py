"""The error budget of a family of tests, and the power of one test."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from fractions import Fraction

from scipy import special

from numeric.arguments import NONNEGATIVE, closed, positive_integer, real_number, shown
from numeric.statistics.tails import PROBABILITY, quantile


@dataclass(frozen=True)
class ErrorBudget:
    """The probability of any false alarm in a family of tests, shared out equally (Bonferroni).

    Raises: ValueError unless 0 < total < 1 and tests >= 1, and if so many share it that nothing is
    left for one.

    >>> budget = ErrorBudget(total=1e-6, tests=200)
    >>> budget.level
    5e-09
    >>> budget.split(10).level, budget.accepts(1e-7), budget.accepts(1e-9)
    (5e-10, True, False)
    """

    total: float = 1e-6
    tests: int = 1

    def __post_init__(self) -> None:
        real_number("total", self.total, PROBABILITY)
        if Fraction(self.total) / positive_integer("tests", self.tests) < _SMALLEST:
            raise ValueError(f"tests must leave a level of at least {_SMALLEST}, got {shown(self.tests)}")

    @property
    def level(self) -> float:
        """Return the level of one test: by the union bound the family errs at most by total."""
        return self.total / self.tests

    def split(self, parts: int) -> ErrorBudget:
        """Return the budget of a test that is made of so many comparisons."""
        return ErrorBudget(self.level, parts)

    def accepts(self, p_value: float) -> bool:
        """Return whether a test with this p-value passes. Raises: ValueError outside [0, 1]."""
        return real_number("p_value", p_value, closed(0, 1)) >= self.level


_SMALLEST = sys.float_info.min


def power(effect: float, standard_error: float, alpha: float) -> float:
    """Return the probability that a two-sided normal test at level alpha detects an effect.

    Phi(e - q) + Phi(-e - q), with e the effect in standard errors and q the quantile to
    1 - alpha/2. Without any error every effect but 0 is detected.

    Raises: ValueError for a negative standard error or alpha outside (0, 1).

    >>> round(power(0, 1, 0.05), 12), round(power(3.2897, 1, 0.05), 3)
    (0.05, 0.908)
    """
    effect = real_number("effect", effect)
    standard_error = real_number("standard_error", standard_error, NONNEGATIVE)
    threshold = quantile(real_number("alpha", alpha, PROBABILITY) / 2)
    if standard_error == 0:
        return float(effect != 0)
    e = abs(effect) / standard_error
    return float(special.ndtr(e - threshold) + special.ndtr(-e - threshold))

"""A dual in two arithmetics, and what Gaussian pairs need in both.

Everywhere in this package (rho, v1, v2) describes the pair (u1, u2): centred Gaussians with
variances v1, v2 and covariance rho sqrt(v1 v2).
"""

import inspect
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from flint import arb

from numeric.arguments import NONNEGATIVE, Floats, Interval, closed
from numeric.arithmetic import BallFormula, FloatFormula, closed_form
from numeric.balls import monotone_enclosure

CORRELATION = closed(-1, 1)


@dataclass(frozen=True)
class Formula:
    """A function of rho, v1, v2 and real parameters: one formula in floats, one in balls.

    Both take the arguments by position, `parameters` in their order; see
    `numeric.arithmetic.closed_form` for what is asked of them. `rho` and `variance` are the
    domains of the correlation and of both variances.
    """

    floats: FloatFormula
    balls: BallFormula
    parameters: Mapping[str, Interval] = field(default_factory=lambda: MappingProxyType({}))
    rho: Interval = CORRELATION
    variance: Interval = NONNEGATIVE

    @cached_property
    def evaluate(self) -> Any:
        """The function of the caller's arithmetic, its arguments named rho, variance1, ..."""
        pair = {"rho": self.rho, "variance1": self.variance, "variance2": self.variance}
        domains = {**pair, **self.parameters}

        def dual(*arrays: Floats) -> Floats:
            return self.floats(*arrays)

        kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
        named = [inspect.Parameter(name, kind) for name in domains]
        dual.__signature__ = inspect.Signature(named)  # type: ignore[attr-defined]
        return closed_form(balls=self.balls, **domains)(dual)


class Duals(NamedTuple):
    """E phi(u1) phi(u2) and E phi'(u1) phi'(u2)."""

    dual: Formula
    derivative: Formula


def times(formula: Formula, factor: Callable[..., Any]) -> Formula:
    """The formula times a function of its parameters (written for any arithmetic)."""
    return replace(
        formula,
        floats=lambda rho, v1, v2, *p: factor(*p) * formula.floats(rho, v1, v2, *p),
        balls=lambda rho, v1, v2, *p: factor(*p) * formula.balls(rho, v1, v2, *p),
    )


# Floats


def scale(v1: Floats, v2: Floats) -> Floats:
    """sqrt(v1 v2), which no large or tiny variance over- or underflows."""
    return np.asarray(np.sqrt(v1) * np.sqrt(v2))


def sine(rho: Floats) -> Floats:
    """sqrt(1 - rho^2), accurate near the ends."""
    return np.asarray(np.sqrt((1 - rho) * (1 + rho)))


def variance_of_sum(rho: Floats, v1: Floats, v2: Floats) -> Floats:
    """Var(u1 + u2) = (s1 - s2)^2 + 2 s1 s2 (1 + rho), s^2 = v: nothing cancels."""
    root1, root2 = np.sqrt(v1), np.sqrt(v2)
    difference = (v1 - v2) / np.maximum(root1 + root2, math.ulp(0.0))
    return np.asarray(difference * difference + 2 * root1 * root2 * (1 + rho))


# Balls


def root(value: arb) -> arb:
    """The square root of a ball that can stick out below 0."""
    return monotone_enclosure(arb.sqrt, value, NONNEGATIVE)


def ball_scale(v1: arb, v2: arb) -> arb:
    """sqrt(v1 v2)."""
    return root(v1 * v2)

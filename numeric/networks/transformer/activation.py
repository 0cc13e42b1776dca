"""Bounded smooth activations with their derivatives and the sup norms sigma_0, sigma_1, sigma_2."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from scipy.special import erf, expit

from numeric.arguments import Floats, shown

__all__ = ["ACTIVATIONS", "ERF", "LOGISTIC", "SINE", "TANH", "BoundedActivation"]

Function = Callable[[Floats], Floats]


@dataclass(frozen=True)
class BoundedActivation:
    """An activation sigma with sigma', sigma'' and the sup norms (sigma_0, sigma_1, sigma_2).

    The functions are vectorised. ``slope_from_value`` gives sigma'(s) from s and sigma(s), for
    speed where the value is at hand; by default sigma' is evaluated.

    Source: "Shallow transformers", Section 3.2.

    >>> TANH.value(np.array([0.0])), TANH.first(np.array([0.0])), TANH.bounds[:2]
    (array([0.]), array([1.]), (1.0, 1.0))
    """

    name: str
    value: Function
    first: Function
    second: Function
    bounds: tuple[float, float, float]
    slope_from_value: Callable[[Floats, Floats], Floats] | None = field(default=None, repr=False)

    def slope(self, s: Floats, value: Floats) -> Floats:
        """sigma'(s), given sigma(s)."""
        return self.first(s) if self.slope_from_value is None else self.slope_from_value(s, value)


def activation_of(value: object) -> BoundedActivation:
    """`value` if it is an BoundedActivation: a name or a bare function is refused."""
    if not isinstance(value, BoundedActivation):
        raise TypeError(f"activation must be an BoundedActivation, got {shown(value)}")
    return value


def _tanh_slope(_: Floats, value: Floats) -> Floats:
    return 1 - value * value


def _tanh_first(s: Floats) -> Floats:
    # 1 - tanh(s)^2 would lose all digits where tanh rounds to 1; e^(-2|s|) never overflows.
    decay = np.exp(-2 * np.abs(s))
    slope: Floats = 4 * decay / (1 + decay) ** 2
    return slope


def _tanh_second(s: Floats) -> Floats:
    return -2 * np.tanh(s) * _tanh_first(s)


def _gaussian(s: Floats) -> Floats:
    # From |s| = 30 on the exponential is below the smallest float.
    near = np.clip(s, -30, 30)
    slope: Floats = 2 / math.sqrt(math.pi) * np.exp(-near * near)
    return slope


def _gaussian_slope(s: Floats) -> Floats:
    return -2 * np.clip(s, -30, 30) * _gaussian(s)


def _logistic_first(s: Floats) -> Floats:
    slope: Floats = expit(s) * expit(-s)
    return slope


def _logistic_second(s: Floats) -> Floats:
    curvature: Floats = _logistic_first(s) * (expit(-s) - expit(s))
    return curvature


def _minus_sine(s: Floats) -> Floats:
    return -np.sin(s)


# sup|tanh''|: with y = tanh, |2y(1 - y^2)| is largest at y = 1/sqrt(3).
TANH = BoundedActivation(
    "tanh", np.tanh, _tanh_first, _tanh_second, (1.0, 1.0, 4 / (3 * math.sqrt(3))), _tanh_slope
)
# sup|erf''|: 4/sqrt(pi) s exp(-s^2) is largest at s = 1/sqrt(2).
ERF = BoundedActivation(
    "erf",
    erf,
    _gaussian,
    _gaussian_slope,
    (1.0, 2 / math.sqrt(math.pi), 2 * math.sqrt(2 / (math.pi * math.e))),
)
# sup of |p(1-p)(1-2p)|: at p = (1 - 1/sqrt(3))/2.
LOGISTIC = BoundedActivation(
    "logistic", expit, _logistic_first, _logistic_second, (1.0, 0.25, 1 / (6 * math.sqrt(3)))
)
SINE = BoundedActivation("sine", np.sin, np.cos, _minus_sine, (1.0, 1.0, 1.0))

#: The activations by name.
ACTIVATIONS = {one.name: one for one in (TANH, ERF, LOGISTIC, SINE)}

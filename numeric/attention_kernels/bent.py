"""Means of a s + b |s|: its coefficients by name, and what |s| makes of a Gaussian pair."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np

from numeric.arguments import Floats

#: a and b, of a s + b |s|, from the parameters of the activation of that name.
PIECEWISE_LINEAR: Mapping[str, Callable[..., tuple[float, float]]] = MappingProxyType(
    {
        "identity": lambda: (1.0, 0.0),
        "abs": lambda: (0.0, 1.0),
        "relu": lambda: (0.5, 0.5),
        "leaky_relu": lambda slope: ((1 + slope) / 2, (1 - slope) / 2),
        "ab_relu": lambda a, b: (a, b),
    }
)


def bent_means(rho: Floats) -> tuple[Floats, Floats]:
    """A = (2/pi) (sqrt(1 - rho^2) + rho arcsin rho) and A' = (2/pi) arcsin rho.

    These are E |u1 u2| and E sgn(u1) sgn(u2) for standard normals of correlation rho in [-1, 1].
    """
    slope = np.arcsin(rho)
    value, other = 1 - rho, 1 + rho
    value *= other
    np.sqrt(value, out=value)
    value += np.multiply(rho, slope, out=other)
    value *= 2 / np.pi
    slope *= 2 / np.pi
    return value, slope

"""Activations written out anew, and their duals from the definition in float64.

The oracle integrates the product of the functions against the joint density on a Cartesian grid:
panels of width at most 1, cut at the kinks and jumps, with 20 Gauss-Legendre nodes each. On a
panel of half-width h, n nodes miss at most M R^(-2n) of an integrand bounded by M in the ellipse
with half-axes h (R +- 1/R)/2. Against the density for |rho| <= 0.9, which varies over lengths of at
least 0.43, R = 8 gives M < e^11 and a miss of 8^-40 e^11 < 1e-30 per panel; beyond 13 standard
deviations there is less than e^-70 of everything. What remains is rounding.
"""

import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import mpmath
import numpy as np
import sympy
from numpy.polynomial import hermite_e
from numpy.typing import NDArray
from scipy import special

Array = NDArray[np.float64]
REACH = 13.0


@dataclass(frozen=True)
class Case:
    """An activation of the registries: its function, and its derivative as a function if any."""

    name: str
    phi: Callable[[Any], Any]
    prime: Callable[[Any], Any] | None
    breaks: tuple[float, ...] = ()
    parameters: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        values = "_".join(str(value) for value in self.parameters.values())
        return f"{self.name}_{values}".rstrip("_")


def _rays(p: float, m: float) -> tuple[Callable[[Any], Any], Callable[[Any], Any]]:
    return (lambda s: np.where(s > 0, p, m) * s), (lambda s: np.where(s > 0, p, m) + 0 * s)


def _case(name: str, functions: Any, breaks: tuple[float, ...] = (), **parameters: Any) -> Case:
    return Case(name, *functions, breaks=breaks, parameters=parameters)


def _power(degree: int) -> tuple[Callable[[Any], Any], Callable[[Any], Any]]:
    return (lambda s: s**degree), (lambda s: degree * s ** max(degree - 1, 0))


def _rectified(degree: int) -> tuple[Callable[[Any], Any], Callable[[Any], Any]]:
    power, prime = _power(degree)
    return (lambda s: (s > 0) * power(s)), (lambda s: (s > 0) * prime(s))


def _hermite(degree: int) -> tuple[Callable[[Any], Any], Callable[[Any], Any]]:
    coefficients = [0.0] * degree + [1.0]
    derivative = hermite_e.hermeder(coefficients)
    return (lambda s: hermite_e.hermeval(s, coefficients), lambda s: hermite_e.hermeval(s, derivative))


def _normal_law(s: Any) -> Any:
    return special.erfc(-s / math.sqrt(2)) / 2


def _normal_density(s: Any) -> Any:
    return np.exp(-s * s / 2) / math.sqrt(2 * math.pi)


_GELU = (lambda s: s * _normal_law(s), lambda s: _normal_law(s) + s * _normal_density(s))

F = Fraction
CASES = [
    _case("ab_relu", _rays(-0.75 + 0.5, -0.75 - 0.5), (0,), a=F(-3, 4), b=F(1, 2)),
    _case("ab_relu", _rays(0.25 + 1, 0.25 - 1), (0,), a=F(1, 4), b=1),
    _case("relu", _rays(1, 0), (0,)),
    _case("leaky_relu", _rays(1, 0.125), (0,), slope=F(1, 8)),
    _case("leaky_relu", _rays(1, -0.5), (0,), slope=F(-1, 2)),
    _case("abs", (np.abs, np.sign), (0,)),
    _case("sign", (np.sign, None), (0,)),
    _case("step", (lambda s: (s > 0) + 0.0 * s, None), (0,)),
    _case("identity", (lambda s: s, np.ones_like)),
    *[_case("monomial", _power(d), degree=d) for d in (0, 1, 2, 5)],
    _case("rectified_monomial", (lambda s: (s > 0) + 0.0 * s, None), (0,), degree=0),
    *[_case("rectified_monomial", _rectified(d), (0,), degree=d) for d in (1, 2, 3, 4)],
    *[_case("hermite", _hermite(d), degree=d) for d in (0, 1, 2, 5)],
    _case(
        "sin",
        (lambda s: np.sin(1.25 * s + 0.5), lambda s: 1.25 * np.cos(1.25 * s + 0.5)),
        frequency=F(5, 4),
        phase=F(1, 2),
    ),
    _case(
        "cos",
        (lambda s: np.cos(0.75 * s - 0.25), lambda s: -0.75 * np.sin(0.75 * s - 0.25)),
        frequency=F(3, 4),
        phase=F(-1, 4),
    ),
    _case("exp", (lambda s: np.exp(0.625 * s), lambda s: 0.625 * np.exp(0.625 * s)), rate=F(5, 8)),
    _case(
        "gaussian",
        (lambda s: np.exp(-0.75 * s * s), lambda s: -1.5 * s * np.exp(-0.75 * s * s)),
        rate=F(-3, 4),
    ),
    _case(
        "gaussian",
        (lambda s: np.exp(0.0625 * s * s), lambda s: 0.125 * s * np.exp(0.0625 * s * s)),
        rate=F(1, 16),
    ),
    _case(
        "erf",
        (lambda s: special.erf(0.75 * s), lambda s: 1.5 / math.sqrt(math.pi) * np.exp(-0.5625 * s * s)),
        scale=F(3, 4),
    ),
    _case("gelu", _GELU),
    _case(
        "clip",
        (lambda s: np.clip(s, -1.25, 1.25), lambda s: (np.abs(s) < 1.25) + 0.0 * s),
        (-1.25, 1.25),
        bound=F(5, 4),
    ),
]


def slopes(cases: list[Case]) -> list[Case]:
    """Those cases whose derivative is a function."""
    return [case for case in cases if case.prime is not None]


def mean(
    f: Callable[[Any], Any],
    g: Callable[[Any], Any],
    rho: float,
    variances: tuple[float, float],
    breaks: tuple[float, ...] = (),
) -> float:
    """E f(u1) g(u2) from the definition, for |rho| <= 0.9 and rho = -1, 1."""
    s1, s2 = np.sqrt(variances)
    if abs(rho) == 1:
        x, weights = _nodes([b / s for b in breaks for s in (s1, rho * s2)])
        return float(np.sum(weights * _normal_density(x) * f(s1 * x) * g(rho * s2 * x)))
    (x, w), (y, z) = (_nodes([b / s for b in breaks]) for s in (s1, s2))
    return float((w * f(s1 * x)) @ _joint_density(x, y, rho) @ (z * g(s2 * y)))


def _joint_density(x: Array, y: Array, rho: float) -> Array:
    square = (x[:, None] ** 2 - 2 * rho * np.outer(x, y) + y**2) / (1 - rho**2)
    return np.asarray(np.exp(-square / 2) / (2 * math.pi * math.sqrt(1 - rho**2)))


def _nodes(cuts: list[float]) -> tuple[Array, Array]:
    ends = sorted({*np.arange(-REACH, REACH + 1), *(cut for cut in cuts if abs(cut) < REACH)})
    base, weight = np.polynomial.legendre.leggauss(20)
    pieces = [((b - a) / 2, (a + b) / 2) for a, b in itertools.pairwise(ends)]
    x = np.concatenate([half * base + middle for half, middle in pieces])
    return x, np.concatenate([half * weight for half, _ in pieces])


def number(expression: sympy.Expr) -> mpmath.mpf:
    """An exact number, with an integral in it if need be, at the precision of mpmath."""
    values = {}
    for integral in expression.atoms(sympy.Integral):
        variable, *ends = integral.limits[0]
        function = sympy.lambdify(variable, integral.function, "mpmath")
        values[integral] = mpmath.quad(function, [number(end) for end in ends])
    names = {integral: sympy.Dummy() for integral in values}
    function = sympy.lambdify(list(names.values()), expression.xreplace(names), "mpmath")
    return mpmath.mpf(function(*values.values()))

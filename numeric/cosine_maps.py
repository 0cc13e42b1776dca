"""The cosine map of an (a,b)-ReLU, its companions and their derivatives, as numbers.

The activation phi(s) = a s + b|s| enters through delta_phi(a, b) alone. What a layer does to the
cosine rho of two inputs is varrho; to the squared cosine distance z = (1 - rho)/2, zeta; to the
inverse cosine distance w = z^(-1/2), omega. All evaluate in the caller's arithmetic, see
`numeric.arithmetic`: at most 4 units in the last place off in float64 (next to the sign changes
of varrho, varrho_prime, zeta_prime: within 4 units in the last place of 1/8; omega_prime: 10
units, and next to its sign change those of (omega/w)^3/8). No function of the system's
mathematical library but the square root is used, so that results are equal on all machines.
"""

import math
from typing import Any

import numpy as np

from numeric import cosine_map_balls as balls
from numeric.arcsine import (
    TWO_OVER_PI,
    arcsine,
    complement,
    double_gap,
    piecewise,
    product,
    relative_gap,
    relative_gap_of_root,
    slope_gap,
)
from numeric.arguments import REAL, Floats, closed, open_interval
from numeric.arithmetic import closed_form
from numeric.limiting_ntk import limiting_ntk, limiting_ntk_profile

__all__ = [
    "delta_phi",
    "kappa_phi",
    "limiting_ntk",
    "limiting_ntk_profile",
    "omega",
    "omega_prime",
    "varrho",
    "varrho_prime",
    "varrho_second",
    "zeta",
    "zeta_prime",
]

COSINE = closed(-1, 1)
UNIT = closed(0, 1)
DISTANCE = open_interval(1, math.inf)


@closed_form(balls=balls.delta_phi, a=REAL, b=REAL)
def delta_phi(a: Any, b: Any) -> Any:
    """delta_phi = b^2/(a^2 + b^2) in [0, 1] of the activation phi(s) = a s + b|s|.

    The rate at which inverse cosine distances grow with depth: 1 for |s|, 1/2 for the ReLU, 0 for
    the identity. Homogeneous of degree 0, so no scale of a and b over- or underflows.

    Any real a, b but a = b = 0 (ValueError).
    Source: "MLPs at the EOC", before Proposition 12.

    >>> delta_phi(0.5, 0.5), delta_phi(0, 1e300), delta_phi([3, -4], [4, 3])
    (0.5, 1.0, array([0.64, 0.36]))
    """
    _refuse_zero(a, b)
    flat = abs(b) <= abs(a)
    ratio = np.where(flat, b, a) / np.where(flat, a, b)
    return np.where(flat, ratio * ratio, 1.0) / (1 + ratio * ratio)


@closed_form(balls=balls.kappa_phi, a=REAL, b=REAL)
def kappa_phi(a: Any, b: Any) -> Any:
    """kappa_phi = (|a| + |b|)/sqrt(a^2 + b^2) in [1, sqrt 2]: the Lipschitz constant, rescaled.

    1 for |s| and for the identity, sqrt 2 for the ReLU.

    Any real a, b but a = b = 0 (ValueError).
    Source: "MLPs at the EOC", before Proposition 10.

    >>> kappa_phi(1, 0), kappa_phi(1e-200, -1e-200)
    (1.0, 1.414213562373095)
    """
    _refuse_zero(a, b)
    smaller, larger = np.minimum(abs(a), abs(b)), np.maximum(abs(a), abs(b))
    ratio = smaller / larger
    return (1 + ratio) / np.sqrt(1 + ratio * ratio)


def _refuse_zero(a: Floats, b: Floats) -> None:
    if np.any((a == 0) & (b == 0)):
        raise ValueError(balls.BOTH_ZERO)


@closed_form(balls=balls.varrho, rho=COSINE, delta=UNIT)
def varrho(rho: Any, delta: Any) -> Any:
    """Cosine map: how a layer changes the cosine of two inputs.

    varrho(rho) = (1-D) rho + D (2/pi) (sqrt(1-rho^2) + rho arcsin rho), D = delta, which is
    sigma^2 E phi(u_1) phi(u_2) for standard normal u_1, u_2 of correlation rho.

    rho in [-1, 1], delta in [0, 1].
    Source: "MLPs at the EOC", before Proposition 11 (definition; the closed form is derived).

    >>> varrho(0, 1), varrho([-1, 1], 0.25)
    (0.6366197723675814, array([-0.5,  1. ]))
    >>> import mpmath
    >>> print(mpmath.nstr(varrho("0.3", 1, digits=40), 40))
    0.6654885676709752432699983332166871361599
    """
    # As rho + D h(rho) with h the double gap, and its mirror image below 0: at a sign change of
    # varrho the two terms are then small.
    size = abs(rho)
    return np.where(rho >= 0, 1.0, 2 * delta - 1) * size + delta * double_gap(size)


@closed_form(balls=balls.varrho_prime, rho=COSINE, delta=UNIT)
def varrho_prime(rho: Any, delta: Any) -> Any:
    """varrho'(rho) = (1-D) + D (2/pi) arcsin rho = sigma^2 E phi'(u_1) phi'(u_2), D = delta.

    rho in [-1, 1], delta in [0, 1]; from 1 - 2D at rho = -1 to 1 at rho = 1.
    Source: "MLPs at the EOC", before Proposition 15.

    >>> varrho_prime(0, 0.25), varrho_prime(-1, 0.5)
    (0.75, 0.0)
    """
    return _slope(rho, 0.5 - 0.5 * abs(rho), delta)


@closed_form(balls=balls.varrho_second, rho=open_interval(-1, 1), delta=UNIT)
def varrho_second(rho: Any, delta: Any) -> Any:
    """varrho''(rho) = D (2/pi) / sqrt(1 - rho^2), D = delta.

    rho in (-1, 1) (it is infinite at both ends), delta in [0, 1].
    Source: "MLPs at the EOC", proof of Proposition 27.

    >>> varrho_second([0, 0.6], 0.5)
    array([0.31830989, 0.39788736])
    """
    return TWO_OVER_PI * delta / np.sqrt((1 - rho) * (1 + rho))


@closed_form(balls=balls.zeta, z=UNIT, delta=UNIT)
def zeta(z: Any, delta: Any) -> Any:
    """Squared cosine distance map: how a layer changes z = (1 - rho)/2.

    zeta(z) = (1 - varrho(1 - 2z))/2 = z - (D/pi) (sin t - t cos t), t = 2 arcsin sqrt z, D = delta.

    z in [0, 1], delta in [0, 1].
    Source: "MLPs at the EOC", before Proposition 12.

    >>> zeta([0, 1e-300, 1], 0.25), zeta(0.5, 1)
    (array([0.0e+000, 1.0e-300, 7.5e-001]), 0.18169011381620934)
    """
    return piecewise(z <= 0.25, _zeta_near_zero, _zeta_elsewhere, z, delta)


def _zeta_near_zero(z: Floats, delta: Floats) -> Floats:
    return z * (1 - delta * relative_gap(z))


def _zeta_elsewhere(z: Floats, delta: Floats) -> Floats:
    return _mixed(z, np.minimum(z, 1 - z), delta)


@closed_form(balls=balls.zeta_prime, z=UNIT, delta=UNIT)
def zeta_prime(z: Any, delta: Any) -> Any:
    """zeta'(z) = varrho'(1 - 2z) = 1 - D (4/pi) arcsin sqrt z, D = delta.

    z in [0, 1], delta in [0, 1].
    Source: "MLPs at the EOC", before Proposition 12 (derivative of the definition).

    >>> zeta_prime([0, 0.5, 1], 1)
    array([ 1.,  0., -1.])
    """
    return _slope(1 - 2 * z, np.minimum(z, 1 - z), delta)


@closed_form(balls=balls.omega, w=DISTANCE, delta=UNIT)
def omega(w: Any, delta: Any) -> Any:
    """Inverse cosine distance map: how a layer changes w = ((1 - rho)/2)^(-1/2).

    omega(w) = zeta(w^-2)^(-1/2) = w + 4D/(3 pi) + O(1/w) for large w, D = delta.

    w in (1, infinity), delta in [0, 1].
    Source: "MLPs at the EOC", before Proposition 25.

    >>> omega([1.5, 2, 1e150], 1), omega(7, 0)
    (array([2.35883693e+000, 2.66309725e+000, 1.00000000e+150]), 7.0)
    """
    return w * np.sqrt(_squared_growth(w, delta))


@closed_form(balls=balls.omega_prime, w=DISTANCE, delta=UNIT)
def omega_prime(w: Any, delta: Any) -> Any:
    """omega'(w) = zeta'(w^-2) (omega(w)/w)^3.

    w in (1, infinity), delta in [0, 1].
    Source: "MLPs at the EOC", before Proposition 25 (derivative of the definition).

    >>> omega_prime([2, 10], 0.5)
    array([0.96403969, 0.99922684])
    """
    near = np.minimum(w, 2)
    square, error = product(near, near)
    # Of 1 - 2z = (w^2 - 2)/w^2 and 1 - z each is needed where it is small.
    rho = (square - 2 + error) / square
    z = np.where(w < 2, np.minimum(1, (near - 1) * (near + 1)) / square, (1 / w) ** 2)
    growth = _squared_growth(w, delta)
    return _slope(rho, z, delta) * (growth * np.sqrt(growth))


def _slope(rho: Floats, z: Floats, delta: Floats) -> Floats:
    """varrho'(rho), from rho and from z = (1 - |rho|)/2: each is exact where it is used."""
    return piecewise(z < 0.25, _slope_near_end, _slope_at_centre, rho, z, delta)


def _slope_near_end(rho: Floats, z: Floats, delta: Floats) -> Floats:
    leading, rest = slope_gap(z)
    weight = np.where(rho > 0, -delta, delta)
    return (np.where(rho > 0, 1.0, 1 - 2 * delta) + weight * leading) + weight * rest


def _slope_at_centre(rho: Floats, _: Floats, delta: Floats) -> Floats:
    return (1 - delta) + delta * arcsine(rho)


def _mixed(z: Floats, nearest: Floats, delta: Floats) -> Floats:
    """zeta(z) as a mean of z and zeta(z, 1), which has the same value at z and 1 - z."""
    return (1 - delta) * z + delta * complement(nearest)


def _squared_growth(w: Floats, delta: Floats) -> Floats:
    """(omega(w)/w)^2 = z/zeta(z)."""
    return piecewise(w >= 2, _squared_growth_far, _squared_growth_near, w, delta)


def _squared_growth_far(w: Floats, delta: Floats) -> Floats:
    root = 1 / w
    return 1 / (1 - delta * relative_gap_of_root(root, root * root))


def _squared_growth_near(w: Floats, delta: Floats) -> Floats:
    square = w * w
    z, other = 1 / square, (w - 1) * (w + 1) / square
    return 1 / (square * _mixed(z, np.minimum(z, other), delta))

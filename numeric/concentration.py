"""Explicit tail bounds for the deviations of one random layer from its mean, as numbers.

The propositions of "MLPs at the EOC", Section 3.2, bound probabilities up to constants hidden in
O(.); here the constants are explicit. In all of them A_{k-1} is random, the layers below it are
fixed, and ``width`` is m_{k-1} = gamma_{k-1} m, the number of its rows; the factor
gamma^(1/2) of the paper is left out: put t/gamma^(1/2) for t. With kappa the Lipschitz constant of
the activation,

    kappa^2 = 1 + 2 sqrt(delta (1 - delta)),    delta = b^2/(a^2 + b^2).

A ``tail`` is a bound of a probability (it exceeds 1 where it says nothing), a ``radius`` is a
bound that holds but for the probability stated. All evaluate in the caller's arithmetic, see
`numeric.arithmetic`; t, s, the norms and the width may be any real numbers of their domains.
Proofs: proofs_notes/eoc_concentration.md.
"""

import math
from typing import Any

import numpy as np
from flint import arb

from numeric import cosine_map_balls
from numeric.arguments import NONNEGATIVE, Floats, closed, left_open
from numeric.arithmetic import closed_form
from numeric.balls import sqrt_nonnegative
from numeric.cosine_maps import zeta

__all__ = [
    "backpropagation_product_tail",
    "backpropagation_radius",
    "derivative_product_range",
    "derivative_product_tail",
    "distance_tail",
    "last_layer_radius",
    "norm_tail",
]

_UNIT = closed(0, 1)
_WIDTH = closed(1, math.inf)
_LOG_9 = math.log(9)


def _kappa_squared(delta: Floats) -> Floats:
    return 1 + 2 * np.sqrt(delta * (1 - delta))


def _kappa_squared_ball(delta: arb) -> arb:
    return 1 + 2 * sqrt_nonnegative(delta * (1 - delta))


def _norm_tail_ball(t: arb, width: arb, delta: arb) -> arb:
    return 2 * (-width * t * t / (2 * _kappa_squared_ball(delta))).exp()


@closed_form(balls=_norm_tail_ball, t=NONNEGATIVE, width=_WIDTH, delta=_UNIT)
def norm_tail(t: Any, width: Any, delta: Any) -> Any:
    """Bound of P(| |x_k|/|x_{k-1}| - 1 | >= t): 2 exp(-M t^2/(2 kappa^2)), M = width.

    Each of the two sides has half of it.
    t >= 0, width >= 1, delta in [0, 1]; x_{k-1} does not vanish.
    Source: "MLPs at the EOC", Proposition 14, with kappa for kappa^2 and sqrt 2 for O(1).

    >>> norm_tail(0.5, 128, 1), norm_tail([0, 0.25], 128, 0.5)
    (2.2507034943851823e-07, array([2.        , 0.27067057]))
    """
    return 2 * np.exp(-t * (width * t) / (2 * _kappa_squared(delta)))


def _distance_tail_ball(t: arb, z: arb, width: arb, delta: arb) -> arb:
    if z == 1 and delta == 1:
        raise ValueError(_NO_DISTANCE)
    scaled = t * cosine_map_balls.zeta(z, delta) / (z * _kappa_squared_ball(delta))
    return 2 * (-width * scaled * scaled / 2).exp()


_NO_DISTANCE = "z must be less than 1 where delta = 1: zeta(z) would vanish"


@closed_form(balls=_distance_tail_ball, t=NONNEGATIVE, z=left_open(0, 1), width=_WIDTH, delta=_UNIT)
def distance_tail(t: Any, z: Any, width: Any, delta: Any) -> Any:
    """Bound of P(|D - sqrt(zeta)| >= t sqrt(zeta)): 2 exp(-M (t zeta/(kappa^2 z))^2/2), M = width.

    D = |x_k(1)/|x_{k-1}(1)| - x_k(2)/|x_{k-1}(2)||/2, and zeta = zeta(z) at the squared cosine
    distance z of x_{k-1}(1) and x_{k-1}(2). Each of the two sides has half of it (claim
    eoc.prop12.sharp; from below by ball arithmetic).
    t >= 0, z in (0, 1] with zeta(z) > 0 (ValueError at z = delta = 1), width >= 1, delta in [0, 1].
    Source: "MLPs at the EOC", Proposition 12, with sqrt 2 for O(1).

    >>> distance_tail(0.5, 0.01, 256, 1), distance_tail([0, 1], 1, 6, 0)
    (4.62...e-12, array([2.        , 0.09957414]))
    """
    if np.any((z == 1) & (delta == 1)):
        raise ValueError(_NO_DISTANCE)
    scaled = t * (np.asarray(zeta(z, delta)) / z / _kappa_squared(delta))
    return 2 * np.exp(-scaled * (width * scaled) / 2)


def _range_ball(delta: arb) -> arb:
    root = sqrt_nonnegative(delta * (1 - delta))
    return 2 * root + 2 * (root if delta <= 0.5 else delta if delta >= 0.5 else root.union(delta))


@closed_form(balls=_range_ball, delta=_UNIT)
def derivative_product_range(delta: Any) -> Any:
    """The length L = 2 r + 2 max(r, delta), r = sqrt(delta (1 - delta)), of the range of a summand.

    sigma^2 phi'(z_1) phi'(z_2) has the values 1 + 2r, 1 - 2r and 1 - 2 delta. L is at most
    2 kappa^2, with equality for |s| alone (delta = 1), and 0 for the identity (delta = 0).
    delta in [0, 1].
    Source: "MLPs at the EOC", proof of Proposition 18 (derived).

    >>> derivative_product_range([0, 0.5, 0.8, 1])
    array([0. , 2. , 2.4, 2. ])
    """
    root = np.sqrt(delta * (1 - delta))
    return 2 * root + 2 * np.maximum(root, delta)


def _derivative_product_tail_ball(t: arb, width: arb, delta: arb) -> arb:
    if t.is_zero():
        return arb(2)
    if delta.is_zero():
        return arb(0) if t > 0 else arb(1, 1)
    return 2 * (-2 * width * (t / _range_ball(delta)) ** 2).exp()


@closed_form(balls=_derivative_product_tail_ball, t=NONNEGATIVE, width=_WIDTH, delta=_UNIT)
def derivative_product_tail(t: Any, width: Any, delta: Any) -> Any:
    """Bound of P(|X'_{k,k} - varrho'(rho)| >= t): 2 exp(-2 M t^2/L^2), M = width.

    L is `derivative_product_range`. As L <= 2 kappa^2 the bound is at most
    2 exp(-M t^2/(2 kappa^4)); at delta = 0, where X' is constant, it is 0 for t > 0.
    t >= 0, width >= 1, delta in [0, 1]; x_{k-1}(1) and x_{k-1}(2) do not vanish.
    Source: "MLPs at the EOC", Proposition 18, sharper: without a linear term in t.

    >>> derivative_product_tail(0.5, 128, 1), derivative_product_tail([0, 1], 8, 0)
    (2.2507034943851823e-07, array([2., 0.]))
    """
    length = derivative_product_range(delta)
    scaled = np.divide(t, length, out=np.zeros_like(t), where=t > 0)
    return 2 * np.exp(-2 * scaled * (width * scaled))


def _backpropagation_product_tail_ball(t: arb, width: arb, delta: arb) -> arb:
    square = _kappa_squared_ball(delta)
    return 2 * (-3 * width * t * t / (18 * square * square + 10 * square * t)).exp()


@closed_form(balls=_backpropagation_product_tail_ball, t=NONNEGATIVE, width=_WIDTH, delta=_UNIT)
def backpropagation_product_tail(t: Any, width: Any, delta: Any) -> Any:
    """Bound of P(|X'_{k1,k} - E X'_{k1,k}| >= t F): 2 exp(-M t^2/(6 kappa^4 + (10/3) kappa^2 t)).

    F = sqrt(X'_{k1,k-1}(1, 1) X'_{k1,k-1}(2, 2)), the product of the Frobenius norms of
    B_{k1,k-1}(1) and B_{k1,k-1}(2); M = width = m_{k-1}.
    t >= 0, width >= 1, delta in [0, 1].
    Source: "MLPs at the EOC", Proposition 19, with 6 and 10/3 for its two O(1).

    >>> backpropagation_product_tail(1, 56, 1), backpropagation_product_tail([0, 3], 32, 1)
    (0.0049..., array([2.00000000e+00, 3.0...e-08]))
    """
    square = _kappa_squared(delta)
    return 2 * np.exp(-3 * t * (t / (18 * square * square + 10 * square * t)) * width)


_PAIRS = 2 * (32 / 31) ** 2  # of points of two quarter-nets, see eoc.prop9.net.sharp


def _last_layer_radius_ball(s: arb, frobenius: arb, operator: arb, output_dim: arb) -> arb:
    def of(total: arb) -> arb:
        return frobenius * sqrt_nonnegative(total) + operator * total

    if output_dim == 1:
        return 2 * of(s)
    several = 2 * (arb(32) / 31) ** 2 * of(s + 2 * output_dim * arb(9).log())
    # The value jumps at 1: a ball that only touches it may be of either kind.
    return several if output_dim > 1 else several.union(2 * of(s))


@closed_form(
    balls=_last_layer_radius_ball,
    s=NONNEGATIVE,
    frobenius=NONNEGATIVE,
    operator=NONNEGATIVE,
    output_dim=_WIDTH,
)
def last_layer_radius(s: Any, frobenius: Any, operator: Any, output_dim: Any) -> Any:
    """Bound of ||K - E K|| under A_l, but for a probability of at most 2 exp(-s).

    2 (32/31)^2 (|J|_F sqrt(S) + ||J|| S), S = s + 2 m_l log 9, with frobenius = |J|_F,
    operator = ||J|| and output_dim = m_l; for m_l = 1, where no net is needed,
    2 |J|_F sqrt(s) + 2 ||J|| s.
    s, frobenius, operator >= 0, output_dim >= 1.
    Source: "MLPs at the EOC", Proposition 9, with 2 (32/31)^2 for O(1), 2 m_l log 9 for O(m_l).

    >>> last_layer_radius([0, 3], 2, 0.5, 1), last_layer_radius(3, 2, 0.5, 2)
    (array([0.        , 9.92820323]), 27.19...)
    """
    total = np.where(output_dim == 1, s, s + 2 * output_dim * _LOG_9)
    factor = np.where(output_dim == 1, 2, _PAIRS)
    return factor * (frobenius * np.sqrt(total) + operator * total)


def _backpropagation_radius_ball(s: arb, operator: arb, frobenius: arb, width: arb, delta: arb) -> arb:
    square = _kappa_squared_ball(delta)
    mean = square / arb(2).sqrt() * operator + square.sqrt() * frobenius
    spread = (2 * (square + delta * (1 - delta))).sqrt()
    return operator + (mean + spread * sqrt_nonnegative(s) * operator) / width.sqrt()


@closed_form(
    balls=_backpropagation_radius_ball,
    s=NONNEGATIVE,
    operator=NONNEGATIVE,
    frobenius=NONNEGATIVE,
    width=_WIDTH,
    delta=_UNIT,
)
def backpropagation_radius(s: Any, operator: Any, frobenius: Any, width: Any, delta: Any) -> Any:
    """Bound of ||B_{k1,k}|| under A_{k-1}, but for a probability of at most exp(-s).

    ||B|| (1 + (kappa^2/sqrt 2 + sqrt(2 s (kappa^2 + delta (1 - delta))))/sqrt M) +
    kappa |B|_F/sqrt M, B = B_{k1,k-1}, operator = ||B||, frobenius = |B|_F, M = width = m_{k-1}.
    s, operator, frobenius >= 0, width >= 1, delta in [0, 1].
    Source: "MLPs at the EOC", Proposition 10, with kappa for kappa^2.

    >>> backpropagation_radius([0, 2], 1, 3, 100, 1)
    array([1.37071068, 1.57071068])
    """
    square = _kappa_squared(delta)
    mean = square / math.sqrt(2) * operator + np.sqrt(square) * frobenius
    spread = np.sqrt(2 * (square + delta * (1 - delta)))
    return operator + (mean + spread * np.sqrt(s) * operator) / np.sqrt(width)

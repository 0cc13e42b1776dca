r"""Errors of the inverse cosine distance of two inputs at finite width, to first order in 1/m.

Let w_k be the inverse cosine distance after k - 1 layers of widths m_k = gamma_k m, and let
omega^(k-1)(w_1) be its limit. As m grows,

.. math:: \sqrt m\,(w_k - \omega^{k-1}(w_1)) \Rightarrow \mathcal N(0, V_k), \qquad
    m\,\mathbb E(w_k - \omega^{k-1}(w_1)) \to \beta_k.

A layer of width M turns w into omega(w)(1 + error) with M Var(error) -> R and M E(error) -> B. For
phi_i = sigma phi(u_i), where u_1, u_2 are standard normals of correlation cos t, and for
Y = (phi_1 - phi_2)/2, so that E Y^2 = zeta,

    R = (E Y^4/zeta^2 - E Y^2 (phi_1^2 + phi_2^2)/zeta + (F + P)/2) / 4,
    B = 3R/2 + E Y^2 (phi_1^2 + phi_2^2)/(4 zeta) + (F - P)/(16 zeta) - (3F + P)/8

with F = E phi_1^4 and P = E phi_1^2 phi_2^2. All of these moments are closed forms in t.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from flint import arb, arb_series

from numeric.arguments import POSITIVE, Floats, Interval, closed, exact_number, open_interval, real_array
from numeric.arithmetic import proved
from numeric.balls import ball
from numeric.cosine_maps import omega, omega_prime

__all__ = ["ErrorMoments", "error_moments", "relative_bias", "relative_noise"]

_DISTANCE = open_interval(1, float("inf"))
_UNIT = closed(0, 1)
_FLOAT_BITS = 60  # seven more than a float has: rounding them leaves one rounding error


@dataclass(frozen=True)
class LayerMoments:
    """The moments of one layer at the angle t: ``mixed`` is E Y^2 (phi_1^2 + phi_2^2)."""

    zeta: Any
    fourth: Any
    mixed: Any
    kurtosis: Any
    product: Any

    @property
    def noise(self) -> Any:
        """R zeta^2, which has no denominator."""
        total = (self.kurtosis + self.product) / 2
        return (self.fourth - self.mixed * self.zeta + self.zeta * self.zeta * total) / 4

    @property
    def bias(self) -> Any:
        """B zeta^2, which has no denominator."""
        first = self.mixed / 4 + (self.kurtosis - self.product) / 16
        constant = (self.kurtosis * 3 + self.product) / 8
        return self.noise * 3 / 2 + self.zeta * first - self.zeta * self.zeta * constant


def layer_moments(t: Any, delta: Any) -> LayerMoments:
    """The moments at the angle t, a ball or a power series of balls, for delta = b^2/(a^2 + b^2).

    With r^2 = 4 delta (1 - delta): F = 3(1 + r^2), P = 1 + 2 cos^2 t + r^2 E u_1|u_1|u_2|u_2|, and
    E phi_1^3 phi_2 = 3(1 - delta)(1 + 2 delta) cos t + delta (3 - 2 delta) E|u_1|^3|u_2|.
    """
    cosine, sine, pi = t.cos(), t.sin(), arb.pi()
    turned = (pi - t * 2) / pi
    square, spread = cosine * cosine, delta * (1 - delta) * 4
    signed = turned * (square * 2 + 1) + sine * cosine * 6 / pi
    cubes = turned * cosine * 3 + (sine * 6 - sine * sine * sine * 2) / pi
    third = cosine * (1 - delta) * (1 + delta * 2) * 3 + cubes * delta * (3 - delta * 2)
    kurtosis = (1 + spread) * 3
    product = square * 2 + 1 + signed * spread
    return LayerMoments(
        zeta=(1 - cosine) / 2 - (sine - t * cosine) * delta / pi,
        fourth=(product * 3 - third * 4 + kurtosis) / 8,
        mixed=(product + kurtosis - third * 2) / 2,
        kurtosis=kurtosis,
        product=product,
    )


def relative_noise(w: float, delta: float) -> float:
    """R: the limit of M Var(w_(k+1)) / omega(w)^2 for a layer of width M above w_k = w.

    It tends to 1 + 4 delta (1 - delta) as w grows.
    w in (1, infinity), delta in [0, 1], numbers taken exactly; accurate to the last place.
    Source: "MLPs at the EOC", Figure 1 (derived here).

    >>> relative_noise(2**0.5, 1), relative_noise(1e9, 1)
    (0.358647..., 0.999999999...)
    """
    return _rounded(w, delta, lambda moments: moments.noise / (moments.zeta * moments.zeta))


def relative_bias(w: float, delta: float) -> float:
    """B: the limit of M (E w_(k+1) / omega(w) - 1) for a layer of width M above w_k = w.

    It tends to 1 + 4 delta (1 - delta) as w grows. Arguments as for ``relative_noise``.
    Source: "MLPs at the EOC", Figure 1 (derived here).

    >>> relative_bias(2**0.5, 1), relative_bias(1e9, 1)
    (0.975955..., 1.00000000...)
    """
    return _rounded(w, delta, lambda moments: moments.bias / (moments.zeta * moments.zeta))


@dataclass(frozen=True, eq=False)
class ErrorMoments:
    """The limits omega^(k-1)(w_1), the variances V_k and the biases beta_k for k = 1, ..., l."""

    limits: Floats
    variances: Floats
    biases: Floats


def error_moments(w: float, gammas: Sequence[float], delta: float) -> ErrorMoments:
    r"""Moments of the errors of w_1 = w, ..., w_l at first order in 1/m, l = len(gammas) + 1.

    .. math:: V_{k+1} = \omega'(w_k)^2 V_k + R\,\omega(w_k)^2/\gamma_k, \qquad
        \beta_{k+1} = \omega'(w_k) \beta_k + \tfrac12 \omega''(w_k) V_k + B\,\omega(w_k)/\gamma_k

    at w_k = omega^(k-1)(w_1), with V_1 = beta_1 = 0.

    w in (1, infinity); ``gammas``: (gamma_1, ..., gamma_(l-1)), positive; delta in [0, 1].
    Source: "MLPs at the EOC", Figure 1 (derived here).

    >>> moments = error_moments(2**0.5, [1.0, 4.0, 9.0], delta=1)
    >>> moments.limits.round(3)
    array([1.414, 2.346, 2.953, 3.507])
    >>> moments.variances.round(3)
    array([0.   , 1.974, 2.818, 3.453])
    """
    widths = real_array("gammas", gammas, POSITIVE, shape=("l - 1",))
    limit = float(exact_number("w", w, _DISTANCE))
    fraction = float(exact_number("delta", delta, _UNIT))
    rows = [(limit, 0.0, 0.0)]
    for gamma in widths:
        limit, variance, bias = rows[-1]
        following, slope = omega(limit, fraction), omega_prime(limit, fraction)
        noise = relative_noise(limit, fraction) * (following * following / gamma)
        drift = relative_bias(limit, fraction) * following / gamma
        curved = omega_second(limit, fraction) * variance / 2
        rows.append((following, slope * slope * variance + noise, slope * bias + curved + drift))
    if not np.isfinite(rows).all():
        raise OverflowError("a variance or bias is too large for a float")
    limits, variances, biases = np.array(rows).T
    return ErrorMoments(limits, variances, biases)


def omega_second(w: float, delta: float) -> float:
    """omega''(w), from a power series of balls."""

    def coefficient() -> arb:
        at = arb_series([_ball("w", w, _DISTANCE), 1], 3)
        moments = layer_moments((1 / at).asin() * 2, _ball("delta", delta, _UNIT))
        return arb(2 * moments.zeta.rsqrt()[2])

    return float(proved(coefficient, _FLOAT_BITS))


def _rounded(w: float, delta: float, what: Callable[[LayerMoments], arb]) -> float:
    def value() -> arb:
        angle = (1 / _ball("w", w, _DISTANCE)).asin() * 2
        return what(layer_moments(angle, _ball("delta", delta, _UNIT)))

    return float(proved(value, _FLOAT_BITS))


def _ball(name: str, value: Any, domain: Interval) -> arb:
    return ball(exact_number(name, value, domain))

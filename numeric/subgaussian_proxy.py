"""The best sub-Gaussian proxy of variables that a half-normal one dominates: K*(lambda, tau).

Let |Y| <= |MU| with U ~ N(0, I_d) and a positive semidefinite M with tr M <= 1, independent of U.
Then E exp(lambda (Y - EY)) <= exp(K* lambda^2/2), K* = sup K(lambda, tau) = 1.60872..., and no
smaller number will do. The extremal Y is a standard normal g conditioned on the half
A = (-tau, 0) or (tau, infinity) of the line, which contains one of g and -g:

    K(lambda, tau) = (2/lambda^2) log E exp(lambda (Y - EY))
        = 1 + (2/lambda^2) log(2 (Phi(lambda - tau) + Phi(lambda + tau) - Phi(lambda)))
            - (2/lambda) (4 phi(tau) - 2 phi(0)),

phi and Phi the standard normal density and distribution function.
Proof: proofs_notes/st_approximation.md#the-w-part.
"""

import functools
from typing import Any, NamedTuple

import mpmath
import numpy as np
from flint import arb
from scipy.special import log_ndtr, ndtr

from numeric.arguments import NONNEGATIVE, POSITIVE, Floats, integer
from numeric.arithmetic import closed_form

__all__ = ["Worst", "proxy_of_threshold", "worst_proxy"]

_NEAR = 0.5


def _distribution_ball(x: arb) -> arb:
    return (-x / arb(2).sqrt()).erfc() / 2


def _density_ball(x: arb) -> arb:
    return (-x * x / 2).exp() / (2 * arb.pi()).sqrt()


def _proxy_ball(lam: arb, tau: arb) -> arb:
    left, right = lam - tau, lam + tau
    half = _distribution_ball(left) + _distribution_ball(right) - _distribution_ball(lam)
    mean = 4 * _density_ball(tau) - 2 * _density_ball(arb(0))
    return 1 + 2 * (2 * half).log() / (lam * lam) - 2 * mean / lam


@closed_form(balls=_proxy_ball, lam=POSITIVE, tau=NONNEGATIVE)
def proxy_of_threshold(lam: Any, tau: Any) -> Any:
    """K(lambda, tau) = (2/lambda^2) log E exp(lambda (Y - EY)), Y = |g| if |g| > tau, else -|g|.

    The variance 1 - (4 phi(tau) - 2 phi(0))^2 of Y as lambda -> 0; at most 1 + O(1/lambda).
    lambda > 0, tau >= 0; in floats to 13 digits or so.
    Source: "Shallow transformers", proof of Lemma 5,
    w-component (derived; 4 is printed for the supremum).

    >>> proxy_of_threshold([1e-6, 2.16, 40], 2.13)
    array([0.59960693, 1.60871925, 1.03250476])
    >>> print(mpmath.nstr(proxy_of_threshold("1e-20", 0, digits=20), 20))
    0.36338022763241865693
    """
    near = lam <= _NEAR
    # Where the logarithm is close to its tangent, by its second derivative, the tilted variance.
    slow = _by_variances(np.minimum(lam, _NEAR), tau)
    fast = _by_logarithm(np.maximum(lam, _NEAR), tau)
    return np.where(near, slow, fast)


def _density(x: Floats) -> Floats:
    return np.asarray(np.exp(-x * x / 2) / np.sqrt(2 * np.pi))


def _by_logarithm(lam: Floats, tau: Floats) -> Floats:
    below = log_ndtr(-lam)
    inner = below + np.log1p(-np.exp(log_ndtr(-lam - tau) - below))
    half = np.logaddexp(log_ndtr(lam - tau), inner)
    mean = 4 * _density(tau) - 2 * _density(np.zeros(1))
    return np.asarray(1 + 2 * (np.log(2) + half) / (lam * lam) - 2 * mean / lam)


def _by_variances(lam: Floats, tau: Floats) -> Floats:
    """Twice the integral of (1 - u) Var_s over u in (0, 1) at s = lambda u."""
    nodes, weights = np.polynomial.legendre.leggauss(12)
    u = (nodes + 1) / 2
    values = [w * (1 - x) * _tilted_variance(lam * x, tau) for x, w in zip(u, weights, strict=True)]
    return np.asarray(sum(values))


def _tilted_variance(s: Floats, tau: Floats) -> Floats:
    """The variance of N(s, 1) on A, whose ends a enter by phi(a - s) and a phi(a - s)."""
    ends = ((-tau - s, 1.0), (-s, -1.0), (tau - s, 1.0))
    mass = ndtr(s - tau) + (ndtr(-s) - ndtr(-s - tau))
    first = sum(sign * _density(x) for x, sign in ends) / mass
    second = sum(sign * x * _density(x) for x, sign in ends) / mass
    return np.asarray(1 + second - first * first)


class Worst(NamedTuple):
    """The largest proxy K* and where it is taken."""

    proxy: mpmath.mpf
    lam: mpmath.mpf
    tau: mpmath.mpf


def worst_proxy(digits: int = 15) -> Worst:
    """K* = max K(lambda, tau) and the maximiser, by Newton's method with so many digits.

    digits from 1 to 1000. That it is the largest value is proved by claim st.lem5.proxy.best.

    >>> print(mpmath.nstr(worst_proxy(20).proxy, 20), mpmath.nstr(worst_proxy().lam, 8))
    1.6087233131454206077 2.1648405
    """
    return _maximum(integer("digits", digits, 1, 1000))


@functools.cache
def _maximum(digits: int) -> Worst:
    with mpmath.workdps(digits + 10):

        def slopes(lam: Any, tau: Any) -> list[Any]:
            """Derivatives of log E exp(lambda (Y - EY)) - K lambda^2/2 and of its tau-part."""
            left, right = mpmath.npdf(lam - tau), mpmath.npdf(lam + tau)
            mass = mpmath.ncdf(lam - tau) + mpmath.ncdf(lam + tau) - mpmath.ncdf(lam)
            mean = 4 * mpmath.npdf(tau) - 2 * mpmath.npdf(0)
            moved = (left + right - mpmath.npdf(lam)) / mass
            in_lam = lam * (moved - mean) - 2 * (mpmath.log(2 * mass) - lam * mean)
            return [in_lam, (right - left) / mass + 4 * lam * tau * mpmath.npdf(tau)]

        lam, tau = mpmath.findroot(slopes, (2.1648405, 2.1342504))
        return Worst(proxy_of_threshold(lam, tau), lam, tau)

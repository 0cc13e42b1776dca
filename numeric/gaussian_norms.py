"""Norms of standard Gaussian vectors, and the largest norm of a symmetric initialisation.

|G| for G ~ N(0, I_d) has the chi law with d degrees of freedom. A symmetric initialisation of m
heads draws m/2 independent vectors U_i and uses each twice, so that the largest of its m norms is
the largest of m/2. All but `exact_radius` evaluate in the caller's arithmetic, see
`numeric.arithmetic`. Proofs: proofs_notes/st_approximation.md.
"""

import math
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import numpy as np
from flint import arb, ctx
from scipy.special import gamma, gammainc, gammaincc, gammainccinv

from numeric.arguments import NONNEGATIVE, Floats, closed, is_array, open_interval, real_array
from numeric.arithmetic import closed_form
from numeric.balls import clip, monotone_enclosure, working_precision

__all__ = ["chi_tail", "exact_radius", "mean_norm", "printed_radius", "probability_within"]

_DIMENSION = closed(1, math.inf)
_HEADS = closed(2, math.inf)
_CHANCE = open_interval(0, 1)
_NOT_EVEN = "m must be an even number of heads in [2, infinity)"


def _mean_norm_ball(d: arb) -> arb:
    return arb(2).sqrt() * (((d + 1) / 2).lgamma() - (d / 2).lgamma()).exp()


@closed_form(balls=_mean_norm_ball, d=_DIMENSION)
def mean_norm(d: Any) -> Any:
    """E|G| = sqrt 2 Gamma((d+1)/2)/Gamma(d/2), G ~ N(0, I_d); between sqrt(d - 1/2) and sqrt d.

    d >= 1, not necessarily an integer.
    Source: "Shallow transformers", Fact 4 (derived).

    >>> mean_norm([1, 2, 8])
    array([0.79788456, 1.25331414, 2.74162...])
    >>> import mpmath
    >>> print(mpmath.nstr(mean_norm(1, digits=30), 30))
    0.797884560802865355879892119869
    """
    x = d / 2
    small = np.minimum(x, _FAR)
    quotient = gamma(small + 0.5) / gamma(small)
    # log Gamma(x + 1/2) - log Gamma(x) - log(x)/2 by Stirling's series; the next term is below
    # 0.004/20^11 = 2e-17.
    y = 1 / np.maximum(x, _FAR)
    square = y * y
    tail = 1 / 640 - square * (17 / 14336 - square * (31 / 18432))
    logarithm = -y * (1 / 8 - square * (1 / 192 - square * tail))
    return np.where(x <= _FAR, math.sqrt(2) * quotient, np.sqrt(d) * np.exp(logarithm))


_FAR = 20.0


def _for_gamma() -> AbstractContextManager[None]:
    """A precision at which incomplete Gamma functions lose little of the present one."""
    return working_precision(ctx.prec + ctx.prec // 32 + 8)


def _monotone(f: Callable[[arb], arb], x: arb) -> arb:
    """The image of a ball in [0, inf): at its two ends, or at once if it is narrow."""
    narrow = x.rel_accuracy_bits() > ctx.prec // 2
    return f(x) if narrow else monotone_enclosure(f, x, NONNEGATIVE)


def _chi_tail_ball(r: arb, d: arb) -> arb:
    def at(radius: arb) -> arb:
        if radius.is_zero():
            return arb(1)
        with _for_gamma():
            beyond = (radius * radius / 2).gamma_upper(d / 2, regularized=1)
        return clip(beyond, arb(0), arb(1))

    return _monotone(at, r)


@closed_form(balls=_chi_tail_ball, r=NONNEGATIVE, d=_DIMENSION)
def chi_tail(r: Any, d: Any) -> Any:
    """P(|G| > r) = Gamma(d/2, r^2/2)/Gamma(d/2), G ~ N(0, I_d).

    r >= 0, d >= 1.
    Source: "Shallow transformers", Fact 4 (derived).

    >>> chi_tail(2, 2), chi_tail([0, 3], 1)
    (0.1353352832366127, array([1.       , 0.0026998]))
    """
    return gammaincc(d / 2, r * r / 2)


def _probability_within_ball(r: arb, d: arb, m: arb) -> arb:
    if m.is_exact() and not (m / 2).is_integer():
        raise ValueError(f"{_NOT_EVEN}, got {m}")

    def at(radius: arb) -> arb:
        if radius.is_zero():
            return arb(0)
        inside = _gamma_lower(d / 2, radius * radius / 2)
        return _monotone(lambda base: _power(base, m / 2), clip(inside, arb(0), arb(1)))

    return clip(_monotone(at, r), arb(0), arb(1))


def _gamma_lower(a: arb, x: arb) -> arb:
    """Gamma(a) less its upper part, over Gamma(a); the lower one where it is the smaller.

    Of large a the upper part takes far less time.
    """
    with _for_gamma():
        upper = x.gamma_upper(a, regularized=1)
        return 1 - upper if upper < 0.5 else x.gamma_lower(a, regularized=1)


def _power(base: arb, exponent: arb) -> arb:
    """A power of 0 or of a positive ball; a NaN remains one."""
    return arb(0) if base.is_zero() else (exponent * base.log()).exp()


@closed_form(balls=_probability_within_ball, r=NONNEGATIVE, d=_DIMENSION, m=_HEADS)
def probability_within(r: Any, d: Any, m: Any) -> Any:
    """P(max_i |U_i| <= r) = P(|G| <= r)^(m/2) at a symmetric initialisation of m heads.

    r >= 0, d >= 1, m >= 2 even.
    Source: "Shallow transformers", Definition 1
    (derived: the event there has this probability at r = `printed_radius`).

    >>> probability_within(2, 2, 2), probability_within([0, 5], 8, 64)
    (0.8646647167633873, array([0.        , 0.95143438]))
    """
    _check_even(m)
    half, x = d / 2, r * r / 2
    outside = gammaincc(half, x)
    with np.errstate(divide="ignore"):
        logarithm = np.where(outside < 0.5, np.log1p(-outside), np.log(gammainc(half, x)))
    return np.exp(m / 2 * logarithm)


def _check_even(m: Floats) -> None:
    if np.any(m % 2 != 0):
        raise ValueError(f"{_NOT_EVEN}, got {m[m % 2 != 0][0]:g}")


def _printed_radius_ball(d: arb, m: arb, delta_prime: arb) -> arb:
    if m.is_exact() and not (m / 2).is_integer():
        raise ValueError(f"{_NOT_EVEN}, got {m}")
    return d.sqrt() + (2 * (m / (2 * delta_prime)).log()).sqrt()


@closed_form(balls=_printed_radius_ball, d=_DIMENSION, m=_HEADS, delta_prime=_CHANCE)
def printed_radius(d: Any, m: Any, delta_prime: Any) -> Any:
    """The radius sqrt d + sqrt(2 log(m/(2 delta'))) of the event E_U(delta').

    d >= 1, m >= 2 even, delta' in (0, 1).
    Source: "Shallow transformers", Definition 1.

    >>> printed_radius(8, [8, 256], 0.05)
    array([5.7888415 , 6.79018495])
    """
    _check_even(m)
    return np.sqrt(d) + np.sqrt(2 * (np.log(m / 2) - np.log(delta_prime)))


def exact_radius(d: Any, m: Any, delta_prime: Any) -> Any:
    """The smallest r with P(max_i |U_i| <= r) >= 1 - delta', m heads initialised symmetrically.

    The solution of P(|G| > r) = 1 - (1 - delta')^(2/m), to 12 digits or so; a float, or an array
    if one of the arguments is one.
    d >= 1, m >= 2 even, delta' in (0, 1).
    Source: "Shallow transformers", Definition 1,
    sharper.

    >>> exact_radius(8, [8, 256], 0.05)
    array([4.40746127, 5.33103441])
    """
    values = (
        real_array("d", d, _DIMENSION),
        real_array("m", m, _HEADS),
        real_array("delta_prime", delta_prime, _CHANCE),
    )
    dimension, heads, chance = np.broadcast_arrays(*values)
    _check_even(np.atleast_1d(heads))
    outside = -np.expm1(2 / heads * np.log1p(-chance))
    radius = np.sqrt(2 * gammainccinv(dimension / 2, outside))
    return radius if any(map(is_array, (d, m, delta_prime))) else float(radius)

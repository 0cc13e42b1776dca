"""The sums of elementwise attention for zeta(s) = a s + b |s|, which is homogeneous.

For Gaussians of standard deviations 1 and correlation rho, E zeta zeta = a^2 rho + b^2 A(rho) with
A(rho) = (2/pi) (sqrt(1 - rho^2) + rho arcsin rho), and E zeta' zeta' = a^2 + b^2 A'(rho), with
A' = (2/pi) arcsin. As the correlations are products r_ab r_ij, a power of rho splits, and

    sum_ij w_ij A(r_ab r_ij) = sum_k c_k r_ab^(2k) sum_ij w_ij r_ij^(2k):

s^2 operations a term instead of s^4 values. Pairs with correlations near 1 are summed directly.
A token of variance 0 is as if uncorrelated with all others, which takes zeta'(0) to be a.
"""

import functools
import math

import numpy as np
from scipy.special import gammaln

from numeric.arguments import Floats
from numeric.attention_kernels.bent import bent_means
from numeric.attention_kernels.elementary import correlations
from numeric.attention_kernels.pairs import Integers, Pairs

_SPLIT = (0.2, 0.4, 0.6, 0.75, 0.85, 0.9, 0.95)  # beyond the last, the series is too long
_ENTRIES = 1 << 17  # at once: their temporaries stay in the cache


def piecewise_linear_sums(
    pairs: Pairs, slopes: tuple[float, float], query: float, weights: Floats, slope_weights: Floats
) -> tuple[Floats, Floats]:
    """sum_ij w_ij D and sum_ij w_ij D' for each of the weights, at every (a, b) of every pair.

    `slopes` are a and b, `query` is sigma_QK^2.
    """
    a, b = slopes
    v1, v2 = pairs.first_variances[:, :, None], pairs.second_variances[:, None, :]
    scale = np.sqrt(v1) * np.sqrt(v2)
    linear = (weights * pairs.scores).sum(axis=(2, 3))[:, :, None, None]
    duals = a * a * query * pairs.scores * linear
    means = np.broadcast_to(a * a * slope_weights.sum(axis=(2, 3), keepdims=True), slope_weights.shape)
    if b:
        r = correlations(pairs.scores, v1, v2)
        bent, bends = _bent_sums(r, weights * scale, slope_weights)
        duals = duals + b * b * query * scale * bent
        means = means + b * b * bends
    return duals, means


def _bent_sums(r: Floats, weights: Floats, slope_weights: Floats) -> tuple[Floats, Floats]:
    """sum_ij w_ij A(r_ab r_ij), and the same with A' for the second weights, at every (a, b)."""
    bent, bends = np.empty_like(weights), np.empty_like(slope_weights)
    entries = r[0].size if len(r) else 0
    largest = np.abs(r).max(axis=(1, 2), initial=0.0) ** 2
    bucket = np.searchsorted(_SPLIT, largest)
    for place in np.unique(bucket):
        direct = place == len(_SPLIT)
        terms = entries if direct else _terms(_SPLIT[place])
        members, size = np.flatnonzero(bucket == place), max(1, _ENTRIES // (terms * entries))
        for start in range(0, len(members), size):
            inside: Integers = members[start : start + size]
            flat = r[inside].reshape(len(inside), entries)
            parts = [_columns(one[:, inside]) for one in (weights, slope_weights)]
            found = _direct(flat, *parts) if direct else _series(flat, terms, *parts)
            for result, sums in zip((bent, bends), found, strict=True):
                result[:, inside] = np.moveaxis(sums, 2, 0).reshape(-1, *r[inside].shape)
    return bent, bends


def _columns(weights: Floats) -> Floats:
    """Weights (c, p, s, t) as p matrices with a column for each of the c."""
    count, p, s, t = weights.shape
    return weights.reshape(count, p, s * t).transpose(1, 2, 0)


def _terms(largest: float) -> int:
    """How many terms of the series leave out less than 1e-17 at this correlation."""
    return math.ceil(math.log(1e-17) / (2 * math.log(largest)))


@functools.cache
def _coefficients(terms: int) -> Floats:
    """(2/pi) binom(2k, k) / (4^k (2k + 1)), the coefficients of A'(rho) in rho^(2k + 1)."""
    k = np.arange(terms)
    log_ratio = gammaln(2 * k + 1) - 2 * gammaln(k + 1) - 2 * k * math.log(2)
    result: Floats = 2 / np.pi * np.exp(log_ratio) / (2 * k + 1)
    return result


def _series(r: Floats, terms: int, weights: Floats, slope_weights: Floats) -> tuple[Floats, Floats]:
    """The sums by the power series: powers (p, k, q) times weights, times powers again."""
    powers = np.empty((len(r), terms + 1, r.shape[1]))
    powers[:, 0] = 1
    np.cumprod(np.broadcast_to((r * r)[:, None], powers[:, 1:].shape), axis=1, out=powers[:, 1:])
    odd = _coefficients(terms)
    even = np.concatenate(([2 / np.pi], odd / (2 * np.arange(terms) + 2)))
    across = powers.transpose(0, 2, 1)
    bent = across @ (even[:, None] * (powers @ weights))
    if not slope_weights.shape[2]:
        return bent, np.empty((*r.shape, 0))
    moments = odd[:, None] * (powers[:, :-1] @ (r[:, :, None] * slope_weights))
    return bent, r[:, :, None] * (across[:, :, :-1] @ moments)


def _direct(r: Floats, weights: Floats, slope_weights: Floats) -> tuple[Floats, Floats]:
    """The sums value by value."""
    value, slope = bent_means(r[:, :, None] * r[:, None, :])
    return value @ weights, slope @ slope_weights

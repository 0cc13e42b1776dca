"""NNGP and NTK of attention with independent queries and keys (tau = 1/2) and zeta elementwise.

Scores G(x), G(x') are Gaussian with Cov(G_ai(x), G_bj(x')) = sigma_QK^2 S_ab S_ij, S the kernel
that queries and keys see; V is that of the values. With D = E zeta zeta and D' = E zeta' zeta':

    kappa_ab = sigma_OV^2 sum_ij V_ij D(G_ai(x), G_bj(x')),
    Theta_ab = kappa_ab + sigma_OV^2 sum_ij (V + TV)_ij D + sigma_OV^2 sigma_QK^2
        ((S + TS)_ab sum_ij V_ij S_ij D' + S_ab sum_ij V_ij (S + TS)_ij D').

All variances being products, so are all correlations: that of G_ai(x) and G_bj(x') is r_ab r_ij.
"""

from typing import Any

import numpy as np

from numeric.arguments import Floats
from numeric.attention_kernels.elementary import correlations
from numeric.attention_kernels.homogeneous import piecewise_linear_sums
from numeric.attention_kernels.kernels import check_finite
from numeric.attention_kernels.layer import AttentionKernel
from numeric.attention_kernels.pairs import Pairs
from numeric.dual_activations import dual_activation, dual_activation_derivative

_ENTRIES = 1 << 18  # so many expectations at once: their temporaries stay in the cache


def elementwise_kernels(pairs: Pairs, layer: AttentionKernel) -> tuple[Floats, Floats | None]:
    """Kernel and, if tangents are given, NTK of the pairs, (p, s, t) each."""
    if layer.slopes is not None and layer.slopes[1] == 0:
        return _linear_kernels(pairs, layer, layer.slopes[0])
    weights, slope_weights = [pairs.values], []
    if pairs.value_tangents is not None and pairs.score_tangents is not None:
        weights.append(pairs.values + pairs.value_tangents)
        both = pairs.scores, pairs.scores + pairs.score_tangents
        slope_weights += [pairs.values * one for one in both]
    output, query = layer.value_output_std**2, layer.query_key_std**2
    stack = len(slope_weights), *pairs.values.shape
    stacks = np.array(weights), np.array(slope_weights).reshape(stack)
    if layer.slopes is None:
        duals, slopes = _sums(pairs, layer, *stacks)
    else:
        duals, slopes = piecewise_linear_sums(pairs, layer.slopes, query, *stacks)
    nngp: Floats = output * duals[0]
    if pairs.score_tangents is None:
        return nngp, None
    ahead = (pairs.scores + pairs.score_tangents) * slopes[0] + pairs.scores * slopes[1]
    return nngp, nngp + output * (duals[1] + query * ahead)


def _linear_kernels(pairs: Pairs, layer: AttentionKernel, slope: float) -> tuple[Floats, Floats | None]:
    """Both kernels for zeta(s) = slope s, where D is the covariance of the scores and D' constant.

    With <A, B> the sum of A_ij B_ij, kappa = c S_ab <V, S>, c being the scales and the slope, all
    squared, and Theta = c (S_ab (4 <V, S> + <TV, S> + <V, TS>) + TS_ab <V, S>).
    """

    def inner(one: Floats, other: Floats) -> Floats:
        sums: Floats = np.einsum("pij,pij->p", one, other)[:, None, None]
        return sums

    V, S, TV, TS = pairs.values, pairs.scores, pairs.value_tangents, pairs.score_tangents
    scale = (layer.value_output_std * layer.query_key_std * slope) ** 2
    both = scale * inner(V, S)
    nngp: Floats = both * S
    if TV is None or TS is None:
        return nngp, None
    return nngp, (4 * both + scale * (inner(TV, S) + inner(V, TS))) * S + both * TS


def _sums(
    pairs: Pairs, layer: AttentionKernel, weights: Floats, slope_weights: Floats
) -> tuple[Floats, Floats]:
    """sum_ij w_ij D and sum_ij w_ij D' for each of the weights, at every (a, b) of every pair."""
    name, parameters, entries = str(layer.zeta), dict(layer.parameters), pairs.scores[:1].size
    results = np.empty_like(weights), np.empty_like(slope_weights)
    size = max(1, _ENTRIES // max(entries, 1) ** 2)
    for start in range(0, len(pairs), size):
        inside = slice(start, start + size)
        rho, *variances = _scores_law(pairs[inside], layer.query_key_std**2)
        for one in variances:
            check_finite("attention_kernels", one)
        law: dict[str, Any] = {"variances": variances, **parameters}
        results[0][:, inside] = _summed(dual_activation(name, rho, **law), weights[:, inside])
        if len(slope_weights):
            slope = dual_activation_derivative(name, rho, **law)
            results[1][:, inside] = _summed(slope, slope_weights[:, inside])
    return results


def _scores_law(block: Pairs, variance: float) -> tuple[Floats, Floats, Floats]:
    """Correlation and variances of G_ai(x) and G_bj(x'), in the axes p, a, b, i, j."""
    v1, v2 = block.first_variances, block.second_variances
    r = correlations(block.scores, v1[:, :, None], v2[:, None, :])
    rho = r[:, :, :, None, None] * r[:, None, None, :, :]
    one = variance * v1[:, :, None, None, None] * v1[:, None, None, :, None]
    other = variance * v2[:, None, :, None, None] * v2[:, None, None, None, :]
    return rho, one, other


def _summed(expectations: Floats, weights: Floats) -> Floats:
    """sum_ij w_ij E_abij, for each of the weights."""
    count, p, s, t = weights.shape
    table = np.broadcast_to(expectations, (p, s, t, s, t)).reshape(p, s * t, s * t)
    flat = weights.reshape(count, p, s * t).transpose(1, 2, 0)
    return np.moveaxis(table @ flat, 2, 0).reshape(weights.shape)

"""Gradients of all weights of a wide attention layer, against the limit of its kernels."""

import math

import numpy as np
from trying import each

from numeric.attention_kernels import AttentionKernel, attention_kernels, token_kernels


def head_kernels(x, layer, rng, heads, width):
    """The kernel and NTK of x, (s, s) for each head: gradients of all weights of a network.

    f = sum_h zeta(G^h) x v^h w_h / sqrt(H), with queries and keys of so many columns.
    """
    s, d = x.shape
    tied = layer.tau == 1
    # signs: of these weights, the kernels see the second moments only
    v, w = rng.choice([-1, 1], (heads, d)), layer.value_output_std * rng.choice([-1, 1], heads)
    queries = rng.standard_normal((heads, d, width))
    keys = queries if tied else rng.standard_normal((heads, d, width))
    unit = layer.query_key_std / (d * width**layer.tau)
    scores = unit * (x @ queries) @ np.swapaxes(x @ keys, 1, 2)
    zeta, slopes = np.maximum(scores, 0), (scores > 0) * (v @ x.T / math.sqrt(d))[:, None, :]
    values = zeta @ x / math.sqrt(d)
    output = np.einsum("had,hd->ha", values, v)
    # d f_a / d queries = w sum_i slopes_ai unit x_a (x_i keys)^T, and likewise for keys
    by_query = unit * np.einsum("ad,haw->hadw", x, slopes @ (x @ keys))
    moved = slopes[..., None] * (x @ queries)[:, :, None, :]
    by_key = unit * np.einsum("haiw,id->hadw", moved, x)
    through = [by_query + by_key] if tied else [by_query, by_key]
    square, unscaled = (w**2)[:, None, None], layer.value_output_std**2
    nngp = square * output[:, :, None] * output[:, None, :]
    ntk = square * (values @ np.swapaxes(values, 1, 2))
    ntk = ntk + unscaled * output[:, :, None] * output[:, None, :]
    for one in through:
        flat = one.reshape(heads, s, -1)
        ntk = ntk + square * (flat @ np.swapaxes(flat, 1, 2))
    return nngp, ntk


@each("tau, width", (0.5, 32), (1, 1024))
def test_gradients_of_a_network(tau, width):
    x, rng = np.random.default_rng(21).standard_normal((1, 2, 3)), np.random.default_rng(22)
    layer = AttentionKernel("relu", tau, 1.5, 1.2)
    exact = attention_kernels(token_kernels(x), layer)
    heads = 40_000 if tau == 0.5 else 2000
    for draws, limit in zip(
        head_kernels(x[0], layer, rng, heads, width), (exact.nngp, exact.ntk), strict=True
    ):
        mean, error = draws.mean(axis=0), draws.std(axis=0) / math.sqrt(len(draws))
        # scores of so many columns are Gaussian up to fourth cumulants of some 6 / width; errors
        # are below 3 %, so that what is off by a quarter is noticed
        allowance = 0.02 * np.abs(limit[0, 0]).max()
        assert (np.abs(mean - limit[0, 0]) <= 5 * error + allowance).all()
        assert not (np.abs(mean - 1.25 * limit[0, 0]) <= 5 * error + allowance).all()

"""Kernels of sampled networks, all of their weights drawn, beside the closed forms.

A network is a dense layer of 160 hidden units, phi, and 64 heads. Given the hidden layer, the
closed forms at its own mean products are the means of the kernels, but for terms of the order of
one over the widths, so that the noise of the hidden layer does not hide an error of the formulas.
"""

import functools
import math

import numpy as np
from trying import each

from numeric.attention_kernels import (
    AttentionKernel,
    TokenKernels,
    activated_kernels,
    attention_kernels,
    dense_kernels,
    sampled_attention_kernels,
    token_kernels,
)
from numeric.networks.multi_head import (
    MultiHeadLayer,
    heads_forward,
    output_gradients,
    sample_head_weights,
    sample_tangent_parts,
)

HIDDEN, HEADS, DRAWS = 160, 64, 60
# 12 comparisons of 16 entries: 6.5 deviations are exceeded with chance below 1e-7 in all, for sums
# of 60 draws near a normal law.
REACH = 6.5
# What widths of 160, 64 and 16 leave: the means for zeta = identity differ by terms 2 S.../160.
BIAS = 0.04
SCALES = {"sigma_q": 1.1, "sigma_k": 0.9, "sigma_v": 1.2, "sigma_o": 0.8}
WEIGHT = 1.3
PHI = {"identity": (lambda u: u, np.ones_like), "relu": (lambda u: np.maximum(u, 0), lambda u: (u > 0) * 1.0)}
# Kernels of a sequence with itself and with the other are compared: equal and different inputs.
INPUTS = np.array([[[1.0, 0.2, -0.5], [0.3, -0.9, 0.4]], [[0.6, 0.7, 0.2], [-0.4, 0.1, 1.1]]])


def below():
    """The kernel of the hidden units before phi, and the tangent kernel of their weights."""
    return WEIGHT**2 * np.einsum("xak,ybk->xyab", INPUTS, INPUTS) / INPUTS.shape[-1]


def limit(before, zeta, seed=0):
    """Both kernels in the limit of infinitely many heads, from those of the layer's input."""
    layer = AttentionKernel(
        zeta,
        query_key_std=SCALES["sigma_q"] * SCALES["sigma_k"],
        value_output_std=SCALES["sigma_v"] * SCALES["sigma_o"],
    )
    if layer.rows is None:
        after = attention_kernels(before, layer)
    else:
        after = sampled_attention_kernels(before, layer, np.random.default_rng(seed), 1000).kernels
    return np.stack([after.nngp, after.ntk])


def hidden_kernels(hidden, slopes):
    """The kernels of the hidden layer as it was drawn: means over its units."""
    gram = np.einsum("xan,ybn->xyab", hidden, hidden) / HIDDEN
    gram = (gram + gram.transpose(1, 0, 3, 2)) / 2
    own = gram[range(2), range(2)]
    tangent = below() * np.einsum("xan,ybn->xyab", slopes, slopes) / HIDDEN
    return TokenKernels(gram, own, own, tangent, symmetric=True)


def sampled_kernels(phi, zeta, rng):
    """Empirical NNGP and NTK of one network, and the closed forms at its hidden layer."""
    function, slope = PHI[phi]
    drawn = rng.standard_normal((INPUTS.shape[-1], HIDDEN))
    preactivations = WEIGHT / math.sqrt(INPUTS.shape[-1]) * INPUTS @ drawn
    hidden, slopes = function(preactivations), slope(preactivations)
    layer = MultiHeadLayer(HEADS, 16, 2, score_map=zeta, **SCALES)
    state = heads_forward(layer, sample_head_weights(layer, HIDDEN, 1, rng), hidden)
    gradients = output_gradients(state)
    parts = ("by_outputs", "by_values", "by_queries", "by_keys")
    flat = [getattr(gradients, name)[:, :, 0].reshape(2, 2, -1) for name in parts]
    weights = np.concatenate(flat, axis=-1)
    inputs = (gradients.through_values + gradients.through_scores)[:, :, 0] * slopes[:, None]
    earlier = np.einsum("xacn,ybdn,xycd->xyab", inputs, inputs, below(), optimize=True)
    products = np.tensordot(weights, weights, axes=(-1, -1)).swapaxes(1, 2)
    tangent = products + earlier
    closed = limit(hidden_kernels(hidden, slopes), zeta, int(rng.integers(2**32)))
    return np.stack([state.output_covariances, tangent]), closed


@functools.cache
def draws(phi, zeta):
    rng = np.random.default_rng([len(phi), len(zeta), 5])
    pairs = [sampled_kernels(phi, zeta, rng) for _ in range(DRAWS)]
    return np.array([one for one, _ in pairs]), np.array([other for _, other in pairs])


def far(phi, zeta, factors=(1.0, 1.0)):
    """For both kernels, whether the mean difference is larger than chance and widths explain."""
    networks, closed = draws(phi, zeta)
    scales = np.sqrt((closed**2).mean(axis=(2, 3, 4, 5), keepdims=True))
    wanted = closed * np.reshape(factors, (2, 1, 1, 1, 1))
    apart = (networks - wanted) / scales
    errors = apart.std(axis=0, ddof=1) / math.sqrt(DRAWS)
    return (np.abs(apart.mean(axis=0)) > BIAS + REACH * errors).any(axis=(1, 2, 3, 4))


@each("zeta", "identity", "relu", "softmax")
@each("phi", "identity", "relu")
def test_sampled_networks(phi, zeta):
    assert not far(phi, zeta).any()


@each("zeta", "identity", "relu", "softmax")
def test_other_kernels_are_noticed(zeta):
    assert far("relu", zeta, (1.75, 1.75)).all()
    assert far("relu", zeta, (0.5, 0.5)).all()


def test_hidden_layers_have_the_kernels_of_wide_ones():
    wide = dense_kernels(token_kernels(INPUTS), WEIGHT)
    rng = np.random.default_rng(1)
    for phi, (function, slope) in PHI.items():
        expected = activated_kernels(wide, phi)
        found = []
        for _ in range(400):
            u = WEIGHT / math.sqrt(3) * INPUTS @ rng.standard_normal((3, HIDDEN))
            kernels = hidden_kernels(function(u), slope(u))
            found.append(np.stack([kernels.nngp, kernels.ntk]))
        errors = np.std(found, axis=0, ddof=1) / 20
        apart = np.abs(np.mean(found, axis=0) - np.stack([expected.nngp, expected.ntk]))
        assert (apart <= REACH * errors + 1e-12).all()
        assert errors.max() < 0.01


@each("zeta", "identity", "relu")
def test_inputs_of_different_length(zeta):
    # Where zeta(0) = 0 a token of zeros is no token: the second sequence has one token only.
    wide, heads, count = 10**9, 64, 400
    rows = np.array([[[1.0, 0.2, -0.3], [0.4, 0.9, 0.0]], [[0.3, -0.6, 0.8], [0.0, 0.0, 0.0]]])
    gram = np.einsum("xak,ybk->xyab", rows, rows)
    layer = MultiHeadLayer(heads, wide, wide, score_map=zeta, **SCALES)
    parts = sample_tangent_parts(rows, layer, wide, 1, gram, np.random.default_rng(3), count)
    kernels = TokenKernels(gram[:1, 1:, :, :1], gram[:1, 0], gram[1:, 1, :1, :1], gram[:1, 1:, :, :1])
    closed = limit(kernels, zeta)[:, 0, 0]
    found = parts.by_outputs[:, 0, 1, :, :1, 0, 0], parts.total[:, 0, 1, :, :1, 0, 0]
    for draws_of_one, expected in zip(found, closed, strict=True):
        error = draws_of_one.std(axis=0, ddof=1) / math.sqrt(count)
        apart = np.abs(draws_of_one.mean(axis=0) - expected)
        assert (apart <= REACH * error).all()
        assert (np.abs(draws_of_one.mean(axis=0) - 1.4 * expected) > REACH * error).any()

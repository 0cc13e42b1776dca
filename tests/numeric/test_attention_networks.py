"""Kernels of whole attention networks, of absent tokens and of inputs of different length."""

import math

import numpy as np
import pytest
from sequences import STRUCTURE, close, deep, drawn
from trying import each

from numeric.attention_kernels import (
    AttentionKernel,
    Dense,
    Elementwise,
    Encoding,
    Flattening,
    Pooling,
    Residual,
    RowMap,
    TokenKernels,
    activated_kernels,
    attention_kernels,
    decaying_covariance,
    dense_kernels,
    network_kernels,
    neural_tangents_attention,
    residual_kernels,
    sampled_attention_kernels,
    token_kernels,
)

ONES = np.ones((2, 1, 1))
EYE = np.eye(2)[:, :, None, None]


def padded(x, tokens, seed):
    """Sequences with `tokens` more of them that are absent, and the flags of those present."""
    n, s, d = x.shape
    junk = 5 * np.random.default_rng(seed).standard_normal((n, tokens, d))
    junk[:, -1] = 0
    places = np.random.default_rng(seed + 1).permutation(s + tokens)
    longer = np.concatenate([x, junk], axis=1)[:, places]
    return longer, np.broadcast_to(places < s, (n, s + tokens)), np.argsort(places)[:s]


@each(
    "layer",
    AttentionKernel("relu", 0.5, 1.4, 0.8),
    AttentionKernel("gelu", 0.5, 0.7),
    AttentionKernel("softmax", 1, 1.2),
    AttentionKernel("abs", 1, 1.2),
)
def test_absent_tokens(layer):
    x, y = drawn(31, 2, 3), drawn(32, 3, 2)
    (long_x, x_present, x_places), (long_y, y_present, y_places) = (padded(x, 2, 33), padded(y, 3, 35))
    layers = [Dense(1.1, 0.2), Elementwise("relu"), layer, Dense(0.9), Elementwise("erf", {"scale": 1})]
    short = network_kernels(token_kernels(x, y), [*layers, layer])
    before = token_kernels(long_x, long_y, x_present=x_present, y_present=y_present)
    long = network_kernels(before, [*layers, layer])
    present = np.ix_(range(2), range(3), x_places, y_places)
    assert close(long.nngp[present], short.nngp, 1e-12)
    assert close(long.ntk[present], short.ntk, 1e-12)
    pooled = [network_kernels(one, [Pooling(), Dense(1.3)]) for one in (long, short)]
    for name in ("nngp", "ntk", "first", "second"):
        assert close(*(getattr(one, name) for one in pooled), 1e-12)
    assert pooled[0].nngp.shape == (2, 3, 1, 1)
    # one data set, with itself
    alone = network_kernels(token_kernels(long_x, x_present=x_present), [*layers, layer, Pooling()])
    other = network_kernels(token_kernels(x), [*layers, layer, Pooling()])
    assert close(alone.nngp, other.nngp, 1e-12)
    assert close(alone.ntk, other.ntk, 1e-12)


def test_absent_tokens_of_sampled_kernels():
    # ReLU as a map of rows, which takes -infinity to 0, has a closed form to compare with
    relu = RowMap(
        lambda g: np.maximum(g, 0.0), lambda g: np.where(g[..., None] > 0, np.eye(g.shape[-1]), 0.0)
    )
    x, y = drawn(41, 1, 2), drawn(42, 1, 3)
    (long_x, x_present, x_places), (long_y, y_present, y_places) = (padded(x, 2, 43), padded(y, 1, 45))
    # absent tokens may be of any size
    long_x = np.where(x_present[..., None], long_x, 1e9)
    present = np.ix_([0], [0], x_places, y_places)
    before = dense_kernels(token_kernels(long_x, long_y, x_present=x_present, y_present=y_present), 1.0, 0.3)
    exact = attention_kernels(before, AttentionKernel("relu"))
    rng = np.random.default_rng(46)
    found = sampled_attention_kernels(before, AttentionKernel(relu), rng, 20000)
    for name, error in (("nngp", found.nngp_error), ("ntk", found.ntk_error)):
        expected = getattr(exact, name)[present]
        distance = np.abs(getattr(found.kernels, name)[present] - expected)
        assert (distance <= 8 * error[present]).all()  # 12 entries, each wrong with chance 1e-15
        assert error[present].max() < 0.05 * np.abs(expected).max()
    soft = sampled_attention_kernels(before, AttentionKernel("softmax"), rng, 50)
    assert np.isfinite(soft.kernels.nngp).all()


def test_inputs_of_different_length():
    x, y = drawn(51, 2, 4), drawn(52, 3, 2)
    for layer in (AttentionKernel("relu"), AttentionKernel("gelu"), AttentionKernel("softmax", 1)):
        one, other = (attention_kernels(deep(*pair), layer) for pair in ((x, y), (y, x)))
        assert one.nngp.shape == (2, 3, 4, 2)
        assert close(one.nngp, other.nngp.transpose(1, 0, 3, 2))
        assert close(one.ntk, other.ntk.transpose(1, 0, 3, 2))
        assert close(one.first, attention_kernels(deep(x), layer).first)
    encoding = Encoding(0.5, STRUCTURE, STRUCTURE)
    encoded = attention_kernels(deep(x, y), AttentionKernel("relu", encoding=encoding))
    part = attention_kernels(
        deep(x[:, :2], y),
        AttentionKernel("relu", encoding=Encoding(0.5, STRUCTURE[:2, :2], STRUCTURE[:2, :2])),
    )
    present = np.zeros((2, 4), dtype=bool)
    present[:, :2] = True
    hidden = dense_kernels(
        activated_kernels(dense_kernels(token_kernels(x, y, x_present=present), 1.3), "relu"), 0.9
    )
    masked = attention_kernels(hidden, AttentionKernel("relu", encoding=encoding))
    assert close(masked.nngp[:, :, :2], part.nngp)
    assert close(masked.ntk[:, :, :2], part.ntk)
    assert not close(encoded.nngp[:, :, :2], part.nngp, 1e-3)


def test_networks_of_layers():
    x = drawn(61)
    attention, kept = AttentionKernel("relu", 0.5, 0.9, 1.1), 0.3
    before = dense_kernels(activated_kernels(dense_kernels(token_kernels(x), 1.2, 0.1), "erf", scale=1))
    expected = residual_kernels(before, attention_kernels(before, attention), kept)
    found = network_kernels(
        token_kernels(x),
        [Dense(1.2, 0.1), Elementwise("erf", {"scale": 1}), Dense(), Residual((attention,), kept)],
    )
    for name in ("nngp", "ntk", "first"):
        assert close(getattr(found, name), getattr(expected, name))
    flat, tokens = network_kernels(found, [Flattening()]), range(4)
    assert close(flat.nngp[:, :, 0, 0], np.mean([found.nngp[:, :, a, a] for a in tokens], axis=0))
    assert close(flat.ntk[:, :, 0, 0], np.mean([found.ntk[:, :, a, a] for a in tokens], axis=0))
    pooled = network_kernels(found, [Pooling()])
    assert close(pooled.nngp[:, :, 0, 0], found.nngp.mean(axis=(2, 3)))
    assert close(pooled.ntk[:, :, 0, 0], found.ntk.mean(axis=(2, 3)))
    # tokens side by side are one long token of a dense layer
    rows = x.reshape(3, 1, -1)
    assert close(network_kernels(token_kernels(x), [Flattening()]).nngp, token_kernels(rows).nngp)


def test_networks_that_need_draws():
    before, layers = token_kernels(drawn(71, 2, 2)), [AttentionKernel("softmax"), Pooling()]
    with pytest.raises(ValueError, match="rng must be a generator"):
        network_kernels(before, layers)
    first, second = (
        network_kernels(before, layers, rng=np.random.default_rng(1), count=one).nngp for one in (400, 100000)
    )
    assert not np.array_equal(first, second)
    assert np.abs(first - second).max() < 0.1 * np.abs(second).max()


@each(
    "make, message",
    (lambda: network_kernels(deep(drawn()), 3), "layers must be a list of layers, got 3"),
    (lambda: network_kernels(deep(drawn()), ["relu"]), "layers must be a list of layers, got 'relu'"),
    (lambda: network_kernels("x", []), "kernels must be a TokenKernels"),
    (lambda: Residual((Elementwise("relu"),), 0.5), "layers must end with a layer of weights"),
    (lambda: Residual((), 0.5), "layers must end with a layer of weights"),
    (lambda: Residual((Dense(),), 2), "kept must"),
    (lambda: Dense(-1.0), "weight_std must"),
    (lambda: Elementwise("reluu"), "name must be one of"),
    (lambda: Elementwise("erf", 3), "parameters must be a mapping"),
    (lambda: RowMap(1, 2), "function must be a function"),
    (lambda: token_kernels(np.ones((2, 0, 3))), "a token at least"),
    (lambda: network_kernels(deep(drawn()), [Elementwise("sign")]), "name must have a derivative"),
    (
        lambda: attention_kernels(deep(drawn(), drawn(5)), AttentionKernel("step")),
        "zeta must have a derivative",
    ),
    (
        lambda: attention_kernels(
            deep(drawn()), AttentionKernel(RowMap(lambda g: g[..., :1], lambda g: g), 1)
        ),
        "function must keep the shape",
    ),
    (
        lambda: TokenKernels([[[[1.0]], [[0.5]]], [[[0.1]], [[1.0]]]], ONES, ONES, None, True),
        "nngp must be symmetric",
    ),
    (
        lambda: TokenKernels(EYE, ONES, ONES, [[[[1.0]], [[0.5]]], [[[0.1]], [[1.0]]]], True),
        "ntk must be symmetric",
    ),
    (
        lambda: TokenKernels(np.ones((1, 1, 2, 2)), [[[1.0, 5.0], [0.0, 1.0]]], [np.ones((2, 2))]),
        "first must be symmetric",
    ),
    (lambda: TokenKernels([[[[5.0]]]], [[[1.0]]], [[[1.0]]]), "nngp must have covariances"),
    (lambda: network_kernels(token_kernels(drawn(), drawn(s=3)), [Flattening()]), "as many tokens"),
    (
        lambda: network_kernels(
            token_kernels(drawn(), x_present=np.array([[True, True, True, False]] * 3)), [Flattening()]
        ),
        "none absent",
    ),
    (lambda: token_kernels(drawn(), x_present=[[1, 1, 1, 1]] * 3), "x_present must be an array of"),
    (lambda: token_kernels(drawn(), x_present=[[True]] * 3), "x_present must have shape"),
    (
        lambda: token_kernels(drawn(), x_present=np.zeros((3, 4), dtype=bool)),
        "x_present must have a token in every sequence",
    ),
    (lambda: token_kernels(drawn(), y_present=np.ones((3, 4), dtype=bool)), "y_present must be None"),
    (
        lambda: TokenKernels(
            np.ones((1, 1, 2, 2)),
            np.ones((1, 2, 2)),
            np.ones((1, 2, 2)),
            None,
            True,
            np.array([[True, False]]),
            np.array([[True, True]]),
        ),
        "second_present must be first_present",
    ),
    (
        lambda: residual_kernels(
            token_kernels(drawn(n=1, s=2), x_present=np.array([[True, False]])),
            token_kernels(drawn(n=1, s=2)),
            0.5,
        ),
        "layer must have the sequences",
    ),
)
def test_networks_rejected(make, message):
    with pytest.raises((TypeError, ValueError), match=message):
        make()


@each("values", False, True)
def test_structured_encodings_in_residual_attention(values):
    # Appendix D with tau = 1, no nonlinearity and nothing of the input's kernel in the scores:
    # alpha kt + (1 - alpha) sigma_OV^2 sigma_QK^2 R V R^T, V being what the values see
    kept, output, scores = 0.35, 1.3, 0.7
    before = deep(drawn(91), drawn(92))
    encoding = Encoding(0.0, STRUCTURE, values=values)
    layer = AttentionKernel("identity", 1, scores, output, encoding=encoding)
    found = network_kernels(before, [Residual((layer,), kept)])

    def claimed(share, powers):
        squares = output ** powers[0] * scores ** powers[1]
        seen = STRUCTURE if values else before.nngp
        return share * before.nngp + (1 - share) * squares * (STRUCTURE @ seen @ STRUCTURE.T)

    assert close(found.nngp, claimed(kept, (2, 2)))
    other = [claimed(kept, powers) for powers in ((1, 2), (2, 1), (2, 4), (4, 2))]
    other += [claimed(share, (2, 2)) for share in (kept**2, np.sqrt(kept), 1 - kept)]
    assert not any(close(found.nngp, one, 1e-2) for one in other)
    # where the values see the encodings the attended part does not depend on the input
    alone = network_kernels(before, [layer]).nngp
    assert bool(close(alone, alone[:1, :1])) is values
    # the mixture of the tangent kernels: weights of values and outputs, and the layers before
    inherited = 0 if values else (output * scores) ** 2 * (STRUCTURE @ before.ntk @ STRUCTURE.T)
    assert close(found.ntk, kept * before.ntk + (1 - kept) * (2 * alone + inherited))


def test_decaying_encodings():
    pixels = np.array([(i, j) for i in range(3) for j in range(2)], dtype=float)
    R = decaying_covariance(pixels, 0.7, 2.0)
    assert np.allclose(np.diag(R), 2)
    assert math.isclose(R[0, 5], 2 * math.exp(-0.7 * 5))  # (0, 0) and (2, 1)
    assert np.linalg.eigvalsh(R)[0] > 0
    assert np.array_equal(decaying_covariance([[0.0], [3.0]], 0.0), np.ones((2, 2)))


@each(
    "make, message",
    (lambda: neural_tangents_attention(3), "attention_mechanism must be one of"),
    (lambda: neural_tangents_attention("RELU", W_key_std=0), "W_key_std must"),
    (lambda: neural_tangents_attention("RELU", linear_scaling=2), "linear_scaling must"),
    (lambda: neural_tangents_attention("RELU", covariance=[[1, 2], [0, 1]]), "covariance must be"),
    (lambda: Encoding(0.5, [[0.0, 1e-13], [1e-13, 0.0]]), "covariance must be positive"),
    (lambda: decaying_covariance([[0.0]], -1.0), "decay must"),
    (lambda: decaying_covariance([[0.0]], 1.0, 0.0), "scale must"),
    (lambda: decaying_covariance([0.0], 1.0), "positions must have shape"),
)
def test_conventions_rejected(make, message):
    with pytest.raises((TypeError, ValueError), match=message):
        make()


def test_what_is_too_large_for_a_sampled_layer():
    rng, before = np.random.default_rng(0), token_kernels(1e100 * drawn(81, 1, 2))
    with pytest.raises(OverflowError, match="sampled_attention_kernels is too large"):
        sampled_attention_kernels(before, AttentionKernel("softmax"), rng, 10)
    with pytest.raises(OverflowError, match="attention_kernels is too large"):
        attention_kernels(deep(drawn()), AttentionKernel("relu", query_key_std=1e200))
    large = AttentionKernel("erf", parameters={"scale": 1.0})
    with pytest.raises(OverflowError, match="attention_kernels is too large"):
        attention_kernels(token_kernels(1e100 * drawn()), large)


def test_errors_of_draws_that_hardly_differ():
    tokens = 1e4 + 1e-6 * drawn(82, 1, 3)
    before, layer = token_kernels(tokens), AttentionKernel("softmax", query_key_std=1e-6)
    errors = [
        sampled_attention_kernels(before, layer, np.random.default_rng(seed), 64).nngp_error.max()
        for seed in range(3)
    ]
    # the values differ by some 1e-6 * 1e4, relative to 1e8
    assert max(errors) < 1e-3


def test_no_sequences():
    none = token_kernels(np.ones((0, 2, 3)), np.ones((2, 2, 3)))
    layers = [Dense(), Elementwise("relu"), AttentionKernel("relu"), Pooling()]
    assert network_kernels(none, layers).nngp.shape == (0, 2, 1, 1)
    rng = np.random.default_rng(0)
    for before in (none, token_kernels(np.ones((2, 2, 3)), np.ones((0, 2, 3)))):
        sampled = sampled_attention_kernels(before, AttentionKernel("softmax"), rng, 4)
        assert sampled.kernels.nngp.shape == before.nngp.shape


def test_layers_are_compared_as_objects():
    encoding = Encoding(0.5, STRUCTURE)
    layer = AttentionKernel("relu", encoding=encoding)
    assert layer in {layer}
    assert layer != AttentionKernel("relu", encoding=Encoding(0.5, STRUCTURE))
    assert not encoding.covariance.flags.writeable

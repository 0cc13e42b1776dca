"""A multi-head layer: gradients by differences, kernels by gradients, exact law, and its limit."""

import dataclasses
import math
from functools import cache

import numpy as np
import pytest
from trying import each

from numeric.dual_activations import dual_activation, dual_activation_derivative
from numeric.networks.attention import gram_factor
from numeric.networks.multi_head import (
    HeadsPass,
    HeadWeights,
    MultiHeadLayer,
    TangentParts,
    heads_forward,
    linear_tangent_means,
    output_gradients,
    sample_head_weights,
    sample_multi_head,
    sample_tangent_parts,
    tangent_parts,
)
from numeric.networks.multi_head.gradients import input_paths, through_scores, through_values
from numeric.networks.multi_head.tangent import parts_of
from numeric.statistics import mean_test, two_sample_test

LEVEL = 1e-9  # false-alarm probability of each comparison
SIGMAS = {"sigma_q": 1.3, "sigma_k": 0.7, "sigma_v": 1.6, "sigma_o": 0.8}
PARTS = [field.name for field in dataclasses.fields(TangentParts)]
ALL_MAPS = [(name, tau) for name in ("identity", "relu", "softmax") for tau in (0.5, 1)]


def rng(seed=0):
    return np.random.default_rng(seed)


def small_layer(score_map, tau, **changes):
    return MultiHeadLayer(
        **{
            **{"heads": 2, "score_dim": 3, "value_dim": 4, "tau": tau, "score_map": score_map},
            **SIGMAS,
            **changes,
        }
    )


def kernel_below(inputs, tokens, seed):
    """A symmetric positive definite Theta~ over inputs and tokens."""
    root = rng(seed).standard_normal((inputs * tokens, inputs * tokens))
    blocks = (root @ root.T / inputs / tokens).reshape(inputs, tokens, inputs, tokens)
    return np.swapaxes(blocks, 1, 2)


@cache
def example(score_map, tau):
    layer = small_layer(score_map, tau)
    weights, x = sample_head_weights(layer, 5, 2, rng(1)), rng(2).standard_normal((2, 3, 5))
    return layer, weights, x, heads_forward(layer, weights, x)


def outputs_by_the_book(layer, weights, x):
    """Loops over heads, with the scales of the definition."""
    n, total = x.shape[-1], 0
    zeta = {
        "identity": lambda g: g,
        "relu": lambda g: np.maximum(g, 0),
        "softmax": lambda g: np.exp(g) / np.exp(g).sum(axis=-1, keepdims=True),
    }[layer.score_map]
    for h in range(layer.heads):
        q = x @ weights.queries[h] * layer.sigma_q / np.sqrt(n)
        k = x @ weights.keys[h] * layer.sigma_k / np.sqrt(n)
        v = x @ weights.values[h] * layer.sigma_v / np.sqrt(n)
        g = q @ np.swapaxes(k, -1, -2) / layer.score_dim**layer.tau
        total = total + zeta(g) @ v @ weights.outputs[h]
    return total * layer.sigma_o / np.sqrt(layer.heads * layer.value_dim)


def differences(function, at, step=1e-6):
    """The derivatives of an array by the entries of another one, whose axes come last."""
    results = np.empty((*function(at).shape, *at.shape))
    for index in np.ndindex(at.shape):
        move = np.zeros_like(at)
        move[index] = step
        results[(..., *index)] = (function(at + move) - function(at - move)) / (2 * step)
    return results


@each("score_map, tau", *ALL_MAPS)
def test_outputs_and_gradients(score_map, tau):
    layer, weights, x, state = example(score_map, tau)
    assert np.array_equal(weights.queries, weights.keys) == layer.tied
    np.testing.assert_allclose(state.outputs, outputs_by_the_book(layer, weights, x), rtol=1e-12)
    gradients = output_gradients(state)
    for name in ("outputs", "values", "queries", "keys"):
        numerical = differences(
            lambda w, name=name: outputs_by_the_book(layer, dataclasses.replace(weights, **{name: w}), x),
            getattr(weights, name),
        )
        np.testing.assert_allclose(getattr(gradients, f"by_{name}"), numerical, atol=1e-8)
    by_input = gradients.through_values + gradients.through_scores
    for one in range(len(x)):
        numerical = differences(lambda y: outputs_by_the_book(layer, weights, y[None])[0], x[one])
        np.testing.assert_allclose(by_input[one], numerical, atol=1e-8)


@each("score_map, tau", *ALL_MAPS)
def test_the_kernel_is_made_of_products_of_gradients(score_map, tau):
    *_, state = example(score_map, tau)
    gradients, below = output_gradients(state), kernel_below(2, 3, 3)
    parts = tangent_parts(state, below)
    for name in ("by_outputs", "by_values", "by_queries", "by_keys"):
        one = getattr(gradients, name)
        products = np.einsum("xaihpm,ybjhpm->xyabij", one, one)
        np.testing.assert_allclose(getattr(parts, name), products, atol=1e-12)
    value, score = gradients.through_values, gradients.through_scores
    for name, first, second in (
        *(("values_values", value, value), ("scores_scores", score, score)),
        *(("values_scores", value, score), ("scores_values", score, value)),
    ):
        products = np.einsum("xaicp,xycd,ybjdp->xyabij", first, below, second)
        np.testing.assert_allclose(getattr(parts, name), products, atol=1e-12)
    total = parts.total.transpose(0, 2, 4, 1, 3, 5).reshape(12, 12)
    np.testing.assert_allclose(total, total.T, atol=1e-12)
    assert np.linalg.eigvalsh(total).min() > -1e-10


@each("score_map, tau", *ALL_MAPS)
def test_kernel_of_a_layer_behind_another_one(score_map, tau):
    """Behind a dense layer of tanh the indirect part is that of all weights of the dense layer."""
    layer, weights, *_ = example(score_map, tau)
    below, start = rng(17).standard_normal((4, 5)), rng(18).standard_normal((2, 3, 4))
    slopes = 1 - (hidden := np.tanh(start @ below)) ** 2
    products = np.einsum("xam,ybm->xyab", start, start)
    kernel = np.einsum("xyab,xap,ybq,pq->xyabpq", products, slopes, slopes, np.eye(5))
    parts = tangent_parts(heads_forward(layer, weights, hidden), kernel)
    numerical = differences(lambda w: outputs_by_the_book(layer, weights, np.tanh(start @ w)), below)
    expected = np.einsum("xaimp,ybjmp->xyabij", numerical, numerical)
    np.testing.assert_allclose(parts.indirect, expected, atol=1e-6 * abs(expected).max())
    linear = tangent_parts(heads_forward(layer, weights, start @ below), products)
    numerical = differences(lambda w: outputs_by_the_book(layer, weights, start @ w), below)
    expected = np.einsum("xaimp,ybjmp->xyabij", numerical, numerical)
    np.testing.assert_allclose(linear.indirect, expected, atol=1e-6 * abs(expected).max())


def parts_of_all(layer, width, x, below, generators):
    """The parts for many draws of the weights at a time; for the first ones, those of each."""
    drawn = [sample_head_weights(layer, width, 2, one) for one in generators]
    weights = HeadWeights(*map(np.stack, zip(*map(dataclasses.astuple, drawn), strict=True)))
    state = HeadsPass(layer, weights, x / math.sqrt(width), width)
    values, scores = (by(state, input_paths(state)) for by in (through_values, through_scores))
    parts = parts_of(state, below, values, scores)
    for i, one in enumerate(drawn[:5]):
        alone = dataclasses.astuple(tangent_parts(heads_forward(layer, one, x), below))
        for name, wanted in zip(PARTS, alone, strict=True):
            np.testing.assert_allclose(getattr(parts, name)[i], wanted, atol=1e-12)
    return parts


@each(
    "score_map, tau, width, dims",
    *(("relu", 0.5, 5, (3, 4)), ("softmax", 0.5, 9, (1, 2)), ("identity", 0.5, 4, (7, 9))),
    *(("softmax", 1, 5, (3, 4)), ("identity", 1, 16, (2, 1))),
)
def test_law_of_the_kernel_with_matrices(score_map, tau, width, dims):
    """All eight parts at one and at two inputs, one and two coordinates; any order of widths."""
    layer = small_layer(score_map, tau, score_dim=dims[0], value_dim=dims[1])
    x, below, size = rng(4).standard_normal((2, 2, width)), kernel_below(2, 2, 5), 2000
    flat = x.reshape(4, width)
    factors = gram_factor(flat @ flat.T / width).reshape(2, 2, 4)
    ours = sample_tangent_parts(factors, layer, width, 2, below, rng(6), size)
    theirs = parts_of_all(layer, width, x, below, rng(7).spawn(size))
    for name in [*PARTS, "total"]:
        for index in ((0, 0, 0, 0, 0, 0), (0, 1, 0, 1, 0, 0), (0, 1, 1, 1, 0, 1)):
            first, second = (getattr(one, name)[(slice(None), *index)] for one in (ours, theirs))
            assert two_sample_test(first, second).p_value > LEVEL, (name, index)
    first, second = (
        one.by_keys[:, 0, 0, 0, 0, 0, 0] * one.values_values[:, 0, 1, 0, 0, 0, 0] for one in (ours, theirs)
    )
    assert two_sample_test(first, second).p_value > LEVEL


@each("tau", 0.5, 1)
def test_law_of_scores_and_outputs_with_matrices(tau):
    """Single entries and products, of one input and of two, of one coordinate and of two."""
    layer, width, size = small_layer("softmax", tau), 5, 3000
    x = rng(14).standard_normal((2, 2, width))
    flat = x.reshape(4, width)
    factors = gram_factor(flat @ flat.T / width).reshape(2, 2, 4)
    ours = sample_multi_head(factors, layer, width, 2, rng(15), size)
    states = [
        heads_forward(layer, sample_head_weights(layer, width, 2, one), x) for one in rng(16).spawn(size)
    ]
    for name, first, second in (
        ("scores", (0, 0, 0, 1), (0, 1, 1, 0)),
        ("scores", (0, 0, 0, 1), (1, 0, 0, 1)),
        ("outputs", (0, 0, 0), (1, 1, 0)),
        ("outputs", (0, 0, 0), (0, 0, 1)),
        ("output_covariances", (0, 0, 0, 0), (0, 1, 1, 0)),
    ):
        theirs = np.array([getattr(one, name) for one in states])
        drawn = getattr(ours, name)
        pairs = [(one[(slice(None), *first)], one[(slice(None), *second)]) for one in (drawn, theirs)]
        for combined in (lambda u, _: u, lambda u, v: u * v, lambda u, v: u + v):
            test = two_sample_test(*(combined(*one) for one in pairs))
            assert test.p_value > LEVEL, (name, first, second)


# Kernels of two inputs of three tokens.
BELOW = kernel_below(2, 3, 8)
INPUTS = kernel_below(2, 3, 9)
FACTORS = gram_factor(np.swapaxes(INPUTS, 1, 2).reshape(6, 6)).reshape(2, 3, 6)


def score_expectations(score_map, x, y, a, b):
    """E zeta(G(x)_ac) zeta(G(y)_bd) over c, d, and the same of the derivatives: Theorem 3."""
    products, slopes = np.empty((3, 3)), np.empty((3, 3))
    scale = (SIGMAS["sigma_q"] * SIGMAS["sigma_k"]) ** 2
    for c, d in np.ndindex(3, 3):
        variances = [
            float(scale * INPUTS[z, z, e, e] * INPUTS[z, z, f, f]) for z, e, f in ((x, a, c), (y, b, d))
        ]
        covariance = scale * INPUTS[x, y, a, b] * INPUTS[x, y, c, d]
        if score_map == "identity":
            products[c, d], slopes[c, d] = covariance, 1.0
        else:
            rho = min(1.0, max(-1.0, covariance / np.sqrt(np.prod(variances))))
            products[c, d] = dual_activation(score_map, rho, variances=variances)
            slopes[c, d] = dual_activation_derivative(score_map, rho, variances=variances)
    return products, slopes


def limits(score_map, x, y, a, b):
    """The parts of (22) for tau = 1/2, by Lemmas 19-23."""
    products, slopes = score_expectations(score_map, x, y, a, b)
    value_scale = (SIGMAS["sigma_v"] * SIGMAS["sigma_o"]) ** 2
    both = value_scale * (SIGMAS["sigma_q"] * SIGMAS["sigma_k"]) ** 2
    inputs, below = INPUTS[x, y], BELOW[x, y]
    kernel = value_scale * np.sum(inputs * products)
    by_weights = both * inputs[a, b] * np.sum(inputs**2 * slopes)
    scored = below[a, b] * np.sum(inputs**2 * slopes)
    scored += inputs[a, b] * np.sum(inputs * below * slopes)
    return {
        **{"by_outputs": kernel, "by_values": kernel},
        **{"by_queries": by_weights, "by_keys": by_weights},
        "values_values": value_scale * np.sum(below * products),
        "scores_scores": both * scored,
        **{"values_scores": 0.0, "scores_values": 0.0},
    }


def equation_22(score_map, x, y, a, b):
    """The right-hand side as the paper has it."""
    products, slopes = score_expectations(score_map, x, y, a, b)
    value_scale = (SIGMAS["sigma_v"] * SIGMAS["sigma_o"]) ** 2
    both = value_scale * (SIGMAS["sigma_q"] * SIGMAS["sigma_k"]) ** 2
    inputs, below = INPUTS[x, y], BELOW[x, y]
    return (
        2 * value_scale * np.sum(inputs * products)
        + value_scale * np.sum(below * products)
        + both * (2 * inputs[a, b] + below[a, b]) * np.sum(inputs * inputs * slopes)
        + both * inputs[a, b] * np.sum(inputs * below * slopes)
    )


ENTRIES = [(0, 0, 0, 0), (0, 0, 0, 2), (0, 1, 0, 1), (1, 0, 2, 2)]


@cache
def wide_draws(score_map):
    """Heads of 10^8 entries at inputs of 10^8 coordinates."""
    layer = small_layer(score_map, 0.5, heads=20, score_dim=10**8, value_dim=10**8)
    return sample_tangent_parts(FACTORS, layer, 10**8, 1, BELOW, rng(10), 2000)


@each("score_map", "identity", "relu")
def test_wide_layers_have_the_kernel_of_the_limit(score_map):
    """Each part on its own, and their sum, between equal and different inputs."""
    draws = wide_draws(score_map)
    for x, y, a, b in ENTRIES:
        expected = limits(score_map, x, y, a, b)
        assert sum(expected.values()) == pytest.approx(equation_22(score_map, x, y, a, b))
        expected["total"] = equation_22(score_map, x, y, a, b)
        for name, value in expected.items():
            samples = getattr(draws, name)[:, x, y, a, b, 0, 0]
            test = mean_test(samples, value, rounding=1e-3)
            assert test.p_value > LEVEL, (name, (x, y, a, b))
    samples = draws.total[:, 0, 0, 0, 0, 0, 0]
    wrong = equation_22(score_map, 0, 0, 0, 0) - limits(score_map, 0, 0, 0, 0)["by_keys"]
    assert mean_test(samples, wrong, rounding=1e-3).p_value < LEVEL  # one direct part forgotten


@each("width, dims", (6, (1, 1)), (6, (3, 2)), (12, (2, 5)), (7, (60, 60)))
def test_means_for_the_identity_are_exact_at_any_width(width, dims):
    """All eight parts; in wide heads three of them are not the limit, and that is seen."""
    layer = small_layer("identity", 0.5, heads=6, score_dim=dims[0], value_dim=dims[1])
    draws = sample_tangent_parts(FACTORS, layer, width, 1, BELOW, rng(11), 10_000)
    means, limit = (linear_tangent_means(INPUTS, layer, n, BELOW) for n in (width, math.inf))
    for entry in ENTRIES:
        for name in [*PARTS, "total"]:
            samples = getattr(draws, name)[(slice(None), *entry, 0, 0)]
            expected = getattr(means, name)[(*entry, 0, 0)]
            assert mean_test(samples, expected, batches=200).p_value > LEVEL, (name, entry)
    for name in ("scores_scores", "values_scores", "scores_values") if min(dims) > 9 else ():
        samples = getattr(draws, name)[:, 0, 0, 0, 0, 0, 0]
        without = getattr(limit, name)[0, 0, 0, 0, 0, 0]
        assert mean_test(samples, without, batches=200).p_value < LEVEL, name


def test_means_for_the_identity_at_infinite_width_are_the_limit():
    means = linear_tangent_means(INPUTS, small_layer("identity", 0.5), math.inf, BELOW)
    for entry in ENTRIES:
        for name, expected in limits("identity", *entry).items():
            assert getattr(means, name)[(*entry, 0, 0)] == pytest.approx(expected), name
        assert means.total[(*entry, 0, 0)] == pytest.approx(equation_22("identity", *entry))


@each("score_map", "identity", "relu", "softmax")
def test_equal_queries_and_keys_give_constants(score_map):
    """For tau = 1 the scores are sigma_Q sigma_K kt(x, x), and their gradients vanish."""
    layer = small_layer(score_map, 1, score_dim=10**12, value_dim=10**12)
    draws = sample_tangent_parts(FACTORS, layer, 10**12, 2, BELOW, rng(12), 3)
    zeta = layer.zeta.values
    attention = [zeta(SIGMAS["sigma_q"] * SIGMAS["sigma_k"] * INPUTS[x, x]) for x in range(2)]
    scale = (SIGMAS["sigma_v"] * SIGMAS["sigma_o"]) ** 2
    for x, y in ((0, 0), (0, 1)):
        kernel, moved = (scale * attention[x] @ one[x, y] @ attention[y].T for one in (INPUTS, BELOW))
        expected = {"by_outputs": kernel, "by_values": kernel, "values_values": moved}
        expected["total"] = 2 * kernel + moved
        for name in [*PARTS, "total"]:
            limit = np.multiply.outer(expected.get(name, np.zeros((3, 3))), np.eye(2))
            for one in getattr(draws, name)[:, x, y]:
                np.testing.assert_allclose(one, limit, atol=1e-3, err_msg=name)


def test_softmax_of_one_token_has_no_gradient():
    """Its weight is 1 whatever the score."""
    layer = small_layer("softmax", 0.5)
    weights = sample_head_weights(layer, 4, 1, rng(13))
    parts = tangent_parts(heads_forward(layer, weights, np.ones((1, 1, 4))), np.ones((1, 1, 1, 1)))
    for name in ("by_queries", "by_keys", "scores_scores", "values_scores"):
        assert np.all(getattr(parts, name) == 0), name


def test_arguments():
    layer = small_layer("relu", 0.5)
    weights = sample_head_weights(layer, 4, 1, rng())
    with pytest.raises(ValueError, match="tau must be 1/2 or 1"):
        small_layer("relu", 0.75)
    with pytest.raises(ValueError, match="score_map must be one of"):
        small_layer("tanh", 0.5)
    with pytest.raises(ValueError, match="sigma_v must lie in"):
        small_layer("relu", 0.5, sigma_v=0)
    with pytest.raises(ValueError, match="x must not be empty"):
        heads_forward(layer, weights, np.zeros((0, 3, 4)))
    with pytest.raises(ValueError, match="weights must have queries"):
        heads_forward(layer, weights, np.ones((1, 3, 5)))
    one_head = dataclasses.replace(weights, outputs=weights.outputs[0])
    with pytest.raises(ValueError, match="weights must have outputs"):
        heads_forward(layer, one_head, np.ones((1, 3, 4)))
    with pytest.raises(TypeError, match="weights must be HeadWeights"):
        heads_forward(layer, None, np.ones((1, 3, 4)))
    with pytest.raises(TypeError, match="state must be a HeadsPass"):
        output_gradients(weights)
    drawn = sample_multi_head(FACTORS, layer, 6, 1, rng())
    for function in (output_gradients, lambda state: tangent_parts(state, BELOW)):
        with pytest.raises(ValueError, match="state must be the pass of one draw"):
            function(drawn)
    with pytest.raises(ValueError, match="input_tangent must have shape"):
        tangent_parts(heads_forward(layer, weights, np.ones((1, 1, 4))), np.ones([1] * 6))
    with pytest.raises(ValueError, match="x must be so small"):
        heads_forward(layer, weights, np.full((1, 3, 4), 1e200))
    with pytest.raises(ValueError, match=r"width must be an integer of at least 6"):
        sample_tangent_parts(FACTORS, layer, 5, 1, BELOW, rng())
    with pytest.raises(ValueError, match="input_tangent must have shape"):
        sample_tangent_parts(FACTORS, layer, 6, 1, BELOW[:1], rng())
    with pytest.raises(ValueError, match="factors must not be empty"):
        sample_tangent_parts(np.zeros((0, 3, 6)), layer, 6, 1, BELOW, rng())
    with pytest.raises(ValueError, match="factors must be so small"):
        sample_tangent_parts(np.full((1, 1, 1), 1e150), layer, 1, 1, [[[[1]]]], rng())
    with pytest.raises(ValueError, match="layer must have score_map 'identity'"):
        linear_tangent_means(INPUTS, layer, 6, BELOW)
    with pytest.raises(ValueError, match="gram must not be empty"):
        linear_tangent_means(INPUTS[:, :, :0, :0], small_layer("identity", 0.5), 6, BELOW)
    with pytest.raises(TypeError, match="layer must be a MultiHeadLayer"):
        sample_head_weights(None, 4, 1, rng())
    assert isinstance(weights, HeadWeights)

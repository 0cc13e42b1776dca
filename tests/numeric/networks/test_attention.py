"""A layer of attention from its exact law, against its matrices, exact moments and exact cases."""

import math

import numpy as np
import pytest
from scipy import stats
from trying import each

from numeric.gaussian_mixtures import kullback_leibler, mixture_density
from numeric.networks.attention import (
    AttentionLayer,
    gram_factor,
    sample_attention,
    sample_input_factors,
    sample_inputs,
    sample_output_covariances,
    sample_output_variances,
    sample_scores,
)
from numeric.networks.attention.mean_squares import mean_square, mean_square_factor
from numeric.statistics import mean_test, two_sample_test

LEVEL = 1e-9  # false-alarm probability of each comparison


def rng(seed=0):
    return np.random.default_rng(seed)


def relu(values):
    return np.maximum(values, 0.0)


def repeated(factor, size):
    return np.broadcast_to(factor, (size, *factor.shape))


@each("width, rows, tokens, activation", (6, 6, 3, relu), (5, 2, 4, None), (4, 4, 1, np.tanh))
def test_law_of_the_layer_with_matrices(width, rows, tokens, activation):
    """Scores, products of scores, outputs and products of outputs; rows fewer than tokens too."""
    layer, size = AttentionLayer(2, rows, [1.0, 2.0], [0.5, 1.5]), 4000
    x = sample_inputs(activation, width, tokens, rng(1))[0]
    factors = repeated(gram_factor(x @ x.T / width), size)
    passes = sample_attention(x, layer, rng(2), size)
    theirs = passes.scores
    ours = sample_scores(factors, layer, rng(3))
    last = tokens - 1
    for a, i, j in ((0, 0, 0), (1, 0, last), (1, last, 0)):
        assert two_sample_test(ours[:, a, i, j], theirs[:, a, i, j]).p_value > LEVEL
    products = [one[:, 1, 0, 0] * one[:, 1, last, last] for one in (ours, theirs)]
    assert two_sample_test(*products).p_value > LEVEL
    entries = passes.outputs[..., 0]
    covariances = sample_output_covariances(factors, layer, rng(4))
    roots = np.linalg.cholesky(covariances + 1e-14 * np.eye(tokens))
    drawn = np.einsum("bij,bj->bi", roots, rng(5).standard_normal((size, tokens)))
    assert two_sample_test(drawn[:, 0], entries[:, 0]).p_value > LEVEL
    assert two_sample_test(drawn[:, 0] * drawn[:, last], entries[:, 0] * entries[:, last]).p_value > LEVEL
    variances = sample_output_variances(factors, layer, rng(6), last)
    assert two_sample_test(variances, covariances[:, last, last]).p_value > LEVEL


@each("rows", 1, 3, 50)
def test_moments_of_scores(rows):
    """E p_ij p_kl = s_a^2 S_ik S_jl, and E p^4 = 3 (1 + 2/m) (E p^2)^2."""
    gram = np.array([[2.0, 0.5], [0.5, 1.0]])
    layer = AttentionLayer(1, rows, 1.5)
    p = sample_scores(repeated(gram_factor(gram), 20_000), layer, rng(7))[:, 0]
    for (i, j), (k, h) in (((0, 1), (0, 1)), ((0, 0), (1, 1)), ((0, 1), (1, 0))):
        expected = 1.5**2 * gram[i, k] * gram[j, h]
        assert mean_test(p[:, i, j] * p[:, k, h], expected).p_value > LEVEL
    square = 1.5**2 * gram[0, 0] * gram[1, 1]
    ratio = p[:, 0, 1] ** 4 / square**2
    assert mean_test(ratio, 3 * (1 + 2 / rows), batches=100).p_value > LEVEL


def test_infinitely_many_rows_are_the_limit():
    """Scores are Gaussian with the product covariance, and values do not fluctuate."""
    gram = np.array([[2.0, 0.5], [0.5, 1.0]])
    layer = AttentionLayer(1, math.inf)
    p = sample_scores(repeated(gram_factor(gram), 4000), layer, rng(8))[:, 0]
    exact = stats.norm(scale=math.sqrt(2.0)).rvs(4000, random_state=9)
    assert two_sample_test(p[:, 0, 1], exact).p_value > LEVEL
    one_token = sample_output_variances(np.full((3, 1, 1), 2.0), layer, rng())
    np.testing.assert_allclose(one_token, 4.0, rtol=1e-15)
    with pytest.raises(ValueError, match="finitely many rows"):
        sample_attention(np.eye(2), layer, rng())


def test_generators_of_one_seed_share_the_normals_of_the_scores():
    """Between widths 10^6 and infinity a variance changes by some 10^-3 at most."""
    factors = repeated(np.eye(4), 100)
    wide, limit = (
        sample_output_variances(factors, AttentionLayer(2, rows), rng(3)) for rows in (10**6, math.inf)
    )
    assert 0 < np.max(abs(wide / limit - 1)) < 0.02
    assert np.std(limit) > 0.05


@each("count", 2, 3, 7)
def test_wishart_factors(count):
    """Means of outer products of m normal vectors, m below, at and above the dimension."""
    factors = mean_square_factor(3, count, rng(1), (20_000,))
    normals = rng(2).standard_normal((20_000, 3, count))
    ours, theirs = (one @ np.swapaxes(one, 1, 2) for one in (factors, normals / math.sqrt(count)))
    for i, j in ((0, 0), (2, 2), (0, 2), (1, 2)):
        assert two_sample_test(ours[:, i, j], theirs[:, i, j]).p_value > LEVEL
    determinants = [np.linalg.det(one[:, 1:, 1:]) for one in (ours, theirs)]
    assert two_sample_test(*determinants).p_value > LEVEL
    assert mean_test(mean_square(count, rng(3), (5000,)), 1.0).p_value > LEVEL


def test_factors_of_the_inputs():
    """Without an activation the Gram matrix is drawn without inputs, and has their law."""
    ours = sample_input_factors(None, 5, 3, rng(1), 5000)
    x = sample_inputs(None, 5, 3, rng(2), 5000)
    grams = ours @ np.swapaxes(ours, 1, 2), x @ np.swapaxes(x, 1, 2) / 5
    for i, j in ((0, 0), (2, 2), (0, 1)):
        assert two_sample_test(*(one[:, i, j] for one in grams)).p_value > LEVEL
    behind = sample_input_factors(relu, 5, 3, rng(3), 2000)
    assert mean_test(np.sum(behind[:, 0] ** 2, axis=-1), 0.5).p_value > LEVEL


def test_factors_of_singular_matrices():
    for gram in ([[1.0, 1.0], [1.0, 1.0]], [[0.0]], np.diag([4.0, 0.0, 1.0])):
        factor = gram_factor(gram)
        np.testing.assert_allclose(factor @ factor.T, gram, atol=1e-12)
    for wrong in ([[1.0, 2.0], [2.0, 1.0]], [[1.0, 0.0], [1.0, 1.0]]):
        with pytest.raises(ValueError, match="gram must be"):
            gram_factor(wrong)


@each("given", {"heads": 0, "rows": 4}, {"heads": 1, "rows": 0}, {"heads": 1, "rows": 2.5})
def test_shapes_are_looked_at(given):
    with pytest.raises((ValueError, TypeError), match="must be"):
        AttentionLayer(**given)
    with pytest.raises(ValueError, match="value_scales must be one number or 3"):
        AttentionLayer(3, 4, value_scales=[1.0, 2.0])


def test_mixtures_of_gaussian_densities():
    """Student's law has an inverse chi-square variance; a law of one variance is normal."""
    y = np.linspace(-4, 4, 9)
    quantiles = (np.arange(20_000) + 0.5) / 20_000
    variances = 5 / stats.chi2(5).ppf(quantiles)
    np.testing.assert_allclose(mixture_density(y, variances), stats.t(5).pdf(y), rtol=2e-3)
    np.testing.assert_allclose(mixture_density(y, [4.0]), stats.norm(scale=2).pdf(y), rtol=1e-14)


@each("scale", 1.0001, 1.5, 3.0)
def test_divergence_of_two_normal_laws(scale):
    """log s + 1/(2 s^2) - 1/2, by series too where it cancels, and 0 log 0 = 0."""
    y = np.linspace(-40, 40, 4001)
    f, g = mixture_density(y, [1.0]), mixture_density(y, [scale**2])
    inside = g > 0
    exact = math.log(scale) + (1 / scale**2 - 1) / 2
    found = kullback_leibler(f[inside], g[inside], y[1] - y[0])
    assert found == pytest.approx(exact, rel=1e-7)
    assert kullback_leibler([0.0, 1.0], [0.5, 0.5], 1.0) == pytest.approx(math.log(2))

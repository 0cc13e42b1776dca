"""The forward law against the network with layer matrices, exact laws and exact symmetries."""

import mpmath
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import special
from trying import each

from numeric.cosine_maps import varrho, zeta
from numeric.networks import MLP, backpropagation_matrix, forward_pass, long_vectors, sample_ntk
from numeric.networks.diagonal_law import sample_ntk_diagonal
from numeric.networks.exact_law import draw_ntk
from numeric.networks.forward_law import (
    ForwardLaw,
    _activated,
    _factor,
    _measured,
    _relative,
    sample_forward,
    sample_lengths,
)
from numeric.networks.long_vectors import LongVectors, orthonormal_basis, triangular_factor
from numeric.networks.tangent_law import sample_backpropagation
from numeric.statistics import mean_test, two_sample_test

LEVEL = 1e-9  # false-alarm probability of each comparison


def rng(seed=0):
    return np.random.default_rng(seed)


@each("a, b", (0.0, 1.0), (0.5, 0.5), (1.0, -0.3))
def test_law_of_the_network_with_matrices(a, b):
    """Norms, inner products and distances of three inputs in two hidden layers of unequal width."""
    x, widths, size = np.array([[1.0, 0.0, 0.5], [0.2, 2.0, 0.0], [1.0, 0.1, 0.5]]), (3, 5), 4000
    law = sample_forward(x, widths, a, b, rng(1), size)
    mlp = MLP((3, *widths, 1), a, b)
    state = forward_pass(mlp, mlp.sample(rng(2), size), x)
    for k in (2, 3):
        assert two_sample_test(law.norms[:, k - 1, 1], state.norms(k)[:, 1]).p_value > LEVEL
        # Where no unit is on for both inputs a product is 0, here or there up to rounding.
        ours, theirs = (
            np.round(products, 12) for products in (law.inner_products[:, k - 1], state.inner_products(k))
        )
        for i, j in ((0, 1), (0, 2), (1, 2)):
            assert two_sample_test(ours[:, i, j], theirs[:, i, j]).p_value > LEVEL
    alive = (law.norms[:, 2] > 0).all(axis=-1)
    assert alive.mean() > 0.5


def test_one_draw_unless_more_are_asked_for():
    assert sample_forward(np.eye(2), (3,), 0, 1, np.random.default_rng(0)).norms.shape == (1, 2, 2)


def test_the_input_layer_is_the_input():
    x = np.array([[3.0, 4.0], [0.0, 2.0], [-3.0, -4.0]])
    law = sample_forward(x, (2,), 0, 1, rng(), size=3)
    np.testing.assert_allclose(law.norms[:, 0], [[5.0, 2.0, 5.0]] * 3, rtol=1e-15)
    np.testing.assert_allclose(law.inner_products[:, 0], [x @ x.T] * 3, atol=1e-14)
    np.testing.assert_allclose(law.squared_cosine_distances[:, 0, 0, 2], 1.0, rtol=1e-15)


def test_means_of_one_layer():
    """E X_2 = |x_1||x_2| varrho, the paper's Proposition 11."""
    x = np.array([[2.0, 0.0], [0.3, 0.4]])
    law = sample_forward(x, (4,), 0.4, -0.7, rng(3), size=20_000)
    delta = 0.49 / (0.49 + 0.16)
    expected = 2 * 0.5 * varrho(0.6, delta)
    assert mean_test(law.inner_products[:, 1, 0, 1], expected).p_value > LEVEL
    assert mean_test(law.norms[:, 1, 0] ** 2, 4.0).p_value > LEVEL
    assert mean_test(law.inner_products[:, 1, 0, 1], 1.1 * expected).p_value < LEVEL


@pytest.mark.parametrize(("a", "b"), [(0.0, 1.0), (0.5, 0.5), (1.0, -0.3), (1.0, 0.0)])
def test_lengths_are_those_of_the_vectors(a, b):
    """Two chi-squares, against the coordinates of an activation, in two layers of unequal width."""
    lengths = sample_lengths((2, 5), a, b, rng(11), size=20_000)
    norms = sample_forward([[3.0, 4.0]], (2, 5), a, b, rng(12), size=20_000).norms[..., 0] / 5
    assert (lengths[:, 0] == 1).all()
    for k in (1, 2):
        ours, theirs = (np.round(drawn[:, k], 12) for drawn in (lengths, norms))
        assert two_sample_test(ours, theirs).p_value > LEVEL
        assert two_sample_test(1.2 * ours, theirs).p_value < LEVEL
    assert (lengths == 0).any() == ((a, b) == (0.5, 0.5))  # a ReLU may die


@each("widths", (1,), (1, 1), (2, 1, 4), (6, 5, 4, 3))
@each("a, b", (0.0, 1.0), (0.5, 0.5), (1.0, -0.3), (1.0, 0.0))
def test_diagonal_of_the_kernel_is_that_of_the_network_with_matrices(a, b, widths):
    """A few numbers a layer, against layer matrices; layers of one unit, and dead ones, too."""
    ours = np.round(sample_ntk_diagonal(widths, a, b, rng(13), size=20_000), 9)
    drawn = sample_ntk([[3.0, 4.0]], widths, a, b, rng(14), size=20_000)
    theirs = np.round(drawn[:, 0, 0, 0, 0] / 25, 9)
    assert two_sample_test(ours, theirs).p_value > LEVEL
    assert two_sample_test(2 * ours, theirs).p_value < LEVEL
    assert mean_test(ours, len(widths) + 1).p_value > LEVEL


def test_norms_of_the_absolute_value_are_chi():
    law = sample_forward([[1.0]], (3, 7), 0, 1, rng(4), size=20_000)
    ratios = 7 * (law.norms[:, 2, 0] / law.norms[:, 1, 0]) ** 2
    assert two_sample_test(ratios, rng(5).chisquare(7, 20_000)).p_value > LEVEL


@each("distance", 1e-3, 1e-8, 1e-30)
def test_tiny_distances_keep_their_digits(distance):
    """For |.| the law of z_2/z_1 does not depend on z_1 as it tends to 0: tan^2 is a beta-prime."""
    x = [[1.0, 0.0], [1.0, 2 * distance]]
    law = sample_forward(x, (6,), 0, 1, rng(6), size=20_000)
    z = law.squared_cosine_distances[:, :, 0, 1]
    np.testing.assert_allclose(z[:, 0], distance**2, rtol=2 * distance + 1e-14)
    model = rng(7).chisquare(5, 20_000) / rng(8).chisquare(6, 20_000)
    expected = (special.digamma(2.5) - special.digamma(3)) if distance < 1e-7 else None
    if expected is not None:
        assert mean_test(np.log(z[:, 1] / z[:, 0]), expected).p_value > LEVEL
        assert two_sample_test(z[:, 1] / z[:, 0], model).p_value > LEVEL


@given(
    st.integers(0, 2**32 - 1),
    st.floats(-30, 0),
    st.sampled_from([(0.0, 1.0), (0.5, 0.5), (1.0, 0.5), (-0.3, 1.0)]),
)
def test_accuracy_of_one_layer(seed, exponent, activation):
    """The same columns in 200 digits: z agrees to 1e-12, however small it is."""
    mlp = MLP((2, 9, 1), *activation)
    x = np.array([[[1.0, 0.0], [1.0, 10.0**exponent]]])
    factor = _factor(_relative(x))
    normals = rng(seed).standard_normal((1, 2, 9))
    rows, alive = _activated(mlp, factor @ normals, np.ones((1, 2), dtype=bool))
    assume(alive.all())
    _, z = _measured(_factor(rows), alive)
    with mpmath.workdps(200):
        rows = mpmath.matrix(factor[0]) * mpmath.matrix(normals[0])
        a, b = (mpmath.mpf(c) for c in activation)
        first, second = (
            [a * s + b * abs(s) for s in preactivations]
            for preactivations in (
                list(rows[0, :]),
                [u + d for u, d in zip(rows[0, :], rows[1, :], strict=True)],
            )
        )
        norms = [mpmath.sqrt(mpmath.fdot(v, v)) for v in (first, second)]
        gap = [v / norms[0] - w / norms[1] for v, w in zip(first, second, strict=True)]
        exact = mpmath.fdot(gap, gap) / 4
        # Gram-Schmidt on nine columns; the angle of columns nearly in line is lost in proportion.
        assert abs(z[0, 0, 1] - exact) <= 1e-12 * exact + 1e-30 * mpmath.mpf(10) ** (2 * exponent)


def test_dead_layers_have_no_nan():
    law = sample_forward(np.eye(2), (1, 1), 1, 1, rng(9), size=200)  # a ReLU
    dead = law.norms[:, 2, 0] == 0
    second = law.norms[:, :, 1] == 0
    assert (second[:, 1] <= second[:, 2]).all()  # what has died stays so
    assert 0.6 < second[:, 2].mean() < 0.9  # 3/4: of one unit each, half are dead; 5 deviations
    assert 0 < dead.sum() < 200
    assert (law.squared_cosine_distances[dead, 2, 0, 1] == 0.5).all()
    for values in (law.norms, law.cosines, law.inner_products):
        assert np.isfinite(values).all()


def test_an_input_with_itself():
    law = sample_forward([[1.0, 2.0], [2.0, 4.0]], (5, 4), 0.3, 1, rng(), size=4)
    assert (law.squared_cosine_distances == 0).all()
    assert np.isinf(law.inverse_cosine_distances).all()
    np.testing.assert_allclose(law.norms[..., 1], 2 * law.norms[..., 0], rtol=1e-15)


def test_distances_follow_zeta_in_wide_layers():
    law = sample_forward(np.eye(2), (10**6, 10**6), 0.5, 0.5, rng(10))
    expected = [0.5, zeta(0.5, 0.5), zeta(zeta(0.5, 0.5), 0.5)]
    # Relative noise of z is at most sqrt(8/M) in each layer: 12 deviations.
    np.testing.assert_allclose(law.squared_cosine_distances[0, :, 0, 1], expected, rtol=0.035)


def test_inputs_of_each_draw():
    x = np.stack([np.eye(2), [[1.0, 0.0], [1.0, 0.0]]])
    law = sample_forward(x, (3,), 0, 1, rng(), size=2)
    assert law.squared_cosine_distances[:, 0, 0, 1].tolist() == pytest.approx([0.5, 0.0])
    assert law.squared_cosine_distances[1, 1, 0, 1] == 0


def test_batches_do_not_change_shapes_or_draws_of_equal_seeds(monkeypatch):
    whole = sample_forward(np.eye(2), (8, 8), 0, 1, rng(1), size=7)
    assert (whole.norms == sample_forward(np.eye(2), (8, 8), 0, 1, rng(1), size=7).norms).all()
    monkeypatch.setattr("numeric.networks.forward_law.batch_sizes", lambda size, *_: [3, 3, 1])
    parts = sample_forward(np.eye(2), (8, 8), 0, 1, rng(1), size=7)
    assert np.allclose(parts.norms, whole.norms)
    assert isinstance(parts, ForwardLaw)


@each(
    "changed, complaint",
    ({"x": [[0.0, 0.0], [1.0, 0.0]]}, "x must have no zero rows"),
    ({"x": [1.0]}, "x must have shape"),
    ({"x": np.ones((3, 2, 2))}, r"x must have shape \(n, m_0\) or \(2, n, m_0\)"),
    ({"a": 0, "b": 0}, r"\(a, b\) must"),
)
def test_bad_arguments(changed, complaint):
    usual = {"x": np.eye(2), "widths": (3,), "a": 0, "b": 1, "rng": rng(), "size": 2}
    with pytest.raises(ValueError, match=complaint):
        sample_forward(**{**usual, **changed})


# The kernel drawn without layer matrices is the kernel of layer matrices, and has their law.


EPS = 2.0**-53


def test_all_blocks_of_coordinates_count(monkeypatch):
    x = np.random.default_rng(1).standard_normal((3, 4))
    mlp = MLP((4, 30, 50, 20, 2), 0.4, 1)
    whole = draw_ntk(mlp, x, np.random.default_rng(2), 2)
    monkeypatch.setattr(long_vectors, "_BLOCK_FLOATS", 42)
    in_blocks = draw_ntk(mlp, x, np.random.default_rng(2), 2)
    np.testing.assert_allclose(in_blocks, whole, rtol=1e-11)


@each("apart", 1.0, 1e-3, 1e-6, 1e-12, 0.0)
@each("width", 2, 3, 40, 5000)
def test_bases_are_orthonormal_and_span(apart, width):
    rng = np.random.default_rng(width)
    x = rng.standard_normal((2, 3, width)) * np.array([1e-5, 1.0, 1e5])[:, None]
    x[:, 1] = x[:, 0] * 1e5 + apart * x[:, 1]
    vectors = LongVectors(width, lambda columns: x[..., columns])
    basis, R = orthonormal_basis(vectors, vectors.gram())
    rank = min(3, width)
    assert R.shape == (2, rank, 3)
    np.testing.assert_allclose(basis.gram(), np.broadcast_to(np.eye(rank), (2, rank, rank)),
                               rtol=0, atol=64 * EPS)  # fmt: skip
    norms = np.linalg.norm(x, axis=-1, keepdims=True)
    # A Cholesky factor of a Gram matrix with eigenvalues from 2^-26 on loses 13 bits of a vector.
    off = np.abs(R.swapaxes(-1, -2) @ basis.whole() - x).max(axis=-1, keepdims=True) / norms
    assert off.max() < 2.0**-38
    triangle = triangular_factor(x)
    products = triangle.swapaxes(-1, -2) @ triangle / norms / norms.swapaxes(-1, -2)
    np.testing.assert_allclose(
        products, x @ x.swapaxes(-1, -2) / norms / norms.swapaxes(-1, -2), rtol=0, atol=64 * EPS
    )


def test_bad_input_is_refused_as_by_the_direct_method():
    rng = np.random.default_rng(0)
    with pytest.raises(ValueError, match="the kernel"):
        sample_ntk([[1e200, 0.0]], (3,), 0, 1, rng, method="law")


def test_shapes_and_seeds():
    x = np.eye(3)
    draws = sample_ntk(x, (4, 6), 0.5, 1, np.random.default_rng(5), 2, 9, method="law")
    again = sample_ntk(x, (4, 6), 0.5, 1, np.random.default_rng(5), 2, 9, method="law")
    assert draws.shape == (9, 3, 3, 2, 2)
    np.testing.assert_array_equal(draws, again)
    np.testing.assert_allclose(draws, draws.transpose(0, 2, 1, 4, 3), rtol=1e-12)
    assert sample_ntk(x, (4,), 0.5, 1, np.random.default_rng(5), method="law").shape == (3, 3, 1, 1)


# Backpropagation matrices without layer matrices have the law of those with them.


X = np.array([[1.0, 0.0, 2.0], [0.6, 0.8, 0.0]])


@each(
    "widths, a, b",
    ((2, 3, 2), 0.0, 1.0),
    ((3, 5), 0.5, 0.5),
    ((1, 4, 2), 1.0, -0.4),
    ((4, 2, 3, 5), 1.0, 0.3),
)
def test_the_law_is_that_of_matrices(widths, a, b):
    rng = np.random.default_rng(len(widths))
    sampled = sample_backpropagation(X, widths, a, b, rng, 3000)
    mlp = MLP((3, *widths, 1), a, b)
    state = forward_pass(mlp, mlp.sample(rng, 3000), X)
    for k in range(2, mlp.depth + 1):
        B = backpropagation_matrix(state, 2, k)
        products = np.einsum("siab,sjab->sij", B, B)
        pairs = [
            (sampled.activations[:, k - 2, 0, 1], state.inner_products(k)[:, 0, 1]),
            (sampled.products[:, k - 2, 0, 0], products[:, 0, 0]),
            (sampled.products[:, k - 2, 0, 1], products[:, 0, 1]),
            (sampled.norms[:, k - 2, 1], np.linalg.norm(B[:, 1], 2, axis=(-2, -1))),
        ]
        for first, second in pairs:
            # Atoms must not be spread by rounding. 12 tests a shape at 1e-9 each.
            assert two_sample_test(np.round(first, 9), np.round(second, 9)).p_value > 1e-9


def test_batches_are_draws(monkeypatch):
    from numeric.networks import sampling

    whole = sample_backpropagation(X, (2, 3), 0, 1, np.random.default_rng(1), 7)
    assert whole.products.shape == (7, 2, 2, 2)
    assert whole.norms.shape == (7, 2, 2)
    assert sample_backpropagation(X, (2, 3), 0, 1, np.random.default_rng(1)).norms.shape[0] == 1
    monkeypatch.setattr(sampling, "_BATCH_FLOATS", 1)
    single = sample_backpropagation(X, (2, 3), 0, 1, np.random.default_rng(1), 7)
    assert len({float(norm) for norm in single.norms[:, 1, 0]}) == 7

"""Closed forms of the transformer's tangent kernel: by quadrature, drawn, degenerate."""

import numpy as np
import pytest
from gaussian_quadrature import quadrant_quadrature
from numpy.polynomial.hermite_e import hermegauss
from scipy.special import erf
from trying import each

from numeric.networks.transformer import ERF, Inputs, attend, features, sample_heads
from numeric.statistics import mean_test
from numeric.transformer_kernel import blocks_given_attention, sampled_blocks


def test_erf_against_quadrature():
    """Gauss-Hermite quadrature over U in the plane, from the definition of the blocks."""
    rng = np.random.default_rng(3)
    nodes, weights = hermegauss(60)
    U = np.stack(np.meshgrid(nodes, nodes), axis=-1).reshape(-1, 2)
    weight = np.outer(weights, weights).ravel() / (2 * np.pi)
    a, b, M, N = *rng.uniform(-0.7, 0.7, (2, 2)), *rng.uniform(-1, 1, (2, 2, 2))
    slopes = 4 / np.pi * np.exp(-((U @ a) ** 2) - (U @ b) ** 2)
    wanted = (
        weight @ (erf(U @ a) * erf(U @ b)),
        a @ b * (weight @ slopes),
        0.3 * (weight @ (slopes * np.einsum("nk,kl,nl->n", U, M @ N, U))),
    )
    # M and N need not be symmetric; 60 nodes leave about 1e-12 at these lengths.
    found = blocks_given_attention("erf", a, b, M, N, 0.3)
    np.testing.assert_allclose(found, wanted, rtol=1e-9)
    assert found.total == pytest.approx(sum(wanted))


def test_relu_against_quadrature():
    """The quadrant in which both slopes are 1; u = (U.a, U.b) determines U in the plane."""
    rng = np.random.default_rng(4)
    for _ in range(5):
        A, M, N = rng.uniform(-1, 1, (3, 2, 2))
        lengths, back = np.linalg.norm(A, axis=1), np.linalg.inv(A)
        rho = A[0] @ A[1] / np.prod(lengths)

        def blocks(x, y, lengths=lengths, middle=back.T @ M @ N @ back):
            u = np.stack([lengths[0] * x, lengths[1] * y])
            form = np.einsum("k...,kl,l...->...", u, middle, u)
            return np.where((x > 0) & (y > 0), np.stack([u[0] * u[1], np.ones_like(x), form]), 0.0)

        dual, slope, moment = quadrant_quadrature(blocks, rho)
        found = blocks_given_attention("relu", *A, M, N, 0.3)
        np.testing.assert_allclose(found, (dual, A[0] @ A[1] * slope, 0.3 * moment), atol=1e-9)


class TestDegenerate:
    M, N = np.diag([0.5, 0.2]), np.array([[0.3, 0.1], [0.1, 0.4]])

    def test_relu_for_parallel_means(self):
        """E 1{u > 0} U U^T = I/2 by symmetry; opposite slopes never meet."""
        a = np.array([0.3, 0.4])
        same = blocks_given_attention("relu", a, 2 * a, self.M, self.N, 2)
        trace = np.trace(self.M @ self.N)
        np.testing.assert_allclose(same, (0.25, 0.25, trace), rtol=1e-14)
        opposite = blocks_given_attention("relu", a, -2 * a, self.M, self.N, 2)
        np.testing.assert_allclose(opposite, (0, 0, 0), atol=1e-16)

    @each("angle", 1e-9, 1e-5, np.pi - 1e-5)
    def test_relu_is_continuous(self, angle):
        """Within sin(theta) of the limit, for the reflection has norm 1."""
        a, b = np.array([1.0, 0]), np.array([np.cos(angle), np.sin(angle)])
        found = blocks_given_attention("relu", a, b, self.M, self.N, 1).w
        trace, form = np.trace(self.M @ self.N), np.array([[1, 0], [0, -1]]) * np.cos(angle)
        form += np.array([[0, 1], [1, 0]]) * np.sin(angle)
        wave = np.sin(angle) * np.trace(self.M @ self.N @ form)
        wanted = ((np.pi - angle) * trace + wave) / (2 * np.pi)
        assert found == pytest.approx(wanted, rel=1e-9)

    def test_erf_at_means_zero(self):
        zero = blocks_given_attention("erf", [0, 0], [0, 0], self.M, self.N, 1)
        np.testing.assert_allclose(zero, (0, 0, 4 / np.pi * np.trace(self.M @ self.N)))

    def test_relu_refuses_means_zero(self):
        for means, name in ((([0, 0], [0, 1]), "mean1"), (([0, 1], [0, 0]), "mean2")):
            with pytest.raises(ValueError, match=f"{name} must not vanish for 'relu'"):
                blocks_given_attention("relu", *means, self.M, self.N, 1)


class TestShapes:
    @each("activation", "erf", "relu")
    def test_broadcasting(self, activation):
        rng = np.random.default_rng(1)
        a, M = rng.normal(size=(4, 1, 3)), rng.normal(size=(4, 1, 3, 3))
        b, N, product = rng.normal(size=(5, 3)), rng.normal(size=(5, 3, 3)), rng.normal(size=5)
        all_pairs = blocks_given_attention(activation, a, b, M, N, product)
        one = blocks_given_attention(activation, a[2, 0], b[3], M[2, 0], N[3], product[3])
        for many, single in zip(all_pairs, one, strict=True):
            assert many.shape == (4, 5)
            assert many[2, 3] == pytest.approx(single, rel=1e-12)

    @each("changed", {"mean2": [1]}, {"covariance1": np.eye(3)})
    def test_other_shapes_are_refused(self, changed):
        arguments = {"mean1": [1, 2], "mean2": [2, 1], "covariance1": np.eye(2)}
        arguments |= {"covariance2": np.eye(2), "query_product": 1, **changed}
        with pytest.raises(ValueError, match=f"{next(iter(changed))} must have shape"):
            blocks_given_attention("erf", **arguments)

    def test_other_activations_are_refused(self):
        with pytest.raises(ValueError, match="activation must be one of 'erf', 'relu', got 'tanh'"):
            blocks_given_attention("tanh", [1], [1], [[1]], [[1]], 1)


def test_sampled_blocks_against_features():
    """One W, many U: means of products of the features of Section 5.4."""
    rng = np.random.default_rng(7)
    tokens = rng.normal(size=(3, 4, 2)) / 3
    X = Inputs(tokens, rng.normal(size=(3, 2)))
    heads, W = sample_heads(20_000, 2, rng), rng.normal(size=(2, 2, 2))
    blocks = sampled_blocks("erf", X, W)
    same = type(heads)(heads.c, heads.U, np.broadcast_to(W[1], heads.W.shape))
    found = features(same, X, ERF)
    for i, j in ((0, 0), (0, 1), (2, 1)):
        products = (
            found.c[i] * found.c[j],
            np.sum(found.U[i] * found.U[j], axis=1),
            np.sum(found.W[i] * found.W[j], axis=(1, 2)),
        )
        for samples, block in zip(products, blocks, strict=True):
            # Nine tests: together a false alarm of at most 9e-10.
            assert mean_test(samples, float(block[1, i, j])).p_value > 1e-10


def test_sampled_blocks_are_those_of_the_attention():
    rng = np.random.default_rng(8)
    X = Inputs(rng.normal(size=(2, 3, 2)), rng.normal(size=(2, 2)))
    W = rng.normal(size=(3, 2, 2))
    attention = attend(W, X)
    a, M = attention.means, attention.covariances
    blocks = sampled_blocks("relu", X, W)
    product = X.queries[0] @ X.queries[1]
    one = blocks_given_attention("relu", a[0, 2], a[1, 2], M[0, 2], M[1, 2], product)
    for many, single in zip(blocks, one, strict=True):
        assert many.shape == (3, 2, 2)
        assert many[2, 0, 1] == pytest.approx(single, rel=1e-12)

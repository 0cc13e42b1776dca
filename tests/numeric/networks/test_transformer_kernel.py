"""Closed forms of the transformer's tangent kernel: by quadrature, drawn, degenerate."""

import numpy as np
import pytest
from gaussian_quadrature import quadrant_quadrature
from hypothesis import given
from hypothesis import strategies as st
from numpy.polynomial.hermite_e import hermegauss
from scipy.special import erf
from transformer_cases import blocks
from trying import each

from numeric.networks.transformer import (
    ERF,
    TANH,
    Heads,
    Inputs,
    Teacher,
    attend,
    clipped_tokens,
    features,
    linear_model,
    sample_heads,
    sample_teacher,
    symmetric_initialisation,
    transported,
)
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


# The teacher of the experiments: bounds, labels by the formula, transported parameters.


RNG = np.random.default_rng
EPS = np.finfo(float).eps


def test_tokens_are_scaled_down_to_norm_one():
    inputs = clipped_tokens(4000, 3, 2, RNG(0))
    norms = np.linalg.norm(inputs.tokens, axis=2)
    assert norms.max() <= 1 + 2 * EPS
    assert (inputs.queries == inputs.tokens[:, -1]).all()
    # P(|N(0, I_2)| <= 1) = 1 - e^(-1/2); 12000 draws at seven deviations of 0.0045.
    short = np.mean(norms < 1 - 4 * EPS)
    assert abs(short - (1 - np.exp(-0.5))) < 7 * 0.0045
    # Directions are uniform: the mean of cos^2 is 1/2, with deviation 0.36/sqrt(12000) = 0.0033.
    cosines = inputs.tokens[..., 0] / norms
    assert abs(np.mean(cosines**2) - 0.5) < 7 * 0.0033


@given(st.integers(1, 4), st.integers(1, 5), st.integers(1, 3), st.integers(0, 10**6))
def test_one_head_and_one_anchor_at_a_time(R, T, d, seed):
    """The transport map from its definition, anchor by anchor."""
    rng = RNG(seed)
    nu = rng.choice([0.0, 0.02, 0.5, 3.0], 3)
    teacher = sample_teacher(R, T, d, nu, ERF, rng)
    heads = sample_heads(3, d, rng)
    found = teacher.transport(heads)
    sigma_0, sigma_1, _ = ERF.bounds
    for i in range(3):
        head = heads.heads(i, i + 1)
        for k, block in enumerate(blocks(found)):
            total = 0
            for r in range(R):
                X = Inputs(teacher.anchors.tokens[[r]], teacher.anchors.queries[[r]])
                phi = blocks(features(head, X, ERF))[k][0, 0]
                if k == 2:
                    norm = np.linalg.norm(phi)
                    total = total + (phi if norm <= nu[2] else phi * nu[2] / norm)
                else:
                    total = total + phi * nu[k] / (sigma_0, sigma_1)[k]
            assert block[i] == pytest.approx(total / R, abs=20 * EPS)


@given(st.integers(1, 3), st.integers(0, 10**6), st.sampled_from([TANH, ERF]))
def test_is_bounded(d, seed, activation):
    rng = RNG(seed)
    nu = (0.5, 2.0, 0.05)
    heads = sample_heads(50, d, rng)
    heads = Heads(heads.c, 30 * heads.U, heads.W)
    norms = sample_teacher(3, 4, d, nu, activation, rng).transport(heads).block_norms()
    assert (norms.max(axis=1) <= np.array(nu) * (1 + 8 * EPS)).all()


def test_labels_are_the_average_over_the_pool():
    rng = RNG(1)
    inputs, pool = clipped_tokens(7, 5, 3, rng), sample_heads(300, 3, rng)
    teacher = sample_teacher(4, 5, 3, (3, 2, 0.1), TANH, rng)
    v, phi = teacher.transport(pool), features(pool, inputs, TANH)
    products = sum(
        (a * b).reshape(7, 300, -1).sum(axis=2) for a, b in zip(blocks(phi), blocks(v), strict=True)
    )
    # 300 products of size at most 10 in another order.
    assert teacher.labels(pool, inputs) == pytest.approx(products.mean(axis=1), abs=300 * EPS)


def test_the_linear_model_at_transported_parameters_is_a_mean_over_heads():
    """f_lin(X; phi~) is the average of <phi(X), v> over the heads, whatever their signs."""
    rng = RNG(2)
    inputs = clipped_tokens(9, 4, 3, rng)
    teacher = sample_teacher(2, 4, 3, (3, 2, 1), TANH, rng)
    start = symmetric_initialisation(40, 3, rng)
    moved = transported(start, teacher.transport(start))
    assert linear_model(start, moved, inputs, TANH) == pytest.approx(
        teacher.labels(start, inputs), abs=40 * EPS * 10
    )
    distances = np.sqrt(40) * (moved - start).block_norms()
    assert distances == pytest.approx(teacher.transport(start).block_norms(), abs=100 * EPS)


def test_no_bound_no_map():
    rng = RNG(3)
    teacher = Teacher(clipped_tokens(2, 1, 2, rng), (0, 0, 0), TANH)
    assert (teacher.transport(sample_heads(4, 2, rng)).block_norms() == 0).all()


@each(
    "call, complaint",
    (lambda: clipped_tokens(0, 1, 1, RNG(0)), "n must be a positive integer"),
    (lambda: sample_teacher(0, 1, 1, (1, 1, 1), TANH, RNG(0)), "R must be a positive integer"),
    (lambda: sample_teacher(1, 1, 1, (1, -1, 1), TANH, RNG(0)), "nu must lie in"),
    (lambda: sample_teacher(1, 1, 1, (1, 1), TANH, RNG(0)), "nu must have shape"),
    (
        lambda: sample_teacher(1, 1, 1, (1, 1, 1), TANH, RNG(0)).transport(sample_heads(1, 2, RNG(0))),
        "inputs must have dimension",
    ),
)
def test_refusals(call, complaint):
    with pytest.raises(ValueError, match=complaint):
        call()

"""The kernel drawn without layer matrices is the kernel of layer matrices, and has their law."""

from typing import ClassVar

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from numeric.networks import (
    MLP,
    Parameters,
    forward_pass,
    long_vectors,
    ntk,
    sample_ntk,
)
from numeric.networks.exact_law import Layer, draw_ntk
from numeric.networks.long_vectors import LongVectors, orthonormal_basis, triangular_factor

EPS = 2.0**-53


class Spy(Layer):
    """A layer of a draw that remembers what it saw, to tell which matrix it might have been."""

    made: ClassVar[list] = []

    def __init__(self, *args):
        super().__init__(*args)
        self.matrix = self.mlp.sigma * self.action[0].T @ self.basis.whole()[0]
        Spy.made.append(self)

    def pulled_back(self, gradients, rng):
        """Let the part of A_k off the activations be Z' Q_g'^T for gradients g = Q_g R.

        What the draw leaves undecided of A_k is put to zero.
        """
        seed = rng.bit_generator.state
        vectors = super().pulled_back(gradients, rng)
        rng.bit_generator.state = seed
        flat = gradients[0].reshape(-1, self.width)
        Q, R = basis_of(flat)
        Z = rng.standard_normal((1, len(R), self.basis.width))[0]
        seen = self.basis.whole()[0]
        self.matrix = self.matrix + self.mlp.sigma * (Q @ Z - Q @ Z @ seen.T @ seen)
        return vectors


def basis_of(rows):
    vectors = rows[None]
    products = vectors @ vectors.swapaxes(-1, -2)
    basis, R = orthonormal_basis(LongVectors(rows.shape[1], lambda c: vectors[..., c]), products)
    return basis.whole()[0].T, R[0]


def drawn_with_matrices(mlp, x, seed):
    """A kernel with layer matrices it might have come from."""
    Spy.made = []
    kernel = draw_ntk(mlp, x, np.random.default_rng(seed), 1, Spy)[0]
    hidden = [layer.matrix / mlp.scale(k) for k, layer in enumerate(Spy.made, start=1)]
    rng = np.random.default_rng(seed)
    for layer in Spy.made:  # the last layer's normals come after those of the forward pass
        rng.standard_normal(layer.action.shape)
    last = rng.standard_normal((mlp.widths[-1], mlp.widths[-2]))
    return kernel, Parameters([*hidden, mlp.sigma * last / mlp.scale(mlp.depth)])


SLOPES = st.sampled_from([(0.0, 1.0), (0.5, 0.5), (1.0, -0.3), (1.0, 0.0), (0.3, 2.0)])
INPUTS = st.sampled_from(["generic", "equal", "opposite", "zero", "many"])


def inputs(kind, dimension, rng):
    x = rng.standard_normal((2 * dimension + 3 if kind == "many" else 3, dimension))
    x[1] = {"equal": x[0], "opposite": -2 * x[0], "zero": 0 * x[0]}.get(kind, x[1])
    return x


@given(
    st.lists(st.integers(1, 9), min_size=1, max_size=4),
    st.integers(1, 4),
    st.integers(1, 3),
    SLOPES,
    INPUTS,
    st.sampled_from([0.0, 1.0, -0.5]),
    st.integers(0, 2**32 - 1),
)
def test_a_draw_is_the_kernel_of_layer_matrices(hidden, dimension, outputs, ab, kind, q, seed):
    """Exactly the algebra of the conditioning: no statistics."""
    mlp = MLP((dimension, *hidden, outputs), *ab, q=[q + k for k in range(len(hidden) + 1)], m=1)
    x = inputs(kind, dimension, np.random.default_rng(seed))
    drawn, parameters = drawn_with_matrices(mlp, x, seed)
    state = forward_pass(mlp, parameters, x)
    assume(all(far_from_kinks(state, k) for k in range(1, mlp.depth)))
    wanted = ntk(state)
    # Each of the products of at most five layers is off by some hundred roundings of its size.
    np.testing.assert_allclose(drawn, wanted, rtol=0, atol=1e-11 * max(1, np.abs(wanted).max()))


def far_from_kinks(state, k):
    """Whether no preactivation that is not zero altogether could change its sign by rounding."""
    size = np.abs(state.preactivation(k))
    scale = size.max(axis=-1, keepdims=True)
    return bool(np.all((size > 1e-9 * scale) | (scale == 0)))


def test_all_blocks_of_coordinates_count(monkeypatch):
    x = np.random.default_rng(1).standard_normal((3, 4))
    mlp = MLP((4, 30, 50, 20, 2), 0.4, 1)
    whole = draw_ntk(mlp, x, np.random.default_rng(2), 2)
    monkeypatch.setattr(long_vectors, "_BLOCK_FLOATS", 42)
    in_blocks = draw_ntk(mlp, x, np.random.default_rng(2), 2)
    np.testing.assert_allclose(in_blocks, whole, rtol=1e-11)


@pytest.mark.parametrize("apart", [1.0, 1e-3, 1e-6, 1e-12, 0.0])
@pytest.mark.parametrize("width", [2, 3, 40, 5000])
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
    with pytest.raises(ValueError, match="method must be"):
        sample_ntk([[1.0]], (3,), 0, 1, rng, method="exact")


def test_shapes_and_seeds():
    x = np.eye(3)
    draws = sample_ntk(x, (4, 6), 0.5, 1, np.random.default_rng(5), 2, 9, method="law")
    again = sample_ntk(x, (4, 6), 0.5, 1, np.random.default_rng(5), 2, 9, method="law")
    assert draws.shape == (9, 3, 3, 2, 2)
    np.testing.assert_array_equal(draws, again)
    np.testing.assert_allclose(draws, draws.transpose(0, 2, 1, 4, 3), rtol=1e-12)
    assert sample_ntk(x, (4,), 0.5, 1, np.random.default_rng(5), method="law").shape == (3, 3, 1, 1)

"""The kernel drawn without layer matrices is the kernel of layer matrices, and has their law."""

import numpy as np
import pytest

from numeric.networks import MLP, long_vectors, sample_ntk
from numeric.networks.exact_law import draw_ntk
from numeric.networks.long_vectors import LongVectors, orthonormal_basis, triangular_factor

EPS = 2.0**-53


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

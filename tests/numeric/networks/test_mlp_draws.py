"""Many draws at once: batches, samples of the kernel, one layer redrawn."""

import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mlp_cases import EPS, literal_backpropagation_matrix, magnitudes, networks, roundings

from numeric.networks import (
    MLP,
    Parameters,
    backpropagation_pair,
    backpropagation_products,
    expected_ntk,
    forward_pass,
    jacobian,
    ntk,
    resample_layer,
    sample_ntk,
    sampling,
)


@given(networks(), st.integers(0, 2**32 - 1))
def test_a_batch_of_parameters_gives_what_each_draw_gives(mlp, seed):
    rng = np.random.default_rng(seed)
    theta, x = mlp.sample(rng, size=3), rng.normal(size=(2, mlp.widths[0]))
    batch = forward_pass(mlp, theta, x)
    quantities = [ntk, expected_ntk, jacobian, lambda s: backpropagation_products(s, 2, mlp.depth)]
    for draw in range(3):
        one = forward_pass(mlp, Parameters([A[draw] for A in theta.matrices]), x)
        for quantity in quantities:
            # The sums are the same up to their order.
            scale = np.abs(quantity(magnitudes(one))).max() * max(
                1, (mlp.sigma / magnitudes(one).mlp.sigma) ** 2
            )
            np.testing.assert_allclose(
                quantity(batch)[draw], quantity(one), rtol=0, atol=roundings(mlp) * scale
            )


@pytest.mark.parametrize("floats", [1, 500, 2**22])
def test_sample_ntk_draws_layer_by_layer_batch_by_batch(monkeypatch, floats):
    monkeypatch.setattr(sampling, "_BATCH_FLOATS", floats)
    x = np.array([[1.0, 2.0], [0.0, -1.0], [0.0, 0.0]])
    draws = sample_ntk(x, (4, 6), 0.5, 1, np.random.default_rng(5), output_dim=2, size=9)
    again = sample_ntk(x, (4, 6), 0.5, 1, np.random.default_rng(5), output_dim=2, size=9)
    assert draws.shape == (9, 3, 3, 2, 2)
    np.testing.assert_array_equal(draws, again)
    assert len({float(draw[0, 0, 0, 0]) for draw in draws}) == 9
    if floats == 1:
        rng = np.random.default_rng(5)
        singles = [sample_ntk(x, (4, 6), 0.5, 1, rng, output_dim=2) for _ in range(9)]
        np.testing.assert_allclose(draws, singles, rtol=0, atol=64 * EPS * np.abs(draws).max())


@pytest.mark.parametrize("floats", [1, 2**22])
@pytest.mark.parametrize("layer", [1, 2, 3])
def test_resampling_a_layer_is_replacing_its_matrix(monkeypatch, layer, floats):
    monkeypatch.setattr(sampling, "_BATCH_FLOATS", floats)
    mlp = MLP((2, 4, 6, 8, 3), 0.3, -1, q=[1, 2, 0, 1], m=2)
    rng = np.random.default_rng(2)
    state = forward_pass(mlp, mlp.sample(rng), rng.normal(size=(3, 2)))
    draws = resample_layer(state, layer, np.random.default_rng(7), size=4)
    matrices = mlp.sample_layer(layer, np.random.default_rng(7), 4)
    k = layer + 1
    assert list(draws.backpropagation_products) == list(range(2, k))
    for i, A in enumerate(matrices):
        fresh = forward_pass(mlp, state.parameters.replace(layer, A), state.activation(1))
        wanted = {(k, k): draws.derivative_products[i]}
        wanted |= {(k1, k): draws.backpropagation_products[k1][i] for k1 in range(2, k)}
        np.testing.assert_allclose(draws.inner_products[i], fresh.inner_products(k), rtol=1e-11)
        for (k1, k2), product in wanted.items():
            literal = backpropagation_products(fresh, k1, k2)
            np.testing.assert_allclose(product, literal, rtol=0, atol=1e-12 * literal.max())


def test_pair_reports_the_layer_below_and_the_layer_itself():
    mlp = MLP((2, 4, 6, 8, 3), 0.3, -1, q=[1, 2, 0, 1], m=2)
    rng = np.random.default_rng(2)
    state = forward_pass(mlp, mlp.sample(rng), rng.normal(size=(3, 2)))
    pair = backpropagation_pair(state, 2, 4, first=2, second=0)
    x1, x2 = state.activation(3)[2], state.activation(3)[0]
    np.testing.assert_allclose(pair.B1, literal_backpropagation_matrix(state, 2, 2, 3), rtol=1e-12)
    np.testing.assert_allclose(pair.B2, literal_backpropagation_matrix(state, 0, 2, 3), rtol=1e-12)
    np.testing.assert_allclose(pair.xhat1, x1 / np.linalg.norm(x1), rtol=1e-14)
    np.testing.assert_allclose(pair.xhat2, x2 / np.linalg.norm(x2), rtol=1e-14)
    assert pair.rho == pytest.approx(pair.xhat1 @ pair.xhat2, rel=1e-14)
    assert pair.product == pytest.approx(np.trace(pair.B1 @ pair.B2.T), rel=1e-12)
    upper = [literal_backpropagation_matrix(state, i, 2, 4) for i in (2, 0)]
    assert pair.next_product == pytest.approx(np.trace(upper[0] @ upper[1].T), rel=1e-12)


def test_memory_is_that_of_a_batch_not_of_all_draws():
    """All weights would take 266 MiB; of a batch of 32 MiB at most four copies live at once."""
    tracemalloc.start()
    try:
        sample_ntk([[1.0, 2.0, 3.0]], (64, 64), 0, 1, np.random.default_rng(0), size=8000)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 4 * 8 * sampling._BATCH_FLOATS < 8000 * 4352 * 8

"""Norms and cosines of activations, their edges: tiny, parallel and zero inputs, dead layers."""

import numpy as np
import pytest
from hypothesis import given
from mlp_cases import EPS, roundings, states

from numeric.networks import (
    MLP,
    Parameters,
    backpropagation_matrix,
    backpropagation_products,
    expected_ntk,
    forward_pass,
    ntk,
)


@given(states())
def test_norms_cosines_and_distances_agree_with_inner_products(state):
    for k in range(1, state.mlp.depth + 1):
        X, tau = state.inner_products(k), state.norms(k)
        bound = roundings(state.mlp)
        np.testing.assert_allclose(tau**2, np.diag(X), rtol=bound, atol=0)
        cosines = state.cosines(k, undefined=0)
        assert (np.abs(cosines) <= 1).all()
        assert (
            np.abs(np.multiply.outer(tau, tau) * cosines - X) <= bound * np.outer(tau, tau)
        ).all()
        if (tau > 0).all():
            np.testing.assert_array_equal(state.cosines(k), cosines)
            z = state.squared_cosine_distances(k)
            assert ((z >= 0) & (z <= 1)).all()
            np.testing.assert_allclose(1 - 2 * z, cosines, rtol=0, atol=bound)


def test_squared_cosine_distance_keeps_its_digits_near_parallel_inputs():
    """For the angle t, z = sin^2(t/2); at t = 1e-9 the cosine itself rounds to 1."""
    angle = 1e-9
    x = np.array([[1.0, 0.0], [np.cos(angle), np.sin(angle)]])
    mlp = MLP((2, 1, 1), 0, 1)
    state = forward_pass(mlp, mlp.sample(np.random.default_rng(0)), x)
    assert state.squared_cosine_distances(1)[0, 1] == pytest.approx(
        np.sin(angle / 2) ** 2, rel=8 * EPS
    )


def test_norms_and_cosines_survive_tiny_inputs():
    mlp = MLP((2, 1, 1), 0, 1)
    state = forward_pass(mlp, mlp.sample(np.random.default_rng(0)), [[3e-200, 4e-200], [0, 1e-180]])
    np.testing.assert_allclose(state.norms(1), [5e-200, 1e-180], rtol=4 * EPS)
    assert state.cosines(1)[0, 1] == pytest.approx(0.8, rel=4 * EPS)


def test_cosine_of_a_vanishing_activation_is_refused_unless_a_value_is_chosen():
    relu = MLP((1, 2, 1), 0.5, 0.5)
    theta = Parameters([[[1.0], [1.0]], [[1.0, 1.0]]])
    state = forward_pass(relu, theta, [[1.0], [-1.0]])
    for method in (state.cosines, state.unit_activations, state.squared_cosine_distances):
        with pytest.raises(ValueError, match=r"layer 2 must not vanish, got zero at index \(1,\)"):
            method(2)
    np.testing.assert_allclose(state.cosines(2, undefined=7.0), [[1, 7], [7, 7]], rtol=2 * EPS)


def test_a_dead_layer_cuts_the_gradients_below_and_sets_the_slope_a_above():
    """Layer 2 is dead: nothing below moves the output; above, phi'(0) = a in every unit."""
    relu = MLP((1, 2, 3, 2, 1), 0.5, 0.5)
    rng = np.random.default_rng(0)
    theta = relu.sample(rng).replace(2, -np.ones((3, 2))).replace(1, np.ones((2, 1)))
    state = forward_pass(relu, theta, [[1.0]])
    assert not ntk(state).any()
    assert not expected_ntk(state).any()
    assert not backpropagation_matrix(state, 2, 3).any()
    # 1 - Delta = a^2/(a^2 + b^2) = 1/2: varrho' never takes part where no cosine exists.
    assert backpropagation_products(state, 4, 4)[0, 0] == pytest.approx(0.5, rel=8 * EPS)

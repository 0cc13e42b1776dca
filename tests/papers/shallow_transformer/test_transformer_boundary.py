"""Points aimed at lie on the boundary of every ball, in the directions that they are named for."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from trying import each

from numeric.networks.transformer import (
    TANH,
    Inputs,
    clipped_tokens,
    features,
    symmetric_initialisation,
)
from theorems.shallow_transformer.sampling.boundary import AIMS, aimed


def start(seed, m=6, d=3):
    rng = np.random.default_rng(seed)
    return symmetric_initialisation(m, d, rng), clipped_tokens(4, 5, d, rng), rng


@each("aim", *AIMS)
@given(seed=st.integers(0, 2**32 - 1), rho=st.tuples(*[st.just(0.0) | st.floats(1e-3, 5)] * 3))
def test_on_the_boundary(aim, seed, rho):
    initial, inputs, rng = start(seed)
    norms = aimed(aim, initial, inputs, TANH, rho, rng).block_norms()
    expected = np.array(rho)[:, None] / np.sqrt(6) * np.ones(6)
    np.testing.assert_allclose(norms, expected, rtol=1e-13, atol=1e-300)


def test_paired_heads_move_alike_and_signed_ones_apart():
    initial, inputs, rng = start(1)
    alike = aimed("paired", initial, inputs, TANH, (1, 1, 1), rng)
    apart = aimed("signed", initial, inputs, TANH, (1, 1, 1), rng)
    free = aimed("independent", initial, inputs, TANH, (1, 1, 1), rng)
    for block in ("U", "W"):
        first, second = np.split(getattr(alike, block), 2)
        np.testing.assert_array_equal(first, second)
        first, second = np.split(getattr(apart, block), 2)
        np.testing.assert_array_equal(first, -second)
        first, second = np.split(getattr(free, block), 2)
        assert np.abs(np.abs(first) - np.abs(second)).max() > 0.01
    assert (alike.c > 0).all()
    np.testing.assert_array_equal(np.sign(apart.c), initial.c)


def test_along_the_gradient():
    """δU and δW have the inner product of their norms with the gradients of Σ h."""
    initial, inputs, rng = start(2)
    move = aimed("paired", initial, inputs, TANH, (1, 2, 3), rng)
    found = features(initial, inputs, TANH)
    for step, slope in ((move.U, found.U.sum(0)), (move.W, found.W.sum(0))):
        flat, other = step.reshape(6, -1), slope.reshape(6, -1)
        lengths = np.linalg.norm(flat, axis=1) * np.linalg.norm(other, axis=1)
        np.testing.assert_allclose((flat * other).sum(1), lengths, rtol=1e-12)


def test_without_a_gradient():
    """One token has M = 0: the direction of W is random, and still on the boundary."""
    rng = np.random.default_rng(3)
    initial = symmetric_initialisation(4, 2, rng)
    inputs = Inputs(np.ones((1, 1, 2)) / 2, np.ones((1, 2)) / 2)
    norms = aimed("paired", initial, inputs, TANH, (1, 1, 1), rng).block_norms()
    np.testing.assert_allclose(norms, 0.5, rtol=1e-14)

"""Autoregressive windows: covariances, labels, positional channels."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from trying import each

from numeric.networks.transformer import TANH, Inputs, clipped_tokens, features, symmetric_initialisation
from theorems.shallow_transformer.sampling.autoregressive import (
    ar_windows,
    sinusoidal_positions,
    with_positions,
)
from theorems.shallow_transformer.sampling.boundary import DIRECTIONS, boundary_step

RNG = np.random.default_rng
EPS = np.finfo(float).eps


@given(st.integers(1, 8), st.integers(1, 9), st.sampled_from([-0.9, 0.0, 0.5, 0.9]), st.integers(0, 10**6))
def test_the_recursion_leaves_the_noise(T, L, alpha, seed):
    """The same noise, whatever alpha: X_t - alpha X_{t-L} does not depend on it for t > L."""
    drawn, white = (ar_windows(3, T, L, a, 2.0, RNG(seed)) for a in (alpha, 0.0))
    path, noise = (np.column_stack([one.values, one.labels]) for one in (drawn, white))
    left = path[:, L:] - alpha * path[:, : max(0, T + 1 - L)]
    assert left == pytest.approx(noise[:, L:], abs=16 * EPS * 10)
    start = path[:, :L] * np.sqrt(1 - alpha**2)
    assert start == pytest.approx(noise[:, :L], abs=16 * EPS * 10)


@each("alpha", 0.9, -0.5)
def test_covariances_are_stationary(alpha):
    """Cov(X_s, X_t) = sigma^2 alpha^k/(1 - alpha^2) if |s - t| = kL, else 0; seven deviations."""
    n, L = 40_000, 3
    drawn = ar_windows(n, 7, L, alpha, 0.1, RNG(0))
    path = np.column_stack([drawn.values, drawn.labels])
    variance = 0.1 / (1 - alpha**2)
    found = path.T @ path / n
    for s in range(8):
        for t in range(8):
            lag = abs(s - t)
            expected = variance * alpha ** (lag // L) if lag % L == 0 else 0.0
            # The variance of a product of normals is v^2 (1 + correlation^2) <= 2 v^2.
            assert abs(found[s, t] - expected) < 7 * variance * np.sqrt(2 / n)
    assert abs(path.mean()) < 7 * np.sqrt(variance / n)


def test_without_noise_nothing():
    drawn = ar_windows(2, 3, 2, 0.5, 0.0, RNG(0))
    assert (drawn.values == 0).all()
    assert (drawn.labels == 0).all()


def test_positions_by_the_formula():
    found = sinusoidal_positions(70, 8)
    assert found.shape == (70, 16)
    for t in (0, 1, 31, 69):
        for k in range(8):
            angle = 2 * np.pi * t / (32 * 2**k)
            assert found[t, k] == pytest.approx(np.sin(angle), abs=1e-14)
            assert found[t, 8 + k] == pytest.approx(np.cos(angle), abs=1e-14)
    assert np.linalg.norm(found, axis=1) == pytest.approx(np.sqrt(8), rel=4 * EPS)


def test_positions_differ_up_to_the_longest_period():
    for T, pairs in ((32, 1), (64, 2)):
        rows = sinusoidal_positions(T + 1, pairs)
        gaps = np.linalg.norm(rows[:, None] - rows[None], axis=2) + 10 * np.eye(T + 1)
        assert gaps[:T, :T].min() > 0.05
        assert gaps[0, T] < 1e-13


def test_tokens_with_positions():
    values = RNG(1).standard_normal((3, 5))
    tokens = with_positions(values, 2)
    assert tokens.shape == (3, 5, 5)
    assert (tokens[..., 0] == values).all()
    assert (tokens[1, :, 1:] == sinusoidal_positions(5, 2)).all()


# Points lie on the boundary of every ball, in the directions that they are named for.


def start(seed, m=6, d=3):
    rng = np.random.default_rng(seed)
    return symmetric_initialisation(m, d, rng), clipped_tokens(4, 5, d, rng), rng


@each("aim", *DIRECTIONS)
@given(seed=st.integers(0, 2**32 - 1), rho=st.tuples(*[st.just(0.0) | st.floats(1e-3, 5)] * 3))
def test_on_the_boundary(aim, seed, rho):
    initial, inputs, rng = start(seed)
    norms = boundary_step(aim, initial, inputs, TANH, rho, rng).block_norms()
    expected = np.array(rho)[:, None] / np.sqrt(6) * np.ones(6)
    np.testing.assert_allclose(norms, expected, rtol=1e-13, atol=1e-300)


def test_paired_heads_move_alike_and_signed_ones_apart():
    initial, inputs, rng = start(1)
    alike = boundary_step("paired", initial, inputs, TANH, (1, 1, 1), rng)
    apart = boundary_step("signed", initial, inputs, TANH, (1, 1, 1), rng)
    free = boundary_step("independent", initial, inputs, TANH, (1, 1, 1), rng)
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
    move = boundary_step("paired", initial, inputs, TANH, (1, 2, 3), rng)
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
    norms = boundary_step("paired", initial, inputs, TANH, (1, 1, 1), rng).block_norms()
    np.testing.assert_allclose(norms, 0.5, rtol=1e-14)

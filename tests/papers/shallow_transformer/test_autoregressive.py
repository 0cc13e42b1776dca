"""Autoregressive windows: covariances, labels, positional channels."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from trying import each

from theorems.shallow_transformer.sampling.autoregressive import (
    ar_windows,
    sinusoidal_positions,
    with_positions,
)

RNG = np.random.default_rng
EPS = np.finfo(float).eps


@given(
    st.integers(1, 8),
    st.integers(1, 9),
    st.sampled_from([-0.9, 0.0, 0.5, 0.9]),
    st.integers(0, 10**6),
)
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

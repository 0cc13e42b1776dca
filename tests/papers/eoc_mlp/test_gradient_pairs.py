"""The pairs that the searches about Proposition 17 start from are what they are said to be."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from numeric.gradient_dependence import bound_sharp, error
from theorems.eoc_mlp.one_layer.gradient_independence.sampled import COORDINATES, extremal_pair

SEEDS = st.integers(0, 2**32 - 1)


@given(st.floats(0.01, 3.13), st.integers(2, 6), st.floats(0.01, 1), SEEDS)
def test_extremal_pairs_attain_the_best_bound(angle, dimension, delta, seed):
    pair = extremal_pair(angle, dimension, 0.0, delta, seed)
    assert pair.rho == pytest.approx(np.cos(angle), abs=1e-14)
    assert [pair.product_norm, pair.first_norm, pair.second_norm] == pytest.approx([1, 1, 1])
    attained = error(pair.product, pair.x1, pair.x2, delta)
    # Rounding of the cosine moves sqrt(1 - rho^2) by that much, relatively.
    rounding = 64 * 2.0**-53 / np.sin(angle) ** 2
    assert attained == pytest.approx(bound_sharp(pair.rho, delta), rel=rounding)


@given(st.floats(0.1, 3.0), st.integers(2, 6), SEEDS)
def test_noise_is_added_to_the_first_matrix_only(angle, dimension, seed):
    still, noisy = (extremal_pair(angle, dimension, noise, 1.0, seed) for noise in (0.0, 0.1))
    moved = np.linalg.norm(noisy.product - still.product)
    # A chi variable of d^2 >= 4 degrees of freedom, at scale 0.1, seen by every seed.
    assert 0 < moved < 0.1 * (dimension + 7)
    assert noisy.second_norm == pytest.approx(1)


@given(st.floats(0.1, 3.0), st.integers(2, 6), SEEDS)
def test_coordinates_come_back(angle, dimension, seed):
    to_vector, from_vector = COORDINATES
    pair = extremal_pair(angle, dimension, 0.1, 0.5, seed)
    again = from_vector(to_vector(pair))
    assert again is not None
    assert np.array_equal(again.product, pair.product)
    assert (again.first_norm, again.delta, again.rho) == (pair.first_norm, 0.5, pair.rho)

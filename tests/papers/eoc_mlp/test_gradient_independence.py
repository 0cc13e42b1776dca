"""What helps the claims of Proposition 17: integrals, forms, and the network that attains it."""

import numpy as np
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st
from sympy import Rational
from trying import each

from numeric.gradient_dependence import bound_sharp, error
from symbolic.equality import equal
from symbolic.latex_width import width
from symbolic.notation import DOMAIN, rho
from theorems.eoc_mlp.one_layer.gradient_independence.explained_block import derive_explained_block
from theorems.eoc_mlp.one_layer.gradient_independence.extremal_network import (
    derive_extremal_error,
    extremal_network,
    kappa,
)
from theorems.eoc_mlp.one_layer.gradient_independence.polar_integrals import derive_integral, derive_w_moment
from theorems.eoc_mlp.one_layer.gradient_independence.quadratic_form import (
    derive_attainment,
    derive_nuclear_norm,
    derive_q_matrix,
)
from theorems.eoc_mlp.one_layer.gradient_independence.sampled import COORDINATES, extremal_pair

CHAINS = {
    "explained block": derive_explained_block,
    "E w1^2": lambda: derive_w_moment("w1_squared"),
    "E w2^2": lambda: derive_w_moment("w2_squared"),
    "E w1 w2": lambda: derive_w_moment("w1_w2"),
    "integral w1": lambda: derive_integral("w1"),
    "integral w2": lambda: derive_integral("w2"),
    "integral w1 w2": lambda: derive_integral("w1_w2"),
    "matrix Q": derive_q_matrix,
    "nuclear norm": derive_nuclear_norm,
    "attainment": derive_attainment,
    "extremal network": derive_extremal_error,
}


@each("name", *CHAINS)
def test_chains_are_set_within_a_page(name):
    """Letter paper with margins of 25 mm, of which TeX may scale what is a little wider."""
    assert width(CHAINS[name]().latex()) <= 472 / 0.75


def test_there_is_no_network_with_parallel_activations():
    with pytest.raises(ValueError, match=r"ratio must lie in \(0, 1\), got 1"):
        extremal_network(1)


def test_the_network_with_ratio_one_half():
    """The forward and backward pass in floats, by another route than the exact one."""
    network = extremal_network(Rational(1, 2))
    layers = [np.array(layer.tolist(), dtype=float) for layer in network.layers]
    third, maps = [], []
    for x in network.inputs:
        first = layers[0] @ np.array(x.T.tolist()[0], dtype=float)
        second = layers[1] @ np.abs(first) / np.sqrt(3)
        maps.append(np.diag(np.sign(second)) @ layers[1] @ np.diag(np.sign(first)) / np.sqrt(2 * 3))
        third.append(np.abs(second) / np.sqrt(2))
    # Ten rounded operations on numbers of size one.
    close = {"rtol": 0, "atol": 1e-14}
    assert np.allclose(third[0] / third[0][0], [1, 0.5], **close)
    assert np.allclose(third[1] / third[1][1], [0.5, 1], **close)
    assert np.allclose(maps[0] @ maps[1].T, np.array([[0, 1], [1, 0]]) / 6, **close)
    for index in (1, 2):
        exact = np.array(network.backpropagation(index).tolist(), dtype=float)
        assert np.allclose(exact, maps[index - 1], **close)
        assert np.allclose(maps[index - 1] @ maps[index - 1].T, np.eye(2) / 6, **close)


def test_every_positive_cosine_occurs():
    cosine = extremal_network(kappa).rho
    assert cosine.subs(kappa, 0) == 0
    assert cosine.subs(kappa, 1) == 1
    inside = {kappa: sympy.Interval.open(0, 1)}
    slope = sympy.factor(sympy.diff(cosine, kappa))
    assert equal(slope, 2 * (1 - kappa**2) / (1 + kappa**2) ** 2, inside) is True
    assert DOMAIN[rho].contains(cosine.subs(kappa, Rational(1, 3)))


def test_the_square_under_the_nuclear_norm_is_checked():
    chain = derive_nuclear_norm()
    root = chain.steps[0].expression
    for factor in (2, rho, -1):
        wrong = sympy.Trace(sympy.MatPow(factor * root.arg.base, root.arg.exp))
        assert chain.steps[0].check(chain.start, wrong).answer is False
    cube_root = sympy.Trace(sympy.MatPow(root.arg.base, sympy.Rational(1, 3)))
    assert chain.steps[0].check(chain.start, cube_root).answer is False
    skew = sympy.ImmutableMatrix([[0, 1], [-1, 0]])
    start = sympy.Trace(sympy.MatPow(sympy.MatPow(skew, 2), sympy.S.Half))
    square = sympy.Trace(sympy.MatPow(skew**2, sympy.S.Half))
    assert chain.steps[0].check(start, square).answer is False


# The pairs that the searches about Proposition 17 start from are what they are said to be.


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

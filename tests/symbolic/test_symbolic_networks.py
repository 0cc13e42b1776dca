"""Exact networks: differentiation against the recursion, formula (2) against J J^*, floats."""

import numpy as np
import pytest
import sympy as sp
from sympy import Rational, sqrt
from trying import each

from numeric.networks import MLP, Parameters, forward_pass
from numeric.networks import jacobian as float_jacobian
from numeric.networks import ntk as float_ntk
from symbolic.networks.jacobian import differentiated_jacobian, multiplier, recursive_jacobian
from symbolic.networks.mlp import ExactMLP, LinearPiece
from symbolic.networks.ntk import backpropagation_matrix, inner_product, last_layer_form, ntk

HALF, THIRD = Rational(1, 2), Rational(1, 3)
TWO_INPUTS = ([1, Rational(2, 5)], [-1, 3])
DEEP = ExactMLP(
    [[[1, -2], [THIRD, 1], [2, HALF]], [[1, -1, 2], [HALF, 3, -1]], [[1, 2], [3, -1], [0, 1]]],
    a=HALF,
    b=-2 * THIRD,
    q=(1, HALF, 2),
    m=2,
)
SHALLOW = ExactMLP([[[2, -1]], [[3]]], a=0, b=1, q=(2, 5), m=4)


def floats(mlp):
    q = tuple(float(value) for value in mlp.q)
    # The float class insists that m divides the widths; the scalings are put into the matrices.
    plain = MLP(mlp.widths, float(mlp.a), float(mlp.b), m=1)
    scaled = [
        np.array(A.tolist(), dtype=float) * (float(mlp.m) ** (q[k] / 2) if k < len(q) - 1 else 1)
        for k, A in enumerate(mlp.layers)
    ]
    return plain, Parameters(scaled)


def same(left, right):
    return (sp.Matrix(left) - sp.Matrix(right)).applyfunc(sp.expand).is_zero_matrix


@each("mlp", DEEP, SHALLOW)
def test_recursion_is_the_derivative(mlp):
    for x in TWO_INPUTS:
        assert same(differentiated_jacobian(mlp, x), recursive_jacobian(mlp, x))


@each("mlp", DEEP, SHALLOW)
def test_kernel_is_the_product_of_jacobians(mlp):
    x1, x2 = TWO_INPUTS
    product = recursive_jacobian(mlp, x1) * recursive_jacobian(mlp, x2).T
    assert same(product, ntk(mlp, x1, x2))
    assert same(ntk(mlp, x1, x2).T, ntk(mlp, x2, x1))


@each("mlp", DEEP, SHALLOW)
def test_against_floats(mlp):
    plain, theta = floats(mlp)
    state = forward_pass(plain, theta, np.array(TWO_INPUTS, dtype=float))
    for i, x in enumerate(TWO_INPUTS):
        exact = np.array(mlp.output(x).tolist(), dtype=float).ravel()
        # Three products of sums of at most three terms: a few dozen roundings.
        assert np.allclose(state.output[i], exact, rtol=1e-13, atol=1e-13)
        columns = np.array(recursive_jacobian(mlp, x).tolist(), dtype=float)
        weights = np.concatenate(
            [
                np.full(len(A), float(mlp.scale(k)) if k < mlp.depth else 1.0)
                for k, A in enumerate(mlp.layers, start=1)
            ]
        )
        # d/dA = scale * d/d(scale A).
        assert np.allclose(float_jacobian(state)[i] * weights, columns, rtol=1e-13, atol=1e-13)


def test_kernel_against_floats_without_scalings():
    mlp = ExactMLP(DEEP.layers, DEEP.a, DEEP.b)
    plain, theta = floats(mlp)
    state = forward_pass(plain, theta, np.array(TWO_INPUTS, dtype=float))
    exact = np.array(ntk(mlp, *TWO_INPUTS).tolist(), dtype=float)
    assert np.allclose(float_ntk(state)[0, 1], exact, rtol=1e-12, atol=1e-12)


def test_form_of_the_last_layer():
    x1, x2 = TWO_INPUTS
    G = DEEP.layer(3) * DEEP.scale(3) / DEEP.sigma
    rest = inner_product(DEEP, x1, x2, 3) * sp.eye(3)
    assert same(G * last_layer_form(DEEP, x1, x2) * G.T + rest, ntk(DEEP, x1, x2))


def test_shapes_and_first_values():
    assert DEEP.widths == (2, 3, 2, 3)
    assert DEEP.sigma == Rational(6, 5)
    assert [DEEP.scale(k) for k in (1, 2, 3)] == [sqrt(2), 2 ** Rational(1, 4), 2]
    assert backpropagation_matrix(DEEP, [1, 1], 2, 3).shape == (2, 3)
    own = sp.diag(*DEEP.derivative([1, 1], 2)) * Rational(6, 5)
    assert same(backpropagation_matrix(DEEP, [1, 1], 2, 2), own)
    # phi(s) = s/2 - 2|s|/3 has the slopes -1/6 and 7/6; N_1(1, 1) = sqrt 2 (-1, 4/3, 5/2).
    expected = sp.Matrix([Rational(7, 6), -Rational(1, 6), -Rational(1, 6)]) / sqrt(3)
    assert same(DEEP.derivative([1, 1], 2), expected)


def test_kink_has_the_convention():
    mlp = ExactMLP([[[1, -1]], [[1]]], a=3, b=5)
    assert mlp.derivative([1, 1], 2) == sp.Matrix([[3]])
    assert same(differentiated_jacobian(mlp, [1, 1]), recursive_jacobian(mlp, [1, 1]))


def test_pieces_agree_with_the_network_where_the_letters_are_its_slopes():
    x = TWO_INPUTS[0]
    piece = LinearPiece(DEEP.layers, DEEP.a, DEEP.b, DEEP.q, DEEP.m)
    slopes = {
        letter: value
        for k in (2, 3)
        for letter, value in zip(piece.derivative(x, k), DEEP.derivative(x, k), strict=True)
    }
    assert len(slopes) == 5
    assert same(piece.output(x).subs(slopes), DEEP.output(x))
    assert same(recursive_jacobian(piece, x).subs(slopes), recursive_jacobian(DEEP, x))


def test_multiplier_of_a_column():
    assert multiplier(sp.Matrix([1, 2]), 1) == sp.Matrix([[1, 2]])


@each(
    "make, error, message",
    (lambda: ExactMLP([[[1]]], 0, 1), ValueError, "layers must be at least two matrices"),
    (lambda: ExactMLP([[[1]], [[1, 2]]], 0, 1), ValueError, "A_2 must have shape"),
    (lambda: ExactMLP([[[1]], [[0.5]]], 0, 1), TypeError, "A_2 must be exact"),
    (lambda: ExactMLP([[[1]], [[1]]], 0, 0), ValueError, "a and b must not both vanish"),
    (lambda: ExactMLP([[[1]], [[1]]], 0, 1, q=(1,)), ValueError, "q must be one number or 2"),
    (lambda: ExactMLP([[[1]], [[1]]], 0, 1, m=0), ValueError, "m must be an integer at least"),
    (lambda: ExactMLP(3, 0, 1), TypeError, "layers must be a list of matrices"),
    (lambda: SHALLOW.layer(3), ValueError, r"k must lie in \[1 : 2\], got 3"),
    (lambda: SHALLOW.scale(0), ValueError, "k must be an integer at least 1"),
    (lambda: SHALLOW.preactivation([1, 1], 2), ValueError, r"k must lie in \[1 : 1\], got 2"),
    (lambda: SHALLOW.derivative([1, 1], 1), ValueError, "k must be an integer at least 2"),
    (lambda: SHALLOW.output([1]), ValueError, "x must have shape"),
    (lambda: SHALLOW.output("12"), TypeError, "x must be a list of exact numbers"),
    (lambda: SHALLOW.output(5), TypeError, "x must be a list of exact numbers"),
    (lambda: backpropagation_matrix(DEEP, [1, 1], 3, 2), ValueError, "2 <= k1 <= k2 <= 3"),
    (lambda: backpropagation_matrix(DEEP, [1, 1], 2, 4), ValueError, "2 <= k1 <= k2 <= 3"),
)
def test_bad_arguments(make, error, message):
    with pytest.raises(error, match=message):
        make()


def test_pieces_have_their_range():
    piece = LinearPiece(SHALLOW.layers, 0, 1)
    with pytest.raises(ValueError, match=r"k must lie in \[1 : 2\], got 3"):
        piece.activation([1, 1], 3)
    with pytest.raises(ValueError, match="x must have shape"):
        piece.derivative([1], 2)

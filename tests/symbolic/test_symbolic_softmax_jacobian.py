"""Softmax and its Jacobian exactly: definitions, the other road in floats, and refusals."""

from itertools import pairwise, product

import numpy as np
import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st
from sympy import Rational, Symbol, symbols
from trying import each

import numeric.softmax_jacobian as floats
from symbolic.equality import equal
from symbolic.softmax_jacobian import (
    characteristic_polynomial,
    covariance,
    covariance_derivative,
    eigenvalue_product,
    indicator_cumulant,
    infinity_to_one_norm,
    joint_cumulant,
    log_sum_exp_derivative,
    pseudo_inverse,
    secular_polynomial,
    softmax,
    softmax_jacobian,
    sum_of_squares,
    weight_symbols,
)

X = Symbol("lambda", real=True)


@st.composite
def rational_weights(draw, least=1, most=6):
    numbers = draw(st.lists(st.integers(1, 9), min_size=least, max_size=most))
    return [Rational(n, sum(numbers)) for n in numbers]


def logits_of(weights):
    return np.log(np.array(weights, dtype=float))


def as_floats(matrix):
    return np.array(sp.Matrix(matrix).tolist(), dtype=float)


# Logarithms are rounded, and weights are at least 1/36: a few dozen roundings of numbers below 4.
ROUNDING = 1e-13


def test_softmax_is_its_definition():
    x, y = symbols("x y", real=True)
    assert softmax([x, y], 2)[1] == sp.exp(y) / (sp.exp(x) + sp.exp(y) + 2)
    assert softmax([sp.log(2), 0], 1).tolist() == [[Rational(1, 2)], [Rational(1, 4)]]
    assert softmax([5]).tolist() == [[1]]


@each("size", 1, 2, 3)
def test_jacobian_is_the_derivative(size):
    z = symbols(f"z_1:{size + 1}", real=True)
    p = softmax(z)
    J = sp.Matrix(p.jacobian(z))
    assert equal(J, sp.diag(*p) - p * p.T)
    assert equal(J, softmax_jacobian(list(p)))


def test_jacobian_beside_others():
    z = symbols("z_1:3", real=True)
    values = {z[0]: 0, z[1]: sp.log(2)}
    # Weights 1/4 and 1/2 beside another 1/4.
    found = sp.Matrix(softmax(z, 1).jacobian(z)).subs(values)
    expected = sp.Matrix([[Rational(3, 16), -Rational(1, 8)], [-Rational(1, 8), Rational(1, 4)]])
    assert found == expected


@given(rational_weights(most=4))
def test_against_floats(p):
    z = logits_of(p)
    assert np.allclose(floats.softmax(z), as_floats(p).ravel(), atol=ROUNDING)
    assert np.allclose(floats.softmax_jacobian(z), as_floats(softmax_jacobian(p)), atol=ROUNDING)
    norm, subset = infinity_to_one_norm(p)
    assert abs(floats.infinity_to_one_norm(z) - float(norm)) < ROUNDING
    mass = sum(p[i] for i in subset)
    assert 4 * mass * (1 - mass) == norm
    square = float(sum_of_squares(p))
    assert abs(floats.jacobian_frobenius_norm(z) ** 2 - square) < ROUNDING
    eigenvalues = floats.jacobian_eigenvalues(z)
    coefficients = sp.Poly(characteristic_polynomial(p, X), X).all_coeffs()
    monic = (-1) ** len(p) * np.poly(eigenvalues)
    assert np.allclose(monic, [float(c) for c in coefficients], atol=ROUNDING)
    assert abs(float(eigenvalue_product(p)) - np.prod(eigenvalues[:-1])) < ROUNDING
    inverse = np.linalg.pinv(floats.softmax_jacobian(z), rcond=1e-6)
    # Eigenvalues are at least 1/36, so that the inverse multiplies errors by 36².
    assert np.allclose(inverse, as_floats(pseudo_inverse(p)), atol=36**2 * ROUNDING)


@given(rational_weights(most=4), st.data())
def test_covariances_against_floats(p, data):
    d = data.draw(st.integers(1, 2))
    entries = st.integers(-4, 4)
    rows = data.draw(st.lists(st.tuples(*[entries] * d), min_size=len(p), max_size=len(p)))
    direction = data.draw(st.tuples(*[entries] * d))
    X_, v = sp.Matrix(rows), sp.Matrix(direction)
    z, x = logits_of(p), np.array(rows, dtype=float)
    M, D = covariance(p, X_), covariance_derivative(p, X_, v)
    assert np.allclose(floats.covariance(z, x), as_floats(M), atol=64 * ROUNDING)
    found = floats.covariance_derivative(z, x, np.array(direction, dtype=float))
    assert np.allclose(found, as_floats(D), atol=4096 * ROUNDING)
    assert equal(M, X_.T * softmax_jacobian(p) * X_)
    for k, j in product(range(d), repeat=2):
        columns = [list(X_[:, k]), list(X_[:, j]), list(X_ * v)]
        assert joint_cumulant(p, columns) == D[k, j]
        assert joint_cumulant(p, columns[:2]) == M[k, j]


def test_derivative_of_the_covariance():
    h = Symbol("h", real=True)
    z, tokens, v = (symbols("z_1:4", real=True), sp.Matrix([[1, 2], [0, -1], [3, 1]]), sp.Matrix([1, 3]))
    moved = softmax([one + h * slope for one, slope in zip(z, tokens * v, strict=True)])
    values = dict.fromkeys(z, 0) | {z[0]: sp.log(2)}
    slope = sp.Matrix(covariance(list(moved), tokens)).diff(h).subs(h, 0).subs(values)
    weights = list(softmax([sp.log(2), 0, 0]))
    assert equal(slope, covariance_derivative(weights, tokens, v))


def test_cumulants_of_one_variable():
    values = [[0, 1]] * 4
    p = Symbol("p", positive=True)
    kappa = [joint_cumulant((1 - p, p), values[:k]) for k in (1, 2, 3, 4)]
    # Bernoulli: each is p(1 − p) times the derivative of the one before.
    for low, high in pairwise(kappa):
        assert equal(high, p * (1 - p) * sp.diff(low, p))
    assert kappa[0] == p


@each("order", 1, 2, 3, 4)
def test_derivatives_of_log_sum_exp(order):
    for indices in product((1, 2), repeat=order):
        assert equal(log_sum_exp_derivative(indices), indicator_cumulant(indices))


def test_weights_of_indicators():
    p = weight_symbols(3)
    assert sum(p).expand() == 1
    unit = sp.eye(3)
    rows = [list(unit.row(0)), list(unit.row(0)), list(unit.row(1))]
    assert equal(joint_cumulant(p, rows), indicator_cumulant([1, 1, 2]))


@each("size", 1, 2, 3)
def test_polynomials_and_inverse(size):
    p = weight_symbols(size)
    J = sp.Matrix(softmax_jacobian(p))
    direct = (J - X * sp.eye(size)).det()
    assert equal(direct, characteristic_polynomial(p, X))
    assert equal(direct, secular_polynomial(p, X))
    assert equal(sum(x**2 for x in J), sum_of_squares(p))
    if size > 1:
        plus = sp.Matrix(pseudo_inverse(p))
        assert equal(J * plus * J, J, under=[p[-1] > 0])
        assert equal(plus * J * plus, plus, under=[p[-1] > 0])
        assert equal(J * plus, (J * plus).T, under=[p[-1] > 0])
    assert equal(eigenvalue_product(p), size * sp.prod(p))


def test_norm_of_many_shapes():
    assert infinity_to_one_norm([Rational(1, 5)] * 5) == (Rational(24, 25), (0, 1))
    assert infinity_to_one_norm(["3/4", "1/4"]) == (Rational(3, 4), (0,))
    assert infinity_to_one_norm([1]) == (0, ())
    value, subset = infinity_to_one_norm(["3/4", "1/8", "1/8"])
    assert value == Rational(3, 4)
    assert subset == (0,)


@each(
    "call, error, message",
    (lambda: softmax("12"), TypeError, "logits must be a list"),
    (lambda: softmax([0], -1), ValueError, r"rest must lie in \[0, infinity\)"),
    (lambda: joint_cumulant([1], [[1, 2]]), ValueError, "values must have shape"),
    (lambda: indicator_cumulant([]), TypeError, "indices must be a list"),
    (lambda: indicator_cumulant([0]), ValueError, "indices must be an integer at least 1"),
    (lambda: pseudo_inverse([1, 0]), ValueError, r"weights must lie in \(0, 1\]"),
    (lambda: infinity_to_one_norm(weight_symbols(2)), ValueError, "weights must be at most 16"),
    (lambda: infinity_to_one_norm(["1/17"] * 17), ValueError, "weights must be at most 16"),
    (lambda: covariance([1], [[1], [2]]), ValueError, "tokens must have shape"),
    (lambda: covariance_derivative([1], [[1]], [[1], [2]]), ValueError, "direction must have shape"),
    (lambda: characteristic_polynomial([1], 3), TypeError, "variable must be a SymPy symbol"),
)
def test_bad_arguments(call, error, message):
    with pytest.raises(error, match=message):
        call()

"""Products with the Jacobian of softmax, covariances of tokens, extremes and refusals."""

import itertools

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mpmath import mpf
from softmax_cases import HUGE_BITS, LEAST, UNIT, allowed, logit_rows, relative, truth
from trying import each

from numeric.softmax_jacobian import (
    apply_jacobian,
    best_subset,
    complements,
    covariance,
    covariance_derivative,
    infinity_to_one_norm,
    jacobian_eigenvalues,
    jacobian_frobenius_norm,
    jacobian_spectral_norm,
    jacobian_trace,
    softmax,
    softmax_jacobian,
    variance,
)


@st.composite
def vectors(draw):
    """Logits and a vector, at 0, far from 0, or constant."""
    z = draw(logit_rows())
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    return z, rng.standard_normal(len(z)) + draw(st.sampled_from([0.0, 1e9]))


@given(vectors())
def test_products_and_variances(case):
    z, u = case
    found = apply_jacobian(z, u)
    with mpmath.workprec(HUGE_BITS):
        p, _ = truth(z)
        exact = [mpf(float(x)) for x in u]
        mean = sum(x * y for x, y in zip(p, exact, strict=True))
        for i, weight in enumerate(p):
            spread = weight * sum(x * abs(exact[i] - y) for x, y in zip(p, exact, strict=True))
            error = abs(mpf(float(found[i])) - weight * (exact[i] - mean))
            assert error <= 3 * allowed(z) * spread + LEAST
        square = sum(x * (y - mean) ** 2 for x, y in zip(p, exact, strict=True))
        assert relative(variance(z, u), square) <= 3 * allowed(z)


def test_product_beside_an_outlier():
    """The token of the largest weight lies far from all others, whose deviations are K/T."""
    size = 2000
    rng = np.random.default_rng(8)
    # Differences lie on both sides of 1024, where the spacing of floats changes.
    u = 1023.9 + 1e-6 * rng.standard_normal(size)
    u[0] = -0.1
    found = apply_jacobian(np.zeros(size), u)
    with mpmath.workprec(200):
        exact = [mpf(float(x)) for x in u]
        mean = sum(exact) / size
        ratios = [abs(size * mpf(float(y)) / (x - mean) - 1) for x, y in zip(exact, found, strict=True)]
    # The mean of what is left, 1024/T like all of it but one, in pairwise sums, and differences.
    assert max(ratios) <= 32 * UNIT


@given(logit_rows(), st.floats(-1e300, 1e300))
def test_constant_vectors_vanish(z, constant):
    assert (apply_jacobian(z, np.full(len(z), constant)) == 0).all()
    assert variance(z, np.full(len(z), constant)) == 0


@st.composite
def tokens(draw):
    """Logits and tokens in up to three dimensions, close together or not."""
    z, d = draw(logit_rows()), draw(st.integers(1, 3))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    spread = draw(st.sampled_from([1.0, 1e-6]))
    return z, 1 + spread * rng.standard_normal((len(z), d)), rng.standard_normal(d)


@given(tokens())
def test_covariance_and_its_derivative(case):
    z, x, direction = case
    M, D = covariance(z, x), covariance_derivative(z, x, direction)
    with mpmath.workprec(HUGE_BITS):
        p, _ = truth(z)
        X = mpmath.matrix([[mpf(float(entry)) for entry in row] for row in x])
        size, d = len(p), x.shape[1]
        mean = [sum(p[t] * X[t, k] for t in range(size)) for k in range(d)]
        Y = [[X[t, k] - mean[k] for k in range(d)] for t in range(size)]
        slopes = [sum(mpf(float(v)) * y for v, y in zip(direction, row, strict=True)) for row in Y]
        # Sums over tokens and coordinates of products of weights and deviations.
        size_of_trace = sum(p[t] * sum(y * y for y in Y[t]) for t in range(size))
        third = sum(
            p[t]
            * sum(y * y for y in Y[t])
            * sum(abs(mpf(float(v)) * y) for v, y in zip(direction, Y[t], strict=True))
            for t in range(size)
        )
        for k, j in itertools.product(range(d), repeat=2):
            exact = sum(p[t] * Y[t][k] * Y[t][j] for t in range(size))
            assert abs(mpf(float(M[k, j])) - exact) <= 4 * allowed(z) * size_of_trace + LEAST
            exact = sum(p[t] * slopes[t] * Y[t][k] * Y[t][j] for t in range(size))
            assert abs(mpf(float(D[k, j])) - exact) <= 6 * allowed(z) * third + LEAST
    assert (M.T == M).all()
    assert (D.T == D).all()


def test_derivative_is_the_slope_of_the_covariance():
    rng = np.random.default_rng(5)
    z, x, v = rng.standard_normal(6), rng.standard_normal((6, 3)), rng.standard_normal(3)
    step = 1e-4
    ends = [covariance(z + sign * step * (x @ v), x) for sign in (1, -1)]
    slope = (ends[0] - ends[1]) / (2 * step)
    # Rounding 1e-15/1e-4, and step² times a third derivative of size at most (4|v|)³ |x|² ~ 1e4.
    assert np.abs(slope - covariance_derivative(z, x, v)).max() < 1e-4 * step + 1e-10 + 1e4 * step**2


def test_equal_logits():
    size = 100_000
    z = np.full(size, 1e4)
    assert np.allclose(softmax(z), 1 / size, rtol=4 * UNIT, atol=0)
    assert abs(jacobian_trace(z) - (1 - 1 / size)) < 64 * UNIT
    # Pairwise sums of 1e5 terms: log2(1e5) = 17 roundings.
    assert abs(jacobian_spectral_norm(z) * size - 1) < 64 * UNIT
    assert abs(jacobian_frobenius_norm(z) ** 2 - (size - 1) / size**2) < 64 * UNIT / size


def test_one_token():
    assert softmax([3]).tolist() == [1]
    assert complements([3]).tolist() == [0]
    assert softmax_jacobian([3]).tolist() == [[0]]
    assert jacobian_eigenvalues([3]).tolist() == [0]
    assert best_subset([3]).tolist() == [True]
    for function in (jacobian_trace, jacobian_frobenius_norm, jacobian_spectral_norm):
        assert function([3]) == 0
        assert function([3], digits=5) == 0
    assert infinity_to_one_norm([3]) == 0
    assert infinity_to_one_norm([3], digits=5) == 0
    assert covariance([3], [[1, 2]]).tolist() == [[0, 0], [0, 0]]


@each("far", 1e4, 1e308)
def test_far_logits(far):
    z = [far, -far, far, 0]
    assert softmax(z).tolist() == [0.5, 0, 0.5, 0]
    assert complements(z).tolist() == [0.5, 1, 0.5, 1]
    assert jacobian_trace(z) == 0.5
    assert jacobian_spectral_norm(z) == 0.5
    assert jacobian_frobenius_norm(z) == 0.5
    assert jacobian_eigenvalues(z).tolist() == [0.5, 0, 0, 0]
    assert infinity_to_one_norm(z) == 1
    assert covariance(z, [[1], [5], [-1], [7]]).tolist() == [[1]]


def test_digits_where_floats_vanish():
    for function in (jacobian_trace, jacobian_spectral_norm):
        found = function([10**4, 0], digits=30)
        assert abs(found / (2 * mpmath.exp(-(10**4))) - 1) < 1e-14
        assert function([1e4, 0]) == 0
    assert abs(infinity_to_one_norm([10**4, 0], digits=20) / (4 * mpmath.exp(-(10**4))) - 1) < 1e-14


def test_rows_are_independent():
    z = np.random.default_rng(3).standard_normal((2, 3, 5)) * 10
    vectors = np.random.default_rng(4).standard_normal((3, 5))
    points = np.random.default_rng(6).standard_normal((5, 2))
    functions = (softmax, complements, jacobian_eigenvalues, softmax_jacobian)
    for function in (*functions, jacobian_trace, jacobian_frobenius_norm, jacobian_spectral_norm):
        together = function(z)
        assert all(np.array_equal(together[i], function(z[i])) for i in np.ndindex(2, 3))
    product, squares = apply_jacobian(z, vectors), variance(z, vectors)
    M = covariance(z, points)
    for i in np.ndindex(2, 3):
        assert np.array_equal(product[i], apply_jacobian(z[i], vectors[i[1]]))
        assert squares[i] == variance(z[i], vectors[i[1]])
        assert np.allclose(M[i], covariance(z[i], points), rtol=8 * UNIT, atol=8 * UNIT)


def test_eigenvalues_in_blocks():
    # More tokens than one block of the bisection holds.
    z = np.random.default_rng(7).standard_normal(600)
    found = jacobian_eigenvalues(z)
    exact = np.linalg.eigvalsh(softmax_jacobian(z))[::-1]
    # LAPACK: a few T machine epsilons of the norm.
    assert np.abs(found - exact).max() < 600 * UNIT * found[0]


@each(
    "call, error, message",
    (lambda: jacobian_trace([], digits=3), ValueError, "logits must have at least one entry"),
    (lambda: jacobian_trace([[1, 2]], digits=3), ValueError, r"logits must have shape \(T,\)"),
    (lambda: best_subset([[1, 2]]), ValueError, r"logits must have shape \(T,\)"),
    (lambda: apply_jacobian([1, 2], [1]), ValueError, r"vector must have shape \(..., 2\)"),
    (lambda: variance(np.ones((2, 3)), np.ones((4, 3))), ValueError, "values must have lead"),
    (lambda: covariance([1, 2], [1, 2]), ValueError, r"tokens must have shape \(..., 2, d\)"),
    (lambda: covariance(np.ones((2, 3)), np.ones((4, 3, 1))), ValueError, "tokens must have l"),
    (
        lambda: covariance_derivative([1, 2], [[1], [2]], [1, 2]),
        ValueError,
        r"direction must have shape \(..., 1\)",
    ),
    (lambda: apply_jacobian([0, 0], [1e308, -1e308]), OverflowError, "vector makes values"),
    (lambda: variance([0, 0], [1e200, -1e200]), OverflowError, "values makes values"),
    (lambda: covariance([0, 0], [[1e200], [-1e200]]), OverflowError, "tokens makes values"),
)
def test_bad_arguments(call, error, message):
    with pytest.raises(error, match=message):
        call()


def test_directions_must_match_the_batch():
    logits, tokens = np.zeros((2, 3, 4)), np.zeros((2, 3, 4, 2))
    assert covariance_derivative(logits, tokens, np.ones((3, 2))).shape == (2, 3, 2, 2)
    with pytest.raises(ValueError, match="direction must"):
        covariance_derivative(logits, tokens, np.ones((4, 2)))

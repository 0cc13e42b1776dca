"""Softmax and its Jacobian in floats: against many digits, dense eigenvalues, all subsets."""

import itertools

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mpmath import mpf

from numeric.softmax_jacobian import (
    MOST_TOKENS,
    apply_jacobian,
    best_subset,
    complements,
    covariance,
    covariance_derivative,
    infinity_to_one_bounds,
    infinity_to_one_norm,
    jacobian_eigenvalues,
    jacobian_frobenius_norm,
    jacobian_spectral_norm,
    jacobian_trace,
    softmax,
    softmax_jacobian,
    variance,
)

UNIT = 2.0**-52
LEAST = 1e-290  # below it floats lose digits
HUGE_BITS = 4000  # more than 1 - p costs for logits 2000 apart


@st.composite
def logit_rows(draw, least=1, most=8):
    """Ties, near ties, logits hundreds apart whose differences are no floats, two clusters."""
    size = draw(st.integers(least, most))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    scale = draw(st.sampled_from([0.0, 1e-16, 1e-3, 1.0, 30.0, 200.0]))
    z = scale * rng.standard_normal(size) + draw(st.sampled_from([0.0, 0.1, -1e4]))
    if draw(st.booleans()):
        z[: size // 2] += draw(st.sampled_from([0.0, 40.0, 500.1]))
    return z


def truth(z):
    """Weights and complements, to be called with many bits."""
    exact = [mpf(float(x)) for x in z]
    odds = [mpmath.exp(x - max(exact)) for x in exact]
    total = sum(odds)
    others = [sum(odds[:i] + odds[i + 1 :]) for i in range(len(odds))]
    return [x / total for x in odds], [x / total for x in others]


def relative(found, exact):
    """Relative error, 0 where the truth is too small for digits."""
    return float(abs(mpf(float(found)) - exact) / abs(exact)) if abs(exact) > LEAST else 0.0


def dense(p, q):
    """J, by its definition."""
    size = len(p)
    return [[p[i] * q[i] if i == j else -p[i] * p[j] for j in range(size)] for i in range(size)]


# An exponential and its correction: two units in the last place. The sum of T of them: T/2 and as
# much again as each. The quotient and products: two more. Together below T + 8.
def allowed(z):
    return (len(z) + 8) * UNIT


@given(logit_rows())
def test_weights_and_entries(z):
    with mpmath.workprec(HUGE_BITS):
        p, q = truth(z)
        for found, exact in ((softmax(z), p), (complements(z), q)):
            assert all(relative(x, y) <= allowed(z) for x, y in zip(found, exact, strict=True))
        J = softmax_jacobian(z)
        for i, row in enumerate(dense(p, q)):
            # A product of two.
            assert all(relative(J[i, j], y) <= 2 * allowed(z) for j, y in enumerate(row))
    assert (J.T == J).all()


@given(logit_rows())
def test_trace_and_frobenius_norm(z):
    with mpmath.workprec(HUGE_BITS):
        p, q = truth(z)
        trace = sum(x * y for x, y in zip(p, q, strict=True))
        square = sum(x * x for row in dense(p, q) for x in row)
        # Sums of at most T² products of two weights.
        assert relative(jacobian_trace(z), trace) <= 3 * allowed(z)
        assert relative(jacobian_frobenius_norm(z), mpmath.sqrt(square)) <= 3 * allowed(z)


@given(logit_rows(least=2, most=6))
def test_digits_are_correct(z):
    with mpmath.workprec(HUGE_BITS):
        p, q = truth(z)
        trace = sum(x * y for x, y in zip(p, q, strict=True))
        norm = mpmath.sqrt(sum(x * x for row in dense(p, q) for x in row))
        for function, exact in ((jacobian_trace, trace), (jacobian_frobenius_norm, norm)):
            assert abs(function(z, digits=40) / exact - 1) < mpf(10) ** -40
        # The secular equation changes its sign at the root.
        root, step = jacobian_spectral_norm(z, digits=40), mpf(10) ** -39
        if len(set(p)) == len(p):
            values = [sum(x / (x - root * factor) for x in p) for factor in (1 - step, 1 + step)]
            assert values[0] < 0 < values[1] or abs(max(p) / root - 1) < step
            assert root > sorted(p)[-2] * (1 - step)


@given(logit_rows(least=2, most=6))
def test_spectral_norm_in_floats(z):
    exact = jacobian_spectral_norm(z, digits=30)
    # A relative change of the weights is at most doubled, J being a Laplacian in p_s p_t.
    assert relative(jacobian_spectral_norm(z), exact) <= 3 * allowed(z)
    assert relative(jacobian_eigenvalues(z)[0], exact) <= 3 * allowed(z)


@given(logit_rows(least=2, most=6))
def test_all_eigenvalues(z):
    found, p = jacobian_eigenvalues(z), np.sort(softmax(z))[::-1]
    assert found[-1] == 0
    assert (np.diff(found) <= 0).all()
    # Interlacing, up to the rounding of one float each.
    assert (found[:-1] <= p[:-1]).all()
    assert (found[:-1] >= p[1:] * (1 - UNIT)).all()
    with mpmath.workprec(HUGE_BITS):
        exact, others = truth(z)
        trace = sum(x * y for x, y in zip(exact, others, strict=True))
        assert relative(sum(map(mpf, found.tolist())), trace) <= 6 * allowed(z)
        product = len(z) * mpmath.fprod(exact)
        if min(exact) > 1e-290:
            ratio = mpmath.fprod(map(mpf, found[:-1].tolist())) / product
            # T - 1 factors, each as above.
            assert abs(ratio - 1) <= 3 * len(z) * allowed(z)


def test_eigenvalues_of_a_known_matrix():
    # Weights 2a, 2a, a with a = 1/5: eigenvalues 2/5 and 2/5 (1 - 2/5)... from the trace.
    found = jacobian_eigenvalues([np.log(2), np.log(2), 0.0])
    # tr J = 1 - 9/25 = 16/25, one eigenvalue is the double weight 2/5, the other one 6/25.
    assert np.allclose(found, [0.4, 0.24, 0.0], rtol=8 * UNIT, atol=0)


@given(logit_rows(most=9))
def test_norm_over_all_subsets(z):
    with mpmath.workprec(HUGE_BITS):
        p, _ = truth(z)
        subsets = itertools.chain.from_iterable(
            itertools.combinations(range(len(z)), k) for k in range(len(z))
        )
        exact = max(
            4 * sum(p[i] for i in subset) * sum(p[i] for i in range(len(z)) if i not in subset)
            for subset in map(set, subsets)
        )
        assert relative(infinity_to_one_norm(z), exact) <= 3 * allowed(z)
        if exact:
            assert abs(infinity_to_one_norm(z, digits=30) / exact - 1) < mpf(10) ** -30
        else:
            assert infinity_to_one_norm(z, digits=30) == 0
    lower, upper = infinity_to_one_bounds(z)
    slack = 1 + 3 * allowed(z)
    assert lower <= infinity_to_one_norm(z) * slack
    assert infinity_to_one_norm(z) <= upper * slack


@given(logit_rows(most=12))
def test_best_subset_attains_the_norm(z):
    u = np.where(best_subset(z), 1.0, -1.0)
    reached = float(np.abs(apply_jacobian(z, u)).sum())
    assert abs(reached - infinity_to_one_norm(z)) <= 4 * allowed(z) * max(reached, LEAST)


def test_bounds_are_equal_beyond_one_half():
    assert infinity_to_one_bounds([np.log(3), 0]) == (0.75, 0.75)
    lower, upper = infinity_to_one_bounds([[0.0, 0.0, 0.0], [50.0, 0.0, 0.0]])
    assert np.allclose(lower, [8 / 9, 8 * np.exp(-50)], rtol=16 * UNIT, atol=0)
    assert upper[0] == 1
    assert upper[1] == lower[1]


def test_many_tokens_are_refused_only_where_search_is_needed():
    assert infinity_to_one_norm(np.zeros(MOST_TOKENS)) == 1
    with pytest.raises(ValueError, match=f"at most {MOST_TOKENS} entries"):
        infinity_to_one_norm(np.zeros(MOST_TOKENS + 1))
    with pytest.raises(ValueError, match=f"at most {MOST_TOKENS} entries"):
        best_subset(np.zeros(MOST_TOKENS + 1))
    with pytest.raises(ValueError, match=f"at most {MOST_TOKENS} entries"):
        infinity_to_one_norm(np.zeros(MOST_TOKENS + 1), digits=10)
    heavy = np.append(np.zeros(999), np.log(2997))  # p = 3/4
    assert abs(infinity_to_one_norm(heavy) - 0.75) <= 1000 * UNIT
    assert best_subset(heavy).nonzero()[0].tolist() == [999]
    light = np.append(np.zeros(999), np.log(1221))  # p = 0.55
    assert abs(infinity_to_one_norm(light) - 0.99) <= 1000 * UNIT
    with mpmath.workdps(30):
        exact = 396 * mpmath.exp(5) / (mpmath.exp(5) + 99) ** 2
        assert abs(infinity_to_one_norm([5, *[0] * 99], digits=20) / exact - 1) < mpf(10) ** -20


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
        ratios = [
            abs(size * mpf(float(y)) / (x - mean) - 1) for x, y in zip(exact, found, strict=True)
        ]
    # The mean of what is left, 1024/T like all of it but one, in pairwise sums, and differences.
    assert max(ratios) <= 32 * UNIT


def test_spectral_norm_of_many_tokens():
    """Newton's method against bisection: weights close together take most steps."""
    rng = np.random.default_rng(9)
    for size, scale in itertools.product((40, 150), (1e-9, 1e-3, 0.1, 1.0, 3.0)):
        for z in (scale * rng.standard_normal(size), -scale * rng.exponential(size=size)):
            gap = jacobian_spectral_norm(z) / jacobian_eigenvalues(z)[0] - 1
            # Pairwise sums of up to 150 terms, in both.
            assert abs(gap) <= 32 * UNIT


@given(logit_rows(least=10, most=16))
def test_search_for_subsets_is_exhaustive(z):
    exact = infinity_to_one_norm(z, digits=25)
    assert relative(infinity_to_one_norm(z), exact) <= 3 * allowed(z)


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
    assert (
        np.abs(slope - covariance_derivative(z, x, v)).max() < 1e-4 * step + 1e-10 + 1e4 * step**2
    )


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


@pytest.mark.parametrize("far", [1e4, 1e308])
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


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: softmax([]), ValueError, "logits must have at least one entry"),
        (lambda: softmax(1.0), ValueError, r"logits must have shape \(..., T\)"),
        (lambda: softmax([1, np.nan]), ValueError, "logits must lie in"),
        (lambda: softmax([1, 1j]), TypeError, "logits must be a real number"),
        (lambda: jacobian_trace([], digits=3), ValueError, "logits must have at least one entry"),
        (lambda: jacobian_trace([1, 2], digits=0), ValueError, "digits must be an integer"),
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
    ],
)
def test_bad_arguments(call, error, message):
    with pytest.raises(error, match=message):
        call()

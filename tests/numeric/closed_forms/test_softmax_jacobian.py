"""Softmax and its Jacobian in floats: against many digits, dense eigenvalues, all subsets."""

import itertools

import mpmath
import numpy as np
import pytest
from hypothesis import given
from mpmath import mpf
from softmax_cases import HUGE_BITS, LEAST, UNIT, allowed, dense, logit_rows, relative, truth

from numeric.softmax_jacobian import (
    MOST_TOKENS,
    apply_jacobian,
    best_subset,
    complements,
    infinity_to_one_bounds,
    infinity_to_one_norm,
    jacobian_eigenvalues,
    jacobian_frobenius_norm,
    jacobian_spectral_norm,
    jacobian_trace,
    softmax,
    softmax_jacobian,
)


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
    found = jacobian_eigenvalues([np.log(2), np.log(2), 0.0])
    # Weights 2/5, 2/5, 1/5: the double weight is an eigenvalue, and tr J = 1 - 9/25 leaves 6/25.
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


def test_half_of_the_tokens_may_be_the_best_subset():
    """Of all subsets only the first two tokens and the others have mass 1/2 here."""
    z = np.log([0.25, 0.25, 0.3, 0.2])
    assert infinity_to_one_norm(z) == pytest.approx(1, abs=4 * UNIT)
    assert sorted({tuple(best_subset(z)), tuple(~best_subset(z))}) == [
        (False, False, True, True),
        (True, True, False, False),
    ]


def test_one_row_in_a_batch_is_that_row():
    z = np.array([[0.3, -1.0, 2.0]])
    for function in (jacobian_spectral_norm, jacobian_trace, jacobian_frobenius_norm):
        assert function(z) == pytest.approx(function(z[0]), rel=4 * UNIT)
        assert np.shape(function(z)) == (1,)

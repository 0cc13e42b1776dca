"""Best constants of an attention head against definitions, optimisers, differences and balls."""

import math

import mpmath
import numpy as np
import pytest
from flint import arb
from hypothesis import assume, given
from hypothesis import strategies as st
from ratios import fractions
from scipy.optimize import minimize_scalar
from trying import each

from numeric.attention_smoothness import (
    block_norm,
    curvature,
    curvature_mean,
    hessian_norm,
    largest_deviation,
    largest_displacement,
    linearisation_constant,
    smoothness_constant,
    steepness,
)
from numeric.networks.transformer import SINE, Heads, Inputs, linear_model, predict
from numeric.softmax_jacobian import softmax

sizes = st.floats(0, 100)
# Closed forms of a few roundings each, against maxima over x found by an optimiser: at a maximum
# the error of x enters with its square.
CLOSE = 1e-12


def largest(f):
    """max of f over [0, 1], the ends included."""
    inside = minimize_scalar(lambda x: -f(x), bounds=(0, 1), method="bounded",
                             options={"xatol": 1e-9})  # fmt: skip
    return max(f(0.0), f(1.0), -inside.fun)


class TestMaxima:
    """Every closed form is the maximum that it is said to be."""

    @given(u=sizes)
    def test_curvature(self, u):
        best = largest(lambda x: (1 - x * x) * (u * x + math.hypot(1, u * x)))
        assert curvature(u) == pytest.approx(best, rel=CLOSE)
        x = curvature_mean(u)
        assert (1 - x * x) * (u * x + math.hypot(1, u * x)) == pytest.approx(best, rel=CLOSE)

    @given(u=sizes)
    def test_mean_is_stationary(self, u):
        """2x√(1 + u²x²) = u(1 − x²), to the condition of the equation at large u."""
        x = curvature_mean(u)
        assert 2 * x * math.hypot(1, u * x) == pytest.approx(u * (1 - x * x), rel=1e-12)

    @given(a=sizes, b=sizes)
    def test_deviation(self, a, b):
        best = largest(lambda x: (1 - x * x) * (a + 2 * b * x))
        assert largest_deviation(a, b) == pytest.approx(best, rel=CLOSE)

    @given(a=sizes, b=sizes)
    def test_displacement(self, a, b):
        best = largest(lambda x: a * x + (1 - x * x) * b)
        assert largest_displacement(a, b) == pytest.approx(best, rel=CLOSE)

    @given(b=sizes, c=sizes)
    def test_block_norm(self, b, c):
        """The norm of the 2 by 2 matrix, below the printed bound."""
        norm = np.linalg.norm([[0, b], [b, c]], 2)
        assert block_norm(b, c) == pytest.approx(norm, rel=CLOSE, abs=1e-300)
        assert block_norm(b, c) <= math.hypot(math.sqrt(2) * b, c) * (1 + 1e-15) + 1e-300

    @given(u=sizes)
    def test_quadratic_form_of_deviations(self, u):
        """g(u) is the largest K(2sc, uc²) over s² + c² = 1: the two maxima in the other order."""
        t = np.linspace(0, math.pi / 2, 2001)
        values = largest_deviation(2 * np.sin(t) * np.cos(t), u * np.cos(t) ** 2)
        # The step of 8e-4 misses the maximum by half its square times a curvature below 4 g.
        assert values.max() <= curvature(u) * (1 + 1e-14)
        assert values.max() >= curvature(u) * (1 - 4 * (8e-4) ** 2)


class TestValues:
    def test_ends(self):
        third = 4 / (3 * math.sqrt(3))
        assert curvature(0) == 1
        assert curvature_mean(0) == 0
        assert largest_deviation(0, 1) == pytest.approx(third, rel=1e-15)
        assert curvature(1e9) / 1e9 == pytest.approx(third, rel=1e-8)
        assert curvature_mean(1e9) == pytest.approx(1 / math.sqrt(3), rel=1e-15)
        assert curvature(1e300) == pytest.approx(third * 1e300, rel=1e-15)
        assert largest_deviation(3, 0) == largest_displacement(0, 3) == 3
        assert largest_deviation(0, 0) == largest_displacement(0, 0) == 0
        assert list(steepness([0, 0.5, 1, 7])) == [1, 1, 1, 7]

    @given(u=sizes)
    def test_below_printed(self, u):
        assert steepness(u) <= np.hypot(1, u)
        assert curvature(u) <= 2 * np.hypot(1, u)

    @given(u=sizes, s1=st.floats(0, 3), s2=st.floats(0, 3))
    def test_smoothness(self, u, s1, s2):
        expected = s2 * max(1, u) ** 2 + s1 * curvature(u)
        assert smoothness_constant(u, s1, s2) == pytest.approx(expected, rel=1e-15, abs=1e-300)

    def test_linearisation_by_hand(self):
        """ρ = (2, 1, 1), u = 1: ℓ = 5/4, K(2, 1) = 64/27 at x = 1/3."""
        expected = 2 * 3 * 5 / 4 + (7 * 25 / 16 + 3 * 64 / 27) / 2
        assert linearisation_constant(2, 1, 1, 1, 3, 7) == pytest.approx(expected, rel=1e-14)
        assert linearisation_constant(2, 5, 0, 9, 3, 7) == pytest.approx(2 * 3 * 5 + 7 * 25 / 2, rel=1e-14)


class TestArithmetics:
    FUNCTIONS = (
        (steepness, 1),
        (curvature, 1),
        (curvature_mean, 1),
        (largest_deviation, 2),
        (block_norm, 2),
        (largest_displacement, 2),
        (smoothness_constant, 3),
        (linearisation_constant, 6),
    )

    @each("function, count", *FUNCTIONS)
    @given(values=st.lists(fractions(0, 40, max_denominator=1000), min_size=6, max_size=6))
    def test_floats_balls_and_digits(self, function, count, values):
        chosen = values[:count]
        digits = function(*chosen, digits=30)
        # A dozen roundings, none of them amplified.
        assert function(*map(float, chosen)) == pytest.approx(float(digits), rel=4e-15, abs=0)
        exact = [arb(one.numerator) / one.denominator for one in chosen]
        ball = function(*exact)
        difference = ball - arb(mpmath.nstr(digits, 25))
        assert abs(difference) < 1e-12 * (1 + float(digits))

    def test_broadcast(self):
        assert largest_deviation(np.ones((2, 1)), np.ones(3)).shape == (2, 3)


class TestHessian:
    """hessian_norm against differences of the head itself."""

    @given(seed=st.integers(0, 2**32 - 1), T=st.integers(1, 4), d=st.integers(1, 3),
           length=st.floats(0, 1))  # fmt: skip
    def test_central_differences(self, seed, T, d, length):
        rng = np.random.default_rng(seed)
        X = rng.standard_normal((T, d))
        X /= np.maximum(1, np.linalg.norm(X, axis=1, keepdims=True))
        U, W, q = rng.standard_normal(d), rng.standard_normal((d, d)), rng.standard_normal(d)
        q *= length / np.linalg.norm(q)
        theta = np.concatenate([U, W.ravel()])

        def z(at):
            return at[:d] @ (softmax(X @ at[d:].reshape(d, d) @ q) @ X)

        hessian = differences(z, theta, 1e-4)
        norm = np.linalg.norm(hessian, 2)
        # Fourth derivatives are below 100 |U|, times h²/6; rounding 4e-16 |U|/h² = 4e-8 |U|.
        allowed = 1e-6 * (1 + np.linalg.norm(U)) * len(theta)
        assert hessian_norm(X @ W @ q, X, U, length) == pytest.approx(norm, abs=allowed)

    @given(u=st.floats(0, 50), x=st.floats(0, 0.99))
    def test_two_tokens(self, u, x):
        """(1 − x²)(ux + √(1 + u²x²)) for z = u tanh w, x = tanh w; 1 − x² for u = 0."""
        logit = math.atanh(x)
        expected = (1 - x * x) * (u * x + math.hypot(1, u * x))
        found = hessian_norm([logit, -logit], [[1.0], [-1.0]], [u])
        assert found == pytest.approx(expected, rel=1e-12)

    def test_attained(self):
        for u in (0.0, 0.2, 1.0, 7.0):
            logit = math.atanh(curvature_mean(u))
            assert hessian_norm([logit, -logit], [[1.0], [-1.0]], [u]) == pytest.approx(
                curvature(u), rel=1e-13
            )

    def test_edges(self):
        tokens = [[0.6, 0.8], [0.6, 0.8]]
        assert hessian_norm([3, 1], tokens, [5, 6]) == pytest.approx(0, abs=1e-15)
        assert hessian_norm([2.0], [[1.0]], [9.0]) == 0
        assert hessian_norm([0, 0], [[1.0], [-1.0]], [3.0], 0) == 0
        assert hessian_norm([0, 0], [[1.0], [-1.0]], [3.0], 0.25) == pytest.approx(0.25)
        assert hessian_norm(np.zeros((5, 2)), [[1.0], [-1.0]], [3.0]).shape == (5,)

    def test_query_scales_coupling_once_and_corner_twice(self):
        """q shrinks Δq: [[0, sM], [sM, s²C]]."""
        logits, tokens = [0.5, -0.5], [[1.0], [-1.0]]
        x = math.tanh(0.5)
        coupling, corner = (1 - x * x), 2 * 4 * x * (1 - x * x)
        found = hessian_norm(logits, tokens, [4.0], 0.5)
        assert found == pytest.approx(block_norm(0.5 * coupling, 0.25 * corner), rel=1e-13)


def differences(f, at, h):
    """The Hessian by central differences with step h."""
    size = len(at)
    steps = h * np.eye(size)
    hessian = np.empty((size, size))
    for i in range(size):
        for j in range(size):
            corners = ((1, 1, 1), (1, -1, -1), (-1, 1, -1), (-1, -1, 1))
            total = sum(s * f(at + a * steps[i] + b * steps[j]) for a, b, s in corners)
            hessian[i, j] = total / (4 * h * h)
    return hessian


class TestDeviations:
    """K bounds every law; laws with three atoms by an own search."""

    @given(
        y=st.lists(st.floats(-1, 1), min_size=3, max_size=3),
        p=st.lists(st.floats(0.01, 1), min_size=3, max_size=3),
        a=st.floats(0, 3),
        b=st.floats(0, 3),
    )
    def test_three_atoms(self, y, p, a, b):
        assume(a + b > 0.01)
        atoms, weights = np.array(y), np.array(p) / sum(p)
        S = atoms - weights @ atoms
        V = weights @ S**2
        value = weights @ (a * np.abs(S) + b * np.abs(S**2 - V))
        assert value <= largest_deviation(a, b) * (1 + 1e-14)


class TestLinearisation:
    @given(
        seed=st.integers(0, 2**32 - 1), rho=st.tuples(st.floats(0.1, 2), st.floats(0.1, 2), st.floats(0.1, 2))
    )
    def test_bounds_the_sine_network(self, seed, rho):
        rng = np.random.default_rng(seed)
        m, d, T = 4, 2, 3
        start = Heads(rng.choice([-1.0, 1.0], m), rng.standard_normal((m, d)),
                           rng.standard_normal((m, d, d)))  # fmt: skip
        move = [rng.standard_normal(one.shape) for one in (start.c, start.U, start.W)]
        norms = [np.linalg.norm(one.reshape(m, -1), axis=1) for one in move]
        c, U, W = (
            (radius / math.sqrt(m) / norm).reshape(-1, *(1,) * (one.ndim - 1)) * one
            for radius, norm, one in zip(rho, norms, move, strict=True)
        )
        moved = start + Heads(c, U, W)
        X = rng.standard_normal((2, T, d))
        X /= np.maximum(1, np.linalg.norm(X, axis=2, keepdims=True))
        inputs = Inputs(X, X[:, -1])
        error = np.abs(predict(moved, inputs, SINE) - linear_model(start, moved, inputs, SINE)).max()
        B = start.block_norms()[1].max() + rho[1] / math.sqrt(m)
        # |σ|, |σ'|, |σ"| ≤ 1 for the sine; a rounding error of a few units in the last place of 10.
        assert error <= linearisation_constant(*rho, B, 1, 1) / math.sqrt(m) + 1e-14

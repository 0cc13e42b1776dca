"""MLPs by unlike roads: exact rational arithmetic, the definitions, Jacobians, formula (2)."""

import itertools
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from mlp_cases import EPS, assert_close, literal_backpropagation_matrix, magnitudes, roundings, states

from numeric.networks import (
    MLP,
    Parameters,
    backpropagation_matrix,
    backpropagation_products,
    expected_ntk,
    forward_pass,
    jacobian,
    multiplier,
    ntk,
    ntk_from_jacobian,
    ntk_matrix,
)

# --- exact rational arithmetic -----------------------------------------------------------------


UNIT = 2**60  # weights are counted in parts of this, so that everything below is an integer


def exact_forward(mlp, matrices, x):
    """N(x, theta) and the preactivations, straight from Section 3.1, up to powers of two.

    The last result is the power by which the output is multiplied; all are Python's integers.
    """
    root = {1: 1, 4: 2, 16: 4}
    a, b, signal, hidden, power = int(2 * mlp.a), int(2 * mlp.b), x, [], 1
    for k, A in enumerate(matrices, start=1):
        z = [sum([w * s for w, s in zip(row, signal, strict=True)]) for row in A]
        power *= UNIT
        if k == mlp.depth:
            return z, hidden, power
        scale = int(4 * Fraction(mlp.m) ** int(mlp.q[k - 1] / 2))
        z = [scale * value for value in z]
        hidden += z
        signal = [a * value + b * abs(value) for value in z]
        power *= 4 * 2 * root[mlp.widths[k]]
    raise AssertionError


def exact_jacobian(mlp, matrices, x):
    """Difference quotients: N is linear in a single weight as long as no sign changes."""
    output, hidden, power = exact_forward(mlp, matrices, x)
    assume(all(hidden))
    signs, columns = [s > 0 for s in hidden], []
    for k, A in enumerate(matrices):
        for i, j in itertools.product(range(len(A)), range(len(A[0]))):
            A[i][j] += 1
            moved, kinks, _ = exact_forward(mlp, matrices, x)
            A[i][j] -= 1
            assert signs == [t > 0 for t in kinks], k
            steps = [s - t for s, t in zip(moved, output, strict=True)]
            columns.append([Fraction(step * UNIT, power) for step in steps])
    return [list(row) for row in zip(*columns, strict=True)]


@st.composite
def dyadic_networks(draw):
    """Widths 1, 4, 16, even q and m a power of 2: all roots and powers are dyadic."""
    hidden = draw(st.lists(st.sampled_from([1, 4, 16]), min_size=1, max_size=2))
    m = draw(st.sampled_from([m for m in (1, 2, 4) if not any(width % m for width in hidden)]))
    q = draw(st.lists(st.sampled_from([-2, 0, 2]), min_size=len(hidden) + 1, max_size=len(hidden) + 1))
    a, b = draw(st.sampled_from([(0, 1), (0.5, 0.5), (1, 0), (0.5, -1), (-1, 0.5)]))
    mlp = MLP((draw(st.integers(1, 2)), *hidden, draw(st.integers(1, 2))), a, b, q, m)
    # Entries of 5 bits, sums of 16, slopes of 2 bits: 11 bits a layer and the input's 3 make 36,
    # so N and its Jacobian are exact in float64.
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    shapes = zip(mlp.widths[1:], mlp.widths[:-1], strict=True)
    matrices = [rng.integers(-31, 32, size=shape) / 8 for shape in shapes]
    return mlp, matrices, rng.integers(-7, 8, size=(2, mlp.widths[0])).astype(float)


@given(dyadic_networks())
def test_output_and_jacobian_equal_exact_difference_quotients(case):
    mlp, matrices, x = case
    state = forward_pass(mlp, Parameters(matrices), x)
    counted = [[[int(w * UNIT) for w in row] for row in A] for A in matrices]
    points = [[int(s) for s in row] for row in x]
    exact = [exact_jacobian(mlp, counted, point) for point in points]
    outputs = []
    for point in points:
        values, _, power = exact_forward(mlp, counted, point)
        outputs.append([Fraction(value, power) for value in values])
    np.testing.assert_array_equal(state.output, np.array(outputs, dtype=float))
    np.testing.assert_array_equal(jacobian(state), np.array(exact, dtype=float))
    kernel = [
        [[[sum(map(Fraction.__mul__, r1, r2)) for r2 in J2] for r1 in J1] for J2 in exact] for J1 in exact
    ]
    size = ntk(magnitudes(state))
    assert_close(ntk(state), np.array(kernel, dtype=float), state, size)


# --- the definitions ---------------------------------------------------------------------------


@given(states())
def test_backpropagation_matrices_and_products_follow_definition_5(state):
    size = magnitudes(state)
    for k1, k2 in itertools.combinations_with_replacement(range(2, state.mlp.depth + 1), 2):
        B = backpropagation_matrix(state, k1, k2)
        sigma_ratio = state.mlp.sigma / size.mlp.sigma
        bound = sigma_ratio * backpropagation_matrix(size, k1, k2)
        naive = [literal_backpropagation_matrix(state, i, k1, k2) for i in range(len(B))]
        assert_close(B, np.array(naive), state, bound)
        products = [[np.trace(B1 @ B2.T) for B2 in naive] for B1 in naive]
        bound = sigma_ratio**2 * backpropagation_products(size, k1, k2)
        assert_close(backpropagation_products(state, k1, k2), np.array(products), state, bound)


@given(states())
def test_ntk_is_formula_2_and_its_mean_proposition_7(state):
    mlp, depth = state.mlp, state.mlp.depth
    head, power = state.parameters.layer(depth), [float(mlp.m) ** q for q in mlp.q]
    literal, mean = np.zeros_like(ntk(state)), np.zeros_like(ntk(state))
    for i, j in itertools.product(range(len(state.output)), repeat=2):
        X = [float(np.dot(state.activation(k)[i], state.activation(k)[j])) for k in range(1, depth + 1)]
        literal[i, j] = mean[i, j] = X[-1] * np.eye(mlp.widths[-1])
        for k in range(1, depth):
            B1, B2 = (literal_backpropagation_matrix(state, s, k + 1, depth) for s in (i, j))
            weight = (mlp.a**2 + mlp.b**2) * power[k - 1] * X[k - 1]
            literal[i, j] += weight * head @ B1 @ B2.T @ head.T
            scaled = power[k - 1] / power[-1] * X[k - 1] * np.trace(B1 @ B2.T)
            mean[i, j] += scaled * np.eye(mlp.widths[-1])
    size = magnitudes(state)
    assert_close(ntk(state), literal, state, ntk(size))
    bound = (mlp.sigma / size.mlp.sigma) ** 2 * expected_ntk(size)
    assert_close(expected_ntk(state), mean, state, np.maximum(bound, expected_ntk(size)))


@given(states())
def test_ntk_equals_jacobian_times_its_adjoint_kinks_and_dead_layers_included(state):
    kernel = ntk(state)
    size = ntk(magnitudes(state))
    assert_close(kernel, ntk_from_jacobian(jacobian(state)), state, size)
    np.testing.assert_array_equal(kernel, np.transpose(kernel, (1, 0, 3, 2)))


@given(states())
def test_ntk_matrix_is_gram_of_the_stacked_jacobian(state):
    J = jacobian(state)
    n, p = J.shape[:2]
    stacked = J.reshape(n * p, -1) / n**0.5
    matrix = ntk_matrix(ntk(state))
    size = ntk_matrix(ntk(magnitudes(state)))
    assert_close(matrix, stacked @ stacked.T, state, size)
    # Weyl: an error E moves eigenvalues by at most |E| <= the Frobenius norm of its bound.
    slack = roundings(state.mlp) * np.linalg.norm(size) + n * p * EPS * np.linalg.norm(matrix)
    assert np.linalg.eigvalsh(matrix)[0] >= -slack


@given(states())
def test_jacobian_of_a_layer_applied_to_that_layer_gives_the_output(state):
    """N is linear in each A_k while signs stay: Euler's identity, block by block."""
    J, theta = jacobian(state), state.parameters.flatten()
    ends = np.cumsum([A.size for A in state.parameters.matrices])
    size = magnitudes(state).output
    for start, end in itertools.pairwise([0, *ends]):
        assert_close(J[..., start:end] @ theta[start:end], state.output, state, size)


@given(states(), st.integers(-8, 8), st.integers(-8, 8))
def test_output_and_ntk_are_positively_homogeneous(state, first, second):
    """Powers of two commute with rounding, so equality is exact."""
    scales = np.resize([2.0**first, 2.0**second], len(state.output))
    scaled = forward_pass(state.mlp, state.parameters, scales[:, None] * state.activation(1))
    np.testing.assert_array_equal(scaled.output, scales[:, None] * state.output)
    factor = np.multiply.outer(scales, scales)[..., None, None]
    np.testing.assert_array_equal(ntk(scaled), factor * ntk(state))


def test_uniform_scaling_leaves_the_kernel_and_shrinks_the_output():
    """With m = 4 and q = 3, m^{q/2} = 8 is exact: the same normals give the same kernel."""
    x = np.array([[1.0, 2.0], [-0.5, 0.25]])
    plain, rich = (MLP((2, 8, 4, 3), 0.5, 1, q=q, m=4) for q in (0, 3))
    state, scaled = (forward_pass(mlp, mlp.sample(np.random.default_rng(1)), x) for mlp in (plain, rich))
    np.testing.assert_array_equal(ntk(scaled), ntk(state))
    np.testing.assert_array_equal(expected_ntk(scaled), expected_ntk(state))
    np.testing.assert_array_equal(8 * scaled.output, state.output)


def test_default_unit_is_the_greatest_common_divisor():
    mlp = MLP((3, 12, 18, 2), 0, 1)
    assert (mlp.m, mlp.gammas, mlp.depth) == (6, (2, 3), 3)
    assert MLP((3, 12, 18, 2), 0, 1, m=2).gammas == (6, 9)
    assert MLP((3, 12, 18, 2), 0, 1, q=[1, 2, 3]).scale(2) == pytest.approx(6, rel=4 * EPS)


def test_multiplier_applies_matrices_and_has_the_stated_gram():
    rng = np.random.default_rng(3)
    x, y, A = rng.integers(-9, 9, 4), rng.integers(-9, 9, 4), rng.integers(-9, 9, (3, 4))
    operator = multiplier(x.astype(float), 3)
    np.testing.assert_array_equal(operator @ A.ravel(), A @ x)
    np.testing.assert_array_equal(operator @ multiplier(y.astype(float), 3).T, np.dot(x, y) * np.eye(3))


# Norms and cosines of activations, their edges: tiny, parallel and zero inputs, dead layers.


@given(states())
def test_norms_cosines_and_distances_agree_with_inner_products(state):
    for k in range(1, state.mlp.depth + 1):
        X, tau = state.inner_products(k), state.norms(k)
        bound = roundings(state.mlp)
        np.testing.assert_allclose(tau**2, np.diag(X), rtol=bound, atol=0)
        cosines = state.cosines(k, undefined=0)
        assert (np.abs(cosines) <= 1).all()
        assert (np.abs(np.multiply.outer(tau, tau) * cosines - X) <= bound * np.outer(tau, tau)).all()
        if (tau > 0).all():
            np.testing.assert_array_equal(state.cosines(k), cosines)
            z = state.squared_cosine_distances(k)
            assert ((z >= 0) & (z <= 1)).all()
            np.testing.assert_allclose(1 - 2 * z, cosines, rtol=0, atol=bound)


def test_squared_cosine_distance_keeps_its_digits_near_parallel_inputs():
    """For the angle t, z = sin^2(t/2); at t = 1e-9 the cosine itself rounds to 1."""
    angle = 1e-9
    x = np.array([[1.0, 0.0], [np.cos(angle), np.sin(angle)]])
    mlp = MLP((2, 1, 1), 0, 1)
    state = forward_pass(mlp, mlp.sample(np.random.default_rng(0)), x)
    assert state.squared_cosine_distances(1)[0, 1] == pytest.approx(np.sin(angle / 2) ** 2, rel=8 * EPS)


def test_norms_and_cosines_survive_tiny_inputs():
    mlp = MLP((2, 1, 1), 0, 1)
    state = forward_pass(mlp, mlp.sample(np.random.default_rng(0)), [[3e-200, 4e-200], [0, 1e-180]])
    np.testing.assert_allclose(state.norms(1), [5e-200, 1e-180], rtol=4 * EPS)
    assert state.cosines(1)[0, 1] == pytest.approx(0.8, rel=4 * EPS)


def test_cosine_of_a_vanishing_activation_is_refused_unless_a_value_is_chosen():
    relu = MLP((1, 2, 1), 0.5, 0.5)
    theta = Parameters([[[1.0], [1.0]], [[1.0, 1.0]]])
    state = forward_pass(relu, theta, [[1.0], [-1.0]])
    for method in (state.cosines, state.unit_activations, state.squared_cosine_distances):
        with pytest.raises(ValueError, match=r"layer 2 must not vanish, got zero at index \(1,\)"):
            method(2)
    np.testing.assert_allclose(state.cosines(2, undefined=7.0), [[1, 7], [7, 7]], rtol=2 * EPS)


def test_a_dead_layer_cuts_the_gradients_below_and_sets_the_slope_a_above():
    """Layer 2 is dead: nothing below moves the output; above, phi'(0) = a in every unit."""
    relu = MLP((1, 2, 3, 2, 1), 0.5, 0.5)
    rng = np.random.default_rng(0)
    theta = relu.sample(rng).replace(2, -np.ones((3, 2))).replace(1, np.ones((2, 1)))
    state = forward_pass(relu, theta, [[1.0]])
    assert not ntk(state).any()
    assert not expected_ntk(state).any()
    assert not backpropagation_matrix(state, 2, 3).any()
    # 1 - Delta = a^2/(a^2 + b^2) = 1/2: varrho' never takes part where no cosine exists.
    assert backpropagation_products(state, 4, 4)[0, 0] == pytest.approx(0.5, rel=8 * EPS)

"""The IndRNN: states, gradients against complex steps and closed sums, initialisation."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from transformer_cases import COMPLEX
from trying import each

from numeric.networks.recurrent import (
    RecurrentParameters,
    hidden_states,
    jacobian_in_w,
    recurrent_initialisation,
    recurrent_loss_and_gradient,
    recurrent_predict,
)
from numeric.networks.transformer import ACTIVATIONS, SINE, TANH

RNG = np.random.default_rng
EPS = np.finfo(float).eps


def sampled(n, T, d, m, seed, scale=1.0):
    rng = RNG(seed)
    shapes = ((m, d), (m,), (m,))
    parameters = RecurrentParameters(*(scale * rng.standard_normal(shape) for shape in shapes))
    return parameters, rng.standard_normal((n, T, d))


CASES = st.builds(
    sampled,
    n=st.integers(1, 4),
    T=st.integers(1, 7),
    d=st.integers(1, 3),
    m=st.integers(1, 4),
    seed=st.integers(0, 10**6),
    scale=st.sampled_from([0.1, 0.7, 1.3]),
)


def unit(U, w, tokens, sigma):
    """h_T of one unit at one sample; entries may be complex."""
    h = 0
    for x in tokens:
        h = sigma(U @ x + w * h)
    return h


def allowed(phi, tokens):
    """Rounding of h_T and its derivatives: each step multiplies errors by at most 1 + |w|."""
    growth = (1 + abs(phi.w).max()) ** (2 * tokens.shape[1])
    return 200 * EPS * growth * (1 + abs(tokens).max()) * (1 + abs(phi.U).max()) * 10


class TestAgainstTheRecursionWrittenOut:
    @given(CASES, st.sampled_from(sorted(COMPLEX)))
    def test_output(self, case, name):
        phi, tokens = case
        expected = [
            sum(c * unit(U, w, X, COMPLEX[name]) for U, w, c in zip(phi.U, phi.w, phi.c, strict=True))
            / np.sqrt(phi.m)
            for X in tokens
        ]
        found = recurrent_predict(phi, tokens, ACTIVATIONS[name])
        slack = allowed(phi, tokens) * (1 + abs(phi.c).sum())
        assert found == pytest.approx(expected, abs=slack)
        states = hidden_states(phi, tokens, ACTIVATIONS[name])
        assert states.shape == (tokens.shape[1] + 1, len(tokens), phi.m)
        assert (states[0] == 0).all()
        assert states[-1] @ phi.c / np.sqrt(phi.m) == pytest.approx(expected, abs=slack)

    @given(CASES, st.sampled_from(sorted(COMPLEX)))
    def test_jacobian_by_complex_steps(self, case, name):
        phi, tokens = case
        found = jacobian_in_w(phi, tokens, ACTIVATIONS[name])
        for j, X in enumerate(tokens):
            for i in range(phi.m):
                step = 1e-40j
                moved = unit(phi.U[i], phi.w[i] + step, X, COMPLEX[name])
                expected = moved.imag / abs(step)
                slack = allowed(phi, tokens)
                assert found[j, i] == pytest.approx(expected, abs=slack)

    @given(CASES, st.integers(0, 10**6))
    def test_gradient_of_the_loss_by_complex_steps(self, case, seed):
        phi, tokens = case
        rng = RNG(seed)
        labels = rng.standard_normal(len(tokens))
        direction = sampled(1, 1, phi.U.shape[1], phi.m, seed)[0]
        step = 1e-40j
        moved = (phi.U + step * direction.U, phi.w + step * direction.w, phi.c + step * direction.c)
        outputs = [sum(c * unit(U, w, X, np.tanh) for U, w, c in zip(*moved, strict=True)) for X in tokens]
        errors = np.array(outputs) / np.sqrt(phi.m) - labels
        expected = np.mean(errors**2).imag / abs(step)
        found = recurrent_loss_and_gradient(phi, tokens, labels, TANH)
        paired = (
            (found.gradient.U * direction.U).sum()
            + found.gradient.w @ direction.w
            + found.gradient.c @ direction.c
        )
        scale = 1 + abs(phi.c).sum() + sum(abs(one).sum() for one in vars(direction).values())
        slack = allowed(phi, tokens) * scale**2 * (1 + abs(labels).max())
        assert paired == pytest.approx(expected, abs=slack)
        assert found.loss == pytest.approx(np.mean(errors.real**2), rel=1e-12, abs=slack)
        assert found.residuals == pytest.approx(errors.real, abs=slack)
        jacobians = phi.c / np.sqrt(phi.m) * jacobian_in_w(phi, tokens, TANH)
        assert found.mean_jacobian == pytest.approx(jacobians.mean(axis=0), abs=slack)


class TestClosedForms:
    @given(st.floats(-1.2, 1.2), st.integers(1, 12))
    def test_a_nearly_linear_unit(self, w, T):
        """For sigma(s) about s: h_T = sum w^(T-t) x_t and dh_T/dw = sum (T-t) w^(T-t-1) x_t."""
        small = 1e-6
        x = small * RNG(T).standard_normal(T)
        phi = RecurrentParameters([[1.0]], [w], [1.0])
        powers = np.arange(T - 1, -1, -1)
        # sin(s) = s up to s^3/6, relative to s; the sums have terms of size 1.2^12 T.
        slack = T * T * 1.2 ** (3 * T) * (40 * small) ** 3
        output = recurrent_predict(phi, x[None, :, None], SINE)[0]
        assert output == pytest.approx(float(w) ** powers @ x, abs=slack + 1e-18)
        derivative = jacobian_in_w(phi, x[None, :, None], SINE)[0, 0]
        factors = powers * float(w) ** np.maximum(powers - 1, 0)
        assert derivative == pytest.approx(factors @ x, abs=slack + 1e-17)

    def test_one_step_does_not_see_w(self):
        phi, tokens = sampled(3, 1, 2, 4, seed=1)
        assert (jacobian_in_w(phi, tokens, TANH) == 0).all()
        assert recurrent_predict(phi, tokens, TANH) == pytest.approx(
            np.tanh(tokens[:, 0] @ phi.U.T) @ phi.c / 2, abs=20 * EPS
        )

    @given(CASES)
    def test_bound_of_the_jacobian(self, case):
        """|dh_T/dw| <= sigma_0 sigma_1 sum_{k <= T-2} (sigma_1 |w|)^k; for tanh both are 1."""
        phi, tokens = case
        T = tokens.shape[1]
        bound = sum(abs(phi.w) ** k for k in range(T - 1)) if T > 1 else np.zeros(phi.m)
        assert (abs(jacobian_in_w(phi, tokens, TANH)) <= bound * (1 + 1e-12)).all()


class TestChunks:
    def test_samples_one_by_one(self):
        phi, tokens = sampled(1030, 5, 2, 3, seed=2)
        labels = RNG(3).standard_normal(len(tokens))
        found = recurrent_loss_and_gradient(phi, tokens, labels, TANH)
        parts = [recurrent_loss_and_gradient(phi, tokens[[j]], labels[[j]], TANH) for j in range(len(tokens))]
        assert found.loss == pytest.approx(np.mean([one.loss for one in parts]), rel=1e-12)
        for name in ("U", "w", "c"):
            each = np.array([getattr(one.gradient, name) for one in parts])
            slack = 4 * len(tokens) * EPS * abs(each).max()
            assert getattr(found.gradient, name) == pytest.approx(each.mean(axis=0), abs=slack)
        jacobians = np.array([one.mean_jacobian for one in parts])
        slack = 4 * len(tokens) * EPS * abs(jacobians).max()
        assert found.mean_jacobian == pytest.approx(jacobians.mean(axis=0), abs=slack)


class TestSymmetricInitialisation:
    @given(st.integers(1, 30), st.integers(1, 4), st.integers(0, 1000))
    def test_pairs_and_a_zero_output(self, half, d, seed):
        phi = recurrent_initialisation(2 * half, d, 0.7, RNG(seed))
        assert (abs(phi.w) == 0.7).all()
        assert (abs(phi.c) == 1).all()
        assert (phi.c[half:] == -phi.c[:half]).all()
        assert (phi.w[half:] == phi.w[:half]).all()
        assert (phi.U[half:] == phi.U[:half]).all()
        tokens = RNG(seed).standard_normal((3, 5, d))
        # Terms cancel in pairs; the partial sums are below m.
        slack = 2 * half * EPS * np.sqrt(half)
        assert recurrent_predict(phi, tokens, TANH) == pytest.approx(0, abs=slack)

    def test_laws(self):
        """Means and squares at seven deviations: false alarms below 1e-11 each."""
        phi = recurrent_initialisation(4000, 10, 2.0, RNG(0))
        U = phi.U[:2000]
        assert abs(U.mean()) < 7 / np.sqrt(U.size)
        assert abs(np.mean(U**2) - 1) < 7 * np.sqrt(2 / U.size)
        assert abs(phi.w[:2000].mean()) < 7 * 2 / np.sqrt(2000)
        assert abs(phi.c[:2000].mean()) < 7 / np.sqrt(2000)
        # The signs of w and c are independent.
        assert abs(np.mean(phi.w[:2000] * phi.c[:2000])) < 7 * 2 / np.sqrt(2000)


def test_moves_of_all_blocks():
    phi, psi = (sampled(1, 1, 2, 3, seed)[0] for seed in (4, 5))
    moved = phi.moved(psi, 0.5)
    for name in "Uwc":
        start, step = getattr(phi, name), getattr(psi, name)
        assert (getattr(moved, name) == start + 0.5 * step).all()
        assert (getattr(phi - psi, name) == start - step).all()


PHI = RecurrentParameters([[1.0]], [1.0], [1.0])
REFUSALS = {
    "odd": (lambda: recurrent_initialisation(3, 1, 1.0, RNG(0)), "m must be even, got 3"),
    "gamma": (lambda: recurrent_initialisation(2, 1, 0.0, RNG(0)), "gamma must lie in (0, inf"),
    "d": (lambda: recurrent_initialisation(2, 0, 1.0, RNG(0)), "d must be a positive integer"),
    "w": (lambda: RecurrentParameters([[1.0]], [1.0, 2.0], [1.0]), "w must have shape (1,)"),
    "c": (lambda: RecurrentParameters([[1.0]], [1.0], [np.nan]), "c must lie in"),
    "no unit": (lambda: RecurrentParameters(np.zeros((0, 1)), [], []), "U must have at least"),
    "tokens": (lambda: recurrent_predict(PHI, [[[1.0, 2.0]]], TANH), "tokens must have shape"),
    "no token": (lambda: hidden_states(PHI, np.zeros((1, 0, 1)), TANH), "tokens must have at"),
    "labels": (
        lambda: recurrent_loss_and_gradient(PHI, [[[1.0]]], [1.0, 2.0], TANH),
        "labels must have shape (1,)",
    ),
    "direction": (
        lambda: PHI - RecurrentParameters([[1.0, 2.0]], [1.0], [1.0]),
        "direction must have U of shape (1, 1), got (1, 2)",
    ),
}


@each("call, complaint", *REFUSALS.values())
def test_refusals(call, complaint):
    with pytest.raises(ValueError, match=re.escape(complaint)):
        call()

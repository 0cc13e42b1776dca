"""The shallow transformer: output and gradients against the model written out, extremes, speed."""

import re

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from transformer_cases import CASES, COMPLEX, blocks, sampled, written_out
from trying import each

from numeric.networks.transformer import (
    ACTIVATIONS,
    ERF,
    LOGISTIC,
    SINE,
    TANH,
    Heads,
    Inputs,
    attend,
    directional_derivative,
    features,
    gradients,
    last_token,
    linear_model,
    loss_and_gradient,
    predict,
    sample_heads,
    symmetric_initialisation,
)

RNG = np.random.default_rng
EPS = np.finfo(float).eps
# Sums of at most a few hundred terms, each of size at most `scale`, in two orders.
ROUNDINGS = 2000 * EPS


def size(parameters, inputs):
    """A bound of f and of its derivatives in our cases, where |sigma|, |sigma'| <= 1.2."""
    longest = 1 + np.linalg.norm(inputs.tokens, axis=2).max() ** 2
    norms = 1 + parameters.block_norms().max(axis=1)
    return 2 * np.prod(norms) * longest * (1 + np.linalg.norm(inputs.queries, axis=1).max())


class TestAgainstTheFormulaWrittenOut:
    @given(CASES, st.sampled_from(sorted(COMPLEX)))
    def test_output(self, case, name):
        phi, inputs = case
        expected = [
            written_out(*blocks(phi), X, q, COMPLEX[name])
            for X, q in zip(inputs.tokens, inputs.queries, strict=True)
        ]
        found = predict(phi, inputs, ACTIVATIONS[name])
        assert found == pytest.approx(expected, rel=0, abs=ROUNDINGS * size(phi, inputs))

    @given(CASES, st.sampled_from(sorted(COMPLEX)), st.integers(0, 10**6))
    def test_gradients_by_complex_steps(self, case, name, seed):
        """The imaginary part of f at phi + i h psi is h times the derivative, up to h^3."""
        phi, inputs = case
        psi, _ = sampled(1, 1, phi.d, phi.m, seed)
        step = 1e-40
        shifted = [a + 1j * step * b for a, b in zip(blocks(phi), blocks(psi), strict=True)]
        expected = [
            written_out(*shifted, X, q, COMPLEX[name]).imag / step
            for X, q in zip(inputs.tokens, inputs.queries, strict=True)
        ]
        found = gradients(phi, inputs, ACTIVATIONS[name])
        paired = sum(
            (g * b).reshape(inputs.n, -1).sum(axis=1) for g, b in zip(blocks(found), blocks(psi), strict=True)
        )
        allowed = ROUNDINGS * size(phi, inputs) * size(psi, inputs)
        assert paired == pytest.approx(expected, rel=0, abs=allowed)
        fast = directional_derivative(phi, psi, inputs, ACTIVATIONS[name])
        assert fast == pytest.approx(expected, rel=0, abs=allowed)

    @given(CASES)
    def test_attention(self, case):
        phi, inputs = case
        attention = attend(phi.W, inputs)
        assert attention.weights.min() >= 0
        assert attention.weights.sum(axis=2) == pytest.approx(1, abs=10 * EPS)
        second = np.einsum("nmt,ntk,ntl->nmkl", attention.weights, inputs.tokens, inputs.tokens)
        outer = attention.means[..., None] * attention.means[:, :, None]
        scale = size(phi, inputs)
        assert attention.covariances == pytest.approx(second - outer, abs=ROUNDINGS * scale)
        products = np.einsum("nmkl,ml->nmk", attention.covariances, phi.U)
        assert attention.spreads(phi.U) == pytest.approx(products, abs=ROUNDINGS * scale)


class TestLossAndGradient:
    @given(CASES, st.integers(0, 10**6))
    def test_is_the_mean_over_samples(self, case, seed):
        phi, inputs = case
        labels = RNG(seed).standard_normal(inputs.n)
        found = loss_and_gradient(phi, inputs, labels, TANH)
        residuals = predict(phi, inputs, TANH) - labels
        allowed = ROUNDINGS * size(phi, inputs) ** 2
        assert found.residuals == pytest.approx(residuals, abs=allowed)
        assert found.loss == pytest.approx(np.mean(residuals**2), rel=1e-12)
        each = gradients(phi, inputs, TANH)
        for block, one in zip(blocks(found.gradient), blocks(each), strict=True):
            expected = 2 * np.tensordot(residuals, one, 1) / inputs.n
            assert block == pytest.approx(expected, abs=allowed)
        assert found.mean_jacobian == pytest.approx(each.W.mean(axis=0), abs=allowed)

    @each("n, T, d, m", (1, 1, 1, 2), (255, 3, 2, 4), (257, 16, 3, 64), (600, 7, 2, 6), (3, 2, 1, 70_000))
    def test_blocks_do_not_show(self, n, T, d, m):
        """Sizes around the ends of chunks (256 samples) and blocks (2^18 floats)."""
        phi, inputs = sampled(n, T, d, m, seed=n)
        labels = RNG(1).standard_normal(n)
        found = loss_and_gradient(phi, inputs, labels, TANH)
        # Each block alone: the mean over the whole is that over the samples one by one.
        parts = [loss_and_gradient(phi, inputs.take([j]), labels[[j]], TANH) for j in range(n)]
        assert found.loss == pytest.approx(np.mean([one.loss for one in parts]), rel=1e-12)
        for name in ("c", "U", "W"):
            expected = np.mean([getattr(one.gradient, name) for one in parts], axis=0)
            largest = np.max([abs(getattr(one.gradient, name)).max() for one in parts])
            # n additions in another order, and sums over m heads in the residuals.
            allowed = (4 * n + 100 + np.sqrt(m)) * EPS * largest
            assert abs(getattr(found.gradient, name) - expected).max() <= allowed, name

    @each("threads", 2, 3, 5)
    def test_threads_change_nothing(self, threads):
        phi, inputs = sampled(1100, 5, 3, 40, seed=0)
        labels = RNG(1).standard_normal(inputs.n)
        one = loss_and_gradient(phi, inputs, labels, TANH, threads=1)
        several = loss_and_gradient(phi, inputs, labels, TANH, threads=threads)
        assert one.loss == several.loss
        for a, b in zip(blocks(one.gradient), blocks(several.gradient), strict=True):
            assert (a == b).all()
        assert (one.mean_jacobian == several.mean_jacobian).all()
        assert (predict(phi, inputs, TANH, 1) == predict(phi, inputs, TANH, threads)).all()

    def test_many_heads_are_summed_in_parts(self):
        phi, inputs = sampled(3, 4, 2, 600, seed=2)
        parts = [phi.heads(k, k + 100) for k in range(0, 600, 100)]
        expected = sum(predict(part, inputs, TANH) for part in parts) / np.sqrt(6)
        assert predict(phi, inputs, TANH) == pytest.approx(expected, abs=600 * EPS * 10)


class TestExtremes:
    @each("scale", 1e2, 1e4, 1e150)
    def test_huge_logits_pick_one_token(self, scale):
        tokens = np.array([[[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]]])
        inputs = Inputs(tokens, [[1.0, 0.0]])
        phi = Heads([1.0, 1.0], [[2.0, 3.0]] * 2, scale * np.array([np.eye(2), -np.eye(2)]))
        # The logits are scale (1, 0, -1) and their negatives.
        expected = (np.tanh(2) + np.tanh(-2)) / np.sqrt(2)
        assert predict(phi, inputs, TANH) == pytest.approx(expected, abs=4 * EPS)
        found = loss_and_gradient(phi, inputs, [1.0], TANH)
        # M U vanishes up to e^-100.
        assert abs(found.gradient.W).max() < 1e-15
        assert attend(phi.W, inputs).weights[0, 0].tolist() == pytest.approx([1, 0, 0], abs=1e-43)

    @each("scale", 1.0, 290.0, 310.0, 700.0)
    def test_both_sides_of_the_switch_to_shifted_exponentials(self, scale):
        """Logits up to 300 are exponentiated as they are; against forty digits."""
        phi, inputs = sampled(1, 5, 2, 2, seed=3)
        W = phi.W * scale / abs(inputs.tokens @ (phi.W @ inputs.queries[0]).T).max()
        moved = Heads(phi.c, phi.U, W)
        with mpmath.workdps(40):
            total = mpmath.mpf(0)
            for c, U, one in zip(*blocks(moved), strict=True):
                rows = [[mpmath.mpf(float(e)) for e in row] for row in inputs.tokens[0]]
                key = [sum(mpmath.mpf(a) * b for a, b in zip(r, inputs.queries[0], strict=True))
                       for r in one]  # fmt: skip
                terms = [mpmath.exp(sum(x * k for x, k in zip(r, key, strict=True))) for r in rows]
                heights = [sum(x * mpmath.mpf(u) for x, u in zip(r, U, strict=True)) for r in rows]
                mean = sum(e * s for e, s in zip(terms, heights, strict=True)) / sum(terms)
                total += mpmath.mpf(c) * mpmath.tanh(mean)
            expected = float(total / mpmath.sqrt(2))
        # A logit of size `scale` is rounded by scale eps (a few times), which moves the mean as
        # much, times the size of the heights and of c.
        allowed = 10 * scale * EPS * abs(phi.c).sum() * size(phi, inputs)
        assert predict(moved, inputs, TANH)[0] == pytest.approx(expected, abs=allowed)

    @each("scale", 1e-3, 1e3, 1e6)
    def test_huge_tokens_and_huge_matrices(self, scale):
        """The logits are 10^6 whatever the tokens, too large to be exponentiated as they are."""
        inputs = Inputs([[[scale], [-scale], [0.0]]], [[1.0]])
        phi = Heads([1.0], [[1 / scale]], [[[1e6 / scale]]])
        assert predict(phi, inputs, TANH) == pytest.approx(np.tanh(1.0), rel=4 * EPS)

    def test_one_token_has_no_covariance(self):
        phi, inputs = sampled(4, 1, 3, 2, seed=4)
        assert (attend(phi.W, inputs).weights == 1).all()
        assert abs(gradients(phi, inputs, TANH).W).max() == 0
        assert abs(loss_and_gradient(phi, inputs, np.ones(4), TANH).gradient.W).max() < 100 * EPS

    def test_equal_tokens(self):
        """Every mean is the token, whatever the logits."""
        phi, _ = sampled(1, 1, 2, 3, seed=5)
        x = np.array([0.3, -0.4])
        inputs = last_token(np.broadcast_to(x, (1, 9, 2)))
        expected = phi.c @ np.tanh(phi.U @ x) / np.sqrt(3)
        assert predict(phi, inputs, TANH)[0] == pytest.approx(expected, abs=20 * EPS)


class TestSymmetricInitialisation:
    @given(st.integers(1, 40), st.integers(1, 5), st.integers(0, 1000))
    def test_pairs_and_a_zero_output(self, half, d, seed):
        phi = symmetric_initialisation(2 * half, d, RNG(seed))
        assert (phi.c[half:] == -phi.c[:half]).all()
        assert (abs(phi.c) == 1).all()
        assert (phi.U[half:] == phi.U[:half]).all()
        assert (phi.W[half:] == phi.W[:half]).all()
        inputs = last_token(RNG(seed).standard_normal((3, 4, d)))
        # Terms cancel in pairs; the partial sums are below m.
        assert predict(phi, inputs, TANH) == pytest.approx(0, abs=2 * half * EPS * np.sqrt(half))

    def test_laws(self):
        """Moments of 10^5 entries at seven deviations: false alarms below 1e-11 each."""
        phi = symmetric_initialisation(2000, 10, RNG(7))
        for block in (phi.U[:1000], phi.W[:1000]):
            reach = 7 / np.sqrt(block.size)
            assert abs(block.mean()) < reach
            assert abs(np.mean(block**2) - 1) < reach * np.sqrt(2)
            assert abs(np.mean(block**4) - 3) < reach * np.sqrt(96)
        assert abs(phi.c[:1000].mean()) < 7 / np.sqrt(1000)


class TestLinearModel:
    @given(CASES, st.integers(0, 10**6))
    def test_is_the_tangent(self, case, seed):
        phi, inputs = case
        psi, _ = sampled(1, 1, phi.d, phi.m, seed)
        start = predict(phi, inputs, TANH)
        assert (linear_model(phi, phi, inputs, TANH) == start).all()
        once, twice = (linear_model(phi, phi + k * psi, inputs, TANH) - start for k in (1.0, 2.0))
        allowed = ROUNDINGS * size(phi, inputs) * size(psi, inputs)
        assert twice == pytest.approx(2 * once, abs=allowed)
        # The second difference: h^2 times a second derivative in (phi + h psi), and roundings / h.
        h = 1e-4
        ahead = predict(phi + h * psi, inputs, TANH) - predict(phi - h * psi, inputs, TANH)
        bound = (size(phi, inputs) * size(psi, inputs)) ** 3
        slack = h * h * bound + ROUNDINGS * bound / h
        assert once == pytest.approx(ahead / (2 * h), abs=slack)

    def test_features_are_gradients_without_signs(self):
        phi, inputs = sampled(3, 4, 2, 5, seed=8)
        ones = Heads(np.ones(5), phi.U, phi.W)
        for a, b in zip(
            blocks(features(phi, inputs, ERF)), blocks(gradients(ones, inputs, ERF)), strict=True
        ):
            assert a == pytest.approx(np.sqrt(5) * b, rel=8 * EPS)


#: Where |sigma'| and |sigma''| are largest.
LARGEST_AT = {
    "tanh": (0, np.arctanh(3**-0.5)),
    "erf": (0, 0.5**0.5),
    "logistic": (0, np.log(2 + 3**0.5)),
    "sine": (0, np.pi / 2),
}


class TestActivations:
    GRID = np.concatenate([np.linspace(-8, 8, 4001), [-1e3, 1e3, -40, 40, 1e-9]])

    @each("one", *ACTIVATIONS.values())
    def test_sup_norms_are_attained_and_not_exceeded(self, one):
        for order, function in enumerate((one.value, one.first, one.second)):
            assert abs(function(self.GRID)).max() <= one.bounds[order] * (1 + 4 * EPS)
        for order, at in enumerate(LARGEST_AT[one.name], start=1):
            reached = abs((one.value, one.first, one.second)[order](np.array([at])))
            assert reached == pytest.approx(one.bounds[order], rel=8 * EPS)
        far = np.array([np.pi / 2 if one is SINE else 60.0])
        assert one.value(far) == pytest.approx(one.bounds[0], rel=2 * EPS)

    @each("one", *ACTIVATIONS.values())
    def test_derivatives(self, one):
        with mpmath.workdps(40):
            exact = {
                "tanh": mpmath.tanh,
                "erf": mpmath.erf,
                "sine": mpmath.sin,
                "logistic": lambda s: 1 / (1 + mpmath.exp(-s)),
            }[one.name]
            for s in (-3.0, -0.7, 0.0, 1e-3, 0.5, 2.0, 12.0):
                for order, function in enumerate((one.value, one.first, one.second)):
                    expected = float(mpmath.diff(exact, s, order))
                    found = float(function(np.array([s]))[0])
                    # mpmath's differences have 40 - 2 * 20 / 3 digits; e^(-s^2) loses s^2 eps.
                    allowed = 200 * EPS * abs(expected) + 1e-17
                    assert found == pytest.approx(expected, abs=allowed), (s, order)

    @each("one", *ACTIVATIONS.values())
    def test_slope_from_the_value(self, one):
        found = one.slope(self.GRID, one.value(self.GRID))
        assert found == pytest.approx(one.first(self.GRID), abs=4 * EPS)

    def test_names(self):
        assert ACTIVATIONS == {"tanh": TANH, "erf": ERF, "logistic": LOGISTIC, "sine": SINE}


PHI = Heads([1.0], [[1.0, 0.0]], [np.eye(2)])
X = Inputs([[[1.0, 0.0]]], [[1.0, 0.0]])

REFUSALS = {
    "c of two axes": (lambda: Heads([[1.0]], [[1.0]], [[[1.0]]]), "c must have shape (m,)"),
    "U of other length": (lambda: Heads([1.0], [[1.0]] * 2, [[[1.0]]]), "U must have shape"),
    "W not square": (lambda: Heads([1.0], [[1.0]], [[[1.0, 2.0]]]), "W must have shape"),
    "no heads": (lambda: Heads([], np.zeros((0, 1)), np.zeros((0, 1, 1))), "c must have at"),
    "infinite": (lambda: Heads([np.inf], [[1.0]], [[[1.0]]]), "c must lie in"),
    "nan token": (lambda: Inputs([[[np.nan]]], [[1.0]]), "tokens must lie in"),
    "no tokens": (lambda: Inputs(np.zeros((1, 0, 1)), [[1.0]]), "tokens must have at least one"),
    "queries": (lambda: Inputs([[[1.0]]], [[1.0, 2.0]]), "queries must have shape"),
    "odd m": (lambda: symmetric_initialisation(3, 2, RNG(0)), "m must be even, got 3"),
    "m zero": (lambda: symmetric_initialisation(0, 2, RNG(0)), "m must be a positive integer"),
    "d zero": (lambda: sample_heads(1, 0, RNG(0)), "d must be a positive integer"),
    "dimensions": (lambda: predict(PHI, last_token([[[1.0]]]), TANH), "inputs must have dimension"),
    "labels": (lambda: loss_and_gradient(PHI, X, [1.0, 2.0], TANH), "labels must have shape"),
    "threads": (lambda: predict(PHI, X, TANH, threads=0), "threads must be a positive"),
    "sample": (lambda: X.take([1]), "samples must be an integer in [0, 0], got 1"),
    "heads": (lambda: PHI.heads(0, 2), "last must be an integer in [1, 1], got 2"),
    "another space": (lambda: PHI + Heads([1.0], [[1.0]], [[[1.0]]]), "other must be"),
    "factor": (lambda: np.inf * PHI.inner(PHI) and float("nan") * PHI, "factor must lie in"),
    "attend": (lambda: attend(np.zeros((1, 3, 3)), X), "W must have shape"),
}


@each("call, complaint", *REFUSALS.values())
def test_refusals(call, complaint):
    with pytest.raises(ValueError, match=re.escape(complaint)):
        call()


def test_a_seed_is_no_generator():
    with pytest.raises(TypeError, match=r"rng must be a numpy\.random\.Generator"):
        symmetric_initialisation(2, 1, 0)


def test_parameters_are_a_vector_space():
    phi, _ = sampled(1, 1, 2, 3, seed=9)
    psi, _ = sampled(1, 1, 2, 3, seed=10)
    assert (phi + psi).inner(phi - psi) == pytest.approx(phi.inner(phi) - psi.inner(psi), rel=1e-12)
    assert (2 * phi - phi - phi).inner(psi) == 0
    norms = phi.block_norms()
    assert (norms**2).sum() == pytest.approx(phi.inner(phi), rel=1e-14)
    assert norms[1, 0] == pytest.approx(np.hypot(*phi.U[0]), rel=4 * EPS)
    with pytest.raises(ValueError, match="read-only"):
        phi.c[0] = 1

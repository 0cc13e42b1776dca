import json
import math
from pathlib import Path

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import erf
from sequences import STRUCTURE, close, deep, drawn
from trying import each

from numeric.attention_kernels import (
    SOFTMAX,
    AttentionKernel,
    Encoding,
    RowMap,
    TokenKernels,
    activated_kernels,
    attention_kernels,
    decaying_covariance,
    dense_kernels,
    neural_tangents_attention,
    residual_kernels,
    sampled_attention_kernels,
    token_kernels,
)
from numeric.dual_activations import dual_activation

ORACLE = json.loads((Path(__file__).parents[1] / "data" / "neural_tangents.json").read_text())
ATTENTION = ORACLE["attention"]


def theirs(case):
    """The layer of neural-tangents."""
    places = np.arange(4.0)[:, None]
    summed = case["positional"] == "sum"
    return neural_tangents_attention(
        case["zeta"].upper(),
        linear_scaling=case["linear_scaling"],
        W_key_std=1.2,
        W_query_std=0.7,
        W_value_std=1.3,
        W_out_std=0.9,
        covariance=decaying_covariance(places, 1.0, 0.8**2) if summed else None,
        val_pos_emb=case["on_values"],
    )


@each("case", *ATTENTION["kernels"])
def test_neural_tangents(case):
    x, y = np.array(ATTENTION["x"]), np.array(ATTENTION["y"])
    joint = np.concatenate([x, y])
    for inputs, part in (((x, y), slice(None)), ((joint,), (slice(0, 2), slice(2, 4)))):
        before = dense_kernels(token_kernels(*inputs), 1.1)
        if case["phi"] == "relu":
            before = activated_kernels(before, "relu")
        after = attention_kernels(before, theirs(case))
        assert close(after.nngp[part], case["nngp"])
        assert close(after.ntk[part], case["ntk"])


@each(
    "ours, parameters, other",
    ("relu", {}, "Relu"),
    ("abs", {}, "Abs"),
    ("leaky_relu", {"slope": 0.2}, "LeakyRelu(0.2)"),
    ("gelu", {}, "Gelu"),
)
def test_dense_layers_of_neural_tangents(ours, parameters, other):
    elementwise = ORACLE["elementwise"]
    before = dense_kernels(token_kernels(np.array(elementwise["x"])[:, None, :]), 1.1)
    after = dense_kernels(activated_kernels(before, ours, **parameters), 0.9)
    expected = elementwise["kernels"][other]
    assert close(after.nngp[:, :, 0, 0], expected["nngp"], 1e-9)
    assert close(after.ntk[:, :, 0, 0], expected["ntk"], 1e-7)


@each("common", 0.0, 0.5, 1.0, 2.0, 4.0, 8.0, 30.0)
def test_homogeneous_zeta_against_its_duals(common):
    # rectified_monomial of degree 1 is relu, but known as one of the activations in general
    for inputs in ((drawn(1, common=common),), (drawn(1, common=common), drawn(2, common=common))):
        before = deep(*inputs)
        fast = attention_kernels(before, AttentionKernel("relu", 0.5, 1.4, 0.8))
        slow = AttentionKernel("rectified_monomial", 0.5, 1.4, 0.8, parameters={"degree": 1})
        other = attention_kernels(before, slow)
        for name in ("nngp", "ntk", "first", "second"):
            assert close(getattr(fast, name), getattr(other, name), 2e-13)


@each(
    "zeta, parameters, slopes",
    ("identity", {}, (1, 0)),
    ("relu", {}, (0.5, 0.5)),
    ("leaky_relu", {"slope": 0.3}, (0.65, 0.35)),
    ("abs", {}, (0, 1)),
)
def test_piecewise_linear_zeta(zeta, parameters, slopes):
    before = deep(drawn(3))
    a, b = slopes
    named = attention_kernels(before, AttentionKernel(zeta, parameters=parameters))
    ab = attention_kernels(before, AttentionKernel("ab_relu", parameters={"a": a, "b": b}))
    assert close(named.nngp, ab.nngp, 1e-15)
    assert close(named.ntk, ab.ntk, 1e-15)


def test_entries_in_digits():
    x = np.array([[[1.0, 2.0], [0.5, -1.0]], [[-2.0, 0.25], [1.5, 3.0]]])
    found = attention_kernels(token_kernels(x), AttentionKernel("relu", 0.5, 0.5, 2.0))
    with mpmath.workdps(30):
        kt = [[mpmath.mpf(float(p @ q)) / 2 for q in x.reshape(4, 2)] for p in x.reshape(4, 2)]
        for a in range(2):
            for b in range(2, 4):
                value = mpmath.mpf(0)
                for i in range(2):
                    for j in range(2, 4):
                        v1, v2 = kt[a][a] * kt[i][i] / 4, kt[b][b] * kt[j][j] / 4
                        rho = kt[a][b] * kt[i][j] / 4 / mpmath.sqrt(v1 * v2)
                        value += kt[i][j] * dual_activation("relu", rho, variances=(v1, v2))
                assert found.nngp[0, 1, a, b - 2] == pytest.approx(float(4 * value), rel=1e-14)


@each(
    "zeta, parameters",
    ("relu", {}),
    ("leaky_relu", {"slope": -0.5}),
    ("erf", {"scale": 0.7}),
    ("gelu", {}),
    ("monomial", {"degree": 3}),
)
def test_the_ntk_is_a_derivative_of_the_kernel(zeta, parameters):
    # Theta = kappa + (d/de) kappa at cross-kernels kt + e (kt + Tt), variances being held.
    before, step = deep(drawn(4), drawn(5)), 1e-4
    layer = AttentionKernel(zeta, 0.5, 0.6, 1.2, parameters)
    after = attention_kernels(before, layer)

    def moved(amount):
        nngp = before.nngp + amount * (before.nngp + before.ntk)
        return attention_kernels(TokenKernels(nngp, before.first, before.second), layer).nngp

    slope = (moved(step) - moved(-step)) / (2 * step)
    assert close(after.ntk - after.nngp, slope, 1e-6)
    assert not close(after.ntk - 1.01 * after.nngp, slope, 1e-3)


def relu_rows(scores):
    return np.maximum(scores, 0)


def relu_jacobian(scores):
    return (scores > 0)[..., None] * np.eye(scores.shape[-1])


def erf_jacobian(scores):
    slopes = 2 / math.sqrt(math.pi) * np.exp(-(scores**2))
    return slopes[..., None] * np.eye(scores.shape[-1])


def within(found, errors, expected):
    """Whether each entry is within 5 standard errors: one in a million of them is not."""
    return bool((np.abs(found - expected) <= 5 * errors + 1e-12).all())


ROWS = {"relu": RowMap(relu_rows, relu_jacobian), "erf": RowMap(erf, erf_jacobian)}


@each("zeta, parameters", ("relu", {}), ("erf", {"scale": 1.0}))
def test_sampled_kernels_against_closed_forms(zeta, parameters):
    R = STRUCTURE[:3, :3]
    encoding = Encoding(0.6, R, np.eye(3), values=False)
    scales = {"query_key_std": 0.7, "value_output_std": 1.2, "encoding": encoding}
    exact_layer = AttentionKernel(zeta, parameters=parameters, **scales)
    for inputs in ((drawn(6, 2, 3),), (drawn(6, 2, 3), drawn(7, 1, 3))):
        before, rng = deep(*inputs), np.random.default_rng(8)
        exact = attention_kernels(before, exact_layer)
        found = sampled_attention_kernels(before, AttentionKernel(ROWS[zeta], **scales), rng, 4000)
        assert within(found.kernels.nngp, found.nngp_error, exact.nngp)
        assert within(found.kernels.ntk, found.ntk_error, exact.ntk)
        assert not within(found.kernels.nngp, found.nngp_error, 1.3 * exact.nngp)
        assert not within(found.kernels.ntk, found.ntk_error, 1.3 * exact.ntk)
        assert close(found.kernels.second, exact.second, 0.2)


def test_rows_that_are_mixed():
    # zeta(G) = G M is the identity with values M V M^T, which tests Jacobians off the diagonal
    M = np.array([[1.0, 0.5, 0.0], [-0.3, 0.8, 0.2], [0.1, 0.4, -1.0]])
    rows = RowMap(lambda g: g @ M, lambda g: np.broadcast_to(M.T, (*g.shape, g.shape[-1])))
    before = deep(drawn(9, 2, 3), drawn(10, 2, 3))
    kt, tangent = before.nngp, before.ntk
    rng = np.random.default_rng(11)
    found = sampled_attention_kernels(before, AttentionKernel(rows), rng, 4000)

    def total(values, keys):
        return np.einsum("xyij,xyij->xy", M @ values @ M.T, keys)[:, :, None, None]

    kappa = kt * total(kt, kt)
    theta = 4 * kappa + tangent * total(kt, kt) + kt * (total(tangent, kt) + total(kt, tangent))
    assert within(found.kernels.nngp, found.nngp_error, kappa)
    assert within(found.kernels.ntk, found.ntk_error, theta)
    assert not within(found.kernels.ntk, found.ntk_error, theta + kappa)


def test_the_jacobian_of_softmax():
    scores, step = np.random.default_rng(12).standard_normal((2, 3)), 1e-6
    for d in range(3):
        ahead, back = (SOFTMAX.function(scores + sign * step * np.eye(3)[d]) for sign in (1, -1))
        assert np.allclose(SOFTMAX.jacobian(scores)[..., d], (ahead - back) / (2 * step), atol=1e-9)


def test_the_jacobians_of_softmax_contracted():
    before, slow = (deep(drawn(25, 2, 3), drawn(26, 1, 3)), RowMap(SOFTMAX.function, SOFTMAX.jacobian))
    encoding = Encoding(0.7, STRUCTURE[:3, :3], values=False)  # the values' kernel is another one
    found, expected = (
        sampled_attention_kernels(
            before, AttentionKernel(zeta, encoding=encoding), np.random.default_rng(27), 5
        )
        for zeta in ("softmax", slow)
    )
    assert close(found.kernels.ntk, expected.kernels.ntk, 1e-12)
    assert not close(found.kernels.ntk, 2 * found.kernels.nngp, 1e-2)


def test_softmax_of_small_scores_is_a_mean():
    before = deep(drawn(13, 2, 4))
    rng = np.random.default_rng(14)
    for tau in (0.5, 1):
        layer = AttentionKernel("softmax", tau, 1e-7)
        after = (
            attention_kernels(before, layer)
            if tau == 1
            else sampled_attention_kernels(before, layer, rng, 2).kernels
        )
        mean = before.nngp.mean(axis=(2, 3), keepdims=True)
        tangents = before.ntk.mean(axis=(2, 3), keepdims=True)
        assert close(after.nngp, np.broadcast_to(mean, before.nngp.shape), 1e-5)
        assert close(after.ntk, np.broadcast_to(2 * mean + tangents, before.ntk.shape), 1e-5)


def test_residual_attention():
    # Equation (14): alpha kt + (1 - alpha) R kt R^T, from encodings that replace the scores
    before = deep(drawn(15))
    encoding = Encoding(0, STRUCTURE, values=False)
    attended = attention_kernels(before, AttentionKernel("identity", 1, encoding=encoding))
    after = residual_kernels(before, attended, 0.3)
    for found, kernel, extra in ((after.nngp, before.nngp, 0), (after.ntk, before.ntk, 1)):
        around = STRUCTURE @ (kernel + extra * 2 * before.nngp) @ STRUCTURE
        assert close(found, 0.3 * kernel + 0.7 * around)


class TestShapes:
    def test_one_data_set_or_two(self):
        x = drawn(16)
        for layer in (AttentionKernel("relu"), AttentionKernel("gelu"), AttentionKernel("abs", 1)):
            alone, crossed = (attention_kernels(before, layer) for before in (deep(x), deep(x, x)))
            assert alone.symmetric
            assert not crossed.symmetric
            for name in ("nngp", "ntk", "first", "second"):
                assert close(getattr(alone, name), getattr(crossed, name), 1e-7)
            for matrix in (alone.nngp, alone.ntk):
                assert close(matrix, matrix.transpose(1, 0, 3, 2), 1e-15)

    def test_kernels_are_positive_semidefinite(self):
        for zeta in ("relu", "identity", "gelu"):
            after = attention_kernels(deep(drawn(17)), AttentionKernel(zeta))
            for matrix in (after.nngp, after.ntk):
                flat = matrix.transpose(0, 2, 1, 3).reshape(12, 12)
                values = np.linalg.eigvalsh((flat + flat.T) / 2)
                assert values[0] > -1e-12 * values[-1]

    def test_without_an_ntk(self):
        x = drawn(18)
        bare = attention_kernels(token_kernels(x, ntk=False), AttentionKernel("relu"))
        assert bare.ntk is None
        assert close(bare.nngp, attention_kernels(token_kernels(x), AttentionKernel("relu")).nngp)
        softmax = AttentionKernel("softmax")
        found = sampled_attention_kernels(token_kernels(x, ntk=False), softmax, np.random.default_rng(0), 2)
        assert found.ntk_error is None

    def test_empty_data_sets(self):
        for layer in (AttentionKernel("relu"), AttentionKernel("erf", parameters={"scale": 1})):
            assert attention_kernels(token_kernels(np.zeros((0, 3, 2))), layer).nngp.size == 0
            crossed = token_kernels(drawn(0), np.zeros((0, 4, 5)))
            assert attention_kernels(crossed, layer).nngp.shape == (3, 0, 4, 4)

    def test_tokens_of_variance_zero(self):
        x = drawn(19)
        x[0, 1] = 0
        after = attention_kernels(token_kernels(x), AttentionKernel("relu"))
        assert (after.nngp[0, :, 1] == 0).all()
        assert np.isfinite(after.ntk).all()

    @given(power=st.sampled_from([-40, -1, 3, 30]))
    def test_scales_like_powers_of_two(self, power):
        x, layer = drawn(20), AttentionKernel("relu")
        found = attention_kernels(token_kernels(x), layer)
        other = attention_kernels(token_kernels(np.ldexp(x, power)), layer)
        assert close(other.nngp, np.ldexp(found.nngp, 6 * power), 1e-14)


@each(
    "make, message",
    (lambda: AttentionKernel("rellu"), "zeta must be a name or a RowMap"),
    (lambda: AttentionKernel(["relu"]), "zeta must be a name or a RowMap"),
    (lambda: AttentionKernel("leaky_relu"), "slope"),
    (lambda: AttentionKernel("relu", parameters=3), "parameters must be a mapping"),
    (lambda: AttentionKernel("softmax", parameters={"slope": 1}), "parameters must be empty"),
    (lambda: AttentionKernel("relu", 0.7), "tau must be 1/2 or 1"),
    (lambda: AttentionKernel("relu", query_key_std=0), "query_key_std must lie in"),
    (lambda: AttentionKernel("relu", encoding=np.eye(2)), "encoding must be an Encoding"),
    (lambda: Encoding(2, np.eye(2)), r"kept must lie in \[0, 1\]"),
    (lambda: Encoding(0.5, [[1, 0], [1, 1]]), "covariance must be symmetric"),
    (lambda: Encoding(0.5, np.diag([1, -1])), "covariance must be positive semidefinite"),
    (lambda: Encoding(0.5, np.eye(2), np.eye(3)), "tangent must have shape"),
    (lambda: Encoding(0.5, np.eye(2), values=1), "values must be True or False"),
    (lambda: token_kernels(np.ones((2, 3))), r"x must have shape \(n, s, d\)"),
    (lambda: token_kernels(np.ones((2, 3, 0))), "x must have tokens"),
    (lambda: token_kernels(drawn(), drawn(d=3)), "y must have shape"),
    (lambda: attention_kernels(deep(drawn()), "relu"), "layer must be an AttentionKernel"),
    (lambda: attention_kernels(deep(drawn()), AttentionKernel("softmax")), "layer must have"),
    (lambda: attention_kernels(deep(drawn()), AttentionKernel("gelu", 1)), "layer must have"),
    (
        lambda: attention_kernels(deep(drawn()), AttentionKernel("relu", encoding=Encoding(0, np.eye(2)))),
        "layer must have an encoding of 4 tokens",
    ),
    (lambda: TokenKernels(np.ones((1, 1, 1, 1)), [[[-1]]], [[[1]]]), "first must have variances"),
    (lambda: TokenKernels(np.ones((1, 1, 1, 1)), [[[2]]], [[[2]]], None, True), "first must be"),
    (lambda: residual_kernels(deep(drawn()), deep(drawn(), drawn()), 0.5), "layer must have"),
)
def test_rejected(make, message):
    with pytest.raises((TypeError, ValueError), match=message):
        make()


def test_what_is_too_large():
    with pytest.raises(OverflowError, match="token_kernels is too large for a float"):
        token_kernels([[[1e200]]])
    with pytest.raises(OverflowError, match="attention_kernels is too large for a float"):
        attention_kernels(token_kernels([[[1e100]]]), AttentionKernel("identity"))


@each("values", True, False)
def test_what_trained_encodings_add(values):
    # the formula at the end of Appendix C.2, sums written out; values that do not see the encodings
    # get no term, and are the kernel itself
    kept, s = 0.4, 3
    before, scales = deep(drawn(23, 1, s), drawn(24, 1, s)), {"query_key_std": 0.7}
    R = STRUCTURE[:s, :s]
    trained, fixed = (
        attention_kernels(
            before, AttentionKernel("relu", encoding=Encoding(kept, R, tangent, values), **scales)
        )
        for tangent in (np.eye(s), None)
    )
    S, own, other = (
        kept * one + (1 - kept) * R for one in (before.nngp[0, 0], before.first[0], before.second[0])
    )
    V = S if values else before.nngp[0, 0]
    expected = np.zeros((s, s))
    for a, b, c, d in np.ndindex(s, s, s, s):
        variances = 0.49 * own[a, a] * own[c, c], 0.49 * other[b, b] * other[d, d]
        rho = 0.49 * S[a, b] * S[c, d] / math.sqrt(variances[0] * variances[1])
        slope = dual_activation("step", rho, variances=variances)
        if values and c == d:
            expected[a, b] += dual_activation("relu", rho, variances=variances)
        expected[a, b] += 0.49 * V[c, d] * slope * ((c == d) * S[a, b] + (a == b) * S[c, d])
    assert close(trained.ntk - fixed.ntk, (1 - kept) * expected[None, None], 1e-12)
    assert close(trained.nngp, fixed.nngp)

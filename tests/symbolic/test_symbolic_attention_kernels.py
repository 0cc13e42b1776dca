"""Exact kernels of attention: against the floats of another road, and their derivations."""

import numpy as np
import pytest
import sympy as sp
from trying import each

from numeric.attention_kernels import (
    AttentionKernel,
    Encoding,
    TokenKernels,
    attention_kernels,
    sampled_attention_kernels,
    token_kernels,
)
from symbolic.attention_kernels import (
    attention_kernel,
    attention_tangent_kernel,
    derive_attention_kernel,
    derive_attention_tangent_kernel,
)
from symbolic.attention_kernels.derivations import (
    d_a,
    d_i,
    e_b,
    e_j,
    r_ab,
    r_ij,
    sigma_ov,
    sigma_qk,
    t_ab,
    t_ij,
)

HALF = sp.Rational(1, 2)
X = [[1, 2, 0], [-1, 1, 1], [0, HALF, 3]]
Y = [[2, -1, 1], [1, 1, HALF]]
SCALES = {"query_key_std": sp.Rational(7, 10), "value_output_std": sp.Rational(3, 2)}
ZETAS = (
    ("identity", {}),
    ("relu", {}),
    ("abs", {}),
    ("leaky_relu", {"slope": sp.Rational(1, 5)}),
    ("ab_relu", {"a": sp.Rational(1, 3), "b": -2}),
    ("erf", {"scale": 1}),
    ("gelu", {}),
)


def exact_kernels(same=False):
    """Kernels of two inputs with three and two tokens, and a tangent kernel, exactly."""
    x, y = sp.Matrix(X), sp.Matrix(X if same else Y)
    return [one / 3 for one in (x * y.T, x * y.T + sp.ones(3, y.rows), x * x.T, y * y.T)]


def in_floats(same=False):
    kernel, tangent, first, second = (
        np.array(one.tolist(), dtype=float)[None] for one in exact_kernels(same)
    )
    return TokenKernels(kernel[None], first, second, tangent[None])


def numbers(matrix):
    return np.array(matrix.evalf(30).tolist(), dtype=float)


@each("same", False, True)
@each("tau", HALF, 1)
@each("zeta, parameters", *ZETAS)
def test_both_roads(zeta, parameters, tau, same):
    if tau == 1 and zeta in {"erf", "gelu"}:
        return  # maps of single scores are not known to the floats there
    kernel, tangent, first, second = exact_kernels(same)
    layer = AttentionKernel(
        zeta,
        float(tau),
        **{name: float(one) for name, one in SCALES.items()},
        parameters={name: float(one) for name, one in parameters.items()},
    )
    after = attention_kernels(in_floats(same), layer)
    options = {"tau": tau, **SCALES, **parameters}
    nngp = numbers(attention_kernel(kernel, first, second, zeta, **options))
    ntk = numbers(attention_tangent_kernel(kernel, tangent, first, second, zeta, **options))
    for found, expected in ((after.nngp, nngp), (after.ntk, ntk)):
        assert np.abs(found[0, 0] - expected).max() < 2e-12 * np.abs(expected).max()


#: Encodings of three tokens, in two columns; their covariance, and the covariance of other ones.
COLUMNS = [[1, -2], [0, 3], [HALF, 1]]
COVARIANCE = [[2, 1, 0], [1, 3, HALF], [0, HALF, 1]]


def encoded(share, covariance, unit):
    """Exact kernels with encodings; `unit` times the unit matrix is their tangent kernel."""
    R = sp.Matrix(covariance)
    kernel, tangent, first, second = exact_kernels()
    own = unit * sp.eye(3)

    def mixed(one, other):
        return share * one + (1 - share) * other

    return [mixed(kernel, R[:, :2]), mixed(tangent, own[:, :2]), mixed(first, R), mixed(second, R[:2, :2])]


def after_exact(kernels, zeta, tau):
    kernel, tangent, first, second = kernels
    options = {"tau": tau, **SCALES}
    return (
        numbers(attention_kernel(kernel, first, second, zeta, **options)),
        numbers(attention_tangent_kernel(kernel, tangent, first, second, zeta, **options)),
    )


def agree(found, expected, tolerance=2e-12):
    both = zip((found.nngp, found.ntk), expected, strict=True)
    return [np.abs(one[0, 0] - other).max() < tolerance * np.abs(other).max() for one, other in both]


@each("tau", HALF, 1)
@each("zeta", "relu", "identity", "abs")
def test_trained_encodings(zeta, tau):
    share = sp.Rational(3, 10)
    scales = {name: float(one) for name, one in SCALES.items()}
    encoding = Encoding(float(share), numbers(sp.Matrix(COVARIANCE)), np.eye(3))
    layer = AttentionKernel(zeta, float(tau), encoding=encoding, **scales)
    found = attention_kernels(in_floats(), layer)
    assert agree(found, after_exact(encoded(share, COVARIANCE, 1), zeta, tau)) == [True, True]
    # without gradients by the encodings the tangent kernel is another one, and the kernel is not
    other = after_exact(encoded(share, COVARIANCE, sp.Rational(99, 100)), zeta, tau)
    assert agree(found, other, 1e-6) == [True, False]


@each("tau", HALF, 1)
def test_appended_encodings(tau):
    # the columns of the encodings beside those of the input; the layer's weights have the scale
    # 1/sqrt(d + d^E), so that gradients by the input's columns have the factor sqrt(d/(d + d^E))
    x, y, columns = (np.array(one, dtype=float) for one in (X, Y, COLUMNS))
    d, more = x.shape[1], columns.shape[1]
    covariance = sp.Matrix(COLUMNS) * sp.Matrix(COLUMNS).T / more
    rng = np.random.default_rng(11)
    gradients = [rng.standard_normal((one.shape[0], d, 7)) for one in (x, y)]
    tangent = np.einsum("ikp,jkp->ij", *gradients) / d
    wide = [np.hstack([one, columns[: len(one)]]) for one in (x, y)]
    own = np.einsum("ikm,jkm->ij", *(_own_gradients(one, more) for one in (x, y)))
    factor = np.sqrt(d / (d + more))
    together = np.einsum("ikp,jkp->ij", *(factor * one / np.sqrt(d) for one in gradients))
    explicit = token_kernels(*(one[None] for one in wide))
    explicit = TokenKernels(
        explicit.nngp, explicit.first, explicit.second, (together + own / (d + more))[None, None]
    )
    layer = {name: float(one) for name, one in SCALES.items()}
    expected = attention_kernels(explicit, AttentionKernel("relu", float(tau), **layer))
    inputs = token_kernels(x[None], y[None])
    inputs = TokenKernels(inputs.nngp, inputs.first, inputs.second, tangent[None, None])
    for share, same in ((d / (d + more), True), (np.sqrt(d / (d + more)), False)):
        encoding = Encoding(share, numbers(covariance), np.eye(3))
        found = attention_kernels(inputs, AttentionKernel("relu", float(tau), encoding=encoding, **layer))
        for name in ("nngp", "ntk"):
            assert np.allclose(getattr(found, name), getattr(expected, name), rtol=1e-12) is same


def _own_gradients(tokens, more):
    """Gradients of a token's encodings by the entries of the encodings of three tokens."""
    return np.array([[np.eye(3 * more)[3 * k + a] for k in range(more)] for a in range(len(tokens))])


def test_softmax_of_constant_scores():
    kernel, tangent, first, second = exact_kernels()
    layer = AttentionKernel("softmax", 1, **{name: float(one) for name, one in SCALES.items()})
    after = attention_kernels(in_floats(), layer)
    options = {"tau": 1, **SCALES}
    nngp = attention_kernel(kernel, first, second, "softmax", **options)
    ntk = attention_tangent_kernel(kernel, tangent, first, second, "softmax", **options)
    assert np.allclose(after.nngp[0, 0], numbers(nngp), rtol=1e-13)
    assert np.allclose(after.ntk[0, 0], numbers(ntk), rtol=1e-13)


@each("zeta", "relu", "identity")
def test_what_the_values_see(zeta):
    # the values see a kernel and a tangent kernel of their own: linear in each of the two
    kernel, tangent, first, second = exact_kernels()
    other, moved = kernel + sp.eye(3)[:, :2], 2 * tangent
    parts = [
        attention_tangent_kernel(kernel, tangent, first, second, zeta, values=values)
        for values in ((kernel, tangent), (other, moved), (kernel + other, tangent + moved))
    ]
    assert (parts[0] + parts[1] - parts[2]).applyfunc(sp.simplify) == sp.zeros(3, 2)
    assert parts[0] == attention_tangent_kernel(kernel, tangent, first, second, zeta)
    assert attention_kernel(kernel, first, second, zeta, values=kernel) == attention_kernel(
        kernel, first, second, zeta
    )


@each("zeta", *(name for name, _ in ZETAS))
def test_derivations(zeta):
    for chain in (derive_attention_kernel(zeta), derive_attention_tangent_kernel(zeta)):
        assert chain.answer is True
        assert chain.claiming(chain.conclusion * sp.Rational(101, 100)).answer is False
        assert chain.claiming(chain.conclusion + d_a).answer is False
        assert r"\sigma_{QK}" in chain.latex()


@each("zeta, parameters", *ZETAS)
def test_derived_summands_make_up_the_kernels(zeta, parameters):
    kernel, tangent, first, second = exact_kernels()
    chains = [
        derive(zeta, **parameters) for derive in (derive_attention_kernel, derive_attention_tangent_kernel)
    ]
    totals = [0, 0]
    a, b = 1, 0
    for i in range(3):
        for j in range(2):
            spreads = [sp.sqrt(first[k, k]) * sp.sqrt(second[m, m]) for k, m in ((a, b), (i, j))]
            values = {
                d_a: sp.sqrt(first[a, a]),
                d_i: sp.sqrt(first[i, i]),
                e_b: sp.sqrt(second[b, b]),
                e_j: sp.sqrt(second[j, j]),
                r_ab: kernel[a, b] / spreads[0],
                r_ij: kernel[i, j] / spreads[1],
                t_ab: tangent[a, b] / spreads[0],
                t_ij: tangent[i, j] / spreads[1],
                sigma_qk: SCALES["query_key_std"],
                sigma_ov: SCALES["value_output_std"],
            }
            for place, chain in enumerate(chains):
                totals[place] += chain.conclusion.subs(values).evalf(30)
    options = {**SCALES, **parameters}
    nngp = attention_kernel(kernel, first, second, zeta, **options)
    ntk = attention_tangent_kernel(kernel, tangent, first, second, zeta, **options)
    assert abs(totals[0] / nngp[a, b].evalf(30) - 1) < 1e-25
    assert abs(totals[1] / ntk[a, b].evalf(30) - 1) < 1e-25


def test_letters_as_scales():
    gram, none = sp.eye(2), sp.zeros(2)
    scale, output = sp.symbols("sigma tau", positive=True)
    stds = {"query_key_std": scale, "value_output_std": output}
    found = attention_tangent_kernel(gram, none, gram, gram, "identity", **stds)
    assert found == 8 * scale**2 * output**2 * sp.eye(2)
    assert attention_kernel(gram, gram, gram, "abs", **stds)[0, 0] == 2 * scale**2 * output**2


def test_softmax_of_gaussian_scores_is_refused_here_and_sampled_there():
    gram = sp.eye(2)
    with pytest.raises(ValueError, match="zeta must act on single scores"):
        attention_kernel(gram, gram, gram, "softmax")
    before = token_kernels(np.array(X, dtype=float)[None], np.array(Y, dtype=float)[None])
    found = sampled_attention_kernels(before, AttentionKernel("softmax"), np.random.default_rng(0), 64)
    assert found.kernels.nngp.shape == (1, 1, 3, 2)


@each(
    "make, message",
    (lambda: attention_kernel([[1]], [[1]], [[1]], "relu", tau=2), "tau must be 1/2 or 1, got 2"),
    (lambda: attention_kernel([[1]], [[1]], [[1]], "rellu"), "zeta must be one of"),
    (lambda: attention_kernel([[1]], [[1]], [[1]], 3), "zeta must be"),
    (lambda: attention_kernel([[1]], [[1]], [[1]], "softmax", tau=1, a=1), "softmax takes no"),
    (lambda: attention_kernel([[1]], [[1, 2]], [[1]], "relu"), "first must have shape"),
    (lambda: attention_kernel([[1]], [[1]], [[1]], "relu", query_key_std=0), "query_key_std must"),
    (lambda: attention_tangent_kernel([[1]], [[0]], [[1]], [[1]], "sign"), "zeta must have a derivative"),
    (lambda: attention_tangent_kernel([[1]], [[0]], [[1]], [[1]], "relu", values=3), "values must be a pair"),
    (lambda: attention_tangent_kernel([[1]], [[0, 1]], [[1]], [[1]], "relu"), "tangent must have shape"),
    (lambda: attention_kernel([[1]], [[-1]], [[1]], "relu"), "first must lie in"),
    (lambda: derive_attention_kernel("clip"), "zeta must have a dual in closed form"),
    (lambda: derive_attention_tangent_kernel("step"), "zeta must have a derivative"),
)
def test_rejected(make, message):
    with pytest.raises((TypeError, ValueError), match=message):
        make()

"""The tangent kernel of the shallow transformer: closed forms given the attention, draws over W.

With a, a' the attention outputs and M, M' the softmax covariances of two sequences under one W,

    K_c = E sigma(U.a) sigma(U.a'),   K_u = <a, a'> E sigma'(U.a) sigma'(U.a'),
    K_w = <q, q'> E sigma'(U.a) sigma'(U.a') U.M M'U,

and the mean over U ~ N(0, I_d) has a closed form for sigma = erf and for the ReLU. The mean over W
is left to draws: its law enters through a softmax. Proofs: proofs_notes/st_function_space.md.
"""

from typing import Any, NamedTuple

import numpy as np

from numeric.arguments import Floats, one_of, real_array
from numeric.dual_activations import dual_activation, dual_activation_derivative
from numeric.networks.transformer.model import attend
from numeric.networks.transformer.parameters import Inputs

__all__ = ["Blocks", "blocks_given_attention", "sampled_blocks"]

_KNOWN = ("erf", "relu")


class Blocks(NamedTuple):
    """The blocks K_c, K_u, K_w; K is their sum."""

    c: Any
    u: Any
    w: Any

    @property
    def total(self) -> Any:
        """K = K_c + K_u + K_w."""
        return self.c + self.u + self.w


def blocks_given_attention(
    activation: str, mean1: Any, mean2: Any, covariance1: Any, covariance2: Any, query_product: Any
) -> Blocks:
    """K_c, K_u, K_w given W, for sigma = "erf" or "relu".

    Means a, a' of shape (..., d), covariances M, M' (..., d, d), <q, q'> of shape (...); blocks of
    shape (...). With S = I + 2(a a^T + a' a'^T), the angle theta of a and a', and the unit vectors
    e+- along the sum and the difference of a/|a| and a'/|a'|,

        erf:   K_w = <q, q'> (4/pi) det(S)^(-1/2) tr(M M' S^-1),
        ReLU:  K_w = <q, q'> ((pi - theta) tr(M M') + sin theta (e+.M M'e+ - e-.M M'e-))/(2 pi).

    The ReLU is not among the paper's activations, which are bounded; its means must not vanish.
    Raises ValueError for another activation, other shapes, and means 0 with "relu".
    Source: "Shallow transformers", Lemma 4 (closed forms derived).

    >>> M = np.eye(2) / 2
    >>> blocks_given_attention("relu", [1, 0], [1, 0], M, M, 1)
    Blocks(c=array(0.5), u=array(0.5), w=array(0.25))
    >>> blocks_given_attention("erf", [0, 0], [0, 1], M, M, [1, -1]).w
    array([ 0.24503506, -0.24503506])
    """
    one_of("activation", activation, _KNOWN)
    a = real_array("mean1", mean1, shape=("...", "d"))
    d = a.shape[-1]
    b = real_array("mean2", mean2, shape=("...", d))
    M = real_array("covariance1", covariance1, shape=("...", d, d))
    N = real_array("covariance2", covariance2, shape=("...", d, d))
    product = real_array("query_product", query_product)
    inner, dual, slope = _of_preactivations(activation, a, b)
    at_U = _erf_moment if activation == "erf" else _relu_moment
    moment = at_U(a, b, M @ N, slope)
    c, u, w = np.broadcast_arrays(dual, inner * slope, product * moment)
    return Blocks(np.array(c), np.array(u), np.array(w))


def _of_preactivations(activation: str, a: Floats, b: Floats) -> tuple[Floats, Floats, Floats]:
    """<a, b>, E sigma(U.a) sigma(U.b) and E sigma'(U.a) sigma'(U.b)."""
    variances = [np.asarray((vector * vector).sum(axis=-1)) for vector in (a, b)]
    inner = np.asarray((a * b).sum(axis=-1))
    lengths = np.sqrt(variances[0]) * np.sqrt(variances[1])
    if activation == "relu":
        for name, length in zip(("mean1", "mean2"), variances, strict=True):
            if np.any(length == 0):
                raise ValueError(f"{name} must not vanish for 'relu', got 0")
    safe = np.where(lengths > 0, lengths, 1.0)
    cosine = np.clip(inner / safe, -1.0, 1.0)
    parameters = {"scale": 1} if activation == "erf" else {}
    both = [
        np.asarray(f(activation, cosine, variances=tuple(variances), **parameters))
        for f in (dual_activation, dual_activation_derivative)
    ]
    return inner, both[0], both[1]


def _form(left: Floats, N: Floats, right: Floats) -> Floats:
    return np.asarray(np.einsum("...k,...kl,...l->...", left, N, right))


def _trace(N: Floats) -> Floats:
    return np.asarray(np.trace(N, axis1=-2, axis2=-1))


def _erf_moment(a: Floats, b: Floats, N: Floats, slope: Floats) -> Floats:
    """E sigma'sigma' U.N U = slope tr(N S^-1), S^-1 = I - A (1/2 + A^T A)^-1 A^T, A = (a, b)."""
    first, second = 0.5 + (a * a).sum(axis=-1), 0.5 + (b * b).sum(axis=-1)
    inner = (a * b).sum(axis=-1)
    removed = second * _form(a, N, a) + first * _form(b, N, b)
    removed -= inner * (_form(a, N, b) + _form(b, N, a))
    return np.asarray(slope * (_trace(N) - removed / (first * second - inner * inner)))


def _relu_moment(a: Floats, b: Floats, N: Floats, slope: Floats) -> Floats:
    """E sigma'sigma' U.N U = slope tr N + sin theta (e+.N e+ - e-.N e-)/(2 pi)."""
    units = [v / np.linalg.norm(v, axis=-1, keepdims=True) for v in (a, b)]
    plus, minus = units[0] + units[1], units[0] - units[1]
    sizes = [np.linalg.norm(v, axis=-1) for v in (plus, minus)]
    # sin theta = |plus| |minus|/2; a vector that vanishes takes its term with it.
    wave = _form(plus, N, plus) * _ratio(sizes[1], sizes[0])
    wave -= _form(minus, N, minus) * _ratio(sizes[0], sizes[1])
    return np.asarray(slope * _trace(N) + wave / (4 * np.pi))


def _ratio(numerator: Floats, denominator: Floats) -> Floats:
    return np.asarray(numerator / np.where(denominator > 0, denominator, np.inf))


def sampled_blocks(activation: str, inputs: Inputs, W: Any) -> Blocks:
    """The blocks given W for all pairs of samples, shape (draws, n, n), one draw per matrix.

    W of shape (draws, d, d); with standard normal entries the means over the draws estimate the
    kernels of Lemma 4 without bias.
    Raises ValueError as `blocks_given_attention` does.
    Source: "Shallow transformers", Lemma 4.

    >>> X = Inputs([[[1.0], [-1.0]]], [[1.0]])
    >>> W = np.random.default_rng(0).standard_normal((1000, 1, 1))
    >>> sampled_blocks("erf", X, W).w.mean().round(6)
    np.float64(0.367548)
    """
    attention = attend(real_array("W", W, shape=("draws", inputs.d, inputs.d)), inputs)
    means = np.swapaxes(attention.means, 0, 1)
    covariances = np.swapaxes(attention.covariances, 0, 1)
    return blocks_given_attention(
        activation,
        means[:, :, None],
        means[:, None],
        covariances[:, :, None],
        covariances[:, None],
        inputs.queries @ inputs.queries.T,
    )

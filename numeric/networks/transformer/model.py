"""The shallow transformer of Section 3.2: output, gradients, loss, linear model.

    f(X; phi) = m^(-1/2) sum_i c_i sigma(U_i.a_i),  a_i = sum_t alpha_it X_t,
    alpha_i = softmax(X_t.W_i q)_t.

``attend`` and ``gradients`` follow the formulas; the others go block by block and are fast.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from numeric.arguments import Floats, real_array
from numeric.networks.transformer.activation import BoundedActivation, activation_of
from numeric.networks.transformer.blocks import Moments, Weights, each_block, mapped
from numeric.networks.transformer.parameters import Heads, Inputs, of_same_space

__all__ = [
    "Attention",
    "Gradients",
    "LossAndGradient",
    "attend",
    "directional_derivative",
    "features",
    "gradients",
    "linear_model",
    "loss_and_gradient",
    "predict",
]

Use = Callable[[slice, Moments], Floats]

# Heads that one sum over heads takes at a time.
_HEADS = 256


@dataclass(frozen=True, eq=False)
class Attention:
    """Softmax weights alpha ``(n, m, T)``, means a ``(n, m, d)``; covariances M on demand."""

    inputs: Inputs
    weights: Floats
    means: Floats

    @property
    def covariances(self) -> Floats:
        """M_i = sum_t alpha_t (X_t - a)(X_t - a)^T, shape ``(n, m, d, d)`` (Remark 3)."""
        centred = self._centred()
        weighted = self.weights[..., None] * centred
        covariances: Floats = np.swapaxes(weighted, -1, -2) @ centred
        return covariances

    def spreads(self, U: ArrayLike) -> Floats:
        """M_i U_i, shape ``(n, m, d)``, for U of shape ``(m, d)``."""
        centred = self._centred()
        directions = real_array("U", U, shape=self.means.shape[1:])
        heights = np.einsum("nmtk,mk->nmt", centred, directions)
        spreads: Floats = np.einsum("nmt,nmtk->nmk", self.weights * heights, centred)
        return spreads

    def _centred(self) -> Floats:
        return self.inputs.tokens[:, None] - self.means[:, :, None]


def attend(W: ArrayLike, inputs: Inputs) -> Attention:
    r"""Softmax weights and attention outputs of all heads at all samples.

    alpha = softmax(X_t.W q)_t and a = sum_t alpha_t X_t, for W of shape ``(m, d, d)``.

    Source: "Shallow transformers", (2).

    >>> X = Inputs([[[1.0], [-1.0]]], [[1.0]])
    >>> attend([[[0.0]]], X).weights
    array([[[0.5, 0.5]]])
    >>> attend([[[1e4]]], X).means
    array([[[1.]]])
    """
    matrices = real_array("W", W, shape=("m", inputs.d, inputs.d))
    logits = np.einsum("ntk,mkl,nl->nmt", inputs.tokens, matrices, inputs.queries, optimize=True)
    weights = np.exp(logits - logits.max(axis=2, keepdims=True))
    weights /= weights.sum(axis=2, keepdims=True)
    return Attention(inputs, weights, weights @ inputs.tokens)


@dataclass(frozen=True, eq=False)
class Gradients:
    """Gradients of f per sample and head: c ``(n, m)``, U ``(n, m, d)``, W ``(n, m, d, d)``."""

    c: Floats
    U: Floats
    W: Floats


def features(parameters: Heads, inputs: Inputs, activation: BoundedActivation) -> Gradients:
    r"""phi_c = h, phi_u = sigma'(U.a) a and phi_w = sigma'(U.a) (M U) q^T for each sample and head.

    The c_i play no part. Written out, for small sizes.

    Source: "Shallow transformers", Section 5.4.

    >>> from numeric.networks.transformer.activation import SINE
    >>> phi = Heads([3.0], [[0.0]], [[[0.0]]])
    >>> features(phi, Inputs([[[1.0], [0.0]]], [[1.0]]), SINE).U
    array([[[0.5]]])
    """
    _same_dimension(parameters, inputs)
    activation_of(activation)
    attention = attend(parameters.W, inputs)
    s = np.einsum("nmk,mk->nm", attention.means, parameters.U)
    slopes = activation.first(s)[..., None]
    spreads = slopes * attention.spreads(parameters.U)
    return Gradients(
        activation.value(s), slopes * attention.means, spreads[..., None] * inputs.queries[:, None, None]
    )


def gradients(parameters: Heads, inputs: Inputs, activation: BoundedActivation) -> Gradients:
    r"""The gradients of f(X; phi) for each sample, written out: for small sizes.

    df/dc_i = m^(-1/2) phi_c, grad_U = m^(-1/2) c_i phi_u, grad_W = m^(-1/2) c_i phi_w, with the
    features phi of head i.

    Source: "Shallow transformers", Lemma 1, (5)-(8).

    >>> from numeric.networks.transformer.activation import SINE
    >>> phi = Heads([3.0], [[0.0]], [[[0.0]]])
    >>> gradients(phi, Inputs([[[1.0], [0.0]]], [[1.0]]), SINE).U
    array([[[1.5]]])
    """
    found = features(parameters, inputs, activation)
    root = np.sqrt(parameters.m)
    scaled = parameters.c[:, None] / root
    return Gradients(found.c / root, scaled * found.U, scaled[..., None] * found.W)


def predict(
    parameters: Heads, inputs: Inputs, activation: BoundedActivation, threads: int | None = None
) -> Floats:
    """f(X^(j); phi) for all samples, shape ``(n,)``.

    ``threads``: how many to use, by default as many as there are processors; the result does not
    depend on it. Raises ValueError if the dimensions of parameters and inputs differ.

    Source: "Shallow transformers", (4).

    >>> from numeric.networks.transformer.activation import SINE
    >>> phi = Heads([2.0], [[1.0]], [[[0.0]]])
    >>> predict(phi, Inputs([[[1.0], [0.0]]], [[1.0]]), SINE) == 2 * np.sin([0.5])
    array([ True])
    """
    activation_of(activation)

    def of_heads(part: slice) -> Use:
        return lambda _, moments: activation.value(moments.preactivations) @ parameters.c[part]

    return _summed(parameters, inputs, of_heads, threads)


def directional_derivative(
    parameters: Heads,
    direction: Heads,
    inputs: Inputs,
    activation: BoundedActivation,
    threads: int | None = None,
) -> Floats:
    """<grad f(X^(j); phi), direction> for all samples, shape ``(n,)``, without any gradient.

    >>> from numeric.networks.transformer.activation import SINE
    >>> phi = Heads([2.0], [[0.0]], [[[0.0]]])
    >>> move = Heads([5.0], [[3.0]], [[[1.0]]])
    >>> directional_derivative(phi, move, Inputs([[[1.0], [0.0]]], [[1.0]]), SINE)
    array([3.])
    """
    of_same_space("direction", direction, parameters)
    activation_of(activation)

    def of_heads(part: slice) -> Use:
        c, turn = parameters.c[part], mapped(direction.W[part])
        move_c, move_U = direction.c[part], direction.U[part].T

        def use(_: slice, moments: Moments) -> Floats:
            h = activation.value(moments.preactivations)
            turned = (moments.queries @ turn).reshape(moments.spreads.shape)
            change = (moments.means * move_U + moments.spreads * turned).sum(axis=1)
            change *= activation.slope(moments.preactivations, h)
            derivative: Floats = h @ move_c + change @ c
            return derivative

        return use

    return _summed(parameters, inputs, of_heads, threads)


def linear_model(
    initial: Heads,
    parameters: Heads,
    inputs: Inputs,
    activation: BoundedActivation,
    threads: int | None = None,
) -> Floats:
    """f_lin(X; phi) = f(X; phi^(0)) + <grad f(X; phi^(0)), phi - phi^(0)>, shape ``(n,)``.

    Source: "Shallow transformers", Definition 3.

    >>> from numeric.networks.transformer.activation import SINE
    >>> initial = Heads([2.0], [[0.0]], [[[0.0]]])
    >>> moved = Heads([2.0], [[3.0]], [[[0.0]]])
    >>> linear_model(initial, moved, Inputs([[[1.0], [0.0]]], [[1.0]]), SINE)
    array([3.])
    """
    shift = parameters - of_same_space("initial", initial, parameters)
    # f is linear in c: with c in place of c - c^(0) the derivative is f(X; phi^(0)) larger.
    direction = Heads(parameters.c, shift.U, shift.W)
    return directional_derivative(initial, direction, inputs, activation, threads)


class LossAndGradient(NamedTuple):
    """What one step of descent needs, and the mean Jacobian for free.

    - ``gradient``: of the loss, as a vector of the space of parameters;
    - ``residuals``: f(X^(j)) - y^(j), shape ``(n,)``;
    - ``mean_jacobian``: (1/n) sum_j grad_W f(X^(j)), shape ``(m, d, d)`` (Appendix B.1).
    """

    loss: float
    gradient: Heads
    residuals: Floats
    mean_jacobian: Floats


def loss_and_gradient(
    parameters: Heads,
    inputs: Inputs,
    labels: ArrayLike,
    activation: BoundedActivation,
    threads: int | None = None,
) -> LossAndGradient:
    """The empirical loss (1/n) sum_j (f(X^(j)) - y^(j))^2 with its gradient.

    ``labels``: shape ``(n,)``. ``threads`` as in ``predict``.

    Source: "Shallow transformers", Section 3.3 and Lemma 1.

    >>> from numeric.networks.transformer.activation import SINE
    >>> phi = Heads([2.0], [[0.0]], [[[0.0]]])
    >>> found = loss_and_gradient(phi, Inputs([[[1.0], [0.0]]], [[1.0]]), [3.0], SINE)
    >>> found.loss, found.residuals, found.gradient.U
    (9.0, array([-3.]), array([[-6.]]))
    """
    _same_dimension(parameters, inputs)
    activation_of(activation)
    wanted = real_array("labels", labels, shape=(inputs.n,))
    root, d, m = np.sqrt(parameters.m), parameters.d, parameters.m

    def use(samples: slice, moments: Moments) -> tuple[Floats, ...]:
        queries, s, means, spreads = moments
        h = activation.value(s)
        residuals = h @ parameters.c / root - wanted[samples]
        slopes = activation.slope(s, h)
        spreads *= slopes[:, None]
        means *= (slopes * residuals[:, None])[:, None]
        # Side by side: queries times residuals for the loss, and as they are for the Jacobian.
        both = np.concatenate([residuals[:, None] * queries, queries], axis=1)
        for_W = spreads.reshape(len(h), d * m).T @ both
        return residuals, residuals @ h, means.sum(axis=0), for_W

    blocks = each_block(inputs, Weights.of(parameters.W, parameters.U), use, threads)
    residuals, *parts = zip(*blocks, strict=True)
    for_c, for_U, for_W = (_total(part) for part in parts)
    joined = np.concatenate(residuals)
    heads, scale = parameters.c / root, 2 / inputs.n
    matrices = heads[:, None, None] * for_W.reshape(d, m, 2 * d).transpose(1, 0, 2)
    gradient = Heads(scale / root * for_c, scale * heads[:, None] * for_U.T, scale * matrices[..., :d])
    loss = float(joined @ joined / inputs.n)
    return LossAndGradient(loss, gradient, joined, matrices[..., d:] / inputs.n)


def _total(parts: Sequence[Floats]) -> Floats:
    """The sum, in the order of the blocks."""
    total = parts[0].copy()
    for part in parts[1:]:
        total += part
    return total


def _summed(
    parameters: Heads, inputs: Inputs, of_heads: Callable[[slice], Use], threads: int | None
) -> Floats:
    """m^(-1/2) times a sum over heads, a few hundred heads at a time."""
    _same_dimension(parameters, inputs)
    total = np.zeros(inputs.n)
    for first in range(0, parameters.m, _HEADS):
        part = slice(first, first + _HEADS)
        use = of_heads(part)
        heads = Weights.of(parameters.W[part], parameters.U[part])
        total += np.concatenate(each_block(inputs, heads, use, threads))
    summed: Floats = total / np.sqrt(parameters.m)
    return summed


def _same_dimension(parameters: Heads, inputs: Inputs) -> None:
    if parameters.d != inputs.d:
        raise ValueError(f"inputs must have dimension {parameters.d}, got {inputs.d}")

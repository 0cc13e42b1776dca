"""The forward pass of an MLP: activations, their norms, inner products and cosines, by layer."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from numeric.arguments import Floats, integer
from numeric.networks import arguments
from numeric.networks.mlp import MLP, Parameters


@dataclass(frozen=True, eq=False)
class ForwardPass:
    """An MLP evaluated on n inputs; made by :func:`forward_pass`.

    Methods take the paper's layer index k. Arrays have shape ``(..., n, width)`` for vectors and
    ``(..., n, n)`` for pairs of inputs, where ``...`` are the leading axes of the parameters.
    ``output`` is N(x, theta), shape ``(..., n, m_l)``.

    Source: "MLPs at the EOC", Section 3.1 and before Definition 5.
    """

    mlp: MLP
    parameters: Parameters
    activations: tuple[Floats, ...]
    preactivations: tuple[Floats, ...]
    output: Floats

    def activation(self, k: int) -> Floats:
        """x_k, shape ``(..., n, m_{k-1})``: the input for k = 1; k in [1 : l]."""
        return self.activations[integer("k", k, 1, self.mlp.depth) - 1]

    def preactivation(self, k: int) -> Floats:
        """N_k = m^{q_k/2} A_k x_k, shape ``(..., n, m_k)``; k in [1 : l-1]."""
        return self.preactivations[integer("k", k, 1, self.mlp.depth - 1) - 1]

    def derivative(self, k: int) -> Floats:
        """x'_k = m_{k-1}^{-1/2} phi'(N_{k-1}), shape ``(..., n, m_{k-1})``; k in [2 : l]."""
        index = integer("k", k, 2, self.mlp.depth)
        slopes = self.mlp.phi_prime(self.preactivation(index - 1))
        return slopes / math.sqrt(self.mlp.widths[index - 1])

    def inner_products(self, k: int) -> Floats:
        """X_k(x_1, x_2) = <x_k(x_1), x_k(x_2)> for all pairs of inputs, ``(..., n, n)``."""
        return gram(self.activation(k))

    def norms(self, k: int) -> Floats:
        """tau_k(x) = |x_k(x)|, shape ``(..., n)``; no overflow or underflow in the squares."""
        peak, scaled = _scaled(self.activation(k))
        return np.asarray(peak * np.linalg.norm(scaled, axis=-1))

    def unit_activations(self, k: int) -> Floats:
        """x_k / |x_k|, shape ``(..., n, m_{k-1})``.

        Raises ValueError if an activation vanishes (a zero input, a dead layer).
        """
        dead = self.norms(k) == 0
        if dead.any():
            where = tuple(int(i) for i in np.argwhere(dead)[0])
            raise ValueError(f"activations of layer {k} must not vanish, got zero at index {where}")
        return _normalised(self.activation(k))

    def cosines(self, k: int, undefined: float | None = None) -> Floats:
        """rho_k(x_1, x_2), the cosine of x_k(x_1) and x_k(x_2), in [-1, 1]; shape ``(..., n, n)``.

        A vanishing activation (a zero input, a dead layer) has no cosine with anything:
        ``undefined`` is put there if it is given, otherwise ValueError is raised.
        """
        if undefined is None:
            return _cosines(self.unit_activations(k))
        alive = self.norms(k) > 0
        both = alive[..., :, None] & alive[..., None, :]
        return np.where(both, _cosines(_normalised(self.activation(k))), undefined)

    def squared_cosine_distances(self, k: int) -> Floats:
        """Return z = (1 - rho_k)/2 in [0, 1], shape ``(..., n, n)``.

        Unlike (1 - cosines)/2 this loses no digits at rho near 1. Raises ValueError if an
        activation vanishes.
        """
        unit = self.unit_activations(k)
        apart, together = _quarter_distances(unit, unit), _quarter_distances(unit, -unit)
        return np.where(apart <= together, apart, 1 - together)


def forward_pass(mlp: MLP, parameters: Parameters, x: ArrayLike) -> ForwardPass:
    """Evaluate ``mlp`` at ``parameters`` on the rows of ``x``, shape ``(n, m_0)``.

    Raises TypeError or ValueError if ``x`` or a layer matrix has a wrong shape or a non-finite
    entry, or if the network overflows.

    Source: "MLPs at the EOC", Section 3.1.

    >>> mlp = MLP((1, 1, 1), a=0, b=1)
    >>> state = forward_pass(mlp, Parameters([[[-2.0]], [[3.0]]]), [[1.0], [-5.0]])
    >>> state.activation(2)
    array([[ 2.],
           [10.]])
    >>> state.output
    array([[ 6.],
           [30.]])
    >>> state.cosines(1)
    array([[ 1., -1.],
           [-1.,  1.]])
    """
    _check(mlp, parameters)
    rows = arguments.inputs(x, mlp.widths[0])
    activations = [np.broadcast_to(rows, (*parameters.batch, *rows.shape))]
    preactivations = []
    with np.errstate(over="ignore", invalid="ignore"):
        for k in range(1, mlp.depth):
            preactivations.append(mlp.scale(k) * _apply(parameters.layer(k), activations[-1]))
            activations.append(mlp.phi(preactivations[-1]) / math.sqrt(mlp.widths[k]))
        output = _apply(parameters.layer(mlp.depth), activations[-1])
    # An overflow in any layer reaches the output as an infinity or a NaN.
    arguments.finite_result(output, "the network's output")
    return ForwardPass(mlp, parameters, tuple(activations), tuple(preactivations), output)


def gram(vectors: Floats) -> Floats:
    """Inner products of all pairs of rows: ``(..., n, d)`` to ``(..., n, n)``."""
    return np.asarray(vectors @ np.swapaxes(vectors, -1, -2))


def _cosines(unit: Floats) -> Floats:
    """Cosines of unit rows, exact at parallel and antipodal ones; always in [-1, 1].

    A scalar product would round to 1 - 1e-16, where varrho' is off by 1e-8 already.
    """
    apart, together = _quarter_distances(unit, unit), _quarter_distances(unit, -unit)
    return np.where(apart <= together, 1 - 2 * apart, 2 * together - 1)


def _quarter_distances(first: Floats, second: Floats) -> Floats:
    """Return |u_i - v_j|^2 / 4 for the rows of two arrays, ``(..., n, n)``."""
    rows = (first[..., i, None, :] - second for i in range(first.shape[-2]))
    return np.stack([np.sum(np.square(row), axis=-1) for row in rows], axis=-2) / 4


def _apply(matrix: Floats, vectors: Floats) -> Floats:
    return np.asarray(vectors @ np.swapaxes(matrix, -1, -2))


def _scaled(vectors: Floats) -> tuple[Floats, Floats]:
    """Return the largest absolute entry of each row, and the rows over it (zero rows stay)."""
    peak = np.max(np.abs(vectors), axis=-1)
    return peak, vectors / np.where(peak == 0, 1.0, peak)[..., None]


def _normalised(vectors: Floats) -> Floats:
    """Rows divided by their norms (zero rows stay)."""
    scaled = _scaled(vectors)[1]
    norm = np.linalg.norm(scaled, axis=-1, keepdims=True)
    return scaled / np.where(norm == 0, 1.0, norm)


def _check(mlp: MLP, parameters: Parameters) -> None:
    wanted = list(zip(mlp.widths[1:], mlp.widths[:-1], strict=True))
    shapes = [A.shape[-2:] for A in parameters.matrices]
    if shapes != wanted:
        raise ValueError(f"parameters must have layer shapes {wanted}, got {shapes}")

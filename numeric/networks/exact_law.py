r"""Draws of the neural tangent kernel from its exact law at finite width, without layer matrices.

A layer matrix A meets few vectors only: the n activations on the way forward, the n m_l gradients
on the way back. Let A have i.i.d. N(0, sigma^2) entries, and let the orthonormal columns of Q span
the activations. Then A Q and A (I - Q Q^T) are independent, and A Q has i.i.d. entries again.
The forward pass needs A Q alone. The gradients g that reach A depend on A through A Q alone, so

.. math:: A^T g = Q (A Q)^T g + (I - Q Q^T)\, \xi_g, \qquad
    \operatorname{Cov}(\xi_g, \xi_{g'}) = \sigma^2 \langle g, g' \rangle I,

with Gaussian xi that is drawn afresh. That is 2 n m_l sum_k m_k normals in all, and about n m_l
operations for each, where the matrices have sum_k m_k m_{k-1} entries.
"""

import math
from collections.abc import Callable

import numpy as np

from numeric.arguments import Floats
from numeric.networks import arguments
from numeric.networks.long_vectors import LongVectors, orthonormal_basis, triangular_factor
from numeric.networks.mlp import MLP
from numeric.networks.ntk import inner_product_blocks, multiples_of_identity
from numeric.one_thread import one_thread


def draw_ntk(
    mlp: MLP, x: Floats, rng: np.random.Generator, size: int, make_layer: "LayerMaker | None" = None
) -> Floats:
    """Draw K_theta on the rows of ``x``, ``(size, n, n, m_l, m_l)``.

    ``make_layer`` makes the layers, of another law than :class:`Layer` perhaps.

    Zero, equal and parallel inputs, dead layers and more inputs than a layer has units are within
    the law. Raises ValueError if the kernel overflows.

    >>> from numeric.cosine_maps import limiting_ntk
    >>> mlp = MLP((2, 10**5, 10**5, 1), a=0, b=1)  # A_2 would have 10^10 entries
    >>> kernel = draw_ntk(mlp, np.eye(2), np.random.default_rng(0), 1)[0, :, :, 0, 0]
    >>> bool(abs(kernel - limiting_ntk(np.eye(2), depth=3, delta=1)).max() < 0.1)
    True
    """
    inputs = np.broadcast_to(x, (size, *x.shape))
    # Products of thin matrices are too short for threads to wait for each other.
    with np.errstate(over="ignore", invalid="ignore"), one_thread():
        activations, layers = LongVectors(x.shape[-1], lambda columns: inputs[..., columns]), []
        for k in range(1, mlp.depth):
            layers.append((make_layer or Layer)(mlp, k, activations, rng))
            activations = layers[-1].activations()
        kernel = multiples_of_identity(activations.gram(), mlp.widths[-1])
        last = rng.standard_normal((size, 1, mlp.widths[-1], mlp.widths[-2]))
        vectors = np.repeat(last, len(x), axis=1)
        for k, layer in reversed(list(enumerate(layers, start=1))):
            gradients = layer.differentiated(vectors)
            weight = (mlp.scale(k) / mlp.scale(mlp.depth)) ** 2 * layer.inner_products
            kernel += weight[..., None, None] * inner_product_blocks(gradients)
            vectors = layer.pulled_back(gradients, rng) if k > 1 else gradients
    return arguments.finite_result(kernel, "the kernel")


def floats_per_draw(mlp: MLP, n: int) -> int:
    """How many floats one draw holds at a time."""
    outputs, hidden = mlp.widths[-1], mlp.widths[1:-1]
    return n * (sum(hidden) + 3 * outputs * max(hidden)) + (n * outputs) ** 2


class Layer:
    """A_k on the span of the activations x_k = R^T Q^T: ``action`` is (A_k Q)^T / sigma.

    Vectors in the space of N_k have shape ``(size, n, m_l, m_k)``: one for each input and output.
    """

    def __init__(self, mlp: MLP, k: int, activations: LongVectors, rng: np.random.Generator) -> None:
        self.mlp, self.width = mlp, mlp.widths[k]
        self.inner_products = activations.gram()
        self.basis, self.triangle = orthonormal_basis(activations, self.inner_products)
        self.action = rng.standard_normal((*self.triangle.shape[:-1], self.width))

    def preactivations(self, columns: slice) -> Floats:
        """N_k = sigma R^T (A_k Q)^T / sigma, computed again where it is needed."""
        coordinates = self.mlp.sigma * self.triangle.swapaxes(-1, -2)
        return np.asarray(coordinates @ self.action[..., columns])

    def activations(self) -> LongVectors:
        """x_{k+1} = m_k^{-1/2} phi(N_k)."""
        root = math.sqrt(self.width)
        return LongVectors(self.width, lambda c: self.mlp.phi(self.preactivations(c)) / root)

    def slopes(self) -> LongVectors:
        """x'_{k+1} = m_k^{-1/2} phi'(N_k)."""
        root = math.sqrt(self.width)
        return LongVectors(self.width, lambda c: self.mlp.phi_prime(self.preactivations(c)) / root)

    def differentiated(self, vectors: Floats) -> Floats:
        """sigma x'_{k+1} times the vectors, in place."""
        for columns, slopes in self.slopes().blocks():
            vectors[..., columns] *= self.mlp.sigma * slopes[:, :, None]
        return vectors

    def pulled_back(self, gradients: Floats, rng: np.random.Generator) -> Floats:
        """A_k^T g / sigma for all gradients g, given what the forward pass knows of A_k."""
        size, n, outputs, width = gradients.shape
        flat = gradients.reshape(size, n * outputs, width)
        triangle = triangular_factor(flat)
        fresh = rng.standard_normal((*triangle.shape[:-1], self.basis.width))
        vectors = triangle.swapaxes(-1, -2) @ fresh
        along = flat @ self.action.swapaxes(-1, -2)
        for columns, basis in self.basis.blocks():
            along -= vectors[..., columns] @ basis.swapaxes(-1, -2)
        for columns, basis in self.basis.blocks():
            vectors[..., columns] += along @ basis
        return np.asarray(vectors.reshape(size, n, outputs, -1))


LayerMaker = Callable[[MLP, int, LongVectors, np.random.Generator], Layer]

r"""Backpropagation matrices from their exact law, for networks too wide to hold a layer matrix.

B_{2,k}(x) maps R^{m_1} to R^{m_{k-1}}, and B_{2,k+1}(x) = D_{x'_{k+1}(x)} A_k B_{2,k}(x). So A_k
meets n m_1 vectors: the columns of B_{2,k}(x_i), which combine to the activations. With an
orthonormal basis Q of these, A_k Q has i.i.d. N(0, sigma^2) entries, and nothing else of A_k is
needed.
Where the first hidden layer is the narrowest, as for m_k = k^2 m, that is far cheaper than A_k.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from numeric.arguments import Floats, positive_integer
from numeric.networks import arguments, sampling
from numeric.networks.long_vectors import triangular_factor
from numeric.networks.mlp import MLP

__all__ = ["BackpropagationDraws", "sample_backpropagation"]


@dataclass(frozen=True, eq=False)
class BackpropagationDraws:
    """Draws for layers k = 2, ..., l, along the axis after ``size``; l - 1 entries.

    - ``activations``: X_k(x_i, x_j), shape ``(size, l-1, n, n)``.
    - ``products``: X'_{2,k}(x_i, x_j) = tr B_{2,k}(x_i) B_{2,k}(x_j)^*, ``(size, l-1, n, n)``.
    - ``norms``: the operator norms of B_{2,k}(x_i), shape ``(size, l-1, n)``.
    """

    activations: Floats
    products: Floats
    norms: Floats


def sample_backpropagation(
    x: ArrayLike, widths: Sequence[int], a: float, b: float, rng: np.random.Generator, size: int = 1
) -> BackpropagationDraws:
    """Draw the matrices B_{2,k} of random MLPs on the rows of ``x``, up to rotation.

    ``widths`` are the hidden widths (m_1, ..., m_{l-1}); ``x``, ``a``, ``b``, ``rng`` are those of
    ``sample_ntk``. One draw costs n^2 m_1^2 sum_k m_k operations. Scalings do not enter the law.

    Raises TypeError or ValueError for an argument outside its domain, naming it.

    Source: "MLPs at the EOC", Definition 5 and Section 3.1.

    >>> rng = np.random.default_rng(0)
    >>> draws = sample_backpropagation([[1.0, 0.0], [0.0, 1.0]], (9, 36, 81), 0, 1, rng, size=5)
    >>> draws.products.shape, draws.norms.shape
    ((5, 3, 2, 2), (5, 3, 2))
    >>> print(draws.products[:, 0, 0, 0])  # |B_22|_F^2 = sigma^2 |x_2'|^2, 1 for |.|
    [1. 1. 1. 1. 1.]
    """
    rows = arguments.inputs(x)
    hidden = arguments.widths("widths", widths, least=1)
    mlp = MLP((rows.shape[1], *hidden, 1), a, b)
    source = arguments.generator(rng)
    count = positive_integer("size", size)
    batches = sampling.batch_sizes(count, len(rows) * (2 + hidden[0]) * sum(hidden))
    draws = [_draw(mlp, rows, source, batch) for batch in batches]
    return BackpropagationDraws(*(np.concatenate(parts) for parts in zip(*draws, strict=True)))


def _draw(mlp: MLP, x: Floats, rng: np.random.Generator, size: int) -> tuple[Floats, Floats, Floats]:
    """Activations' inner products, B's inner products and B's norms, by draw and layer."""
    n, first, kept = len(x), mlp.widths[1], []
    vectors = np.broadcast_to(x, (size, *x.shape))
    for k, width in enumerate(mlp.widths[1:-1], start=1):
        triangle = triangular_factor(vectors)
        normals = rng.standard_normal((size, triangle.shape[-2], width))
        images = mlp.sigma * triangle.swapaxes(-1, -2) @ normals
        if k == 1:  # N_1 = sigma I times its coordinates, which stay those of the images
            coordinates, tangents = images / mlp.sigma, mlp.sigma * np.eye(width)
            preactivations = images
        else:
            tangents = images.reshape(size, n, first, width)
            preactivations = (coordinates[..., None, :] @ tangents)[..., 0, :]
        slopes = mlp.phi_prime(preactivations) / math.sqrt(width)
        activations = slopes * preactivations  # phi(s) = phi'(s) s
        columns = slopes[:, :, None] * tangents
        vectors = columns.reshape(size, n * first, width)
        kept.append((activations @ activations.swapaxes(-1, -2), *_sizes(columns)))
    inner, products, norms = (np.stack(parts, axis=1) for parts in zip(*kept, strict=True))
    return inner, products, norms


def _sizes(columns: Floats) -> tuple[Floats, Floats]:
    """tr B_i B_j^* and |B_i| of matrices given by their columns, ``(size, n, m_1, width)``."""
    flat = columns.reshape(*columns.shape[:2], -1)
    largest = np.linalg.eigvalsh(columns @ columns.swapaxes(-1, -2))[..., -1]
    return flat @ flat.swapaxes(-1, -2), np.sqrt(np.maximum(largest, 0.0))

"""A few vectors of very many coordinates, evaluated block by block so that they are never stored.

Fresh memory costs more than the arithmetic done in it, so what can be computed again is.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from numeric.arguments import Floats

# Floats in a block (512 kB), so that its arithmetic stays in the processor's cache.
_BLOCK_FLOATS = 2**16
# The vectors R^-T x_i, with R a Cholesky factor of the Gram matrix, are orthonormal up to the
# rounding of that matrix over its smallest eigenvalue: here 2^-27 for each vector at the most.
# Doing it twice squares the error.
_SMALLEST_EIGENVALUE = 2.0**-26


@dataclass(frozen=True, eq=False)
class LongVectors:
    """``count`` vectors in R^width for each of several draws.

    ``at`` maps a slice of the coordinates to these coordinates of the vectors, of shape
    ``(draws, count, length of the slice)``.

    >>> x = np.array([[[3.0, 0.0, 4.0], [1.0, 1.0, 0.0]]])
    >>> LongVectors(3, lambda columns: x[..., columns]).gram()
    array([[[25.,  3.],
            [ 3.,  2.]]])
    """

    width: int
    at: Callable[[slice], Floats]

    def blocks(self) -> Iterator[tuple[slice, Floats]]:
        """Slices of the coordinates, each with the vectors there."""
        step = max(1, _BLOCK_FLOATS // max(1, self.at(slice(0, 1)).size))
        for start in range(0, self.width, step):
            columns = slice(start, min(start + step, self.width))
            yield columns, self.at(columns)

    def gram(self) -> Floats:
        """The inner products, ``(draws, count, count)``."""
        products = (block @ block.swapaxes(-1, -2) for _, block in self.blocks())
        return np.asarray(sum(products))

    def whole(self) -> Floats:
        """All coordinates at once."""
        return self.at(slice(0, self.width))


def orthonormal_basis(vectors: LongVectors, gram: Floats) -> tuple[LongVectors, Floats]:
    """The rows of Q^T, and R, with ``vectors = R^T Q^T`` and ``Q^T Q = I`` to rounding.

    ``gram`` holds the inner products of the vectors. R has shape ``(draws, r, count)`` with
    r = min(count, width) whatever the rank: vectors that are nearly dependent, or too many, are
    left to Householder's reflections; all others are made orthonormal by Cholesky's factor, twice.

    >>> x = np.array([[[3.0, 0.0, 4.0], [3.0, 0.0, 4.0]]])
    >>> vectors = LongVectors(3, lambda columns: x[..., columns])
    >>> basis, R = orthonormal_basis(vectors, vectors.gram())
    >>> bool(np.allclose(basis.gram(), np.eye(2)))
    True
    >>> bool(np.allclose(R.swapaxes(-1, -2) @ basis.whole(), x))
    True
    """
    first = _cholesky_factor(gram, vectors.width)
    if first is None:
        Q, R = np.linalg.qr(vectors.whole().swapaxes(-1, -2))
        return LongVectors(vectors.width, lambda columns: Q[..., columns, :].swapaxes(-1, -2)), R
    almost = _divided(vectors, first)
    second = _upper(almost.gram())
    return _divided(almost, second), second @ first


def _divided(vectors: LongVectors, triangle: Floats) -> LongVectors:
    """R^-T times the vectors."""
    inverse = np.linalg.inv(triangle).swapaxes(-1, -2)
    return LongVectors(vectors.width, lambda columns: inverse @ vectors.at(columns))


def triangular_factor(vectors: Floats) -> Floats:
    """R with R^T R the Gram matrix of stored vectors ``(draws, count, width)``, r rows as above.

    >>> x = np.array([[[3.0, 0.0, 4.0], [3.0, 0.0, 4.0]]])
    >>> R = triangular_factor(x)
    >>> bool(np.allclose(R.swapaxes(-1, -2) @ R, 25))
    True
    """
    transposed = vectors.swapaxes(-1, -2)
    triangle = _cholesky_factor(vectors @ transposed, vectors.shape[-1])
    return np.asarray(np.linalg.qr(transposed, mode="r")) if triangle is None else triangle


def _cholesky_factor(gram: Floats, width: int) -> Floats | None:
    """Upper triangles R with R^T R = ``gram``; None if vectors in R^width are nearly dependent."""
    squares = np.diagonal(gram, axis1=-2, axis2=-1)
    if gram.shape[-1] > width or not (np.isfinite(squares).all() and (squares > 0).all()):
        return None
    norms = np.sqrt(squares)
    cosines = gram / norms[..., :, None] / norms[..., None, :]
    if np.linalg.eigvalsh(cosines)[..., 0].min() < _SMALLEST_EIGENVALUE:
        return None
    return _upper(gram)


def _upper(gram: Floats) -> Floats:
    return np.asarray(np.linalg.cholesky(gram, upper=True), dtype=np.float64)

"""Means of m squares of standard normals, and of m outer products; for m infinite they are 1."""

import math

import numpy as np

from numeric.arguments import Floats


def mean_square_factor(
    dimension: int, count: float, rng: np.random.Generator, shape: tuple[int, ...]
) -> Floats:
    """Factors L, ``(*shape, s, min(s, m))``, of the means of m outer products of normal s-vectors.

    m L L^T has the law of G G^T for an s x m matrix G of standard normals (Wishart's law).  L is
    lower triangular with independent entries: but for the factor 1/sqrt m, the roots of chi-squares
    of m, m - 1, ... degrees of freedom on the diagonal, and standard normals below it (Bartlett's
    decomposition, which holds for m < s as well).  For m infinite L is the unit matrix.

    >>> mean_square_factor(3, 2, np.random.default_rng(0), (5,)).shape
    (5, 3, 2)
    """
    if count == math.inf:
        return np.broadcast_to(np.eye(dimension), (*shape, dimension, dimension))
    columns = min(dimension, int(count))
    factor = np.zeros((*shape, dimension, columns))
    freedoms = count - np.arange(columns, dtype=float)
    diagonal = np.sqrt(2 * rng.standard_gamma(freedoms / 2, size=(*shape, columns)))
    factor[..., range(columns), range(columns)] = diagonal
    rows, places = np.tril_indices(dimension, -1, columns)
    factor[..., rows, places] = rng.standard_normal((*shape, len(rows)))
    return np.asarray(factor / math.sqrt(count))


def mean_square(count: float, rng: np.random.Generator, shape: tuple[int, ...]) -> Floats:
    """Means of m squares of standard normals; 1 for m infinite.

    >>> float(mean_square(math.inf, np.random.default_rng(0), ()))
    1.0
    """
    if count == math.inf:
        return np.ones(shape)
    return np.asarray(rng.chisquare(count, shape) / count)

"""Vectors decomposed into a power of two, a norm, and a direction in twice the precision.

The angle between nearly parallel vectors is the distance of their unit vectors, of which rounding
leaves little; the rounding errors of the unit vectors, kept beside them, give it back. Powers of
two keep squares from over- and underflowing.
"""

import numpy as np

from numeric.arcsine import product
from numeric.arguments import Floats


class Directions:
    """The rows of a matrix as 2^exponent * norm * (unit + rest); a zero row has norm and unit 0."""

    def __init__(self, vectors: Floats) -> None:
        largest = np.max(np.abs(vectors), axis=1, initial=0.0)
        self.exponent = np.frexp(largest)[1]
        self.scaled = scaled = np.ldexp(vectors, -self.exponent[:, None])
        self.squared_norm = _squared_norms(scaled)
        self.norm = np.sqrt(self.squared_norm)
        divisor = np.where(self.norm > 0, self.norm, 1.0)[:, None]
        self.unit = scaled / divisor
        back, error = product(self.unit, np.broadcast_to(divisor, scaled.shape))
        self.rest = ((scaled - back) - error) / divisor

    def parallel(self, i: int, j: int) -> bool:
        """Whether one row is a multiple of the other, exactly: x_k y_p = x_p y_k for all k."""
        first, second = self.scaled[i], self.scaled[j]
        pivot = np.argmax(np.abs(first))
        here, there = product(first, second[pivot]), product(second, first[pivot])
        return bool(np.array_equal(here, there))


def _squared_norms(vectors: Floats) -> Floats:
    """Sums of squares to within a unit in the last place: rounding errors are summed beside."""
    total, rest = product(vectors, vectors)
    while total.shape[1] > 1:
        if total.shape[1] % 2:
            total, rest = (np.pad(part, ((0, 0), (0, 1))) for part in (total, rest))
        first, second = total[:, ::2], total[:, 1::2]
        total = first + second
        part = total - first
        rest = rest[:, ::2] + rest[:, 1::2] + ((first - (total - part)) + (second - part))
    squares: Floats = (total + rest).sum(axis=1)
    return squares

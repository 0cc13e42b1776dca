"""What the kernel of a layer is made of, for a list of pairs of sequences."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from numeric.arguments import Floats
from numeric.attention_kernels.kernels import TokenKernels
from numeric.attention_kernels.layer import AttentionKernel

Integers = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Pairs:
    """Kernels of p pairs (x, x') as the scores and as the values see them, (p, s, s) each.

    scores = I(kernel), first and second its values at (x, x) and (x', x'); the tangents are the
    NTKs of what the scores and the values are made of, or None.
    """

    scores: Floats
    first: Floats
    second: Floats
    values: Floats
    score_tangents: Floats | None
    value_tangents: Floats | None

    def __getitem__(self, chosen: slice | Integers) -> "Pairs":
        def part(array: Floats | None) -> Floats | None:
            return None if array is None else array[chosen]

        return Pairs(
            self.scores[chosen],
            self.first[chosen],
            self.second[chosen],
            self.values[chosen],
            part(self.score_tangents),
            part(self.value_tangents),
        )

    def __len__(self) -> int:
        return len(self.scores)

    def blocks(self, size: int) -> Iterator["Pairs"]:
        """Parts of at most so many pairs, in their order."""
        return (self[start : start + size] for start in range(0, len(self), max(1, size)))

    @property
    def first_variances(self) -> Floats:
        """The variances of the tokens of x, (p, s)."""
        return np.diagonal(self.first, axis1=1, axis2=2)

    @property
    def second_variances(self) -> Floats:
        """The variances of the tokens of x', (p, s)."""
        return np.diagonal(self.second, axis1=1, axis2=2)


def crossed_pairs(
    kernels: TokenKernels, layer: AttentionKernel, rows: Integers, columns: Integers
) -> Pairs:
    """The pairs (x, y) of these rows and columns."""
    tangents = None if kernels.ntk is None else kernels.ntk[rows, columns]
    own = kernels.first[rows], kernels.second[columns]
    return _seen(layer, kernels.nngp[rows, columns], own, tangents)


def own_pairs(covariances: Floats, layer: AttentionKernel) -> Pairs:
    """The pairs (x, x) of sequences with these covariances."""
    return _seen(layer, covariances, (covariances, covariances), None)


def _seen(
    layer: AttentionKernel, kernel: Floats, own: tuple[Floats, Floats], tangents: Floats | None
) -> Pairs:
    encoding = layer.encoding
    if encoding is None:
        return Pairs(kernel, *own, kernel, tangents, tangents)
    scores = encoding.interpolated(kernel)
    scored = None if tangents is None else encoding.tangents(tangents)
    first, second = (encoding.interpolated(one) for one in own)
    if encoding.values:
        return Pairs(scores, first, second, scores, scored, scored)
    return Pairs(scores, first, second, kernel, scored, tangents)

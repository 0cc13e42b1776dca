"""What the kernel of a layer is made of, for a list of pairs of sequences."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from numeric.arguments import Floats
from numeric.attention_kernels.kernels import Flags, TokenKernels
from numeric.attention_kernels.layer import AttentionKernel

Integers = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Pairs:
    """Kernels of p pairs (x, x') as the scores and as the values see them, (p, s, t) each.

    scores = I(kernel), first (p, s, s) and second (p, t, t) its values at (x, x) and (x', x'); the
    tangents are the NTKs of what the scores and the values are made of, or None. What the values
    see is 0 at tokens that are absent; `first_absent` and `second_absent` say which these are.
    """

    scores: Floats
    first: Floats
    second: Floats
    values: Floats
    score_tangents: Floats | None
    value_tangents: Floats | None
    first_absent: Flags
    second_absent: Flags

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
            self.first_absent[chosen],
            self.second_absent[chosen],
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
        """The variances of the tokens of x', (p, t)."""
        return np.diagonal(self.second, axis1=1, axis2=2)


def crossed_pairs(
    kernels: TokenKernels, layer: AttentionKernel, rows: Integers, columns: Integers
) -> Pairs:
    """The pairs (x, y) of these rows and columns."""
    tangents = None if kernels.ntk is None else kernels.ntk[rows, columns]
    own = kernels.first[rows], kernels.second[columns]
    present = kernels.first_present[rows], kernels.second_present[columns]
    return _seen(layer, kernels.nngp[rows, columns], own, tangents, present)


def own_pairs(covariances: Floats, layer: AttentionKernel, present: Flags) -> Pairs:
    """The pairs (x, x) of sequences with these covariances."""
    both = covariances, covariances
    return _seen(layer, covariances, both, None, (present, present))


def _seen(
    layer: AttentionKernel,
    kernel: Floats,
    own: tuple[Floats, Floats],
    tangents: Floats | None,
    present: tuple[Flags, Flags],
) -> Pairs:
    encoding, there = layer.encoding, present[0][:, :, None] & present[1][:, None, :]

    def of_present(one: Floats | None) -> Floats | None:
        return None if one is None else one * there

    scores, scored = kernel, tangents
    first, second = own
    if encoding is not None:
        scores = encoding.interpolated(kernel)
        scored = None if tangents is None else encoding.tangents(tangents)
        first, second = (encoding.interpolated(one) for one in own)
    encoded = encoding is not None and encoding.values
    return Pairs(
        scores,
        first,
        second,
        (scores if encoded else kernel) * there,
        scored,
        of_present(scored if encoded else tangents),
        ~present[0],
        ~present[1],
    )

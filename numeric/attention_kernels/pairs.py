"""What the kernel of a layer is made of, for a list of pairs of sequences."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from numeric.arguments import Floats
from numeric.attention_kernels.kernels import Flags
from numeric.attention_kernels.layer import AttentionKernel
from numeric.attention_kernels.steps import Side

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


def seen_pairs(
    layer: AttentionKernel, kernel: Floats, tangents: Floats | None, first: Side, second: Side
) -> Pairs:
    """The pairs of kernels (p, s, t), of sequences with these kernels and tokens (p or 1 each)."""
    encoding, count = layer.encoding, len(kernel)
    present = [np.broadcast_to(one[1], (count, *one[1].shape[1:])) for one in (first, second)]
    own = [np.broadcast_to(one[0], (count, *one[0].shape[1:])) for one in (first, second)]
    all_there = first[1].all() and second[1].all()

    def of_present(one: Floats) -> Floats:
        return one if all_there else one * (present[0][:, :, None] & present[1][:, None, :])

    scores, scored = kernel, tangents
    if encoding is not None:
        scores = encoding.interpolated(kernel)
        scored = None if tangents is None else encoding.tangents(tangents)
        own = [encoding.interpolated(one) for one in own]
    encoded = encoding is not None and encoding.values
    inherited = scored if encoded else tangents
    return Pairs(
        scores,
        own[0],
        own[1],
        of_present(scores if encoded else kernel),
        scored,
        None if inherited is None else of_present(inherited),
        ~present[0],
        ~present[1],
    )

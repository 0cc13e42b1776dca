"""Layers as steps: what each needs of sequences alone, and what it makes of kernels of pairs.

Several steps are carried out together, row by row of the matrix of pairs, so that what is between
them stays in the cache; rows are shared between threads.
"""

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np

from numeric.arguments import Floats
from numeric.attention_kernels.kernels import (
    Flags,
    TokenKernels,
    check_finite,
    in_threads,
    put_row,
    row_places,
)

#: Arrays whose first axis is that of the sequences.
Side = tuple[Any, ...]


class Step(Protocol):
    """A layer, as kernels see it."""

    def side(self, own: Floats, present: Flags) -> Side:
        """What is needed of n sequences alone, from their kernels (n, s, s) and tokens (n, s)."""

    def across(
        self, nngp: Floats, ntk: Floats | None, first: Side, second: Side
    ) -> tuple[Floats, Floats | None]:
        """New kernels of p pairs (p, s, t), as new arrays; sides have p sequences each, or 1."""


def applied(maker: str, kernels: TokenKernels, steps: Sequence[Step]) -> TokenKernels:
    """The kernels after all the steps; `maker` is named where an entry overflows."""
    first = _Alone(maker, kernels.first, kernels.first_present, steps)
    second = first
    if not kernels.symmetric:
        second = _Alone(maker, kernels.second, kernels.second_present, steps)
    nngp = np.empty_like(kernels.nngp)
    ntk = None if kernels.ntk is None else np.empty_like(nngp)

    def fill(place: tuple[int, slice]) -> None:
        x, later = place
        found, tangents = kernels.nngp[x, later], None
        if kernels.ntk is not None:
            tangents = kernels.ntk[x, later]
        for step, one, other, own in zip(steps, first.sides, second.sides, first.kernels, strict=True):
            sides = _part(one, slice(x, x + 1)), _part(other, later)
            found, tangents = step.across(found, tangents, *sides)
            if kernels.symmetric and later.start == x:
                # rounded as the variances are, so that a token has correlation 1 with itself
                found[0] = own[x]
        check_finite(maker, found)
        put_row(nngp, x, later, found, kernels.symmetric)
        if ntk is not None and tangents is not None:
            check_finite(maker, tangents)
            put_row(ntk, x, later, tangents, kernels.symmetric)

    in_threads(fill, row_places(kernels))
    return kernels.with_arrays(nngp, first.last(kernels.first), second.last(kernels.second), ntk)


class _Alone:
    """Kernels of sequences with themselves after each step, and what the steps need of them."""

    def __init__(self, maker: str, own: Floats, present: Flags, steps: Sequence[Step]) -> None:
        self.sides: list[Side] = []
        self.kernels: list[Floats] = []
        for step in steps:
            with np.errstate(over="ignore", invalid="ignore"):
                side = step.side(own, present)
                after, _ = step.across(own, None, side, side)
                own = (after + after.transpose(0, 2, 1)) / 2
            check_finite(maker, own)
            self.sides.append(side)
            self.kernels.append(own)

    def last(self, before: Floats) -> Floats:
        """The kernels after all steps, which are those before if there are none."""
        return self.kernels[-1] if self.kernels else before


def _part(side: Side, chosen: slice) -> Side:
    return tuple(array[chosen] for array in side)

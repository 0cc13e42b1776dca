"""Proposition 4: random scores make the kernel of a convolution."""

import sympy as sp
from sympy import Max, Min

from theorems.engine import Given, both, eq, implies, le
from theorems.engine.rules import Theorem
from theorems.infinite_attention.letters.convolutions import d_f, joint_weight, place_i, place_j
from theorems.infinite_attention.letters.table import claim

_NOTE = "proofs_notes/inf_expressivity.md#random-coefficients"

_INSIDE = both(le(place_i, d_f), le(place_j, d_f))

CONVOLUTION = claim(
    "inf.prop4",
    at="Proposition 4; Equation (8)",
    title="Scores that are infinite on disjoint intervals make the kernel of a convolution",
    states={
        "same place": implies(sp.And(_INSIDE, eq(place_i, place_j)), eq(joint_weight, 1 / d_f)),
        "different places": implies(sp.And(_INSIDE, sp.Ne(place_i, place_j)), eq(joint_weight, 0)),
    },
    given=[joint_weight, place_i, place_j, d_f],
    note=_NOTE,
)


@CONVOLUTION.proved("same place", "different places")
def common_part_of_two_intervals(given: Given) -> Theorem:
    """A weight is one on an interval and else zero; a common one is the length of what they share.

    Pixel i has the weight one from (i(a) - 1)/d_f to i(a)/d_f, where its score alone is infinite.
    """
    shared = Max(0, Min(place_i, place_j) - Max(place_i - 1, place_j - 1))
    common = given.meaning(
        "the mean of a product of two indicators on the unit interval",
        eq(joint_weight, shared / d_f),
        under=[_INSIDE],
    )
    steps = given.textbook(
        "different integers differ by one at least",
        implies(sp.Ne(place_i, place_j), sp.Or(le(place_i + 1, place_j), le(place_j + 1, place_i))),
    )
    return given.follows(common, steps)

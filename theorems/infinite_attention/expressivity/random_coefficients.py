"""Proposition 4: random scores make the kernel of a convolution."""

import sympy as sp
from sympy import Max, Min, Rational, Symbol

from theorems.engine import Given, Hypothesis, Provenance, both, eq, implies, le
from theorems.engine.rules import Theorem
from theorems.infinite_attention.letters.convolutions import (
    agreement,
    d_f,
    joint_weight,
    place_i,
    place_j,
)
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


SYMMETRIC = Hypothesis(
    "symmetric_queries",
    "the scalars that multiply queries and keys are independent of both, each row of weights is one"
    " at a single pixel, of two or more, almost surely, and the queries of the two inputs are"
    " centred, normal and uncorrelated with each other",
)

SCALARS = claim(
    "inf.prop4.scalars",
    at="Proposition 4, proof",
    title="Scalars that are independent of queries and keys make rows agree at most half the time",
    states=le(agreement, Rational(1, 2)),
    given=[agreement],
    assuming=SYMMETRIC,
    provenance=Provenance.DERIVED,
    note="proofs_notes/inf_expressivity.md#a-more-realistic-construction",
    excused={
        "1/2": "what is more than an upper bound is one as well; less than it is rejected",
        "domain of agreement": "the proof does not use that a probability is at most one",
    },
)


@SCALARS.argued(
    bridge="with the other sign of the queries of one input the law is the same, and its row of"
    " weights is one at the pixel of the smallest score in place of the largest"
)
def other_sign_of_the_queries(given: Given) -> Theorem:
    """With -Q(x) for Q(x) the law is the same, and the largest score is where the smallest was."""
    other = Symbol("agreement with the other sign", real=True)
    symmetric = given.supposed(SYMMETRIC, eq(other, agreement))
    disjoint = given.bridge(
        "the largest and the smallest score are at different pixels", le(agreement + other, 1)
    )
    return given.follows(symmetric, disjoint)

"""Lemma 3, proof: Taylor's formula for one head, with either of two bounds for its bend."""

from sympy import Abs

from theorems.engine import Given, Provenance, le
from theorems.engine.rules import Theorem
from theorems.shallow_transformer.hypotheses import TWICE_DIFFERENTIABLE
from theorems.shallow_transformer.letters import paper as of
from theorems.shallow_transformer.letters.head import h_bent
from theorems.shallow_transformer.letters.linear import head_remainder
from theorems.shallow_transformer.letters.paper import claim, m
from theorems.shallow_transformer.premises.segments import largest_bend, rest_of_a_step

REMAINDER = claim(
    "st.lem3.remainder",
    at="Lemma 3, proof",
    title="What is left of a step of a head without its linear part",
    states={
        "norm": le(head_remainder, of.h_hessian * of.theta_step**2 / 2),
        "along the way": le(m * head_remainder, Abs(h_bent) / 2),
    },
    assuming=[TWICE_DIFFERENTIABLE],
    provenance=Provenance.DERIVED,
    note="proofs_notes/st_smoothness.md#the-linearisation-error",
)


@REMAINDER.proved("norm")
def half_of_the_largest_hessian(given: Given) -> Theorem:
    """The Hessian where it is largest on the segment, times half of its squared length."""
    return given.follows(rest_of_a_step(given, head_remainder))


@REMAINDER.proved("along the way")
def half_of_the_largest_bend(given: Given) -> Theorem:
    """The second derivative where it is largest, along √m times the way."""
    return given.follows(largest_bend(given, head_remainder, h_bent, m))

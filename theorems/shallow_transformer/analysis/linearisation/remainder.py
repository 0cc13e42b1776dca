"""Lemma 3, proof: Taylor's formula for one head, with either of three bounds for its bend."""

from theorems.engine import Given, Provenance, le
from theorems.engine.rules import Theorem
from theorems.shallow_transformer.hypotheses import SMOOTH_INSIDE, TWICE_DIFFERENTIABLE
from theorems.shallow_transformer.letters import paper as of
from theorems.shallow_transformer.letters.linear import h_bend_sup, h_hessian_sup, head_remainder
from theorems.shallow_transformer.letters.paper import SMOOTHNESS, claim, m
from theorems.shallow_transformer.premises.segments import (
    at_each_place,
    largest_bend,
    largest_hessian,
    rest_of_a_step,
)

_NOTE = "proofs_notes/st_smoothness.md#the-linearisation-error"

REMAINDER = claim(
    "st.lem3.remainder",
    at="Lemma 3, proof",
    title="What is left of a step of a head without its linear part",
    states={
        "norm": le(head_remainder, h_hessian_sup * of.theta_step**2 / 2),
        "along the way": le(m * head_remainder, h_bend_sup / 2),
    },
    assuming=[TWICE_DIFFERENTIABLE],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@REMAINDER.proved("norm")
def half_of_the_largest_hessian(given: Given) -> Theorem:
    """The largest Hessian on the segment, times half of its squared length."""
    return given.follows(rest_of_a_step(given, head_remainder, h_hessian_sup, largest_hessian(h_hessian_sup)))


@REMAINDER.proved("along the way")
def half_of_the_largest_bend(given: Given) -> Theorem:
    """The largest second derivative along √m times the way, anywhere on the segment."""
    return given.follows(largest_bend(given, head_remainder, h_bend_sup, m))


SMOOTH_REMAINDER = claim(
    "st.lem3.remainder.smooth",
    at="Lemma 3, proof",
    title="What is left of a step of a smooth head without its linear part",
    states=le(head_remainder, SMOOTHNESS * of.theta_step**2 / 2),
    assuming=SMOOTH_INSIDE,
    rests_on=["st.lem2.smooth"],
    provenance=Provenance.STEP,
    note=_NOTE,
)


@SMOOTH_REMAINDER.proved()
def half_of_the_smoothness(given: Given) -> Theorem:
    """The Hessian is at most L_2 everywhere on the segment, which stays in the feasible set."""
    everywhere = at_each_place(given, given.fact("st.lem2.smooth"), SMOOTHNESS)
    return given.follows(rest_of_a_step(given, head_remainder, SMOOTHNESS, everywhere))

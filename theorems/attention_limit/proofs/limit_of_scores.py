"""Appendix D.1.3: the mean over the limits varies continuously with the dot products."""

from sympy import Abs

from theorems.attention_limit.letters.averages import (
    distance_ab,
    limit_at_a,
    limit_at_b,
    norm_a_growth,
    norm_b_growth,
    psi_bound,
)
from theorems.attention_limit.letters.table import claim
from theorems.attention_limit.letters.tools import C_any, growth
from theorems.attention_limit.tools.pseudo_lipschitz import PSEUDO_LIPSCHITZ
from theorems.engine import Given, Hypothesis, Provenance, eq, half_line, le
from theorems.engine.rules import E, P, Theorem, probabilities

_NOTE = "proofs_notes/attn_proofs.md#the-mean-given-the-dot-products"

BOUNDED = Hypothesis(
    "bounded_function",
    "the function whose values are $limit_at_a and $limit_at_b is bounded by $psi_bound",
    latex=r"|$limit_at_a|, |$limit_at_b| \le $psi_bound",
)

CONTINUOUS = claim(
    "attn.d13",
    at="Appendix D.1.3",
    title="The mean over the limits is bounded, and locally Lipschitz in the dot products",
    states={
        "locally Lipschitz": le(
            Abs(E(limit_at_a) - E(limit_at_b)),
            C_any * distance_ab * (1 + E(norm_a_growth) + E(norm_b_growth)),
        ),
        "bounded": le(Abs(E(limit_at_a)), psi_bound),
    },
    given={growth: half_line(1)},
    assuming=[PSEUDO_LIPSCHITZ, BOUNDED],
    provenance=Provenance.EXPLICIT,
    note=_NOTE,
)


@CONTINUOUS.proved("locally Lipschitz")
def mean_of_the_definition(given: Given) -> Theorem:
    """The definition holds at every value of the limits; their means are taken on both sides."""
    sure = given.supposed(
        PSEUDO_LIPSCHITZ,
        eq(P(le(Abs(limit_at_a - limit_at_b), C_any * distance_ab * (1 + norm_a_growth + norm_b_growth))), 1),
    )
    bound = C_any * distance_ab * (1 + norm_a_growth + norm_b_growth)
    size = probabilities.expectation_of_size(limit_at_a - limit_at_b)
    larger = probabilities.larger_mean(Abs(limit_at_a - limit_at_b), bound)
    return given.follows(size, larger, sure)


@CONTINUOUS.proved("bounded")
def mean_of_a_bounded_variable(given: Given) -> Theorem:
    """The size of a mean is at most the mean of the size."""
    sure = given.supposed(BOUNDED, eq(P(le(Abs(limit_at_a), psi_bound)), 1))
    size = probabilities.expectation_of_size(limit_at_a)
    larger = probabilities.larger_mean(Abs(limit_at_a), psi_bound)
    return given.follows(size, larger, sure)

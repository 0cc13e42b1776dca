"""Remark 3.2: the variance of the limit output, for any number of heads and for infinitely many."""

import sympy as sp
from sympy import Sum

from theorems.attention_limit.letters.limit import H, Z_y, head, mean_q, q
from theorems.attention_limit.letters.table import claim
from theorems.attention_limit.main_theorem.kurtosis import HIERARCHY
from theorems.engine import Given, Hypothesis, Provenance, eq
from theorems.engine.rules import E, Random, Theorem, facts, sums
from theorems.engine.rules.vocabulary import independent, randoms

_AT = "Remark 3.2"
_NOTE = "proofs_notes/attn_laws.md#variance-and-heads"

EQUAL = claim(
    "attn.rem32",
    at=_AT,
    title="The variance of the limit output with equal heads does not depend on their number",
    states=eq(E(Z_y**2), E(q)),
    assuming=[HIERARCHY],
    rests_on=["attn.kurtosis.moments"],
    note=_NOTE,
)


@EQUAL.proved()
def second_moment(given: Given) -> Theorem:
    """It is the mean of the variance of one head, as for infinitely many heads."""
    return given.follows(given.fact("attn.kurtosis.moments", "second"))


INDEPENDENT_HEADS = Hypothesis(
    "independent_heads",
    "$Z_y is a standard normal variable times the root of the mean of the variances of $H heads,"
    " of which it is independent",
    latex=r"$Z_y = g\sqrt{V}, \quad V = \tfrac{1}{$H}(q_1 + \dots + q_{$H}), \quad"
    r" g \sim \mathcal{N}(0, 1) \text{ independent of } V",
)
_h = sp.Symbol("h", integer=True, nonnegative=True)
_g, _S, _q = Random("g"), randoms("S"), randoms("q")

MEAN = claim(
    "attn.rem32.mean",
    at=_AT,
    title="The variance of the limit output is the average over its heads",
    states=eq(E(Z_y**2), Sum(mean_q(head), (head, 1, H)) / H),
    assuming=[INDEPENDENT_HEADS],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@MEAN.proved()
def average_of_the_heads(given: Given) -> Theorem:
    """E V is the average of the means, and E g² = 1."""
    said = [
        given.meaning("a sum of no heads", eq(E(_S(0)), 0)),
        given.meaning("a sum with one head more", eq(E(_S(_h + 1)), E(_S(_h) + _q(_h + 1)))),
        given.meaning("the mean of a head", eq(mean_q(_h + 1), E(_q(_h + 1)))),
    ]
    total = sums.by_recursion(eq(E(_S(_h)), Sum(mean_q(head), (head, 1, _h))), _h, premises=said)
    mixture = given.supposed(
        INDEPENDENT_HEADS, eq(E(Z_y**2), E(_g**2 * _S(H) / H)), independent(_g**2, _S(H)), eq(E(_g**2), 1)
    )
    product = facts.expectation_of_independent(_g**2, _S(H))
    here = total.at({_h: H})
    return given.follows(mixture, product, here)

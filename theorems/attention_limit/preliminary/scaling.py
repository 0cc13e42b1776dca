"""Section 2.2: with 1/n in place of 1/√n the scores tend to 0, at the rate 1/√n.

The number m of rows is n there; nothing below depends on it.
"""

import sympy as sp

from theorems.attention_limit.letters.attention import (
    S_ii,
    S_jj,
    chance,
    n,
    p_ij,
    score_1n,
    sigma_key,
    sigma_query,
    threshold,
)
from theorems.attention_limit.letters.limit import sigma_11, sigma_12, sigma_22
from theorems.attention_limit.letters.table import claim
from theorems.attention_limit.preliminary.attention import GAUSSIAN_ROWS
from theorems.engine import Given, Hypothesis, Provenance, Severity, both, eq, ge, gt, iff, implies, le, rules
from theorems.engine.rules import E, P, Theorem, facts, principles

_NOTE = "proofs_notes/attn_laws.md#scores-divided-by-n"
_VARIANCE = sigma_query**2 * sigma_key**2 * S_ii * S_jj

DIVIDED_BY_N = Hypothesis(
    "divided_by_n",
    "$score_1n is the score divided by the root of $n once more",
    latex=r"$score_1n = p_{ij} / \sqrt{$n}",
)

SCALE = claim(
    "attn.scale1n",
    at="Section 2.2",
    title="Scores under the other scaling have a variance of exact order 1/n and tend to 0",
    states={
        "variance": eq(E(score_1n**2), _VARIANCE / n),
        "tail": le(P(ge(sp.Abs(score_1n), threshold)), _VARIANCE / (n * threshold**2)),
        "limit": implies(
            ge(n, _VARIANCE / (chance * threshold**2)), le(P(ge(sp.Abs(score_1n), threshold)), chance)
        ),
    },
    assuming=[GAUSSIAN_ROWS, DIVIDED_BY_N],
    rests_on=["attn.exact_law.moments"],
    provenance=Provenance.EXPLICIT,
    note=_NOTE,
)


#: The variance of an output at equal weights of two tokens, over the square of the scales.
_EQUAL_WEIGHTS = (sigma_11 + 2 * sigma_12 + sigma_22) / 4
_COVARIANCE = Hypothesis(
    "covariance_of_two_values",
    "$sigma_11, $sigma_12 and $sigma_22 are the entries of a covariance matrix",
    both(ge(sigma_11, 0), ge(sigma_22, 0), le(sigma_12**2, sigma_11 * sigma_22)),
)

POSITIVE = claim(
    "attn.sec22.positive",
    at="Section 2.2",
    title="The Gaussian limit under the other scaling has a positive variance, for two tokens",
    states=gt(_EQUAL_WEIGHTS, 0),
    assuming=[_COVARIANCE],
    note=_NOTE,
)


@POSITIVE.refuted(severity=Severity.EDGE)
def opposite_tokens() -> dict[sp.Symbol, int]:
    """At equal weights a token and its opposite cancel: functions of one vector may be so."""
    return {sigma_11: 1, sigma_12: -1, sigma_22: 1}


CANCELLING = POSITIVE.corrected(
    "attn.sec22.positive.corrected",
    title="The variance is zero just where the limits of both values are opposite",
    states=iff(eq(_EQUAL_WEIGHTS, 0), both(eq(sigma_11, sigma_22), eq(sigma_12, -sigma_11))),
    assuming=[_COVARIANCE],
    note=_NOTE,
)


@CANCELLING.proved()
def by_the_two_squares(given: Given) -> Theorem:
    """|Σ12| is at most the root of the product, and that at most the mean of both."""
    return given.follows()


def _variance(given: Given) -> Theorem:
    scaled = given.supposed(DIVIDED_BY_N, eq(E(score_1n**2), E(p_ij**2) / n))
    goal = eq(E(score_1n**2), _VARIANCE / n)
    return given.follows(given.fact("attn.exact_law.moments", "second"), scaled, goal=goal)


@SCALE.proved("variance")
def one_root_more(given: Given) -> Theorem:
    """The variance with the root, which does not depend on n, divided by n."""
    return _variance(given)


@SCALE.proved("tail", "limit")
def chebyshev(given: Given) -> Theorem:
    """Markov's inequality for the square."""
    x, t = sp.Symbol("x", real=True), threshold
    same = rules.follows(sp.Equivalent(ge(sp.Abs(x), t), ge(sp.Abs(x**2), t**2)))
    events = principles.more_probable(same, x, score_1n)
    markov = facts.markov(score_1n**2, t**2)
    return given.follows(_variance(given), events, markov)

"""Appendix B.1: limits of clipped inputs are uncorrelated between tokens; the covariances of that.

Clipping is odd, and the matrices before it are different for each token.
"""

from sympy import Expr, Symbol

from theorems.attention_limit.details.clipping import SECOND_MOMENT, SQUARE_MEAN
from theorems.attention_limit.letters.attention import sigma_key, sigma_out, sigma_query, sigma_value
from theorems.attention_limit.letters.limit import (
    Z_xi,
    Z_xj,
    Z_xk,
    Z_xl,
    clip_level,
    p_limit_ij,
    p_limit_kl,
    psi,
    same_ik,
    same_jk,
    same_jl,
    value_j,
    value_k,
)
from theorems.attention_limit.letters.table import claim
from theorems.attention_limit.main_theorem.limit_law import DIFFERENT_MATRICES, LIMITS_OF_SCORES, SAME_MATRIX
from theorems.engine import Given, Hypothesis, eq, implies, rules
from theorems.engine.rules import E, Random, Theorem, principles
from theorems.engine.rules.normal_variables import symmetric_law
from theorems.engine.rules.vocabulary import normal
from theorems.engine.statements.values import unfolded

_AT = "Appendix B.1"
_NOTE = "proofs_notes/attn_laws.md#clipped-inputs"
_U = Random("U")

CLIPPED_INPUTS = Hypothesis(
    "clipped_inputs",
    "limits of the inputs of different tokens are independent standard normal variables, clipped"
    " at $clip_level, and all weights have the variance 1/n",
)

UNCORRELATED = claim(
    "attn.b1.uncorrelated",
    at=_AT,
    title="Limits of the clipped inputs of two tokens are uncorrelated",
    states=implies(eq(same_ik, 0), eq(E(Z_xi * Z_xk), 0)),
    assuming=[CLIPPED_INPUTS],
    note=_NOTE,
)


def _mean_is_zero(given: Given) -> Theorem:
    """E ψ(-U) = -E ψ(U), as ψ is odd, and both are equal, as U and -U have the same law."""
    x, over = Symbol("x", real=True), {clip_level: given.domain[clip_level]}
    value = unfolded(psi(x, clip_level))
    mirrored = unfolded(psi(-x, clip_level))
    odd = rules.follows(eq(mirrored, -value))
    clipped, clipped_at = E(value.subs(x, _U)), value
    means = principles.expected(odd, x, _U)
    symmetric = symmetric_law(clipped_at, x, _U, over=over)
    law = given.supposed(CLIPPED_INPUTS, normal(_U))
    return rules.follows(eq(clipped, 0), [means, symmetric, law])


@UNCORRELATED.proved()
def odd_and_independent(given: Given) -> Theorem:
    """The mean product of independent variables, one of which has mean 0."""
    mean = _mean_is_zero(given)
    law = given.supposed(
        CLIPPED_INPUTS,
        implies(eq(same_ik, 0), eq(E(Z_xi * Z_xk), E(Z_xi) * E(Z_xk))),
        eq(E(Z_xi), mean.statement.lhs),
    )
    return given.follows(law, mean)


COVARIANCES = claim(
    "attn.b1.covariances",
    at=_AT,
    title="Covariances of the limits of values and scores of one head for clipped inputs",
    states={
        "values": eq(E(value_j * value_k), SECOND_MOMENT * same_jk),
        "scores": eq(E(p_limit_ij * p_limit_kl), SECOND_MOMENT**2 * same_ik * same_jl),
    },
    assuming=[SAME_MATRIX, DIFFERENT_MATRICES, LIMITS_OF_SCORES, CLIPPED_INPUTS],
    rests_on=["attn.b1.clip", UNCORRELATED, "attn.ex31.v", "attn.ex31.p"],
    note=_NOTE,
)


def _inputs(given: Given, same: Expr, pair: tuple[Random, Random]) -> list[Theorem]:
    first, second = pair
    one = given.supposed(CLIPPED_INPUTS, implies(eq(same, 1), eq(E(first * second), SQUARE_MEAN)))
    at = {same_ik: same, Z_xi: first, Z_xk: second}
    two = given.substituted(given.fact(UNCORRELATED), at)
    return [one, two]


@COVARIANCES.proved("values")
def values_of_a_head(given: Given) -> Theorem:
    """The mean product of the inputs, as all weights have unit scale."""
    covariance = given.fact("attn.ex31.v", "one head", at={sigma_out: 1, sigma_value: 1})
    return given.follows(covariance, given.fact("attn.b1.clip"), *_inputs(given, same_jk, (Z_xj, Z_xk)))


@COVARIANCES.proved("scores")
def scores_of_a_head(given: Given) -> Theorem:
    """The product of two mean products of inputs."""
    covariance = given.fact("attn.ex31.p", "one head", at={sigma_query: 1, sigma_key: 1})
    inputs = [*_inputs(given, same_ik, (Z_xi, Z_xk)), *_inputs(given, same_jl, (Z_xj, Z_xl))]
    return given.follows(covariance, given.fact("attn.b1.clip"), *inputs)

"""Appendix B.3.2: the covariances of the limits of values and scores for inputs behind a ReLU."""

from sympy import Expr, Rational, pi

from symbolic.derivation import Decision, Derivation, Step
from symbolic.equality import decide_equal
from symbolic.gaussian import GaussianMean
from theorems.attention_limit.letters.attention import sigma_key, sigma_out, sigma_query, sigma_value
from theorems.attention_limit.letters.limit import (
    Z_xi,
    Z_xj,
    Z_xk,
    Z_xl,
    limit_h,
    other_h,
    p_limit_ij,
    p_limit_kl,
    relu,
    same_ik,
    same_jk,
    same_jl,
    value_j,
    value_k,
)
from theorems.attention_limit.letters.table import claim
from theorems.attention_limit.main_theorem.limit_law import DIFFERENT_MATRICES, LIMITS_OF_SCORES, SAME_MATRIX
from theorems.engine import Given, Hypothesis, eq, implies
from theorems.engine.rules import E, Theorem
from theorems.engine.statements.values import unfolded

_AT = "Appendix B.3.2"
_NOTE = "proofs_notes/attn_laws.md#relu-inputs"
_ONE = GaussianMean(relu(limit_h) ** 2, limit_h)
_TWO = GaussianMean(relu(limit_h) * relu(other_h), limit_h, other_h, 0)

MOMENTS = claim(
    "attn.b3.relu.moments",
    at=_AT,
    title="Mean products of the limits of inputs behind a ReLU, of one token and of two",
    states={"one token": eq(_ONE, Rational(1, 2)), "two tokens": eq(_TWO, 1 / (2 * pi))},
    note=_NOTE,
)


def _carried_out(before: Expr, after: Expr) -> Decision:
    return decide_equal(before.doit(), after)


def _integrated(mean: Expr, value: Expr) -> Derivation:
    return Derivation(
        title="A mean product of rectified normal variables",
        name="",
        start=unfolded(mean),
        steps=[Step(value, "integrate where the variables are positive", _carried_out)],
    )


@MOMENTS.proved("one token")
def half_of_the_variance(given: Given) -> Theorem:
    """Half of the second moment of a normal variable."""
    return given.derived(_integrated(_ONE, Rational(1, 2)))


@MOMENTS.proved("two tokens")
def square_of_the_mean(given: Given) -> Theorem:
    """The square of the mean, by independence."""
    return given.derived(_integrated(_TWO, 1 / (2 * pi)))


RELU_INPUTS = Hypothesis(
    "relu_inputs",
    "the limits of the inputs of different tokens are ReLUs of independent standard normal"
    " variables, and all weights have the variance 1/n",
)


def _mean_product(same: Expr) -> Expr:
    return 1 / (2 * pi) + (Rational(1, 2) - 1 / (2 * pi)) * same


RELU = claim(
    "attn.b3.relu",
    at=_AT,
    title="Covariances of the limits of values and scores of one head for inputs behind a ReLU",
    states={
        "values": eq(E(value_j * value_k), _mean_product(same_jk)),
        "scores": eq(E(p_limit_ij * p_limit_kl), _mean_product(same_ik) * _mean_product(same_jl)),
    },
    assuming=[SAME_MATRIX, DIFFERENT_MATRICES, LIMITS_OF_SCORES, RELU_INPUTS],
    rests_on=[MOMENTS, "attn.ex31.v", "attn.ex31.p"],
    note=_NOTE,
)


def _inputs(given: Given, same: Expr, product: Expr) -> list[Theorem]:
    laws = implies(eq(same, 1), eq(E(product), _ONE)), implies(eq(same, 0), eq(E(product), _TWO))
    means = [given.fact(MOMENTS, part) for part in ("one token", "two tokens")]
    return [given.supposed(RELU_INPUTS, *laws), *means]


@RELU.proved("values")
def values_of_a_head(given: Given) -> Theorem:
    """The mean product of the inputs, as all weights have unit scale."""
    covariance = given.fact("attn.ex31.v", "one head", at={sigma_out: 1, sigma_value: 1})
    return given.follows(covariance, *_inputs(given, same_jk, Z_xj * Z_xk))


@RELU.proved("scores")
def scores_of_a_head(given: Given) -> Theorem:
    """The product of two mean products of inputs."""
    covariance = given.fact("attn.ex31.p", "one head", at={sigma_query: 1, sigma_key: 1})
    inputs = [*_inputs(given, same_ik, Z_xi * Z_xk), *_inputs(given, same_jl, Z_xj * Z_xl)]
    return given.follows(covariance, *inputs)

"""Theorem 18 at finite width, without a nonlinearity: the exact mean and its rate."""

from sympy import Expr

from theorems.engine import Given, Provenance, both, eq, implies
from theorems.engine.rules import E, Theorem, inner
from theorems.infinite_attention.kernel_limit.finite_widths.widths import (
    SCORES_THEMSELVES,
    products_with_weights,
)
from theorems.infinite_attention.kernel_limit.score_covariances import covariance_of_scores
from theorems.infinite_attention.letters.direct_gradients import by_keys, by_outputs, by_queries, by_values
from theorems.infinite_attention.letters.gradients import (
    T_ab,
    crossed_a,
    crossed_b,
    crossed_back,
    crossed_part,
    products,
    scored_ai,
    scored_bj,
    scored_part,
    tangents,
    total_mean,
    valued_part,
)
from theorems.infinite_attention.letters.network import S_ab, S_ij, sigma_k, sigma_o, sigma_q, sigma_v, width
from theorems.infinite_attention.letters.table import claim
from theorems.infinite_attention.tangent_limit.direct.output_weights import OUTPUT_WEIGHTS, VALUES
from theorems.infinite_attention.tangent_limit.indirect.score_derivatives import GAUSSIAN_COLUMN
from theorems.infinite_attention.tangent_limit.linear_tangents import DIAGONAL_TANGENTS

_SCALE = sigma_o**2 * sigma_v**2 * sigma_q**2 * sigma_k**2


def _limit() -> Expr:
    """Equation (22) without a nonlinearity, at the mean products of the finite layer's input."""
    square, mixed = inner(products, products), inner(products, tangents)
    return _SCALE * (4 * S_ab * square + T_ab * square + 2 * S_ab * mixed)


def _bias() -> Expr:
    crossed = inner(products, crossed_a) + inner(products, crossed_b)
    return 2 * _SCALE / width * (S_ab * inner(products, tangents) + crossed)


TOTAL = claim(
    "inf.thm18.linear",
    at="Theorem 18; Equation (22)",
    title="Without a nonlinearity the finite tangent kernel has a mean of distance one over width",
    states={
        "mean": eq(total_mean, _limit() + _bias()),
        "one token": implies(
            both(
                eq(S_ab, 1),
                eq(T_ab, 1),
                eq(inner(products, products), 1),
                eq(inner(products, tangents), 1),
                eq(inner(products, crossed_a), 1),
                eq(inner(products, crossed_b), 1),
            ),
            eq(total_mean, (7 + 6 / width) * _SCALE),
        ),
    },
    assuming=[GAUSSIAN_COLUMN, OUTPUT_WEIGHTS, VALUES, SCORES_THEMSELVES, DIAGONAL_TANGENTS],
    rests_on=[
        "inf.lem19.mean",
        "inf.lem20.mean",
        "inf.lem21.linear",
        "inf.lem22.linear",
        "inf.lem23.linear",
        "inf.lem25.linear",
    ],
    provenance=Provenance.DERIVED,
    note="proofs_notes/inf_tangents.md#the-mean-at-finite-width",
)


def _sum_of_parts(given: Given) -> Theorem:
    """Four direct parts, and four products of derivatives through values and through scores."""
    pair = scored_ai, scored_bj
    covariance = covariance_of_scores(given, GAUSSIAN_COLUMN, pair, (S_ab, S_ij), by_weights=True)
    scores = products_with_weights(given, products, pair, covariance)
    direct = E(by_outputs) + E(by_values) + E(by_queries) + E(by_keys)
    whole = given.meaning(
        "the eight parts", eq(total_mean, direct + valued_part + scored_part + crossed_part + crossed_back)
    )
    exchanged = {crossed_part: crossed_back, crossed_b: crossed_a}
    return given.follows(
        scores,
        whole,
        given.fact("inf.lem19.mean", "part"),
        given.fact("inf.lem20.mean", "part"),
        given.fact("inf.lem21.linear", "queries"),
        given.fact("inf.lem21.linear", "keys"),
        given.fact("inf.lem22.linear"),
        given.fact("inf.lem23.linear"),
        given.fact("inf.lem25.linear"),
        given.substituted(given.fact("inf.lem25.linear"), exchanged),  # with the inputs x and x' exchanged
        goal=eq(total_mean, _limit() + _bias()),
    )


@TOTAL.proved("mean", "one token")
def eight_parts(given: Given) -> Theorem:
    """The limit of all parts but those of three, which have terms divided by the width."""
    return given.follows(_sum_of_parts(given))

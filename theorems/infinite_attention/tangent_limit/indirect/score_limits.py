"""Lemma 23: products of two derivatives through the scores."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import sympy as sp

from numeric.statistics.means import MeanTest
from theorems.engine import Given, Obligations, eq, sentence
from theorems.engine.rules import E, Theorem, facts, inner
from theorems.engine.rules.vocabulary import independent
from theorems.infinite_attention.auxiliary.limits_of_products import CONVERGENT_INPUTS
from theorems.infinite_attention.kernel_limit.finite_widths.widths import SCORES_THEMSELVES
from theorems.infinite_attention.letters.direct_gradients import (
    S_values,
    column_product,
    kernel_part,
    value_c,
    value_e,
)
from theorems.infinite_attention.letters.gradients import (
    T_ab,
    products,
    score_form,
    slopes_form,
    tangents,
)
from theorems.infinite_attention.letters.kernels import input_ab
from theorems.infinite_attention.letters.network import (
    S_ab,
    heads,
    sigma_k,
    sigma_o,
    sigma_q,
    sigma_v,
    value_width,
    width,
)
from theorems.infinite_attention.letters.table import claim
from theorems.infinite_attention.tangent_limit.direct.output_weights import (
    COLUMNS,
    OUTPUT_WEIGHTS,
    SAME_PRODUCT,
    VALUES,
)
from theorems.infinite_attention.tangent_limit.indirect.linear_layer import SCORED
from theorems.infinite_attention.tangent_limit.indirect.score_derivatives import GAUSSIAN_COLUMN
from theorems.infinite_attention.tangent_limit.indirect.score_derivatives import MEAN as FORMS
from theorems.infinite_attention.tangent_limit.linear_tangents import DIAGONAL_TANGENTS
from theorems.infinite_attention.tangent_limit.proved_means import (
    DIAGONAL_CASE,
    FOR_INDEPENDENT_WEIGHTS,
    ONE_CASE,
    THE_SUMS,
    TO_THE_LIMIT,
    at_infinite_width,
    right_side,
)
from theorems.infinite_attention.tangent_limit.simulated_layers import (
    DRAWS,
    FIFTH,
    Limits,
    tests_of_means,
)

_ALL_SCALES = sigma_o**2 * sigma_v**2 * sigma_q**2 * sigma_k**2

THROUGH_SCORES = claim(
    "inf.lem23",
    at="Lemma 23",
    title="The derivatives through the scores contribute a sum by queries and one by keys",
    states=sentence(
        FOR_INDEPENDENT_WEIGHTS + r"\Theta^{GG}_{ab} \xrightarrow{P}"
        r" $queries \tilde\Theta_{ab} B + $keys \tilde\kappa_{ab} C" + THE_SUMS,
        queries=1,
        keys=1,
    ),
    given=[input_ab],
    assuming=CONVERGENT_INPUTS,
    rests_on=["inf.lem33", SCORED, FORMS],
    discharging={
        **dict.fromkeys(
            (GAUSSIAN_COLUMN, OUTPUT_WEIGHTS, VALUES), "the weights of the layer are so"
        ),
        SCORES_THEMSELVES: ONE_CASE,
        DIAGONAL_TANGENTS: DIAGONAL_CASE,
    },
    note="proofs_notes/inf_tangents.md#simulations",
)


@THROUGH_SCORES.argued(
    uses=[CONVERGENT_INPUTS],
    bridge="The sums of Lemma 24 tend to constants beside values and derivatives of weights."
    + TO_THE_LIMIT,
    controls={"no keys": {"keys": 0}, "no queries": {"queries": 0}},
)
def sums_at_infinite_width(queries: Any, keys: Any) -> Obligations:
    """Without a nonlinearity the proved mean has this limit in the width of the input."""
    by_queries = queries * T_ab * inner(products, products)
    by_keys = keys * S_ab * inner(products, tangents)
    yield (
        "the limit",
        sp.expand(at_infinite_width(right_side(SCORED)) - _ALL_SCALES * (by_queries + by_keys))
        == 0,
    )


@THROUGH_SCORES.estimated(
    uses=[CONVERGENT_INPUTS],
    draws=DRAWS,
    controls={"more by queries": {"queries": FIFTH}, "more by keys": {"keys": FIFTH}},
)
def means_through_scores(
    rng: np.random.Generator, draws: int, queries: Any, keys: Any
) -> Iterator[MeanTest]:
    """Means over draws."""

    def limit(one: Limits) -> float:
        by_queries = one.own_tangent * one.slopes
        return float(queries * by_queries + keys * one.own * one.moved_slopes)

    yield from tests_of_means(lambda one: one.scores_scores, limit, rng, draws)


FORM = claim(
    "inf.eq30",
    at="Equation (30)",
    title="The mean of the sum of Lemma 23 is that of one head, with a mean product of inputs",
    states=eq(E(score_form), sigma_o**2 * sigma_v**2 * S_values * E(slopes_form)),
    given=[
        *(sigma_o, sigma_v, width, heads, value_width, S_values, score_form, slopes_form),
    ],
    assuming=[OUTPUT_WEIGHTS, VALUES],
    rests_on=[COLUMNS],
    discharging={SAME_PRODUCT: "the products here are those of derivatives through scores"},
    note="proofs_notes/inf_tangents.md#means-over-the-output-weights",
)


@FORM.proved()
def values_apart_from_forms(given: Given) -> Theorem:
    """One column of values is left, which is independent of queries and keys."""
    parts = {kernel_part: score_form, column_product: value_c * value_e * slopes_form}
    columns = given.substituted(given.fact(COLUMNS, "equal coordinates"), parts)
    known = given.supposed(
        VALUES,
        independent(value_c * value_e, slopes_form),
        eq(E(value_c * value_e), sigma_v**2 * S_values),
    )
    apart = facts.expectation_of_independent(value_c * value_e, slopes_form)
    return given.follows(columns, known, apart)

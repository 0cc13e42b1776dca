"""Lemma 23: products of two derivatives through the scores."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import sympy as sp
from sympy import Rational

from numeric.statistics.means import MeanTest
from theorems.engine import Given, Obligations, eq, sentence
from theorems.engine.rules import E, Theorem, facts, inner
from theorems.engine.rules.vocabulary import independent
from theorems.infinite_attention.auxiliary.limits_of_products import CONVERGENT_INPUTS
from theorems.infinite_attention.kernel_limit.finite_widths.widths import SCORES_THEMSELVES
from theorems.infinite_attention.letters.direct_gradients import S_values, value_c, value_e
from theorems.infinite_attention.letters.gradients import T_ab, products, score_form, slopes_form, tangents
from theorems.infinite_attention.letters.network import S_ab, sigma_k, sigma_o, sigma_q, sigma_v
from theorems.infinite_attention.letters.table import claim
from theorems.infinite_attention.linear_values import mean_of_values
from theorems.infinite_attention.tangent_limit.direct.output_weights import (
    OUTPUT_WEIGHTS,
    SAME_PRODUCT,
    VALUES,
    reduced_to_one_column,
)
from theorems.infinite_attention.tangent_limit.indirect.form_limits import (
    bound_for_two_heads,
    limit_for_one_head,
)
from theorems.infinite_attention.tangent_limit.indirect.linear_layer import SCORED
from theorems.infinite_attention.tangent_limit.indirect.score_derivatives import (
    EQUAL_WEIGHTS,
    GAUSSIAN_COLUMN,
)
from theorems.infinite_attention.tangent_limit.indirect.tangents_of_inputs import CONVERGENT_TANGENTS
from theorems.infinite_attention.tangent_limit.linear_tangents import DIAGONAL_TANGENTS
from theorems.infinite_attention.tangent_limit.proved_means import (
    ACTS_ON_ROWS,
    DIAGONAL_CASE,
    FOR_DIFFERENT_COLUMNS,
    FOR_EQUAL_WEIGHTS,
    FOR_INDEPENDENT_WEIGHTS,
    OF_THE_LAYER,
    ONE_CASE,
    SCORES_AND_MOMENTS,
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
    tests_of_vanishing,
)

_ALL_SCALES = sigma_o**2 * sigma_v**2 * sigma_q**2 * sigma_k**2

_PART = r"\Theta^{GG}_{ai, bj} \xrightarrow{P} "

THROUGH_SCORES = claim(
    "inf.lem23",
    at="Lemma 23",
    title="The derivatives through the scores contribute a sum by queries and one by keys",
    states={
        "independent queries and keys": sentence(
            FOR_INDEPENDENT_WEIGHTS + _PART + r"$queries \tilde\Theta_{ab} B"
            r" + $keys \tilde\kappa_{ab} C" + THE_SUMS,
            queries=1,
            keys=1,
        ),
        "equal queries and keys": sentence(FOR_EQUAL_WEIGHTS + _PART + "$limit", limit=0),
        "different columns": sentence(FOR_DIFFERENT_COLUMNS + _PART + "$limit", limit=0),
    },
    assuming=[CONVERGENT_INPUTS, CONVERGENT_TANGENTS, ACTS_ON_ROWS],
    rests_on=[
        "inf.lem33",
        *SCORES_AND_MOMENTS,
        "inf.lem24",
        SCORED,
        "inf.lem24.eq31.corrected",
        "inf.lem24.eq31.equal.corrected",
        "inf.lem24.heads.equal",
        "inf.lem19.columns",
    ],
    discharging={
        **OF_THE_LAYER,
        **dict.fromkeys((GAUSSIAN_COLUMN, OUTPUT_WEIGHTS, VALUES), "the weights of the layer are so"),
        EQUAL_WEIGHTS: "and so for the other scaling",
        SAME_PRODUCT: "the products here are those of derivatives through scores",
        SCORES_THEMSELVES: ONE_CASE,
        DIAGONAL_TANGENTS: DIAGONAL_CASE,
    },
    note="proofs_notes/inf_tangents.md#simulations",
)


@THROUGH_SCORES.argued(
    "independent queries and keys",
    uses=[CONVERGENT_INPUTS, CONVERGENT_TANGENTS, ACTS_ON_ROWS],
    bridge="The sums of Lemma 24 tend to constants beside values and derivatives of weights." + TO_THE_LIMIT,
    controls={"no keys": {"keys": 0}, "no queries": {"queries": 0}},
)
def sums_at_infinite_width(queries: Any, keys: Any) -> Obligations:
    """Without a nonlinearity the proved mean has this limit in the width of the input."""
    by_queries = queries * T_ab * inner(products, products)
    by_keys = keys * S_ab * inner(products, tangents)
    yield (
        "the limit",
        sp.expand(at_infinite_width(right_side(SCORED)) - _ALL_SCALES * (by_queries + by_keys)) == 0,
    )


@THROUGH_SCORES.argued(
    "equal queries and keys",
    uses=[CONVERGENT_INPUTS, CONVERGENT_TANGENTS, ACTS_ON_ROWS],
    bridge="The sums of Lemma 24 tend to zero, for one head and for two, beside values and bounded"
    " derivatives of weights.",
    controls={"one": {"limit": 1}},
)
def sums_for_equal_weights(limit: Any) -> Obligations:
    """The proved mean for one head and the proved bound for two, at infinite widths."""
    off = sp.Symbol("square_off_the_diagonal", positive=True)
    yield "one head", bool(limit_for_one_head() == limit)
    yield "two heads", bool(sp.limit(bound_for_two_heads(off), off, 0) == limit)


@THROUGH_SCORES.argued(
    "different columns",
    uses=[CONVERGENT_INPUTS, CONVERGENT_TANGENTS, ACTS_ON_ROWS],
    bridge="Output weights of two coordinates are independent, so that the part has the mean zero;"
    " in its second moment pairs of equal columns of values are left, with the sums of Lemma 24 for"
    " two heads, which tend to zero, and those for one head, which are bounded and of which there"
    " are as many as heads.",
    controls={"one": {"limit": 1}},
)
def output_weights_of_two_columns(given: Given, limit: Any) -> Obligations:
    """The proved mean at two coordinates, at every width and for both scalings."""
    mean = given.fact("inf.lem19.columns", "different coordinates").statement.args[1]
    yield "the mean", bool(mean == limit)


@THROUGH_SCORES.estimated(
    "independent queries and keys",
    uses=[CONVERGENT_INPUTS, CONVERGENT_TANGENTS, ACTS_ON_ROWS],
    draws=DRAWS,
    controls={"more by queries": {"queries": FIFTH}, "more by keys": {"keys": FIFTH}},
)
def means_through_scores(rng: np.random.Generator, draws: int, queries: Any, keys: Any) -> Iterator[MeanTest]:
    """Means over draws."""

    def limit(one: Limits) -> float:
        by_queries = one.own_tangent * one.slopes
        return float(queries * by_queries + keys * one.own * one.moved_slopes)

    yield from tests_of_means(lambda one: one.scores_scores, limit, rng, draws)


@THROUGH_SCORES.estimated(
    "equal queries and keys",
    uses=[CONVERGENT_INPUTS, CONVERGENT_TANGENTS, ACTS_ON_ROWS],
    draws=DRAWS,
    controls={"a hundredth": {"limit": Rational(1, 100)}},
)
def means_at_equal_weights(rng: np.random.Generator, draws: int, limit: Any) -> Iterator[MeanTest]:
    """Means over draws, with softmax."""
    yield from tests_of_vanishing(lambda one: one.scores_scores, limit, rng, draws, different=False)


@THROUGH_SCORES.estimated(
    "different columns",
    uses=[CONVERGENT_INPUTS, CONVERGENT_TANGENTS, ACTS_ON_ROWS],
    draws=DRAWS,
    controls={"one": {"limit": 1}},
)
def means_of_two_columns(rng: np.random.Generator, draws: int, limit: Any) -> Iterator[MeanTest]:
    """Means over draws, with ReLU."""
    yield from tests_of_vanishing(lambda one: one.scores_scores, limit, rng, draws, different=True)


FORM = claim(
    "inf.eq30",
    at="Equation (30)",
    title="The mean of the sum of Lemma 23 is that of one head, with a mean product of inputs",
    states=eq(E(score_form), sigma_o**2 * sigma_v**2 * S_values * E(slopes_form)),
    assuming=[OUTPUT_WEIGHTS, VALUES],
    note="proofs_notes/inf_tangents.md#means-over-the-output-weights",
)


@FORM.proved()
def values_apart_from_forms(given: Given) -> Theorem:
    """One column of values is left, which is independent of queries and keys."""
    columns = reduced_to_one_column(given, score_form, value_c * value_e * slopes_form)
    known = given.supposed(VALUES, independent(value_c * value_e, slopes_form))
    mean = mean_of_values(given, VALUES, value_c * value_e, S_values)
    apart = facts.expectation_of_independent(value_c * value_e, slopes_form)
    return given.follows(columns, known, mean, apart)

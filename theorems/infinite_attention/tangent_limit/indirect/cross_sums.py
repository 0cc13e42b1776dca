"""Equation (32) and Lemma 26: one derivative of a score, with the tangent kernel and an input."""

from typing import Any

import sympy as sp
from sympy import Symbol, sqrt

from theorems.engine import Given, Obligations, Provenance, Severity, eq, implies, rules, sentence
from theorems.engine.rules import E, Theorem, Vector, facts, inner
from theorems.engine.rules.vocabulary import independent
from theorems.infinite_attention.letters.gradients import (
    diagonal_mean,
    g_b_j,
    g_b_other,
    g_e_j,
    key_b,
    key_e,
    mean_cross,
    off_mean,
    outer_cb,
    outer_ce,
    pair_mean,
    query_b,
    query_of_b,
    query_other,
    tangent_block,
    weight_k_j,
    weight_k_other,
    weight_q_j,
)
from theorems.infinite_attention.letters.layers import remainder_d
from theorems.infinite_attention.letters.network import score_width, sigma_k, sigma_q, width
from theorems.infinite_attention.letters.table import claim
from theorems.infinite_attention.tangent_limit.indirect.score_derivatives import (
    EQUAL_WEIGHTS,
    GAUSSIAN_COLUMN,
)

_NOTE = "proofs_notes/inf_tangents.md#one-derivative-of-a-score"
_SLOPE = key_b * sigma_k * query_b * weight_k_j + query_of_b * sigma_q * key_e * weight_q_j
_SLOPES = Vector("derivative_of_a_score")

NO_MEAN = claim(
    "inf.lem26.mean",
    at="Lemma 26, proof",
    title="For independent queries and keys the sum over derivatives of a score has mean zero",
    states=eq(E(mean_cross), 0),
    given=[mean_cross, sigma_q, sigma_k, width],
    assuming=GAUSSIAN_COLUMN,
    note=_NOTE,
)


def _sum_of_columns(given: Given) -> Theorem:
    """All columns of queries and keys contribute the same to the mean."""
    columns = score_width * inner(tangent_block, _SLOPES) / (width * sqrt(width) * score_width)
    return given.meaning("the sum of (32), over d^G columns", eq(E(mean_cross), columns))


@NO_MEAN.proved()
def independent_factors(given: Given) -> Theorem:
    """A query is independent of the weights of keys, a key of those of queries."""
    means = (E(query_b * weight_k_j), E(key_e * weight_q_j))
    pairs = [(query_b, weight_k_j), (key_e, weight_q_j)]
    known = given.supposed(
        GAUSSIAN_COLUMN, *(independent(u, v) for u, v in pairs), *(eq(E(u), 0) for u, _ in pairs)
    )
    entries = given.meaning(
        "the matrix with the inputs of c₂ times the means of derivatives",
        implies(sp.And(*(eq(mean, 0) for mean in means)), eq(inner(tangent_block, _SLOPES), 0)),
    )
    products = [facts.expectation_of_independent(*pair) for pair in pairs]
    goal = sp.And(*(eq(mean, 0) for mean in means))
    none = rules.follows(goal, [known, *products])
    return given.follows(none, entries, _sum_of_columns(given))


_EACH = eq(E(_SLOPE), sigma_q * sigma_k / sqrt(width) * (key_b * g_b_j + query_of_b * g_e_j))

SINGLE = claim(
    "inf.lem26.entry",
    at="Lemma 26, proof",
    title="For equal weights the mean derivative of a score is the input of its query or key",
    states=_EACH,
    given=[
        *(key_b, query_of_b, sigma_q, sigma_k, width, g_b_j, g_e_j),
        *(query_b, key_e, weight_k_j, weight_q_j),
    ],
    assuming=EQUAL_WEIGHTS,
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@SINGLE.proved()
def own_weights(given: Given) -> Theorem:
    """A query and its own weight have their input, over the root of the width, as covariance."""
    return given.follows(
        given.supposed(
            EQUAL_WEIGHTS,
            eq(E(query_b * weight_k_j), sigma_q * g_b_j / sqrt(width)),
            eq(E(key_e * weight_q_j), sigma_k * g_e_j / sqrt(width)),
        )
    )


EQUAL_MEAN = claim(
    "inf.lem26.mean.equal",
    at="Lemma 26, proof",
    title="For equal weights the sum over derivatives of a score has the printed mean",
    states=eq(
        E(mean_cross),
        sigma_q * sigma_k / width**2 * inner(tangent_block, key_b * outer_cb + query_of_b * outer_ce),
    ),
    given=[*(key_b, query_of_b, sigma_q, sigma_k, width), *(mean_cross, tangent_block, outer_cb, outer_ce)],
    assuming=EQUAL_WEIGHTS,
    rests_on=[SINGLE],
    note=_NOTE,
)


@EQUAL_MEAN.proved()
def matrix_of_means(given: Given) -> Theorem:
    """The inputs of c₂ times the mean derivatives."""
    matrix = sigma_q * sigma_k / sqrt(width) * (key_b * outer_cb + query_of_b * outer_ce)
    entries = given.meaning(
        "the matrix with the inputs of c₂ times the means of derivatives",
        implies(_EACH, eq(inner(tangent_block, _SLOPES), inner(tangent_block, matrix))),
    )
    return given.follows(given.fact(SINGLE), entries, _sum_of_columns(given))


REMAINDER = claim(
    "inf.lem26.remainder",
    at="Lemma 26, proof",
    title="A remainder that grows less than the square of the width tends to zero",
    states=sentence(
        r"$remainder_d = o({$width}^$order) \implies $remainder_d \text{ tends to zero}", order=2
    ),
    given=[remainder_d, width],
    provenance=Provenance.STEP,
    note=_NOTE,
)


@REMAINDER.refuted(severity=Severity.SLIP, controls={"bounded": {"order": 0}})
def the_width_itself(order: Any) -> Obligations:
    """The width d is o(d²) and tends to infinity."""
    d = Symbol("d", positive=True)
    yield "it is o(d^order)", bool(sp.limit(d / d**order, d, sp.oo) == 0)
    yield "it does not tend to 0", bool(sp.limit(d, d, sp.oo) != 0)


SPLIT = REMAINDER.corrected(
    "inf.lem26.remainder.corrected",
    title="The terms of equal coordinates are a mean divided by the width",
    states=eq(pair_mean, width * (width - 1) / width**2 * off_mean + diagonal_mean / width),
    given=[pair_mean, off_mean, diagonal_mean, width],
    note=_NOTE,
)


@SPLIT.proved()
def count_of_pairs(given: Given) -> Theorem:
    """Of d² pairs d are of equal coordinates; the others have all the same mean."""
    row, off = sp.symbols("sum_of_a_row sum_off_the_diagonal", real=True)
    rows = given.meaning(
        "the sum over the pairs of a coordinate, and the mean over all pairs, by exchangeability",
        eq(off, (width - 1) * off_mean),
        eq(row, diagonal_mean + off),
        eq(pair_mean, width * row / width**2),
    )
    return given.follows(rows)


WEIGHTS = claim(
    "inf.lem26.weights",
    at="Lemma 26, proof",
    title="Two columns of queries with weights of their keys have a product of inputs as mean",
    states=eq(E(query_b * weight_k_j * query_other * weight_k_other), sigma_q**2 / width * g_b_j * g_b_other),
    given=[*(sigma_q, sigma_k, width, g_b_j, g_b_other), *(query_b, weight_k_j, query_other, weight_k_other)],
    assuming=EQUAL_WEIGHTS,
    provenance=Provenance.EXTRACTED,
    note=_NOTE,
)


@WEIGHTS.proved()
def two_independent_columns(given: Given) -> Theorem:
    """Each column has the mean of a query with its own weight."""
    first, second = query_b * weight_k_j, query_other * weight_k_other
    known = given.supposed(
        EQUAL_WEIGHTS,
        independent(first, second),
        eq(E(first), sigma_q * g_b_j / sqrt(width)),
        eq(E(second), sigma_q * g_b_other / sqrt(width)),
    )
    return given.follows(known, facts.expectation_of_independent(first, second))

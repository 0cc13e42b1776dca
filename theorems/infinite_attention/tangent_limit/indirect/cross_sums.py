"""Equation (32) and Lemma 26: one derivative of a score, with the tangent kernel and an input."""

from collections.abc import Sequence
from typing import Any

import sympy as sp
from sympy import Expr, Function, Sum, Symbol, sqrt

from theorems.engine import Given, Obligations, Provenance, Severity, both, eq, implies, rules, sentence
from theorems.engine.rules import E, Theorem, facts, inner, sums
from theorems.engine.rules.vocabulary import independent, randoms
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
from theorems.infinite_attention.letters.network import score_width, sigma_k, sigma_q, width
from theorems.infinite_attention.letters.table import claim
from theorems.infinite_attention.linear_values import value_with_a_weight
from theorems.infinite_attention.sums_over_pairs import Part, by_entries, i, j
from theorems.infinite_attention.tangent_limit.indirect.score_derivatives import (
    EQUAL_WEIGHTS,
    GAUSSIAN_COLUMN,
)

_NOTE = "proofs_notes/inf_tangents.md#one-derivative-of-a-score"
_SLOPE = key_b * sigma_k * query_b * weight_k_j + query_of_b * sigma_q * key_e * weight_q_j

NO_MEAN = claim(
    "inf.lem26.mean",
    at="Lemma 26, proof",
    title="For independent queries and keys the sum over derivatives of a score has mean zero",
    states=eq(E(mean_cross), 0),
    assuming=GAUSSIAN_COLUMN,
    note=_NOTE,
)


#: Of a column n: the entry at token b, and the sum with the input of c₂ and the tangent kernel.
_n = Symbol("n", integer=True, nonnegative=True)
_queries, _keys, _weights_q, _weights_k = map(
    randoms, ("query", "key", "weight of queries", "weight of keys")
)
_AT = {
    **{query_b: _queries(_n), key_e: _keys(_n)},
    **{weight_q_j: _weights_q(j, _n), weight_k_j: _weights_k(j, _n)},
}
_form, _input_c = randoms("form of a column")(_n), Function("input of c₂", real=True)(i)
_KERNEL = Function("tangent kernel", real=True)(i, j)


def _column(given: Given, entry: Expr, parts: Sequence[Part], *known: Theorem) -> Theorem:
    """The mean of the sum over coordinates for a column, by that of an entry of (29)."""
    there = _input_c * E(entry.xreplace(_AT))
    return by_entries(given, E(_form), _KERNEL, there, parts, *known, size=width, also=[_n])


def _sum_of_columns(given: Given, column: Theorem, scale: Expr) -> Theorem:
    """All columns of queries and keys contribute the same to the mean."""
    over = {x: range_ for x, range_ in column.over.items() if x != _n} | given.ranging(score_width)
    added = sums.summed(column, _n, score_width, over=over)
    columns = Sum(_form, (_n, 0, score_width - 1)) / (width * sqrt(width) * scale)
    meant = given.meaning("the sum of (32), over d^G columns", eq(E(mean_cross), E(columns)))
    return given.follows(meant, added, sums.linear(added.statement.rhs, over=over))


@NO_MEAN.proved()
def independent_factors(given: Given) -> Theorem:
    """A query is independent of the weights of keys, a key of those of queries."""
    pairs = [tuple(x.xreplace(_AT) for x in pair) for pair in ((query_b, weight_k_j), (key_e, weight_q_j))]
    known = given.supposed(
        GAUSSIAN_COLUMN, *(independent(u, v) for u, v in pairs), *(eq(E(u), 0) for u, _ in pairs)
    )
    products = [facts.expectation_of_independent(*pair, over=known.over) for pair in pairs]
    column = _column(given, _SLOPE, (), known, *products)
    return _sum_of_columns(given, column, sqrt(score_width))


_EACH = eq(E(_SLOPE), sigma_q * sigma_k / sqrt(width) * (key_b * g_b_j + query_of_b * g_e_j))

SINGLE = claim(
    "inf.lem26.entry",
    at="Lemma 26, proof",
    title="For equal weights the mean derivative of a score is the input of its query or key",
    states=_EACH,
    assuming=EQUAL_WEIGHTS,
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@SINGLE.proved()
def own_weights(given: Given) -> Theorem:
    """A query and its own weight have their input, over the root of the width, as covariance."""
    return given.follows(
        value_with_a_weight(
            given, EQUAL_WEIGHTS, query_b * weight_k_j, g_b_j, head="the query of b", scale=sigma_q
        ),
        value_with_a_weight(
            given, EQUAL_WEIGHTS, key_e * weight_q_j, g_e_j, head="the key of d₂", scale=sigma_k
        ),
    )


EQUAL_MEAN = claim(
    "inf.lem26.mean.equal",
    at="Lemma 26, proof",
    title="For equal weights the sum over derivatives of a score has the printed mean",
    states=eq(
        E(mean_cross),
        sigma_q * sigma_k / width**2 * inner(tangent_block, key_b * outer_cb + query_of_b * outer_ce),
    ),
    assuming=EQUAL_WEIGHTS,
    rests_on=[SINGLE],
    note=_NOTE,
)


@EQUAL_MEAN.proved()
def matrix_of_means(given: Given) -> Theorem:
    """The inputs of c₂ times the mean derivatives."""
    at_b, at_e = (Function(f"input of {token}", real=True)(j) for token in "be")
    single = given.substituted(given.fact(SINGLE), {**_AT, g_b_j: at_b, g_e_j: at_e})
    scale = sigma_q * sigma_k / sqrt(width)
    parts = [
        Part(scale * key_b, inner(tangent_block, outer_cb), _input_c * at_b),
        Part(scale * query_of_b, inner(tangent_block, outer_ce), _input_c * at_e),
    ]
    return _sum_of_columns(given, _column(given, _SLOPE, parts, single), score_width)


REMAINDER = claim(
    "inf.lem26.remainder",
    at="Lemma 26, proof",
    title="A remainder that grows less than the square of the width tends to zero",
    states=sentence(
        r"$remainder_d = o({$width}^$order) \implies $remainder_d \text{ tends to zero}", order=2
    ),
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
    note=_NOTE,
)


@SPLIT.proved()
def count_of_pairs(given: Given) -> Theorem:
    """Of d² pairs d are of equal coordinates; the others have all the same mean."""
    term, row = (Function(f"mean of a {one}", real=True) for one in ("term", "row"))
    count = Symbol("count", integer=True, nonnegative=True)
    value = sp.Piecewise((diagonal_mean, eq(i, j)), (off_mean, True))
    each = given.meaning("means of terms", eq(term(i, j), value))
    rows = given.meaning(
        "the mean over pairs of coordinates, row by row",
        eq(row(i), Sum(term(i, j), (j, 0, width - 1))),
        eq(pair_mean, Sum(row(i), (i, 0, width - 1)) / width**2),
    )
    shorter = Sum(term(i, j), (j, 0, count - 1))
    before, after = eq(shorter, count * off_mean), eq(shorter, diagonal_mean + (count - 1) * off_mean)
    goal = both(implies(i >= count, before), implies(i < count, after))
    here = sums.by_recursion(goal, count, premises=[each.at({j: count})]).at({count: width})
    of_row = eq(row(i), diagonal_mean + (width - 1) * off_mean)
    added = sums.summed(rules.follows(of_row, [rows, here], under=[i < width]), i, width)
    return given.follows(rows, added, sums.linear(added.statement.rhs, over=given.domain))


WEIGHTS = claim(
    "inf.lem26.weights",
    at="Lemma 26, proof",
    title="Two columns of queries with weights of their keys have a product of inputs as mean",
    states=eq(E(query_b * weight_k_j * query_other * weight_k_other), sigma_q**2 / width * g_b_j * g_b_other),
    assuming=EQUAL_WEIGHTS,
    provenance=Provenance.EXTRACTED,
    note=_NOTE,
)


@WEIGHTS.proved()
def two_independent_columns(given: Given) -> Theorem:
    """Each column has the mean of a query with its own weight."""
    first, second = query_b * weight_k_j, query_other * weight_k_other
    known = given.supposed(EQUAL_WEIGHTS, independent(first, second))
    columns = {"one column": (first, g_b_j), "another column": (second, g_b_other)}
    means = (
        value_with_a_weight(given, EQUAL_WEIGHTS, pair, entry, head=head, scale=sigma_q)
        for head, (pair, entry) in columns.items()
    )
    return given.follows(known, *means, facts.expectation_of_independent(first, second))

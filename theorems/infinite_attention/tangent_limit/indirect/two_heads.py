"""Equation (31) for derivatives of scores of two heads with equal weights of queries and keys."""

from typing import Any

import sympy as sp
from sympy import Expr, Integer, Symbol

from symbolic.gaussian.wick import gaussian_mean
from theorems.engine import Given, Obligations, Provenance, Severity, eq, ge, le, sentence
from theorems.engine.rules import E, Theorem, inner, norm
from theorems.infinite_attention.letters.gradients import (
    contracted,
    heads_form,
    input_a,
    input_b,
    input_d,
    input_e,
    key_a,
    key_b,
    mean_cross,
    outer_ab,
    outer_ae,
    outer_db,
    outer_de,
    query_of_a,
    query_of_b,
    tangent_block,
)
from theorems.infinite_attention.letters.network import score_width, sigma_k, sigma_q, width
from theorems.infinite_attention.letters.table import claim
from theorems.infinite_attention.tangent_limit.forms_by_entries import m, mean_by_entries, n
from theorems.infinite_attention.tangent_limit.indirect.equal_weights import two_columns
from theorems.infinite_attention.tangent_limit.indirect.score_derivatives import (
    EQUAL_WEIGHTS,
    printed_sum,
    two_linear_layers,
)
from theorems.infinite_attention.tangent_limit.one_head_at_a_time import (
    ALONG,
    KERNEL_TIMES,
    ROW,
    ROW_OF_KERNEL,
    second_moment,
)

_NOTE = "proofs_notes/inf_tangents.md#products-of-derivatives-of-scores"

HEADS = claim(
    "inf.lem24.eq31.heads",
    at="Equation (31)",
    title="For equal weights two derivatives of scores of different heads have the mean zero",
    states=sentence(
        r"$query_weights = $key_weights,\ h_1 \ne h_2:\quad \mathbb{E}[$form_heads]"
        r" = $factor \cdot \text{the right side for one head and independent weights}",
        factor=0,
    ),
    note=_NOTE,
)


@HEADS.refuted(severity=Severity.GAP, controls={"that of one coordinate": {"factor": 1}})
def two_heads_at_one_coordinate(factor: Any) -> Obligations:
    """Each head has a mean derivative, and with one coordinate their product is that of (31)."""
    for columns in (1, 2, 3):
        exact = _mean_of_two_heads(columns)
        yield "another mean", bool(exact != factor * printed_sum(1))


def _mean_of_two_heads(columns: int) -> Expr:
    """E of the sum for two heads with equal weights and one coordinate, by pairings."""
    values, kernel, law = two_linear_layers(1)
    product = kernel[0][0]
    for head in "ab":
        weights = [Symbol(f"w{head}{u}") for u in range(columns)]
        product *= sum(2 * values[0] * weight**2 for weight in weights) / Integer(columns)
        law |= {(one, one): 1 for one in weights}
    return gaussian_mean(sp.expand(product), [one for one, _ in law], law)


TWO_HEADS = HEADS.corrected(
    "inf.lem24.eq31.heads.corrected",
    title="For equal weights two heads have the mean that different columns of one head have",
    states=eq(
        E(heads_form),
        sigma_q**2
        * sigma_k**2
        / width**2
        * (
            key_a * inner(tangent_block, key_b * outer_ab + query_of_b * outer_ae)
            + query_of_a * inner(tangent_block, key_b * outer_db + query_of_b * outer_de)
        ),
    ),
    assuming=EQUAL_WEIGHTS,
    rests_on=["inf.lem24.columns"],
    note=_NOTE,
)


@TWO_HEADS.proved()
def columns_of_two_heads(given: Given) -> Theorem:
    """Columns of two heads are different columns: all (d^G)² pairs have the same mean."""
    entry, there = two_columns(given)
    one = given.substituted(there, {m: n})
    pairs = (entry, one), (entry, there)
    return given.follows(mean_by_entries(given, heads_form, score_width**2, *pairs))


_at_a, _at_b = key_a * input_a + query_of_a * input_d, key_b * input_b + query_of_b * input_e

SECOND = claim(
    "inf.lem24.heads.equal",
    at="Lemma 24, proof",
    title="For two heads with equal weights the second moment is bounded like the squared norm",
    states=le(
        E(heads_form**2),
        (1 + 2 / score_width) ** 2
        * sigma_q**4
        * sigma_k**4
        * norm(_at_a) ** 2
        * norm(_at_b) ** 2
        * norm(tangent_block) ** 2
        / width**4,
    ),
    assuming=EQUAL_WEIGHTS,
    rests_on=["inf.lem26.second.equal"],
    provenance=Provenance.DERIVED,
    note="proofs_notes/inf_tangents.md#products-for-one-head-and-for-two",
)


@SECOND.proved()
def one_head_given_the_other(given: Given) -> Theorem:
    """First the mean over one head, along the kernel times the other; then that one's rows."""
    cube = width * sp.sqrt(width)
    factor = (1 + 2 / score_width) * sigma_q**2 * sigma_k**2
    bound = given.fact("inf.lem26.second.equal", "bound")
    at_a = {key_b: key_a, query_of_b: query_of_a, input_b: input_a, input_e: input_d}
    first = given.substituted(bound, {**at_a, mean_cross: ALONG / cube, contracted: KERNEL_TIMES})
    rows = given.substituted(bound, {mean_cross: ROW / cube, contracted: ROW_OF_KERNEL})
    one, other = (
        given.follows(goal=ge(factor * norm(partner) ** 2 / width, 0)) for partner in (_at_a, _at_b)
    )
    both = second_moment(given, EQUAL_WEIGHTS, first, rows, (one, other))
    return given.follows(both)

"""Example 3.1: the covariances of the limits of values and of scores in multi-head attention."""

from typing import Any

from theorems.attention_limit.letters.attention import sigma_key, sigma_out, sigma_query, sigma_value
from theorems.attention_limit.letters.limit import (
    H,
    Z_xi,
    Z_xj,
    Z_xk,
    Z_xl,
    key_limit_j,
    key_limit_l,
    p_limit_ij,
    p_limit_kl,
    p_limit_other,
    query_limit_i,
    query_limit_k,
    value_j,
    value_k,
    value_other,
)
from theorems.attention_limit.letters.output_maps import s_tokens
from theorems.attention_limit.letters.table import claim
from theorems.attention_limit.main_theorem.limit_law import DIFFERENT_MATRICES, LIMITS_OF_SCORES, SAME_MATRIX
from theorems.engine import Given, Severity, eq, ge
from theorems.engine.rules import E, Random, Theorem, facts
from theorems.engine.rules.vocabulary import independent

_AT = "Example 3.1"
_NOTE = "proofs_notes/attn_laws.md#definition-of-the-limits"

VALUES = claim(
    "attn.ex31.v",
    at=_AT,
    title="Covariances of the limits of projected values",
    states={
        "one head": eq(E(value_j * value_k), sigma_out**2 * sigma_value**2 * E(Z_xj * Z_xk)),
        "two heads": eq(E(value_j * value_other), 0),
    },
    assuming=[SAME_MATRIX, DIFFERENT_MATRICES],
    note=_NOTE,
)
_v_j, _v_k = Random("v_j"), Random("v_k")


@VALUES.proved("one head")
def rule_of_images_twice(given: Given) -> Theorem:
    """W^O is applied to the images under W^V of the inputs."""
    rules_ = (
        eq(E(value_j * value_k), sigma_out**2 * E(_v_j * _v_k)),
        eq(E(_v_j * _v_k), sigma_value**2 * E(Z_xj * Z_xk)),
    )
    return given.follows(given.supposed(SAME_MATRIX, *rules_))


@VALUES.proved("two heads")
def other_output_matrix(given: Given) -> Theorem:
    """Two heads have different matrices W^O: their values are centred and independent."""
    return given.follows(
        given.supposed(DIFFERENT_MATRICES, independent(value_j, value_other), eq(E(value_j), 0)),
        facts.expectation_of_independent(value_j, value_other),
    )


SCORES = claim(
    "attn.ex31.p",
    at=_AT,
    title="Covariances of the limits of scores",
    states={
        "one head": eq(
            E(p_limit_ij * p_limit_kl), sigma_query**2 * sigma_key**2 * E(Z_xi * Z_xk) * E(Z_xj * Z_xl)
        ),
        "two heads": eq(E(p_limit_ij * p_limit_other), 0),
    },
    assuming=[SAME_MATRIX, DIFFERENT_MATRICES, LIMITS_OF_SCORES],
    note=_NOTE,
)
_QUERIES, _KEYS = query_limit_i * query_limit_k, key_limit_j * key_limit_l
_q_other, _k_other = Random("q_other"), Random("k_other")


@SCORES.proved("one head")
def queries_and_keys_apart(given: Given) -> Theorem:
    """E q_i k_j q_k k_l = E q_i q_k · E k_j k_l, as queries and keys are independent."""
    return given.follows(
        given.supposed(LIMITS_OF_SCORES, eq(E(p_limit_ij * p_limit_kl), E(_QUERIES * _KEYS))),
        given.supposed(DIFFERENT_MATRICES, independent(_QUERIES, _KEYS)),
        facts.expectation_of_independent(_QUERIES, _KEYS),
        given.supposed(
            SAME_MATRIX,
            eq(E(_QUERIES), sigma_query**2 * E(Z_xi * Z_xk)),
            eq(E(_KEYS), sigma_key**2 * E(Z_xj * Z_xl)),
        ),
    )


@SCORES.proved("two heads")
def matrices_of_another_head(given: Given) -> Theorem:
    """The query of one head is independent of all the rest, and centred."""
    rest = key_limit_j * _q_other * _k_other
    return given.follows(
        given.supposed(LIMITS_OF_SCORES, eq(E(p_limit_ij * p_limit_other), E(query_limit_i * rest))),
        given.supposed(DIFFERENT_MATRICES, independent(query_limit_i, rest), eq(E(query_limit_i), 0)),
        facts.expectation_of_independent(query_limit_i, rest),
    )


#: Queries, keys, values and what the last matrices make of these, for each token and each head.
_IMAGES = 4 * s_tokens * H
_EDGES = "proofs_notes/attn_proofs.md#edges-of-the-definition-of-limits"

COUNT = claim(
    "attn.asm31.count",
    at="Assumption 3.1; Example 3.1",
    title="A multi-head layer has at least two images for each of its dot products",
    states=ge(_IMAGES, 2 * s_tokens**2 * H),
    note=_EDGES,
)


@COUNT.refuted(severity=Severity.SLIP)
def three_tokens() -> dict[Any, int]:
    """Three tokens and one head have nine dot products, and twelve images."""
    return {s_tokens: 3, H: 1}


DIFFERENT_FACTORS = COUNT.corrected(
    "attn.asm31.count.corrected",
    title="A multi-head layer has as many images as its dot products have different factors",
    states=ge(_IMAGES, 2 * s_tokens * H),
    note=_EDGES,
)


@DIFFERENT_FACTORS.proved()
def queries_and_keys(given: Given) -> Theorem:
    """A query and a key for each token and each head."""
    return given.follows()

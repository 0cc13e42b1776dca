"""Lemma D.5: the variance of a coordinate's share in a combination of dot products.

The variance is a sum over pairs of dot products, so that the identities here are about one pair.
"""

from typing import Any

from theorems.attention_limit.letters.dot_products import (
    S_11,
    S_12,
    S_21,
    S_22,
    d_11,
    d_12,
    d_21,
    d_22,
    g_11,
    g_12,
    g_21,
    g_22,
    sigma_1,
    sigma_2,
)
from theorems.attention_limit.letters.table import claim
from theorems.attention_limit.premises.gaussian_outputs import FACTORS, GAUSSIAN_FACTORS, covariances, wick
from theorems.engine import Given, Provenance, Severity, eq
from theorems.engine.rules import E, Theorem

_NOTE = "proofs_notes/attn_proofs.md#the-second-moment"
DIRECT = sigma_1**2 * sigma_2**2 * S_11 * S_22 * d_11 * d_22
CROSSED = sigma_1**2 * sigma_2**2 * S_12 * S_21 * d_12 * d_21
_SUM = DIRECT + CROSSED
NUMBERS = (sigma_1, sigma_2, S_11, S_12, S_21, S_22, d_11, d_12, d_21, d_22)

VARIANCE = claim(
    "attn.lemD5",
    at="Lemma D.5",
    title="The terms of two dot products at one coordinate have a covariance of two parts",
    states=eq(E(g_11 * g_12 * g_21 * g_22), _SUM),
    assuming=[GAUSSIAN_FACTORS],
    provenance=Provenance.EXPLICIT,
    note=_NOTE,
)


@VARIANCE.proved()
def three_pairings(given: Given) -> Theorem:
    """Of three pairings of the factors one joins those of a dot product, which is 0 by (5)."""
    pairings = wick(given, GAUSSIAN_FACTORS, g_11 * g_12 * g_21 * g_22, letters=FACTORS)
    return given.follows(pairings, covariances(given))


CLOSING = claim(
    "attn.lemD5.closing",
    at="Lemma D.5, proof",
    title="Each of the two parts alone is the fourth moment of the limits",
    states={"(1, 2)": eq(DIRECT, _SUM), "(2, 1)": eq(CROSSED, _SUM)},
    rests_on=[VARIANCE],
    discharging={GAUSSIAN_FACTORS: "the counterexample is about the matrices of one dot product"},
    note=_NOTE,
)
_UNIT = dict.fromkeys((sigma_1, sigma_2, S_11, S_12, S_21, S_22), 1)


@CLOSING.refuted("(2, 1)", severity=Severity.SLIP)
def a_dot_product_with_itself() -> dict[Any, Any]:
    """For i₁ = i₂ and unit inputs the fourth moment is σ²σ², and the part of (2, 1) vanishes."""
    return {**_UNIT, d_11: 1, d_22: 1, d_12: 0, d_21: 0}


@CLOSING.refuted("(1, 2)", severity=Severity.SLIP)
def a_dot_product_with_its_factors_exchanged() -> dict[Any, Any]:
    """If the two matrices change their places, only the part of (2, 1) is there."""
    return {**_UNIT, d_11: 0, d_22: 0, d_12: 1, d_21: 1}


CORRECTED = CLOSING.corrected(
    "attn.lemD5.closing.corrected",
    title="The two parts together are the fourth moment",
    states=eq(E(g_11 * g_12 * g_21 * g_22), _SUM),
    assuming=[GAUSSIAN_FACTORS],
    rests_on=[VARIANCE],
    note=_NOTE,
)


@CORRECTED.proved()
def both_parts(given: Given) -> Theorem:
    """The lemma, at inputs whose products are those of the limits."""
    return given.follows(given.fact(VARIANCE))

"""Lemmas D.6 and D.7: moments of the shares of two coordinates, which are independent rows."""

from itertools import product
from typing import Any

import sympy as sp
from sympy import exp, oo, pi, sin, sqrt

from theorems.attention_limit.letters.dot_products import (
    X,
    X_other,
    d_12,
    d_21,
    g_11,
    g_12,
    g_21,
    g_22,
    sigma_1,
    sigma_2,
    sigma_4,
)
from theorems.attention_limit.letters.table import claim
from theorems.attention_limit.premises.gaussian_outputs import (
    CENTRED_TERMS,
    GAUSSIAN_FACTORS,
    INDEPENDENT_ROWS,
)
from theorems.attention_limit.proofs.dot_products.variance import CROSSED, DIRECT
from theorems.engine import Given, Hypothesis, Obligations, Provenance, Severity, eq, implies, sentence
from theorems.engine.rules import E, Theorem, facts
from theorems.engine.rules.vocabulary import independent

_NOTE = "proofs_notes/attn_proofs.md#two-rows"
_INPUTS = "proofs_notes/attn_proofs.md#inputs-that-depend-on-the-matrices"

ANY_INPUTS = claim(
    "attn.lemD6.any_inputs",
    at="Lemma D.6",
    title="The shares of two coordinates are uncorrelated under Assumption 3.1",
    states=sentence(r"\mathbb{E}($X $X_other) = $mean \text{ for all } \alpha \ne \beta", mean=0),
    note=_INPUTS,
)


@ANY_INPUTS.refuted(severity=Severity.GAP, controls={"another mean": {"mean": 4 * exp(-4)}})
def crossed_inputs_of_two_rows(mean: Any) -> Obligations:
    """At width 2 let u = A(1, 1), v = B(1, 1), and take A sin v and B sin u for the factors.

    X_α = (A sin v)_α (B sin u)_α, so that E X₁X₂ is a sum over an entry of each row of A and of B:
    of products of means over the four rows, which are independent.
    """
    of_row, value = [_mean_of_a_row(power) for power in range(3)], sp.S.Zero
    for *entries_of_a, one, other in product(range(2), repeat=4):
        rows_of_a = [(one, other).count(row) for row in range(2)]
        rows_of_b = [entries_of_a.count(row) for row in range(2)]
        value += sp.Mul(*(of_row[count] for count in (*rows_of_a, *rows_of_b)))
    yield "the mean is another one", bool(sp.simplify(value - mean) != 0)


def _mean_of_a_row(power: int) -> Any:
    """E a sin(a + b)^power for standard normal a and b: 0 if it is odd in both together."""
    a, b = sp.symbols("a b", real=True)
    value = a * sin(a + b) ** power
    if value.xreplace({a: -a, b: -b}) == -value:
        return sp.S.Zero
    value = sp.expand(sp.expand_trig(value))
    for one in (a, b):
        value = sp.integrate(value * exp(-(one**2) / 2) / sqrt(2 * pi), (one, -oo, oo))
    return value


UNCORRELATED = ANY_INPUTS.corrected(
    "attn.lemD6",
    title="The shares of two coordinates are uncorrelated where inputs are independent of matrices",
    states=eq(E(X * X_other), 0),
    assuming=[CENTRED_TERMS, INDEPENDENT_ROWS],
    rests_on=["attn.lemD4.corrected"],
    note=_NOTE,
)


def _independent(given: Given, first: Any, second: Any) -> list[Theorem]:
    apart = given.supposed(INDEPENDENT_ROWS, independent(first, second))
    return [apart, facts.expectation_of_independent(first, second)]


@UNCORRELATED.proved()
def product_of_means(given: Given) -> Theorem:
    """The mean of the product is the product of the means, of which one vanishes."""
    return given.follows(given.fact("attn.lemD4.corrected"), *_independent(given, X, X_other))


SQUARES = claim(
    "attn.lemD7",
    at="Lemma D.7",
    title="The mean of the product of two squares is the square of the second moment",
    states=eq(E(X**2 * X_other**2), E(X**2) ** 2),
    assuming=[INDEPENDENT_ROWS],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@SQUARES.proved()
def equal_second_moments(given: Given) -> Theorem:
    """Given the inputs the rows are independent and have the same law."""
    same = given.supposed(INDEPENDENT_ROWS, eq(E(X_other**2), E(X**2)))
    return given.follows(same, *_independent(given, X**2, X_other**2))


SAME_SCALES = Hypothesis(
    "same_scales", "the same matrix has one scale", implies(eq(d_12, 1), eq(sigma_1, sigma_4))
)

SCALES = claim(
    "attn.lemD7.scales",
    at="Lemma D.7, proof",
    title="The scales in front of the crossed part are those of two outer factors",
    states=eq(sigma_1**2 * sigma_4**2 * d_12 * d_21, sigma_1**2 * sigma_2**2 * d_12 * d_21),
    assuming=[SAME_SCALES],
    provenance=Provenance.EXTRACTED,
    note=_NOTE,
)


@SCALES.refuted(severity=Severity.SLIP)
def different_scales() -> dict[Any, Any]:
    """The matrices that are the same have the scale 2 and 1: the page has 16, the moment has 4."""
    return {sigma_1: 2, sigma_4: 2, sigma_2: 1, d_12: 1, d_21: 1}


CORRECTED = SCALES.corrected(
    "attn.lemD7.scales.corrected",
    title="The scales in front of the crossed part are those of one dot product",
    states=eq(E(g_11 * g_12 * g_21 * g_22), DIRECT + CROSSED),
    assuming=[GAUSSIAN_FACTORS],
    rests_on=["attn.lemD5"],
    note=_NOTE,
)


@CORRECTED.proved()
def as_in_the_variance(given: Given) -> Theorem:
    """Lemma D.5 has the scales of the first dot product in both parts."""
    return given.follows(given.fact("attn.lemD5"))

"""Lemma 25: products of a derivative through the values and one through the scores vanish."""

from typing import Any

from sympy import Rational, Symbol

from theorems.engine import Given, Severity, eq, implies, le
from theorems.engine.rules import Theorem
from theorems.infinite_attention.letters.gradients import factor_score, factor_weight
from theorems.infinite_attention.letters.table import claim

_NOTE = "proofs_notes/inf_tangents.md#a-squared-product"

PRODUCT = claim(
    "inf.lem25.product",
    at="Equation (34)",
    title="The square of a product is at most the sum of the squares of its factors",
    states=le((factor_weight * factor_score) ** 2, factor_weight**2 + factor_score**2),
    given=[factor_weight, factor_score],
    note=_NOTE,
)


@PRODUCT.refuted(severity=Severity.GAP)
def factors_two_and_two() -> dict[Symbol, Any]:
    """The left side has another degree: 16 > 8."""
    return {factor_weight: 2, factor_score: 2}


FOURTH = PRODUCT.corrected(
    "inf.lem25.product.corrected",
    title="The square of a product is at most half the sum of the factors' fourth powers",
    states={
        "bound": le(
            (factor_weight * factor_score) ** 2,
            Rational(1, 2) * (factor_weight**4 + factor_score**4),
        ),
        "attained": implies(
            eq(factor_weight**2, factor_score**2),
            eq(
                (factor_weight * factor_score) ** 2,
                Rational(1, 2) * (factor_weight**4 + factor_score**4),
            ),
        ),
    },
    given=[factor_weight, factor_score],
    note=_NOTE,
)


@FOURTH.proved("bound", "attained")
def square_of_a_difference(given: Given) -> Theorem:
    """Half the square of A² - B² is what is left."""
    return given.follows()

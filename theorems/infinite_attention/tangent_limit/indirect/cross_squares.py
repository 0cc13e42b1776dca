"""Equation (33): the second moment of the sum of Lemma 25, as a sum over pairs of its terms."""

from sympy import Symbol, diff, sqrt

from theorems.engine import Given, Provenance, eq
from theorems.engine.rules import E, Random, Theorem
from theorems.infinite_attention.letters.gradients import mixed_sum, scaled_terms, unit_terms
from theorems.infinite_attention.letters.network import heads, sigma_v, value_width, width
from theorems.infinite_attention.letters.table import claim
from theorems.infinite_attention.tangent_limit.direct.output_weights import VALUES

SQUARE = claim(
    "inf.eq33",
    at="Equation (33)",
    title="The second moment of the sum of Lemma 25 has the printed factor, and values have theirs",
    states={
        "printed": eq(E(mixed_sum**2), sigma_v**2 / (heads * value_width * width) ** 2 * E(scaled_terms**2)),
        "values of scale one": eq(
            E(mixed_sum**2), sigma_v**4 / (heads * value_width * width) ** 2 * E(unit_terms**2)
        ),
    },
    assuming=[VALUES],
    provenance=Provenance.EXTRACTED,
    note="proofs_notes/inf_tangents.md#the-second-moment-of-mixed-products",
)
_by_inputs, _by_scores = Random("terms_with_derivatives_of_values"), Random("terms_with_weights")
_entry, _weight = Symbol("entry", real=True), Symbol("weight", real=True)


def _printed(given: Given) -> list[Theorem]:
    """From the sum of Lemma 25 to its terms, one factor after the other."""
    columns = given.meaning(
        "the sum of Lemma 25, over columns of values of all heads, divided by their number",
        eq(E(mixed_sum**2), E((_by_inputs / (heads * value_width)) ** 2)),
    )
    slope = diff(sigma_v / sqrt(width) * _entry * _weight, _entry) / _weight
    derivatives = given.meaning(
        "the derivatives of values by an input, weights with one factor",
        eq(E(_by_inputs**2), E((slope * _by_scores) ** 2)),
    )
    roots = given.meaning(
        "the terms, in which a derivative of a score is multiplied by the root of the width",
        eq(E(scaled_terms**2), E((sqrt(width) * _by_scores) ** 2)),
    )
    return [columns, derivatives, roots]


@SQUARE.proved("printed")
def factors_of_the_terms(given: Given) -> Theorem:
    """One factor for each of the two sums."""
    return given.follows(*_printed(given))


@SQUARE.proved("values of scale one")
def values_in_the_terms(given: Given) -> Theorem:
    """A term has one value, which is its scale times that of scale one."""
    values = given.supposed(VALUES, eq(E(scaled_terms**2), E((sigma_v * unit_terms) ** 2)))
    return given.follows(*_printed(given), values)

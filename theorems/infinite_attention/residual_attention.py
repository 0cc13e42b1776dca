"""Appendix D: the kernel of attention with a skip connection."""

from sympy import Expr, sqrt

from theorems.engine import Given, Hypothesis, Provenance, eq
from theorems.engine.rules import E, Random, Theorem
from theorems.infinite_attention.letters.encodings import (
    alpha,
    attended_a,
    attended_b,
    output_a,
    output_b,
    skipped_a,
    skipped_b,
)
from theorems.infinite_attention.letters.table import claim

UNCORRELATED = Hypothesis(
    "uncorrelated_attention",
    "the output of attention is uncorrelated with the layer's input, as it is for output weights"
    " that are centred and independent of all else",
    latex=r"\mathbb{E}[$skipped_a $attended_b] = \mathbb{E}[$attended_a $skipped_b] = 0",
)


SKIP = Hypothesis(
    "skip_connection",
    "the layer's outputs $output_a and $output_b are those of attention with a skip connection, of"
    " which the squared share is $alpha",
    latex=r"f = \sqrt{$alpha} g + \sqrt{1 - $alpha} \tilde f",
)


def _output(skipped: Random, attended: Random) -> Expr:
    return sqrt(alpha) * skipped + sqrt(1 - alpha) * attended


RESIDUAL = claim(
    "inf.d",
    at="Appendix D",
    title="The kernel of residual attention is the mixture of the input's and attention's",
    states=eq(
        E(output_a * output_b),
        alpha * E(skipped_a * skipped_b) + (1 - alpha) * E(attended_a * attended_b),
    ),
    given=[alpha, output_a, output_b, skipped_a, skipped_b, attended_a, attended_b],
    assuming=[SKIP, UNCORRELATED],
    provenance=Provenance.EXTRACTED,
    note="proofs_notes/inf_encodings.md#residual-attention",
)


@RESIDUAL.proved()
def mixed_terms_vanish(given: Given) -> Theorem:
    """Four terms, of which two have the mean 0."""
    mixed = given.supposed(
        UNCORRELATED, eq(E(skipped_a * attended_b), 0), eq(E(attended_a * skipped_b), 0)
    )
    outputs = _output(skipped_a, attended_a) * _output(skipped_b, attended_b)
    return given.follows(mixed, given.supposed(SKIP, eq(E(output_a * output_b), E(outputs))))

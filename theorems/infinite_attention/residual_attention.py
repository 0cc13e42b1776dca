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
    tangent_attended,
    tangent_mixed,
    tangent_residual,
    tangent_skipped,
)
from theorems.infinite_attention.letters.table import claim

UNCORRELATED = Hypothesis(
    "uncorrelated_attention",
    "the output of attention is uncorrelated with the layer's input, as it is for output weights"
    " that are centred and independent of all else",
    latex=r"\mathbb{E}[$skipped_a $attended_b] = \mathbb{E}[$attended_a $skipped_b] = 0",
)

OTHER_SIGN = Hypothesis(
    "other_sign_of_output_weights",
    "the output weights of attention have the same law with the other sign, whatever all other"
    " parameters are: so have the output $attended_b of attention beside the input $skipped_a, and"
    " $tangent_mixed",
)

CENTRED = claim(
    "inf.d.uncorrelated",
    at="Appendix D",
    title="The output of attention is uncorrelated with its input, whatever the weights do to it",
    states={
        "outputs": eq(E(skipped_a * attended_b), 0),
        "gradients": eq(E(tangent_mixed), 0),
    },
    given=[skipped_a, attended_b, tangent_mixed],
    assuming=OTHER_SIGN,
    provenance=Provenance.DERIVED,
    note="proofs_notes/inf_encodings.md#residual-attention",
)


@CENTRED.proved("outputs", "gradients")
def the_same_with_the_other_sign(given: Given) -> Theorem:
    """What has the same mean as its opposite has the mean zero."""
    return given.follows(
        given.supposed(
            OTHER_SIGN,
            eq(E(skipped_a * attended_b), E(-skipped_a * attended_b)),
            eq(E(tangent_mixed), E(-tangent_mixed)),
        )
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


GRADIENTS = Hypothesis(
    "gradients_with_skip_connection",
    "the gradients of outputs with a skip connection, of which $alpha is the squared share, are"
    " mixtures of those of inputs and of outputs of attention, by all parameters: $tangent_residual"
    " is their inner product, $tangent_skipped, $tangent_attended and $tangent_mixed are made of"
    " those of the parts",
)

TANGENT = claim(
    "inf.d.tangent",
    at="Appendix D",
    title="The tangent kernel of residual attention is the mixture as well, in the mean",
    states=eq(E(tangent_residual), alpha * E(tangent_skipped) + (1 - alpha) * E(tangent_attended)),
    given=[
        *(alpha, tangent_residual, tangent_skipped, tangent_attended, tangent_mixed),
        *(skipped_a, attended_b),
    ],
    assuming=[GRADIENTS, OTHER_SIGN],
    rests_on=CENTRED,
    provenance=Provenance.DERIVED,
    note="proofs_notes/inf_encodings.md#residual-attention",
)


@TANGENT.proved()
def inner_products_of_mixtures(given: Given) -> Theorem:
    """The inner product of two mixtures, of which the mixed terms have the mean zero."""
    roots = sqrt(alpha) * sqrt(1 - alpha)
    whole = alpha * tangent_skipped + roots * tangent_mixed + (1 - alpha) * tangent_attended
    product = given.supposed(GRADIENTS, eq(E(tangent_residual), E(whole)))
    return given.follows(product, given.fact(CENTRED, "gradients"))

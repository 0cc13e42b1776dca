"""Appendix D: the kernel of attention with a skip connection."""

import sympy as sp
from sympy import Expr, sqrt
from sympy.logic.boolalg import Boolean

from theorems.engine import Given, Hypothesis, Provenance, eq, implies
from theorems.engine.rules import E, Random, Theorem, Vector, act, inner
from theorems.infinite_attention.letters.encodings import (
    alpha,
    attended_a,
    attended_b,
    encodings_matrix,
    input_matrix,
    input_row_a,
    input_row_b,
    kept,
    output_a,
    output_b,
    row_a,
    row_b,
    skipped_a,
    skipped_b,
    tangent_attended,
    tangent_mixed,
    tangent_residual,
    tangent_skipped,
    value_share,
)
from theorems.infinite_attention.letters.kernels import sigma_ov, sigma_qk
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
    states={"outputs": eq(E(skipped_a * attended_b), 0), "gradients": eq(E(tangent_mixed), 0)},
    assuming=OTHER_SIGN,
    provenance=Provenance.DERIVED,
    note="proofs_notes/inf_encodings.md#residual-attention",
)


@CENTRED.proved("outputs", "gradients")
def the_same_with_the_other_sign(given: Given) -> Theorem:
    """What has the same mean as its opposite has the mean zero."""
    outputs, gradients = Random("output_with_the_other_sign"), Random("mixed_with_the_other_sign")
    alike = given.supposed(
        OTHER_SIGN, eq(E(skipped_a * outputs), E(skipped_a * attended_b)), eq(E(gradients), E(tangent_mixed))
    )
    other = given.meaning(
        "what the other sign of the output weights makes of outputs and gradients",
        eq(E(skipped_a * outputs), E(-skipped_a * attended_b)),
        eq(E(gradients), E(-tangent_mixed)),
    )
    return given.follows(alike, other)


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
        E(output_a * output_b), alpha * E(skipped_a * skipped_b) + (1 - alpha) * E(attended_a * attended_b)
    ),
    assuming=[SKIP, UNCORRELATED],
    provenance=Provenance.EXTRACTED,
    note="proofs_notes/inf_encodings.md#residual-attention",
)


@RESIDUAL.proved()
def mixed_terms_vanish(given: Given) -> Theorem:
    """Four terms, of which two have the mean 0."""
    mixed = given.supposed(UNCORRELATED, eq(E(skipped_a * attended_b), 0), eq(E(attended_a * skipped_b), 0))
    outputs = _output(skipped_a, attended_a) * _output(skipped_b, attended_b)
    return given.follows(mixed, given.supposed(SKIP, eq(E(output_a * output_b), E(outputs))))


STRUCTURED = Hypothesis(
    "structured_attention",
    "attention has the exponent one, equal weights of queries and keys, and no nonlinearity: its"
    " weights are its scores, constants in the limit. Queries and keys see $kept times the kernel"
    " of the input and the rest of $encodings_matrix, values $value_share times the kernel and the"
    " rest of $encodings_matrix; $row_a and $row_b are rows of it, $input_row_a and $input_row_b"
    " rows of the input's kernel",
)
_SQUARED_SCALES = sigma_ov**2 * sigma_qk**2


def _attended(inside: Expr) -> Boolean:
    """The kernel of residual attention for a form in the kernel that values see."""
    return eq(
        E(output_a * output_b), alpha * E(skipped_a * skipped_b) + (1 - alpha) * _SQUARED_SCALES * inside
    )


STRUCT = claim(
    "inf.d.structured",
    at="Appendix D",
    title="Equation (14) comes from attention whose values do not see the encodings",
    states={
        "at queries and keys only": implies(
            sp.And(eq(kept, 0), eq(value_share, 1)), _attended(inner(row_a, act(input_matrix, row_b)))
        ),
        "at values as well": implies(
            sp.And(eq(kept, 0), eq(value_share, 0)), _attended(inner(row_a, act(encodings_matrix, row_b)))
        ),
    },
    assuming=[SKIP, UNCORRELATED, STRUCTURED],
    rests_on=RESIDUAL,
    provenance=Provenance.DERIVED,
    note="proofs_notes/inf_encodings.md#residual-attention",
)


def _weights(seen: Vector, encodings: Vector) -> Expr:
    return sigma_qk * (kept * seen + (1 - kept) * encodings)


@STRUCT.proved("at queries and keys only", "at values as well")
def constant_weights(given: Given) -> Theorem:
    """Equation (7) with constant weights is a form in the kernel that values see."""
    first, second = _weights(input_row_a, row_a), _weights(input_row_b, row_b)
    of_input, of_encodings = (
        inner(first, act(matrix, second)) for matrix in (input_matrix, encodings_matrix)
    )
    kernel = value_share * of_input + (1 - value_share) * of_encodings
    attention = given.supposed(STRUCTURED, eq(E(attended_a * attended_b), sigma_ov**2 * kernel))
    return given.follows(given.fact(RESIDUAL), attention)


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

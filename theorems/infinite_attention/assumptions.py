"""Appendix B: what is assumed of the nonlinearities, and which of them have it."""

from typing import Any

from sympy import Abs, Max, Rational, Symbol, exp, limit

from theorems.engine import Choice, Given, Hypothesis, Obligations, Severity, both, eq, ge, le, sentence
from theorems.engine.rules import Theorem
from theorems.infinite_attention.letters.nonlinearities import (
    any_score,
    envelope_constant,
    envelope_slope,
    leak,
    left_argument,
    left_other,
    nonlinearity_value,
    other_weights,
)
from theorems.infinite_attention.letters.table import claim

_AT = "Appendix B"
_NOTE = "proofs_notes/inf_kernels.md#assumptions"

SLOPES = claim(
    "inf.assumptions.slopes",
    at=_AT,
    title="Slopes of ReLU and leaky ReLU on the left of zero vanish",
    states=sentence(
        r"\lim_{z \to $origin^-} \nabla$nonlinearity(z) = $slope \text{ for } $nonlinearity(z) ="
        r" \max(z, $leak z), \text{ with a leak } $leak \text{ and without}",
        origin=0,
        slope=Choice("0", "none"),
    ),
    note=_NOTE,
)


@SLOPES.refuted(severity=Severity.SLIP, controls={"leak": {"slope": Choice(r"\lambda", "the leak")}})
def half_as_leak(origin: int, slope: str) -> Obligations:
    """The leak 1/2: left of zero the function is z/2."""
    step, half = Symbol("h", positive=True), Rational(1, 2)
    said: Any = 0 if slope == "none" else half
    rise = Max(origin, half * origin) - Max(origin - step, half * (origin - step))
    yield "the slope is not the printed one", bool(limit(rise / step, step, 0, "+") != said)


LEAKY = SLOPES.corrected(
    "inf.assumptions.slopes.corrected",
    title="The leaky ReLU has its leak as slope on the left of zero",
    states=eq(
        Max(left_argument, leak * left_argument) - Max(left_other, leak * left_other),
        leak * (left_argument - left_other),
    ),
    note=_NOTE,
)


@LEAKY.proved()
def linear_below_zero(given: Given) -> Theorem:
    """The leak is at most 1, so that the larger one is the leak times the argument."""
    return given.follows()


ENVELOPE = Hypothesis(
    "linear_envelope",
    "the nonlinearity has a linear envelope, as Theorem 3 assumes",
    formula=le(Abs(nonlinearity_value), envelope_constant + envelope_slope * Abs(any_score)),
)

BOUNDS = claim(
    "inf.assumptions.bounds",
    at=_AT,
    title="ReLU, leaky ReLU, softmax and what has a linear envelope are bounded by polynomials",
    states={
        "ReLU": le(Abs(Max(any_score, leak * any_score)), Abs(any_score)),
        "softmax": both(
            ge(exp(any_score) / (exp(any_score) + other_weights), 0),
            le(exp(any_score) / (exp(any_score) + other_weights), 1),
        ),
        "linear envelope": le(
            Abs(nonlinearity_value), Max(envelope_constant, envelope_slope) * (1 + Abs(any_score))
        ),
    },
    assuming=ENVELOPE,
    note=_NOTE,
)


@BOUNDS.proved("ReLU", "linear envelope")
def by_the_kernel(given: Given) -> Theorem:
    """Two cases for the sign of the score, or for the larger coefficient."""
    return given.follows()


@BOUNDS.proved("softmax")
def one_of_several_exponentials(given: Given) -> Theorem:
    """An exponential is positive, and at most the sum of all."""
    return given.follows()

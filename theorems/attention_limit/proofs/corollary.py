"""Appendix D.2: from averages over coordinates to one coordinate."""

from typing import Any

from sympy import Max, Min, Piecewise

from theorems.attention_limit.letters.convergence import bound, x_value
from theorems.attention_limit.letters.table import claim
from theorems.engine import Choice, Given, Obligations, Severity, eq, gt, le, lt, sentence
from theorems.engine.rules import Theorem

_NOTE = "proofs_notes/attn_proofs.md#the-truncation"
_AT = "Appendix D.2"
_TRUNCATED = Max(-bound, Min(x_value, bound))


def _one_if(event: Any) -> Any:
    return Piecewise((1, event), (0, True))


def _inside() -> Any:
    return Piecewise((1, (x_value >= -bound) & (x_value <= bound)), (0, True))


PRINTED = claim(
    "attn.cor32.proof",
    at=_AT,
    title="The function by three indicators is the truncation at a bound",
    states=sentence(
        r"-$bound \mathbf{1}\{$x_value < -$bound\}"
        r" + $x_value \mathbf{1}\{$x_value \in [-$bound, $bound]\}"
        r" + $bound \mathbf{1}\{$x_value $third $bound\}"
        r" = \max(-$bound, \min($x_value, $bound))",
        third=Choice(r"\ge", "closed"),
    ),
    note=_NOTE,
)


@PRINTED.refuted(severity=Severity.SLIP, controls={"an open end": {"third": Choice(">", "open")}})
def at_the_bound(third: str) -> Obligations:
    """At x = C both the second and the third indicator are 1: the value is 2C."""
    value = x_value + bound * (1 if third == "closed" else 0)
    yield "the value at the end", bool(value.subs(x_value, bound) != bound)


CORRECTED = PRINTED.corrected(
    "attn.cor32.proof.corrected",
    title="With the third indicator open the function is the truncation, and is bounded",
    states={
        "truncation": eq(
            -bound * _one_if(lt(x_value, -bound)) + x_value * _inside() + bound * _one_if(gt(x_value, bound)),
            _TRUNCATED,
        ),
        "bounded": le(abs(_TRUNCATED), bound),
    },
    note=_NOTE,
)


@CORRECTED.proved("truncation", "bounded")
def three_cases(given: Given) -> Theorem:
    """Below, between and above the bounds."""
    return given.follows()

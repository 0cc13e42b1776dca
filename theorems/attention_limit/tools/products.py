"""Lemma C.4: the product of two numbers is pseudo-Lipschitz."""

from sympy import Abs, sqrt

from theorems.attention_limit.letters.table import claim
from theorems.attention_limit.letters.tools import x, x_other, y, y_other
from theorems.engine import Given, le
from theorems.engine.rules import Theorem

_DISTANCE = sqrt((x - x_other) ** 2 + (y - y_other) ** 2)

STEP = claim(
    "attn.lemC4.step",
    at="Lemma C.4, proof",
    title="Products differ by at most the distance of their factors times two of these",
    states=le(Abs(x * y - x_other * y_other), _DISTANCE * (Abs(x) + Abs(y_other))),
    given=[x, y, x_other, y_other],
)


@STEP.proved()
def one_factor_at_a_time(given: Given) -> Theorem:
    """x y - x' y' = x (y - y') + (x - x') y', and each difference is at most the distance."""
    return given.follows()

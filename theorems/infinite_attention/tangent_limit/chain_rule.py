"""Equation (21): what the layer's own parameters contribute, and those of the layers below."""

from theorems.engine import Given, eq
from theorems.engine.rules import Operator, Theorem, act, inner
from theorems.infinite_attention.letters.gradients import (
    own_a,
    own_b,
    tangent_operator,
    tangent_product,
    through_a,
    through_b,
)
from theorems.infinite_attention.letters.table import claim

SPLIT = claim(
    "inf.eq21",
    at="Equation (21)",
    title="The tangent kernel is a direct part and one through the layer's input",
    states=eq(
        tangent_product, inner(own_a, own_b) + inner(through_a, act(tangent_operator, through_b))
    ),
    given=[tangent_product, own_a, own_b, through_a, through_b, tangent_operator],
)
_jacobian_a, _jacobian_b = Operator("jacobian_a"), Operator("jacobian_b")


@SPLIT.proved()
def parameters_of_two_kinds(given: Given) -> Theorem:
    """Derivatives by own parameters and by those below are orthogonal; the latter are a chain."""
    below_a, below_b = act(_jacobian_a, through_a), act(_jacobian_b, through_b)
    whole = given.meaning(
        "derivatives by all parameters, by the chain rule",
        eq(tangent_product, inner(own_a + below_a, own_b + below_b)),
        eq(inner(own_a, below_b), 0),
        eq(inner(own_b, below_a), 0),
    )
    kernel = given.meaning(
        "the tangent kernel of the input, the product of both Jacobians",
        eq(inner(below_a, below_b), inner(through_a, act(tangent_operator, through_b))),
    )
    return given.follows(whole, kernel)

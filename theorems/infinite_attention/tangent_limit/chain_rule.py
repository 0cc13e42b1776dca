"""Equation (21): what the layer's own parameters contribute, and those of the layers below."""

from sympy import Expr, Function, Integer, Reals, Symbol

from theorems.engine import Given, Hypothesis, eq, rules
from theorems.engine.rules import Operator, Theorem, Vector, act, inner
from theorems.engine.rules.vocabulary import derivative, operators, vectors
from theorems.infinite_attention.letters.gradients import (
    own_a,
    own_b,
    tangent_operator,
    tangent_product,
    through_a,
    through_b,
)
from theorems.infinite_attention.letters.table import claim

DIFFERENTIABLE_LAYER = Hypothesis(
    "differentiable_layer",
    "the layer's input is a differentiable function of the parameters below, and an output one of"
    " the input: along a differentiable path of inputs its derivative is the inner product of the"
    " derivative by the input and the velocity of the path",
)

SPLIT = claim(
    "inf.eq21",
    at="Equation (21)",
    title="The tangent kernel is a direct part and one through the layer's input",
    states=eq(tangent_product, inner(own_a, own_b) + inner(through_a, act(tangent_operator, through_b))),
    assuming=DIFFERENTIABLE_LAYER,
)

_t = Symbol("t", real=True)
#: Derivatives of outputs by the parameters below, and Jacobians of the input with their adjoints.
_BELOW = {"a": Vector("below_a"), "b": Vector("below_b")}
_JACOBIAN = {"a": Operator("jacobian_a"), "b": Operator("jacobian_b")}
_ADJOINT = {"a": Operator("jacobian_a_star"), "b": Operator("jacobian_b_star")}
_THROUGH = {"a": through_a, "b": through_b}


@SPLIT.proved()
def parameters_of_two_kinds(given: Given) -> Theorem:
    """Of the derivative by all parameters, that by those below is the image under Jᵀ.

    Along two lines: ⟨∂f_a, ∂f_b⟩ = ⟨∂_g f_a, J_a ∂f_b⟩, and ⟨∂f_b, J_aᵀ ∂_g f_a⟩.
    """
    pulled = act(_ADJOINT["a"], through_a)
    whole = given.meaning(
        "derivatives by all parameters, those of the layer and those below",
        eq(tangent_product, inner(own_a, own_b) + inner(_BELOW["a"], _BELOW["b"])),
    )
    direction = act(_ADJOINT["b"], through_b)
    kernel = given.meaning(
        "(27), a Jacobian times the transposed of the other one",
        eq(
            inner(through_a, act(tangent_operator, through_b)),
            inner(through_a, act(_JACOBIAN["a"], direction)),
        ),
    )
    first = _along_a_line(given, "a", _BELOW["b"])
    second = _along_a_line(given, "b", pulled)
    return given.follows(whole, kernel, _turned(given, "a", direction), *first, *second)


def _turned(given: Given, output: str, direction: Expr) -> Theorem:
    """The transposed Jacobian on the other side of an inner product."""
    J, v = _JACOBIAN[output], _THROUGH[output]
    return given.meaning(
        f"the transposed matrix of {J}",
        eq(inner(v, act(J, direction)), inner(act(_ADJOINT[output], v), direction)),
    )


def _along_a_line(given: Given, output: str, direction: Expr) -> list[Theorem]:
    """⟨∂f, v⟩ = ⟨∂_g f, Jv⟩ = ⟨Jᵀ∂_g f, v⟩: both are the derivative of the output along θ + tv."""
    value = Function(f"output {output}", real=True)
    below, through = (vectors(f"{kind} {output} on the line") for kind in ("below", "through"))
    jacobian = operators(f"jacobian {output} on the line")
    gradient = given.meaning(
        f"the derivative by the parameters below, of {value} on a line",
        derivative(inner(below(_t), direction), value(_t), _t, Reals),
    )
    chain = given.supposed(
        DIFFERENTIABLE_LAYER,
        derivative(inner(through(_t), act(jacobian(_t), direction)), value(_t), _t, Reals),
    )
    same = rules.equal_rates(gradient, chain)
    J, v = _JACOBIAN[output], _THROUGH[output]
    here = given.meaning(
        f"derivatives of {value} where the network is",
        eq(inner(below(0), direction), inner(_BELOW[output], direction)),
        eq(inner(through(0), act(jacobian(0), direction)), inner(v, act(J, direction))),
    )
    return [given.substituted(same, {_t: Integer(0)}), here, _turned(given, output, direction)]

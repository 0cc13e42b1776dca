"""Equation (1): the recursion of Jacobians, and what it means at a kink."""

from functools import cache
from itertools import pairwise
from typing import Any

from sympy import Abs, Integer, Limit, Symbol, expand, sign, symbols, sympify

from symbolic.derivation import Derivation, Step
from symbolic.equality import equal
from symbolic.networks.jacobian import differentiated_jacobian, recursive_jacobian
from symbolic.networks.mlp import ExactMLP, LinearPiece
from theorems.engine import Choice, Given, Obligations, Provenance, eq, integers, rules, sentence
from theorems.engine.rules import Theorem
from theorems.engine.statements.values import unfolded
from theorems.eoc_mlp.hypotheses import DERIVATIVE_AT_ZERO
from theorems.eoc_mlp.letters import a, b, claim, l, m, number_in, number_out, phi
from theorems.eoc_mlp.sampling.exact_networks import EXAMPLES

_NOTE = "proofs_notes/eoc_networks.md"
_SIZES = {l: integers(2), m: integers(1)}


def _blocks(own: str) -> str:
    return rf"\bigl[A_k D_{{x'_k}}\,\partial N_{{k-1}} \quad {own}M_{{x_k, m_k}}\bigr]"


def _last(scale: str) -> str:
    return rf"{scale}\bigl[A_l D_{{x'_l}}\,\partial N_{{l-1}} \quad M_{{x_l, m_l}}\bigr]"


EQUATION_1 = claim(
    "eoc.eq1",
    at="Equation (1); before Equation (1)",
    title="The Jacobian recursion",
    states={
        "hidden layers": sentence(
            r"\partial N_k = $m^{q_k/$two}$blocks, \quad k < $l", two=2, blocks=Choice(_blocks(""), 1)
        ),
        "last layer": sentence(r"\partial N = $blocks", blocks=Choice(_last(""), 0)),
    },
    assuming=[DERIVATIVE_AT_ZERO],
    rests_on=["eoc.def2", "eoc.sec2.multiplier"],
    note=f"{_NOTE}#convention-at-kinks",
)
_CHAIN_RULE = (
    "x_k = D_{x'_k}N_{k-1} to first order, by the derivative of φ, so that each layer adds one"
    " factor; letters that do not commute stand for matrices of every size."
)


@EQUATION_1.argued(
    "hidden layers",
    bridge=_CHAIN_RULE,
    uses=[DERIVATIVE_AT_ZERO],
    over=_SIZES,
    controls={"twice": {"blocks": Choice(_blocks("2"), 2)}, "forgotten": {"blocks": Choice(_blocks("0"), 0)}},
)
def product_rule(two: Any, blocks: Any) -> Obligations:
    """The linear part of m^(q_k/2) A x_k in letters that do not commute."""
    h, factor = symbols("h c")
    A, change, D, below, x = symbols("A A' D n' x", commutative=False)
    moved = expand(factor * (A + h * change) * (x + h * D * below))
    linear = expand(factor * (A * D * below + blocks * change * x))
    yield "A D dN + A' x is the linear part", moved.coeff(h, 1).equals(linear)
    piece, _ = _generic_piece((1, 1, 1))
    for k in (1, 2):
        scale = Integer(piece.m) ** (piece.q[k - 1] / sympify(two))
        yield f"factor of layer {k}", equal(piece.scale(k), scale)


_SCALED_OUTPUT = {"scaled_output": {"blocks": Choice(_last("m^{q_l/2}"), 1)}}


@EQUATION_1.argued(
    "last layer", bridge=_CHAIN_RULE, uses=[DERIVATIVE_AT_ZERO], over=_SIZES, controls=_SCALED_OUTPUT
)
def letters_for_slopes(blocks: Any) -> Obligations:
    """All sign patterns at once: φ' and all entries are letters, and SymPy differentiates."""
    for widths in ((1, 1, 1), (2, 3, 2), (1, 2, 1, 2)):
        piece, x = _generic_piece(widths)
        factor = piece.scale(piece.depth) ** blocks
        difference = differentiated_jacobian(piece, x) - factor * recursive_jacobian(piece, x)
        yield f"widths {widths}", bool(difference.applyfunc(expand).is_zero_matrix)


def _generic_piece(widths: tuple[int, ...]) -> tuple[LinearPiece, list[Any]]:
    def entry(k: int, i: int, j: int) -> Any:
        return Symbol(f"A{k}_{i}_{j}", real=True)

    layers = [
        [[entry(k, i, j) for j in range(width)] for i in range(height)]
        for k, (width, height) in enumerate(pairwise(widths), start=1)
    ]
    q = tuple(Symbol(f"q{k}", real=True) for k in range(1, len(widths)))
    x = [Symbol(f"x{i}", real=True) for i in range(widths[0])]
    return LinearPiece(layers, a=1, b=1, q=q, m=3), x


@EQUATION_1.argued(
    "last layer",
    bridge="The networks are examples of any depth and width, a dead layer among them.",
    uses=[DERIVATIVE_AT_ZERO],
    over=_SIZES,
    controls=_SCALED_OUTPUT,
)
def exact_networks(blocks: Any) -> Obligations:
    """SymPy differentiates as + b|s| itself, entry by entry; a dead layer is among the networks."""
    for number, (mlp, *inputs) in enumerate(EXAMPLES, start=1):
        factor = mlp.scale(mlp.depth) ** blocks
        for x in inputs:
            difference = differentiated(mlp, x) - factor * recursive_jacobian(mlp, x)
            yield f"network {number}", bool(difference.applyfunc(expand).is_zero_matrix)


@cache
def differentiated(mlp: ExactMLP, x: tuple[Any, ...]) -> Any:
    """The Jacobian of an exact network, by SymPy; computed once."""
    return differentiated_jacobian(mlp, x)


_h = Symbol("h", real=True)


def _one_sided(side: str) -> Any:
    """The derivative of A_2 φ(A_1 x) in A_1 at 0, from the right (+) or from the left (-)."""
    return Limit(number_out * phi(_h * number_in, a, b) / _h, _h, 0, side)


_SIDES = {
    "from the right": eq(_one_sided("+"), number_out * number_in * (a + b * sign(number_in))),
    "from the left": eq(_one_sided("-"), number_out * number_in * (a - b * sign(number_in))),
    "jump": eq(_one_sided("+") - _one_sided("-"), 2 * number_out * b * Abs(number_in)),
}

KINK = claim(
    "eoc.eq1.kink",
    at="Equation (1)",
    # In the middle, A_2 x a, lies what (1) has there by the convention φ'(0) = a.
    title="Two layers of width 1 are not differentiable in the first at zero, unless A_2 b x = 0",
    states=_SIDES,
    provenance=Provenance.DERIVED,
    note=f"{_NOTE}#convention-at-kinks",
)


@KINK.proved("from the right", "from the left", "jump")
def one_sided_derivatives(given: Given) -> Theorem:
    """Difference quotients of A_2 φ(h x) from the right and from the left are constant."""
    return given.follows(*map(_limit, "+-"), goal=unfolded(_SIDES[given.part]))


def _limit(side: str) -> Theorem:
    jump = b * Abs(number_in) if side == "+" else -b * Abs(number_in)
    chain = Derivation(
        title=f"The one-sided derivative in the first layer, {side}",
        name=rf"\partial_{{A_1}}^{{{side}}} N(x, \theta)",
        start=unfolded(_one_sided(side)),
        steps=[Step(number_out * (a * number_in + jump), "the quotient is constant")],
    )
    return rules.derived(chain)

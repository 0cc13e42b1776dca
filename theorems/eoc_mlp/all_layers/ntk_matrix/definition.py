"""Definition 20: the matrix of the tangent kernel over a data set, a Gram matrix."""

from typing import Any

from sympy import BlockMatrix, Integer, Matrix, Rational, expand, sympify

from symbolic.equality import equal
from symbolic.networks.jacobian import recursive_jacobian
from symbolic.networks.mlp import ExactMLP
from symbolic.networks.ntk import ntk
from theorems.engine import (
    Choice,
    Given,
    Obligations,
    Provenance,
    Severity,
    eq,
    ge,
    integers,
    sentence,
)
from theorems.engine.rules import Operator, Theorem, Vector, act, facts, inner, norm
from theorems.eoc_mlp.hypotheses import DERIVATIVE_AT_ZERO, NOT_BOTH_ZERO
from theorems.eoc_mlp.letters import J_theta, K_matrix, claim, m_l, n, y_any, z_any
from theorems.eoc_mlp.letters.table import operator
from theorems.eoc_mlp.premises.substitutions import as_it_stands
from theorems.eoc_mlp.sampling.exact_networks import EXAMPLES

NOTE = "proofs_notes/eoc_networks.md#spaces"
ROWS_OF_ONE = Choice("m_l", False)  # the value is whether there are as many for every input
ROWS_OF_ALL = Choice("n m_l", True)
SIZES = {n: integers(1), m_l: integers(1)}

K_operator = operator("K_operator", r"K(\theta)", "tangent kernel matrix as an operator")
J_adjoint = operator("J_adjoint", r"J(\theta)^*", "adjoint of the Jacobians of all inputs")

SPACE = claim(
    "eoc.def20",
    at="Definition 20",
    title="Space of the NTK matrix",
    states=sentence(
        r"$K_matrix = \bigl[K_\theta(x_{i_1}, x_{i_2})/$n\bigr] \in \mathbb{S}_+^{$rows}, \quad"
        r" $J_theta = \bigl[\partial_\theta N(x_i, \theta)/\sqrt{$n}\bigr]"
        r" \in \mathcal{L}(\Theta, \mathbb{R}^{$rows})",
        rows=ROWS_OF_ONE,
    ),
    given=[K_matrix, J_theta, n],
    note=NOTE,
    provenance=Provenance.EXTRACTED,
)


def _blocks(mlp: ExactMLP, inputs: Any) -> Matrix:
    """The NTK matrix from formula (2), block by block."""
    count = len(inputs)
    rows = [[Matrix(ntk(mlp, x, y)) / count for y in inputs] for x in inputs]
    return Matrix(BlockMatrix(rows).as_explicit())


@SPACE.refuted(severity=Severity.SLIP, controls={"put_right": {"rows": ROWS_OF_ALL}})
def two_inputs(rows: bool) -> Obligations:
    """With n = 2 inputs and m_l outputs the matrix has 2 m_l rows."""
    for mlp, *inputs in EXAMPLES:
        found, outputs = _blocks(mlp, inputs).rows, mlp.widths[-1]
        stated_rows = len(inputs) * outputs if rows else outputs
        yield f"{found} rows are not {stated_rows}", bool(found != stated_rows)


MATRIX = SPACE.corrected(
    "eoc.def20.corrected",
    title="The NTK matrix is a Gram matrix of n m_l rows",
    states={
        "product of Jacobians": sentence(
            r"$J_theta = \bigl[$n^{$power}\partial_\theta N(x_i, \theta)\bigr] \implies"
            r" $K_matrix = $J_theta $J_theta^* \text{ has } $rows \text{ rows}",
            power=Rational(-1, 2),
            rows=n * m_l,
        ),
        "symmetric": eq(inner(z_any, act(K_operator, y_any)), inner(act(K_operator, z_any), y_any)),
        "positive semidefinite": [
            eq(inner(y_any, act(K_operator, y_any)), norm(act(J_adjoint, y_any)) ** 2),
            ge(norm(act(J_adjoint, y_any)) ** 2, 0),
        ],
    },
    given=[K_matrix, J_theta, K_operator, J_adjoint, y_any, z_any, n, m_l],
    rests_on=["eoc.prop6", "eoc.def4.adjoint"],
    discharging={
        DERIVATIVE_AT_ZERO: "the kernel is that of (2), where the derivative at zero is a",
        NOT_BOTH_ZERO: "the weights of the network have the standard deviation σ",
    },
    note=NOTE,
)


@MATRIX.argued(
    "product of Jacobians",
    bridge="A block of the product is that of two Jacobians, for any number of inputs and any"
    " network; the networks are examples.",
    over=SIZES,
)
def exact_blocks(power: Any, rows: Any) -> Obligations:
    """Formula (2) in blocks over n against the product of the stacked Jacobians."""
    for number, (mlp, *inputs) in enumerate(EXAMPLES, start=1):
        three = [*inputs, tuple(2 * c + 1 for c in inputs[0])]
        jacobians = (Matrix(recursive_jacobian(mlp, x)) for x in three)
        J = Integer(len(three)) ** sympify(power) * Matrix.vstack(*jacobians)
        K = _blocks(mlp, three)
        difference = (J * J.T - K).applyfunc(expand)
        yield f"network {number}", bool(difference.is_zero_matrix)
        counted = sympify(rows).subs({n: len(three), m_l: mlp.widths[-1]})
        yield f"rows of network {number}", equal(counted, Integer(K.rows))


@MATRIX.proved("symmetric", "positive semidefinite")
def square_of_the_adjoint(given: Given) -> Theorem:
    """⟨z, JJ*y⟩ = ⟨J*z, J*y⟩ for all vectors."""
    J, p, q = Operator("J"), Vector("p"), Vector("q")
    below = act(J_adjoint, q)
    product = given.meaning(
        "K = JJ* by the first part, and J* is the adjoint of J,",
        eq(inner(p, act(K_operator, q)), inner(p, act(J, below))),
        eq(inner(p, act(J, below)), inner(act(J_adjoint, p), below)),
    )
    pairs = ((z_any, y_any), (y_any, z_any), (y_any, y_any))
    forms = [given.substituted(product, {p: x, q: y}) for x, y in pairs]
    positive = facts.positive_definite(act(J_adjoint, y_any))
    return given.follows(*forms, positive, goal=as_it_stands(MATRIX, given.part))

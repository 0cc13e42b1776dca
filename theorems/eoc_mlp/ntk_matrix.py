"""Section 3.3: the NTK matrix, Definition 20, and its normalisation, Remark 21."""

from __future__ import annotations

from typing import Any

import sympy as sp
from sympy import Rational, Symbol

from symbolic.equality import equal
from symbolic.networks.jacobian import recursive_jacobian
from symbolic.networks.mlp import ExactMLP
from symbolic.networks.ntk import ntk
from theorems.engine import (
    Choice,
    Given,
    Kind,
    Obligations,
    Provenance,
    Severity,
    claims_in,
    eq,
    ge,
    integers,
    rules,
    sentence,
)
from theorems.engine.rules import Operator, Theorem, Vector, act, facts, inner, norm
from theorems.eoc_mlp.exact_networks import EXAMPLES
from theorems.eoc_mlp.hypotheses import DERIVATIVE_AT_ZERO, DISTINCT, NOT_BOTH_ZERO
from theorems.eoc_mlp.letters import LETTERS, J_theta, K_matrix, m_l, mu, n, y_any, z_any
from theorems.eoc_mlp.said import ranges, said, stated

claim = claims_in(LETTERS)
_NOTE = "proofs_notes/eoc_networks.md#spaces"
_DEFINITION_20 = "Definition 20"
_ROWS_OF_ONE = Choice("m_l", False)  # the value is whether there are as many for every input
_ROWS_OF_ALL = Choice("n m_l", True)
_SIZES = {n: integers(1), m_l: integers(1)}

K_operator = LETTERS.thing(
    Operator("K_operator"), r"K(\theta)", "tangent kernel matrix as an operator", Kind.MATRIX
)
J_adjoint = LETTERS.thing(
    Operator("J_adjoint"), r"J(\theta)^*", "adjoint of the Jacobians of all inputs", Kind.MATRIX
)

SPACE = claim(
    "eoc.def20",
    at=_DEFINITION_20,
    title="Space of the NTK matrix",
    states=sentence(
        r"$K_matrix = \bigl[K_\theta(x_{i_1}, x_{i_2})/$n\bigr] \in \mathbb{S}_+^{$rows}, \quad"
        r" $J_theta = \bigl[\partial_\theta N(x_i, \theta)/\sqrt{$n}\bigr]"
        r" \in \mathcal{L}(\Theta, \mathbb{R}^{$rows})",
        rows=_ROWS_OF_ONE,
    ),
    given=[K_matrix, J_theta, n],
    note=_NOTE,
    provenance=Provenance.EXTRACTED,
)


def _blocks(mlp: ExactMLP, inputs: Any) -> sp.Matrix:
    """The NTK matrix from formula (2), block by block."""
    count = len(inputs)
    rows = [[sp.Matrix(ntk(mlp, x, y)) / count for y in inputs] for x in inputs]
    return sp.Matrix(sp.BlockMatrix(rows).as_explicit())


@SPACE.refuted(severity=Severity.SLIP, controls={"put_right": {"rows": _ROWS_OF_ALL}})
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
        NOT_BOTH_ZERO: "the weights of the network have the standard deviation sigma",
    },
    note=_NOTE,
)


@MATRIX.argued(
    "product of Jacobians",
    bridge="A block of the product is that of two Jacobians, for any number of inputs and any"
    " network; the networks are examples.",
    over=_SIZES,
)
def exact_blocks(power: Any, rows: Any) -> Obligations:
    """Formula (2) in blocks over n against the product of the stacked Jacobians."""
    for number, (mlp, *inputs) in enumerate(EXAMPLES, start=1):
        three = [*inputs, tuple(2 * c + 1 for c in inputs[0])]
        jacobians = (sp.Matrix(recursive_jacobian(mlp, x)) for x in three)
        J = sp.Integer(len(three)) ** sp.sympify(power) * sp.Matrix.vstack(*jacobians)
        K = _blocks(mlp, three)
        difference = (J * J.T - K).applyfunc(sp.expand)
        yield f"network {number}", bool(difference.is_zero_matrix)
        counted = sp.sympify(rows).subs({n: len(three), m_l: mlp.widths[-1]})
        yield f"rows of network {number}", equal(counted, sp.Integer(K.rows))


@MATRIX.proved("symmetric", "positive semidefinite")
def square_of_the_adjoint(given: Given) -> Theorem:
    """⟨z, JJ*y⟩ = ⟨J*z, J*y⟩ for all vectors."""
    p, q = Vector("p"), Vector("q")
    product = said(
        "K = JJ* by the first part, and J* is the adjoint of J",
        eq(inner(p, act(K_operator, q)), inner(act(J_adjoint, p), act(J_adjoint, q))),
    )
    pairs = ((z_any, y_any), (y_any, z_any), (y_any, y_any))
    forms = [rules.instance(product, {p: x, q: y}, over=ranges(x, y)) for x, y in pairs]
    return given.follows(
        *forms, facts.positive_definite(act(J_adjoint, y_any)), goal=stated(MATRIX, given.part)
    )


def _space(rows: Choice) -> Choice:
    """What the functions are said to be like."""
    return Choice(
        rf"L^2(\mu, \mathbb{{R}}^{{m_l}}) \cong \mathbb{{R}}^{{{rows.latex}}}", rows.value
    )


OPERATOR = claim(
    "eoc.rem21",
    at="Remark 21",
    title="Space of the NTK as an integral operator",
    states=sentence(
        r"$mu = \sum_{i \in [1:$n]}\delta_{x_i}/$n \implies $isometric",
        isometric=_space(_ROWS_OF_ONE),
    ),
    given=[mu, n],
    assuming=[DISTINCT],
    note=_NOTE,
    provenance=Provenance.EXTRACTED,
)


@OPERATOR.refuted(
    severity=Severity.SLIP, controls={"put_right": {"isometric": _space(_ROWS_OF_ALL)}}
)
def two_points(isometric: bool) -> Obligations:
    """Functions on two points with values in ℝ form a plane: the values are free."""
    points, outputs = (1, 2), 1
    values = sp.Matrix([[int(point == place) for point in points] for place in points])
    dimension = len(points) * outputs if isometric else outputs
    yield f"dimension is not {dimension}", bool(values.rank() != dimension)


INTEGRAL = OPERATOR.corrected(
    "eoc.rem21.corrected",
    title="The integral operator has the NTK matrix in an isometry with n m_l entries",
    states={
        "isometry": sentence(
            r"f \mapsto $n^{$power}[f(x_i)]_i \text{ is an isometry of }"
            r" L^{$square}($mu, \mathbb{R}^{m_l}) \text{ onto } \mathbb{R}^{$rows}",
            power=Rational(-1, 2),
            square=2,
            rows=n * m_l,
        ),
        "matrix of the operator": sentence(
            r"f \mapsto \int K_\theta(\cdot, x)f(x)\,d$mu(x) \text{ has the matrix } $K_matrix"
            r" = [K_\theta(x_{i_1}, x_{i_2})/$n^{$weight}]",
            weight=1,
        ),
    },
    given=[mu, K_matrix, n, m_l],
    assuming=[DISTINCT],
    rests_on=[MATRIX],
    note=_NOTE,
)
_ANY_NUMBER = "Integrals over the law are means of the values, for any number of distinct points"


@INTEGRAL.argued("isometry", bridge=f"{_ANY_NUMBER}, which are free.", uses=[DISTINCT], over=_SIZES)
def mean_of_products(power: Any, square: Any, rows: Any) -> Obligations:
    """The mean of f(x_i)g(x_i) against the product of the entries; the mean of |f|^2."""
    for points in (1, 2, 3):
        f, g = (sp.Matrix(sp.symbols(f"{name}1:{points + 1}", real=True)) for name in "fg")
        entries = [sp.Integer(points) ** sp.sympify(power) * one for one in (f, g)]
        mean = sum((p * q for p, q in zip(f, g, strict=True)), sp.Integer(0)) / points
        yield f"n = {points}: products", equal(entries[0].dot(entries[1]), mean)
        size = sum((sp.Abs(p) ** square for p in f), sp.Integer(0)) / points
        yield f"n = {points}: norms", equal(entries[0].dot(entries[0]), size)
        for outputs in (1, 2):
            counted = sp.sympify(rows).subs({n: points, m_l: outputs})
            yield (
                f"{points} values with {outputs} entries",
                equal(counted, sp.Integer(points * outputs)),
            )


@INTEGRAL.argued(
    "matrix of the operator",
    bridge=f"{_ANY_NUMBER}; conjugation by the number in the isometry leaves a matrix as it is.",
    uses=[DISTINCT],
    over=_SIZES,
)
def in_coordinates(weight: Any) -> Obligations:
    """Integrate letters over μ."""
    for points in (1, 2, 3):
        K = sp.Matrix(points, points, lambda i, j: Symbol(f"K{i}{j}", real=True))
        f = sp.Matrix(sp.symbols(f"f1:{points + 1}", real=True))
        integral = K * f / points
        matrix = K / sp.Integer(points) ** sp.sympify(weight)
        yield f"n = {points}", equal(integral, matrix * f)


_EQUAL = Choice("x_1 = x_2", 1)  # the value is what of the kernel there is off the diagonal
_HALF = Choice(r"K_\theta(x_1, x_2) = \tfrac12 K_\theta(x_1, x_1)", Rational(1, 2))

REPEATED = claim(
    "eoc.rem21.repeated",
    at="Remark 21",
    title="Repeated points add eigenvalues zero to the matrix, and none to the operator",
    states=sentence(
        r"\text{for two inputs: } $condition \implies \operatorname{spec} $K_matrix"
        r" = \operatorname{spec} K_\theta(x_1, x_1) \cup \{$eigenvalue\}",
        condition=_EQUAL,
        eigenvalue=0,
    ),
    given=[K_matrix],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@REPEATED.argued(
    bridge="Vectors of these two kinds span the whole space, for any number of outputs.",
    controls={"distinct": {"condition": _HALF}},
)
def sum_and_difference(condition: Any, eigenvalue: Any) -> Obligations:
    """On (v, v) the matrix acts as K(x, x), on (v, -v) as zero."""
    K = sp.Matrix(2, 2, lambda i, j: Symbol(f"K{min(i, j)}{max(i, j)}", real=True))
    v = sp.Matrix(sp.symbols("v1 v2", real=True))
    blocks = sp.BlockMatrix([[K, condition * K], [condition * K, K]]).as_explicit() / 2
    yield "on (v, v)", equal(blocks * sp.Matrix([*v, *v]), sp.Matrix([*(K * v), *(K * v)]))
    difference = sp.Matrix([*v, *(-v)])
    yield "on (v, -v)", equal(blocks * difference, sp.sympify(eigenvalue) * difference)

"""Section 3.3: the NTK matrix, Definition 20, and its normalisation, Remark 21."""

from __future__ import annotations

from typing import Any

import sympy as sp

from symbolic.equality import equal
from symbolic.networks.jacobian import recursive_jacobian
from symbolic.networks.mlp import ExactMLP
from symbolic.networks.ntk import ntk
from theorems.engine import Obligations, Provenance, claim, integers
from theorems.engine.domain import Domain
from theorems.eoc_mlp.exact_networks import EXAMPLES

_GIVEN: dict[str, Domain] = {"n": integers(1), "m_l": integers(1)}
_NOTE = "proofs_notes/eoc_networks.md#spaces"

SPACE = claim(
    "eoc.def20",
    at="Definition 20",
    title="Space of the NTK matrix",
    states=(
        r"K(\theta) = \bigl[\tfrac1n K_\theta(x_{i_1}, x_{i_2})\bigr] \in \mathbb{S}_+^{m_l},"
        r" \quad J(\theta) = \bigl[\tfrac1{\sqrt n}\partial_\theta N(x_i, \theta)\bigr]"
        r" \in \mathcal{L}(\Theta, \mathbb{R}^{m_l})"
    ),
    given=_GIVEN,
    note=_NOTE,
    provenance=Provenance.EXTRACTED,
)


def _blocks(mlp: ExactMLP, inputs: Any) -> sp.Matrix:
    """The NTK matrix from formula (2), block by block."""
    n = len(inputs)
    rows = [[sp.Matrix(ntk(mlp, x, y)) / n for y in inputs] for x in inputs]
    return sp.Matrix(sp.BlockMatrix(rows).as_explicit())


def _stacked(mlp: ExactMLP, inputs: Any, root: bool = True) -> sp.Matrix:
    """The Jacobians of all inputs over √n, one above the other."""
    n = len(inputs)
    weight = 1 / sp.sqrt(n) if root else sp.Rational(1, n)
    return weight * sp.Matrix.vstack(*(sp.Matrix(recursive_jacobian(mlp, x)) for x in inputs))


@SPACE.refuted(controls={"one_input": {"number": 1}, "put_right": {"expected": 2}})
def two_inputs(number: int = 2, expected: int = 1) -> Obligations:
    """With n = 2 inputs and m_l outputs the matrix has 2 m_l rows."""
    for mlp, *inputs in EXAMPLES:
        rows, outputs = _blocks(mlp, inputs[:number]).rows, expected * mlp.widths[-1]
        yield f"{rows} rows are not {outputs}", bool(rows != outputs)


MATRIX = SPACE.corrected(
    "eoc.def20.corrected",
    title="The NTK matrix is a Gram matrix of n m_l rows",
    states=r"K(\theta) = J(\theta)J(\theta)^* \in \mathbb{S}_+^{n m_l}",
    given=_GIVEN,
    rests_on=["eoc.prop6", "eoc.def4.adjoint"],
    note=_NOTE,
)


@MATRIX.proved(controls={"without_root": {"root": False}}, part="product of Jacobians")
def exact_blocks(root: bool = True) -> Obligations:
    """Formula (2) in blocks over n against the product of the stacked Jacobians."""
    for number, (mlp, *inputs) in enumerate(EXAMPLES, start=1):
        three = [*inputs, tuple(2 * c + 1 for c in inputs[0])]
        J = _stacked(mlp, three, root)
        difference = (J * J.T - _blocks(mlp, three)).applyfunc(sp.expand)
        yield f"network {number}", bool(difference.is_zero_matrix)


@MATRIX.proved(controls={"minus": {"sign": -1}}, part="symmetric and positive semidefinite")
def square_of_the_adjoint(sign: int = 1) -> Obligations:
    """⟨y, JJ*y⟩ = ‖J*y‖² and (JJ*)* = JJ* in letters."""
    rows, columns = 2, 3
    J = sp.Matrix(rows, columns, lambda i, j: sp.Symbol(f"J{i}{j}", real=True))
    y = sp.Matrix(sp.symbols("y1 y2", real=True))
    yield "form", equal((y.T * J * J.T * y)[0], sign * (J.T * y).dot(J.T * y))
    yield "symmetry", equal((J * J.T).T, J * J.T)


OPERATOR = claim(
    "eoc.rem21",
    at="Remark 21",
    title="Space of the NTK as an integral operator",
    states=(
        r"\mu = \tfrac1n\sum_{i=1}^n\delta_{x_i} \implies"
        r" L^2(\mu, \mathbb{R}^{m_l}) \cong \mathbb{R}^{m_l}"
    ),
    given=_GIVEN,
    assuming=("the points are distinct",),
    note=_NOTE,
    provenance=Provenance.EXTRACTED,
)


@OPERATOR.refuted(controls={"one_point": {"points": (1,)}, "equal_points": {"points": (1, 1)}})
def two_points(points: tuple[int, ...] = (1, 2)) -> Obligations:
    """Functions on two points with values in ℝ form a plane: the values are free."""
    values = sp.Matrix([[int(point == place) for point in points] for place in sorted(set(points))])
    yield "dimension is not m_l = 1", bool(values.rank() != 1)


INTEGRAL = OPERATOR.corrected(
    "eoc.rem21.corrected",
    title="The integral operator has the NTK matrix in an isometry with n m_l entries",
    states=(
        r"L^2(\mu, \mathbb{R}^{m_l}) \cong \mathbb{R}^{n m_l}, \ f \mapsto n^{-1/2}[f(x_i)]_i,"
        r" \qquad f \mapsto \int K_\theta(\cdot, x)f(x)\,d\mu(x) \ \text{has the matrix } K(\theta)"
    ),
    given=_GIVEN,
    assuming=("the points are distinct",),
    rests_on=[MATRIX],
    note=_NOTE,
)


@INTEGRAL.proved(
    controls={"no_weight": {"weight": 1}, "root": {"weight": lambda n: 1 / sp.sqrt(n)}}
)
def in_coordinates(weight: Any = lambda n: sp.Rational(1, n)) -> Obligations:
    """Integrate letters over μ; conjugation by a number leaves the matrix as it is."""
    for n in (1, 2, 3):
        K = sp.Matrix(n, n, lambda i, j: sp.Symbol(f"K{i}{j}", real=True))
        f, g = (sp.Matrix(sp.symbols(f"{name}1:{n + 1}", real=True)) for name in "fg")
        mass = sp.Rational(1, n)
        integral = mass * K * f
        matrix = (weight(n) if callable(weight) else sp.Integer(weight)) * K
        isometry = 1 / sp.sqrt(n)
        yield f"n = {n}: matrix", equal(isometry * integral, matrix * (isometry * f))
        product = sum((mass * p * q for p, q in zip(f, g, strict=True)), sp.Integer(0))
        yield f"n = {n}: isometry", equal((isometry * f).dot(isometry * g), product)


REPEATED = claim(
    "eoc.rem21.repeated",
    at="Remark 21",
    title="Repeated points add eigenvalues zero to the matrix, and none to the operator",
    states=(
        r"x_1 = x_2 \implies \operatorname{spec} K(\theta)"
        r" = \operatorname{spec} K_\theta(x_1, x_1) \cup \{0\} \quad (n = 2)"
    ),
    given={"m_l": integers(1)},
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@REPEATED.proved(controls={"distinct": {"mixed": sp.Rational(1, 2)}})
def sum_and_difference(mixed: Any = 1) -> Obligations:
    """On (v, v) the matrix acts as K(x, x), on (v, -v) as zero."""
    K = sp.Matrix(2, 2, lambda i, j: sp.Symbol(f"K{min(i, j)}{max(i, j)}", real=True))
    v = sp.Matrix(sp.symbols("v1 v2", real=True))
    blocks = sp.BlockMatrix([[K, mixed * K], [mixed * K, K]]).as_explicit() / 2
    yield "on (v, v)", equal(blocks * sp.Matrix([*v, *v]), sp.Matrix([*(K * v), *(K * v)]))
    yield "on (v, -v)", equal(blocks * sp.Matrix([*v, *(-v)]), sp.zeros(4, 1))

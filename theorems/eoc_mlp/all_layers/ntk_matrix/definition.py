"""Definition 20: the matrix of the tangent kernel over a data set, a Gram matrix."""

from typing import Any

from sympy import BlockMatrix, Expr, Function, Integer, Matrix, Rational, Sum, Symbol, expand, sqrt, sympify

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
    rules,
    sentence,
)
from theorems.engine.rules import Theorem, Vector, act, facts, inner, norm, sums
from theorems.engine.rules.vocabulary import operators, vectors
from theorems.eoc_mlp.hypotheses import DERIVATIVE_AT_ZERO, NOT_BOTH_ZERO
from theorems.eoc_mlp.letters import claim, m_l, n, y_any, z_any
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
        r" \in \mathcal{L}(\Theta, \mathbb{R}^{$outputs})",
        rows=ROWS_OF_ONE,
        outputs=ROWS_OF_ONE,
    ),
    note=NOTE,
    provenance=Provenance.EXTRACTED,
)


def _blocks(mlp: ExactMLP, inputs: Any) -> Matrix:
    """The NTK matrix from formula (2), block by block."""
    count = len(inputs)
    rows = [[Matrix(ntk(mlp, x, y)) / count for y in inputs] for x in inputs]
    return Matrix(BlockMatrix(rows).as_explicit())


@SPACE.refuted(
    severity=Severity.SLIP,
    controls={"kernel_put_right": {"rows": ROWS_OF_ALL}, "jacobian_put_right": {"outputs": ROWS_OF_ALL}},
)
def two_inputs(rows: bool, outputs: bool) -> Obligations:
    """With n = 2 inputs and m_l outputs both matrices have 2 m_l rows."""
    for mlp, *inputs in EXAMPLES:
        J = Matrix.vstack(*(Matrix(recursive_jacobian(mlp, x)) for x in inputs))
        for name, matrix, of_all in (("K", _blocks(mlp, inputs), rows), ("J", J, outputs)):
            stated = mlp.widths[-1] * (len(inputs) if of_all else 1)
            yield f"{matrix.rows} rows of {name} are not {stated}", bool(matrix.rows != stated)


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


@MATRIX.proved("positive semidefinite")
def square_of_the_adjoint(given: Given) -> Theorem:
    """⟨y, Ky⟩ = |J*y|² for all vectors, block by block."""
    form = _form_of_the_kernel(given, y_any, y_any)
    positive = facts.positive_definite(act(J_adjoint, y_any))
    return given.follows(form, positive, goal=as_it_stands(MATRIX, given.part))


@MATRIX.proved("symmetric")
def sums_over_rows_and_columns(given: Given) -> Theorem:
    """n⟨z, Ky⟩ is the sum of the ⟨∂N(x_i)*z_i, ∂N(x_j)*y_j⟩ by rows, and n⟨y, Kz⟩ that by columns."""
    blocks, rows = _rows_of_the_kernel(given, z_any, y_any, _i, _j)
    turned, columns = _rows_of_the_kernel(given, y_any, z_any, _j, _i)
    either = _in_either_order(given, rows, columns)
    return given.follows(blocks, turned, either, goal=as_it_stands(MATRIX, given.part))


_i, _j, _number = (Symbol(name, integer=True, nonnegative=True) for name in ("i", "j", "number"))
_any = Vector("c")
#: The Jacobians of the inputs, and their adjoints.
_jacobian, _adjoint = operators("Jacobian"), operators("adjoint")


def _pulled(p: Vector, at: Symbol) -> Expr:
    """∂N(x_i)*p_i, for the block p_i of a vector."""
    return act(_adjoint(at), vectors(f"block of {p}")(at))


def _rows_of_the_kernel(given: Given, p: Vector, q: Vector, i: Symbol, j: Symbol) -> tuple[Theorem, Theorem]:
    """⟨p, Kq⟩ by rows of blocks ∂N(x_i)∂N(x_j)*/n, and a row as the sum of ⟨∂N(x_i)*p_i, ∂N(x_j)*q_j⟩."""
    left, right, block = _pulled(p, i), _pulled(q, j), vectors(f"block of {p}")(i)
    row = Function(f"row of {p} and {q}", real=True)(i)
    blocks = given.meaning(
        "the blocks of K",
        eq(inner(p, act(K_operator, q)), Sum(row, (i, 0, n - 1)) / n),
        eq(row, Sum(inner(block, act(_jacobian(i), right)), (j, 0, n - 1))),
    )
    adjoint = given.meaning(
        "the adjoint of a Jacobian", eq(inner(block, act(_jacobian(i), _any)), inner(left, _any))
    )
    moved = sums.summed(adjoint.at({_any: right}), j, n)
    return blocks, rules.follows(eq(row, moved.statement.rhs), [blocks, moved], over=blocks.over)


def _form_of_the_kernel(given: Given, p: Vector, q: Vector) -> Theorem:
    """⟨p, Kq⟩ = ⟨J*p, J*q⟩, where J*p is Σ∂N(x_i)*p_i/√n."""
    blocks, rows = _rows_of_the_kernel(given, p, q, _i, _j)
    first, second = (vectors(f"pulled blocks of {one}")(n) for one in (p, q))
    image = given.meaning(
        "J*", eq(inner(act(J_adjoint, p), act(J_adjoint, q)), inner(first / sqrt(n), second / sqrt(n)))
    )
    left, row = _pulled(p, _i), rows.statement.lhs
    along = _inner_with_a_sum(given, q, _j).at({_any: left})
    each = rules.follows(eq(inner(left, second), row), [along, rows], over=rows.over)
    added = sums.summed(each, _i, n)
    whole = _inner_with_a_sum(given, p, _i).at({_any: second})
    goal = eq(inner(p, act(K_operator, q)), inner(act(J_adjoint, p), act(J_adjoint, q)))
    return rules.follows(goal, [blocks, image, added, whole], over=blocks.over)


def _in_either_order(given: Given, rows: Theorem, columns: Theorem) -> Theorem:
    """Σ_i row(i) = Σ_j column(j) of terms f(i, j), by induction on the number of rows."""
    row, (term, (j, _, _)) = rows.statement.lhs, rows.statement.rhs.args
    column, (_, (i, _, _)) = columns.statement.lhs, columns.statement.rhs.args
    partial = Function("sum over the first rows", real=True)
    meant = given.meaning("sums over the first rows", eq(partial(_number, j), Sum(term, (i, 0, _number - 1))))
    start, grown, end = (meant.at({_number: length}) for length in (0, _number + 1, n))
    none = sums.spelled_out(Sum(term, (i, 0, -1)), over=start.over)
    longer = sums.last_term(Sum(term, (i, 0, _number)), over=meant.over)
    more = eq(partial(_number + 1, j), partial(_number, j) + term.xreplace({i: _number}))
    over = {**meant.over, **rows.over}
    known = [
        sums.summed(rules.follows(eq(partial(0, j), 0), [start, none], over=start.over), j, n, over=over),
        sums.summed(rules.follows(more, [meant, grown, longer], over=meant.over), j, n, over=over),
        rows.at({i: _number}),
    ]
    known += [sums.linear(one.statement.rhs, over=over) for one in known[:2] if one.statement.rhs != 0]
    partial_sums = Sum(partial(_number, j), (j, 0, n - 1))
    relation = eq(Sum(row, (i, 0, _number - 1)), partial_sums)
    general = sums.by_recursion(relation, _number, premises=known)
    last = rules.follows(eq(column, partial(n, j)), [columns, end], over=columns.over)
    whole = sums.summed(last, j, n)
    goal = eq(Sum(row, (i, 0, n - 1)), Sum(column, (j, 0, n - 1)))
    return rules.follows(goal, [general.at({_number: n}), whole], over=rows.over)


def _inner_with_a_sum(given: Given, p: Vector, index: Symbol) -> Theorem:
    """⟨c, Σ∂N(x_i)*p_i⟩ is the sum of the inner products."""
    partial = vectors(f"pulled blocks of {p}")
    longer = partial(_number) + _pulled(p, _number)
    sum_of_vectors = given.meaning(
        "a sum of vectors, with one more",
        eq(inner(partial(0), _any), 0),
        eq(inner(partial(_number + 1), _any), inner(longer, _any)),
    )
    products = Sum(inner(_pulled(p, index), _any), (index, 0, _number - 1))
    relation = eq(inner(partial(_number), _any), products)
    whole = sums.by_recursion(relation, _number, premises=[sum_of_vectors])
    return whole.at({_number: n})

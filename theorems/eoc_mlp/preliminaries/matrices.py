"""Section 2: matrices as operators, the right multiplier, tensor products."""

from itertools import product
from math import prod
from typing import Any

from sympy import Integer, Matrix, MatrixSymbol, Symbol, kronecker_product, ones, sympify

from symbolic.equality import equal
from theorems.engine import Choice, Given, Obligations, Provenance, Severity, eq, integers, le, sentence
from theorems.engine.rules import Theorem, facts, inner, norm, sums
from theorems.engine.statements.values import unfolded
from theorems.eoc_mlp.letters import (
    claim,
    columns,
    image_of_tensor,
    image_square,
    image_with_y,
    j,
    matrix_square,
    matrix_with_tensor,
    rows,
    tensor_image_square,
    tensor_square,
    x,
    x1,
    x2,
)
from theorems.eoc_mlp.letters.matrices import component_of_y, index, matrix_row

_AT = "Section 2"
_MULTIPLIERS = "proofs_notes/eoc_networks.md#multipliers-and-tensors"
_SIZES = {rows: integers(1), columns: integers(1)}
_AS_PRINTED, _PUT_RIGHT = Choice("H, G", ("H", "G")), Choice("G, H", ("G", "H"))


def _operators(order: Choice) -> Any:
    return sentence(
        r"G = \mathbb{R}^{$columns}, \ H = \mathbb{R}^{$rows} \implies"
        r" \mathbb{R}^{$rows\times $columns} = \mathcal{L}($order)",
        order=order,
    )


MATRICES = claim(
    "eoc.sec2.matrices",
    at=_AT,
    title="n × m matrices as operators",
    states=_operators(_AS_PRINTED),
    note="proofs_notes/eoc_networks.md#spaces",
    provenance=Provenance.EXTRACTED,
)


@MATRICES.refuted(severity=Severity.SLIP, controls={"put_right": {"order": _PUT_RIGHT}})
def domain_of_a_row(order: Any) -> Obligations:
    """A 1 × 2 matrix cannot be applied to a vector of H, which has one entry."""
    entries = {"G": 2, "H": 1}
    matrix = ones(entries["H"], entries["G"])
    domain, target = (ones(entries[space], 1) for space in order)
    fits = matrix.cols == domain.rows and matrix.rows == target.rows
    yield "a 1 × 2 matrix does not map the one space to the other", not fits


RIGHT_WAY = MATRICES.corrected(
    "eoc.sec2.matrices.corrected",
    title="n × m matrices map m entries to n",
    states=_operators(_PUT_RIGHT),
    note="proofs_notes/eoc_networks.md#spaces",
)


@RIGHT_WAY.argued(
    bridge="A linear map between coordinate spaces is the product with one matrix.",
    over=_SIZES,
    controls={"as_printed": {"order": _AS_PRINTED}},
)
def shape_of_the_product(order: Any) -> Obligations:
    """A x is defined for x with m entries, and has n entries, for symbolic n and m."""
    entries = {"G": columns, "H": rows}
    domain, target = (entries[space] for space in order)
    A, vector = MatrixSymbol("A", rows, columns), MatrixSymbol("x", columns, 1)
    yield "the domain is where A x is defined", bool(vector.shape == (domain, 1))
    yield "the image lies in the target", bool((A * vector).shape == (target, 1))


_NORM = le(image_square(x, rows), norm(x) ** 2 * matrix_square(rows))

MULTIPLIER = claim(
    "eoc.sec2.multiplier",
    at=_AT,
    title="The right multiplier operator, its norm and its adjoint",
    states={
        "norm": _NORM,
        "adjoint": eq(image_with_y(x, rows), matrix_with_tensor(x, rows)),
        "product": eq(image_of_tensor(x1, x2, j), inner(x1, x2) * component_of_y(j)),
    },
)


@MULTIPLIER.proved("norm")
def cauchy_schwarz_in_each_row(given: Given) -> Theorem:
    """An entry of A x is the inner product of a row with x."""
    row = matrix_row(index)
    each = facts.cauchy_schwarz(row, x)
    added = sums.summed(each, index, rows)
    return given.follows(added, sums.linear(added.statement.rhs), goal=unfolded(_NORM))


@MULTIPLIER.proved("adjoint", "product")
def row_by_row(given: Given) -> Theorem:
    """Row j of y ⊗ x is y_j x."""
    return given.follows(goal=unfolded(given.goal))


NORM = MULTIPLIER.sharpened(
    "eoc.sec2.multiplier.norm",
    title="The norm of the right multiplier is the length of the vector",
    states={
        "bound": _NORM,
        "attained": eq(tensor_image_square(x, rows), norm(x) ** 2 * tensor_square(x, rows)),
    },
    rests_on=[MULTIPLIER],
    note=_MULTIPLIERS,
)


@NORM.proved("bound")
def take_over_the_bound(given: Given) -> Theorem:
    """Take the bound over from eoc.sec2.multiplier."""
    return given.fact(MULTIPLIER, "norm")


@NORM.proved("attained")
def attained_by_a_tensor(given: Given) -> Theorem:
    """A = y ⊗ x has ‖A x‖ = ‖y‖‖x‖² = ‖x‖ ‖A‖_F."""
    both_sides = [unfolded(one(x, rows)) for one in (tensor_image_square, tensor_square)]
    return given.follows(*(sums.linear(one) for one in both_sides), goal=unfolded(given.goal))


_LENGTHS = (1, 2, 3)

TENSOR = claim(
    "eoc.sec2.tensor",
    at=_AT,
    title="Tensor powers are positive semidefinite, Kronecker products multiply factor by factor",
    states={
        "positive": sentence(
            r"P = x^{\otimes $factors} \in \mathbb{S}_+^{$rows}, \quad"
            r" \langle y, Py\rangle = \langle x, y\rangle^{$square} \ge $least",
            factors=2,
            square=2,
            least=0,
        ),
        "mixed product": sentence(
            r"(A_1\boxtimes A_2)(C_1\boxtimes C_2) = $factors",
            factors=Choice(r"A_1C_1\boxtimes A_2C_2", "in order"),
        ),
        "adjoint": sentence(
            r"(A_1\boxtimes A_2)^* = $factors", factors=Choice(r"A_1^*\boxtimes A_2^*", "in order")
        ),
    },
    note=_MULTIPLIERS,
)
_ANY_SIZE = "The entries have this form whatever the sizes, which only add terms of the same kind."


_IN_OTHER_ORDER = {"other_order": {"factors": Choice(r"\dots", "in the other order")}}


@TENSOR.argued("positive", bridge=_ANY_SIZE, over={rows: integers(1)})
def quadratic_form(factors: Any, square: Any, least: Any) -> Obligations:
    """⟨y, x^{⊗2}y⟩ = ⟨x, y⟩², which is at least 0, and is 0 for orthogonal vectors."""
    for length in _LENGTHS:
        first, second = _vector("x", length), _vector("y", length)
        form = Integer(0)
        for places in product(range(length), repeat=factors):
            # The first place of an entry of the power is that of a row, the last of a column.
            entry = prod(first[place] for place in places)
            form += second[places[0]] * entry * second[places[-1]]
        yield f"n = {length}", equal(form, first.dot(second) ** square)
    yield "a square", bool((Symbol("s", real=True) ** 2).is_nonnegative)
    yield "least value", equal(form.subs({**_at(first, 0), **_at(second, 1)}), sympify(least))


@TENSOR.argued("mixed product", bridge=_ANY_SIZE, controls=_IN_OTHER_ORDER)
def rectangular_factors(factors: Any) -> Obligations:
    """The product of rectangular Kronecker products, in letters."""
    left, right = _letters("A", 2, 1), _letters("B", 1, 2)
    after, then = _letters("C", 1, 2), _letters("D", 2, 2)
    both_factors = [left * after, right * then][:: 1 if factors == "in order" else -1]
    claimed = _kronecker(*both_factors)
    yield "2 × 1 and 1 × 2", equal(_kronecker(left, right) * _kronecker(after, then), claimed)


@TENSOR.argued("adjoint", bridge=_ANY_SIZE, controls=_IN_OTHER_ORDER)
def transposed_factors(factors: Any) -> Obligations:
    """The adjoint of a Kronecker product of rectangular factors, in letters."""
    left, right = _letters("A", 2, 3), _letters("B", 1, 2)
    both_factors = [left.T, right.T][:: 1 if factors == "in order" else -1]
    yield "2 × 3 and 1 × 2", equal(_kronecker(left, right).T, _kronecker(*both_factors))


def _at(vector: Any, place: int) -> dict[Symbol, int]:
    """The unit vector of a place for a vector in letters."""
    return {one: int(number == place) for number, one in enumerate(vector)}


def _vector(name: str, length: int) -> Any:
    return Matrix([Symbol(f"{name}{i}", real=True) for i in range(length)])


def _letters(name: str, height: int, width: int) -> Any:
    return Matrix(height, width, lambda i, k: Symbol(f"{name}{i}{k}", real=True))


def _kronecker(first: Any, second: Any) -> Any:
    return Matrix(kronecker_product(first, second))

"""Section 2: eigenvalues, row sums, and the norm of a matrix."""

from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import sympy as sp
from hypothesis import strategies as st
from sympy import Abs, Expr, Function, Max, Reals, Sum, Symbol

from numeric.arguments import Floats
from symbolic.equality import equal
from theorems.engine import (
    Choice,
    Given,
    Obligations,
    Provenance,
    Rounded,
    Severity,
    both,
    eq,
    ge,
    gt,
    half_line,
    implies,
    le,
    rules,
    sentence,
)
from theorems.engine.rules import Operator, Theorem, Vector, act, facts, inner, norm, sums
from theorems.engine.rules.facts import singular_vectors
from theorems.engine.rules.vocabulary import opnorm
from theorems.eoc_mlp.hypotheses import SYMMETRIC
from theorems.eoc_mlp.letters import claim, lambda_1, lambda_n, norm_a, row_sum, row_sum_adjoint

_AT = "Section 2"
_NOTE = "proofs_notes/eoc_networks.md#norms-and-eigenvalues"

EIGEN = claim(
    "eoc.sec2.eigen",
    at=_AT,
    title="The largest eigenvalue as the norm",
    states=sentence(
        r"$A_symmetric \in $matrices \implies $lambda_max = $lambda_1 = $norm_a",
        matrices=Choice(r"\mathbb{S}^n", "symmetric"),
    ),
    note=_NOTE,
)


@EIGEN.refuted(
    severity=Severity.SLIP, controls={"semidefinite": {"matrices": Choice(r"\mathbb{S}_+^n", "semidefinite")}}
)
def negative_matrix(matrices: Any) -> Obligations:
    """The 1 × 1 matrix -1: its eigenvalue is -1 and its norm is 1."""
    A = sp.diag(-1)
    largest, largest_square = (max(one.eigenvals()) for one in (A, A.T * A))
    yield "it is one of the matrices", bool(matrices == "symmetric" or A.is_positive_semidefinite)
    yield "largest eigenvalue and norm differ", bool(largest != sp.sqrt(largest_square))


POSITIVE = EIGEN.corrected(
    "eoc.sec2.eigen.corrected",
    title="The norm of a symmetric matrix is its largest absolute eigenvalue",
    states={
        "symmetric": eq(norm_a, Max(lambda_1, -lambda_n)),
        "positive semidefinite": implies(ge(lambda_n, 0), eq(norm_a, lambda_1)),
    },
    assuming=[SYMMETRIC],
    note=_NOTE,
)


@POSITIVE.proved("symmetric", "positive semidefinite")
def singular_vectors_and_eigenvectors(given: Given) -> Theorem:
    """Au = ‖A‖v and Av = ‖A‖u for singular vectors, so that u ± v are eigenvectors, or one is 0."""
    given.require(SYMMETRIC)
    meant = given.meaning("norm_a", eq(norm_a, opnorm(_A)))
    stretched = [_stretched(given, one) for one in (lambda_1, lambda_n)]
    ordered = _extreme(given, _EIGENVECTORS[lambda_n], lambda_n)[0]
    return given.follows(meant, _norm_below_an_eigenvalue(given), *stretched, ordered)


_A = Operator("A")
_number = Symbol("n", integer=True, nonnegative=True)
_PLACE = {"integer": True, "nonnegative": True}
_i = Symbol("i", **_PLACE)
#: Unit vectors that the matrix multiplies by the largest and by the least eigenvalue.
_EIGENVECTORS = {lambda_1: Vector("v_1"), lambda_n: Vector("v_n")}


def _beyond(vector: Expr, value: Expr) -> Expr:
    """Av - λv, which is 0 for an eigenvector."""
    return act(_A, vector) - value * vector


def symmetric(given: Given, u: Expr, v: Expr) -> Theorem:
    """⟨u, Av⟩ = ⟨v, Au⟩ for a symmetric matrix."""
    x, y = Vector("x"), Vector("y")
    law = given.supposed(SYMMETRIC, eq(inner(x, act(_A, y)), inner(y, act(_A, x))))
    return given.substituted(law, {x: u, y: v})


def eigenvector(given: Given, eigenvalue: Symbol) -> tuple[Vector, Theorem]:
    """A unit vector that the symmetric matrix multiplies by this eigenvalue."""
    v = _EIGENVECTORS[eigenvalue]
    said = eq(norm(_beyond(v, eigenvalue)), 0), eq(norm(v), 1)
    return v, given.supposed(SYMMETRIC, *said)


def _stretched(given: Given, eigenvalue: Symbol) -> Theorem:
    """|λ| ≤ ‖A‖, as ‖Av‖ = |λ| for a unit eigenvector v."""
    v, known = eigenvector(given, eigenvalue)
    image, multiple = act(_A, v), eigenvalue * v
    triangle = facts.triangle(multiple - image, image)
    bound = facts.operator_norm(_A, v)
    return rules.follows(le(Abs(eigenvalue), opnorm(_A)), [known, triangle, bound])


def _extreme(given: Given, vector: Expr, value: Expr) -> list[Theorem]:
    """λ_n ≤ λ ≤ λ_1 for each eigenvalue."""
    v, any_value = Vector("eigenvector"), Symbol("eigenvalue", real=True)
    under = [eq(norm(_beyond(v, any_value)), 0), gt(norm(v), 0)]
    above = given.largest("the largest eigenvalue", le(any_value, lambda_1), under=under)
    below = given.least("the least eigenvalue", le(lambda_n, any_value), under=under)
    there = {v: vector, any_value: value}
    conditions = [one.xreplace(there) for one in under]
    return [given.substituted(one, there, under=conditions) for one in (above, below)]


def _norm_below_an_eigenvalue(given: Given) -> Theorem:
    """‖A‖ ≤ max(λ_1, -λ_n)."""
    u, v, z = (Vector(name) for name in "uvz")
    size = opnorm(_A)
    found = singular_vectors(_A, u, v, z)
    first, second = act(_A, u) - size * v, act(_A, v) - size * u
    images = [
        given.substituted(found, {z: v}),
        symmetric(given, u, v),
        *(facts.operator_norm(_A, one) for one in (u, v)),
    ]
    vanish = rules.follows(both(eq(norm(first), 0), eq(norm(second), 0)), images)
    known = [given.substituted(found, {z: v}), *(facts.positive_definite(one) for one in (u + v, u - v))]
    for sign, place in ((1, 0), (-1, 1)):
        sum_, beyond = u + sign * v, _beyond(u + sign * v, sign * size)
        none = rules.follows(eq(norm(beyond), 0), [vanish, facts.triangle(first, sign * second)])
        known += [none, _extreme(given, sum_, sign * size)[place]]
    return rules.follows(le(size, Max(lambda_1, -lambda_n)), known)


@st.composite
def _matrices(draw: st.DrawFn) -> Floats:
    """Square matrices that favour equality: zero, rank one, diagonal, signs, rows of one sign."""
    n, seed = draw(st.sampled_from([3, 1, 2, 4, 5, 6])), draw(st.integers(0, 2**32 - 1))
    rng = np.random.default_rng(seed)
    kind = draw(st.sampled_from(["column", "normal", "signs", "diagonal", "ones", "zero"]))
    if kind == "column":
        return np.outer(np.ones(n), np.eye(n)[0])
    makers: dict[str, Callable[[], Floats]] = {
        "normal": lambda: rng.standard_normal((n, n)),
        "signs": lambda: rng.choice([-1.0, 0.0, 1.0], (n, n)),
        "diagonal": lambda: np.diag(rng.standard_normal(n)),
        "ones": lambda: np.ones((n, n)),
        "zero": lambda: np.zeros((n, n)),
    }
    return np.asarray(makers[kind]())


def _symmetric(A: Floats) -> Floats:
    return (A + A.T) / 2


def _rounded(value: float, A: Floats) -> Rounded:
    """Norms, eigenvalues and row sums carry a backward error of a few n machine epsilons."""
    return Rounded(value, 32 * len(A) * 2.0**-53 * float(np.linalg.norm(A)))


def _norm(A: Floats) -> Rounded:
    return _rounded(float(np.linalg.norm(A, 2)), A)


def _row_sum(A: Floats) -> Rounded:
    return _rounded(float(np.linalg.norm(A, np.inf)), A)


@POSITIVE.tested("symmetric", over=_matrices, cases=100)
def norm_and_eigenvalues(A: Floats) -> dict[Any, Any]:
    """‖A‖ from singular values, λ_1 and λ_n from the symmetric eigenvalue problem."""
    S = _symmetric(A)
    eigenvalues = np.linalg.eigvalsh(S)
    largest, least = (_rounded(float(eigenvalues[place]), S) for place in (-1, 0))
    return {norm_a: _norm(S), lambda_1: largest, lambda_n: least}


GERSHGORIN = claim(
    "eoc.sec2.gershgorin",
    at=_AT,
    title="The norm of a symmetric matrix is at most its largest absolute row sum",
    states=le(norm_a, row_sum),
    assuming=[SYMMETRIC],
    rests_on=[POSITIVE],
    note=_NOTE,
)


@GERSHGORIN.proved()
def largest_entry_of_an_eigenvector(given: Given) -> Theorem:
    """|λ||v_i| = |Σ A_ij v_j| ≤ R|v_i|, where v_i is the largest entry of an eigenvector."""
    given.require(SYMMETRIC)
    circles = [_circle(given, one) for one in (lambda_1, lambda_n)]
    return given.follows(given.fact(POSITIVE, "symmetric"), *circles)


def _circle(given: Given, eigenvalue: Any) -> Theorem:
    """The row of the matrix at the largest entry of an eigenvector."""
    row, vector = Symbol(f"row of {eigenvalue}", **_PLACE), Function(f"v_{eigenvalue}", real=True)
    largest = Symbol(f"largest entry of {vector}", positive=True)
    entry = Function("A", real=True)(row, _i)
    term = entry * vector(_i)
    image = _over_row(term)
    sizes = given.largest(
        "the largest entry of an eigenvector", le(Abs(vector(_i)), largest), under=[_i < _number]
    )
    scaled = given.meaning("an entry of an eigenvector", eq(eigenvalue * vector(row), image))
    there = given.meaning("the place of its largest entry", eq(largest, Abs(vector(row))))
    sums_of_rows = given.largest("the largest absolute row sum", le(_over_row(Abs(entry)), row_sum))
    each = rules.follows(le(Abs(term), largest * Abs(entry)), [sizes], under=sizes.under)
    added = sums.summed(each, _i, _number)
    apart = sums.linear(added.statement.rhs)
    size = sums.by_recursion(le(Abs(image), _over_row(Abs(term))), _number)
    premises = [scaled, there, sums_of_rows, added, apart, size]
    numbers = {eigenvalue: Reals, row_sum: given.domain[row_sum]}
    return rules.follows(le(Abs(eigenvalue), row_sum), premises, over=numbers)


def _over_row(term: Any) -> Any:
    return Sum(term, (_i, 0, _number - 1))


@GERSHGORIN.argued(
    bridge="R‖y‖² ∓ ⟨y, Ay⟩ is Σ (R - r_i) y_i², r_i the row sums, and the sum of the squares here"
    " over the entries of A and pairs of them; none is negative.",
    uses=[SYMMETRIC],
)
def sum_of_squares() -> Obligations:
    """On the diagonal (|A_ii| ∓ A_ii) y_i², and |A_ij| (y_i ∓ s_ij y_j)² off it, s_ij a sign."""
    first, second = sp.symbols("y_i y_j", real=True)
    size = Symbol("p", positive=True)
    for sign, side in product((-1, 1), repeat=2):
        entry = sign * size
        pair = size * (first**2 + second**2) - side * 2 * entry * first * second
        square = size * (first - side * sign * second) ** 2
        yield f"pair, signs {sign}, {side}", equal(pair, square)
        yield f"diagonal, signs {sign}, {side}", bool((size - side * entry).is_nonnegative)


@GERSHGORIN.tested(over=_matrices, cases=100)
def norm_and_row_sum(A: Floats) -> dict[Any, Any]:
    """Equality for matrices of ones and diagonal ones."""
    S = _symmetric(A)
    return {norm_a: _norm(S), row_sum: _row_sum(S)}


ANY_MATRIX = claim(
    "eoc.sec2.gershgorin.any",
    at=_AT,
    title="Without symmetry the row sums alone do not bound the norm",
    states={
        "example": sentence(
            r"A = $matrix: \ \|A\| = $norm > \|A\|_\infty = $largest",
            matrix=sp.ImmutableMatrix([[1, 0], [1, 0]]),
            norm=sp.sqrt(2),
            largest=1,
        ),
        "bound": le(norm_a**2, row_sum * row_sum_adjoint),
    },
    provenance=Provenance.DERIVED,
    note=_NOTE,
    excused={"sign of matrix": "true as well: the norms of -A are those of A"},
)


@ANY_MATRIX.argued("example", bridge="The squared norm is the largest eigenvalue of A*A.")
def two_equal_rows(matrix: Any, norm: Any, largest: Any) -> Obligations:
    """The rows are equal, and A*A has the eigenvalues 2 and 0."""
    yield "largest row sum", bool(matrix.norm(sp.oo) == largest)
    yield "squared norm", bool(max((matrix.T * matrix).eigenvals()) == norm**2)
    yield "and it is not negative", bool(norm > 0)
    yield "the norm is larger", bool(norm > largest)


@ANY_MATRIX.argued(
    "bound",
    bridge="Schur's test: the inequality for each entry is added up over a matrix and two unit"
    " vectors, and holds for every c > 0.",
    over=dict.fromkeys((norm_a, row_sum, row_sum_adjoint), half_line(0)),
)
def schur_test(given: Given) -> Obligations:
    """2|A_ij x_j y_i| ≤ |A_ij|(c y_i² + x_j²/c) for c > 0; the sum is best at c² = C/R."""
    first, second, c, size = sp.symbols("x y c p", positive=True)
    gap = size * (c * second**2 + first**2 / c) - 2 * size * first * second
    yield "each entry", equal(gap, size * (sp.sqrt(c) * second - first / sp.sqrt(c)) ** 2)
    row, column = sp.symbols("R C", positive=True)
    best = sp.sqrt(column / row)
    sizes = {row_sum: row, row_sum_adjoint: column, norm_a: (best * row + column / best) / 2}
    left, right = (side.subs(sizes) for side in given.goal.args)
    yield "c² = C/R gives the bound", equal(left, right)


@ANY_MATRIX.tested("bound", over=_matrices, cases=100)
def norm_and_both_row_sums(A: Floats) -> dict[Any, Any]:
    """Equality for matrices of ones, diagonal ones, and one column of ones."""
    return {norm_a: _norm(A), row_sum: _row_sum(A), row_sum_adjoint: _row_sum(A.T)}

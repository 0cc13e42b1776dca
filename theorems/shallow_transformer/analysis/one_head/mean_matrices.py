"""Means C = E xx' of matrices of rank one, by their entries: their traces and inner products.

Vectors x and y have coordinates that are random variables, independent of each other.
"""

from typing import Any

from sympy import Expr, Symbol, symbols
from sympy.logic.boolalg import Boolean

from theorems.engine import eq, ge, le
from theorems.engine.rules import E, Random, Theorem, Vector, facts, inner, norm, principles
from theorems.engine.rules.vocabulary import independent, randoms
from theorems.shallow_transformer.letters.paper import d
from theorems.shallow_transformer.letters.token import total
from theorems.shallow_transformer.premises.matrices.outer_products import coordinate
from theorems.shallow_transformer.premises.named import ONE_HEAD
from theorems.shallow_transformer.premises.networks import cauchy_schwarz, family
from theorems.shallow_transformer.premises.token_sums import added, linear

_i, _j = symbols("row column", integer=True, positive=True)
#: Values of the coordinates of x and y.
_x, _y = (family(f"coordinate of {name}") for name in "xy")


def nonnegative_product(one: Vector, other: Vector) -> Theorem:
    """⟨C, C'⟩ = E⟨x, y⟩² ≥ 0 for covariances C = E xx' and C' = E yy', x independent of y."""
    form = Random(f"form of {one} and {other}")
    known = _square_of_a_form(one, other, form), facts.expectation_of_square(form)
    return ONE_HEAD.follows(*known, goal=ge(inner(one, other), 0))


def below_its_trace(covariance: Vector, trace: Expr) -> Theorem:
    """‖C‖² = E⟨x, y⟩² ≤ E|x|²|y|² = (tr C)² for C = E xx' and an independent copy y of x."""
    names = ("form", "squared length", "squared length of the copy")
    form, size, copy = (Random(f"{name} of {covariance}") for name in names)
    first, second = _coordinates(covariance, covariance)
    meant = ONE_HEAD.meaning("an independent copy", independent(size, copy))
    lengths = [_mean_square(*one, covariance, trace) for one in ((size, first), (copy, second))]
    product = facts.expectation_of_independent(size, copy)
    larger = _larger(form, (size, copy), (first, second))
    square = _square_of_a_form(covariance, covariance, form)
    known = [meant, *lengths, product, larger, square]
    return ONE_HEAD.follows(*known, goal=le(norm(covariance), trace))


def entry(matrix: Vector) -> Expr:
    """An entry of a matrix."""
    return family(f"entry of {matrix}")(_i, _j)


def _trace(matrix: Vector, trace: Expr) -> Boolean:
    """The trace is the sum of the entries on the diagonal."""
    return eq(trace, total(entry(matrix).subs(_j, _i), _i, d))


def trace_of_a_square(matrix: Vector, one: Vector, other: Vector, trace: Expr) -> Theorem:
    """Tr hh' = |h|² for h = x − y."""
    first, second = (coordinate(one - other, index) for index in (_i, _j))
    pairs = (one, one), (one, other), (other, other)
    meant = ONE_HEAD.meaning(
        "the trace of hh', and inner products by coordinates",
        _trace(matrix, trace),
        *(eq(inner(x, y), total(coordinate(x, _i) * coordinate(y, _i), _i, d)) for x, y in pairs),
    )
    entries = ONE_HEAD.meaning("an entry of hh'", eq(entry(matrix), first * second))
    diagonal = added(ONE_HEAD.substituted(entries, {_j: _i}), _i, d)
    known = [meant, diagonal, linear(diagonal.statement.rhs)]
    return ONE_HEAD.follows(*known, goal=eq(trace, norm(one - other) ** 2))


def _coordinates(one: Vector, other: Vector) -> tuple[Any, Any]:
    """Coordinates of x and of y, where C = E xx' and C' = E yy'."""
    first, second = (randoms(f"{name} of {one} and {other}") for name in ("x", "y"))
    return first, second


def _value(of: Random) -> Symbol:
    return Symbol(f"value of {of}", real=True)


def _length(size: Random, x: Any) -> Theorem:
    return ONE_HEAD.meaning("a squared length by coordinates", eq(_value(size), total(x(_i) ** 2, _i, d)))


def _product(form: Random) -> Theorem:
    return ONE_HEAD.meaning("⟨x, y⟩ by coordinates", eq(_value(form), total(_x(_i) * _y(_i), _i, d)))


def _larger(form: Random, sizes: tuple[Random, Random], drawn: tuple[Any, Any]) -> Theorem:
    """E⟨x, y⟩² ≤ E|x|²|y|², by Cauchy and Schwarz."""
    size, copy = sizes
    known = [_product(form), _length(size, _x), _length(copy, _y), cauchy_schwarz(_x, _y, _i, d)]
    each = ONE_HEAD.follows(*known, goal=le(_value(form) ** 2, _value(size) * _value(copy)))
    values = {_value(one): one for one in (form, size, copy)} | dict(zip((_x, _y), drawn, strict=True))
    return principles.expected_jointly(each, values)


def _mean_square(size: Random, coordinates: Any, covariance: Vector, trace: Expr) -> Theorem:
    """E|x|² = tr C, as |x|² = Σ x_i² and C_ii = E x_i²."""
    mean = principles.expected_jointly(_length(size, _x), {_value(size): size, _x: coordinates})
    meant = ONE_HEAD.meaning("the trace", _trace(covariance, trace))
    product = E(coordinates(_i) * coordinates(_j))
    entries = ONE_HEAD.meaning("a mean of matrices xx', by its entries", eq(product, entry(covariance)))
    diagonal = added(ONE_HEAD.substituted(entries, {_j: _i}), _i, d)
    return ONE_HEAD.follows(mean, meant, diagonal, goal=eq(E(size), trace))


def _square_of_a_form(one: Vector, other: Vector, form: Random) -> Theorem:
    """⟨E xx', E yy'⟩ = E⟨x, y⟩² for x independent of y, as ⟨x, y⟩² = Σ_iΣ_j x_iy_i x_jy_j."""
    row = family(f"row of {one} and {other}")(_i)
    x, y = _coordinates(one, other)
    first, second = x(_i) * x(_j), y(_i) * y(_j)
    meant = ONE_HEAD.meaning(
        "means of matrices xx' and yy', by their entries, and their inner product, row by row",
        *(eq(inner(one, other), total(row, _i, d)), eq(row, total(entry(one) * entry(other), _j, d))),
        *(eq(E(first), entry(one)), eq(E(second), entry(other)), independent(first, second)),
    )
    apart = facts.expectation_of_independent(first, second)
    each = ONE_HEAD.follows(apart, meant, goal=eq(entry(one) * entry(other), E(first * second)))
    rows, squares = _multiplied_out(form, x, y)
    here = ONE_HEAD.follows(added(each, _j, d), meant, rows, goal=eq(row, rows.statement.lhs))
    return ONE_HEAD.follows(added(here, _i, d), meant, squares, goal=eq(inner(one, other), E(form**2)))


def _multiplied_out(form: Random, first: Any, second: Any) -> tuple[Theorem, Theorem]:
    """E x_iy_i⟨x, y⟩ = Σ_j E x_iy_i x_jy_j, and E⟨x, y⟩² = Σ_i E x_iy_i⟨x, y⟩."""
    meant, value, term = _product(form), _value(form), _x(_i) * _y(_i)
    products = (total(term * _x(_j) * _y(_j), _j, d), term * value), (total(term * value, _i, d), value**2)
    drawn = {value: form, _x: first, _y: second}
    found = (ONE_HEAD.follows(meant, linear(sum_), goal=eq(whole, sum_)) for sum_, whole in products)
    rows, squares = (principles.expected_jointly(one, drawn) for one in found)
    return rows, squares

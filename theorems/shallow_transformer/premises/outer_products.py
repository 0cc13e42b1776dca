"""Matrices xyᵀ of rank one, entry by entry: their inner products."""

from typing import Any

from sympy import Expr, Function, Symbol, symbols

from theorems.engine import eq
from theorems.engine.rules import Theorem, inner
from theorems.engine.rules.vocabulary import AppliedVector
from theorems.shallow_transformer.letters.paper import d
from theorems.shallow_transformer.premises.networks import (
    added,
    inferred,
    linear,
    stands_for,
    total,
)

#: Numbers of rows and of columns.
_j, _k = symbols("row column", integer=True, positive=True)
#: The sum over one row of products of entries.
_ROW = Function("sum over a row", real=True)


def _coordinate(vector: Any, index: Symbol) -> Expr:
    """A coordinate of a vector, or of the vectors of a family."""
    family = isinstance(vector, AppliedVector)
    head, at = (vector.func, vector.args) if family else (vector, ())
    return Function(f"coordinate of {head}", real=True)(index, *at)


def product_of_outer_products(
    product: Expr, left: tuple[Any, Any], right: tuple[Any, Any], *at: Symbol
) -> Theorem:
    """⟨xyᵀ, x′y′ᵀ⟩_F = ⟨x, x′⟩⟨y, y′⟩, x and x′ being ``left``, y and y′ ``right``.

    The entries are x_j y_k, and an inner product of matrices is the sum over all entries.  The
    vectors and the product may have indices ``at``.
    """
    first, second = ([_coordinate(one, n) for one in pair] for pair, n in ((left, _j), (right, _k)))
    row, entries = _ROW(_j, *at), total(first[0] * second[0] * first[1] * second[1], _k, d)
    meant = stands_for(
        "matrices of rank one by their entries, row by row, and vectors by their coordinates",
        *(eq(product, total(row, _j, d)), eq(row, entries)),
        eq(inner(*left), total(first[0] * first[1], _j, d)),
        eq(inner(*right), total(second[0] * second[1], _k, d)),
    )
    rows = added(inferred(eq(row, linear(entries).statement.rhs), linear(entries), meant), _j, d)
    known = [meant, rows, linear(rows.statement.rhs)]
    return inferred(eq(product, inner(*left) * inner(*right)), *known)

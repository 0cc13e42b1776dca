"""Matrices xyᵀ of rank one, entry by entry: their inner products."""

from itertools import product
from typing import Any

from sympy import Add, Expr, Function, Symbol, symbols

from theorems.engine import eq
from theorems.engine.rules import Theorem, inner
from theorems.engine.rules.vocabulary import AppliedVector, components
from theorems.shallow_transformer.letters.paper import d
from theorems.shallow_transformer.premises.named import NETWORKS
from theorems.shallow_transformer.premises.networks import added, linear, total

#: Numbers of rows and of columns.
_j, _k = symbols("row column", integer=True, positive=True)


def coordinate(vector: Any, index: Symbol) -> Expr:
    """A coordinate of a vector, of the vectors of a family, or of a combination of such."""
    terms = components(vector)
    return Add(*(factor * _of_a_letter(letter, index) for letter, factor in terms.items()))


def _of_a_letter(vector: Any, index: Symbol) -> Expr:
    family = isinstance(vector, AppliedVector)
    head, at = (vector.func, vector.args) if family else (vector, ())
    return Function(f"coordinate of {head}", real=True)(index, *at)


def _by_coordinates(left: Any, right: Any, index: Symbol) -> dict[Expr, Expr]:
    """The inner products of the vectors of which both are combinations, as sums."""
    pairs = product(components(left), components(right))
    return {inner(x, y): total(_of_a_letter(x, index) * _of_a_letter(y, index), index, d) for x, y in pairs}


def product_of_outer_products(
    form: Expr, left: tuple[Any, Any], right: tuple[Any, Any], *at: Symbol
) -> Theorem:
    """⟨xyᵀ, x′y′ᵀ⟩_F = ⟨x, x′⟩⟨y, y′⟩, x and x′ being ``left``, y and y′ ``right``.

    The entries are x_j y_k, and an inner product of matrices is the sum over all entries.  The
    vectors and the ``form`` may have indices ``at``.
    """
    first, second = ([coordinate(one, n) for one in pair] for pair, n in ((left, _j), (right, _k)))
    row = Function(f"sum over a row of {form}", real=True)(_j, *at)
    entries = total(first[0] * second[0] * first[1] * second[1], _k, d)
    products = {**_by_coordinates(*right, _k), **_by_coordinates(*left, _j)}
    meant = NETWORKS.meaning(
        "matrices of rank one by their entries, row by row, and vectors by their coordinates",
        *(eq(form, total(row, _j, d)), eq(row, entries)),
        *(eq(*one) for one in products.items()),
    )
    rows = added(NETWORKS.follows(linear(entries), meant, goal=eq(row, linear(entries).statement.rhs)), _j, d)
    sums = [total(one * other, n, d) for (one, other), n in ((first, _j), (second, _k))]
    known = [meant, rows, *map(linear, (rows.statement.rhs, *sums))]
    return NETWORKS.follows(*known, goal=eq(form, inner(*left) * inner(*right)))

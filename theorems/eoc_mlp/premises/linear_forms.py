"""Linear forms, images and lengths of normal vectors, by their entries."""

from typing import Any

from sympy import Expr, Function, Sum, Symbol

from theorems.engine import Given, eq, integers, rules
from theorems.engine.rules import E, Theorem, facts, inner, sums
from theorems.engine.rules.vocabulary import independent, randoms, vectors
from theorems.eoc_mlp.letters.activation import SIGMA

_i, _j, _n = (Symbol(name, integer=True, nonnegative=True) for name in "ijn")
#: Entries of a normal vector, and columns of a matrix.
_COUNT, _COLUMNS = (Symbol(name, integer=True, positive=True) for name in ("entries", "columns"))
#: The entries of a standard normal vector, which are independent.
_g = randoms("entry of a normal vector")


def covariance_of_forms(
    given: Given, first: Expr, p: Expr, second: Expr, q: Expr, scale: Expr = SIGMA, *at: Symbol
) -> Theorem:
    """E⟨v, p⟩⟨v, q⟩ = σ²⟨p, q⟩ for v ~ N(0, σ²I), the two forms being random letters.

    By induction over the entries: of the terms of one entry more, two have no mean.  Of families of
    forms and vectors it is said ``at`` each index.
    """
    left, right = randoms("first form"), randoms("second form")
    a, b = (Function(f"entry of the {one} vector", real=True) for one in ("first", "second"))
    forms, more = ([one(n, *at) for one in (left, right)] for n in (_n, _n + 1))
    one_more = forms[0] + a(_n, *at) * _g(_n), forms[1] + b(_n, *at) * _g(_n)
    known = [
        given.meaning("forms of no entries", eq(E(left(0, *at) * right(0, *at)), 0)),
        given.meaning(
            "forms of independent standard normal variables, with one entry more",
            eq(E(more[0] * more[1]), E(one_more[0] * one_more[1])),
            *(independent(form, _g(_n)) for form in forms),
            eq(E(_g(_n)), 0),
            eq(E(_g(_n) ** 2), 1),
        ),
        *(facts.expectation_of_independent(form, _g(_n)) for form in forms),
    ]
    product = Sum(a(_i, *at) * b(_i, *at), (_i, 0, _n - 1))
    of_n = sums.by_recursion(eq(E(forms[0] * forms[1]), product), _n, premises=known)
    of_all = of_n.at({_n: _COUNT})
    whole = E(left(_COUNT, *at) * right(_COUNT, *at))
    meant = given.meaning(
        "linear forms of a normal row, by its entries",
        eq(E(first * second), scale**2 * whole),
        eq(inner(p, q), product.xreplace({_n: _COUNT})),
    )
    goal = eq(E(first * second), scale**2 * inner(p, q))
    return rules.follows(goal, [of_all, meant], over=meant.over)


def mean_square_of_image(given: Given, square: Expr, total: Expr, scale: Expr = SIGMA) -> Theorem:
    """E‖B*v‖² = σ²‖B‖_F² for v ~ N(0, σ²I): the squares of forms at the columns of B, added."""
    entry, column = randoms("entry of the image")(_j), vectors("column")(_j)
    each = covariance_of_forms(given, entry, column, entry, column, scale, _j)
    ranges: dict[Any, Any] = {_COUNT: integers(1), _COLUMNS: integers(1)}
    numbers = {**ranges, **{x: given.domain[x] for x in {SIGMA} & scale.free_symbols}}
    added = sums.summed(each, _j, _COLUMNS)
    lengths = Sum(inner(column, column), (_j, 0, _COLUMNS - 1))
    meant = given.meaning(
        "the squared length of the image, and the squared lengths of the columns,",
        eq(square, added.statement.lhs),
        eq(total, lengths),
        over=ranges,
    )
    known = [added, meant, sums.linear(added.statement.rhs, over=numbers)]
    return rules.follows(eq(square, scale**2 * total), known, over={**meant.over, **numbers})

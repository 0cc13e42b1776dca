"""The derivative of the covariance of tokens, entry by entry, and matrices xxᵀ."""

from functools import cache
from typing import Any

from sympy import Expr, Function, Symbol, symbols

from theorems.engine import Given, both, eq
from theorems.engine.rules import E, Theorem, inner, norm
from theorems.engine.rules.vocabulary import randoms, vectors
from theorems.shallow_transformer.letters import head as its
from theorems.shallow_transformer.letters import paper as of
from theorems.shallow_transformer.letters.paper import T, d
from theorems.shallow_transformer.letters.pooled import pooled, tokens
from theorems.shallow_transformer.letters.token import mean, pooling_weight, r, s, t, total
from theorems.shallow_transformer.premises.lines.along_a_line import changed_weight
from theorems.shallow_transformer.premises.lines.double_sums import exchanged
from theorems.shallow_transformer.premises.matrices.outer_products import (
    coordinate,
    product_of_outer_products,
)
from theorems.shallow_transformer.premises.named import ONE_HEAD
from theorems.shallow_transformer.premises.token_sums import added, linear

#: The matrices (X_t - a)(X_t - a)'.
SQUARES = vectors("(X - a)(X - a)'")
_j, _k = symbols("row column", integer=True, positive=True)
_DRAWN = randoms("coordinate of a drawn token")
_COORDINATE = Function("coordinate of X - a", real=True)
_ENTRY, _DIRECTION = (Function(f"entry of {name}", real=True) for name in ("DM", "a direction"))


def squares(one: Symbol, other: Symbol) -> Theorem:
    """⟨xx', yy'⟩ = ⟨x, y⟩² for x and y from the mean to two tokens."""
    return ONE_HEAD.substituted(_two_squares(), {s: one, r: other})


@cache
def _two_squares() -> Theorem:
    pair = tokens(s) - pooled, tokens(r) - pooled
    return product_of_outer_products(inner(SQUARES(s), SQUARES(r)), pair, pair, s, r)


def _apart(index: Symbol) -> Expr:
    """A coordinate of X_t - a, by a name."""
    return _COORDINATE(index, t)


@cache
def _means() -> tuple[Theorem, Expr]:
    """Means of coordinates of a drawn token, and the third cumulant, as sums over tokens."""
    X, Y, S = _DRAWN(_j), _DRAWN(_k), its.drawn_slope
    values = {X: coordinate(tokens(t), _j), Y: coordinate(tokens(t), _k), S: its.token_slope(t)}
    centred = (S - E(S)) * (X - E(X)) * (Y - E(Y))
    there = (values[S] - E(S)) * (values[X] - E(X)) * (values[Y] - E(Y))
    meant = ONE_HEAD.meaning(
        "means of a token that is drawn with its softmax weight",
        *(eq(E(one), mean(value, t, pooling_weight)) for one, value in values.items() if one != Y),
        eq(E(centred), mean(there, t, pooling_weight)),
        eq(coordinate(pooled, _j), mean(values[X], t, pooling_weight)),
        eq(_apart(_j), coordinate(tokens(t) - pooled, _j)),
    )
    return meant, there


def _entry(given: Given, change: Any) -> Theorem:
    """e_{jk}DM_{jk} = Σ(Dα)_t (X_t − a)_j (X_t − a)_k e_{jk}, by st.lem2.third."""
    at = {its.M_entry: _ENTRY(_j, _k), its.drawn_x: _DRAWN(_j), its.drawn_y: _DRAWN(_k)}
    third = ONE_HEAD.substituted(given.fact("st.lem2.third"), at)
    (meant, there), factor = _means(), _DIRECTION(_j, _k)
    other = ONE_HEAD.substituted(meant, {_j: _k, _k: _j})
    term = factor * change * _apart(_j) * _apart(_k)
    each = eq(pooling_weight(t, T) * there, change * _apart(_j) * _apart(_k))
    sums = added(ONE_HEAD.follows(changed_weight(change), meant, other, goal=each))
    scaled = linear(total(term))
    return ONE_HEAD.follows(third, meant, sums, scaled, goal=eq(factor * _ENTRY(_j, _k), total(term)))


@cache
def _size_along_its_direction(matrix: Any) -> tuple[Any, Theorem]:
    """‖DM‖_F = Σ_j Σ_k E_jk DM_jk for DM = ‖DM‖_F E, as Σ_j Σ_k E_jk² = 1; and a name for the rows."""
    by_row, square = (Function(f"row of {name}", real=True) for name in ("DM", "squares of a direction"))
    entry, size = _DIRECTION(_j, _k), of.M_change
    meant = ONE_HEAD.meaning(
        "DM as its size times a matrix E of length 1, and sums of their entries, row by row",
        *(eq(_ENTRY(_j, _k), size * entry), eq(by_row(_j), total(entry * _ENTRY(_j, _k), _k, d))),
        *(eq(norm(matrix) ** 2, total(square(_j), _j, d)), eq(square(_j), total(entry**2, _k, d))),
        eq(total(square(_j), _j, d), 1),
    )
    each = added(ONE_HEAD.follows(meant, goal=eq(entry * _ENTRY(_j, _k), size * entry**2)), _k, d)
    row = ONE_HEAD.follows(each, linear(each.statement.rhs), meant, goal=eq(by_row(_j), size * square(_j)))
    rows = added(row, _j, d)
    whole = eq(size, total(by_row(_j), _j, d))
    known = ONE_HEAD.follows(rows, linear(rows.statement.rhs), meant, goal=whole)
    said = both(whole, eq(norm(matrix), 1), *meant.statement.args)
    return by_row, ONE_HEAD.follows(known, meant, goal=said)


def along_a_matrix(given: Given, change: Any, matrix: Any) -> Theorem:
    """‖DM‖_F = Σ(Dα)_t ⟨(X_t − a)(X_t − a)ᵀ, E⟩ for a matrix E of length 1 in its direction."""
    names = "row of a square", "row at a token", "at a token"
    of_token, column, row = (Function(name, real=True) for name in names)
    by_row, size = _size_along_its_direction(matrix)
    each = _entry(given, change)
    (term, _) = each.statement.rhs.args
    square = _apart(_j) * _apart(_k) * _DIRECTION(_j, _k)
    meant = ONE_HEAD.meaning(
        "inner products of matrices by their entries, row by row",
        eq(inner(SQUARES(t), matrix), total(of_token(_j, t), _j, d)),
        eq(of_token(_j, t), total(square, _k, d)),
    )
    short = [
        ONE_HEAD.meaning("a sum of entries at a token", eq(column(t, _j), total(term, _k, d))),
        ONE_HEAD.meaning("a sum over rows at a token", eq(row(t), total(column(t, _j), _j, d))),
    ]
    apart = [linear(total(one, _k, d)) for one in (term, square)]
    rows = ONE_HEAD.follows(*short, meant, *apart, goal=eq(column(t, _j), change * of_token(_j, t)))
    whole = [added(rows, _j, d)]
    whole.append(linear(whole[0].statement.rhs))
    sums = [exchanged(each, short[0])]
    here = ONE_HEAD.follows(size, sums[0], goal=eq(by_row(_j), total(column(t, _j))))
    sums.append(exchanged(here, short[1]))
    tokens_ = added(
        ONE_HEAD.follows(*short, meant, *whole, goal=eq(row(t), change * inner(SQUARES(t), matrix)))
    )
    form = eq(of.M_change, tokens_.statement.rhs)
    return ONE_HEAD.follows(size, sums[1], tokens_, goal=both(form, eq(norm(matrix), 1)))

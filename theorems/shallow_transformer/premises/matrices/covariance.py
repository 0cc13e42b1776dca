"""The covariance M = Σα_t y_t y_tᵀ of the tokens by its entries: its trace and its Frobenius norm.

The y_t are the tokens less their mean; sums over entries and over tokens change places.
"""

from dataclasses import dataclass
from functools import cache
from typing import Any

from sympy import Expr, Function, Symbol, symbols

from theorems.engine import eq
from theorems.engine.rules import Theorem, inner
from theorems.engine.rules.vocabulary import vectors
from theorems.shallow_transformer.letters import paper as of
from theorems.shallow_transformer.letters.paper import T, d
from theorems.shallow_transformer.letters.pooled import deviations, pooling_mean
from theorems.shallow_transformer.letters.token import pooling_weight, s, t, total
from theorems.shallow_transformer.premises.lines.double_sums import exchanged
from theorems.shallow_transformer.premises.matrices.outer_products import coordinate
from theorems.shallow_transformer.premises.named import ONE_HEAD
from theorems.shallow_transformer.premises.networks import family
from theorems.shallow_transformer.premises.token_sums import added, linear

_j, _k = symbols("row column", integer=True, positive=True)
_ENTRY, _ROW = family("entry of M"), family("squares in a row of M")
#: The coordinates of M y_t, and ⟨y_t, M y_t⟩.
_IMAGE, _FORM = family("coordinate of the image of a token"), family("form of M at a token")


@dataclass(frozen=True)
class Pool:
    """Softmax weights of the tokens of an input, the tokens less their mean, and the trace of M."""

    name: str = ""
    weight: Any = pooling_weight
    away: Any = deviations
    trace: Symbol = of.M_trace


#: The input X, and another one.
POOL = Pool()
OTHER_POOL = Pool(
    " at X'",
    Function("softmax weight at X'", positive=True),
    vectors("Y at X'"),
    Symbol("tr M at X'", nonnegative=True),
)


def _y(index: Symbol, number: Symbol = t, pool: Pool = POOL) -> Expr:
    return coordinate(pool.away(number), index)


@cache
def _entries() -> Theorem:
    return ONE_HEAD.meaning("M, by its entries", eq(_ENTRY(_j, _k), pooling_mean(_y(_j) * _y(_k))))


@cache
def _products() -> Theorem:
    """Inner products of tokens less their mean, by coordinates."""
    product, entries = inner(deviations(t), deviations(s)), _y(_j) * _y(_j, s)
    return ONE_HEAD.meaning("inner products by coordinates", eq(product, total(entries, _j, d)))


def _scaled(term: Expr, whole: Expr, index: Symbol, last: Expr, *known: Theorem) -> Theorem:
    """A product is the sum of the terms over an index, whose common factors come out."""
    sum_ = total(term, index, last)
    return ONE_HEAD.follows(*known, linear(sum_), goal=eq(whole, sum_))


@cache
def trace_of_the_covariance(pool: Pool = POOL) -> Theorem:
    """Tr M = Σα_t|y_t|², as the entries on the diagonal are Σα_t y_tj²."""
    weight, y, diagonal = pool.weight(t, T), pool.away(t), family(f"entry of M{pool.name}")
    square = _y(_j, pool=pool) * _y(_k, pool=pool)
    meant = ONE_HEAD.meaning("the trace of M", eq(pool.trace, total(diagonal(_j, _j), _j, d)))
    entries = ONE_HEAD.meaning("M, by its entries", eq(diagonal(_j, _k), total(weight * square)))
    lengths = ONE_HEAD.meaning(
        "squared lengths by coordinates", eq(inner(y, y), total(square.subs(_k, _j), _j, d))
    )
    of_a_token = _scaled(weight * square.subs(_k, _j), weight * inner(y, y), _j, d, lengths)
    turned = exchanged(ONE_HEAD.substituted(entries, {_k: _j}), of_a_token)
    return ONE_HEAD.follows(meant, turned, goal=eq(pool.trace, total(weight * inner(y, y))))


@cache
def _image() -> Theorem:
    """The coordinates of My_t."""
    return ONE_HEAD.meaning("My, by coordinates", eq(_IMAGE(_j, t), total(_ENTRY(_j, _k) * _y(_k), _k, d)))


@cache
def _form() -> Theorem:
    return ONE_HEAD.meaning("⟨y, My⟩, by coordinates", eq(_FORM(t), total(_y(_j) * _IMAGE(_j, t), _j, d)))


@cache
def frobenius_of_the_covariance() -> Theorem:
    """‖M‖_F² = Σ_jΣ_k M_jk² = Σα_t⟨y_t, My_t⟩, and ⟨y_t, My_t⟩ = Σα_s⟨y_t, y_s⟩²."""
    weight, form = pooling_weight(t, T), pooling_mean(inner(deviations(t), deviations(s)) ** 2, s)
    meant = ONE_HEAD.meaning(
        "the Frobenius norm of M, by its entries, row by row",
        eq(of.M_frobenius**2, total(_ROW(_j), _j, d)),
        eq(_ROW(_j), total(_ENTRY(_j, _k) ** 2, _k, d)),
    )
    term = weight * _y(_j) * _y(_k) * _ENTRY(_j, _k)
    squares = exchanged(
        _scaled(term, _ENTRY(_j, _k) ** 2, t, T, _entries()),
        _scaled(term, weight * _y(_j) * _IMAGE(_j, t), _k, d, _image()),
    )
    row = ONE_HEAD.follows(squares, meant, goal=eq(_ROW(_j), squares.statement.rhs))
    whole = exchanged(row, _scaled(weight * _y(_j) * _IMAGE(_j, t), weight * _FORM(t), _j, d, _form()))
    forms = added(ONE_HEAD.follows(_form_of_a_token(), goal=eq(weight * _FORM(t), weight * form)))
    return ONE_HEAD.follows(meant, whole, forms, goal=eq(of.M_frobenius**2, forms.statement.rhs))


def _form_of_a_token() -> Theorem:
    """⟨y_t, My_t⟩ = Σα_s⟨y_t, y_s⟩², as (My_t)_j = Σα_s y_sj⟨y_t, y_s⟩."""
    weight, product = pooling_weight(s, T), inner(deviations(t), deviations(s))
    by_columns = eq(product, total(_y(_k) * _y(_k, s), _k, d))
    entry = eq(_ENTRY(_j, _k), total(weight * _y(_j, s) * _y(_k, s), s))
    other, here = (
        ONE_HEAD.follows(known, goal=goal) for known, goal in ((_products(), by_columns), (_entries(), entry))
    )
    term = weight * _y(_j, s) * _y(_k, s) * _y(_k)
    image = exchanged(
        _scaled(term, _ENTRY(_j, _k) * _y(_k), s, T, here),
        _scaled(term, weight * _y(_j, s) * product, _k, d, other),
    )
    moved = ONE_HEAD.follows(image, _image(), goal=eq(_IMAGE(_j, t), image.statement.rhs))
    whole = weight * _y(_j, s) * _y(_j) * product
    form = exchanged(
        _scaled(whole, _y(_j) * _IMAGE(_j, t), s, T, moved),
        _scaled(whole, weight * product**2, _j, d, _products()),
    )
    return ONE_HEAD.follows(form, _form(), goal=eq(_FORM(t), form.statement.rhs))

"""Variances of projections of any number of terms, from the covariances of the terms."""

from collections.abc import Callable, Mapping
from typing import Any

from sympy import Expr, Sum, Symbol, sympify

from theorems.engine import Given, eq, integers, rules
from theorems.engine.rules import E, Random, Theorem, sums

#: Numbers of the terms of a projection, from 0 on.
term = Symbol("p", integer=True, nonnegative=True)
other_term = Symbol("q", integer=True, nonnegative=True)
PLACES = {term: integers(0), other_term: integers(0)}
_n, _m = (Symbol(f"terms {name}", integer=True, nonnegative=True) for name in ("n", "m"))

Coefficient = Callable[[Any], Expr]
Covariance = Callable[[Any, Any], Expr]


def over_pairs(coefficient: Coefficient, covariance: Covariance, length: Any) -> Sum:
    """Σ_p α_p Σ_q α_q C_pq over the terms of a projection."""
    row = _row_of(coefficient, covariance, length)
    return Sum(coefficient(term) * row, (term, 0, length - 1))


def _row_of(coefficient: Coefficient, covariance: Covariance, length: Any) -> Sum:
    weighted = coefficient(other_term) * covariance(term, other_term)
    return Sum(weighted, (other_term, 0, length - 1))


def second_moment(
    given: Given,
    projected: tuple[Random, Any],
    families: tuple[Any, Any],
    of: tuple[Coefficient, Expr, Covariance],
    known: Theorem,
) -> Theorem:
    """E Y² = s Σ_p α_p Σ_q α_q C_pq for Y = Σ_p α_p X_p.

    ``projected`` are Y and the number of its terms, ``families`` the sums of the first n terms and
    X, ``of`` the coefficients α, a common factor s, and C_pq; ``known`` says that the mean of
    X_p X_q is s C_pq, for all p and q from 0 on.
    """
    (Y, length), (alpha, scale, covariance) = projected, of
    others: Mapping[Any, Any] = {x: r for x, r in known.over.items() if x not in PLACES}
    row = _row(given, families, of, known, others)
    square = _square(given, families, of, row, others)
    whole = {**others, length: given.domain[length]}
    end = square.at({_n: length, _m: length})
    meaning = given.meaning(
        "a projection, the sum of its terms with their coefficients", eq(E(Y**2), E(families[0](length) ** 2))
    )
    return rules.follows(
        eq(E(Y**2), scale * over_pairs(alpha, covariance, length)),
        [end, meaning],
        over={**whole, Y: Y.belongs_to},
    )


def _grows(given: Given, total: Any, step: Expr, factor: Expr, count: Symbol) -> list[Theorem]:
    """The means of a sum times a factor: 0 for no terms, and one term more."""
    none = given.meaning("a sum of no terms", eq(E(total(0) * factor), 0))
    more = E(sympify(total(count) * factor)) + E(step * factor)
    longer = given.meaning("a sum with one term more", eq(E(total(count + 1) * factor), more))
    return [none, longer]


def _row(given: Given, families: Any, of: Any, known: Theorem, others: Mapping[Any, Any]) -> Theorem:
    """E S_n X_p = s Σ_q α_q C_pq over the first n terms."""
    (total, X), (alpha, scale, covariance) = families, of
    statement = eq(E(total(_n) * X(term)), scale * _row_of(alpha, covariance, _n))
    each = known.at({other_term: _n})
    premises = [*_grows(given, total, alpha(_n) * X(_n), X(term), _n), each]
    over = {**others, term: integers(0)}
    return sums.by_recursion(statement, _n, premises=premises, over=over)


def _square(given: Given, families: Any, of: Any, row: Theorem, others: Mapping[Any, Any]) -> Theorem:
    """E S_m S_n, by the number m of terms of the first sum."""
    (total, X), (alpha, scale, covariance) = families, of
    inside = alpha(term) * _row_of(alpha, covariance, _n)
    statement = eq(E(total(_m) * total(_n)), scale * Sum(inside, (term, 0, _m - 1)))
    last = row.at({term: _m})
    premises = [*_grows(given, total, alpha(_m) * X(_m), total(_n), _m), last]
    return sums.by_recursion(statement, _m, premises=premises, over={**others, _n: integers(0)})

"""The Jacobian J = diag(p) - pp' of softmax by its entries, and sums over a row of it.

Of an index that runs up to the number of tokens, what is said up to there is enough to add up.
"""

from functools import cache
from typing import Any

from sympy import Abs, Expr, Function, S, Symbol

from theorems.engine import eq, implies, le
from theorems.engine.rules import Theorem, instance
from theorems.shallow_transformer.letters.paper import T
from theorems.shallow_transformer.letters.token import mean, s, t, token, total, weight
from theorems.shallow_transformer.premises import any_length
from theorems.shallow_transformer.premises.any_length import COUNT
from theorems.shallow_transformer.premises.named import ONE_HEAD, as_declared
from theorems.shallow_transformer.premises.token_sums import at_one_token, indicator, linear

_ENTRY, _UNIT, _ROW = (
    Function(name, real=True) for name in ("entry of J", "entry of the identity", "squares in a row of J")
)


def jacobian(row: Expr, column: Expr) -> Expr:
    """An entry of the Jacobian, by name."""
    return _ENTRY(row, column)


def _unit(column: Expr) -> Expr:
    """1 at the token of the row, 0 at all others."""
    return _UNIT(token, column)


@cache
def entries() -> Theorem:
    """J = diag(p) − pp′, as st.fact1 finds the derivatives."""
    product = weight(token, T) * (_unit(t) - weight(t, T))
    return ONE_HEAD.meaning("J = diag(p) - pp', by entries", eq(jacobian(token, t), product))


@cache
def on_the_diagonal() -> Theorem:
    """J_tt = p_t(1 − p_t)."""
    known = (instance(one, {t: token}) for one in (entries(), indicator(_unit)))
    p = weight(token, T)
    return ONE_HEAD.follows(*known, goal=eq(jacobian(token, token), p * (1 - p)))


def image(u: Any, row: Symbol = t) -> Expr:
    """An entry of Ju, the sum over a row."""
    return total(jacobian(row, s) * u(s), s)


def entry_of_the_image(u: Any) -> Theorem:
    """(Ju)_t = p_t(u_t − ū) for each token, ū being the mean of u."""
    p, centre = weight(token, T), mean(u(s), s)
    each = eq(jacobian(token, t) * u(t), p * (u(t) * _unit(t)) - p * (weight(t, T) * u(t)))
    sums = any_length.added(ONE_HEAD.follows(entries(), goal=each), t, T, as_declared)
    known = [sums, linear(sums.statement.rhs), at_one_token(_unit, u(t))]
    return ONE_HEAD.follows(*known, goal=implies(le(token, T), eq(image(u, token), p * (u(token) - centre))))


@cache
def size_of_the_image(u: Any) -> Theorem:
    """|Ju|₁ = Σp_t|u_t − ū|."""
    each = entry_of_the_image(u)
    sides = each.statement.args[1].args
    size = implies(le(token, T), eq(*map(Abs, sides)))
    return added_over_rows(ONE_HEAD.follows(each, goal=size))


@cache
def form(u: Any) -> Theorem:
    """⟨u, Ju⟩ = Σu_t p_t(u_t − ū)."""
    each = entry_of_the_image(u)
    sides = (u(token) * one for one in each.statement.args[1].args)
    return added_over_rows(ONE_HEAD.follows(each, goal=implies(le(token, T), eq(*sides))))


@cache
def squares() -> Theorem:
    """Σ_tΣ_s J_ts² = Σp_t²(1 − 2p_t + Σp²), row by row."""
    p, q = weight(token, T), weight(t, T)
    square = p**2 * (_unit(t) - 2 * (q * _unit(t)) + q**2)
    each = ONE_HEAD.follows(entries(), indicator(_unit), goal=eq(jacobian(token, t) ** 2, square))
    sums = any_length.added(each, t, T, as_declared)
    row = ONE_HEAD.meaning("a row of J, its entries squared", eq(_ROW(token), total(jacobian(token, t) ** 2)))
    known = [row, sums, linear(sums.statement.rhs), *(at_one_token(_unit, one) for one in (S.One, q))]
    whole = p**2 * (1 - 2 * p + total(weight(s, T) ** 2, s))
    return added_over_rows(ONE_HEAD.follows(*known, goal=implies(le(token, T), eq(_ROW(token), whole))))


def added_over_rows(each: Theorem) -> Theorem:
    """From f(token) = g(token) for token ≤ T the equation of the sums up to T, by induction."""
    _, equation = each.statement.args
    left, right = (total(one, token, COUNT) for one in equation.args)
    over = {x: range_ for x, range_ in each.over.items() if x != token}
    statement = implies(le(COUNT, T), eq(left, right))
    grown = any_length.by_recursion(statement, [instance(each, {token: COUNT + 1})], over)
    sides = (total(one.xreplace({token: t}), t) for one in equation.args)
    return ONE_HEAD.follows(instance(grown, {COUNT: T}), goal=eq(*sides))

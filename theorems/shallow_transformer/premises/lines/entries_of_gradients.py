"""Derivatives of the preactivation of a head by single entries of its read-out vector and of W."""

from functools import cache
from typing import Any

from sympy import Expr, Function, Symbol, exp

from theorems.engine import eq
from theorems.engine.rules import Theorem
from theorems.shallow_transformer.letters.token import logit, t, total
from theorems.shallow_transformer.premises.lines.along_a_line import along, moved
from theorems.shallow_transformer.premises.named import ONE_HEAD

#: The row and the column of an entry.
ROW, COLUMN = (Symbol(name, integer=True, positive=True) for name in ("row", "column"))
#: Coordinates of the pooled token, of MU and of the query.
A, MU, QUERY = (Function(f"coordinate of {name}", real=True) for name in ("a", "MU", "q"))
_x, _u = (Function(name, real=True) for name in ("coordinate of a token", "read-out of a token"))


def pooled(of: Any, slope: Any = 0) -> Expr:
    """The mean of values of the tokens at W + sE, where a logit moves with this slope."""
    odds = exp(logit(t) + along * slope)
    return total(odds * of) / total(odds)


@cache
def by_an_entry_of_the_read_out() -> tuple[Expr, Theorem]:
    """The derivative of ⟨U + s e_k, a⟩ is a_k."""
    entry, start = Function("derivative by U", real=True)(ROW), Symbol("z at U", real=True)
    return entry, moved(start + along * A(ROW), 1, entry)[0]


@cache
def by_an_entry_of_w() -> tuple[Expr, Theorem]:
    """The derivative of ⟨U, a⟩ along W + sE_kj is (MU)_k q_j; M is the covariance of the tokens."""
    entry = Function("derivative by W", real=True)(ROW, COLUMN)
    value, coordinate = _u(t), _x(t, ROW)
    rule = moved(pooled(value, coordinate * QUERY(COLUMN)), 1, entry)
    covariance = pooled(value * coordinate) - pooled(value) * pooled(coordinate)
    meant = ONE_HEAD.meaning(
        "MU for the covariance M of the tokens, by coordinates", eq(MU(ROW), covariance.subs(along, 0))
    )
    return entry, ONE_HEAD.follows(*rule, meant, goal=eq(entry, MU(ROW) * QUERY(COLUMN)))

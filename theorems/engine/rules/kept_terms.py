"""What is found out once about terms, and kept, as SymPy would find it out in each question."""

from functools import cache

import sympy
from sympy import Expr, Symbol
from sympy.core.function import AppliedUndef

from theorems.engine.rules.names import name_of

__all__ = ["RESERVED", "is_nonnegative_of_reals", "name_of_terms", "sign_known", "some_term"]

_SIGNS = ("positive", "nonnegative", "negative", "nonpositive")
#: Stands for the index of a sum, so that sums are the same whatever their index is called.
_INDEX = sympy.Dummy("index", dummy_index=271828182)
#: What the names of letters begin with that stand for some index of a sum.
RESERVED = "index of "


@cache
def sign_known(node: Expr) -> str | None:
    """The sign that SymPy knows of a term; kept, as SymPy would find it out in each question."""
    return next((sign for sign in _SIGNS if getattr(node, f"is_{sign}")), None)


@cache
def name_of_terms(body: Expr, index: Symbol) -> str:
    """The name of the terms of a sum, whatever its index is called."""
    return name_of(body.xreplace({index: _INDEX}))


@cache
def some_term(body: Expr, index: Symbol, low: Expr, high: Expr) -> tuple[Symbol, Expr]:
    """An index of a sum at which a term may be undefined, and the term there."""
    plain = name_of((body.xreplace({index: _INDEX}), low, high))
    some = Symbol(f"{RESERVED}{plain}", integer=True)
    return some, body.xreplace({index: some})


@cache
def is_nonnegative_of_reals(body: Expr) -> bool:
    """Whether SymPy knows that a term is at least 0 where its functions have any real values."""
    values = [one for one in body.atoms(AppliedUndef) if not hasattr(one, "belongs_to")]
    return bool(body.xreplace({one: sympy.Dummy(real=True) for one in values}).is_nonnegative)

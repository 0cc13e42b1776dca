"""Where two names with indices are one: f(k + 1) and f(1) at k = 0, f(k, 0) and f(1, j) at f(1, 0)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import partial
from typing import Any

import sympy
from sympy import Dummy, Expr, Symbol
from sympy.core.function import Application, AppliedUndef
from sympy.logic.boolalg import Boolean

__all__ = ["indices", "is_surely", "renamed_apart", "where_they_meet"]


def indices(statement: Boolean, about: Collection[Symbol], *, own: bool = False) -> set[Symbol]:
    """The integers at which functions are taken, and their letters; not those that it is ``about``.

    Those that are letters themselves are among them if those of the claim's ``own`` are asked for.
    """
    taken = [x for node in statement.atoms(Application) for x in node.args]
    whole = [x for x in taken if getattr(x, "is_integer", False)]
    inside = set().union(*(x.free_symbols for x in whole)).difference(about)
    return inside | {x for x in whole if x.is_Symbol and own}


def renamed_apart(letters: Iterable[Symbol]) -> dict[Symbol, Dummy]:
    """Other letters, of which the same is assumed, in the same order at any time."""
    return {
        x: Dummy(x.name, dummy_index=10**6 + number, **x.assumptions0)
        for number, x in enumerate(sorted(letters, key=str))
    }


def where_they_meet(first: Expr, second: Expr, running: Collection[Symbol]) -> dict[Symbol, Expr] | None:
    """Values of letters with which two names are the same one; None if they never are.

    The letters that are ``running`` and all integers have any values that their assumptions allow.
    Places that no linear equation finds may be common ones: nothing is chosen for them.

    >>> f, k = sympy.Function("f"), Symbol("k", integer=True, nonnegative=True)
    >>> j = Symbol("j", integer=True)
    >>> where_they_meet(f(k + 1), f(3), {k}), where_they_meet(f(k + 1), f(0), {k})
    ({k: 2}, None)
    >>> where_they_meet(f(k, 0), f(1, j), {k, j}), where_they_meet(f(2 * k), f(3), {k})
    ({k: 1, j: 0}, None)
    """
    equations: list[Expr] = []
    if not _alike(first, second, running, equations):
        return None
    at: dict[Symbol, Expr] = {}
    for equation in equations:
        if not _solved(equation.xreplace(at), running, at):
            return None
    return at


def _alike(first: Any, second: Any, running: Collection[Symbol], equations: list[Expr]) -> bool:
    """Whether two names differ in places alone; that the places are the same is noted."""
    if first == second:
        return True
    if _is_place(first, running) and _is_place(second, running):
        equations.append(sympy.expand(first - second))
        return True
    alike = first.func == second.func and len(first.args) == len(second.args) > 0
    pairs = zip(first.args, second.args, strict=False)
    return alike and all(_alike(one, other, running, equations) for one, other in pairs)


def _is_place(term: Any, running: Collection[Symbol]) -> bool:
    """Whether a term is a number that integers, or a letter which runs, make."""
    if not isinstance(term, Expr) or any(map(_is_a_name, sympy.preorder_traversal(term))):
        return False
    return bool(term.is_integer or term.is_number or term.free_symbols & {*running})


def _is_a_name(node: Any) -> bool:
    """Whether a node is explained by meanings, or is one of the objects of which names are made."""
    return isinstance(node, AppliedUndef) or any(map(partial(hasattr, node), _MARKS))


_MARKS = ("belongs_to", "is_opaque", "is_named")


def _solved(equation: Expr, running: Collection[Symbol], at: dict[Symbol, Expr]) -> bool:
    """Whether an equation may hold; a letter gets the value with which it does."""
    letters = [x for x in _in_order(equation) if x.is_integer or x in running]
    if not letters:
        return bool(equation == 0)
    slopes = {x: sympy.diff(equation, x) for x in letters}
    linear = [x for x in letters if slopes[x].is_number and slopes[x] != 0]
    if not linear:
        return equation.is_zero is not False
    # Plain numbers first, of which nothing is assumed.
    chosen = min(linear, key=lambda x: (x not in running, bool(x.is_integer), abs(slopes[x]) != 1))
    value = sympy.expand(chosen - equation / slopes[chosen])
    if not _may_be(chosen, value):
        return False
    new = {chosen: value}
    at.update({x: sympy.expand(old.xreplace(new)) for x, old in at.items()} | new)
    return all(_may_be(x, old) for x, old in at.items())


def _in_order(equation: Expr) -> list[Symbol]:
    return sorted(equation.free_symbols, key=str)


def is_surely(letter: Symbol, value: Expr) -> bool:
    """Whether what is assumed of a letter is known of a value."""
    told: Mapping[str, bool] = letter.assumptions0
    return all(getattr(value, f"is_{one}", None) is true for one, true in told.items())


def _may_be(letter: Symbol, value: Expr) -> bool:
    """Whether what is assumed of a letter is not known to be false of a value."""
    told: Mapping[str, bool] = letter.assumptions0
    known = (getattr(value, f"is_{one}", None) for one, true in told.items() if true)
    return all(one is not False for one in known)

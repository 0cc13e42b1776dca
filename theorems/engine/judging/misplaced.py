"""Letters whose values leave their ranges once everything that a proof explains is inserted.

Where a letter stands for a mean or for a value of a function, this is believed to lie in its range.
If the proof itself says what that mean or value is, the letter stands for a number: z = f(0) and
f(0) = x - 1 say that x >= 1 where z is not negative.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice, product
from typing import TYPE_CHECKING, Any

from sympy import Derivative, Expr, Integer, Limit, Symbol
from sympy.core.function import AppliedUndef

from theorems.engine.judging.given import Given, ranges

if TYPE_CHECKING:
    from theorems.engine.rules import Theorem

__all__ = ["misplaced"]

_STEPS, _PLACES = 20, 27


def misplaced(theorem: Theorem, given: Given) -> str | None:
    """A letter of the proof with a value outside of its range, in numbers of the claim; or None."""
    from theorems.engine.rules.definitions import is_of_numbers, outside  # noqa: PLC0415 - proofs
    from theorems.engine.rules.theorem import meant  # noqa: PLC0415 - only proofs need it

    leaves = [one for one in theorem.trusts if one.kind == "meaning"]
    known = {one.lhs: one.rhs for leaf in leaves for one in meant(leaf)}
    over = ranges(given.claim)
    conditions = [one for one in given.conditions if one.free_symbols <= set(over)]
    for name, range_ in sorted(set().union(*(leaf.shown for leaf in leaves)), key=str):
        if name not in known or is_of_numbers(known[name]):
            continue
        values = (one for one in _values(known[name], known, over) if is_of_numbers(one))
        for value in (one for one in values if one.free_symbols <= set(over)):
            if why := outside(value, range_, over, conditions).fails:
                return f"{name} stands for {known[name]}: {why}"
    return None


def _values(value: Expr, known: Mapping[Expr, Expr], over: Mapping[Symbol, Any]) -> Iterator[Expr]:
    """What a value is by the explanations of a proof, also at the first places of its indices."""
    indices = [x for x in value.free_symbols if x.is_integer]
    starts = [over[x].inf if x in over else Integer(0) for x in indices]
    yield _inserted(value, known)
    for steps in islice(product(range(3), repeat=len(indices)), _PLACES if indices else 0):
        at = {x: start + step for x, start, step in zip(indices, starts, steps, strict=True)}
        yield _inserted(value.xreplace(at), known)


def _inserted(value: Expr, known: Mapping[Expr, Expr]) -> Expr:
    for _ in range(_STEPS):
        named = {node: _explained(node, known) for node in value.atoms(Expr)}
        new = {node: other for node, other in named.items() if other is not None}
        if not new:
            break
        value = value.xreplace(new)
    return value


def _explained(node: Any, known: Mapping[Expr, Expr]) -> Expr | None:
    """What a name stands for, or a function at a number by its recursion."""
    if node in known:
        return known[node]
    if not (isinstance(node, AppliedUndef) and all(x.is_Integer for x in node.args)):
        return None
    for name, value in known.items():
        if isinstance(name, AppliedUndef) and name.func == node.func:
            at = _place(name, node)
            if at is not None and not _run(at, value):
                return value.xreplace(at)
    return None


def _run(at: Mapping[Symbol, Expr], value: Expr) -> bool:
    """Whether a letter runs in the value, so that no number can be put in for it."""
    return any(one.has(*at) for one in value.atoms(Derivative, Limit))


def _place(name: Expr, node: Expr) -> dict[Symbol, Expr] | None:
    """The indices at which one value of a function is another one."""
    at: dict[Symbol, Expr] = {}
    for pattern, number in zip(name.args, node.args, strict=True):
        letters = pattern.free_symbols
        if not letters and pattern == number:
            continue
        if len(letters) != 1 or not (pattern - (x := next(iter(letters)))).is_Integer:
            return None
        if at.setdefault(x, number - (pattern - x)) != number - (pattern - x) or at[x] < 0:
            return None
    return at

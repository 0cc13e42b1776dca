"""What textbook facts find for a proof, "let v be a unit vector", and what may be said of it.

A fact that is false for some vectors, random variables or functions of a proof finds one for which
it holds.  Nothing else is known of it: what a name of the claim stands for must not depend on it,
as the length of a claim is no length of a unit vector because there are unit vectors.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import sympy
from sympy import Eq
from sympy.core.function import AppliedUndef
from sympy.logic.boolalg import And, Boolean, Implies

from theorems.engine.rules.names_explained import explained
from theorems.engine.rules.ranges import Objects
from theorems.engine.rules.vocabulary import OPERATORS

if TYPE_CHECKING:
    from theorems.engine.rules.theorem import Trust

__all__ = ["families", "misused", "things"]


def things(term: Any) -> set[Any]:
    """The vectors, matrices, random variables and events of a term, and the families of values.

    >>> from theorems.engine.rules.vocabulary import Vector, norm
    >>> f, k = sympy.Function("f"), sympy.Symbol("k")
    >>> things(norm(Vector("v")) * f(k)) == {Vector("v"), f}
    True
    """
    letters = {x for x in term.free_symbols if isinstance(getattr(x, "belongs_to", None), Objects)}
    return letters | {one.func for one in families(term)}


def families(term: Any) -> set[Any]:
    """The values of functions without a formula in a term, and of families of vectors and events.

    >>> f, k = sympy.Function("f"), sympy.Symbol("k")
    >>> families(f(k + 1) + k)
    {f(k + 1)}
    """
    nodes = sympy.preorder_traversal(term)
    return {one for one in nodes if isinstance(one, AppliedUndef) or _is_of_events(one)}


def _is_of_events(node: Any) -> bool:
    return hasattr(node, "belongs_to") and bool(node.args)


def misused(trusts: Iterable[Trust], own: Iterable[Any] = ()) -> str:
    """What is chosen by a fact and is not free to be, in words; nothing if there is no such thing.

    It must be chosen by one fact, not by way of what depends on it, and no letter of a claim, none
    of its ``own`` letters and functions, may be what it is because of it; a letter may be the
    largest of all that could be chosen.
    """
    leaves: list[Trust] = [*trusts]
    known = frozenset(own)
    chosen: dict[Any, Trust] = {}
    for fact, one in ((leaf, one) for leaf in leaves for one in leaf.chosen):
        if one in known:
            return f"{fact.name} is false for some {one}, and the claim has one"
        if chosen.setdefault(one, fact) != fact:
            names = " and ".join(sorted({fact.name, chosen[one].name}))
            return f"{one} is found twice, by {names}"
    return _found_in_a_circle(chosen) or _standing_for_what_is(set(chosen), leaves, known)


def _found_in_a_circle(chosen: Mapping[Any, Trust]) -> str:
    uses = {one: (fact.found - fact.chosen) & set(chosen) for one, fact in chosen.items()}
    while settled := {one for one, used in uses.items() if not used & set(uses)}:
        uses = {one: used for one, used in uses.items() if one not in settled}
    return f"{', '.join(sorted(map(str, uses)))} are found by each other" if uses else ""


def _standing_for_what_is(chosen: set[Any], leaves: list[Trust], own: frozenset[Any]) -> str:
    """A claim's letter that has to do with what is chosen, by names for it and names for these."""
    said = [(part, leaf) for leaf in leaves if chosen for part in _parts(leaf)]
    inside = {part: things(part) | part.free_symbols for part, _ in said}
    meanings = [part for part, leaf in said if leaf.kind == "meaning"]
    while more := set().union(*(_tied(part, chosen) for part in meanings)) - chosen:
        chosen |= more
    for part, leaf in said:
        if inside[part] & chosen and (given := (leaf.about | own) & inside[part]):
            return f"{min(given, key=str)} may not stand for what is found: {part}"
    return ""


def _parts(leaf: Trust) -> tuple[Boolean, ...]:
    """What a meaning or a hypothesis says, each statement with its conditions."""
    says = leaf.kind in {"meaning", "hypothesis"} and leaf.says is not None and not leaf.extremes
    return And.make_args(leaf.says) if says else ()


def _tied(part: Boolean, chosen: set[Any]) -> set[Any]:
    """What an equation ties to what is chosen: what it explains by this, or this by it.

    At a vector that is chosen an equation says what a matrix is as it does at any other one.
    """
    while isinstance(part, Implies):
        part = part.args[1]
    if not (isinstance(part, Eq) and (things(part) | part.free_symbols) & chosen):
        return set()
    name, value = explained(part)[0], part.rhs
    letters = {x for side in (name, value) for x in _outside_of_places(side)}
    if (things(name) | name.free_symbols) & chosen:
        return {x for x in letters if getattr(x, "belongs_to", None) != OPERATORS}
    return {name} if name.is_Symbol else things(name)


def _outside_of_places(term: Any) -> set[Any]:
    """The letters of a term and its families, but not the places at which these are taken."""
    if isinstance(term, AppliedUndef) or _is_of_events(term):
        return {term.func}
    if isinstance(term, sympy.Symbol):
        return {term}
    inside: set[Any] = set().union(*(_outside_of_places(one) for one in term.args))
    return inside - set(getattr(term, "bound_symbols", ()))

"""Largest and least values that meanings name: each is one extreme, and attained if it is explained."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import combinations, product
from typing import TYPE_CHECKING, Any

import sympy
from sympy import Expr, preorder_traversal
from sympy.core.function import Application

from theorems.engine.rules.common_places import indices
from theorems.engine.rules.names_explained import Said, are_one, head_of, meeting, ranges_of
from theorems.engine.rules.vocabulary import inner

if TYPE_CHECKING:
    from theorems.engine.rules.theorem import Trust


def two_extremes(said: Mapping[Expr, Sequence[Said]], leaves: Iterable[Trust]) -> str:
    """Why a quantity is not one extreme, or stands for something else besides; empty if all is well.

    It may be one of the values that it bounds, at a place that nothing else explains. Quantities
    with indices are compared at their common places.
    """
    known = sorted(leaves, key=lambda leaf: (leaf.name, leaf.detail))
    taken = set(said).union(*(leaf.about for leaf in known))
    found = [(leaf, quantity) for leaf in known for quantity in sorted(leaf.extremes, key=str)]
    for (one, quantity), (other, again) in combinations(found, 2):
        what, else_ = (one.name, _is_largest(one, quantity)), (other.name, _is_largest(other, again))
        if what != else_ and are_one(quantity, _told(one), again, _told(other)):
            return f"{again} is two extremes, one of them {other.name}"
    for one, quantity in found:
        told = ((name, what) for name, whats in said.items() for what in whats)
        met = ((what, meeting(quantity, _told(one), name, what)) for name, what in told)
        values = [value for what, at in met if at is not None for value in (what.value, at[2].value)]
        places = {x for value in values for x in _attained(one, value)}
        if values and not any(_is_free(x, said, taken) for x in places):
            return f"{quantity} is {one.name}, and stands for something"
    return ""


def _is_free(place: Expr, said: Mapping[Expr, Sequence[Said]], taken: Collection[Expr]) -> bool:
    """Whether a place may be any one: nothing else explains it, nor more of a family than lengths."""
    speaking = [name for name in said if place.args and any(map(_has_head(place), preorder_traversal(name)))]
    return place not in taken and all(
        isinstance(name, inner) and all(map(_has_head(place), name.args)) and name.args[0] == name.args[1]
        for name in speaking
    )


def _has_head(place: Expr) -> Callable[[Any], bool]:
    return lambda node: bool(node.args) and head_of(node) == head_of(place)


def _told(leaf: Trust) -> Said:
    """At which places a leaf speaks of its extremes; None of its values is said."""
    statement = leaf.says if leaf.says is not None else sympy.true
    running = indices(statement, leaf.about)
    return Said(sympy.S.Zero, sympy.S.Zero, leaf.under | ranges_of(leaf, {}), frozenset(running))


def _is_largest(trust: Trust, quantity: Expr) -> bool:
    relations = sympy.And.make_args(trust.says) if trust.says is not None else ()
    return not any(one.lts == quantity for one in relations)


def _attained(trust: Trust, value: Expr) -> Iterator[Expr]:
    """The letters of a value that is one of those an extreme bounds, at another place.

    Such a letter may be one of a family, as a vector v(k) for each k.
    """
    relations = sympy.And.make_args(trust.says) if trust.says is not None else ()
    inside = value.free_symbols.union(*(one.atoms(Application) for one in value.args))
    for side in (side for one in relations for side in one.args if side not in trust.extremes):
        for x, y in product(inside, side.free_symbols):
            alike = getattr(x, "belongs_to", None) == getattr(y, "belongs_to", None)
            if alike and side.xreplace({y: x}) == value:
                yield x

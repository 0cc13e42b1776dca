"""Largest and least values that meanings name: each is one extreme, and attained if it is explained."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, product
from typing import TYPE_CHECKING

import sympy
from sympy import Expr

from theorems.engine.rules.common_places import indices
from theorems.engine.rules.names_explained import Said, are_one, ranges_of

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
        values = [
            what.value
            for name, told in said.items()
            for what in told
            if are_one(quantity, _told(one), name, what)
        ]
        places = {x for value in values for x in _attained(one, value)}
        if values and not places - taken:
            return f"{quantity} is {one.name}, and stands for something"
    return ""


def _told(leaf: Trust) -> Said:
    """At which places a leaf speaks of its extremes; None of its values is said."""
    statement = leaf.says if leaf.says is not None else sympy.true
    running = indices(statement, leaf.about)
    return Said(sympy.S.Zero, sympy.S.Zero, leaf.under | ranges_of(leaf, {}), frozenset(running))


def _is_largest(trust: Trust, quantity: Expr) -> bool:
    relations = sympy.And.make_args(trust.says) if trust.says is not None else ()
    return not any(one.lts == quantity for one in relations)


def _attained(trust: Trust, value: Expr) -> Iterator[Expr]:
    """The letters of a value that is one of those an extreme bounds, at another place."""
    relations = sympy.And.make_args(trust.says) if trust.says is not None else ()
    for side in (side for one in relations for side in one.args if side not in trust.extremes):
        for x, y in product(value.free_symbols, side.free_symbols):
            alike = getattr(x, "belongs_to", None) == getattr(y, "belongs_to", None)
            if alike and side.xreplace({y: x}) == value:
                yield x

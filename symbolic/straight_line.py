"""Expressions as straight-line programs: each node is computed once, after its arguments."""

from collections.abc import Callable
from typing import Any, TypeAlias

from sympy import Expr

#: What a node is, from the letters' values and from the nodes that were computed before it.
Step: TypeAlias = Callable[[Any, list[Any]], Any]
#: Where a node is computed, among all that are.
Place: TypeAlias = Callable[[Expr], int]


def steps_of(expression: Expr, step_of: Callable[[Expr, Place], Step]) -> list[Step]:
    """The steps that compute an expression; ``step_of`` makes that of a node, and asks for places.

    >>> x = Expr()
    >>> len(steps_of(x, lambda node, place: lambda values, done: values))
    1
    """
    steps: list[Step] = []
    places: dict[Expr, int] = {}

    def place(node: Expr) -> int:
        if node not in places:
            step = step_of(node, place)
            steps.append(step)
            places[node] = len(steps) - 1
        return places[node]

    place(expression)
    return steps


def computed(steps: list[Step], values: Any) -> Any:
    """What the last step gives, at these values of the letters."""
    done: list[Any] = []
    for step in steps:
        done.append(step(values, done))
    return done[-1]

"""A figure as data: the cases to compute, how to compute one, the table they make, the drawing.

A paper's figures are the values of type Figure in the module ``figures`` of its package; nothing
is registered by importing it.
"""

import difflib
import importlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from importlib.util import find_spec
from types import ModuleType
from typing import Any

from theorems.engine.errors import ClaimError

__all__ = ["Figure", "Row", "Size", "figures_of", "find_figure"]

Row = Mapping[str, str | int | float]
Case = Mapping[str, Any]


class Size(Enum):
    """How much a figure computes: seconds, or as much as the paper's."""

    SMALL = "small"
    PAPER = "paper"


@dataclass(frozen=True)
class Figure:
    """What ``theorems figure ID`` computes and draws.

    cases    the parts of the computation, plain data, for a size
    compute  one case and a random generator to plain data; a function of a module
    table    cases and their results to rows: all that is drawn, and what ``--data`` writes
    draw     rows onto a Matplotlib figure
    summary  rows to lines that say what came out in numbers
    """

    id: str
    title: str
    at: str
    claims: tuple[str, ...]
    cases: Callable[[Size], Sequence[Case]]
    compute: Callable[[Any, Any], Any]
    table: Callable[[Sequence[Case], Sequence[Any]], list[Row]]
    draw: Callable[[Sequence[Row], Any], None]
    summary: Callable[[Sequence[Row]], list[str]]


def figures_of(packages: Iterable[ModuleType]) -> dict[str, Figure]:
    """The figures of paper packages by id, in the order of their definition.

    Raises ClaimError for an id twice, or one that does not begin with the paper's prefix.
    """
    found: dict[str, Figure] = {}
    for package in packages:
        name = f"{package.__name__}.figures"
        if find_spec(name) is None:
            continue
        for one in vars(importlib.import_module(name)).values():
            if not isinstance(one, Figure):
                continue
            if not one.id.startswith(f"{package.PAPER.prefix}."):
                raise ClaimError(f"figure {one.id} does not begin with the prefix of its paper")
            if found.setdefault(one.id, one) is not one:
                raise ClaimError(f"two figures have the id {one.id}")
    return found


def find_figure(known: Mapping[str, Figure], identifier: str) -> Figure:
    """The figure of that id; KeyError with the nearest ids otherwise."""
    if identifier in known:
        return known[identifier]
    near = difflib.get_close_matches(identifier, known, n=3, cutoff=0.4)
    hint = f"; did you mean {', '.join(near)}?" if near else ""
    raise KeyError(f"no figure has the id {identifier!r}{hint}")

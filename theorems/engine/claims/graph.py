"""Claims by id in reading order, and what rests on what; of claims or of their records."""

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from graphlib import TopologicalSorter
from typing import Generic, Protocol, TypeVar

from theorems.engine.claims.paper import Paper

__all__ = ["ClaimGraph"]


class _Node(Protocol):
    """What the graph needs of a claim."""

    @property
    def id(self) -> str: ...
    @property
    def rests_on(self) -> tuple[str, ...]: ...
    @property
    def of(self) -> str | None: ...


Node = TypeVar("Node", bound=_Node)


@dataclass(frozen=True)
class ClaimGraph(Generic[Node]):
    """The papers, and their claims in reading order."""

    papers: tuple[Paper, ...]
    claims: Mapping[str, Node]

    def __getitem__(self, identifier: str) -> Node:
        """The claim of that id; an unknown id suggests the nearest ones, in small letters."""
        if identifier in self.claims:
            return self.claims[identifier]
        if identifier in {one.prefix for one in self.papers}:
            raise KeyError(f"{identifier} is a paper; `theorems list --paper {identifier}` has its claims")
        near = difflib.get_close_matches(identifier.lower(), self.claims, n=3, cutoff=0.4)
        hint = f"; did you mean {', '.join(near)}?" if near else ""
        raise KeyError(f"no claim has the id {identifier!r}{hint}")

    def with_ancestors(self, identifiers: Iterable[str]) -> list[str]:
        """The ids and all that they rest on, in reading order."""
        wanted: set[str] = set()
        stack = [self[identifier].id for identifier in identifiers]
        while stack:
            current = stack.pop()
            if current not in wanted:
                wanted.add(current)
                stack.extend(self.claims[current].rests_on)
        return [identifier for identifier in self.claims if identifier in wanted]

    def in_dependency_order(self) -> list[str]:
        """Ids such that each comes after what it rests on."""
        graph = {one.id: one.rests_on for one in self.claims.values()}
        return list(TopologicalSorter(graph).static_order())

    def standing_on(self, identifiers: Iterable[str]) -> set[str]:
        """The ids and all that rests on them, directly or not."""
        found: set[str] = set()
        stack = list(identifiers)
        while stack:
            current = stack.pop()
            if current not in found:
                found.add(current)
                stack.extend(self._above.get(current, ()))
        return found

    def dependants(self, identifier: str) -> list[str]:
        """The ids of the claims that rest directly on this one."""
        return list(self._above.get(identifier, ()))

    def about(self, identifier: str) -> list[Node]:
        """The corrections and sharpenings of a claim."""
        return list(self._about.get(identifier, ()))

    @cached_property
    def _above(self) -> dict[str, list[str]]:
        """For each claim those that rest directly on it, in reading order."""
        found: dict[str, list[str]] = {}
        for one in self.claims.values():
            for other in dict.fromkeys(one.rests_on):
                found.setdefault(other, []).append(one.id)
        return found

    @cached_property
    def _about(self) -> dict[str, list[Node]]:
        """For each claim its corrections and sharpenings."""
        found: dict[str, list[Node]] = {}
        for one in self.claims.values():
            if one.of is not None:
                found.setdefault(one.of, []).append(one)
        return found

    def under(self, identifier: str) -> list[str]:
        """The claim and its parts: every id that extends this one by a dot."""
        below = [one for one in self.claims if one.startswith(identifier + ".")]
        return ([identifier] if identifier in self.claims else []) + below

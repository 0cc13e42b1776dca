"""The contents of a paper: what it numbers, in its order, and what stands inside what."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import takewhile

from theorems.engine.claims.place import Place, places
from theorems.engine.errors import ClaimError

__all__ = ["Contents", "Heading"]


@dataclass(frozen=True)
class Heading:
    """A line of the contents: a place, its title if it has one, and how deep it stands."""

    place: Place
    title: str
    depth: int

    def __str__(self) -> str:
        return f"{self.place}: {self.title}" if self.title else str(self.place)


class Contents:
    """What a paper numbers, from an outline with a line each, indented below what contains it.

    A line is a place, with a colon and a title if the paper gives one.  An equation inside a
    proposition stands below it, so that all of a proposition is one question.

    >>> paper = Contents('''
    ... Section 1: Introduction
    ...   Theorem 1
    ...     Equation (1)
    ... Section 2: Proofs
    ... ''')
    >>> paper.contains(Place("Theorem", "1"), Place("Equation", "1", "left side"))
    True
    >>> [str(one) for one in paper]
    ['Section 1: Introduction', 'Theorem 1', 'Equation (1)', 'Section 2: Proofs']
    """

    def __init__(self, outline: str) -> None:
        self.outline = outline
        self._headings = list(_headings(outline))
        self._order = {one.place: number for number, one in enumerate(self._headings)}
        if len(self._order) < len(self._headings):
            seen = [one.place for one in self._headings]
            twice = next(one for one in seen if seen.count(one) > 1)
            raise ClaimError(f"{twice} stands twice in the contents")

    def __iter__(self) -> Iterator[Heading]:
        return iter(self._headings)

    def __contains__(self, place: Place) -> bool:
        return place.of in self._order

    def position(self, place: Place) -> float:
        """Where a place stands in the paper's order.

        What is before a thing comes before it, and what is after it after all that it contains.
        Raises ClaimError for a place that the contents do not have.
        """
        self._require(place)
        index = self._order[place.of]
        return {"before": index - 0.5, "after": self._last(index) + 0.5}.get(place.side, index)

    def _last(self, index: int) -> int:
        """The last heading inside of one."""
        depth = self._headings[index].depth
        inside = takewhile(lambda one: one.depth > depth, self._headings[index + 1 :])
        return index + sum(1 for _ in inside)

    def contains(self, outer: Place, inner: Place) -> bool:
        """Whether the inner place is the outer one, a part of it, or inside of it.

        What stands before or after a thing is not inside of it, but of what contains the thing.
        """
        self._require(outer)
        if outer.of == inner.of:
            return (not outer.part or outer.part == inner.part) and outer.side == inner.side
        return not (outer.part or outer.side) and outer in self.around(inner)

    def around(self, place: Place) -> list[Place]:
        """What a place stands in, from the widest on."""
        self._require(place)
        index = self._order[place.of]
        depth, found = self._headings[index].depth, []
        for one in reversed(self._headings[:index]):
            if one.depth < depth:
                depth = one.depth
                found.append(one.place)
        return found[::-1]

    def _require(self, place: Place) -> None:
        if place not in self:
            raise ClaimError(f"the contents have no {place.of}")


def _headings(outline: str) -> Iterator[Heading]:
    depth = -1
    for line in filter(str.strip, outline.splitlines()):
        spaces = len(line) - len(line.lstrip())
        name, _, title = line.strip().partition(": ")
        if spaces % 2 or spaces // 2 > depth + 1:
            told = f"{name} is indented by {spaces}; it must be by an even number"
            raise ClaimError(f"{told}, at most two more than the line above")
        depth = spaces // 2
        found = places(name)
        if len(found) != 1 or found[0] != found[0].of:
            raise ClaimError(f"{name!r} is no single numbered place")
        yield Heading(found[0], title, depth)

"""A paper's contents on a terminal: its headings in their order, and the claims at each."""

from collections.abc import Iterable, Mapping

from rich.table import Table
from rich.text import Text

from theorems.engine.claims.contents import Contents
from theorems.engine.claims.place import Place
from theorems.engine.claims.record import ClaimRecord
from theorems.engine.running.standing import Standing
from theorems.interface.tables import plain_table, verdict_cells

__all__ = ["contents_table", "standing_at"]


def standing_at(
    outline: Contents, claims: Iterable[ClaimRecord], place: Place | None
) -> list[ClaimRecord]:
    """The claims in the order of their places, or those one of whose places is in this one.

    Raises ClaimError for a place that the contents do not have.
    """
    found = [
        one
        for one in claims
        if place is None or any(outline.contains(place, each) for each in one.stands_at())
    ]
    return sorted(found, key=lambda one: outline.position(one.stands_at()[0]))


def contents_table(
    outline: Contents,
    claims: Iterable[ClaimRecord],
    place: Place | None,
    found: Mapping[str, Standing],
) -> Table:
    """Headings, indented as they stand in each other, and below each the claims whose place it is.

    A heading without claims is left out if one place was asked for.
    """
    at: dict[Place, list[ClaimRecord]] = {}
    for one in claims:
        at.setdefault(one.stands_at()[0].of, []).append(one)
    table = plain_table("place", "verdict", "grade", "title")
    for heading in outline:
        here = at.get(heading.place, [])
        if here or place is None:
            indent = "  " * heading.depth
            table.add_row(Text(f"{indent}{heading}", "bold"), "", "", "")
            for one in here:
                verdict, grade, _ = verdict_cells(found.get(one.id))
                table.add_row(f"{indent}  {one.id}", verdict, grade, Text(one.title))
    return table

"""A paper's contents on a terminal: its headings in their order, and the claims at each."""

import re
from collections.abc import Iterable, Mapping

from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from theorems.engine.claims.contents import Contents, Heading
from theorems.engine.claims.place import KINDS, Place, places
from theorems.engine.claims.record import ClaimRecord
from theorems.engine.errors import ClaimError
from theorems.engine.running.standing import Standing
from theorems.interface.tables import VERDICT_COLUMNS, entry, narrow_table, plain_table, verdict_cells

__all__ = ["contents_table", "place_asked", "standing_at"]

_SHORT = re.compile(r"(before |after )?([A-Za-z]+)\.? ?\(?([0-9A-Z]+(?:\.[0-9]+)*)?\)?(, .+)?")


def place_asked(text: str) -> Place:
    """The place that a reader types, whose kind may be cut short and in small letters.

    Raises ClaimError for what is no place, and for more than one.

    >>> [str(place_asked(one)) for one in ("prop 17", "Eq. 5", "thm 1, proof", "Lemma 3")]
    ['Proposition 17', 'Equation (5)', 'Theorem 1, proof', 'Lemma 3']
    """
    found = _SHORT.fullmatch(text.strip())
    if found is not None:
        side, kind, number, part = (one or "" for one in found.groups())
        begun = {"thm": "theorem"}.get(kind.lower(), kind.lower())
        kinds = [one for one in KINDS if one.lower().startswith(begun)]
        if len(kinds) == 1:
            shown = f"({number})" if kinds == ["Equation"] else number
            text = f"{side}{kinds[0]} {shown}".rstrip() + part
    asked = places(text)
    if len(asked) > 1:
        raise ClaimError(f"--at is one place, got {text!r}")
    return asked[0]


def standing_at(outline: Contents, claims: Iterable[ClaimRecord], place: Place | None) -> list[ClaimRecord]:
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
    found: Mapping[str, Standing] | None,
    width: int,
) -> Table:
    """Headings, indented as they stand in each other, and below each the claims whose place it is.

    A heading without claims is left out if one place was asked for, and the verdicts if none are
    known.  On a terminal of a small
    width the titles of claims stand below their ids.
    """
    at: dict[Place, list[ClaimRecord]] = {}
    for one in claims:
        at.setdefault(one.stands_at()[0].of, []).append(one)
    narrow = narrow_table(width, "place", {} if found is None else VERDICT_COLUMNS)
    verdicts = () if found is None else ("verdict", "grade")
    table = narrow or plain_table("place", *verdicts, "title")
    for heading in outline:
        here = at.get(heading.place, [])
        if here or place is None:
            table.add_row(_heading(heading))
            for one in here:
                cells = () if found is None else verdict_cells(found.get(one.id))[:2]
                indent = 2 * heading.depth + 2
                if narrow is not None:
                    narrow.add_row(entry(one.id, one.title, indent=indent), *cells)
                else:
                    table.add_row(" " * indent + one.id, *cells, Text(one.title))
    return table


def _heading(heading: Heading) -> Padding:
    return Padding(Text(str(heading), "bold"), (0, 0, 0, 2 * heading.depth), expand=False)

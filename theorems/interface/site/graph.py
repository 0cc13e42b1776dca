"""The graph of what rests on what, drawn as SVG whose boxes are links to the claims' pages.

Claims stand to the right of what they rest on; the order inside a column, which keeps crossings
few, is that of Sugiyama, Tagawa and Toda (1981), by igraph.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

import igraph
from markupsafe import Markup, escape

from theorems.engine.running.catalogue import Catalogue

__all__ = ["Box", "claim_graph", "neighbourhood", "paper_graph"]

_ROW, _HEIGHT, _MARGIN, _GAP = 27.0, 20.0, 8.0, 46.0
_SLACK = 1.25  # rows beside those of the fullest column, as a factor
_LETTER = 6.7  # points of width that a letter of a label takes, at most
Point = tuple[float, float]


@dataclass(frozen=True)
class Box:
    """A claim in a graph: its id, its label, what one reads when pointing at it, its colour."""

    id: str
    label: str
    title: str
    kind: str
    link: str
    here: bool = False


@dataclass(frozen=True)
class _Edge:
    start: str
    end: str
    about: bool = False


def paper_graph(known: Catalogue, prefix: str, boxes: Mapping[str, Box]) -> Markup:
    """The claims of a paper that rest on each other, or are about each other."""
    ids = [one.id for one in known.of_paper(prefix)]
    edges = list(_edges(known, ids))
    joined = {end for one in edges for end in (one.start, one.end)}
    return _drawn([boxes[one] for one in ids if one in joined], edges)


def alone(known: Catalogue, prefix: str) -> list[str]:
    """The claims of a paper that rest on none of its claims, with none resting on them."""
    ids = [one.id for one in known.of_paper(prefix)]
    joined = {end for one in _edges(known, ids) for end in (one.start, one.end)}
    return [one for one in ids if one not in joined]


def claim_graph(known: Catalogue, boxes: Mapping[str, Box]) -> Markup:
    """The boxes of a claim and its neighbours; nothing if it stands alone."""
    if len(boxes) < 2:
        return Markup()
    return _drawn(list(boxes.values()), list(_edges(known, boxes)))


def neighbourhood(known: Catalogue, identifier: str) -> list[str]:
    """The claim, what it rests on two steps down, its users, corrections and sharpenings."""
    found, below = {identifier}, {identifier}
    for _ in range(2):
        below = {other for one in below for other in known[one].rests_on}
        found |= below
    record = known[identifier]
    found |= {*known.dependants(identifier), *(one.id for one in known.about(identifier))}
    found |= {record.of} if record.of else set()
    return [one for one in known.claims if one in found]


def _edges(known: Catalogue, ids: Collection[str]) -> Iterator[_Edge]:
    inside = set(ids)
    for one in ids:
        record = known[one]
        yield from (_Edge(other, one) for other in record.rests_on if other in inside)
        if record.of in inside and record.of not in record.rests_on:
            yield _Edge(str(record.of), one, about=True)


def _drawn(boxes: list[Box], edges: list[_Edge]) -> Markup:
    """The parts of the graph that hang together, below each other."""
    width = max(len(one.label) for one in boxes) * _LETTER + 2 * _MARGIN
    places: dict[str, Point] = {}
    lines: list[Markup] = []
    top, right = _MARGIN, 0.0
    for part in _together([one.id for one in boxes], edges):
        inside = [one for one in edges if one.start in part]
        laid = _laid_out(part, inside, width + _GAP)
        highest = min(y for _, y in laid.values())
        laid = {one: (x, y - highest) for one, (x, y) in laid.items()}
        places |= {one: (x + _MARGIN, y + top) for one, (x, y) in laid.items()}
        lines += [_line(edge, places, width) for edge in inside]
        top += max(y for _, y in laid.values()) + _ROW + _MARGIN
        right = max(right, *(x for x, _ in laid.values()))
    size = f"{right + width + 2 * _MARGIN:.0f} {top:.0f}"
    across, down = size.split()
    body = Markup("").join([*lines, *(_box(one, places[one.id], width) for one in boxes)])
    return Markup(
        '<svg class="graph" role="img" xmlns="http://www.w3.org/2000/svg" width="{0}" height="{1}" '
        'viewBox="0 0 {2}"><defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" '
        'markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0 8 4 0 8z"/></marker></defs>'
        "{3}</svg>"
    ).format(across, down, size, body)


def _together(ids: list[str], edges: Iterable[_Edge]) -> list[list[str]]:
    """The connected parts, the largest first."""
    number = {one: place for place, one in enumerate(ids)}
    graph = igraph.Graph(len(ids), [(number[e.start], number[e.end]) for e in edges])
    parts = [[ids[place] for place in part] for part in graph.connected_components()]
    return sorted(parts, key=len, reverse=True)


def _laid_out(ids: list[str], edges: list[_Edge], column: float) -> dict[str, Point]:
    """Where the boxes of one part stand: each column in the order that keeps crossings few."""
    number = {one: place for place, one in enumerate(ids)}
    pairs = [(number[one.start], number[one.end]) for one in edges]
    layout = igraph.Graph(len(ids), pairs, directed=True).layout_sugiyama(maxiter=200)
    columns: dict[float, list[tuple[float, str]]] = {}
    for one, (place, layer) in zip(ids, layout, strict=True):
        columns.setdefault(layer, []).append((place, one))
    least, most = min(place for place, _ in layout), max(place for place, _ in layout)
    rows = _SLACK * max(map(len, columns.values()))
    scale = min(1.0, rows / (most - least + 1))
    return {
        one: (layer * column, row * _ROW)
        for layer, some in columns.items()
        for one, row in _spread([((place - least) * scale, one) for place, one in some])
    }


def _spread(wanted: list[tuple[float, str]]) -> list[tuple[str, float]]:
    """Rows at least one apart, near those that are wanted and in their order."""
    ordered = sorted(wanted)
    rows: list[float] = []
    for number, (row, _) in enumerate(ordered):
        rows.append(max(row, rows[-1] + 1) if number else row)
    beyond = max(0.0, rows[-1] - max(ordered[-1][0], len(ordered) - 1))
    last = rows[-1] - beyond
    for number in reversed(range(len(rows))):
        rows[number] = min(rows[number], last)
        last = rows[number] - 1
    return [(one, row) for (_, one), row in zip(ordered, rows, strict=True)]


def _line(edge: _Edge, places: Mapping[str, Point], width: float) -> Markup:
    """A curve from the right side of a box to the left side of another one."""
    (x0, y0), (x1, y1) = places[edge.start], places[edge.end]
    x0, y0, y1 = x0 + width, y0 + _HEIGHT / 2, y1 + _HEIGHT / 2
    bend = max(24.0, min(90.0, (x1 - x0) / 2))
    path = f"M{x0:.0f} {y0:.1f}C{x0 + bend:.0f} {y0:.1f} {x1 - bend:.0f} {y1:.1f} {x1:.0f} {y1:.1f}"
    kind = "about" if edge.about else "rests"
    return Markup('<path class="{}" d="{}" marker-end="url(#tip)"/>').format(kind, path)


def _box(one: Box, place: Point, width: float) -> Markup:
    x, y = place
    return Markup(
        '<a href="{}" class="{}{}"><title>{}</title><rect x="{:.0f}" y="{:.1f}" width="{:.0f}" '
        'height="{:.0f}" rx="4"/><text x="{:.0f}" y="{:.1f}">{}</text></a>'
    ).format(
        one.link,
        one.kind,
        " here" if one.here else "",
        escape(one.title),
        x,
        y,
        width,
        _HEIGHT,
        x + width / 2,
        y + _HEIGHT / 2 + 4,
        one.label,
    )

"""Drawings of distances between kernels from their tables, on a Matplotlib figure."""

from collections.abc import Sequence
from typing import Any

from theorems.infinite_attention.figures.layers import WIDE
from theorems.interface.figure import Row


def draw_nngp(rows: Sequence[Row], canvas: Any) -> None:
    """Distances by heads, for three maps of scores and for narrow queries and keys."""
    maps, widths = canvas.subplots(1, 2, sharey=True)
    wide = [row for row in rows if row["score_dim"] == WIDE]
    for zeta in dict.fromkeys(row["zeta"] for row in wide):
        _curve(maps, [row for row in wide if row["zeta"] == zeta], "heads", str(zeta))
    relu = [row for row in rows if row["zeta"] == "relu"]
    for width in dict.fromkeys(row["score_dim"] for row in relu):
        label = r"$d^G = \infty$" if width == WIDE else f"$d^G = {width}$"
        _curve(widths, [row for row in relu if row["score_dim"] == width], "heads", label)
    for axes, title in ((maps, r"maps $\zeta$, $d^G = \infty$"), (widths, "ReLU, by width")):
        _falling(axes, wide, "heads")
        axes.set(xlabel="number of heads", title=title)
        axes.legend()
    maps.set_ylabel("squared distance, relative")


def draw_ntk(rows: Sequence[Row], canvas: Any) -> None:
    """Distances by the number of heads alone, and by all widths together."""
    panels = canvas.subplots(1, 2, sharey=True)
    for axes, kind, title in zip(
        panels, ("heads", "all"), ("heads alone grow", "all widths grow"), strict=True
    ):
        mine = [row for row in rows if row["kind"] == kind]
        for zeta in dict.fromkeys(row["zeta"] for row in mine):
            _curve(axes, [row for row in mine if row["zeta"] == zeta], "width", str(zeta))
        _falling(axes, mine, "width")
        axes.set(xlabel="width", title=title)
        axes.legend()
    panels[0].set_ylabel("squared distance, relative")


def _curve(axes: Any, rows: Sequence[Row], x: str, label: str) -> None:
    axes.loglog([row[x] for row in rows], [row["distance"] for row in rows], "o-", ms=3, label=label)


def _falling(axes: Any, rows: Sequence[Row], x: str) -> None:
    """A line that falls as one over the width, from the first point."""
    places = sorted({float(row[x]) for row in rows})
    start = float(rows[0]["distance"])
    heights = [start * places[0] / place for place in places]
    axes.loglog(places, heights, "k--", lw=1, label="exponent $-1$")

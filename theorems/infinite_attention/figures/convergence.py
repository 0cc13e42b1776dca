"""Figures of Theorems 3 and 18: how far kernels of finite width are from their limits.

Distances are those of Equation (15), means over draws from the exact law of the layer. What only
the heads make falls as one over their number; what queries and keys of finite width make stays.
"""

from collections.abc import Mapping, Sequence
from math import log, log10
from typing import Any

import numpy as np

from numeric.networks.multi_head import sample_multi_head, sample_tangent_parts
from theorems.infinite_attention.figures.drawings import draw_nngp, draw_ntk
from theorems.infinite_attention.figures.layers import (
    FACTORS,
    WIDE,
    finite_layer,
    input_kernels,
    limits,
    relative_distances,
)
from theorems.interface.figure import Figure, Row, Size

Rng = np.random.Generator
Case = Mapping[str, Any]

_ZETAS = ("identity", "relu", "softmax")
_NARROW = (1, 4, 16)


def nngp_cases(size: Size) -> list[Case]:
    """Three maps of scores with infinitely wide queries, and ReLU with narrow ones."""
    most, draws, limit_draws = (4096, 64, 10**6) if size is Size.PAPER else (256, 32, 10**5)
    settings = [(zeta, WIDE) for zeta in _ZETAS] + [("relu", width) for width in _NARROW]
    return [
        {"zeta": zeta, "score_dim": width, "heads": most, "draws": draws, "limit": limit_draws}
        for zeta, width in settings
    ]


def nngp_distances(case: Case, rng: Rng) -> list[dict[str, float]]:
    """Mean distances for 1, 4, 16, ... heads, which are means over groups of the same heads."""
    most = case["heads"]
    limit = limits(case["zeta"], rng, case["limit"]).nngp
    layer = finite_layer(case["zeta"], 1, case["score_dim"], WIDE)
    draws = sample_multi_head(FACTORS, layer, WIDE, 1, rng, most * case["draws"])
    single = draws.output_covariances
    found, heads = [], 1
    while heads <= most:
        groups = single.reshape(-1, heads, *single.shape[1:]).mean(axis=1)
        found.append({"heads": heads, "distance": float(relative_distances(groups, limit).mean())})
        heads *= 4
    return found


def ntk_cases(size: Size) -> list[Case]:
    """Heads alone, or all widths together, for three maps of scores."""
    widths, effort = ((4, 16, 64, 256, 1024), 40000) if size is Size.PAPER else ((4, 16, 64), 2000)
    return [
        {"zeta": zeta, "kind": kind, "width": width, "draws": max(40, effort // width), "limit": 5 * effort}
        for zeta in _ZETAS
        for kind in ("heads", "all")
        for width in widths
    ]


def ntk_distances(case: Case, rng: Rng) -> float:
    """The mean distance of the tangent kernel of one output from its limit."""
    n = case["width"]
    others = WIDE if case["kind"] == "heads" else n
    layer = finite_layer(case["zeta"], n, others, others)
    below = input_kernels()
    if below.ntk is None:
        raise TypeError("the inputs have a tangent kernel")
    parts = sample_tangent_parts(FACTORS, layer, others, 1, below.ntk, rng, case["draws"])
    limit = limits(case["zeta"], rng, case["limit"]).ntk
    return float(relative_distances(parts.total[..., 0, 0], np.asarray(limit)).mean())


def nngp_table(cases: Sequence[Case], results: Sequence[Any]) -> list[Row]:
    """A row for each map, width of queries and keys, and number of heads."""
    return [
        {"zeta": case["zeta"], "score_dim": case["score_dim"], **one}
        for case, found in zip(cases, results, strict=True)
        for one in found
    ]


def ntk_table(cases: Sequence[Case], results: Sequence[Any]) -> list[Row]:
    """A row for each map, kind of growth and width."""
    return [
        {"zeta": case["zeta"], "kind": case["kind"], "width": case["width"], "distance": found}
        for case, found in zip(cases, results, strict=True)
    ]


def _told(rows: Sequence[Row], by: Sequence[str], x: str) -> list[str]:
    """For each curve the first and the last distance, and the exponent between the last two."""
    lines = []
    for key in dict.fromkeys(tuple(row[name] for name in by) for row in rows):
        mine = [row for row in rows if tuple(row[name] for name in by) == key]
        first, before, last = mine[0], mine[-2], mine[-1]
        fall = log(float(last["distance"]) / float(before["distance"]))
        exponent = fall / log(float(last[x]) / float(before[x]))
        named = ", ".join(f"{name} = {value}" for name, value in zip(by, key, strict=True))
        ends = (f"{log10(float(one['distance'])):.2f} at {x} {one[x]}" for one in (first, last))
        lines.append(f"{named}: log10 distance {', '.join(ends)}; last exponent {exponent:.2f}")
    return lines


NNGP_FIGURE = Figure(
    "inf.thm3",
    "The kernel of finitely many heads and its limit",
    "Theorem 3; Equation (15)",
    ("inf.thm3", "inf.thm3.kernel.corrected", "inf.eq15"),
    nngp_cases,
    nngp_distances,
    nngp_table,
    draw_nngp,
    lambda rows: _told(rows, ("zeta", "score_dim"), "heads"),
)
NTK_FIGURE = Figure(
    "inf.thm18",
    "The tangent kernel of finite width and its limit",
    "Theorem 18; Equation (15)",
    ("inf.thm18", "inf.thm18.structure", "inf.lem19.rate", "inf.eq15"),
    ntk_cases,
    ntk_distances,
    ntk_table,
    draw_ntk,
    lambda rows: _told(rows, ("zeta", "kind"), "width"),
)

"""Drawings of the paper's figures from their tables, on a Matplotlib figure that is handed in."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from numeric.arguments import Floats
from theorems.interface.figure import Row


def _curve(rows: Sequence[Row], x: str, **told: Any) -> tuple[Floats, Floats]:
    mine = [row for row in rows if all(row.get(key) == value for key, value in told.items())]
    return np.array([float(r[x]) for r in mine]), np.array([float(r["value"]) for r in mine])


def draw_divergences(rows: Sequence[Row], canvas: Any) -> None:
    """Densities by width with that of the limit, and log divergences with their floor."""
    densities, divergences = canvas.subplots(1, 2)
    widths = list(dict.fromkeys(row["n"] for row in rows))
    for width in widths:
        curve = _curve(rows, "y", kind="density", n=width)
        densities.plot(*curve, "--", lw=1, label=f"$n = {width}$")
    densities.plot(*_curve(rows, "y", kind="limit", n=widths[-1]), "k", lw=1, label="limit")
    densities.set(xlabel="$y$", title="density of an output", xlim=(-3, 3))
    densities.legend()
    found = [row for row in rows if row["kind"] == "divergence"]
    n: Floats = np.array([float(row["n"]) for row in found])
    for kind, words in (
        ("divergence", "means of Gaussian densities"),
        ("smoothed", "kernel density estimates"),
        ("floor", "the same of the limit itself"),
    ):
        mean, deviation = (np.array([float(row[name]) for row in found]) for name in (kind, f"{kind}_sd"))
        divergences.errorbar(n, mean, deviation, marker="o", ms=3, capsize=2, label=words)
    falling = float(found[0]["divergence"]) - 2 * np.log(n / n[0])
    divergences.plot(n, falling, "k--", lw=1, label="$n^{-2}$")
    divergences.set_xscale("log", base=4)
    divergences.set(xlabel="$n$", title="log KL divergence from the limit")
    divergences.legend()


def draw_histograms(rows: Sequence[Row], canvas: Any) -> None:
    """Scores under both scalings, and outputs of one and of many heads."""
    scores, outputs = canvas.subplots(1, 2)
    for kind, words in (("linear", "divided by $n$"), ("root", r"divided by $\sqrt{n}$")):
        scores.step(*_curve(rows, "at", what="score", kind=kind), where="mid", label=words)
    scores.plot(*_curve(rows, "at", what="score", kind="limit"), "k", lw=1, label="limit")
    scores.set(xlabel="$p$", title="density of a score", ylim=(0, 1))
    scores.legend()
    for heads in dict.fromkeys(row["heads"] for row in rows if row["what"] == "output"):
        told = {"what": "output", "heads": heads}
        (line,) = outputs.plot(*_curve(rows, "at", kind="limit", **told), label=f"limit, $H = {heads}$")
        finite = _curve(rows, "at", kind="density", **told)
        outputs.plot(*finite, "--", color=line.get_color(), label=f"$n = 256$, $H = {heads}$")
    outputs.plot(*_curve(rows, "at", kind="infinite_heads", heads=1), "k", lw=1, label="$H = \\infty$")
    outputs.set(xlabel="$y$", title="density of an output", xlim=(-3, 3))
    outputs.legend()

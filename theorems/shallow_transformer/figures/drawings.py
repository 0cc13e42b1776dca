"""Drawings of the paper's figures from their tables, on a Matplotlib figure that is handed in."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from numeric.arguments import Floats
from theorems.interface.figure import Row

_NAMES = {
    "independent": "independent directions",
    "coherent": "directions that add up",
    "approximation": "$\\sup_j|f_{lin} - \\tilde y|$",
    "training": "smallest loss",
}
_PANELS = {
    "linearisation error": ("independent", "coherent"),
    "approximation error": ("approximation",),
    "training loss": ("training",),
}
_COLOURS = ("tab:blue", "tab:orange")


def _columns(rows: Sequence[Row], key: str, value: str, *names: str) -> list[Floats]:
    mine = [row for row in rows if row[key] == value]
    return [np.array([float(row[name]) for row in mine]) for name in names]


def draw_widths(rows: Sequence[Row], canvas: Any) -> None:
    """Three panels in logarithms: means with intervals, medians as dots, m^(−1/2) dashed."""
    for axes, (title, kinds) in zip(canvas.subplots(1, 3), _PANELS.items(), strict=True):
        for kind, colour in zip(kinds, _COLOURS, strict=False):
            m, mean, low, high, median, slope = _columns(
                rows, "kind", kind, "m", "mean", "low", "high", "median", "slope"
            )
            axes.loglog(m, mean, color=colour, label=f"{_NAMES[kind]}: $m^{{{slope[0]:.2f}}}$")
            axes.fill_between(m, np.maximum(low, mean / 100), high, alpha=0.2, color=colour)
            axes.loglog(m, median, "o", ms=3, color=colour)
        axes.loglog(m, mean[0] * np.sqrt(m[0] / m), "k--", lw=1, label="$m^{-1/2}$")
        axes.minorticks_off()
        axes.set_xticks(m, [f"{one:.0f}" for one in m])
        axes.set(xlabel="$m$", title=title)
        axes.set_ylim(bottom=axes.get_ylim()[0] / 3)  # room for the legend
        axes.legend(loc="lower left")


def draw_lags(rows: Sequence[Row], canvas: Any) -> None:
    """Largest norms (in logarithms, medians as dots) and smallest losses, with intervals."""
    upper, lower = canvas.subplots(1, 2)
    for network, colour in zip(("recurrent", "transformer"), _COLOURS, strict=True):
        lag, norm, median, loss, reach = _columns(
            rows, "network", network, "lag", "norm", "norm_median", "loss", "loss_reach"
        )
        name = "IndRNN" if network == "recurrent" else "transformer"
        upper.semilogy(lag, norm, color=colour, label=name)
        upper.semilogy(lag, median, "o", ms=3, color=colour)
        lower.plot(lag, loss, color=colour, label=name)
        lower.fill_between(lag, loss - reach, loss + reach, alpha=0.2, color=colour)
    for level, words in ((0.1, "noise"), (10 / 19, "zero predictor")):
        lower.axhline(level, color="k", ls="--", lw=1, label=words)
    upper.set(xlabel="lag $L$", title="largest norm of the mean Jacobian: mean, median")
    lower.set(xlabel="lag $L$", title="smallest validation loss")
    upper.legend()
    lower.legend()

"""Drawings of the chapter's figures from their tables, on a Matplotlib figure that is handed in."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from numeric.arguments import Floats
from theorems.interface.figure import Row

NAMES = {"squares": "$\\gamma_k = k^2$", "linear": "$\\gamma_k = k$", "constant": "$\\gamma_k = 1$"}
COLOURS = {"squares": "tab:blue", "linear": "tab:orange", "constant": "tab:green"}


def _columns(rows: Sequence[Row], pattern: str, *names: str) -> list[Floats]:
    mine = [row for row in rows if row["pattern"] == pattern]
    return [np.array([float(row[name]) for row in mine]) for name in names]


def draw_errors(rows: Sequence[Row], canvas: Any) -> None:
    """Means with bands of a standard deviation; and the deviations in logarithms."""
    left, right = canvas.subplots(1, 2)
    wanted = ("layer", "mean", "deviation", "predicted_mean", "predicted_deviation", "slope")
    for pattern in reversed(NAMES):
        layers, mean, deviation, bias, expected, slope = _columns(rows, pattern, *wanted)
        how = {"color": COLOURS[pattern]}
        left.plot(layers, mean, label=NAMES[pattern], **how)
        left.fill_between(layers, mean - deviation, mean + deviation, alpha=0.2, **how)
        left.plot(layers, bias, "--", lw=1, **how)
        label = f"{NAMES[pattern]}: slope {slope[0]:.2f}"
        right.loglog(layers[1:], deviation[1:], "o", ms=3, label=label, **how)
        right.loglog(layers[1:], expected[1:], "--", lw=1, **how)
    left.set(xlabel="layer $k$", ylabel="$w_k - \\omega^{k-1}(w_1)$", title="mean ± deviation")
    right.set(xlabel="layer $k$", ylabel="standard deviation", title="dashed: first order in 1/m")
    right.minorticks_off()
    right.set_xticks([2, 4, 8, 16, 32], ["2", "4", "8", "16", "32"])
    left.legend()
    right.legend()


def draw_ntk_errors(rows: Sequence[Row], canvas: Any) -> None:
    """Mean errors with three standard errors, and the fitted power."""
    axes = canvas.subplots()
    units, errors, reach = (
        np.array([float(row[name]) for row in rows]) for name in ("m", "error", "standard_error")
    )
    slope, low, high, factor = (
        float(rows[0][name]) for name in ("slope", "slope_low", "slope_high", "factor")
    )
    axes.errorbar(units, errors, 3 * reach, fmt="o", ms=4, capsize=3, label="mean error")
    label = f"$m^{{{slope:.3f}}}$, 99 % interval [{low:.3f}, {high:.3f}]"
    axes.plot(units, factor * units**slope, "--", label=label)
    axes.set(xscale="log", yscale="log", xlabel="$m$", ylabel="$\\|K - \\tilde K\\|/l$")
    axes.minorticks_off()
    axes.set_xticks(units, [f"{m:.0f}" for m in units])
    axes.set_title(f"depth {rows[0]['depth']}, $m_k = k^2m$")
    axes.legend()


def draw_norms(rows: Sequence[Row], canvas: Any) -> None:
    """Bands of a standard deviation around 1; and the deviations beside their prediction."""
    left, right = canvas.subplots(1, 2)
    wanted = ("layer", "mean", "deviation", "predicted_deviation")
    for pattern in reversed(NAMES):
        layers, mean, deviation, expected = _columns(rows, pattern, *wanted)
        how = {"color": COLOURS[pattern]}
        left.plot(layers, mean, label=NAMES[pattern], **how)
        left.fill_between(layers, mean - deviation, mean + deviation, alpha=0.2, **how)
        right.plot(layers, deviation, "o", ms=3, label=NAMES[pattern], **how)
        right.plot(layers, expected, "--", lw=1, **how)
    left.set(xlabel="layer $k$", ylabel="$|x_k|/|x_1|$", title="mean ± deviation")
    right.set(xlabel="layer $k$", ylabel="standard deviation", title="dashed: first order in 1/m")
    left.legend()
    right.legend()

"""Figures 1 and 2, computed anew; what the paper leaves open is said in the modules of the sweeps.

Nothing here is evidence: the claims named by each figure have their own.
"""

from collections.abc import Mapping, Sequence
from math import sqrt
from typing import Any

import numpy as np

from numeric.arguments import Floats
from numeric.statistics.tails import quantile
from theorems.interface.figure import Figure, Row, Size
from theorems.shallow_transformer.figures.drawings import draw_lags, draw_widths
from theorems.shallow_transformer.figures.lag_sweep import compare
from theorems.shallow_transformer.figures.width_sweep import WIDTHS, errors_by_width

Rng = np.random.Generator
Case = Mapping[str, Any]

KINDS = ("independent", "coherent", "approximation", "training")
NETWORKS = ("recurrent", "transformer")
_ALPHA = 0.05  # of the intervals, as in the paper


# Figure 1


def width_cases(size: Size) -> list[Case]:
    """One case for each seed, with all widths: data are shared by the students of a seed."""
    small = size is Size.SMALL
    n, steps, pool, seeds = (200, 300, 2048, 5) if small else (5000, 4000, 8192, 10)
    return [{"n": n, "steps": steps, "pool": pool, "repeat": k} for k in range(seeds)]


def compute_widths(case: Case, rng: Rng) -> dict[str, list[float]]:
    """The errors of one seed by kind, over the widths."""
    return errors_by_width(case["n"], case["pool"], case["steps"], rng)


def width_table(cases: Sequence[Case], results: Sequence[Any]) -> list[Row]:
    """Mean, interval and median by kind and width; slopes in logarithms, one for each seed."""
    rows: list[Row] = []
    for kind in KINDS:
        errors = np.array([one[kind] for one in results])
        slopes = [float(np.polyfit(np.log(WIDTHS), np.log(one), 1)[0]) for one in errors]
        slope, reach = _interval(slopes)
        for place, m in enumerate(WIDTHS):
            mean, half = _interval(errors[:, place])
            rows.append(
                {
                    "kind": kind,
                    "m": m,
                    "mean": mean,
                    "low": mean - half,
                    "high": mean + half,
                    "median": float(np.median(errors[:, place])),
                    "slope": slope,
                    "slope_low": slope - reach,
                    "slope_high": slope + reach,
                    "steps": cases[0]["steps"],
                }
            )
    return rows


def _interval(values: Sequence[float] | Floats) -> tuple[float, float]:
    """The mean and the half-width of Student's 95 % interval."""
    error = float(np.std(values, ddof=1)) / sqrt(len(values))
    return float(np.mean(values)), quantile(_ALPHA / 2, len(values) - 1) * error


def width_summary(rows: Sequence[Row]) -> list[str]:
    """The fitted exponents."""
    first = {str(row["kind"]): row for row in reversed(rows)}
    return [
        f"{kind}: m^{first[kind]['slope']:.3f}, 95 % interval [{first[kind]['slope_low']:.3f}, "
        f"{first[kind]['slope_high']:.3f}]"
        for kind in KINDS
    ]


# Figure 2


def lag_cases(size: Size) -> list[Case]:
    """One case for each lag and seed, both networks on the same data."""
    small = size is Size.SMALL
    n, steps, seeds = (300, 200, 4) if small else (5000, 2000, 20)
    lags = (2, 8, 32) if small else (4, 8, 16, 32, 64)
    return [{"lag": lag, "n": n, "steps": steps, "repeat": k} for lag in lags for k in range(seeds)]


def compute_lag(case: Case, rng: Rng) -> dict[str, list[float]]:
    """Largest norm of the mean Jacobian and smallest validation loss, by network."""
    return compare(case["lag"], case["n"], case["steps"], rng)


def lag_table(cases: Sequence[Case], results: Sequence[Any]) -> list[Row]:
    """Means and intervals over seeds, by network and lag."""
    rows: list[Row] = []
    for network in NETWORKS:
        for lag in dict.fromkeys(case["lag"] for case in cases):
            found = np.array(
                [one[network] for case, one in zip(cases, results, strict=True) if case["lag"] == lag]
            )
            norm, norm_reach = _interval(found[:, 0])
            loss, loss_reach = _interval(found[:, 1])
            rows.append(
                {
                    "network": network,
                    "lag": lag,
                    "norm": norm,
                    "norm_median": float(np.median(found[:, 0])),
                    "norm_reach": norm_reach,
                    "loss": loss,
                    "loss_reach": loss_reach,
                }
            )
    return rows


def lag_summary(rows: Sequence[Row]) -> list[str]:
    """Both measures at every lag."""
    return [
        f"{row['network']}, L = {row['lag']}: largest norm {row['norm']:.3g} ± "
        f"{row['norm_reach']:.2g} (median {row['norm_median']:.3g}), smallest loss "
        f"{row['loss']:.3f} ± {row['loss_reach']:.3f}"
        for row in rows
    ]


FIGURE_ONE = Figure(
    "st.fig1",
    "Errors of students against their width",
    "Figure 1",
    (
        "st.exp.linearisation",
        "st.exp.linearisation.independent.corrected",
        "st.fig1.approximation",
        "st.fig1.training",
        "st.fig1.training.floor",
    ),
    *(width_cases, compute_widths, width_table, draw_widths, width_summary),
)
FIGURE_TWO = Figure(
    "st.fig2",
    "IndRNN and transformer on AR(L), T = L + 1",
    "Figure 2",
    ("st.fig2.noise_floor", "st.fig2.window", "st.prop2.growth"),
    *(lag_cases, compute_lag, lag_table, draw_lags, lag_summary),
)

"""Figures 1, 3, 4 and 5: densities of an output at finite width, and divergences from the limit.

Densities are means of Gaussian densities over draws of their variances, and the draws at finite
width share the normals of the scores with those of the limit: so the divergence at width 1024 is
seen with an error of a few per cent.  Beside it stands what the paper's estimator sees, a kernel
density estimate from draws of the output, and its floor: what it sees of the limit itself.
"""

from collections.abc import Mapping, Sequence
from math import log, sqrt
from typing import Any

import numpy as np

from numeric.arguments import Floats
from numeric.gaussian_mixtures import kullback_leibler, mixture_density
from numeric.statistics.tails import quantile
from theorems.attention_limit.figures.drawings import draw_divergences
from theorems.attention_limit.sampling.outputs import GRID, STEP, Setting
from theorems.interface.figure import Figure, Row, Size

Rng = np.random.Generator
Case = Mapping[str, Any]

_ALPHA = 0.05  # of the intervals
_WIDTHS = (16, 64, 256, 1024)


def _cases(settings: Sequence[Setting], samples: int, size: Size) -> list[Case]:
    """Each setting in ten trials, as in the paper, or in three small ones."""
    draws, trials = (samples, 10) if size is Size.PAPER else (samples // 10, 3)
    return [{**vars(one), "samples": draws, "repeat": k} for one in settings for k in range(trials)]


def compute(case: Case, rng: Rng) -> dict[str, Any]:
    """Densities at this width and in the limit, and three divergences, of one trial."""
    names = ("n", "heads", "rows", "tokens", "activation")
    setting, size = Setting(**{name: case[name] for name in names}), case["samples"]
    seed, other = (int(rng.integers(2**62)) for _ in range(2))
    variances, limits = setting.variances(seed, size), setting.limit_variances(seed, size)
    density, limit = (mixture_density(GRID, one) for one in (variances, limits))
    low_rank = setting.limit_variances(seed, size, setting.rows)
    fresh = setting.limit_variances(other, size)
    return {
        "density": density,
        "limit": limit,
        "divergence": kullback_leibler(density, limit, STEP),
        "fixed_rows": kullback_leibler(mixture_density(GRID, low_rank), limit, STEP),
        "smoothed": kullback_leibler(_smoothed(variances, rng), limit, STEP),
        "floor": kullback_leibler(_smoothed(fresh, rng), limit, STEP),
    }


def _smoothed(variances: Floats, rng: Rng) -> Floats:
    """A kernel density estimate from a draw of the output for each variance."""
    from scipy.stats import gaussian_kde  # noqa: PLC0415 - slow to import

    draws = np.sqrt(variances) * rng.standard_normal(variances.shape)
    return np.asarray(gaussian_kde(draws)(GRID))


def table(cases: Sequence[Case], results: Sequence[Any]) -> list[Row]:
    """Densities of the first trial; means and deviations of log divergences by width."""
    rows: list[Row] = []
    for n in dict.fromkeys(case["n"] for case in cases):
        found = [one for case, one in zip(cases, results, strict=True) if case["n"] == n]
        case = next(one for one in cases if one["n"] == n)
        for kind in ("density", "limit"):
            rows += [
                {"kind": kind, "n": n, "y": float(y), "value": float(value)}
                for y, value in zip(GRID, found[0][kind], strict=True)
            ]
        row: dict[str, Any] = {"kind": "divergence", "n": n, "heads": case["heads"]}
        for kind in ("divergence", "smoothed", "floor", "fixed_rows"):
            logs = [log(max(one[kind], np.finfo(float).tiny)) for one in found]
            row |= {kind: float(np.mean(logs)), f"{kind}_sd": float(np.std(logs, ddof=1))}
        rows.append({**row, **_slope(cases, results, n)})
    return rows


def _slope(cases: Sequence[Case], results: Sequence[Any], n: int) -> dict[str, float]:
    """The exponent of the width between the one before and this, with its interval."""
    logs = {(case["n"], case["repeat"]): log(max(one["divergence"], 1e-300)) for case, one in
            zip(cases, results, strict=True)}  # fmt: skip
    before = max((width for width, _ in logs if width < n), default=None)
    if before is None:
        return {"slope": float("nan"), "slope_reach": float("nan")}
    found = [
        (value - logs[before, trial]) / log(n / before)
        for (width, trial), value in logs.items()
        if width == n
    ]
    error = float(np.std(found, ddof=1)) / sqrt(len(found))
    return {"slope": float(np.mean(found)), "slope_reach": quantile(_ALPHA / 2, len(found) - 1) * error}


def summary(rows: Sequence[Row]) -> list[str]:
    """Divergences and exponents by width."""
    lines = []
    for row in rows:
        if row["kind"] == "divergence":
            told = f"n = {row['n']}, H = {row['heads']}: log KL {row['divergence']:.2f} ± "
            told += f"{row['divergence_sd']:.2f}; from a kernel estimate {row['smoothed']:.2f}, "
            told += f"whose floor is {row['floor']:.2f}; {_FIXED} {row['fixed_rows']:.2f}"
            if row["slope"] == row["slope"]:
                told += f"; the exponent of n is {row['slope']:.2f} ± {row['slope_reach']:.2f}"
            lines.append(told)
    return lines


_FIXED = "of the limit at the same number of rows"
_LOW_RANK = ((64, 1), (256, 4), (1024, 16))
_HEAD_DIMENSION = 64


def _figure(
    name: str, title: str, claims: tuple[str, ...], settings: Sequence[Setting], samples: int
) -> Figure:
    return Figure(
        f"attn.{name}",
        title,
        f"Figure {name[-1]}",
        claims,
        lambda size: _cases(settings, samples, size),
        *(compute, table, draw_divergences, summary),
    )


FIGURE_ONE = _figure(
    "fig1",
    "Output of two heads at finite width and in the limit",
    ("attn.fig1", "attn.fig1.rate", "attn.fig1.floor"),
    [Setting(n, 2, n) for n in _WIDTHS],
    50_000,
)
FIGURE_THREE = _figure(
    "fig3",
    "Output of heads of dimension 64, whose number grows with the width",
    ("attn.fig3",),
    [Setting(n, heads, _HEAD_DIMENSION) for n, heads in _LOW_RANK],
    50_000,
)
FIGURE_FOUR = _figure(
    "fig4",
    "Output of two heads over eight tokens",
    ("attn.fig4",),
    [Setting(n, 2, n, tokens=8) for n in _WIDTHS],
    50_000,
)
FIGURE_FIVE = _figure(
    "fig5",
    "Output of two heads for inputs behind a ReLU",
    ("attn.fig5",),
    [Setting(n, 2, n, activation="relu") for n in _WIDTHS],
    100_000,
)

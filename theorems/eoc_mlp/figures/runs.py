"""The chapter's figures, with random inputs for the paper's images; predictions beside them.

Networks have φ(s) = |s|. Nothing here is evidence: the claims named by each figure have their own.
"""

from collections.abc import Mapping, Sequence
from math import sqrt
from typing import Any

import numpy as np

from numeric.arguments import Floats
from numeric.cosine_maps import limiting_ntk, omega
from numeric.inverse_distance_errors import error_moments
from numeric.networks import sample_ntk
from numeric.networks.forward_law import sample_forward
from numeric.statistics import slope_test
from numeric.statistics.tails import quantile
from theorems.eoc_mlp.figures.drawings import draw_errors, draw_norms, draw_ntk_errors
from theorems.eoc_mlp.one_layer.widths.figure_1.first_order_law import PATTERNS
from theorems.interface.figure import Figure, Row, Size

Rng = np.random.Generator
Case = Mapping[str, Any]

LAYERS, PIXELS = 32, 784
#: Inputs have pixels N(4/5, 1), so that cosines are about 0.39, as between images.
MEAN = 0.8
COSINE = MEAN**2 / (1 + MEAN**2)
_FITTED = slice(7, LAYERS)  # layers 8 to 32
_ALPHA = 0.01  # of the intervals


# Figure 1


def error_cases(size: Size) -> list[Case]:
    """Ten batches of pairs for each pattern of widths."""
    pairs, unit = (10, 32) if size is Size.SMALL else (100, 64)
    names = (name for name in PATTERNS for _ in range(10))
    return [{"pattern": name, "pairs": pairs, "m": unit} for name in names]


def compute_errors(case: Case, rng: Rng) -> dict[str, Any]:
    """Sum and sum of squares of w_k - ω^(k-1)(w_1) over pairs of inputs, a network for each."""
    inputs = MEAN + rng.standard_normal((case["pairs"], 2, PIXELS))
    law = sample_forward(inputs, _widths(case), 0, 1, rng, case["pairs"])
    distances = law.inverse_cosine_distances[..., 0, 1]
    limits = [distances[:, 0]]
    for _ in range(LAYERS - 1):
        limits.append(np.asarray(omega(limits[-1], 1)))
    errors = distances - np.stack(limits, axis=1)
    return {"sum": errors.sum(axis=0), "squares": (errors**2).sum(axis=0)}


def _widths(case: Case) -> list[int]:
    return [case["m"] * PATTERNS[case["pattern"]](k) for k in range(1, LAYERS)]


def error_table(cases: Sequence[Case], results: Sequence[Any]) -> list[Row]:
    """Mean and deviation by pattern and layer, their predictions to first order, and the slope.

    The slope is that of log deviation against log k over the layers 8 to 32, fitted to each batch.
    """
    rows: list[Row] = []
    for name, pattern in PATTERNS.items():
        mine = [(c, r) for c, r in zip(cases, results, strict=True) if c["pattern"] == name]
        pairs, m = mine[0][0]["pairs"], mine[0][0]["m"]
        sums, squares = (np.array([r[key] for _, r in mine]) for key in ("sum", "squares"))
        means, deviations = _mean_and_deviation(sums.sum(0), squares.sum(0), pairs * len(mine))
        batches = [_mean_and_deviation(*one, pairs)[1] for one in zip(sums, squares, strict=True)]
        slopes = [_exponent(one) for one in batches]
        gammas = [float(pattern(k)) for k in range(1, LAYERS)]
        moments = error_moments(sqrt(2 / (1 - COSINE)), gammas, 1)
        expected = np.sqrt(moments.variances / m)
        low, high = _interval(slopes)
        fit = {
            "slope": float(np.mean(slopes)),
            "slope_low": low,
            "slope_high": high,
            "predicted_slope": _exponent(expected),
        }
        rows += [
            {
                "pattern": name,
                "layer": k + 1,
                "mean": float(means[k]),
                "deviation": float(deviations[k]),
                "predicted_mean": float(moments.biases[k] / m),
                "predicted_deviation": float(expected[k]),
                **fit,
            }
            for k in range(LAYERS)
        ]
    return rows


def _mean_and_deviation(total: Floats, squares: Floats, count: int) -> tuple[Floats, Floats]:
    mean = total / count
    variance = np.maximum(squares / count - mean**2, 0) * count / (count - 1)
    return mean, np.sqrt(variance)


def _exponent(deviations: Floats) -> float:
    """Least squares in logarithms."""
    layers = np.log(np.arange(1, LAYERS + 1)[_FITTED])
    return float(np.polyfit(layers, np.log(deviations[_FITTED]), 1)[0])


def _interval(values: Sequence[float]) -> tuple[float, float]:
    """Student's interval for the mean of independent batches."""
    error = float(np.std(values, ddof=1)) / sqrt(len(values))
    reach = quantile(_ALPHA / 2, len(values) - 1) * error
    return float(np.mean(values)) - reach, float(np.mean(values)) + reach


def error_summary(rows: Sequence[Row]) -> list[str]:
    """The fitted exponents of the deviation."""
    asymptotic = {"squares": "1/2", "linear": "1", "constant": "3/2"}
    last = {row["pattern"]: row for row in rows}
    return [
        f"{name}: deviation like k^{row['slope']:.3f} over layers 8 to {LAYERS}, 99 % interval "
        f"[{row['slope_low']:.3f}, {row['slope_high']:.3f}]; first order gives "
        f"{row['predicted_slope']:.3f} for k far below m, and {asymptotic[str(name)]} as k grows"
        for name, row in last.items()
    ]


# The NTK


def ntk_cases(size: Size) -> list[Case]:
    """Draws of the NTK at units of width m, with m_k = k² m."""
    small = size is Size.SMALL
    depth, largest, draws = (4, 6, 200) if small else (8, 7, 400)
    return [{"m": 2**n, "depth": depth, "draws": draws} for n in range(2, largest + 1)]


def compute_ntk_errors(case: Case, rng: Rng) -> dict[str, float]:
    """Mean of the spectral norm of the error of the NTK matrix of two unit vectors, over l/2."""
    x = np.array([[1.0, 0.0], [COSINE, sqrt(1 - COSINE**2)]])
    widths = [case["m"] * k * k for k in range(1, case["depth"])]
    kernels = sample_ntk(x, widths, 0, 1, rng, size=case["draws"], method="law")[..., 0, 0]
    limit = limiting_ntk(x, case["depth"], 1)
    errors = np.linalg.norm(kernels - limit, ord=2, axis=(-2, -1)) / case["depth"]
    return {"error": float(errors.mean()), "standard_error": float(errors.std(ddof=1)) / sqrt(case["draws"])}


def ntk_table(cases: Sequence[Case], results: Sequence[Any]) -> list[Row]:
    """Errors with their standard errors, and the fitted power of m on every row."""
    units = [case["m"] for case in cases]
    errors = [result["error"] for result in results]
    test = slope_test(units, errors, [result["standard_error"] for result in results], -0.5)
    low, high = test.interval(_ALPHA)
    fit = {"slope": test.slope, "slope_low": low, "slope_high": high, "factor": test.factor}
    fit["misfit_p_value"] = test.misfit_p_value
    return [
        {"m": case["m"], "depth": case["depth"], **result, **fit}
        for case, result in zip(cases, results, strict=True)
    ]


def ntk_summary(rows: Sequence[Row]) -> list[str]:
    """The fitted exponent."""
    row = rows[0]
    return [
        f"error like m^{row['slope']:.3f} at depth {row['depth']}, 99 % interval "
        f"[{row['slope_low']:.3f}, {row['slope_high']:.3f}]; first order gives -1/2"
    ]


# Norms


def norm_cases(size: Size) -> list[Case]:
    """One case for each pattern of widths."""
    draws, unit = (200, 16) if size is Size.SMALL else (1000, 64)
    return [{"pattern": name, "draws": draws, "m": unit} for name in PATTERNS]


def compute_norms(case: Case, rng: Rng) -> dict[str, Floats]:
    """Mean and deviation of |x_k|/|x_1| over networks."""
    norms = sample_forward([[1.0]], _widths(case), 0, 1, rng, case["draws"]).norms[..., 0]
    return {"mean": norms.mean(axis=0), "deviation": norms.std(axis=0, ddof=1)}


def norm_table(cases: Sequence[Case], results: Sequence[Any]) -> list[Row]:
    """With the prediction (Σ 1/(2 m_j))^(1/2): |x_{j+1}|²/|x_j|² is χ²/m_j, of variance 2/m_j."""
    rows: list[Row] = []
    for case, result in zip(cases, results, strict=True):
        variances = np.cumsum([0.0, *(1 / (2 * width) for width in _widths(case))])
        columns = zip(result["mean"], result["deviation"], np.sqrt(variances), strict=True)
        rows += [
            {
                "pattern": case["pattern"],
                "layer": k,
                "mean": mean,
                "deviation": deviation,
                "predicted_deviation": float(predicted),
            }
            for k, (mean, deviation, predicted) in enumerate(columns, start=1)
        ]
    return rows


def norm_summary(rows: Sequence[Row]) -> list[str]:
    """The deviations of the last layer."""
    last = {row["pattern"]: row for row in rows}
    return [
        f"{name}: |x_k|/|x_1| deviates by {row['deviation']:.4f} at layer {LAYERS}, first order "
        f"gives {row['predicted_deviation']:.4f}"
        for name, row in last.items()
    ]


FIGURE_ONE = Figure(
    "eoc.fig1",
    "Errors of inverse cosine distances",
    "Figure 1",
    ("eoc.fig1", "eoc.fig1.slopes", "eoc.fig1.means"),
    *(error_cases, compute_errors, error_table, draw_errors, error_summary),
)
NTK_ERROR = Figure(
    "eoc.fig.ntk_error",
    "Error of the NTK against the unit of width",
    "Theorem 28",
    ("eoc.thm28.regime",),
    *(ntk_cases, compute_ntk_errors, ntk_table, draw_ntk_errors, ntk_summary),
)
NORMS = Figure(
    "eoc.fig.norms",
    "Concentration of the norms of activations",
    "Proposition 24",
    ("eoc.prop24",),
    *(norm_cases, compute_norms, norm_table, draw_norms, norm_summary),
)

"""Figure 2: scores under two scalings at width 256, and outputs of one and of 256 heads."""

from collections.abc import Mapping, Sequence
from math import sqrt
from typing import Any

import numpy as np

from numeric.gaussian_mixtures import mixture_density
from numeric.networks.attention import AttentionLayer, sample_input_factors, sample_scores
from theorems.attention_limit.figures.drawings import draw_histograms
from theorems.attention_limit.sampling.outputs import GRID, Setting
from theorems.interface.figure import Figure, Row, Size

Rng = np.random.Generator
Case = Mapping[str, Any]

_WIDTH, _TOKENS, _HEADS = 256, 4, (1, 256)
_BINS = np.linspace(-4, 4, 81)


def cases(size: Size) -> list[Case]:
    """The scores, and the outputs for each number of heads."""
    draws = 50_000 if size is Size.PAPER else 5_000
    outputs = [{"what": "output", "heads": heads, "samples": draws} for heads in _HEADS]
    return [{"what": "score", "heads": 1, "samples": draws}, *outputs]


def compute(case: Case, rng: Rng) -> dict[str, Any]:
    """Histograms of scores, or densities of outputs at finite width and in the limit."""
    size = case["samples"]
    if case["what"] == "score":
        factors = sample_input_factors(None, _WIDTH, _TOKENS, rng, size)
        scores = sample_scores(factors, AttentionLayer(1, _WIDTH), rng)[:, 0, 0, 0]
        found = {"root": scores, "linear": scores / sqrt(_WIDTH)}
        counts = {name: np.histogram(one, _BINS)[0] for name, one in found.items()}
        shares = {name: one / (size * (_BINS[1] - _BINS[0])) for name, one in counts.items()}
        return {**shares, "variance": float(scores.var())}
    setting, seed = Setting(_WIDTH, case["heads"], _WIDTH), int(rng.integers(2**62))
    variances, limits = setting.variances(seed, size), setting.limit_variances(seed, size)
    gaussian = [float(np.mean(limits))]
    return {
        "density": mixture_density(GRID, variances),
        "limit": mixture_density(GRID, limits),
        "infinite_heads": mixture_density(GRID, gaussian),
        "kurtosis": 3 * float(np.var(variances)) / float(np.mean(variances)) ** 2,
        "limit_kurtosis": 3 * float(np.var(limits)) / float(np.mean(limits)) ** 2,
    }


def table(cases: Sequence[Case], results: Sequence[Any]) -> list[Row]:
    """Histograms with the standard normal density, and densities of outputs."""
    rows: list[Row] = []
    for case, one in zip(cases, results, strict=True):
        if case["what"] == "score":
            middles = (_BINS[1:] + _BINS[:-1]) / 2
            limit = mixture_density(middles, [1.0])
            curves = {"root": one["root"], "linear": one["linear"], "limit": limit}
            numbers = {"variance": one["variance"]}
        else:
            middles = GRID
            curves = {name: one[name] for name in ("density", "limit", "infinite_heads")}
            numbers = {name: one[name] for name in ("kurtosis", "limit_kurtosis")}
        told = {"what": case["what"], "heads": case["heads"]}
        rows += [
            {**told, "kind": kind, "at": float(y), "value": float(value)}
            for kind, values in curves.items()
            for y, value in zip(middles, values, strict=True)
        ]
        rows += [{**told, "kind": kind, "at": 0.0, "value": x} for kind, x in numbers.items()]
    return rows


def summary(rows: Sequence[Row]) -> list[str]:
    """Variances of scores, and excess kurtoses of outputs."""
    named = {(row["what"], row["heads"], row["kind"]): float(row["value"]) for row in rows}
    variance = named["score", 1, "variance"]
    lines = [
        f"variance of a score: {variance:.4f} divided by root n (1 in the limit), "
        f"{variance / _WIDTH:.5f} divided by n"
    ]
    for heads in _HEADS:
        found, limit = (named["output", heads, k] for k in ("kurtosis", "limit_kurtosis"))
        lines.append(f"H = {heads}: excess kurtosis {found:.4f} at n = {_WIDTH}, {limit:.4f} in the limit")
    return lines


FIGURE_TWO = Figure(
    "attn.fig2",
    "Scores under two scalings, and outputs of one head and of many",
    "Figure 2",
    ("attn.fig2a", "attn.fig2b", "attn.kurtosis"),
    *(cases, compute, table, draw_histograms, summary),
)

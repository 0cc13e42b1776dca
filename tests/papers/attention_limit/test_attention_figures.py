"""The figures of the attention layer: tables and numbers at toy sizes, beside what they must be."""

import math

import numpy as np
import pytest
from matplotlib.figure import Figure as MatplotlibFigure

from numeric.gaussian_mixtures import kullback_leibler, mixture_density
from theorems.attention_limit import figures
from theorems.attention_limit.figures import divergences, histograms
from theorems.attention_limit.sampling.outputs import GRID, STEP, Setting, divergence
from theorems.interface.figure import Size

FIGURES = [getattr(figures, name) for name in figures.__all__]


def test_grid_is_even_and_fine():
    assert np.allclose(np.diff(GRID), STEP, rtol=1e-12)
    assert np.allclose(GRID, -GRID[::-1], rtol=0, atol=1e-14)
    assert len(GRID) % 2 == 1
    assert math.erfc(GRID[-1] / math.sqrt(2)) < 1e-8
    # The trapezoids integrate the limit laws, whose variances are at least 1/4, to rounding.
    for variance in (0.25, 1.0):
        assert abs(np.sum(mixture_density(GRID, [variance])) * STEP - 1) < 1e-8


@pytest.mark.parametrize("activation", ["clip", "relu"])
def test_coarse_divergence_is_that_on_the_fine_grid(activation):
    setting = Setting(16, 2, 16, activation=activation)
    fine = [mixture_density(GRID, one(3, 400)) for one in (setting.variances, setting.limit_variances)]
    assert math.isclose(divergence(setting, 3, 400), kullback_leibler(*fine, STEP), rel_tol=1e-3)


@pytest.mark.parametrize(("activation", "square", "product"), [("clip", 1, 0), ("relu", 0.5, 0.159155)])
def test_limit_of_the_gram_matrix_is_that_of_wide_inputs(activation, square, product):
    factor = Setting(8, 1, 8, tokens=3, activation=activation).limit_factor()
    gram = factor @ factor.T
    assert np.allclose(np.diag(gram), square, atol=1e-12)
    assert np.allclose(gram[~np.eye(3, dtype=bool)], product, atol=1e-6)


def test_draws_at_large_width_are_those_of_the_limit():
    setting = Setting(10**9, 2, 10**9)
    apart = setting.variances(5, 50) - setting.limit_variances(5, 50)
    assert np.abs(apart).max() < 1e-3
    assert np.abs(setting.variances(5, 50) - setting.limit_variances(6, 50)).max() > 0.01


def test_mirrored_draws_have_the_same_mean_and_less_noise():
    setting = Setting(256, 2, 256)
    apart = [
        [
            np.mean(
                setting.variances(seed, 400, mirrored) - setting.limit_variances(seed, 400, mirrored=mirrored)
            )
            for seed in range(20)
        ]
        for mirrored in (False, True)
    ]
    assert np.std(apart[1]) < np.std(apart[0]) / 5
    assert abs(np.mean(apart[1]) - np.mean(apart[0])) < 5 * np.std(apart[0]) / np.sqrt(20)


@pytest.mark.parametrize("figure", FIGURES, ids=lambda one: one.id)
def test_places_and_sizes(figure):
    assert figure.at == f"Figure {figure.id[-1]}"
    small, paper = figure.cases(Size.SMALL), figure.cases(Size.PAPER)
    samples = {"attn.fig5": 100_000}.get(figure.id, 50_000)
    assert {case["samples"] for case in paper} == {samples}
    assert {case["samples"] for case in small} == {samples // 10}
    if figure.id != "attn.fig2":
        widths = {"attn.fig3": {64, 256, 1024}}.get(figure.id, {16, 64, 256, 1024})
        assert {case["n"] for case in paper} == widths
        assert len(paper) == 10 * len(widths)
        assert all(case["rows"] == (64 if figure.id == "attn.fig3" else case["n"]) for case in paper)
        assert all(case["tokens"] == (8 if figure.id == "attn.fig4" else 4) for case in paper)


def toy_case(**changes):
    """A case of a few draws."""
    case = {**vars(Setting(16, 2, 16)), "samples": 300, "repeat": 0}
    return {**case, **changes}


def test_table_of_divergences():
    cases = [toy_case(n=n, rows=n, repeat=k) for n in (16, 64) for k in (0, 1)]
    results = [divergences.compute(case, np.random.default_rng(k)) for k, case in enumerate(cases)]
    rows = divergences.table(cases, results)
    for n, first in ((16, results[0]), (64, results[2])):
        for kind in ("density", "limit"):
            one = [row for row in rows if row["kind"] == kind and row["n"] == n]
            assert [row["y"] for row in one] == list(GRID)
            assert [row["value"] for row in one] == list(first[kind])
            assert abs(sum(row["value"] for row in one) * STEP - 1) < 1e-3
    assert results[0]["divergence"] == kullback_leibler(results[0]["density"], results[0]["limit"], STEP)
    assert len([row for row in rows if row["kind"] == "divergence"]) == 2


def test_an_estimate_from_draws_sees_its_own_noise():
    found = divergences.compute(toy_case(n=10**6, rows=10**6), np.random.default_rng(0))
    assert found["divergence"] < 1e-7
    assert min(found["floor"], found["smoothed"]) > 1e-4
    few_rows = divergences.compute(toy_case(n=10**6, rows=4), np.random.default_rng(0))
    assert math.isclose(few_rows["fixed_rows"], few_rows["divergence"], rel_tol=0.02)
    assert few_rows["fixed_rows"] > 1e-3


def test_slopes_of_a_power_of_the_width():
    shapes = {"density": GRID, "limit": GRID, "smoothed": 1.0, "floor": 1.0, "fixed_rows": 1.0}
    cases = [toy_case(n=n, rows=n, repeat=k) for n in (16, 64, 256) for k in range(3)]
    results = [{**shapes, "divergence": (1 + c["repeat"]) * c["n"] ** -2.0} for c in cases]
    rows = [row for row in divergences.table(cases, results) if row["kind"] == "divergence"]
    assert [row["n"] for row in rows] == [16, 64, 256]
    assert math.isnan(rows[0]["slope"])
    for row in rows:
        assert math.isclose(row["divergence"], math.log(6) / 3 - 2 * math.log(row["n"]))
        assert math.isclose(row["divergence_sd"], np.std(np.log([1, 2, 3]), ddof=1))
    for row in rows[1:]:
        assert math.isclose(row["slope"], -2, rel_tol=1e-12)
        assert row["slope_reach"] < 1e-12
    lines = divergences.summary(rows)
    assert ["the exponent of n is -2.00" in line for line in lines] == [False, True, True]


def test_interval_of_a_slope_is_that_of_student():
    shapes = {"density": GRID, "limit": GRID, "smoothed": 1.0, "floor": 1.0, "fixed_rows": 1.0}
    logs = {16: [0.0, 0.0, 0.0], 64: [-1.0, -2.0, -3.0]}
    cases = [toy_case(n=n, rows=n, repeat=k) for n in logs for k in range(3)]
    results = [{**shapes, "divergence": math.exp(logs[c["n"]][c["repeat"]])} for c in cases]
    row = [row for row in divergences.table(cases, results) if row["kind"] == "divergence"][-1]
    assert math.isclose(row["slope"], -2 / math.log(4))
    # Student's 97.5 % quantile with two degrees of freedom is 4.302653.
    assert math.isclose(row["slope_reach"], 4.302653 / math.sqrt(3) / math.log(4), rel_tol=1e-6)


def test_histograms():
    cases = [
        {"what": "score", "heads": 1, "samples": 4000},
        {"what": "output", "heads": 1, "samples": 400},
        {"what": "output", "heads": 256, "samples": 40},
    ]
    results = [histograms.compute(case, np.random.default_rng(8)) for case in cases]
    rows = histograms.table(cases, results)

    def curve(what, heads, kind):
        chosen = [r for r in rows if (r["what"], r["heads"], r["kind"]) == (what, heads, kind)]
        return np.array([r["at"] for r in chosen]), np.array([r["value"] for r in chosen])

    at, shares = curve("score", 1, "root")
    step = at[1] - at[0]
    assert np.allclose(at, -at[::-1])
    assert math.isclose(at[-1] + step / 2, 4)
    assert 0.99 < shares.sum() * step <= 1 + 1e-9
    assert abs((at**2 * shares).sum() * step - 1) < 0.15
    _, narrow = curve("score", 1, "linear")
    assert narrow[np.abs(at) < 0.3].sum() * step > 0.99
    _, limit = curve("score", 1, "limit")
    assert np.allclose(limit, np.exp(-(at**2) / 2) / math.sqrt(2 * math.pi))
    assert abs(curve("score", 1, "variance")[1][0] - 1) < 0.15
    for heads, count in ((1, 400), (256, 40)):
        draws = Setting(256, heads, 256)
        seed = int(np.random.default_rng(8).integers(2**62))
        variances, limits = draws.variances(seed, count), draws.limit_variances(seed, count)
        for kind, found in (("density", variances), ("limit", limits)):
            places, values = curve("output", heads, kind)
            assert np.array_equal(places, GRID)
            assert np.array_equal(values, mixture_density(GRID, found))
        gaussian = curve("output", heads, "infinite_heads")[1]
        assert np.allclose(gaussian, mixture_density(GRID, [limits.mean()]))
        for kind, found in (("kurtosis", variances), ("limit_kurtosis", limits)):
            value = curve("output", heads, kind)[1][0]
            assert math.isclose(value, 3 * (np.mean(found**2) / np.mean(found) ** 2 - 1), rel_tol=1e-6)
    lines = histograms.summary(rows)
    assert lines[0].startswith("variance of a score")
    assert [line.split(":")[0] for line in lines[1:]] == ["H = 1", "H = 256"]


def test_drawings_show_the_rows():
    cases = [toy_case(n=n, rows=n, repeat=k) for n in (16, 64) for k in (0, 1)]
    results = [divergences.compute(case, np.random.default_rng(k)) for k, case in enumerate(cases)]
    rows = divergences.table(cases, results)
    canvas = MatplotlibFigure()
    figures.FIGURE_ONE.draw(rows, canvas)
    densities, logs = canvas.axes
    drawn = {tuple(line.get_ydata()) for line in densities.lines}
    assert {tuple(results[k]["density"]) for k in (0, 2)} <= drawn
    assert tuple(results[2]["limit"]) in drawn
    assert len(logs.get_legend_handles_labels()[1]) == 4
    cases = [{"what": "score", "heads": 1, "samples": 50}]
    cases += [{"what": "output", "heads": heads, "samples": 20} for heads in (1, 256)]
    results = [histograms.compute(case, np.random.default_rng(0)) for case in cases]
    canvas = MatplotlibFigure()
    figures.FIGURE_TWO.draw(histograms.table(cases, results), canvas)
    assert [len(axes.lines) for axes in canvas.axes] == [3, 5]

"""The figures of the two kernels: distances beside what they must be, tables and drawings."""

import math

import numpy as np
import pytest
from matplotlib.figure import Figure as MatplotlibFigure

from theorems.infinite_attention import figures
from theorems.infinite_attention.figures import convergence
from theorems.infinite_attention.figures.layers import (
    FACTORS,
    WIDE,
    finite_layer,
    input_kernels,
    limits,
    relative_distances,
)
from theorems.interface.figure import Size

FIGURES = [getattr(figures, name) for name in figures.__all__]


def distance_of_one_linear_head():
    """The mean distance of one head without a nonlinearity, its scores Gaussian, by Isserlis."""
    gram = np.einsum("xak,ybk->xyab", FACTORS, FACTORS)
    variances = kernel_squares = 0.0
    for x, y in np.ndindex(3, 3):
        S, own, other = gram[x, y], gram[x, x], gram[y, y]
        separate = np.outer(np.diag(own), np.diag(other)) * np.trace(own @ S @ other @ S.T)
        crossed = S**2 * np.trace(S @ S.T @ S @ S.T)
        variances += (separate + crossed).sum()
        kernel_squares += ((S * (S**2).sum()) ** 2).sum()
    return variances / kernel_squares


def test_distance_of_linear_heads():
    case = {"zeta": "identity", "score_dim": WIDE, "heads": 16, "draws": 4000, "limit": 2}
    found = convergence.nngp_distances(case, np.random.default_rng(0))
    expected = distance_of_one_linear_head()
    assert [one["heads"] for one in found] == [1, 4, 16]
    for one in found:
        assert math.isclose(one["heads"] * one["distance"], expected, rel_tol=0.15)


def test_narrow_queries_leave_a_distance():
    wide, narrow = (
        convergence.nngp_distances(
            {"zeta": "relu", "score_dim": width, "heads": 4096, "draws": 4, "limit": 2},
            np.random.default_rng(1),
        )
        for width in (WIDE, 1)
    )
    assert wide[-1]["distance"] * 4096 / wide[0]["distance"] < 1.6
    assert narrow[-1]["distance"] > 2 * wide[-1]["distance"]


@pytest.mark.parametrize("zeta", ["identity", "relu", "softmax"])
def test_tangent_kernels_come_near_their_limit(zeta):
    case = {"zeta": zeta, "kind": "heads", "width": 512, "draws": 40, "limit": 20000}
    near = convergence.ntk_distances(case, np.random.default_rng(2))
    far = convergence.ntk_distances({**case, "width": 8}, np.random.default_rng(3))
    assert near < 0.005
    assert 16 < far / near < 256  # 64 in the mean
    narrow = convergence.ntk_distances({**case, "kind": "all", "width": 8}, np.random.default_rng(4))
    assert narrow > 1.5 * far


def test_distances_are_squares_relative_to_the_limit():
    limit = limits("relu", np.random.default_rng(0), 2).nngp
    assert np.allclose(relative_distances(np.stack([limit, 1.5 * limit]), limit), [0, 0.25])


def test_inputs_and_layers():
    kernels = input_kernels()
    assert np.array_equal(kernels.nngp, kernels.ntk)
    assert np.array_equal(kernels.nngp[0, 2], kernels.first[0])  # the third input is the first
    layer = finite_layer("softmax", 3, 5, 7)
    assert (layer.heads, layer.score_dim, layer.value_dim, layer.tau) == (3, 5, 7, 0.5)


def toy_results(figure):
    rng = np.random.default_rng(5)
    if figure.id == "inf.thm3":
        cases = [{**case, "heads": 16, "draws": 2, "limit": 50} for case in figure.cases(Size.SMALL)]
    else:
        cases = [{**case, "draws": 2, "limit": 50} for case in figure.cases(Size.SMALL)]
    return cases, [figure.compute(case, rng) for case in cases]


@pytest.mark.parametrize("figure", FIGURES, ids=lambda one: one.id)
def test_tables_summaries_and_drawings(figure):
    cases, results = toy_results(figure)
    rows = figure.table(cases, results)
    assert len(rows) == 18
    told = figure.summary(rows)
    assert len(told) == 6
    assert all("last exponent" in line for line in told)
    canvas = MatplotlibFigure()
    figure.draw(rows, canvas)
    for axes in canvas.axes:
        assert axes.get_legend() is not None
        assert axes.get_xscale() == axes.get_yscale() == "log"
    assert len(canvas.axes[0].lines) == 4


def test_exponents_that_are_told():
    rows = [
        {"zeta": "relu", "kind": "all", "width": width, "distance": 1 / width**2} for width in (1, 10, 100)
    ]
    (line,) = convergence.NTK_FIGURE.summary(rows)
    assert line == (
        "zeta = relu, kind = all: log10 distance 0.00 at width 1, -4.00 at width 100; last exponent -2.00"
    )


@pytest.mark.parametrize("figure", FIGURES, ids=lambda one: one.id)
def test_sizes(figure):
    small, paper = figure.cases(Size.SMALL), figure.cases(Size.PAPER)
    assert len(small) <= len(paper)
    assert all(case["draws"] >= 32 for case in (*small, *paper))

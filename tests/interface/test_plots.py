"""Plots: their curves against known values and formulas, and what they refuse."""

import math

import matplotlib
import numpy as np
import pytest
from IPython.core.formatters import DisplayFormatter
from matplotlib.figure import Figure

from numeric.attention_kernels import AttentionKernel
from theorems.interface.plots import (
    PLOTS,
    plot_attention_kernels,
    plot_cosine_maps,
    plot_distances,
    plot_dual_activations,
    plot_limiting_kernels,
)


def arcsine(rho):
    """The cosine map of the absolute value, by the arcsine formula."""
    return 2 / math.pi * (rho * np.arcsin(rho) + np.sqrt(1 - rho**2))


def test_cosine_maps_are_those_of_the_arcsine_formula():
    figure = plot_cosine_maps([0, 0.5, 1], points=201)
    value, slope, second, distance, inverse = figure.axes
    rho = np.linspace(-1, 1, 201)
    for line, share in zip(value.lines, (0, 0.5, 1), strict=False):
        wanted = rho + share * (arcsine(rho) - rho)
        assert line.get_ydata() == pytest.approx(wanted, abs=1e-14)
        assert line.get_ydata()[-1] == 1
    assert slope.lines[2].get_ydata() == pytest.approx(2 / math.pi * np.arcsin(rho), abs=1e-14)
    where = second.lines[2].get_xdata()
    assert second.lines[2].get_ydata() == pytest.approx(2 / math.pi / np.sqrt(1 - where**2))
    z = distance.lines[2].get_xdata()
    assert distance.lines[2].get_ydata() == pytest.approx((1 - arcsine(1 - 2 * z)) / 2, abs=1e-14)
    w = inverse.lines[2].get_xdata()
    wanted = ((1 - arcsine(1 - 2 / w**2)) / 2) ** -0.5
    assert inverse.lines[2].get_ydata() == pytest.approx(wanted, rel=1e-9)
    assert [axes.get_ylabel() for axes in figure.axes] == [
        r"$\varrho(\rho)$", r"$\varrho'(\rho)$", r"$\varrho''(\rho)$", r"$\zeta(z)$", r"$\omega(w)$"
    ]  # fmt: skip


def test_distances_are_iterated_cosines():
    squared, inverse = plot_distances(0.3, 1, depth=5).axes
    rho, wanted = 0.3, []
    for _ in range(5):
        wanted.append((1 - rho) / 2)
        rho = float(arcsine(rho))
    assert squared.lines[0].get_ydata() == pytest.approx(wanted)
    assert inverse.lines[0].get_ydata() == pytest.approx(np.array(wanted) ** -0.5)
    assert squared.get_xscale() == squared.get_yscale() == "log"


def test_limiting_kernels_at_two_layers():
    nngp, ntk = plot_limiting_kernels([1, 2], 1, points=91).axes
    rho = np.cos(np.linspace(0, math.pi, 91))
    assert nngp.lines[1].get_ydata() == pytest.approx(arcsine(rho), abs=1e-14)
    wanted = (arcsine(rho) + rho * 2 / math.pi * np.arcsin(rho)) / 2
    assert ntk.lines[1].get_ydata() == pytest.approx(wanted, abs=1e-13)
    assert ntk.lines[0].get_ydata() == pytest.approx(rho)


def test_duals_of_the_relu_and_the_error_function():
    figure = plot_dual_activations({"relu": {}, "erf": {"scale": 1}}, points=101)
    dual, slope = figure.axes
    rho = np.linspace(-1, 1, 101)
    relu = (np.sqrt(1 - rho**2) + rho * (math.pi - np.arccos(rho))) / (2 * math.pi)
    assert dual.lines[0].get_ydata() == pytest.approx(relu, abs=1e-14)
    wanted = 2 / math.pi * np.arcsin(2 * rho / 3)
    assert dual.lines[1].get_ydata() == pytest.approx(wanted, abs=1e-14)
    steps = (math.pi - np.arccos(rho[1:-1])) / (2 * math.pi)
    assert slope.lines[0].get_ydata() == pytest.approx(steps, abs=1e-14)
    assert [text.get_text() for text in dual.get_legend().get_texts()] == ["relu", "erf"]


def test_attention_kernels_with_identity_scores_are_sums_of_products():
    """For scores Q K'/sqrt d themselves, E G_ai G_bj = K_ab K_ij, so that k_ab = K_ab |K|^2."""
    first, last = np.array([[1.0, 2.0], [0.5, -1.0]]), np.array([[2.0, 1.0], [1.0, 3.0]])
    layers = {"linear": AttentionKernel("identity")}
    nngp, _ = plot_attention_kernels(first, last, layers, points=3).axes
    for value, share in zip(nngp.lines[0].get_ydata(), (0, 0.5, 1), strict=True):
        products = first @ (first + share * (last - first)).T / 2
        assert value == pytest.approx((products * (products**2).sum()).mean())


def test_plots_are_figures_and_leave_matplotlib_as_it_is():
    before = dict(matplotlib.rcParams)
    for plot in PLOTS.values():
        made = plot()
        assert isinstance(made, Figure)
        made.canvas.draw()
        assert all(axes.get_xlabel() and axes.get_ylabel() for axes in made.axes)
    assert dict(matplotlib.rcParams) == before


def test_a_notebook_shows_a_plot_without_pyplot():
    shown, _ = DisplayFormatter().format(plot_distances())
    picture = shown["image/png"]
    assert picture.startswith(b"\x89PNG")
    assert len(picture) > 5000


REFUSED = (
    (plot_cosine_maps, {"delta_phi": 1.5}, ValueError, r"delta_phi .*\[0, 1\].* 1\.5"),
    (plot_cosine_maps, {"delta_phi": []}, ValueError, r"delta_phi .* \[\]"),
    (plot_cosine_maps, {"maps": ["varho"]}, ValueError, r"maps .*varrho.*varho"),
    (plot_cosine_maps, {"points": 1}, ValueError, r"points .* 1$"),
    (plot_distances, {"rho": 1}, ValueError, r"rho .*\[-1, 1\).* 1$"),
    (plot_distances, {"rho": -2}, ValueError, r"rho .*\[-1, 1\].* -2"),
    (plot_distances, {"depth": 0}, ValueError, r"depth .* 0$"),
    (plot_limiting_kernels, {"depths": [1, 2.5]}, TypeError, r"depths .* 2\.5"),
    (plot_limiting_kernels, {"delta_phi": -0.1}, ValueError, r"delta_phi .*\[0, 1\].* -0\.1"),
    (plot_dual_activations, {"activations": "rely"}, ValueError, r"rely.*relu"),
    (plot_dual_activations, {"points": 2}, ValueError, r"points .* 2$"),
    (plot_attention_kernels, {"start": [1, 2]}, ValueError, r"start must have shape \(s, d\)"),
    (plot_attention_kernels, {"end": [[1, 2]]}, ValueError, r"end must have shape \(2, 2\)"),
    (plot_attention_kernels, {"layers": {}}, TypeError, r"layers must be a mapping"),
    (plot_attention_kernels, {"layers": {"a": 1}}, TypeError, r"layer"),
)


@pytest.mark.parametrize(("plot", "given", "error", "told"), REFUSED)
def test_bad_input_is_refused_by_name(plot, given, error, told):
    with pytest.raises(error, match=told):
        plot(**given)

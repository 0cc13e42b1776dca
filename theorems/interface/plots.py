"""Plots of the cosine maps and of the limiting kernels, for a session or a notebook.

Every function returns a Matplotlib figure and changes nothing of Matplotlib's own state: the figure
is of no pyplot window, a notebook shows it, and ``figure.savefig("maps.pdf")`` keeps it.
"""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from numpy.typing import NDArray

from numeric.arguments import closed, integer, one_of, real_array, real_number
from numeric.attention_kernels import AttentionKernel, attention_kernels, token_kernels
from numeric.cosine_maps import limiting_ntk_profile, omega, varrho, varrho_prime, varrho_second, zeta
from numeric.dual_activations import dual_activation, dual_activation_derivative

__all__ = ["PLOTS", "plot_attention_kernels", "plot_cosine_maps", "plot_distances"]
__all__ += ["plot_dual_activations", "plot_limiting_kernels"]

_Map = tuple[Callable[..., Any], str, str, tuple[float, float]]
_INSIDE = 1e-3  # how far from an end a map is drawn that is infinite there
_MAPS: Mapping[str, _Map] = {
    "varrho": (varrho, r"$\varrho(\rho)$", r"$\rho$", (-1.0, 1.0)),
    "varrho_prime": (varrho_prime, r"$\varrho'(\rho)$", r"$\rho$", (-1.0, 1.0)),
    "varrho_second": (varrho_second, r"$\varrho''(\rho)$", r"$\rho$", (_INSIDE - 1, 1 - _INSIDE)),
    "zeta": (zeta, r"$\zeta(z)$", r"$z$", (0.0, 1.0)),
    "omega": (omega, r"$\omega(w)$", r"$w$", (1 + _INSIDE, 6.0)),
}
_UNIT = closed(0, 1)
_MOST_POINTS, _MOST_DEPTH = 100_000, 10_000


def plot_cosine_maps(
    delta_phi: Any = (0, 0.25, 0.5, 1), maps: Iterable[str] = tuple(_MAPS), *, points: int = 401
) -> Figure:
    r"""Graphs of the cosine map, its derivatives and the distance maps, a curve for each share.

    delta_phi a number or a list in [0, 1]; maps some of varrho, varrho_prime, varrho_second, zeta
    and omega, an axes for each; points an integer in [2, 100000].
    Raises ValueError or TypeError, which name the argument, for anything else.

    >>> [axes.get_ylabel() for axes in plot_cosine_maps(1, ["varrho", "zeta"]).axes]
    ['$\\varrho(\\rho)$', '$\\zeta(z)$']
    """
    shares = _numbers("delta_phi", delta_phi, _UNIT)
    count = integer("points", points, 2, _MOST_POINTS)
    chosen = [one_of("maps", one, _MAPS) for one in _listed("maps", maps)]
    figure, places = _canvas(len(chosen))
    for axes, name in zip(places, chosen, strict=True):
        function, label, variable, (least, most) = _MAPS[name]
        where = np.linspace(least, most, count)
        for share in shares:
            axes.plot(where, function(where, share), label=_share(share))
        if name in {"varrho", "zeta", "omega"}:
            axes.plot(where, where, color="0.6", linestyle=":", label="identity")
        if name == "varrho_second":
            axes.set_ylim(0, 4)  # it is infinite at both ends
        if name == "omega":
            axes.set_ylim(0, 8)  # it is infinite at 1 for the absolute value
        axes.set(xlabel=variable, ylabel=label)
    places[0].legend()
    return figure


def plot_distances(rho: Any = 0, delta_phi: Any = (0.25, 0.5, 1), *, depth: int = 32) -> Figure:
    r"""Squared cosine distances of two inputs through the layers, and their inverse square roots.

    The first axes has :math:`z_k = (1 - \rho_k)/2` with both scales logarithmic, the second
    :math:`w_k = z_k^{-1/2}`, which grows like :math:`4 \Delta_\phi k/(3 \pi)`: dashed.
    rho a cosine in [-1, 1), delta_phi a number or a list in [0, 1], depth in [1, 10000].
    Raises ValueError or TypeError, which name the argument, for anything else.

    >>> plot_distances(0, 1, depth=2).axes[0].lines[0].get_ydata().round(6).tolist()
    [0.5, 0.18169]
    """
    cosine = real_number("rho", rho, closed(-1, 1))
    if cosine == 1:
        raise ValueError("rho must lie in [-1, 1), where the distance is above 0, got 1")
    shares = _numbers("delta_phi", delta_phi, _UNIT)
    layers = integer("depth", depth, 1, _MOST_DEPTH)
    figure, (squared, inverse) = _canvas(2)
    numbers = np.arange(1, layers + 1)
    for share in shares:
        distances = _iterated(zeta, (1 - cosine) / 2, share, layers)
        squared.loglog(numbers, distances, marker=".", label=_share(share))
        (line,) = inverse.plot(numbers, distances**-0.5, marker=".", label=_share(share))
        slope = 4 * share / (3 * math.pi)
        straight = distances[0] ** -0.5 + slope * (numbers - 1)
        inverse.plot(numbers, straight, color=line.get_color(), linestyle="--")
    squared.set(xlabel="layer $k$", ylabel=r"$z_k = (1 - \rho_k)/2$")
    inverse.set(xlabel="layer $k$", ylabel=r"$w_k = z_k^{-1/2}$")
    squared.legend()
    return figure


def plot_limiting_kernels(
    depths: Any = (1, 2, 4, 8, 16, 32), delta_phi: Any = 1, *, points: int = 401
) -> Figure:
    """The limiting NNGP and, over the depth, the limiting NTK against the angle of unit inputs.

    depths an integer or a list in [1, 10000], delta_phi a number in [0, 1], points in
    [2, 100000]. Raises ValueError or TypeError, which name the argument, for anything else.

    >>> nngp, ntk = plot_limiting_kernels([1, 3], 1).axes
    >>> [line.get_ydata()[0].round(6).item() for line in (*nngp.lines, *ntk.lines)]
    [1.0, 1.0, 1.0, 1.0]
    """
    chosen = [integer("depths", one, 1, _MOST_DEPTH) for one in _listed("depths", depths)]
    share = real_number("delta_phi", delta_phi, _UNIT)
    count = integer("points", points, 2, _MOST_POINTS)
    angles = np.linspace(0, math.pi, count)
    cosines = np.cos(angles)
    figure, (nngp, ntk) = _canvas(2)
    for depth in chosen:
        cosine = _iterated(varrho, cosines, share, depth)[-1]
        nngp.plot(angles, cosine, label=f"$l = {depth}$")
        ntk.plot(angles, limiting_ntk_profile(cosines, depth, share) / depth)
    nngp.set(ylabel=r"NNGP $\varrho^{l-1}(\cos\,\theta)$", title=_share(share))
    ntk.set(ylabel=r"NTK $\kappa_l(\cos\,\theta)/l$", title=_share(share))
    for axes in (nngp, ntk):
        _angular(axes)
    nngp.legend()
    return figure


def plot_dual_activations(activations: Any = ("relu", "abs", "gelu"), *, points: int = 401) -> Figure:
    """Dual activations at unit variances against the cosine, and the duals of the derivatives.

    activations a name of `numeric.dual_activations` or a list of names without parameters, or a
    mapping of names to their parameters; points in [3, 100000]. The derivatives, which may be
    infinite at -1 and 1, are drawn between.
    Raises ValueError or TypeError, which name the argument, for anything else.

    >>> plot_dual_activations("relu", points=3).axes[0].lines[0].get_ydata().round(6).tolist()
    [0.0, 0.159155, 0.5]
    """
    count = integer("points", points, 3, _MOST_POINTS)
    given = activations if isinstance(activations, Mapping) else {}
    chosen = {one: given.get(one, {}) for one in _listed("activations", activations)}
    cosines = np.linspace(-1, 1, count)
    inside = cosines[1:-1]
    figure, (dual, slope) = _canvas(2)
    for name, parameters in chosen.items():
        dual.plot(cosines, dual_activation(name, cosines, **parameters), label=name)
        slope.plot(inside, dual_activation_derivative(name, inside, **parameters))
    dual.set(xlabel=r"$\rho$", ylabel=r"$\mathbb{E}\,\phi(u_1)\,\phi(u_2)$")
    slope.set(xlabel=r"$\rho$", ylabel=r"$\mathbb{E}\,\phi'(u_1)\,\phi'(u_2)$")
    dual.legend()
    return figure


def plot_attention_kernels(
    start: Any = ((1, 0), (0, 1)),
    end: Any = ((0, 1), (1, 0)),
    layers: Mapping[str, AttentionKernel] | None = None,
    *,
    points: int = 101,
) -> Figure:
    """NNGP and NTK of an attention layer between its first input and the inputs of a path.

    The path is the segment from start to end, two inputs of s tokens of d numbers; the kernels are
    means over all pairs of tokens. layers maps labels to layers whose kernels have a closed form
    (without layers: identity and ReLU scores at tau = 1/2); points in [2, 2000].
    Raises ValueError or TypeError, which name the argument, for anything else.

    >>> [len(axes.lines) for axes in plot_attention_kernels(points=5).axes]
    [2, 2]
    """
    first = real_array("start", start, shape=("s", "d"))
    last = real_array("end", end, shape=first.shape)
    share = np.linspace(0, 1, integer("points", points, 2, 2000))
    path = first + share[:, None, None] * (last - first)
    chosen = dict(_SCORES) if layers is None else layers
    if not isinstance(chosen, Mapping) or not chosen:
        raise TypeError(f"layers must be a mapping of labels to attention layers, got {layers!r}")
    before = token_kernels(path[:1], path, ntk=True)
    figure, (nngp, ntk) = _canvas(2)
    for label, layer in chosen.items():
        after = attention_kernels(before, layer)
        nngp.plot(share, after.nngp[0].mean(axis=(1, 2)), label=label)
        assert after.ntk is not None  # asked for before
        ntk.plot(share, after.ntk[0].mean(axis=(1, 2)))
    nngp.set(xlabel="$t$", ylabel=r"NNGP $\kappa(X_0, X_t)$, mean over tokens")
    ntk.set(xlabel="$t$", ylabel=r"NTK $\Theta(X_0, X_t)$, mean over tokens")
    nngp.legend()
    return figure


_SCORES = {"identity": AttentionKernel("identity"), "ReLU": AttentionKernel("relu")}
#: The plots by name.
PLOTS: Mapping[str, Callable[..., Any]] = {
    one.__name__: one
    for one in (
        plot_cosine_maps,
        plot_distances,
        plot_limiting_kernels,
        plot_dual_activations,
        plot_attention_kernels,
    )
}


def _iterated(function: Callable[..., Any], first: Any, share: float, count: int) -> NDArray[np.float64]:
    """The first value and its images, count in all."""
    values = [first]
    for _ in range(count - 1):
        values.append(function(values[-1], share))
    return np.asarray(values, dtype=np.float64)


class _Drawing(Figure):
    """A figure of no pyplot window, which a notebook shows all the same."""

    def _repr_png_(self) -> bytes:
        file = io.BytesIO()
        self.savefig(file, format="png")
        return file.getvalue()


def _canvas(count: int) -> tuple[Figure, Sequence[Axes]]:
    """A figure with as many axes, at most three in a row, that pyplot does not know."""
    columns = min(count, 3)
    lines = -(-count // columns)
    figure = _Drawing(figsize=(4 * columns + 0.5, 3.4 * lines), dpi=110, layout="constrained")
    FigureCanvasAgg(figure)
    places = [figure.add_subplot(lines, columns, place) for place in range(1, count + 1)]
    for axes in places:
        axes.grid(alpha=0.3)
    return figure, places


def _angular(axes: Axes) -> None:
    quarters = [place * math.pi / 4 for place in range(5)]
    axes.set_xticks(quarters, ["0", r"$\pi/4$", r"$\pi/2$", r"$3\pi/4$", r"$\pi$"])
    axes.set_xlabel(r"angle $\theta$")


def _share(share: float) -> str:
    return rf"$\Delta_\phi = {share:g}$"


def _listed(name: str, value: Any) -> list[Any]:
    """What an argument lists; one thing is a list of itself."""
    one = isinstance(value, str) or not isinstance(value, Iterable)
    found = [value] if one else list(dict.fromkeys(value))
    if not found:
        raise ValueError(f"{name} must have at least one entry, got {value!r}")
    return found


def _numbers(name: str, value: Any, domain: Any) -> list[float]:
    return [real_number(name, one, domain) for one in _listed(name, value)]

"""Speed of the limiting NTK matrix: this package, plain recursions and neural-tangents, in one run.

The recursions do at every pair of points what this package does at a few hundred nodes. One is the
textbook's (cosine, arcsin, Definition 22); the other is this package's, which does not cancel, at
cosines rounded as they are. "Off by" is the largest difference of an entry from this package's,
over the largest entry: the rivals lose digits on the diagonal. Times are the best of a few; the
first call of this package, which fills its table, stands apart.
"""

import importlib.util
import time
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from numeric.limiting_ntk import limiting_ntk
from numeric.ntk_profile import profile, profile_table

Floats = NDArray[np.float64]
POINTS, DIMENSION, DELTA = 1000, 64, 0.5
DEPTHS = (2, 32, 128)


def textbook(x: Floats, depth: int) -> Floats:
    """Definition 22 layer by layer on the whole matrix of cosines."""
    norms = np.linalg.norm(x, axis=1)
    rho = np.clip(x @ x.T / np.outer(norms, norms), -1, 1)
    kernel = rho
    for _ in range(1, depth):
        slope = 1 - DELTA + 2 * DELTA / np.pi * np.arcsin(rho)
        angle = np.sqrt(1 - rho * rho) + rho * np.arcsin(rho)
        rho = np.clip((1 - DELTA) * rho + 2 * DELTA / np.pi * angle, -1, 1)
        kernel = rho + slope * kernel
    scaled: Floats = kernel * np.outer(norms, norms)
    return scaled


def at_every_pair(x: Floats, depth: int) -> Floats:
    """The recursion of this package, at every pair instead of at the nodes of a table."""
    norms = np.linalg.norm(x, axis=1)
    rho = np.clip(x @ x.T / np.outer(norms, norms), -1, 1).ravel()
    values = profile((1 - rho) / 2, (1 + rho) / 2, depth, DELTA).reshape(len(x), len(x))
    scaled: Floats = depth * values * np.outer(norms, norms)
    return scaled


def neural_tangents() -> Callable[[Floats, int], Floats] | None:
    """The same kernel by neural-tangents on JAX in double precision, if it is installed."""
    if importlib.util.find_spec("neural_tangents") is None:
        return None
    import jax  # noqa: PLC0415
    from neural_tangents import stax  # noqa: PLC0415

    jax.config.update("jax_enable_x64", True)
    compiled: dict[int, Callable[..., Floats]] = {}

    def kernel(x: Floats, depth: int) -> Floats:
        if depth not in compiled:
            hidden = [layer for _ in range(depth - 1) for layer in (_dense(stax), stax.Relu())]
            compiled[depth] = jax.jit(stax.serial(*hidden, _dense(stax))[2], static_argnums=2)
        scaled: Floats = np.asarray(compiled[depth](x, None, "ntk")) * x.shape[1] / 2
        return scaled

    return kernel


def _dense(stax: object) -> object:
    return stax.Dense(1, W_std=2**0.5, b_std=None)  # type: ignore[attr-defined]


def seconds(function: Callable[[], object], repeats: int) -> float:
    """The shortest of a few times."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return min(times)


def run(console: Console) -> None:
    """Print times and ratios, and how far the results are apart."""
    x = np.random.default_rng(0).standard_normal((POINTS, DIMENSION))
    title = f"Limiting NTK of {POINTS} points in dimension {DIMENSION}, delta = {DELTA}"
    table = Table(title=title, caption="times in seconds; x: times the repeated call of this one")
    for column in ("depth", "first call", "again", "textbook", "at every pair", "neural-tangents"):
        table.add_column(column, justify="right")
    other = neural_tangents()
    for depth in DEPTHS:
        table.add_row(str(depth), *_row(x, depth, other))
    console.print(table)
    if other is None:
        console.print("neural-tangents is not installed (optional group: compare).")


def _row(x: Floats, depth: int, other: Callable[[Floats, int], Floats] | None) -> list[str]:
    profile_table.cache_clear()
    first = seconds(lambda: limiting_ntk(x, depth, DELTA), 1)
    again = seconds(lambda: limiting_ntk(x, depth, DELTA), 5)
    found = limiting_ntk(x, depth, DELTA)
    cells = [f"{first:.3f}", f"{again:.3f}"]
    for rival in (textbook, at_every_pair, other):
        if rival is None:
            cells.append("-")
            continue
        apart = np.abs(rival(x, depth) - found).max() / found.max()
        ratio = seconds(lambda rival=rival: rival(x, depth), 2) / again  # type: ignore[misc]
        cells.append(f"{ratio:.1f} x\noff by {apart:.0e}")
    return cells

"""The NTK drawn without layer matrices, against drawing them, and against drawing the normals."""

import time
from collections.abc import Callable, Sequence

import numpy as np
from rich.console import Console
from rich.table import Table

from numeric.networks import sample_ntk

_POINTS, _DIMENSION = 8, 64
_DEEP = tuple(64 * k * k for k in range(1, 32))


def run(console: Console) -> None:
    """Print the table."""
    rng = np.random.default_rng(0)
    x = rng.standard_normal((_POINTS, _DIMENSION))
    table = Table(title=f"One draw of the NTK of {_POINTS} points in dimension {_DIMENSION}")
    for heading in ("depth", "widths", "seconds", "x the normals", "direct, x"):
        table.add_column(heading, justify="right")
    for width in (64, 512, 4096, 32768):
        _row(table, x, (width,) * 7, rng, direct=512 <= width <= 4096)
    _row(table, x, _DEEP, rng, direct=False)
    console.print(table)


def _row(table: Table, x: np.ndarray, widths: Sequence[int], rng: np.random.Generator, direct: bool) -> None:
    law = best(lambda: sample_ntk(x, widths, 0, 1, rng, method="law"))
    normals = best(lambda: [rng.standard_normal((2 * len(x), width)) for width in widths])
    slow = best(lambda: sample_ntk(x, widths, 0, 1, rng), 1) / law if direct else None
    shown = str(widths[0]) if len(set(widths)) == 1 else f"{widths[0]} to {widths[-1]}"
    cells = (f"{law:.4f}", f"{law / normals:.1f}", f"{slow:.0f}" if slow else "-")
    table.add_row(str(len(widths) + 1), shown, *cells)


def best(work: Callable[[], object], repeats: int = 5) -> float:
    """The shortest of some runs, after one to warm up."""
    work()
    seconds = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - start)
    return min(seconds)

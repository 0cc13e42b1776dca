"""Figures computed and drawn: their tables from what is kept, and files from the tables."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from pathlib import Path

from theorems.engine.running.catalogue import code_of
from theorems.engine.running.store import state_folder
from theorems.interface.figure import Figure, Row, Size

__all__ = ["drawn", "figure_rows", "is_kept"]

_UNDATED: dict[str, dict[str, None]] = {"png": {}, "pdf": {"CreationDate": None}, "svg": {"Date": None}}


def figure_rows(
    one: Figure, size: Size, seed: int, jobs: int, advance: Callable[[int], None] | None = None
) -> list[Row]:
    """The table of a figure; cases that were computed with the same code are taken from disk.

    ``advance`` is called with the place of each case that is done.  Raises SweepInProgressError
    while another process computes the same.
    """
    from numeric.networks.sweeps import sweep  # noqa: PLC0415 - slow

    cases, keep = one.cases(size), _kept(one, size, seed)
    results = sweep(one.compute, cases, seed=seed, jobs=jobs, advance=advance, keep=keep)
    return one.table(cases, results)


def is_kept(one: Figure, size: Size, seed: int) -> bool:
    """Whether all cases of a figure were computed with this code."""
    path = _kept(one, size, seed)
    if not path.is_file():
        return False
    with path.open(encoding="utf-8") as lines:
        return sum(1 for _ in lines) >= len(one.cases(size))


def _kept(one: Figure, size: Size, seed: int) -> Path:
    """Where results are kept: the name changes with the code, and files of older code go."""
    folder, stem = state_folder() / "figures", f"{one.id}-{size.value}-{seed}"
    modules = {one.compute.__module__, one.cases.__module__}
    path = folder / f"{stem}-{code_of(*sorted(modules))[:16]}.jsonl"
    for other in folder.glob(f"{stem}-*"):
        if not other.name.startswith(path.name):
            other.unlink(missing_ok=True)
    return path


def drawn(one: Figure, rows: Sequence[Row], ending: str) -> bytes:
    """A file with the figure, drawn without any display; equal rows give equal files."""
    from matplotlib import rc_context  # noqa: PLC0415 - slow to import
    from matplotlib.backends.backend_agg import FigureCanvasAgg  # noqa: PLC0415
    from matplotlib.figure import Figure as Canvas  # noqa: PLC0415

    with rc_context({"svg.hashsalt": one.id, "font.size": 9, "axes.grid": True, "grid.alpha": 0.3}):
        canvas = Canvas(figsize=(9, 3.8), dpi=150, layout="constrained")
        FigureCanvasAgg(canvas)
        one.draw(rows, canvas)
        canvas.suptitle(one.title)
        file = io.BytesIO()
        canvas.savefig(file, format=ending, metadata=_UNDATED[ending])
    return file.getvalue()

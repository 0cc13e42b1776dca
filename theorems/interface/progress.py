"""How far a run is: a bar on a terminal, elsewhere a plain line at every tenth."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

__all__ = ["progress"]


@contextmanager
def progress(total: int) -> Iterator[Callable[[str], None]]:
    """A function to call with a claim's id whenever one more check is done; writes to stderr."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield _Lines(total).advance
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, TimeElapsedColumn(), console=console, transient=True) as bar:
        task = bar.add_task("checking", total=total)
        yield lambda identifier: bar.update(task, advance=1, description=f"checked {identifier}")


class _Lines:
    def __init__(self, total: int) -> None:
        self.total, self.done = total, 0

    def advance(self, identifier: str) -> None:
        before, self.done = self.done, self.done + 1
        if 10 * self.done // self.total > 10 * before // self.total:
            percent = 100 * self.done // self.total
            text = f"checked {self.done} of {self.total} ({percent} %), last {identifier}"
            print(text, file=sys.stderr, flush=True)

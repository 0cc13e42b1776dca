"""Progress of a run: a bar on a terminal, elsewhere a plain line at every tenth."""

import contextlib
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

__all__ = ["progress"]


@contextmanager
def progress(total: int, done: str = "checked") -> Iterator[Callable[[str], None]]:
    """A function to call with a name whenever one more of ``total`` is done; writes to stderr."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield _Lines(total, done).advance
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, TimeElapsedColumn(), console=console, transient=True) as bar:
        task = bar.add_task("starting", total=total)
        yield lambda identifier: bar.update(task, advance=1, description=f"{done} {identifier}")


class _Lines:
    def __init__(self, total: int, word: str) -> None:
        self.total, self.word, self.done = total, word, 0

    def advance(self, identifier: str) -> None:
        before, self.done = self.done, self.done + 1
        if 10 * self.done // self.total > 10 * before // self.total:
            percent = 100 * self.done // self.total
            text = f"{self.word} {self.done} of {self.total} ({percent} %), last {identifier}"
            with contextlib.suppress(OSError):  # a stream that is full stops no run
                print(text, file=sys.stderr, flush=True)

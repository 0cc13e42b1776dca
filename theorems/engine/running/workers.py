"""Processes that work for a command, and end with it."""

import contextlib
import os
import signal
import tempfile
import threading
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor
from contextlib import contextmanager
from functools import cache
from os import _exit  # itself, whatever a paper that is being loaded makes of it
from pathlib import Path
from types import FrameType
from typing import Any, TypeVar

from joblib import Parallel, delayed
from joblib.externals.loky import ProcessPoolExecutor, get_reusable_executor

__all__ = ["WorkerDiedError", "in_workers", "one_by_one"]

T = TypeVar("T")


class WorkerDiedError(BrokenExecutor):
    """A worker ended in the middle of its work, and the others were ended with it.

    ``begun`` are the places of the arguments that they were at.
    """

    def __init__(self, begun: frozenset[int]) -> None:
        super().__init__("a worker process died")
        self.begun = begun


def in_workers(
    jobs: int, call: Callable[..., T], arguments: Sequence[tuple[Any, ...]]
) -> Iterator[T]:
    """The results of a function at each of several arguments, as they come.

    With one job, or one argument, all is done in this process.  Raises WorkerDiedError if a worker
    dies.
    """
    if jobs == 1 or len(arguments) < 2:
        yield from (call(*one) for one in arguments)
        return
    here, count = os.getpid(), min(jobs, len(arguments))
    with _workers_end_with_us(), tempfile.TemporaryDirectory(prefix="theorems-") as notes:
        tasks = (
            delayed(_noted)(notes, place, here, call, one) for place, one in enumerate(arguments)
        )
        with _undisturbed():
            found = Parallel(n_jobs=count, return_as="generator_unordered", batch_size=1)(tasks)
        try:
            for one in found:  # noqa: UP028 - so that it is closed below, and not before
                yield one
        except BrokenExecutor:
            raise WorkerDiedError(_begun(Path(notes))) from None
        finally:
            with warnings.catch_warnings():  # joblib tells of tasks that nobody waits for
                warnings.simplefilter("ignore")
                found.close()


def one_by_one(call: Callable[..., T], arguments: Sequence[tuple[Any, ...]]) -> Iterator[T | None]:
    """The results in the order of arguments, in one worker with nothing beside it.

    None stands for the result of a call that ended the worker.
    """
    worker: ProcessPoolExecutor | None = None
    with _workers_end_with_us():
        try:
            for one in arguments:
                with _undisturbed():
                    worker = worker or ProcessPoolExecutor(max_workers=1)
                    future = worker.submit(_beside, os.getpid(), call, one)
                try:
                    found = future.result()
                except BrokenExecutor:
                    found = worker = None
                yield found
        finally:
            if worker is not None:
                worker.shutdown(kill_workers=True)


def _noted(
    notes: str, place: int, parent: int, call: Callable[..., T], arguments: tuple[Any, ...]
) -> T:
    """Work with a note of what one is at: if the worker dies, the note is what remains of it."""
    note = Path(notes) / str(os.getpid())
    with contextlib.suppress(OSError):
        note.write_text(str(place))
    found = _beside(parent, call, arguments)
    note.unlink(missing_ok=True)
    return found


def _begun(notes: Path) -> frozenset[int]:
    texts = [one.read_text() for one in notes.iterdir()]
    return frozenset(int(one) for one in texts if one.isdecimal())


def _beside(parent: int, call: Callable[..., T], arguments: tuple[Any, ...]) -> T:
    """Work in a process that ends as soon as the one that asked is gone."""
    _watch(parent)
    return call(*arguments)


@cache
def _watch(parent: int) -> None:
    def wait() -> None:
        while os.getppid() == parent:
            time.sleep(0.5)
        _exit(1)

    threading.Thread(target=wait, daemon=True).start()


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Begin processes that share an order of hashes, and that leave interrupts to this one.

    SymPy goes through sets in the order of hashes; workers inherit the environment, as joblib has
    no other way to hand them a variable, and they inherit which signals are held back.
    """
    os.environ.setdefault("PYTHONHASHSEED", "0")
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _workers_end_with_us() -> Iterator[None]:
    """Turn the signal TERM into an orderly end, and let no worker outlive a run cut short."""

    def leave(number: int, _frame: FrameType | None) -> None:
        raise SystemExit(128 + number)

    main = threading.current_thread() is threading.main_thread()
    before = signal.signal(signal.SIGTERM, leave) if main else None
    try:
        yield
    except BaseException:
        get_reusable_executor().shutdown(wait=False, kill_workers=True)
        raise
    finally:
        if main:
            signal.signal(signal.SIGTERM, before)

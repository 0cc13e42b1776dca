"""Processes that work for a command, and end with it."""

import contextlib
import gc
import os
import signal
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor
from contextlib import contextmanager
from functools import cache
from itertools import islice
from multiprocessing.resource_tracker import ensure_running
from os import _exit  # itself, whatever a paper that is being loaded makes of it
from pathlib import Path
from queue import Empty
from types import FrameType
from typing import Any, TypeVar

from joblib.externals.loky import FIRST_COMPLETED, ProcessPoolExecutor, process_executor, wait

from theorems.engine.running.threads import ONE_THREAD, one_thread_at_all

__all__ = ["WorkerDiedError", "in_workers", "one_by_one"]

T = TypeVar("T")


class WorkerDiedError(BrokenExecutor):
    """A worker ended in the middle of its work, and the others were ended with it.

    ``begun`` are the places of the arguments that they were at.
    """

    def __init__(self, begun: frozenset[int]) -> None:
        super().__init__("a worker process died")
        self.begun = begun


def in_workers(jobs: int, call: Callable[..., T], arguments: Sequence[tuple[Any, ...]]) -> Iterator[T]:
    """The results of a function at each of several arguments, as they come.

    With one job, or one argument, all is done in this process.  Raises WorkerDiedError if a worker
    dies.
    """
    if jobs == 1 or len(arguments) < 2:
        with one_thread_at_all():  # once for all, as it takes longer than a small piece of work
            yield from (call(*one) for one in arguments)
        return
    here, count = os.getpid(), min(jobs, len(arguments))
    with _folder_of_notes() as notes, _workers(count) as workers:
        left = enumerate(arguments)

        def begun(most: int) -> set[Any]:
            some = islice(left, most)
            return {workers.submit(_noted, notes, place, here, call, one) for place, one in some}

        try:
            with _undisturbed():  # more at a time would not be ended in an orderly way
                running = begun(2 * count)
            while running:
                done, running = wait(running, return_when=FIRST_COMPLETED)
                running |= begun(len(done))
                for task in done:
                    yield task.result()
        except BrokenExecutor:
            raise WorkerDiedError(_begun(Path(notes))) from None


def _folder_of_notes() -> tempfile.TemporaryDirectory[str]:
    """A folder that goes when it is left; a worker that is being ended may still write to it."""
    return tempfile.TemporaryDirectory(prefix="theorems-", ignore_cleanup_errors=True)


def one_by_one(call: Callable[..., T], arguments: Sequence[tuple[Any, ...]]) -> Iterator[T | None]:
    """The results in the order of arguments, each in a new process with nothing beside it.

    None stands for the result of a call that ended its process.
    """
    for one in arguments:
        with _workers(1) as worker:
            with _undisturbed():
                task = worker.submit(_beside, os.getpid(), call, one)
            try:
                found = task.result()
            except BrokenExecutor:
                found = None
        yield found


def _noted(notes: str, place: int, parent: int, call: Callable[..., T], arguments: tuple[Any, ...]) -> T:
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

    SymPy goes through sets in the order of hashes; workers inherit the environment, and which
    signals are held back.  Python's own helper of processes comes first, as to begin it lets all
    signals through.
    """
    os.environ.setdefault("PYTHONHASHSEED", "0")
    ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin(*garbage: int) -> None:
    """Look for garbage as seldom as the process that asks, and live as long as it wants.

    By default a worker that has grown, as it has loaded papers, say, is ended and begun anew.
    """
    gc.set_threshold(*garbage)
    process_executor._USE_PSUTIL = True  # else it would look for garbage every second
    process_executor._get_memory_usage = _no_growth


def _no_growth(*_: object, **__: object) -> int:
    return 0


def _forget(workers: ProcessPoolExecutor) -> None:
    """Forget what was not begun: else the pool looks for it once it has been shut down.

    Its thread would then end in a KeyError that is printed after whatever the command says.
    """
    with contextlib.suppress(AttributeError, Empty):
        while True:
            workers._work_ids.get(block=False)


@contextmanager
def _workers(count: int) -> Iterator[ProcessPoolExecutor]:
    """So many processes, which end when they are left, whatever the reason.

    The signal TERM is turned into an orderly end meanwhile.
    """

    def leave(number: int, _frame: FrameType | None) -> None:
        raise SystemExit(128 + number)

    main = threading.current_thread() is threading.main_thread()
    before = signal.signal(signal.SIGTERM, leave) if main else None
    workers = ProcessPoolExecutor(
        max_workers=count, env=ONE_THREAD, initializer=_begin, initargs=gc.get_threshold()
    )
    try:
        yield workers
    finally:
        _forget(workers)
        workers.shutdown(wait=False, kill_workers=True)
        if main:
            signal.signal(signal.SIGTERM, before)

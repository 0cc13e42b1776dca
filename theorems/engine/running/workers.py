"""Processes that work for a command, and end with it."""

import os
import signal
import threading
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from types import FrameType
from typing import Any, TypeVar

from joblib import Parallel, delayed
from joblib.externals.loky import get_reusable_executor

__all__ = ["in_workers"]

T = TypeVar("T")


def in_workers(
    jobs: int, call: Callable[..., T], arguments: Sequence[tuple[Any, ...]]
) -> Iterator[T]:
    """The results of a function at each of several arguments, as they come.

    With one job, or one argument, all is done in this process.  SymPy goes through sets in the
    order of hashes, so every worker has the same one: workers inherit the environment, as joblib
    has no other way to hand them a variable.
    """
    if jobs == 1 or len(arguments) < 2:
        yield from (call(*one) for one in arguments)
        return
    os.environ.setdefault("PYTHONHASHSEED", "0")
    here = os.getpid()
    tasks = (delayed(_beside)(here, call, one) for one in arguments)
    count = min(jobs, len(arguments))
    with _workers_end_with_us():
        found = Parallel(n_jobs=count, return_as="generator_unordered", batch_size=1)(tasks)
        try:
            for one in found:  # noqa: UP028 - so that it is closed below, and not before
                yield one
        finally:
            with warnings.catch_warnings():  # joblib tells of tasks that nobody waits for
                warnings.simplefilter("ignore")
                found.close()


def _beside(parent: int, call: Callable[..., T], arguments: tuple[Any, ...]) -> T:
    """Work in a process that ends as soon as the one that asked is gone."""
    _watch(parent)
    return call(*arguments)


@cache
def _watch(parent: int) -> None:
    def wait() -> None:
        while os.getppid() == parent:
            time.sleep(0.5)
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()


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

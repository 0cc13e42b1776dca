"""Limits within which checks run: fresh arithmetic, a time, and no exception that escapes."""

import signal
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import flint
import mpmath
import numpy as np

from theorems.engine.claims.kinds import Answer
from theorems.engine.judging.answers import Outcome

__all__ = ["guarded"]

#: Seconds for a check at effort 1.
_SECONDS = 300


def guarded(run: Callable[[], Outcome], effort: int) -> Outcome:
    """What ``run`` returns, in fresh arithmetic.

    An exception inside of it, or more time than this effort is worth, is an undecided answer that
    says where it came from.
    """
    try:
        with _fresh_arithmetic(), _time_limit(_SECONDS * effort):
            return run()
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        where = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{where.filename.rpartition('/')[2]}:{where.lineno}"
        return Outcome(Answer.UNDECIDED, f"{type(error).__name__} at {place}: {error}")


@contextmanager
def _time_limit(seconds: int) -> Iterator[None]:
    """Stop a check that takes too long; only the main thread of a process can do so."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(*_: object) -> None:
        raise TimeoutError(f"stopped after {seconds} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


@contextmanager
def _fresh_arithmetic() -> Iterator[None]:
    """Double precision at the start, and none of a check's changes left at the end."""
    mp_precision, flint_precision = mpmath.mp.prec, flint.ctx.prec
    mpmath.mp.prec = flint.ctx.prec = 53
    try:
        with np.errstate(divide="warn", over="warn", under="ignore", invalid="warn"):
            yield
    finally:
        mpmath.mp.prec, flint.ctx.prec = mp_precision, flint_precision

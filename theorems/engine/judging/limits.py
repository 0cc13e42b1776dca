"""Limits within which checks run: fresh arithmetic, no exception that escapes, a safety net.

The net is a time of the processor, far above what any check needs, so that a busy machine does not
use it up.  Where it holds one back, the answer is one of its own, which is about the machine and
never kept.
"""

import signal
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import flint
import mpmath
import numpy as np

from symbolic.fixed_order import begin_anew
from theorems.engine.claims.kinds import Answer
from theorems.engine.errors import OUT_OF_TIME, OutOfTimeError
from theorems.engine.judging.answers import Outcome

__all__ = ["guarded"]

#: Seconds of the processor for a check at effort 1.
_SECONDS = 600
#: How many times as long it may take in all, on a busy machine or while it waits for something.
_IDLE = 20
_CLOCKS = {signal.ITIMER_PROF: signal.SIGPROF, signal.ITIMER_REAL: signal.SIGALRM}


def guarded(run: Callable[[], Outcome], effort: int) -> Outcome:
    """What ``run`` returns, in fresh arithmetic.

    An exception inside of it is an undecided answer that says where it came from, and so is more
    time than any check of this effort needs.
    """
    seconds = _SECONDS * effort
    try:
        with _fresh_arithmetic(), _time_limit(seconds):
            return run()
    except KeyboardInterrupt:
        raise
    except OutOfTimeError as error:
        return Outcome(Answer.UNDECIDED, f"{OUT_OF_TIME}: {error}")
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
        raise OutOfTimeError(f"stopped after {seconds} s")

    before = {clock: signal.signal(name, stop) for clock, name in _CLOCKS.items()}
    signal.setitimer(signal.ITIMER_PROF, seconds)
    signal.setitimer(signal.ITIMER_REAL, _IDLE * seconds)
    try:
        yield
    finally:
        for clock, name in _CLOCKS.items():
            signal.setitimer(clock, 0)
            signal.signal(name, before[clock])


@contextmanager
def _fresh_arithmetic() -> Iterator[None]:
    """Double precision and SymPy's first points at the start; no change of precision is left."""
    mp_precision, flint_precision = mpmath.mp.prec, flint.ctx.prec
    mpmath.mp.prec = flint.ctx.prec = 53
    begin_anew()
    try:
        with np.errstate(divide="warn", over="warn", under="ignore", invalid="warn"):
            yield
    finally:
        mpmath.mp.prec, flint.ctx.prec = mp_precision, flint_precision

"""Linear algebra in one thread: beside other processes, more of them would be in the way."""

import os
from contextlib import AbstractContextManager, nullcontext

from threadpoolctl import threadpool_limits

__all__ = ["ONE_THREAD", "one_thread"]

#: What tells the libraries to use one thread, if it is in the environment when they are loaded.
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


def one_thread() -> AbstractContextManager[object]:
    """Use one thread meanwhile; nothing is to do where the environment has said so."""
    if ONE_THREAD.items() <= os.environ.items():
        return nullcontext()
    limited: AbstractContextManager[object] = threadpool_limits(limits=1)
    return limited

"""Linear algebra in one thread: beside other processes, more of them would be in the way."""

import os
from contextlib import AbstractContextManager, nullcontext
from functools import cache
from typing import Any, cast

from threadpoolctl import ThreadpoolController

__all__ = ["ONE_THREAD", "one_thread"]

#: What tells the libraries to use one thread, if it is in the environment when they are loaded.
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


def one_thread() -> AbstractContextManager[Any]:
    """Use one thread meanwhile, in the libraries that were loaded when this was first called.

    Nothing is to do, which is quicker, where the environment has said so.

    >>> with one_thread():
    ...     pass
    """
    if ONE_THREAD.items() <= os.environ.items():
        return nullcontext()
    return cast("AbstractContextManager[Any]", _libraries().limit(limits=1))


@cache
def _libraries() -> ThreadpoolController:
    return ThreadpoolController()

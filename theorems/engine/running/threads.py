"""One thread for linear algebra in a whole run, whose libraries are loaded as they are needed."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

from threadpoolctl import threadpool_limits

from numeric.one_thread import ONE_THREAD

__all__ = ["ONE_THREAD", "one_thread_at_all"]


@contextmanager
def one_thread_at_all() -> Iterator[None]:
    """Use one thread meanwhile; nothing is to do where the environment has said so.

    It says so meanwhile, for what asks inside, and for libraries that are loaded only then.
    """
    if ONE_THREAD.items() <= os.environ.items():
        yield
        return
    before = {name: os.environ.get(name) for name in ONE_THREAD}
    os.environ.update(ONE_THREAD)
    try:
        with threadpool_limits(limits=1):
            yield
    finally:
        for name, value in before.items():
            os.environ.pop(name)
            os.environ.update({} if value is None else {name: value})

"""What is shown and takes long to make: kept beside the catalogue, with what it was made of."""

import contextlib
from collections.abc import Callable, Iterable
from typing import Any

from theorems.engine.running.catalogue import cache_folder, code_of
from theorems.engine.running.parsing import hashed
from theorems.engine.running.store import Store

__all__ = ["remembered"]


def remembered(name: str, maker: str, made_of: Iterable[str], make: Callable[[], Any]) -> Any:
    """Plain data as they were made before from the same things by the same code, or made now.

    ``maker`` is the module that makes them, ``made_of`` the keys of the claims that they show.
    """
    store = Store(cache_folder() / "made.jsonl")
    label = (name, hashed(code_of(maker), *made_of))
    kept = store.read([label])
    if label in kept:
        return kept[label]
    made = make()
    with contextlib.suppress(OSError):
        store.append(label, made, sync=False)
        store.tidy()
    return made

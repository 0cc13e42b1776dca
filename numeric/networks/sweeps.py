"""Sweeps: one function of a case and a random generator at many cases, in parallel, resumable.

Each case has a generator of its own, spawned from the seed by its place in the list, so that
results depend neither on the number of jobs nor on the order in which cases finish. With ``keep``
every finished case is on disk before it is reported: an interrupted sweep goes on from there.

Work is handed to joblib. On a Dask cluster the same call runs inside one line::

    with joblib.parallel_config(backend="dask"):
        sweep(function, cases, seed=0)
"""

import contextlib
import hashlib
import json
import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from filelock import FileLock, Timeout
from joblib import Parallel, delayed

from numeric.arguments import integer, sequence, shown
from numeric.one_thread import one_thread

__all__ = ["SweepInProgressError", "sweep"]

Function = Callable[[Any, np.random.Generator], Any]


class SweepInProgressError(RuntimeError):
    """Another sweep keeps its results in the same file."""


_MOST_JOBS = 4096
_MOST_SEED = 2**128 - 1


def sweep(
    function: Function,
    cases: Sequence[Any],
    seed: int = 0,
    jobs: int | None = None,
    advance: Callable[[int], None] | None = None,
    keep: Path | None = None,
) -> list[Any]:
    """Return [function(case, rng) for case in cases], computed in parallel.

    - ``function``: a function of a module, which takes a case and a NumPy Generator and returns
      numbers, strings, lists, dictionaries or arrays of finite numbers. It runs on one thread.
    - ``cases``: plain data as well. Appending cases leaves the results of the others as they are.
    - ``jobs``: processes, in [1, 4096]; None takes what ``joblib.parallel_config`` says.
    - ``advance``: called with the place of a case whenever one is done, kept ones included.
    - ``keep``: a file for finished cases, one line each; a later call with the same function, seed
      and cases takes them from there. Whoever changes the function should change the file.

    Arrays come back as lists. Raises TypeError or ValueError for other arguments and for results
    that are not such data, SweepInProgressError while another sweep has the file.

    >>> sweep(lambda case, rng: case + rng.integers(10), [100, 200], seed=1)
    [100, 209]
    """
    listed, entropy = sequence("cases", cases, of="cases"), integer("seed", seed, 0, _MOST_SEED)
    processes = None if jobs is None else integer("jobs", jobs, 1, _MOST_JOBS)
    tell = _ignore if advance is None else advance
    for name, value in (("function", function), ("advance", tell)):
        if not callable(value):
            raise TypeError(f"{name} must be callable, got {shown(value)}")
    if not (keep is None or isinstance(keep, Path)):
        raise TypeError(f"keep must be a pathlib.Path or None, got {shown(keep)}")
    keys = [_key(function, case, place, entropy) for place, case in enumerate(listed)]
    with _Kept(keep) as kept:
        found = {key: kept.results[key] for key in keys if key in kept.results}
        for place, key in enumerate(keys):
            if key in found:
                tell(place)
        missing = [place for place, key in enumerate(keys) if key not in found]
        for place, text in _computed(function, listed, missing, entropy, processes):
            kept.append(keys[place], text)
            found[keys[place]] = json.loads(text)
            tell(place)
    return [found[key] for key in keys]


def _ignore(_: int) -> None:
    """Report nothing."""


def _computed(
    function: Function, cases: Sequence[Any], places: list[int], seed: int, jobs: int | None
) -> Iterator[tuple[int, str]]:
    """The results by place, as they come."""
    calls = (delayed(_one)(function, cases[place], place, seed) for place in places)
    if jobs == 1 or len(places) < 2:
        yield from (call(*args, **kwargs) for call, args, kwargs in calls)
        return
    processes = None if jobs is None else min(jobs, len(places))
    yield from Parallel(n_jobs=processes, return_as="generator_unordered", batch_size=1)(calls)


def _one(function: Function, case: Any, place: int, seed: int) -> tuple[int, str]:
    """The generator of a place is the child of that number of the seed's sequence."""
    generator = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(place,)))
    with one_thread():
        return place, _text("the result of function", function(case, generator))


def _text(name: str, value: Any) -> str:
    try:
        return json.dumps(value, allow_nan=False, default=_plain)
    except (TypeError, ValueError) as error:
        wanted = "plain data: finite numbers, strings, lists, dictionaries, arrays"
        raise type(error)(f"{name} must be {wanted}, got {shown(value)}") from error


def _plain(value: Any) -> Any:
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    raise TypeError(f"no plain data: {type(value).__name__}")


def _key(function: Function, case: Any, place: int, seed: int) -> str:
    name = [getattr(function, part, "") for part in ("__module__", "__qualname__")]
    text = _text("cases", [name, case, place, seed])
    return hashlib.sha256(text.encode()).hexdigest()[:32]


class _Kept:
    """An append-only file of results, for one sweep at a time; without a path nothing is kept."""

    def __init__(self, path: Path | None) -> None:
        self.path, self.results, self.lock = path, dict[str, Any](), contextlib.ExitStack()

    def __enter__(self) -> "_Kept":
        if self.path is not None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            lock = FileLock(self.path.with_name(self.path.name + ".lock"))
            try:
                self.lock.enter_context(lock.acquire(timeout=0))
            except Timeout:
                raise SweepInProgressError(f"another sweep has the file {self.path}") from None
            self.results = _read(self.path)
        return self

    def __exit__(self, *_: object) -> None:
        self.lock.close()

    def append(self, key: str, text: str) -> None:
        """Keep a result for good, on a line of its own whether or not the last one is torn."""
        if self.path is not None:
            with self.path.open("a", encoding="utf-8") as file:
                file.write(f'\n{{"key": "{key}", "result": {text}}}')
                file.flush()
                os.fsync(file.fileno())


def _read(path: Path) -> dict[str, Any]:
    """What was kept; a line cut short by a kill is dropped."""
    found = {}
    if path.exists():
        for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
            with contextlib.suppress(ValueError, TypeError, KeyError):
                entry = json.loads(line)
                found[entry["key"]] = entry["result"]
    return found

"""What a long run has finished, on disk at once: the same command goes on where it was stopped."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

__all__ = ["Journal", "RunInProgressError", "state_folder"]


class RunInProgressError(RuntimeError):
    """The same command is running already."""


def state_folder() -> Path:
    """Where journals and the latest results are kept: ``$THEOREMS_STATE`` or ``.theorems``."""
    return Path(os.environ.get("THEOREMS_STATE", ".theorems"))


class Journal:
    """An append-only file of records, locked for one run at a time.

    ``name`` is a fingerprint of all that the records depend on.
    """

    def __init__(self, folder: Path, name: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.path = folder / f"{name}.jsonl"
        self.lock = FileLock(folder / f"{name}.lock")

    def __enter__(self) -> Journal:
        try:
            self.lock.acquire(blocking=False)
        except Timeout:
            raise RunInProgressError("the same run is under way in another process") from None
        return self

    def __exit__(self, *_: object) -> None:
        self.lock.release()

    def read(self) -> Iterator[Any]:
        """What an interrupted run had finished; a line cut short by a kill is dropped."""
        if self.path.exists():
            for line in self.path.read_text(encoding="utf-8", errors="replace").splitlines():
                with contextlib.suppress(ValueError):
                    yield json.loads(line)

    def append(self, record: Any) -> None:
        """Keep a record for good: on disk before the next one starts."""
        with self.path.open("a", encoding="utf-8") as file:
            file.write("\n" + json.dumps(record))  # on its own line, torn ones before or not
            file.flush()
            os.fsync(file.fileno())

    def forget(self) -> None:
        """Delete the file: the run is finished, and its results are elsewhere."""
        self.path.unlink(missing_ok=True)

"""Permanent storage of results: labelled data that are on disk as soon as they are computed.

A label names all that the data depend on, so that what is found under a label is fresh by
construction: when the code changes, the labels do.  An interrupted run loses nothing.
"""

import contextlib
import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from filelock import FileLock

__all__ = ["Store", "state_folder"]

#: How many computations of the same thing are kept, so that one can go back to older code.
_KEPT = 3


def state_folder() -> Path:
    """Where results are kept: ``$THEOREMS_STATE``, or ``.theorems`` in the present folder."""
    return Path(os.environ.get("THEOREMS_STATE") or ".theorems")


class Store:
    """An append-only file of labelled data; several processes may append to it.

    A label is words without white space, of which the first say what the data are about and the
    last is a fingerprint of what they depend on.  A line cut short by a kill is passed over.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = FileLock(path.with_suffix(".lock"))

    def read(self, labels: Iterable[tuple[str, ...]] | None = None) -> dict[tuple[str, ...], Any]:
        """The newest data under each of these labels, or under all."""
        wanted = None if labels is None else set(labels)
        raw = {label: data for label, data in self._lines() if wanted is None or label in wanted}
        found = {}
        for label, data in raw.items():
            with contextlib.suppress(ValueError):
                found[label] = json.loads(data)
        return found

    def read_about(self, subject: str) -> dict[tuple[str, ...], Any]:
        """The newest data under each label whose first word is this."""
        return self.read({label for label, _ in self._lines() if label[0] == subject})

    def prepare(self) -> None:
        """OSError if nothing can be kept here, before any work is done for it."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("a", encoding="utf-8"), self._lock:
            pass  # in this order, as a lock waits for ever where no file can be made

    def append(self, label: tuple[str, ...], data: Any) -> None:
        """Keep data for good: on disk before this returns."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        line = f"\n{' '.join(label)}\t{json.dumps(data)}"  # on its own line, torn ones or not
        with self._lock, self.path.open("a", encoding="utf-8") as file:
            file.write(line)
            file.flush()
            os.fsync(file.fileno())

    def tidy(self) -> None:
        """Drop what was computed with code that has been changed since several times."""
        if not self.path.exists():
            return
        with self._lock:
            lines = list(self._lines())
            kept: dict[tuple[str, ...], str] = {}
            about: Counter[tuple[str, ...]] = Counter()
            for label, data in reversed(lines):
                if label not in kept and about[label[:-1]] < _KEPT:
                    about[label[:-1]] += 1
                    kept[label] = data
            if len(kept) == len(lines):
                return
            draft = self.path.with_suffix(".new")
            text = "".join(f"\n{' '.join(label)}\t{kept[label]}" for label in reversed(kept))
            draft.write_text(text, encoding="utf-8")
            draft.replace(self.path)  # a kill leaves the old ones or the new

    def _lines(self) -> Iterator[tuple[tuple[str, ...], str]]:
        try:
            text = self.path.read_text(encoding="utf-8", errors="replace")
        except OSError:
            return
        for line in text.splitlines():
            label, tab, data = line.partition("\t")
            if tab and data.endswith(("}", "]")):
                yield tuple(label.split(" ")), data

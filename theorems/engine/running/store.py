"""Permanent storage: labelled data, each on a line of its own with a checksum.

A label names all that the data depend on, so that what is found under a label is fresh by
construction: when the code changes, the labels do.  An interrupted run loses nothing, and a line
that was damaged, or edited by hand, is as if it were not there.
"""

import contextlib
import hashlib
import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from theorems.engine.telling import tell

__all__ = ["Label", "Store", "answers_folder", "state_folder"]

Label = tuple[str, ...]

#: How many computations of the same thing are kept, so that one can go back to older code.
_KEPT = 3
#: Seconds after which one is told what one waits for.
_PATIENCE = 2.0


def state_folder() -> Path:
    """Where results are kept: ``$THEOREMS_STATE``, or ``.theorems`` in the present folder."""
    return Path(os.environ.get("THEOREMS_STATE") or ".theorems")


def answers_folder() -> Path:
    """Where answers of provers are kept: ``$THEOREMS_ANSWERS``, or beside the results."""
    return Path(os.environ.get("THEOREMS_ANSWERS") or state_folder())


class Store:
    """An append-only file of labelled data; many processes may append to it.

    A label is words without white space, of which the first say what the data are about and the
    last, if there are several, is a fingerprint of what they depend on.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = FileLock(path.with_suffix(".lock"))

    def read(self, labels: Iterable[Label] | None = None) -> dict[Label, Any]:
        """The newest data under each of these labels, or under all."""
        return self._read(None if labels is None else set(labels).__contains__)

    def read_about(self, subject: str) -> dict[Label, Any]:
        """The newest data under each label whose first word is this."""
        return self._read(lambda label: label[0] == subject)

    def labels(self) -> set[Label]:
        """The labels under which there are data."""
        return {label for label, _ in self._lines()}

    def prepare(self) -> None:
        """OSError if nothing can be kept here, before any work is done for it."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("ab"), self._alone():
            pass  # in this order, as a lock waits for ever where no file can be made

    def append(self, label: Label, data: Any, *, sync: bool = True) -> None:
        """Keep data for good: on disk before this returns, unless ``sync`` is false."""
        self.extend([(label, data)], sync=sync)

    def extend(self, entries: Iterable[tuple[Label, Any]], *, sync: bool = True) -> None:
        """Keep several data in one go.

        Without ``sync`` a crash of the whole machine, but of no process, may lose them.
        """
        lines = [_line(label, json.dumps(data).encode()) for label, data in entries]
        if not lines:
            return
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self._alone(), self.path.open("ab") as file:
            file.write(b"".join(lines))
            file.flush()
            if sync:
                os.fsync(file.fileno())

    def tidy(self) -> None:
        """Drop what was computed with code that has been changed since several times."""
        if not self.path.exists():
            return
        with self._alone():
            lines = list(self._lines())
            kept: dict[Label, bytes] = {}
            about: Counter[Label] = Counter()
            for label, data in reversed(lines):
                subject = label[:-1] or label
                if label not in kept and about[subject] < _KEPT:
                    about[subject] += 1
                    kept[label] = data
            if len(kept) < len(lines):
                self._replace(_line(label, kept[label]) for label in reversed(kept))

    def _replace(self, lines: Iterable[bytes]) -> None:
        """Write the file anew; a kill, or a full disk, leaves the old lines or the new ones."""
        draft = self.path.with_suffix(".new")
        try:
            draft.write_bytes(b"".join(lines))
            draft.replace(self.path)
        except OSError:
            with contextlib.suppress(OSError):
                draft.unlink(missing_ok=True)

    def _read(self, wanted: Callable[[Label], bool] | None) -> dict[Label, Any]:
        found = {}
        for label, data in dict(self._lines(wanted)).items():
            with contextlib.suppress(ValueError, RecursionError):
                found[label] = json.loads(data)
        return found

    def _lines(self, wanted: Callable[[Label], bool] | None = None) -> Iterator[tuple[Label, bytes]]:
        """The undamaged lines with labels that are wanted, in the order of writing."""
        try:
            lines = self.path.read_bytes().split(b"\n")
        except OSError:
            return
        for line in lines:
            checksum, _, rest = line.partition(b" ")
            words, _, data = rest.partition(b"\t")
            label = tuple(words.decode("utf-8", "replace").split(" "))
            if (wanted is None or wanted(label)) and checksum == _checksum(rest):
                yield label, data

    @contextlib.contextmanager
    def _alone(self) -> Iterator[None]:
        """Nobody else writes meanwhile; a long wait for others is told."""
        try:
            self._lock.acquire(timeout=_PATIENCE, poll_interval=0.01)
        except Timeout:
            tell(f"waiting for another process, which holds {self._lock.lock_file}")
            self._lock.acquire()
        try:
            yield
        finally:
            self._lock.release()


def _line(label: Label, data: bytes) -> bytes:
    """A line that begins with its end of line, so that it is one whatever was torn before."""
    rest = " ".join(label).encode() + b"\t" + data
    return b"\n" + _checksum(rest) + b" " + rest


def _checksum(rest: bytes) -> bytes:
    return hashlib.blake2b(rest, digest_size=8).hexdigest().encode()

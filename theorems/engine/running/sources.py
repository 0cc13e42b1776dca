"""The source files that a verdict can depend on: what each imports, and digests of what it says.

Files are parsed, not executed.  A digest of a module leaves out docstrings and comments, so that
an edit of prose redoes nothing; it is kept statement by statement, so that evidence for one claim
does not depend on the evidence for another one in the same file.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from theorems.engine.claims.papers import GROUP
from theorems.engine.errors import CodeChangedError
from theorems.engine.running.parsing import Module, dotted, hashed, module_name, parse

__all__ = ["OURS", "File", "Modules", "Sources", "code_at_start", "files_now", "roots"]
__all__ += ["snapshot", "unchanged"]

OURS = ("theorems", "symbolic", "numeric")
_CHANGED = "the code changed during the run; give the command again"


@cache
def roots() -> dict[str, Path]:
    """The folders of our packages, and of those in which others keep papers."""
    names = [*OURS, *(one.value.partition(":")[0].split(".")[0] for one in entry_points(group=GROUP))]
    found = {}
    for name in dict.fromkeys(names):
        spec = find_spec(name)
        if spec is not None and spec.submodule_search_locations:
            found[name] = Path(next(iter(spec.submodule_search_locations)))
    return found


def _files(folders: Mapping[str, Path]) -> Iterator[tuple[str, os.DirEntry[str]]]:
    """Every file that could matter, by its name relative to what holds its package."""
    for name, folder in sorted(folders.items()):
        yield from _below(name, folder)


def _below(name: str, folder: Path | str) -> Iterator[tuple[str, os.DirEntry[str]]]:
    for entry in sorted(os.scandir(folder), key=lambda one: one.name):
        if entry.name.startswith((".", "#", "__pycache__")) or entry.name.endswith("~"):
            continue
        if entry.is_dir():
            yield from _below(f"{name}/{entry.name}", entry.path)
        elif entry.is_file():  # a link to nothing is no file
            yield f"{name}/{entry.name}", entry


def snapshot(folders: Mapping[str, Path] | None = None) -> str:
    """A cheap sign of whether any file was touched: names, sizes and times of change."""
    signs = []
    for name, entry in _files(folders or roots()):
        with contextlib.suppress(FileNotFoundError):  # an editor took its draft away
            status = entry.stat()
            signs.append(f"{name} {status.st_size} {status.st_mtime_ns}")
    return hashed(*signs)


def code_at_start() -> str:
    """The snapshot of the code that this process works with: as it was when first asked for."""
    return _began(tuple(sorted(roots().items())))


@cache
def _began(folders: tuple[tuple[str, Path], ...]) -> str:
    return snapshot(dict(folders))


def unchanged(sign: str) -> None:
    """CodeChangedError if the files are not those of a snapshot any more.

    What was loaded is then older than what is on disk, and an answer would get the wrong name.
    """
    if snapshot() != sign:
        raise CodeChangedError(_CHANGED)


@dataclass(frozen=True)
class File:
    """A file by its name relative to what holds its package, its path, and a digest of it."""

    name: str
    path: str
    content: str

    def text(self) -> bytes:
        """What is in it; CodeChangedError if that is no longer what the digest is of."""
        with contextlib.suppress(FileNotFoundError):
            found = Path(self.path).read_bytes()
            if _digest(found) == self.content:
                return found
        raise CodeChangedError(_CHANGED)


def files_now(folders: Mapping[str, Path] | None = None) -> list[File]:
    """Every file that could matter, as it is now."""
    found = []
    for name, entry in _files(folders or roots()):
        with contextlib.suppress(FileNotFoundError):  # an editor took its draft away
            found.append(File(name, entry.path, _digest(Path(entry.path).read_bytes())))
    return found


def _digest(text: bytes) -> str:
    return hashlib.sha256(text).hexdigest()[:32]


class Modules(Mapping[str, Module]):
    """The modules of some files by name; each is parsed when it is first asked for.

    What was known before of a file with the same content is taken as it is.
    """

    def __init__(self, files: Iterable[File], known: Iterable[list[Any]] = ()) -> None:
        self._files = {module_name(one.name): one for one in files if one.name.endswith(".py")}
        self._known = {(file, content): data for data in known for _, file, content, *_ in [data]}
        self._parsed: dict[str, Module] = {}
        self.news = False

    def __getitem__(self, name: str) -> Module:
        if name not in self._parsed:
            file = self._files[name]
            data = self._known.get((file.name, file.content))
            if data is None:
                self.news = True
                self._parsed[name] = parse(file.name, file.text(), file.content)
            else:
                self._parsed[name] = Module.from_json(data)
        return self._parsed[name]

    def __contains__(self, name: object) -> bool:
        return name in self._files

    def __iter__(self) -> Iterator[str]:
        return iter(self._files)

    def __len__(self) -> int:
        return len(self._files)

    def as_json(self) -> list[list[Any]]:
        """All that is known of these files, those included that nobody asked for."""
        here = {(one.name, one.content) for one in self._files.values()}
        kept = {file: data for file, data in self._known.items() if file in here}
        fresh = {(one.file, one.content): one.as_json() for one in self._parsed.values()}
        return list({**kept, **fresh}.values())


@dataclass
class Sources:
    """All modules by name, and the digests of data files by the package in whose folder they are.

    A folder that is no package, of tables say, belongs to the package above it.
    """

    modules: Mapping[str, Module] = field(default_factory=dict)
    data: dict[str, str] = field(default_factory=dict)
    _closures: dict[str, frozenset[str]] = field(default_factory=dict)

    @staticmethod
    def read(known: Iterable[list[Any]] = (), files: Sequence[File] | None = None) -> Sources:
        """The files as they are now; of those with a content that is known nothing is parsed.

        ``known`` is what :meth:`Modules.as_json` wrote.
        """
        every = files_now() if files is None else files
        found = Sources(Modules(every, known))
        data: dict[str, list[str]] = {}
        for file in every:
            if not file.name.endswith(".py"):
                data.setdefault(found._holder(file.name), []).extend((file.name, file.content))
        found.data = {package: hashed(*parts) for package, parts in data.items()}
        return found

    def _holder(self, file: str) -> str:
        """The innermost package in whose folder a file is."""
        folders = [dotted(file.rpartition("/")[0])]
        folders += _packages(folders[0])
        return next((one for one in folders if one in self.modules), folders[-1])

    def data_of(self, names: Iterable[str]) -> list[str]:
        """The data files of the packages in which modules are."""
        packages = {one for name in names for one in (name, name.rpartition(".")[0])}
        return [f"{name} {self.data[name]}" for name in sorted(packages & set(self.data))]

    def closure(self, names: Iterable[str]) -> frozenset[str]:
        """The modules with these names and all modules of ours that they import, at any depth."""
        return frozenset().union(*(self._closure(name) for name in names))

    def _closure(self, name: str) -> frozenset[str]:
        if name not in self._closures:
            seen: set[str] = set()
            stack = [name, *_packages(name)]
            while stack:
                current = stack.pop()
                if current in self.modules and current not in seen:
                    seen.add(current)
                    known = self._closures.get(current)
                    if known is not None:
                        seen |= known
                    else:
                        stack.extend(self.imported(current))
            self._closures[name] = frozenset(seen)
        return self._closures[name]

    def imported(self, name: str) -> Iterator[str]:
        """The modules that a module imports, and the packages that this executes on the way."""
        for module, names in self.modules[name].imports:
            for one in (module, *(f"{module}.{item}" for item in names)):
                if one in self.modules:
                    yield one
                    yield from _packages(one)


def _packages(name: str) -> Iterator[str]:
    while "." in name:
        name = name.rpartition(".")[0]
        yield name

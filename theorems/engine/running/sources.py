"""The source files that a verdict can depend on: what each imports, and digests of what it says.

Files are parsed, not executed.  A digest of a module leaves out docstrings and comments, so that
an edit of prose redoes nothing; it is kept statement by statement, so that evidence for one claim
does not depend on the evidence for another one in the same file.
"""

from __future__ import annotations

import ast
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

__all__ = [
    "OURS",
    "File",
    "Module",
    "Modules",
    "Sources",
    "Statement",
    "code_at_start",
    "files_now",
    "hashed",
    "roots",
]
__all__ += ["snapshot", "unchanged"]

OURS = ("theorems", "symbolic", "numeric")
_CHANGED = "the code changed during the run; give the command again"


def hashed(*texts: str) -> str:
    """A digest of texts; different texts have different ones.

    >>> hashed("a", "bc") == hashed("ab", "c")
    False
    """
    joined = "".join(f"{len(text)}:{text}" for text in texts)
    return hashlib.sha256(joined.encode("utf-8", "surrogatepass")).hexdigest()[:32]


@cache
def roots() -> dict[str, Path]:
    """The folders of our packages, and of those in which others keep papers."""
    names = [
        *OURS,
        *(one.value.partition(":")[0].split(".")[0] for one in entry_points(group=GROUP)),
    ]
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


@dataclass(frozen=True)
class Statement:
    """A top-level statement: the name that it defines if it is one, its digest, what it reads."""

    defines: str | None
    digest: str
    reads: tuple[str, ...]


@dataclass(frozen=True)
class Module:
    """A module: its file, a digest of the whole file, its imports, and its statements.

    An import is a module and the names taken from it; no names mean the module itself.
    """

    name: str
    file: str
    content: str
    imports: tuple[tuple[str, tuple[str, ...]], ...]
    statements: tuple[Statement, ...]

    def as_json(self) -> list[Any]:
        """Plain data, short as there are many."""
        said = [[one.defines, one.digest, list(one.reads)] for one in self.statements]
        return [self.name, self.file, self.content, [list(one) for one in self.imports], said]

    @staticmethod
    def from_json(data: list[Any]) -> Module:
        """The value that :meth:`as_json` wrote."""
        name, file, content, imports, said = data
        return Module(
            name,
            file,
            content,
            tuple((module, tuple(names)) for module, names in imports),
            tuple(Statement(defines, digest, tuple(reads)) for defines, digest, reads in said),
        )


class Modules(Mapping[str, Module]):
    """The modules of some files by name; each is parsed when it is first asked for.

    What was known before of a file with the same content is taken as it is.
    """

    def __init__(self, files: Iterable[File], known: Iterable[list[Any]] = ()) -> None:
        self._files = {_module(one.name): one for one in files if one.name.endswith(".py")}
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
        folders = [_dotted(file.rpartition("/")[0])]
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


def _dotted(path: str) -> str:
    return path.replace("/", ".")


def _module(file: str) -> str:
    return _dotted(file.removesuffix(".py").removesuffix("/__init__"))


def parse(file: str, text: bytes, content: str) -> Module:
    """A module from its source; one that is no Python is a single statement without imports."""
    name = _module(file)
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return Module(name, file, content, (), (Statement(None, content, ()),))
    package = name if file.endswith("__init__.py") else name.rpartition(".")[0]
    imports: dict[tuple[str, tuple[str, ...]], None] = {}
    said = []
    for node in tree.body:
        if not _is_prose(node):
            found = _Taken(node)
            imports |= dict.fromkeys(
                one for item in found.imports for one in _imported(item, package)
            )
            defines = _defined(node)
            reads = tuple(sorted(found.names - {defines}))
            said.append(Statement(defines, hashed("".join(found.said)), reads))
    return Module(name, file, content, tuple(imports), tuple(said))


def _imported(node: ast.Import | ast.ImportFrom, package: str) -> list[tuple[str, tuple[str, ...]]]:
    """The modules that are imported, each with the names that are taken from it."""
    if isinstance(node, ast.Import):
        return [(alias.name, ()) for alias in node.names]
    above = package.split(".")[: len(package.split(".")) - node.level + 1]
    base = ".".join([*above, node.module or ""]).strip(".") if node.level else node.module
    return [(str(base), tuple(alias.name for alias in node.names))]


class _Taken:
    """A statement gone through once: its tree as text without prose, its names and imports.

    The text is that of ``ast.dump``; the names are those of variables and of attributes.  No
    recursion: how deeply a formula may be nested does not depend on who asks.
    """

    def __init__(self, node: ast.stmt) -> None:
        self.said: list[str] = []
        self.names: set[str] = set()
        self.imports: list[ast.Import | ast.ImportFrom] = []
        ahead: list[Any] = [node]
        while ahead:
            one = ahead.pop()
            kind = type(one)
            if kind is str:
                self.said.append(one)
            elif kind is ast.Name:
                self.names.add(one.id)
                self.said.append(f"Name(id={one.id!r}, ctx={type(one.ctx).__name__}())")
            elif kind._fields:
                if kind is ast.Attribute:
                    self.names.add(one.attr)
                elif kind is ast.Import or kind is ast.ImportFrom:
                    self.imports.append(one)
                self.said.append(f"{kind.__name__}(")
                ahead.append(")")
                ahead += reversed(_fields(one, kind))
            else:
                self.said.append(f"{kind.__name__}()")


def _fields(node: ast.AST, kind: type[ast.AST]) -> list[Any]:
    """What is in a node: text, and the nodes below it in their places."""
    found: list[Any] = []
    between = ""
    for name in kind._fields:
        value = getattr(node, name)
        if value is None and getattr(kind, name, ...) is None:
            continue
        if isinstance(value, list):
            if name == "body" and kind in _WITH_PROSE:
                value = [one for one in value if not _is_prose(one)]
            found.append(f"{between}{name}=[")
            for number, one in enumerate(value):
                if number:
                    found.append(", ")
                found.append(one if isinstance(one, ast.AST) else repr(one))
            found.append("]")
        elif isinstance(value, ast.AST):
            found += (f"{between}{name}=", value)
        else:
            found.append(f"{between}{name}={value!r}")
        between = ", "
    return found


_WITH_PROSE = (ast.FunctionDef, ast.ClassDef, ast.AsyncFunctionDef)


def _is_prose(node: ast.stmt) -> bool:
    value = node.value if isinstance(node, ast.Expr) else None
    return isinstance(value, ast.Constant) and isinstance(value.value, str)


def _defined(node: ast.stmt) -> str | None:
    """The one name that a definition or an assignment gives a value to."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return node.name
    targets: list[ast.expr] = []
    if isinstance(node, ast.Assign):
        targets = node.targets
    elif isinstance(node, ast.AnnAssign | ast.AugAssign):
        targets = [node.target]
    named = [one.id for one in targets if isinstance(one, ast.Name)]
    return named[0] if len(named) == len(targets) == 1 else None

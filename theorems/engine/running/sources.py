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


@dataclass
class Sources:
    """All modules by name, and the digests of data files by the package in whose folder they are.

    A folder that is no package, of tables say, belongs to the package above it.
    """

    modules: dict[str, Module] = field(default_factory=dict)
    data: dict[str, str] = field(default_factory=dict)
    _closures: dict[str, frozenset[str]] = field(default_factory=dict)

    @staticmethod
    def read(known: Iterable[Module] = (), files: Sequence[File] | None = None) -> Sources:
        """The files as they are now; those whose content is known are not parsed again."""
        parsed = {(one.file, one.content): one for one in known}
        found = Sources()
        every = files_now() if files is None else files
        for file in every:
            if file.name.endswith(".py"):
                kept = parsed.get((file.name, file.content))
                module = kept or parse(file.name, file.text(), file.content)
                found.modules[module.name] = module
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


def parse(file: str, text: bytes, content: str) -> Module:
    """A module from its source; one that is no Python is a single statement without imports."""
    name = _dotted(file.removesuffix(".py").removesuffix("/__init__"))
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return Module(name, file, content, (), (Statement(None, content, ()),))
    package = name if file.endswith("__init__.py") else name.rpartition(".")[0]
    imports = tuple(dict.fromkeys(_imports(tree, package)))
    said = tuple(_statement(node, content) for node in _without_prose(tree).body)
    return Module(name, file, content, imports, said)


def _imports(tree: ast.AST, package: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Every import, those inside of functions included."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, ()) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) - node.level + 1]
            base = ".".join([*above, node.module or ""]).strip(".") if node.level else node.module
            yield str(base), tuple(alias.name for alias in node.names)


def _without_prose(tree: ast.Module) -> ast.Module:
    """The tree without docstrings and other bare strings."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef):
            node.body = [one for one in node.body if not _is_prose(one)]
    return tree


def _is_prose(node: ast.stmt) -> bool:
    value = node.value if isinstance(node, ast.Expr) else None
    return isinstance(value, ast.Constant) and isinstance(value.value, str)


def _statement(node: ast.stmt, content: str) -> Statement:
    names = {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}
    reads = names | {one.attr for one in ast.walk(node) if isinstance(one, ast.Attribute)}
    defines = _defined(node)
    try:
        digest = hashed(ast.dump(node))
    except RecursionError:  # a sum of a thousand terms, say: then the whole file stands for it
        digest = content
    return Statement(defines, digest, tuple(sorted(reads - {defines})))


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

"""Modules as far as a verdict can depend on them: statements without prose, names and imports."""

from __future__ import annotations

import ast
import hashlib
from dataclasses import dataclass
from typing import Any

__all__ = ["Module", "Statement", "dotted", "hashed", "module_name", "parse"]


def hashed(*texts: str) -> str:
    """A digest of texts; different texts have different ones.

    >>> hashed("a", "bc") == hashed("ab", "c")
    False
    """
    joined = "".join(f"{len(text)}:{text}" for text in texts)
    return hashlib.sha256(joined.encode("utf-8", "surrogatepass")).hexdigest()[:32]


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


def dotted(path: str) -> str:
    """The name of the package in a folder."""
    return path.replace("/", ".")


def module_name(file: str) -> str:
    """The name of the module in a file."""
    return dotted(file.removesuffix(".py").removesuffix("/__init__"))


def parse(file: str, text: bytes, content: str) -> Module:
    """A module from its source; one that is no Python is a single statement without imports."""
    name = module_name(file)
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
            imports |= dict.fromkeys(one for item in found.imports for one in _imported(item, package))
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

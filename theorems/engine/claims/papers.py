"""Find the papers, and the modules of each in their order.

A paper is a sub-package of ``theorems`` with a ``PAPER``, or a package that somebody else names
under the entry-point group ``theorems.papers``.  Its ``SECTIONS`` name its modules and folders in
the paper's order; a folder has ``SECTIONS`` of its own.
"""

import importlib
import os
import pkgutil
import sysconfig
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache, partial
from importlib.metadata import entry_points
from pathlib import Path
from threading import Timer
from traceback import extract_tb
from types import ModuleType
from typing import Any, NoReturn

import theorems
from theorems.engine.claims.paper import Paper
from theorems.engine.errors import ClaimError, is_text, need
from theorems.engine.telling import tell

__all__ = ["GROUP", "Papers", "chapters", "found_papers", "installed", "loading", "members"]
__all__ += ["reason"]

GROUP = "theorems.papers"
#: Seconds after which one is told what is being loaded, if that is none of our papers.
_PATIENCE = 2.0


@dataclass(frozen=True)
class Papers:
    """The packages of papers by prefix, and why those that are none cannot be used."""

    packages: dict[str, ModuleType] = field(default_factory=dict)
    broken: dict[str, str] = field(default_factory=dict)


def installed() -> list[str]:
    """What says which papers of somebody else's there are, and which libraries they might miss.

    It changes whenever something is installed, or taken away.
    """
    named = [f"{one.name} {one.value}" for one in entry_points(group=GROUP)]
    folders = {sysconfig.get_path(name) for name in ("purelib", "platlib")}
    times = [f"{one} {os.stat(one).st_mtime_ns}" for one in folders if os.path.isdir(one)]
    return sorted([*named, *times])


@cache
def found_papers() -> Papers:
    """All papers, ours first, then those of entry points; only their packages are loaded."""
    found = Papers()
    for info in pkgutil.iter_modules(theorems.__path__, "theorems."):
        if info.ispkg:
            _add(found, info.name, partial(importlib.import_module, info.name), own=True)
    for entry in entry_points(group=GROUP):
        _add(found, entry.name, entry.load)
    return found


def _add(found: Papers, name: str, load: Callable[[], Any], *, own: bool = False) -> None:
    """Load a package; whatever goes wrong there is told in a line and concerns it alone."""
    try:
        with loading(name):
            package = load()
        if not own or hasattr(package, "PAPER"):
            prefix = _prefix(package)
            same = found.packages.setdefault(prefix, package) is package
            need(same, f"its prefix {prefix} is another paper's")
    except Exception as error:
        found.broken[name] = reason(error)


@contextmanager
def loading(name: str) -> Iterator[None]:
    """Execute modules of a paper: what would end this process is an error of the paper.

    Of a paper of somebody else's one is told that it is being loaded if that takes long, so that
    one that never ends is known by its name.
    """
    told = f"the paper {name} is being loaded; if this does not end, interrupt it and uninstall it"
    timer = Timer(_PATIENCE, tell, [told])
    timer.daemon = True
    if name.partition(".")[0] != theorems.__name__:
        timer.start()
    leave, os._exit = os._exit, _refuse
    try:
        yield
    except (Exception, KeyboardInterrupt):
        raise
    except BaseException as error:
        why = " ".join(f"{type(error).__name__} {error}".split())
        raise ClaimError(f"it ends the process when it is loaded: {why}") from error
    finally:
        os._exit = leave
        timer.cancel()


def _refuse(status: int) -> NoReturn:
    """Stands for ``os._exit``, after which nobody could tell what happened."""
    raise SystemExit(status)


def _prefix(package: Any) -> str:
    paper = getattr(package, "PAPER", None)
    named = isinstance(paper, Paper) and hasattr(package, "__path__")
    need(named, "it names no package that defines PAPER")
    return str(package.PAPER.prefix)


def reason(error: Exception) -> str:
    """Why a paper cannot be used, on one line, with the line of the module where it went wrong.

    >>> reason(NameError("name 'x' is not defined"))
    "NameError: name 'x' is not defined"
    """
    told = " ".join(str(error).split())
    if isinstance(error, ClaimError):
        return told
    kind = type(error).__name__
    said = f"{kind}: {told}" if told else kind
    modules = [one for one in extract_tb(error.__traceback__) if one.name == "<module>"]
    if isinstance(error, SyntaxError) or not modules:  # a syntax error says where it is
        return said
    return f"{said} ({Path(modules[-1].filename).name}, line {modules[-1].lineno})"


def chapters(package: ModuleType) -> Iterator[ModuleType]:
    """The modules of a package in the order of its ``SECTIONS``, those of its folders included."""
    sections = getattr(package, "SECTIONS", None)
    if not isinstance(sections, tuple) or not sections or not all(map(is_text, sections)):
        raise ClaimError(f"{package.__name__} needs SECTIONS, a tuple of module names")
    for section in sections:
        module = importlib.import_module(f"{package.__name__}.{section}")
        yield from chapters(module) if hasattr(module, "__path__") else [module]


def members(value: Any) -> Iterable[Any]:
    """A value, or the values in a table or a sequence of them."""
    if isinstance(value, dict):
        return tuple(value.values())
    return value if isinstance(value, tuple | list) else (value,)

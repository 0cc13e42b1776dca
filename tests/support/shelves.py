"""Papers for a test: packages made of values, or written to a folder."""

import sys
from types import ModuleType

from theorems.engine import Contents, Paper

HEAD = """
from theorems.engine import Paper
PAPER = Paper("{prefix}", "Title", "Authors")
SECTIONS = ("only",)
"""
CLAIM = """
from theorems.engine import claim, eq
C = claim("{prefix}.one", at="a", title="t", states=eq(1, 1))
C.left_open("for this test")
"""


def package(monkeypatch, prefix="t", name=None, contents=None, **sections):
    """A paper package whose sections are modules with these values."""
    name = name or f"paper_{prefix}"
    made = ModuleType(name)
    made.__path__ = []
    outline = None if contents is None else Contents(contents)
    made.PAPER = Paper(prefix, "Title", "Authors", outline)
    made.SECTIONS = tuple(sections)
    monkeypatch.setitem(sys.modules, name, made)
    for section, values in sections.items():
        module = ModuleType(f"{name}.{section}")
        vars(module).update({f"C{i}": value for i, value in enumerate(values)})
        monkeypatch.setitem(sys.modules, f"{name}.{section}", module)
    return made


def write(folder, name, prefix=None, **files):
    """Write a package with one claim; files replace its modules, and None leaves one out."""
    prefix = prefix or name.rpartition("_")[2]
    texts = {"__init__": HEAD, "only": CLAIM} | files
    (folder / name).mkdir()
    for module, text in texts.items():
        path = (folder / name).joinpath(*module.split(".")).with_suffix(".py")
        path.parent.mkdir(exist_ok=True)
        if text is not None:
            path.write_text(text.replace("{prefix}", prefix), encoding="utf-8")


def forget(*names):
    """Forget packages that were imported, with their modules."""
    for module in list(sys.modules):
        if any(module == name or module.startswith(f"{name}.") for name in names):
            del sys.modules[module]

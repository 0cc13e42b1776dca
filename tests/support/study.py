"""A small paper and a copy of the engine's files, to be edited between commands of this process.

Each command begins as a new process would: nothing of the paper is loaded, and all files are read.
"""

import importlib
import shutil
import sys
from functools import cache
from pathlib import Path

from command_line import main

from theorems.engine.claims import papers
from theorems.engine.claims import registry as registries
from theorems.engine.claims.papers import Papers
from theorems.engine.running import catalogue as catalogues
from theorems.engine.running import runner, sources

ROOT = Path(__file__).resolve().parents[2]

PACKAGE = '''"""A small paper."""

from theorems.engine import Contents, Paper

CONTENTS = Contents("""
Section 1: Odd numbers
Section 2: More of them
""")
PAPER = Paper("small", "Odd numbers", "Nobody", CONTENTS)
SECTIONS = ("first", "second", "tabled")
'''
ODD = '''

{name} = claim(
    "small.{identifier}",
    at="Section {section}",
    title="{identifier}",
    states=sentence("$one is odd", one=1),
    rests_on={rests_on!r},
)


@{name}.argued(bridge="Oddness is decided.")
def {identifier}_is_odd(one):
    """It is odd."""
    return [("odd", {value} % 2 == 1)]
'''
IMPORTS = '''"""Odd numbers."""

from theorems.engine import claim, sentence
'''


def odd(identifier, section, rests_on=(), value="one"):
    """A claim with its evidence."""
    return ODD.format(
        name=identifier.upper(), identifier=identifier, section=section, rests_on=list(rests_on), value=value
    )


ONCE_MORE = '''

@LEFT.argued(bridge="Oddness is decided.")
def left_once_more(one):
    """It is odd."""
    return [("odd", (one + 2) % 2 == 1)]
'''
FILES = {
    "__init__.py": PACKAGE,
    "first.py": IMPORTS + odd("left", 1) + ONCE_MORE + odd("right", 1),
    "second.py": IMPORTS
    + "from small.helpers.outer import shifted\n"
    + odd("upper", 2, ["small.left"], "shifted(one)"),
    "tabled/__init__.py": 'SECTIONS = ("sums",)\n',
    "tabled/sums.py": IMPORTS
    + 'from pathlib import Path\n\nTABLE = Path(__file__).parent / "tables" / "numbers.txt"\n'
    + odd("last", 2, ["small.upper"], "int(TABLE.read_text()) * one"),
    "tabled/tables/numbers.txt": "3\n",
    "helpers/__init__.py": "",
    "helpers/outer.py": "from small.helpers.middle import moved\n\n\n"
    'def shifted(one):\n    """Further on."""\n    return moved(one)\n',
    "helpers/middle.py": "from small.helpers import inner\n\n\n"
    'def moved(one):\n    """Further on."""\n    return one + inner.step()\n',
    "helpers/inner.py": 'def step():\n    """An even number."""\n    return 2\n',
    "helpers/unused.py": "NOTHING = 0\n",
}
LEFT = {("small.left", "left_is_odd"), ("small.left", "left_once_more")}
RIGHT, UPPER, LAST = ({(f"small.{one}", f"{one}_is_odd")} for one in ("right", "upper", "last"))
EVERYTHING = LEFT | RIGHT | UPPER | LAST


class Study:
    """Runs ``theorems`` in this process on the small paper, as it is at the moment."""

    def __init__(self, monkeypatch, folder, capture):
        self.folder, self.capture, self.examined = folder, capture, []
        for name in ("engine", "interface"):
            ignore = shutil.ignore_patterns("__pycache__")
            shutil.copytree(ROOT / "theorems" / name, folder / "theorems" / name, ignore=ignore)
        for name, text in FILES.items():
            path = folder / "small" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        folders = {name: folder / name for name in ("theorems", "small")}
        for module in (sources, catalogues):
            monkeypatch.setattr(module, "roots", lambda: folders)
        monkeypatch.setattr(papers, "found_papers", cache(self._found))
        monkeypatch.setattr(registries, "load", cache(registries.load.__wrapped__))
        monkeypatch.setattr(sys, "dont_write_bytecode", True)
        monkeypatch.syspath_prepend(folder)
        monkeypatch.setenv("THEOREMS_STATE", str(folder / "state"))
        monkeypatch.setenv("THEOREMS_CACHE", str(folder / "cache"))
        monkeypatch.chdir(folder)
        examine = runner._examined

        def watched(claim_id, name, *rest):
            self.examined.append((claim_id, name))
            return examine(claim_id, name, *rest)

        monkeypatch.setattr(runner, "_examined", watched)
        self.forget()

    @staticmethod
    def _found():
        return Papers({"small": importlib.import_module("small")})

    @staticmethod
    def forget():
        """Go back to the beginning of a process."""
        for name in [one for one in sys.modules if one.partition(".")[0] == "small"]:
            del sys.modules[name]
        importlib.invalidate_caches()
        for one in (registries.load, papers.found_papers, sources._began):
            one.cache_clear()

    def __call__(self, *arguments):
        """The exit code, and what was written to the two streams."""
        self.forget()
        self.examined.clear()
        code = main([str(one) for one in arguments])
        return code, *self.capture.readouterr()

    def edit(self, file, old, new):
        """Replace a text in a file, which must have it."""
        path = self.folder / file
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new), encoding="utf-8")

    def check(self, *arguments):
        """What is examined by a run, which must come out as declared."""
        code, written, complained = self("check", "--jobs", 1, *arguments)
        assert code == 0, written + complained
        return set(self.examined)

    def unchecked(self):
        """The claims that have no verdict; all commands that show verdicts agree on them."""
        found = self.unlisted()
        assert _unchecked(self("contents", "small")[1]) == found
        for one in ("left", "right", "upper", "last"):
            missing = f"small.{one}" in found
            assert ("not checked yet" in self("show", f"small.{one}")[1]) == missing
            code, _, complained = self("trusts", f"small.{one}")
            assert (code == 2 and "not checked yet" in complained) == missing
        return found

    def unlisted(self):
        """The claims that have no verdict, from one command alone."""
        return _unchecked(self("list")[1])


def _unchecked(table):
    rows = [line.split() for line in table.splitlines() if "not checked" in line]
    return {row[0] for row in rows}

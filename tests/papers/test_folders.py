"""A paper's folders are its table of contents: in its order, without gaps and strays."""

import ast
import importlib
import pkgutil
import sys
from collections import Counter
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest
from trying import each

from theorems.engine.claims.claim import Claim
from theorems.engine.claims.papers import found_papers
from theorems.engine.claims.papers import members as members_of
from theorems.engine.claims.place import places

MOST_NAMES = 14
#: What the command line looks for beside the sections.
FOUND_BY_NAME = ("figures",)


class House:
    """The modules of a paper, what each imports, and the claims that are written in each."""

    def __init__(self, package):
        self.package, self.contents = package, package.PAPER.contents
        self.name = package.__name__
        walked = pkgutil.walk_packages(package.__path__, f"{self.name}.")
        self.modules = {self.name: package}
        self.modules.update((one.name, importlib.import_module(one.name)) for one in walked)
        self.folders = [name for name, one in self.modules.items() if hasattr(one, "__path__")]
        self.trees = {
            name: ast.parse(Path(one.__file__).read_text(encoding="utf-8"))
            for name, one in self.modules.items()
        }
        self._imports = {name: self._imported_by(name) for name in self.modules}
        self.section_folders = [self.name, *self._folders_below(self.name)]
        self.chapters = self.chapters_of(self.name)

    def sections(self, folder):
        """The full names of what a folder lists, in its order."""
        return [f"{folder}.{one}" for one in self.modules[folder].SECTIONS]

    def _folders_below(self, folder):
        for one in self.sections(folder):
            if one in self.folders:
                yield one
                yield from self._folders_below(one)

    def chapters_of(self, section):
        """The modules of a section in reading order; a module is one of its own."""
        if section not in self.folders:
            return [section]
        return [one for part in self.sections(section) for one in self.chapters_of(part)]

    def names_on(self, folder):
        """What stands on one level: modules and folders."""
        return [name for name in self.modules if name.rpartition(".")[0] == folder]

    def imports(self, name):
        """The modules of the paper that a module imports, or from which it imports something."""
        return self._imports[name]

    def _imported_by(self, name):
        found = set()
        for node in ast.walk(self.trees[name]):
            if isinstance(node, ast.Import):
                found.update(alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module:
                members = {f"{node.module}.{alias.name}" for alias in node.names}
                found |= members & set(self.modules) or {node.module}
        return found & set(self.modules)

    def roads(self, name):
        """Which of the two packages of mathematics a module imports from."""
        nodes = [one for one in ast.walk(self.trees[name]) if isinstance(one, ast.ImportFrom)]
        return {(one.module or "").partition(".")[0] for one in nodes} & {"numeric", "symbolic"}

    def importers(self, name):
        return [other for other in self.modules if other != name and name in self.imports(other)]

    def claims(self, name):
        """The claims that a module holds under names which it does not import."""
        borrowed = {
            alias.asname or alias.name
            for node in ast.walk(self.trees[name])
            if isinstance(node, ast.Import | ast.ImportFrom)
            for alias in node.names
        }
        held = [value for key, value in vars(self.modules[name]).items() if key not in borrowed]
        own = [one for value in held for one in members_of(value)]
        return list(dict.fromkeys(one for one in own if isinstance(one, Claim)))

    def first_places(self, section):
        """Where the claims of a section mainly stand in the paper."""
        claims = (one for chapter in self.chapters_of(section) for one in self.claims(chapter))
        return [places(one.at)[0] for one in claims]


def out_of_order(house):
    """Each section of a folder begins no earlier in the paper than the section before it.

    A section begins where the first of its claims stands, by the first place of each.
    """
    for folder in house.section_folders:
        begins = [
            (min(map(house.contents.position, found)), section)
            for section in house.sections(folder)
            if (found := house.first_places(section))
        ]
        for (before, one), (after, other) in pairwise(begins):
            if before > after:
                yield f"{other} begins earlier in the paper than {one}"


def scattered(house):
    """The modules with claims of one numbered thing follow each other, with none in between."""
    reading = {}
    for number, chapter in enumerate(house.chapters):
        for place in house.first_places(chapter):
            reading.setdefault(place.of, set()).add(number)
    for thing, numbers in reading.items():
        if max(numbers) - min(numbers) >= len(numbers):
            names = ", ".join(house.chapters[number] for number in sorted(numbers))
            yield f"the claims of {thing} are scattered over {names}"


def crowded(house):
    """A level has at most so many names."""
    for folder in house.folders:
        if len(house.names_on(folder)) > MOST_NAMES:
            yield f"{folder} has {len(house.names_on(folder))} names, at most {MOST_NAMES}"


def silent(house):
    """A folder says what it is about."""
    return [name for name in house.folders if not (house.modules[name].__doc__ or "").strip()]


def misplaced(house):
    """What is listed in SECTIONS, and nothing else, has claims of its own."""
    for name in house.modules:
        if name in house.chapters and not house.claims(name):
            yield f"{name} is listed as a section, and has no claim of its own"
        elif name not in house.chapters and house.claims(name):
            yield f"{name} has claims and is not listed as a section"


def orphans(house):
    """A module is a section, is looked for by its name, or is imported by another one."""
    roots = {f"{house.name}.{one}" for one in FOUND_BY_NAME}
    for name in house.modules:
        known = name in house.chapters or name in house.folders or name in roots
        if not known and not house.importers(name):
            yield f"{name} is no section, and nothing imports it"


def lent_out(house):
    """What helps a section, and stands in its folder, is imported only inside of the folder."""
    for name in set(house.modules) - set(house.chapters) - set(house.section_folders):
        home = max((one for one in house.section_folders if name.startswith(f"{one}.")), key=len)
        for other in house.importers(name):
            if home != house.name and not other.startswith(f"{home}."):
                yield f"{name} stands in {home}, and {other} imports it"


def on_both_roads(house):
    """What helps claims derives in SymPy or computes numbers, and one does not help the other."""
    helpers = set(house.modules) - set(house.chapters) - set(house.folders)
    of_sections = {name for name in helpers if name.rpartition(".")[0] in house.section_folders}
    for name in helpers:
        used = (house.roads(other) for other in {name, *house.imports(name) & of_sections})
        if len(set().union(*used)) > 1:
            yield f"{name} computes numbers and derives in SymPy"


def named_twice(house):
    """Modules whose names are all taken into one do not define a name twice."""
    for name, tree in house.trees.items():
        taken = [
            node.module
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom) and node.names[0].name == "*"
        ]
        counted = Counter(one for module in taken for one in defined(house, module))
        yield from (f"{name} takes {one} from two modules" for one in counted if counted[one] > 1)


def defined(house, name):
    """The public names that a module defines, and does not import."""
    public = getattr(house.modules[name], "__all__", None)
    found = set()
    for node in house.trees[name].body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.Assign | ast.AnnAssign | ast.For):
            stored = (one for one in ast.walk(node) if isinstance(one, ast.Name))
            found.update(one.id for one in stored if isinstance(one.ctx, ast.Store))
    return {one for one in found if (one in public if public else not one.startswith("_"))}


RULES = [out_of_order, scattered, crowded, silent, misplaced, orphans, lent_out, on_both_roads, named_twice]
PAPERS = {
    prefix: package
    for prefix, package in found_papers().packages.items()
    if package.PAPER.contents is not None
}
house_of = cache(House)


@each("rule", *RULES)
@each("paper", *PAPERS)
def test_folders(paper, rule):
    faults = sorted(rule(house_of(PAPERS[paper])))
    assert not faults, f"{rule.__doc__}\n  " + "\n  ".join(faults)


def test_there_are_papers_with_contents():
    assert PAPERS


HEAD = "from theorems.engine import claim, eq\n"
CLAIM = '{name} = claim("toy.{id}", at="{at}", title="T", states=eq(1, 1))\n'
CONTENTS = "Section 1\\n  Lemma 1\\n  Lemma 2\\n    Equation (1)\\nSection 2\\n  Lemma 3\\n"
PAPER = (
    '"""A toy."""\nfrom theorems.engine import Contents, Paper\n'
    f'PAPER = Paper("toy", "Toy", "N. N.", Contents("{CONTENTS}"))\n'
)


def written(identifier, at):
    return HEAD + CLAIM.format(name=identifier.upper(), id=identifier, at=at)


#: A paper that keeps all rules.
TIDY = {
    "__init__": PAPER + 'SECTIONS = ("first", "second")\n',
    "first/__init__": '"""First."""\nSECTIONS = ("one", "two")\n',
    "first/one": "from toy.first.help import NOTHING\n" + written("a", "Lemma 1"),
    "first/two": "from toy.first.one import A\n" + written("b", "Lemma 2; Equation (1)"),
    "first/help": "NOTHING = None\n",
    "second": "from toy.letters import x\n" + written("c", "before Lemma 3"),
    "letters/__init__": '"""L."""\nfrom toy.letters.p import *\nfrom toy.letters.q import *\n',
    "letters/p": "x = 1\n",
    "letters/q": "y = 2\n",
}
UNTIDY = {
    out_of_order: {"first/__init__": '"""First."""\nSECTIONS = ("two", "one")\n'},
    scattered: {"second": TIDY["second"] + CLAIM.format(name="D", id="d", at="Lemma 1, proof")},
    crowded: {f"letters/letter_{i}": "z = 3\n" for i in range(MOST_NAMES - 1)},
    silent: {"first/__init__": 'SECTIONS = ("one", "two")\n'},
    misplaced: {"first/help": "NOTHING = None\n" + written("d", "Lemma 1")},
    orphans: {"first/stray": "NOTHING = None\n"},
    lent_out: {"second": "from toy.first import help\n" + TIDY["second"]},
    on_both_roads: {
        "first/help": "from numeric.balls import hull\nfrom toy.first.exact import NOTHING\n",
        "first/exact": "from symbolic.equality import equal\nNOTHING = None\n",
    },
    named_twice: {"letters/q": "x = 2\n"},
}


@pytest.fixture
def toy(tmp_path, monkeypatch):
    """Writes and imports a paper, its modules by path, and forgets it afterwards."""
    monkeypatch.syspath_prepend(tmp_path)

    def build(texts):
        for path, text in texts.items():
            file = tmp_path / "toy" / f"{path}.py"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        importlib.invalidate_caches()
        return House(importlib.import_module("toy"))

    yield build
    for name in [one for one in sys.modules if one.partition(".")[0] == "toy"]:
        del sys.modules[name]


def test_a_tidy_paper_keeps_all_rules(toy):
    house = toy(TIDY)
    assert not [fault for rule in RULES for fault in rule(house)]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_each_rule_is_broken_by_its_own_kind_of_paper(toy, rule):
    house = toy({**TIDY, **UNTIDY[rule]})
    assert list(rule(house))

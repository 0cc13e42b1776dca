"""Who may import whom: two roads to each number, an engine that knows no paper, papers apart."""

import ast
from pathlib import Path

import pytest

from theorems.engine.claims import papers
from theorems.engine.rules.premises import LEAVES
from theorems.engine.running.sources import Sources, files_now

ROADS = ("symbolic", "numeric")


def room_of(module):
    """The part of the house that a module is in; a paper is a room by its own name."""
    names = module.split(".")
    return names[0] if names[0] != "theorems" else ".".join(names[:2])


def may_import(room, module, textbooks):
    """Whether a module of one room may import another module; a paper is what is nothing else."""
    other = room_of(module)
    if room in ROADS or other == room:
        return other == room
    allowed = {*ROADS, "theorems"}
    if room != "theorems.engine":
        allowed.add("theorems.engine")
    if room not in {"theorems.engine", "theorems.interface", *textbooks}:
        allowed |= textbooks
    paper = room not in {"theorems", "theorems.engine", "theorems.interface"}
    return other in allowed or (paper and module == "theorems.interface.figure")


def strangers(sources, textbooks):
    """Imports that go against the order of the house.

    Papers may import collections of textbook facts, and these no paper.
    """
    for name in sources.modules:
        for module, names in sources.modules[name].imports:
            taken = [f"{module}.{one}" for one in names]
            known = [one for one in taken if one in sources.modules]
            if module in sources.modules and len(known) < max(1, len(taken)):
                known.append(module)
            yield from (
                f"{name} imports {one}" for one in known if not may_import(room_of(name), one, textbooks)
            )


def test_everybody_keeps_to_the_order_of_the_house():
    sources, known = Sources.read(), papers.found_papers().packages.values()
    rooms = {room_of(name) for name in sources.modules}
    packages = {one.__name__ for one in known}
    textbooks = {one.__name__ for one in known if one.PAPER.contents is None}
    assert packages <= rooms
    assert not papers.found_papers().broken
    assert rooms - packages == {*ROADS, "theorems", "theorems.engine", "theorems.interface"}
    assert len(textbooks) < len(packages)
    assert list(strangers(sources, textbooks)) == []


PLAIN = {
    "symbolic/__init__.py": "",
    "symbolic/a.py": "from symbolic import b\nimport sympy\n",
    "symbolic/b.py": "",
    "numeric/__init__.py": "",
    "numeric/a.py": "import numeric.b\nimport mpmath\n",
    "numeric/b.py": "",
    "theorems/__init__.py": "",
    "theorems/engine/__init__.py": "from symbolic.a import x\nfrom numeric import a\n",
    "theorems/engine/claims.py": "from theorems.engine import y\nimport theorems\n",
    "theorems/interface/__init__.py": "",
    "theorems/interface/figure.py": "from theorems.engine.claims import z\nimport symbolic\n",
    "theorems/interface/cli.py": "from theorems.interface import figure\n",
    "theorems/one/__init__.py": "from theorems.engine import y\n",
    "theorems/one/a.py": "from theorems.interface.figure import f\nfrom theorems import books\n",
    "theorems/books/__init__.py": "from theorems.engine import y\n",
    "theorems/two/__init__.py": "from theorems.interface import figure\n",
    "elsewhere/__init__.py": "from theorems.engine import y\nfrom numeric.a import x\n",
}
AGAINST = {
    "symbolic/a.py": ["from numeric import a", "import numeric", "from theorems.engine import y"],
    "numeric/a.py": ["import symbolic.b", "def f():\n    from theorems import engine"],
    "theorems/engine/claims.py": [
        "from theorems.interface import cli",
        "import theorems.interface.figure",
        "from theorems import one",
        "if TYPE_CHECKING:\n    from theorems.two import x",
        "import elsewhere",
    ],
    "theorems/interface/cli.py": [
        "from theorems.one.a import f",
        "from elsewhere import x",
        "from theorems import books",
    ],
    "theorems/books/__init__.py": ["from theorems.one import x", "import theorems.interface.cli"],
    "theorems/one/a.py": [
        "from theorems.two import x",
        "from theorems import two",
        "from theorems.interface import cli",
        "from theorems.interface import x",
        "from .. import two",
        "import elsewhere",
    ],
    "elsewhere/__init__.py": ["from theorems.one import x", "import theorems.interface.cli"],
}


@pytest.fixture
def house(tmp_path):
    """A function that says what is against the order, with some lines added to a file."""

    def found(file=None, line=""):
        for name, text in PLAIN.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text + (line + "\n" if name == file else ""))
        folders = {one: tmp_path / one for one in ("symbolic", "numeric", "theorems", "elsewhere")}
        return list(strangers(Sources.read((), files_now(folders)), {"theorems.books"}))

    return found


def test_whatever_is_against_the_order_is_found(house):
    assert house() == []
    for file, lines in AGAINST.items():
        for line in lines:
            assert len(house(file, line)) == 1, (file, line)


HOMES = {"premises", "leaves", "meanings"}
NO_LEAVES = {"decided", "defined", "derived", "enclosed"}


def leaves_taken(text):
    """Where a module takes a leaf from the rules, and not from what a proof is given."""
    tree = ast.parse(text)
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom | ast.Import)]
    for node in imports:
        module = getattr(node, "module", None) or ""
        names = {one.name.removeprefix("theorems.engine.rules.") for one in node.names}
        if module.removeprefix("theorems.engine.rules.") in HOMES:
            yield from sorted(names - NO_LEAVES)
        elif module == "theorems.engine.rules" or isinstance(node, ast.Import):
            yield from sorted(names & {*HOMES, *LEAVES})
    for node in ast.walk(tree):
        of_rules = isinstance(node, ast.Attribute) and getattr(node.value, "id", "") == "rules"
        if of_rules and node.attr in {*HOMES, *LEAVES}:
            yield node.attr


def test_no_paper_imports_a_leaf_of_the_rules():
    packages = papers.found_papers().packages.values()
    files = [file for one in packages for file in Path(one.__path__[0]).rglob("*.py")]
    taken = {str(file): list(leaves_taken(file.read_text())) for file in files}
    assert len(taken) > 300
    assert {file: found for file, found in taken.items() if found} == {}


@pytest.mark.parametrize(
    "text",
    [
        "from theorems.engine.rules import textbook",
        "from theorems.engine.rules.leaves import supposed as assumed",
        "from theorems.engine.rules.meanings import largest",
        "from theorems.engine.rules import leaves",
        "import theorems.engine.rules.premises",
        "from theorems.engine import rules\nrules.meaning",
        "from theorems.engine import rules\nrules.leaves.bridge",
    ],
)
def test_a_leaf_that_a_paper_imports_is_found(text):
    assert len(list(leaves_taken(text))) == 1
    assert list(leaves_taken("from theorems.engine.rules.leaves import decided")) == []


_IDLE = ast.Dict | ast.DictComp | ast.List | ast.ListComp | ast.Set | ast.SetComp | ast.Tuple | ast.Name
_IDLE |= ast.BinOp | ast.UnaryOp | ast.BoolOp | ast.GeneratorExp | ast.Lambda


def idle(code):
    """The lines on which a value is made, and nothing done with it."""
    made = (node for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Expr))
    return [one.lineno for one in made if isinstance(one.value, _IDLE)]


def test_every_statement_does_something():
    assert idle("x = {}\nf(x)\n'said'\n{**x}\nx\n(y for y in x)\n-x\nx | x") == [4, 5, 6, 7, 8]
    root = Path(papers.__file__).parents[3]
    files = [path for name in ("theorems", *ROADS) for path in sorted((root / name).rglob("*.py"))]
    assert len(files) > 500
    assert {str(path): lines for path in files if (lines := idle(path.read_text()))} == {}

"""Where papers are found, what becomes of those that cannot be loaded, what a registry answers."""

import os
import sys
import time

import pytest
from checked import LETTERS, claim, x
from shelves import HEAD, forget, package, write

import theorems
from theorems.engine import Hypothesis, le
from theorems.engine.claims import papers
from theorems.engine.claims import registry as registries
from theorems.engine.claims.papers import Papers
from theorems.engine.claims.registry import assemble

CUBE = LETTERS.function("cube_of_papers", "c", "a cube", closed_form=lambda t: t**3, justified_by="t.cube")
PLAIN = LETTERS.function("plain_of_papers", "p", "a square", closed_form=lambda t: t**2)
#: What was found or loaded once is of no use here.
FIND, LOAD = papers.found_papers.__wrapped__, registries.load.__wrapped__
RESTING = """
from theorems.engine import claim, eq
C = claim("{prefix}.one", at="a", title="t", states=eq(1, 1), rests_on="%s.one")
C.left_open("for this test")
"""


def make(identifier, states=None, **record):
    """A claim that is left open."""
    shown = le(x, 1) if states is None else states
    one = claim(identifier, at="a", title="t", states=shown, **record)
    one.left_open("for this test")
    return one


@pytest.fixture
def paper(monkeypatch):
    """A paper package with these claims in each of its sections."""

    def build(*claims, sections=("only",)):
        return package(monkeypatch, **dict.fromkeys(sections, claims))

    return build


class Entry:
    """An entry point that loads this, or raises it."""

    name = "mine"

    def __init__(self, found):
        self.found = found

    def load(self):
        if isinstance(self.found, Exception):
            raise self.found
        return self.found


@pytest.fixture
def find(monkeypatch, tmp_path):
    """Find papers in a folder of ours, and under entry points that load these."""

    def found(*loaded):
        monkeypatch.setattr(papers, "entry_points", lambda group: list(map(Entry, loaded)))
        return FIND()

    monkeypatch.setattr(theorems, "__path__", [str(tmp_path)])
    yield found
    for path in tmp_path.iterdir():
        forget(f"theorems.{path.stem}")
        vars(theorems).pop(path.stem, None)


@pytest.fixture
def load(monkeypatch, find):
    """The registry of what is found, or of one paper of it."""

    def loaded(prefix=None, *entries):
        found = find(*entries)
        monkeypatch.setattr(papers, "found_papers", lambda: found)
        return LOAD(prefix)

    return loaded


class TestPackages:
    def test_ours_are_packages_with_a_paper(self, find, tmp_path):
        for name in ("one", "other"):
            write(tmp_path, name)
        write(tmp_path, "none", __init__="", only=None)
        (tmp_path / "single.py").write_text(HEAD.format(prefix="single"))
        found = find()
        assert {prefix: one.__name__ for prefix, one in found.packages.items()} == {
            "one": "theorems.one",
            "other": "theorems.other",
        }
        assert not found.broken
        assert "theorems.one.only" not in sys.modules

    def test_others_come_after_ours(self, find, load, paper, tmp_path):
        write(tmp_path, "one")
        mine = paper(make("t.a"))
        assert find(mine) == Papers({"one": find(mine).packages["one"], "t": mine}, {})
        known = load(None, mine)
        assert [one.prefix for one in known.papers] == ["one", "t"]
        assert list(known.claims) == ["one.one", "t.a"]

    def test_one_that_is_found_twice_is_one(self, find, paper):
        mine = paper(make("t.a"))
        assert find(mine, mine) == Papers({"t": mine}, {})

    def test_a_prefix_is_that_of_whom_is_found_first(self, find, paper, tmp_path):
        write(tmp_path, "one", prefix="t")
        found = find(paper(make("t.a")))
        assert [one.__name__ for one in found.packages.values()] == ["theorems.one"]
        assert found.broken == {"mine": "its prefix t is another paper's"}

    @pytest.mark.parametrize("flaw", ["no path", "no paper", "a title for a paper", "nothing"])
    def test_an_entry_point_names_a_package_with_a_paper(self, find, paper, tmp_path, flaw):
        write(tmp_path, "one")
        strange = paper(make("t.a"))
        if flaw == "no path":
            del strange.__path__
        elif flaw == "no paper":
            del strange.PAPER
        elif flaw == "nothing":
            strange = None
        else:
            strange.PAPER = "Title"
        found = find(strange)
        assert found.broken == {"mine": "it names no package that defines PAPER"}
        assert list(found.packages) == ["one"]

    @pytest.mark.parametrize("error", [ImportError, AttributeError, ValueError])
    def test_one_that_cannot_be_loaded_is_told(self, find, error):
        assert find(error("it is\n  gone")).broken == {"mine": f"{error.__name__}: it is gone"}
        assert find(error()).broken == {"mine": error.__name__}


BROKEN = {
    "a name": ({"only": "x = 1\ny = z"}, "NameError: name 'z' is not defined (only.py, line 2)"),
    "a name inside of a function": (
        {"only": "def f():\n    return z\n\nf()"},
        "NameError: name 'z' is not defined (only.py, line 4)",
    ),
    "syntax": ({"only": "x = 1\ny = ="}, "invalid syntax (only.py, line 2)"),
    "a section without a module": ({"only": None}, "No module named 'theorems.t.only'"),
    "an import": ({"only": "\nimport no_such_module"}, "No module named 'no_such_module' (only.py, line 2)"),
    "no sections": (
        {"__init__": HEAD.partition("SECTIONS")[0]},
        "theorems.t needs SECTIONS, a tuple of module names",
    ),
    "sections of a folder": (
        {"only": None, "only.__init__": ""},
        "theorems.t.only needs SECTIONS, a tuple of module names",
    ),
    "a claim": (
        {"only": "from theorems.engine import claim\nclaim('t.a', at='', title='t', states={})"},
        "t.a: a statement has at least one part",
    ),
    "the package itself": (
        {"__init__": "PAPER = Papers('t')"},
        "NameError: name 'Papers' is not defined (__init__.py, line 1)",
    ),
    "its paper": ({"__init__": "PAPER = 'Title'"}, "it names no package that defines PAPER"),
}


class TestBroken:
    @pytest.mark.parametrize("name", BROKEN)
    def test_what_cannot_be_loaded_is_told_in_a_line_and_others_go_on(self, load, tmp_path, name):
        files, complaint = BROKEN[name]
        write(tmp_path, "t", **files)
        write(tmp_path, "other")
        known = load()
        assert list(known.broken) == ["theorems.t"]
        told = known.broken["theorems.t"]
        assert told.endswith(complaint)
        assert "\n" not in told
        assert [one.prefix for one in known.papers] == ["other"]
        assert list(known.claims) == ["other.one"]

    @pytest.mark.parametrize("sections", ["'only'", "['only']", "()", "('only', 3)", "(' ',)"])
    def test_sections_are_a_tuple_of_names(self, load, tmp_path, sections):
        head = HEAD.partition("SECTIONS")[0]
        write(tmp_path, "t", __init__=f"{head}SECTIONS = {sections}")
        told = "theorems.t needs SECTIONS, a tuple of module names"
        assert load().broken == {"theorems.t": told}

    @pytest.mark.parametrize(
        ("way", "told"),
        [("sys.exit()", "SystemExit"), ("sys.exit(3)", "SystemExit 3"), ("os._exit(0)", "SystemExit 0")],
    )
    @pytest.mark.parametrize("module", ["__init__", "only"])
    def test_one_that_ends_the_process_is_told_as_any_other(self, load, tmp_path, way, told, module):
        write(tmp_path, "t", **{module: f"import os, sys\n{way}"})
        write(tmp_path, "other")
        known = load()
        why = f"it ends the process when it is loaded: {told}"
        assert known.broken == {"theorems.t": why}
        assert list(known.claims) == ["other.one"]
        assert os._exit.__module__ == "posix"

    def test_what_takes_long_is_told_unless_it_is_ours(self, capfd, monkeypatch):
        monkeypatch.setattr(papers, "_PATIENCE", 0.05)
        for name, count in (("mine", 1), ("theorems.eoc_mlp", 0)):
            with papers.loading(name):
                time.sleep(0.5)
            assert capfd.readouterr().err.count(f"theorems: the paper {name} is being loaded") == count
        with papers.loading("mine"):
            pass
        time.sleep(0.2)
        assert capfd.readouterr().err == ""

    def test_an_interrupt_goes_through(self):
        with pytest.raises(KeyboardInterrupt), papers.loading("mine"):
            raise KeyboardInterrupt

    def test_what_rests_on_one_that_cannot_be_loaded_is_set_aside(self, load, tmp_path):
        write(tmp_path, "t", only="x = y")
        write(tmp_path, "upper", only=RESTING % "t")
        write(tmp_path, "top", only=RESTING % "upper")
        write(tmp_path, "other")
        expected = {
            "theorems.t": "NameError: name 'y' is not defined (only.py, line 1)",
            "theorems.upper": "upper.one refers to t.one, whose paper cannot be used",
            "theorems.top": "top.one refers to upper.one, whose paper cannot be used",
        }
        known = load()
        assert (dict(known.broken), list(known.claims)) == (expected, ["other.one"])
        assert load("top").broken == expected
        assert list(load("other").claims) == ["other.one"]

    def test_the_first_reason_is_told_when_a_paper_is_tried_twice(self, load, tmp_path):
        """The second attempt fails otherwise: its letters are declared already."""
        letters = "from theorems.engine import Letters, reals\nLETTERS = Letters()\n"
        only = "from theorems.t.letters import LETTERS, reals\n"
        only += "x = LETTERS.number('x', 'x', 'a number', reals())\ny = z"
        write(tmp_path, "t", letters=letters, only=only)
        told = "NameError: name 'z' is not defined (only.py, line 3)"
        assert load("t").broken == {"theorems.t": told}


class TestLoading:
    def test_of_one_paper_it_loads_those_that_it_rests_on_and_no_more(self, load, tmp_path):
        write(tmp_path, "base")
        write(tmp_path, "middle", only=RESTING % "base")
        write(tmp_path, "top", only=RESTING % "middle")
        write(tmp_path, "other")
        assert list(load("middle").claims) == ["base.one", "middle.one"]
        assert list(load("top").claims) == ["base.one", "middle.one", "top.one"]
        assert "theorems.other.only" not in sys.modules
        assert len(load().claims) == 4
        assert load("nobody").claims == {}

    def test_folders_of_a_paper_have_sections_of_their_own(self, load, tmp_path):
        files = {
            "__init__": HEAD.replace('("only",)', '("last", "inner", "only")'),
            "inner.__init__": 'SECTIONS = ("second", "first")',
        }
        for name in ("last", "only", "inner.first", "inner.second"):
            leaf = name.rpartition(".")[2]
            files[name] = (RESTING % "t").replace("one", leaf, 1).replace("t.one", "t.last")
        files["last"] = files["last"].replace(', rests_on="t.last"', "")
        write(tmp_path, "t", **files)
        known = load()
        assert list(known.claims) == ["t.last", "t.second", "t.first", "t.only"]
        assert known.homes["t.first"] == "theorems.t.inner.first"


class TestClosedForms:
    def test_what_derives_one_is_rested_on(self, paper):
        using, deriving = le(CUBE(x), 1), make("t.cube")
        known = assemble([paper(make("t.a", using), deriving)])
        assert known.broken == {"paper_t": "t.a uses closed forms of ['t.cube'], on which it does not rest"}
        between = make("t.between", rests_on=[deriving])
        for below in (deriving, between):
            known = assemble([paper(make("t.a", using, rests_on=[below]), between, deriving)])
            assert "t.a" in known.claims

    def test_one_that_is_a_definition_needs_none(self, paper):
        assert "t.a" in assemble([paper(make("t.a", le(PLAIN(x), 1)))]).claims

    def test_the_claim_that_derives_it_may_use_it(self, paper):
        assert "t.cube" in assemble([paper(make("t.cube", le(CUBE(x), 1)))]).claims


class TestComplaints:
    def test_unknown_claims_come_before_other_faults(self, paper):
        known = assemble([paper(make("t.a", rests_on=["t.x", "t.y"]), claim_without_evidence())])
        assert known.broken["paper_t"].split("; ") == [
            "t.a refers to t.x, which is no claim",
            "t.a refers to t.y, which is no claim",
        ]

    def test_only_hypotheses_that_are_missing_are_told(self, paper):
        first, second = (Hypothesis(name, "it is so") for name in ("first", "second"))
        below = make("t.below", assuming=[first, second])
        known = assemble([paper(below, make("t.a", rests_on=[below], assuming=[first]))])
        assert known.broken["paper_t"] == (
            "t.a rests on t.below, which assumes second: assume it too, or say in `discharging` why it is met"
        )


def claim_without_evidence():
    """A claim with a fault of its own."""
    return claim("t.b", at="a", title="t", states=le(x, 1))

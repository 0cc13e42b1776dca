"""A claim and its evidence know the line of the module in which they were written."""

import importlib
import inspect
import runpy

import pytest
from checked import named, proof, stated, x
from shelves import forget

from theorems.engine import claim, eq, le
from theorems.engine.claims.source import Source
from theorems.engine.statements.variants import near_variants

HELPERS = """
from theorems.engine import claim, eq


def open_claim(identifier):
    one = claim(identifier, at="a", title="t", states=eq(1, 1))
    one.left_open("for this test")
    return one


def prove(one):
    @one.proved()
    def by_helper(given):
        return given.follows()


HERE = open_claim("t.here")
"""
CLAIMS = """
from helpers_of_test import open_claim, prove
from theorems.engine import claim, eq

WRITTEN = claim(
    "t.written", at="a", title="t", states=eq(1, 1)
)

@WRITTEN.proved()
def first(given):
    return given.follows()

WRITTEN.cited("Someone (1900)", why="it is long")
MADE = open_claim("t.made")
LIST = [
    open_claim(f"t.number{n}")
    for n in range(2)
]
CORRECTED = WRITTEN.corrected("t.right", title="t", states=eq(2, 2))
prove(MADE)

def later():
    return open_claim("t.later")
"""


def line_of(text, start):
    """The number of the line that begins so."""
    return 1 + [line.startswith(start) for line in text.splitlines()].index(True)


@pytest.fixture
def written(tmp_path, monkeypatch):
    """The module of claims, which uses the one of helpers."""
    monkeypatch.syspath_prepend(tmp_path)
    names = {"helpers_of_test": HELPERS, "claims_of_test": CLAIMS}
    for name, text in names.items():
        (tmp_path / f"{name}.py").write_text(text)
    importlib.invalidate_caches()
    yield importlib.import_module("claims_of_test")
    forget(*names)


class TestModules:
    def source(self, tmp_path, start):
        file = str(tmp_path / "claims_of_test.py")
        return Source("claims_of_test", file, line_of(CLAIMS, start))

    def test_a_claim_has_the_line_where_it_is_written(self, written, tmp_path):
        assert written.WRITTEN.source == self.source(tmp_path, "WRITTEN =")
        assert written.CORRECTED.source == self.source(tmp_path, "CORRECTED =")

    def test_evidence_has_a_line_of_its_own(self, written, tmp_path):
        proved, cited = (item.source for item in written.WRITTEN.evidence)
        assert proved == self.source(tmp_path, "@WRITTEN.proved")
        assert cited == self.source(tmp_path, "WRITTEN.cited")

    def test_what_a_helper_makes_belongs_to_the_module_that_called_it(self, written, tmp_path):
        assert written.MADE.source == self.source(tmp_path, "MADE =")
        assert written.MADE.evidence[0].source == self.source(tmp_path, "prove(MADE)")
        for one in written.LIST:
            assert one.source.module == "claims_of_test"
            first = line_of(CLAIMS, "LIST =")
            assert first <= one.source.line <= first + 3

    def test_what_a_module_of_helpers_makes_for_itself_is_its_own(self, written, tmp_path):
        helpers = importlib.import_module("helpers_of_test")
        expected = Source("helpers_of_test", helpers.__file__, line_of(HELPERS, "HERE ="))
        assert helpers.HERE.source == expected

    def test_after_it_was_loaded_it_is_the_place_of_the_call(self, written):
        made = written.later()
        assert made.source.module == "helpers_of_test"
        assert made.source.line == line_of(HELPERS, "    one = claim(")

    def test_a_script_is_where_its_claims_are_written(self, written, tmp_path):
        file = tmp_path / "claims_of_test.py"
        one = runpy.run_path(str(file), run_name="__main__")["WRITTEN"]
        assert one.source == Source("__main__", str(file), line_of(CLAIMS, "WRITTEN ="))


def test_in_a_function_of_a_test_it_is_the_line_there():
    line = inspect.currentframe().f_lineno + 1
    one = claim("t.one", at="a", title="t", states=eq(1, 1))
    assert one.source == Source(__name__, __file__, line)
    line = inspect.currentframe().f_lineno + 1
    one.argued(bridge="So.")(named(lambda given: [("it", given.goal)]))
    assert one.evidence[0].source == Source(__name__, __file__, line)


def test_it_is_written_as_file_and_line():
    assert str(Source("a.b", "/a/b.py", 7)) == "/a/b.py:7"


def test_it_is_no_part_of_what_is_said():
    one, other = (proof(stated(le(x, 1))).evidence[0] for _ in range(2))
    assert (one.source, one.name) == (other.source, other.name)
    assert "source" not in repr(one) + repr(stated())


def test_variants_are_of_the_same_place():
    one = stated()
    assert {variant.claim.source for variant in near_variants(one, "statement")} == {one.source}


def test_what_somebody_executes_is_no_module():
    """As programs do that run others: the line is that of the call, not of theirs."""
    names = {"__name__": "some_runner", "make": stated}
    exec("one = make()", names)
    assert names["one"].source.module == stated().source.module != "some_runner"

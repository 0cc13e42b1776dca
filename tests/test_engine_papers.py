"""Where papers are found, what their claims rest on, and what a registry answers."""

import sys
from types import ModuleType

import pytest
from checked import LETTERS, claim, x

from theorems.engine import ClaimError, Hypothesis, Paper, le
from theorems.engine.claims import registry as registries
from theorems.engine.claims.registry import Registry, assemble, paper_packages

CUBE = LETTERS.function(
    "cube_of_papers", "c", "a cube", closed_form=lambda t: t**3, justified_by="t.cube"
)
PLAIN = LETTERS.function("plain_of_papers", "p", "a square", closed_form=lambda t: t**2)


def make(identifier, states=None, **record):
    """A claim that is left open."""
    shown = le(x, 1) if states is None else states
    one = claim(identifier, at="a", title="t", states=shown, given=[x], **record)
    one.left_open("for this test")
    return one


@pytest.fixture
def paper(monkeypatch):
    """A paper package with these claims in one section."""

    def build(*claims, prefix="t", sections=("only",)):
        package = ModuleType(f"papers_{prefix}")
        package.__path__ = []
        package.PAPER = Paper(prefix, "Title", "Authors", sections)
        monkeypatch.setitem(sys.modules, package.__name__, package)
        for section in sections:
            module = ModuleType(f"{package.__name__}.{section}")
            vars(module).update({f"C{i}": one for i, one in enumerate(claims)})
            monkeypatch.setitem(sys.modules, module.__name__, module)
        return package

    return build


class Entry:
    """An entry point that loads this."""

    name = "mine"

    def __init__(self, package):
        self.load = lambda: package


@pytest.fixture
def ours(monkeypatch, tmp_path):
    """A folder of our papers, in which one package is none, and one module is no package."""
    titled = """
from theorems.engine import Paper
PAPER = Paper("{}", "Title", "Authors", ("only",))
"""
    for name in ("one", "none", "other"):
        (tmp_path / name).mkdir()
        text = "" if name == "none" else titled.format(name)
        (tmp_path / name / "__init__.py").write_text(text)
        (tmp_path / name / "only.py").touch()
    (tmp_path / "single.py").write_text(titled.format("single"))
    monkeypatch.setattr(registries.theorems, "__path__", [str(tmp_path)])
    yield
    for name in ("one", "none", "other", "single"):
        for module in (f"theorems.{name}", f"theorems.{name}.only"):
            sys.modules.pop(module, None)
        vars(registries.theorems).pop(name, None)


@pytest.mark.usefixtures("ours")
class TestPackages:
    def test_ours_are_packages_with_a_paper(self, monkeypatch):
        monkeypatch.setattr(registries, "entry_points", lambda group: [])
        names = [package.__name__ for package in paper_packages()]
        assert names == ["theorems.one", "theorems.other"]

    def test_the_registry_is_made_of_all_that_are_found(self, monkeypatch, paper):
        mine = paper(make("t.a"))
        monkeypatch.setattr(registries, "entry_points", lambda group: [Entry(mine)])
        known = registries.load.__wrapped__()  # what is loaded once is of no use here
        assert [one.prefix for one in known.papers] == ["one", "other", "t"]
        assert list(known.claims) == ["t.a"]

    def test_others_come_after_ours(self, monkeypatch, paper):
        mine = paper(make("t.a"))
        monkeypatch.setattr(registries, "entry_points", lambda group: [Entry(mine)] * 2)
        names = [package.__name__ for package in paper_packages()]
        assert names == ["theorems.one", "theorems.other", "papers_t", "papers_t"]

    @pytest.mark.parametrize("flaw", ["no path", "no paper", "a title for a paper"])
    def test_an_entry_point_names_a_package_with_a_paper(self, monkeypatch, paper, flaw):
        strange = paper(make("t.a"))
        if flaw == "no path":
            del strange.__path__
        elif flaw == "no paper":
            del strange.PAPER
        else:
            strange.PAPER = "Title"
        monkeypatch.setattr(registries, "entry_points", lambda group: [Entry(strange)])
        with pytest.raises(ClaimError, match="mine names no package that defines PAPER"):
            paper_packages()

    def test_a_package_that_is_listed_twice_is_one_paper(self, paper):
        package = paper(make("t.a"), make("t.b"))
        known = assemble([package, package])
        assert (len(known.papers), list(known.claims)) == (1, ["t.a", "t.b"])

    def test_a_claim_that_two_sections_name_is_one(self, paper):
        known = assemble([paper(make("t.a"), sections=("first", "second"))])
        assert list(known.claims) == ["t.a"]

    def test_two_claims_that_share_an_id_are_refused_across_sections(self, paper):
        with pytest.raises(ClaimError, match=r"two claims have the id t\.a"):
            assemble([paper(make("t.a"), make("t.a"))])


class TestClosedForms:
    def test_what_derives_one_is_rested_on(self, paper):
        using, deriving = le(CUBE(x), 1), make("t.cube")
        with pytest.raises(ClaimError, match=r"t\.a uses closed forms of \['t\.cube'\], on which"):
            assemble([paper(make("t.a", using), deriving)])
        between = make("t.between", rests_on=[deriving])
        for below in (deriving, between):
            known = assemble([paper(make("t.a", using, rests_on=[below]), between, deriving)])
            assert "t.a" in known.claims

    def test_one_that_is_a_definition_needs_none(self, paper):
        assert "t.a" in assemble([paper(make("t.a", le(PLAIN(x), 1)))]).claims

    def test_the_claim_that_derives_it_may_use_it(self, paper):
        assert "t.cube" in assemble([paper(make("t.cube", le(CUBE(x), 1)))]).claims


class TestComplaints:
    def test_all_that_is_wrong_is_told_at_once(self, paper):
        first, second = (
            claim(f"t.{n}", at="a", title="t", states=le(x, 1), given=[x]) for n in "ab"
        )
        with pytest.raises(ClaimError) as found:
            assemble([paper(first, second)])
        assert str(found.value).splitlines() == [
            "t.a has no evidence and does not say why",
            "t.b has no evidence and does not say why",
        ]

    def test_unknown_claims_come_before_other_faults(self, paper):
        with pytest.raises(ClaimError) as found:
            assemble([paper(make("t.a", rests_on=["t.x", "t.y"]))])
        assert str(found.value).splitlines() == [
            "t.a refers to t.x, which is no claim",
            "t.a refers to t.y, which is no claim",
        ]

    def test_only_hypotheses_that_are_missing_are_told(self, paper):
        first, second = (Hypothesis(name, "it is so") for name in ("first", "second"))
        below = make("t.below", assuming=[first, second])
        with pytest.raises(ClaimError) as found:
            assemble([paper(below, make("t.a", rests_on=[below], assuming=[first]))])
        assert str(found.value) == (
            "t.a rests on t.below, which assumes second: "
            "assume it too, or say in `discharging` why it is met"
        )


class TestQuestions:
    KNOWN = Registry((), {one.id: one for one in map(make, ("t.a", "t.a.b", "t.ab", "t.c"))})

    def test_at_most_three_ids_are_suggested(self):
        known = Registry((), {f"t.bound{n}": make(f"t.bound{n}") for n in range(6)})
        with pytest.raises(KeyError) as found:
            known["t.bund"]
        assert found.value.args[0].count("t.bound") == 3

    def test_an_id_and_all_that_extend_it_by_a_dot(self):
        assert self.KNOWN.under("t.a") == ["t.a", "t.a.b"]
        assert self.KNOWN.under("t") == list(self.KNOWN.claims)

    def test_the_claims_about_another(self):
        one = make("t.one")
        other = one.sharpened("t.two", title="t", states=le(x, 1), given=[x])
        known = Registry((), {"t.one": one, "t.two": other, "t.c": make("t.c")})
        assert (known.about("t.one"), known.about("t.two")) == ([other], [])

    def test_what_nobody_asks_for_is_no_ancestor(self):
        assert self.KNOWN.with_ancestors(["t.c", "t.a", "t.c"]) == ["t.a", "t.c"]

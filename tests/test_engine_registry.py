"""The registry refuses to load what is not well formed, and says which claim."""

import sys
from types import ModuleType

import pytest
from hypothesis import strategies as st

from theorems.engine import ClaimError, Hypothesis, Paper, Severity, claim, sentence
from theorems.engine.claims import registry as registries
from theorems.engine.claims.registry import assemble

SENTENCE = sentence("c = $constant", constant=1)


@pytest.fixture
def paper(monkeypatch):
    """Make a paper package out of the values of its sections."""

    def build(prefix="t", name=None, **sections):
        name = name or f"paper_{prefix}"
        package = ModuleType(name)
        package.__path__ = []
        package.PAPER = Paper(prefix, "Title", "Authors", tuple(sections))
        monkeypatch.setitem(sys.modules, name, package)
        for section, values in sections.items():
            module = ModuleType(f"{name}.{section}")
            vars(module).update({f"C{i}": value for i, value in enumerate(values)})
            monkeypatch.setitem(sys.modules, f"{name}.{section}", module)
        return package

    return build


def make(identifier, *, checked=True, **record):
    one = claim(identifier, **{"at": "a", "title": "t", "states": SENTENCE, **record})
    return proved(one) if checked else one


def proved(one):
    one.argued(bridge="It is so.")(check)
    return one


def check(constant):
    """A check."""
    return [("it", constant == 1)]


def refuted(identifier):
    one = make(identifier, checked=False)
    one.refuted(severity=Severity.EDGE)(check)
    return one


def test_claims_come_in_the_order_of_sections_and_definition(paper):
    a, b, c, d = (make(f"t.{letter}") for letter in "abcd")
    known = assemble([paper(first=[c, b], second=[a, c, d])])
    assert list(known.claims) == ["t.c", "t.b", "t.a", "t.d"]
    assert known["t.a"] is a


def test_claims_in_collections_are_found(paper):
    a, b, c = (make(f"t.{letter}") for letter in "abc")
    known = assemble([paper(only=[[a], (b,), {"c": c}, "text", 3, None])])
    assert set(known.claims) == {"t.a", "t.b", "t.c"}


SMALL = Hypothesis("small", "it is small")
REFUSED = {
    "duplicate ids": (lambda: [make("t.a"), make("t.a")], r"two claims have the id t\.a"),
    "unknown dependency": (
        lambda: [make("t.a", rests_on=["t.b"])],
        r"t\.a refers to t\.b, which is no claim",
    ),
    "correction of an unknown claim": (
        lambda: [proved(make("t.a").corrected("t.c", title="t", states=SENTENCE))],
        r"t\.c refers to t\.a, which is no claim",
    ),
    "resting on itself": (lambda: [make("t.a", rests_on=["t.a"])], r"circle: t\.a -> t\.a"),
    "circle": (
        lambda: [
            make("t.a", rests_on=["t.b"]),
            make("t.b", rests_on=["t.c"]),
            make("t.c", rests_on=["t.a"]),
        ],
        r"circle: t\..*t\..*t\.",
    ),
    "false and not corrected": (
        lambda: [refuted("t.a")],
        r"t\.a is declared false but nothing with evidence corrects it",
    ),
    "false and only sharpened": (
        lambda: [a := refuted("t.a"), proved(a.sharpened("t.b", title="t", states=SENTENCE))],
        r"t\.a is declared false but nothing",
    ),
    "correction without evidence": (
        lambda: [a := refuted("t.a"), a.corrected("t.b", title="t", states=SENTENCE)],
        r"t\.a is declared false but nothing",
    ),
    "no evidence, no reason": (
        lambda: [make("t.a", checked=False)],
        r"t\.a has no evidence and does not say why",
    ),
    "a hypothesis of what it rests on": (
        lambda: [make("t.a", assuming=[SMALL]), make("t.b", rests_on=["t.a"])],
        r"t\.b rests on t\.a, which assumes small",
    ),
    "discharged without a reason": (
        lambda: [
            make("t.a", assuming=[SMALL]),
            make("t.b", rests_on=["t.a"], discharging={SMALL: " "}),
        ],
        r"t\.b discharges small without a reason",
    ),
    "another prefix": (lambda: [make("u.a")], r"u\.a does not begin with the prefix"),
}


@pytest.mark.parametrize("how", [{"assuming": [SMALL]}, {"discharging": {SMALL: "so it is"}}])
def test_hypotheses_are_assumed_or_discharged(paper, how):
    lower = make("t.a", assuming=[SMALL])
    assert "t.b" in assemble([paper(only=[lower, make("t.b", rests_on=["t.a"], **how)])]).claims


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_well_formed_does_not_load(paper, name):
    claims, complaint = REFUSED[name]
    with pytest.raises(ClaimError, match=complaint):
        assemble([paper(only=claims())])


def test_two_false_claims_cannot_correct_each_other(paper):
    a = refuted("t.a")
    b = a.corrected("t.b", title="t", states=SENTENCE)
    b.refuted(severity=Severity.EDGE)(check)
    object.__setattr__(a, "of", "t.b")
    object.__setattr__(a, "provenance", b.provenance)
    with pytest.raises(ClaimError, match="circle"):
        assemble([paper(only=[a, b])])


def test_a_false_claim_with_a_correction_loads(paper):
    false = refuted("t.a")
    right = proved(false.corrected("t.a.right", title="t", states=SENTENCE))
    known = assemble([paper(only=[false, right])])
    assert known.about("t.a") == [right]


def test_left_open_loads(paper):
    one = make("t.a", checked=False)
    one.left_open("hard")
    assert assemble([paper(only=[one])])["t.a"] is one


def test_a_claim_may_rest_on_its_own_sharpening(paper):
    weak = make("t.a", rests_on=["t.a.sharp"])
    sharp = proved(weak.sharpened("t.a.sharp", title="t", states=SENTENCE))
    assert set(assemble([paper(only=[weak, sharp])]).claims) == {"t.a", "t.a.sharp"}


def test_papers_may_use_each_others_claims(paper):
    fact = make("u.fact")
    mine = make("t.mine", rests_on=[fact])
    packages = [paper("t", only=[fact, mine]), paper("u", only=[fact])]
    for order in (packages, packages[::-1]):
        known = assemble(order)
        assert known.with_ancestors(["t.mine"]) == list(known.claims)
    with pytest.raises(ClaimError, match=r"u\.fact does not begin"):
        assemble([packages[0], paper("u", name="other", only=[make("u.fact")])])


def test_two_papers_have_two_prefixes(paper):
    with pytest.raises(ClaimError, match="two papers have the prefix t"):
        assemble([paper("t", only=[]), paper("t", name="other", only=[])])


class TestGraph:
    @pytest.fixture
    def known(self, paper):
        claims = [
            make("t.top", rests_on=["t.left", "t.right"]),
            make("t.left", rests_on=["t.base"]),
            make("t.left.part", rests_on=["t.other"]),
            make("t.right", rests_on=["t.base"]),
            make("t.base"),
            make("t.other"),
            make("t.leftover"),
        ]
        return assemble([paper(only=claims)])

    def test_ancestors(self, known):
        expected = ["t.top", "t.left", "t.right", "t.base"]
        assert known.with_ancestors(["t.top"]) == expected
        assert known.with_ancestors(["t.base"]) == ["t.base"]
        assert known.with_ancestors([]) == []

    def test_parts(self, known):
        assert known.under("t.left") == ["t.left", "t.left.part"]
        assert known.under("t") == list(known.claims)
        assert known.under("t.lef") == []

    def test_dependants(self, known):
        assert known.dependants("t.base") == ["t.left", "t.right"]

    def test_dependency_order(self, known):
        order = known.in_dependency_order()
        assert sorted(order) == sorted(known.claims)
        for one in known.claims.values():
            assert all(order.index(other) < order.index(one.id) for other in one.rests_on)

    def test_an_unknown_id_suggests_the_nearest(self, known):
        with pytest.raises(KeyError, match=r"no claim has the id 't\.lfet'; did you mean t\.left"):
            known["t.lfet"]
        with pytest.raises(KeyError) as found:
            known["zzzz"]
        assert found.value.args == ("no claim has the id 'zzzz'",)

    def test_evidence_by_name(self, known):
        assert known.evidence("t.top", "check").check is check


class TestEntryPoints:
    @pytest.mark.parametrize(
        ("loaded", "complaint"),
        [
            (ImportError("gone"), "the entry point mine cannot be loaded: gone"),
            (AttributeError("gone"), "the entry point mine cannot be loaded: gone"),
            (ModuleType("plain"), "the entry point mine names no package"),
            (None, "the entry point mine names no package"),
        ],
    )
    def test_one_that_names_no_paper(self, monkeypatch, loaded, complaint):
        class Entry:
            name = "mine"

            def load(self):
                if isinstance(loaded, Exception):
                    raise loaded
                return loaded

        monkeypatch.setattr(registries, "entry_points", lambda group: [Entry()])
        monkeypatch.setattr(registries.pkgutil, "iter_modules", lambda *_: [])
        with pytest.raises(ClaimError, match=complaint):
            registries.paper_packages()


def test_the_demonstration_is_well_formed():
    import demo

    known = assemble([demo])
    assert list(known.claims)[:4] == ["demo.square", "demo.half", "demo.below", "demo.below.weak"]
    assert [paper.prefix for paper in known.papers] == ["demo"]
    below = known["demo.slow.3"].evidence[0]
    assert set(below.check(0.5).values()) == {0.5}
    assert isinstance(below.options["over"](), st.SearchStrategy)

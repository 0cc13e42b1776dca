"""The registry sets aside papers that are not well formed, says why, and goes on with others."""

from functools import partial

import pytest
from hypothesis import strategies as st
from shelves import package
from trying import each

from theorems.engine import Hypothesis, Severity, claim, sentence
from theorems.engine.claims.registry import assemble

SENTENCE = sentence("c = $constant", constant=1)


@pytest.fixture
def paper(monkeypatch):
    """Make a paper package out of the values of its sections."""
    return partial(package, monkeypatch)


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
    "duplicate ids": (lambda: [make("t.a"), make("t.a")], "two claims have the id t.a"),
    "unknown dependency": (lambda: [make("t.a", rests_on=["t.b"])], "t.a refers to t.b, which is no claim"),
    "correction of an unknown claim": (
        lambda: [proved(make("t.a").corrected("t.c", title="t", states=SENTENCE))],
        "t.c refers to t.a, which is no claim",
    ),
    "resting on itself": (
        lambda: [make("t.a", rests_on=["t.a"])],
        "claims rest on, or are about, each other in a circle: t.a -> t.a",
    ),
    "circle": (
        lambda: [make("t.a", rests_on=["t.b"]), make("t.b", rests_on=["t.c"]), make("t.c", rests_on=["t.a"])],
        "claims rest on, or are about, each other in a circle: t.a -> t.b -> t.c -> t.a",
    ),
    "false and not corrected": (
        lambda: [refuted("t.a")],
        "t.a is declared false but nothing with evidence corrects it",
    ),
    "false and only sharpened": (
        lambda: [a := refuted("t.a"), proved(a.sharpened("t.b", title="t", states=SENTENCE))],
        "t.a is declared false but nothing with evidence corrects it",
    ),
    "correction without evidence": (
        lambda: [a := refuted("t.a"), a.corrected("t.b", title="t", states=SENTENCE)],
        "t.a is declared false but nothing with evidence corrects it; "
        "t.b has no evidence and does not say why",
    ),
    "no evidence, no reason": (
        lambda: [make("t.a", checked=False), make("t.b", checked=False)],
        "t.a has no evidence and does not say why; t.b has no evidence and does not say why",
    ),
    "a hypothesis of what it rests on": (
        lambda: [make("t.a", assuming=[SMALL]), make("t.b", rests_on=["t.a"])],
        "t.b rests on t.a, which assumes small: assume it too, or say in `discharging` why it is met",
    ),
    "discharged without a reason": (
        lambda: [make("t.a", assuming=[SMALL]), make("t.b", rests_on=["t.a"], discharging={SMALL: " "})],
        "t.b discharges small without a reason",
    ),
    "another prefix": (lambda: [make("u.a")], "u.a does not begin with the prefix of its paper"),
    "no sections": (None, "paper_t needs SECTIONS, a tuple of module names"),
}


@each("name", *REFUSED)
def test_what_is_not_well_formed_is_set_aside_and_others_go_on(paper, name):
    claims, complaint = REFUSED[name]
    packages = [
        paper(only=claims()) if claims else paper(),
        paper("v", only=[make("v.one"), make("v.two", rests_on=["v.one"])]),
    ]
    for order in (packages, packages[::-1]):
        known = assemble(order)
        assert known.broken == {"paper_t": complaint}
        assert [one.prefix for one in known.papers] == ["v"]
        assert list(known.claims) == ["v.one", "v.two"]
        assert set(known.homes.values()) == {"paper_v.only"}


@each("how", {"assuming": [SMALL]}, {"discharging": {SMALL: "so it is"}})
def test_hypotheses_are_assumed_or_discharged(paper, how):
    lower = make("t.a", assuming=[SMALL])
    assert "t.b" in assemble([paper(only=[lower, make("t.b", rests_on=["t.a"], **how)])]).claims


def test_two_false_claims_cannot_correct_each_other(paper):
    a = refuted("t.a")
    b = a.corrected("t.b", title="t", states=SENTENCE)
    b.refuted(severity=Severity.EDGE)(check)
    object.__setattr__(a, "of", "t.b")
    object.__setattr__(a, "provenance", b.provenance)
    known = assemble([paper(only=[a, b])])
    assert "circle: t." in known.broken["paper_t"]
    assert not known.claims


def test_a_false_claim_with_a_correction_loads(paper):
    false = refuted("t.a")
    right = proved(false.corrected("t.a.right", title="t", states=SENTENCE))
    known = assemble([paper(only=[false, right])])
    assert (known.about("t.a"), known.about("t.a.right")) == ([right], [])


def test_a_claim_may_rest_on_its_own_sharpening(paper):
    weak = make("t.a", rests_on=["t.a.sharp"])
    sharp = proved(weak.sharpened("t.a.sharp", title="t", states=SENTENCE))
    assert set(assemble([paper(only=[weak, sharp])]).claims) == {"t.a", "t.a.sharp"}


class TestSeveralPapers:
    def test_they_may_use_each_others_claims(self, paper):
        fact = make("u.fact")
        mine = make("t.mine", rests_on=[fact])
        packages = [paper("t", only=[fact, mine]), paper("u", only=[fact])]
        for order in (packages, packages[::-1]):
            known = assemble(order)
            assert not known.broken
            assert known.with_ancestors(["t.mine"]) == list(known.claims)
            assert known.homes == {"t.mine": "paper_t.only", "u.fact": "paper_u.only"}

    def test_a_claim_that_only_looks_like_another_papers_is_none(self, paper):
        packages = [paper("t", only=[make("u.fact"), make("t.a")]), paper("u", only=[make("u.fact")])]
        known = assemble(packages)
        assert known.broken == {"paper_t": "u.fact does not begin with the prefix of its paper"}
        assert list(known.claims) == ["u.fact"]

    def test_one_that_rests_on_a_broken_one_is_set_aside_and_what_rests_on_it_is_too(self, paper):
        packages = [
            paper("t", only=[make("t.a", rests_on=["u.a"]), make("t.b")]),
            paper("u", only=[make("u.a", rests_on=["v.a"])]),
            paper("v", only=[make("v.a", checked=False)]),
            paper("w", only=[make("w.a")]),
        ]
        for order in (packages, packages[::-1]):
            known = assemble(order)
            assert known.broken == {
                "paper_t": "t.a refers to u.a, whose paper cannot be used",
                "paper_u": "u.a refers to v.a, whose paper cannot be used",
                "paper_v": "v.a has no evidence and does not say why",
            }
            assert list(known.claims) == ["w.a"]

    def test_one_that_names_a_claim_of_a_broken_one_is_set_aside(self, paper):
        fact = make("u.fact")
        for name, others in (("faulty", [make("u.open", checked=False)]), ("unread", None)):
            broken = paper("u", name=name, only=[fact, *(others or [])])
            if others is None:
                broken.SECTIONS = ()
            known = assemble([paper("t", only=[fact, make("t.a")]), broken])
            assert known.broken["paper_t"] == "u.fact is of a paper that cannot be used"
            assert set(known.broken) == {"paper_t", name}
            assert not known.claims

    def test_one_that_was_broken_before_stays_so(self, paper):
        known = assemble([paper(only=[make("t.a")])], {"other": "it is gone"})
        assert known.broken == {"other": "it is gone"}
        assert list(known.claims) == ["t.a"]

    def test_a_circle_sets_aside_the_papers_that_it_runs_through(self, paper):
        packages = [
            paper("t", only=[make("t.a", rests_on=["u.a"])]),
            paper("u", only=[make("u.a", rests_on=["t.a"])]),
            paper("v", only=[make("v.a")]),
        ]
        known = assemble(packages)
        assert set(known.broken) == {"paper_t", "paper_u"}
        assert all("in a circle: " in told for told in known.broken.values())
        assert list(known.claims) == ["v.a"]

    def test_two_have_two_prefixes(self, paper):
        first, second = paper("t", only=[make("t.a")]), paper("t", name="other", only=[])
        known = assemble([first, second])
        assert known.broken == {"other": "two papers have the prefix t"}
        assert known.papers == (first.PAPER,)
        assert list(known.claims) == ["t.a"]

    def test_one_that_is_listed_twice_is_one(self, paper):
        one = paper(only=[make("t.a"), make("t.b")])
        known = assemble([one, one])
        assert (known.papers, list(known.claims)) == ((one.PAPER,), ["t.a", "t.b"])
        assert not known.broken


class TestPlaces:
    CONTENTS = """
Section 1: Introduction
  Lemma 1
Section 2: Proofs
"""

    def placed(self, paper, at, contents=CONTENTS):
        return assemble([paper(contents=contents, only=[make("t.a", at=at)])])

    @each("at", "Lemma 1", "Lemma 1, proof; Section 2", "after Section 1")
    def test_a_claim_stands_in_the_contents_of_its_paper(self, paper, at):
        known = self.placed(paper, at)
        assert [str(one) for one in known.places(known["t.a"])] == at.split("; ")
        assert known.paper_of(known["t.a"]) is known.papers[0]

    @each(
        "at, complaint",
        ("Lemma 2", "t.a: the contents have no Lemma 2"),
        ("Lemma 1; Section 3, proof", "t.a: the contents have no Section 3"),
        ("Eq. (1)", "t.a: 'Eq. (1)' is no place; one is [before|after] KIND NUMBER[, part]"),
        ("Lemma 1; ", "t.a: '' is no place; one is [before|after] KIND NUMBER[, part]"),
    )
    def test_one_that_does_not_is_told(self, paper, at, complaint):
        known = self.placed(paper, at)
        assert known.broken["paper_t"].startswith(complaint)
        assert "\n" not in known.broken["paper_t"]
        assert not known.claims

    def test_a_collection_says_what_it_likes(self, paper):
        known = self.placed(paper, "Vershynin, Theorem 3.1.1", contents=None)
        assert known.places(known["t.a"]) == ()


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
        assert known.with_ancestors(["t.other", "t.right", "t.other"]) == ["t.right", "t.base", "t.other"]

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

    def test_at_most_three_ids_are_suggested(self, paper):
        known = assemble([paper(only=[make(f"t.bound{n}") for n in range(6)])])
        with pytest.raises(KeyError) as found:
            known["t.bund"]
        assert found.value.args[0].count("t.bound") == 3

    def test_evidence_by_name(self, known):
        assert known.evidence("t.top", "check").check is check


def test_the_demonstration_is_well_formed():
    import demo

    known = assemble([demo])
    assert not known.broken
    assert list(known.claims)[:4] == ["demo.square", "demo.half", "demo.below", "demo.below.weak"]
    assert [paper.prefix for paper in known.papers] == ["demo"]
    below = known["demo.slow.3"].evidence[0]
    assert set(below.check(0.5).values()) == {0.5}
    assert isinstance(below.options["over"](), st.SearchStrategy)

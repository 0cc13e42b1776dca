"""Verdicts: which of several words about a constant counts, and what a verdict stands on."""

from dataclasses import replace
from itertools import combinations

from checked import SHARES, Sample, answer, claim, far, judged, named, said, searched, standing, stated, x
from checked import result as result_of_claim
from trying import each

from theorems.engine import (
    Answer,
    Grade,
    Hypothesis,
    Measured,
    Rounded,
    Severity,
    Verdict,
    interval,
    le,
    lt,
    rules,
    sentence,
)
from theorems.engine.claims.registry import Registry
from theorems.engine.judging.judge import loose, ties
from theorems.engine.judging.trust import Leaf, counts
from theorems.engine.rules import leaves

ACCEPTED, REJECTED, UNDECIDED = Answer.ACCEPTED, Answer.REJECTED, Answer.UNDECIDED


def result(name, answer=ACCEPTED, near=None, controls=None):
    """What a piece of evidence of t.one answered."""
    return result_of_claim("t.one", name, answer, controls, near)


def two_arguments():
    one = said()
    for name in ("first", "second"):
        one.argued(bridge="So.")(named(lambda two: [("it", two == 2)], name))
    return one


class TestTies:
    def test_the_best_word_about_a_constant_counts(self):
        for better, worse in combinations([REJECTED, "pinned", ACCEPTED, UNDECIDED], 2):
            for words in ((better, worse), (worse, better)):
                named_words = zip(("first", "second"), words, strict=True)
                results = {name: result(name, near={"two": word}) for name, word in named_words}
                said_of_it = better if better == "pinned" else better.value
                assert ties(two_arguments(), results, "statement") == {"two": said_of_it}

    @each("grade", "proved", "certified")
    def test_a_proof_pins_what_it_does_not_show_and_leaves_loose_what_it_does(self, grade):
        one = stated()
        getattr(one, grade)()(named(lambda given: given.follows(), "proof"))
        words = {REJECTED: "rejected", UNDECIDED: "pinned", ACCEPTED: "loose", "pinned": "pinned"}
        for said_of_it, word in words.items():
            results = {"proof": result("proof", near={"1/4": said_of_it})}
            assert ties(one, results, "statement") == {"1/4": word}
            assert list(loose(one, results, Registry((), {}))) == []

    def test_an_argument_pins_only_what_it_ends_in(self):
        results = {"first": result("first", near={"two": "pinned"}), "second": None}
        assert ties(two_arguments(), results, "statement") == {"two": "pinned"}

    def test_evidence_of_another_part_does_not_count(self):
        one = stated({"a": le(x, 1), "b": le(0, x)})
        one.proved("a")(named(lambda given: given.follows(), "proof"))
        results = {"proof": result("proof", near={"1": REJECTED})}
        assert ties(one, results, "b") == {}
        assert ties(one, results, "a") == {"1": "rejected"}

    def test_a_slot_that_nothing_takes_is_untaken_until_something_is_said_of_it(self):
        one = stated(sentence("$c", c=1), ())
        assert ties(one, {}, "statement") == {"c": "untaken"}
        assert list(loose(one, {}, Registry((), {}))) == [
            "c of the statement is not tied: its near variants are untaken"
        ]
        excused = replace(one, excused={"c": "by t.other"})
        assert list(loose(excused, {}, Registry((), {}))) == []

    def test_all_slots_that_a_rejected_control_changes_are_tied(self):
        one = stated(sentence("$c $d", c=1, d=2), ())
        controls = {"off": {"c": 2, "d": 3}, "further": {"d": 9}}
        one.estimated(draws=5, controls=controls)(named(lambda rng, draws, c, d: [rng, draws, c, d], "drawn"))
        told = {"drawn": result("drawn", controls={"off": REJECTED, "further": ACCEPTED})}
        assert ties(one, told, "statement") == {"c": "rejected", "d": "rejected"}

    @each(
        "better, found, excused",
        ("sharpened", ACCEPTED, True),
        ("sharpened", UNDECIDED, False),
        ("corrected", ACCEPTED, False),
    )
    def test_only_what_is_accepted_is_excused_by_a_sharper_claim(self, better, found, excused):
        one = two_arguments()
        other = getattr(one, better)("t.two", title="t", states=le(far, 1))
        results = {"first": result("first", near={"two": found})}
        known = Registry((), {"t.one": one, "t.two": other})
        assert (not list(loose(one, results, known))) is excused


class TestVerdicts:
    def test_an_untaken_slot_does_not_stand_in_for_evidence(self):
        one = stated(sentence("$c $d", c=1, d=2), ())
        one.argued(bridge="So.")(named(lambda c: [("it", None if c else True)]))
        found = judged(one)
        assert (found.verdict, found.grade) == (Verdict.OPEN, None)
        assert found.reasons == ("nothing accepted for: statement",)

    def test_a_part_with_an_untaken_slot_is_cited_at_best(self):
        one = stated({"a": sentence("$c $d", c=1, d=2), "b": le(x, 1)})
        one.argued("a", bridge="So.")(named(lambda c: [("it", c == 1)]))
        one.proved("b")(named(lambda given: given.follows(), "proof"))
        found = judged(one)
        assert (found.verdict, found.grade) == (Verdict.HOLDS, Grade.CITED)

    def test_steps_of_one_part_do_not_count_against_another(self):
        one = stated({"a": sentence("$c", c=1), "b": sentence("$d", d=2)}, ())
        one.argued("a", bridge="So.")(named(lambda c: [("it", None if c else True)], "first"))
        one.argued("b", bridge="So.")(named(lambda d: [("it", d == 2)], "second"))
        assert judged(one).reasons == ("nothing accepted for: a",)

    def test_a_failed_argument_leaves_other_evidence(self):
        one = said()
        one.argued(bridge="So.")(named(lambda two: [("it", None if two else True)], "words"))
        one.tested(over=SHARES, cases=5)(named(lambda case, two: Measured(case / two), "search"))
        found = judged(one)
        assert (found.verdict, found.grade) == (Verdict.HOLDS, Grade.TESTED)

    def test_what_is_open_is_not_asked_for_its_constants(self):
        one = stated(sentence("$c", c=1), ())
        one.left_open("nobody knows")
        assert judged(one).problems == ()

    def test_a_false_claim_is_labelled_false(self):
        one = stated(le(x, 0))
        one.refuted(severity=Severity.FALSE)(named(lambda given: given.seen is not None and {x: 1}))
        assert judged(one).label == "false as stated: false"
        plain = searched(stated(le(x, 0)), lambda share: {x: share})
        assert judged(plain).label == "false as stated"


class TestLeaves:
    def test_an_argument_stands_on_its_bridge(self):
        assert standing(two_arguments())["t.one"] == {Leaf("bridge in prose", "So.", "t.one")}

    def test_a_simulation_on_itself(self):
        one = said()

        @one.estimated(draws=5, controls={"off": {"two": 3}})
        def drawn(rng, draws, two):
            """Some draws."""
            return Sample(rng and draws and two)

        assert standing(one)["t.one"] == {Leaf("simulation", "Some draws.", "t.one")}

    def test_each_part_has_its_own_best_evidence(self):
        one = stated({"a": le(x, 2), "b": le(0, x)})
        one.proved("a")(named(lambda given: given.follows(given.textbook("t", le(x, 1))), "proof"))
        one.tested("b", over=SHARES, cases=20)(named(lambda share: {x: share}, "search"))
        assert {leaf.kind for leaf in standing(one)["t.one"]} == {"textbook", "solver", "search"}

    def test_of_two_proofs_of_a_part_both_count(self):
        one = stated(le(x, 2))
        for name in ("first", "second"):
            one.proved()(_with_textbook(name))
        names = {leaf.name for leaf in standing(one)["t.one"] if leaf.kind == "textbook"}
        assert names == {"first", "second"}

    def test_they_are_counted_by_kind(self):
        found = {
            "t.a": frozenset({Leaf("source", "book", "t.a"), Leaf("solver", "z3", "t.a")}),
            "t.b": frozenset({Leaf("source", "book", "t.a"), Leaf("source", "note", "t.b")}),
        }
        assert counts(found) == {"solver": (1, 1), "source": (2, 2)}
        assert list(counts(found)) == ["solver", "source"]

    def test_they_have_an_order(self):
        some = [Leaf("b", "a", "t"), Leaf("a", "b", "t"), Leaf("a", "a", "t")]
        assert sorted(some) == some[::-1]


def _with_textbook(name):
    return named(lambda given: given.follows(given.textbook(name, le(x, 1))), name)


# What a claim trusts: the leaves of its deciding evidence and of all that it rests on.


def lower():
    one = stated(le(x, 2))

    @one.proved()
    def by_its_range(given):
        return given.follows(given.textbook("shares", le(x, 1)))

    return one


def upper(rests_on):
    other = rests_on.sharpened("t.two", title="Two", states=lt(x, 3), rests_on=[rests_on])

    @other.proved()
    def below_three(given):
        return given.follows(given.fact(rests_on))

    return other


def test_the_leaves_of_a_proof_and_of_what_it_rests_on():
    first = lower()
    found = standing(first, upper(first))
    assert Leaf("textbook", "shares", "t.one") in found["t.two"]
    assert found["t.one"] < found["t.two"]
    assert {leaf.claim_id for leaf in found["t.two"]} == {"t.one", "t.two"}


def test_evidence_that_was_not_accepted_is_no_leaf():
    one = lower()
    one.tested(over=SHARES, cases=20)(named(lambda share: {x: Rounded(share, 5.0)}, "blurred"))
    kinds = {leaf.kind for leaf in standing(one)["t.one"]}
    assert kinds == {"textbook", "solver"}


def test_weaker_evidence_of_the_same_part_is_no_leaf():
    one = lower()
    one.tested(over=SHARES, cases=20)(named(lambda share: {x: share}, "near"))
    assert "search" not in {leaf.kind for leaf in standing(one)["t.one"]}


@each("grade, kind", ("tested", "search"), ("cited", "source"))
def test_a_claim_without_a_proof_stands_on_its_search_or_its_source(grade, kind):
    one = stated()
    if grade == "tested":
        searched(one, lambda share: {x: share})
    else:
        one.cited("Someone (1900)", why="no machine can read it")
    assert standing(one)["t.one"] == {Leaf(kind, one.evidence[0].says, "t.one")}


class TestLeavesThatAreNotGranted:
    """A hypothesis or a claim by a bare name says what the record of the claim does not."""

    @each("kind", "supposed", "claimed")
    @each("how", "proved", "argued")
    def test_they_are_refused(self, kind, how):
        one = stated(le(x, 2))
        over = {x: interval(0, 1)}

        def by_a_name():
            """From a premise that is stronger."""
            premise = getattr(leaves, kind)("t.other", le(x, 1), over=over)
            return rules.follows(le(x, 2), [premise], over=over)

        (one.proved() if how == "proved" else one.argued(bridge="By a name."))(by_a_name)
        found = answer(one)
        assert found.answer is Answer.UNDECIDED
        assert "t.other" in found.summary
        assert ("hypothesis" if kind == "supposed" else "does not rest") in found.summary

    def test_they_are_accepted_where_the_claim_names_them(self):
        other = claim("t.other", at="b", title="Other", states=le(x, 1))
        assumed = Hypothesis("small", "$x is small")
        one = stated(le(x, 2), assuming=[assumed], rests_on=[other])

        @one.proved()
        def by_both(given):
            """The other claim would do alone."""
            return given.follows(given.fact(other), given.supposed(assumed, le(x, 1)))

        assert answer(one, other).answer is Answer.ACCEPTED

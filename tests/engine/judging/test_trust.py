"""What a claim trusts: the leaves of its deciding evidence and of all that it rests on."""

from checked import SHARES, answer, claim, named, searched, standing, stated, x
from trying import each

from theorems.engine import Hypothesis, Rounded, interval, le, lt, rules
from theorems.engine.claims.kinds import Answer
from theorems.engine.judging.trust import Leaf


def lower():
    one = stated(le(x, 2))

    @one.proved()
    def by_its_range(given):
        return given.follows(given.textbook("shares", le(x, 1)))

    return one


def upper(rests_on):
    other = rests_on.sharpened(
        "t.two", title="Two", states=lt(x, 3), given=(x,), rests_on=[rests_on]
    )

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
            premise = getattr(rules, kind)("t.other", le(x, 1), over=over)
            return rules.follows(le(x, 2), [premise], over=over)

        (one.proved() if how == "proved" else one.argued(bridge="By a name."))(by_a_name)
        found = answer(one)
        assert found.answer is Answer.UNDECIDED
        assert "t.other" in found.summary
        assert ("hypothesis" if kind == "supposed" else "does not rest") in found.summary

    def test_they_are_accepted_where_the_claim_names_them(self):
        other = claim("t.other", at="b", title="Other", states=le(x, 1), given=[x])
        assumed = Hypothesis("small", "$x is small")
        one = stated(le(x, 2), assuming=[assumed], rests_on=[other])

        @one.proved()
        def by_both(given):
            """The other claim would do alone."""
            return given.follows(given.fact(other), given.supposed(assumed, le(x, 1)))

        assert answer(one, other).answer is Answer.ACCEPTED

"""What a claim trusts: the leaves of its deciding evidence and of all that it rests on."""

from checked import SHARES, named, stated, trial, x

from theorems.engine import Rounded, le, lt
from theorems.engine.judge import judge
from theorems.engine.registry import Registry
from theorems.engine.runner import result_of
from theorems.engine.trust import Leaf, counts, leaves


def trusted(*claims):
    known = Registry((), {one.id: one for one in claims})
    results = {
        (one.id, item.name): result_of(one, item, trial(*claims))
        for one in claims
        for item in one.evidence
    }
    return leaves(judge(known, results))


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
    found = trusted(first, upper(first))
    assert Leaf("textbook", "shares", "t.one") in found["t.two"]
    assert found["t.one"] < found["t.two"]
    assert {leaf.claim_id for leaf in found["t.two"]} == {"t.one", "t.two"}


def test_evidence_that_was_not_accepted_is_no_leaf():
    one = lower()
    one.tested(over=SHARES, cases=20)(named(lambda share: {x: Rounded(share, 5.0)}, "blurred"))
    kinds = {leaf.kind for leaf in trusted(one)["t.one"]}
    assert kinds == {"textbook", "solver"}


def test_weaker_evidence_of_the_same_part_is_no_leaf():
    one = lower()
    one.tested(over=SHARES, cases=20)(named(lambda share: {x: share}, "near"))
    assert "search" not in {leaf.kind for leaf in trusted(one)["t.one"]}


def test_leaves_are_counted_once_and_claims_as_often_as_they_stand_on_one():
    first = lower()
    found = trusted(first, upper(first))
    assert counts(found)["textbook"] == (1, 2)

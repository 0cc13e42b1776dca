"""Meanings of a proof are compared with the values that sampled cases have, if they have them."""

from fractions import Fraction

import numpy as np
import pytest
from checked import LETTERS, claim, trial
from hypothesis import strategies as st
from sympy import Function, Sum, Symbol

from theorems.engine import eq, half_line, integers
from theorems.engine.claims.kinds import Answer
from theorems.engine.judging.examination import result_of
from theorems.engine.judging.lemma import Lemma
from theorems.engine.rules import Operator, Vector, act, inner, norm
from theorems.engine.rules.vocabulary import frobenius

length = LETTERS.quantity("length", r"\|v\|", "length of a vector", half_line(0))
square = LETTERS.quantity("square", "s", "square of a length", half_line(0))
count = LETTERS.number("count", "n", "number of entries", integers(1))
v, A = Vector("v"), Operator("A")
entry, k = Function("entry", real=True), Symbol("k", integer=True, positive=True)
_BY_VECTOR = (eq(length, norm(v)), eq(square, inner(v, v)))


def examined(case, *meanings, states=None):
    """The result of a proof by meanings, of a claim with a search that finds nothing wrong."""
    shown = eq(square, length**2) if states is None else states
    one = claim("t.tried", at="a", title="t", states=shown)

    @one.proved()
    def by_meanings(given):
        """By what the letters stand for."""
        return given.follows(*(given.meaning(f"meaning {n}", part) for n, part in enumerate(meanings)))

    @one.tested(over=st.lists(st.floats(0.5, 3), min_size=3, max_size=3))
    def sampled(entries):
        """Vectors."""
        return case(np.array(entries))

    return result_of(one, one.evidence[0], trial(one))


def tried(found):
    """The meanings that were tried, by name."""
    return sorted(name for kind, name, _ in found.outcome.numbers["trusts"] if kind == "tried meaning")


def numbers(size):
    return {length: size, square: size**2}


def euclidean(w):
    return numbers(float(np.linalg.norm(w)))


def test_what_has_no_values_is_not_tried():
    found = examined(euclidean, *_BY_VECTOR)
    assert found.answer is Answer.ACCEPTED
    assert tried(found) == []


def untried(found):
    """Why the other meanings were not tried, by name."""
    return {name: why for name, _, why in found.outcome.numbers["untried"]}


def test_why_a_meaning_is_not_tried_is_told():
    found = examined(euclidean, *_BY_VECTOR)
    assert untried(found) == dict.fromkeys(["meaning 0", "meaning 1"], "no case has v")
    assert untried(examined(lambda w: {**euclidean(w), v: w}, *_BY_VECTOR)) == {}


def test_without_a_search_there_are_no_cases():
    one = claim("t.alone", at="a", title="t", states=eq(square, length**2))

    @one.proved()
    def by_meanings(given):
        """By what the letters stand for."""
        return given.follows(*(given.meaning(f"meaning {n}", part) for n, part in enumerate(_BY_VECTOR)))

    found = result_of(one, one.evidence[0], trial(one))
    assert untried(found) == dict.fromkeys(["meaning 0", "meaning 1"], "no search draws cases")


def test_meanings_that_hold_are_told():
    found = examined(lambda w: {**euclidean(w), v: w}, *_BY_VECTOR)
    assert tried(found) == ["meaning 0", "meaning 1"]


@pytest.mark.parametrize(
    "size",
    [
        lambda w: float(np.abs(w).sum()),
        lambda w: float(np.abs(w).max()),
        lambda w: float(np.linalg.norm(w)) * (1 + 1e-5),
        lambda w: float(np.linalg.norm(w)) / np.sqrt(3),
        lambda _: 1.0,
        lambda w: float(np.linalg.norm(w[:2])),
    ],
)
def test_a_proof_about_another_length_is_refused(size):
    found = examined(lambda w: {**numbers(size(w)), v: w}, *_BY_VECTOR)
    assert found.answer is Answer.UNDECIDED
    assert "the meaning 'meaning 0' is false at length = " in found.outcome.summary


def test_numbers_are_compared_in_balls():
    meaning, states = eq(square, length + 1), eq(square**2, length**2 + 2 * length + 1)
    longer = {length: 1, square: 2}
    assert tried(examined(lambda _: longer, meaning, states=states)) == ["meaning 0"]


def test_matrices():
    case = {A: np.diag([1.0, 2.0, 3.0])}
    meanings = eq(length, frobenius(A)), eq(square, frobenius(A) ** 2)
    assert tried(examined(lambda _: {**numbers(14**0.5), **case}, *meanings)) == ["meaning 0", "meaning 1"]
    assert examined(lambda _: {**numbers(6.0), **case}, *meanings).answer is Answer.UNDECIDED


def test_images_under_matrices():
    meanings = eq(length, norm(act(A, v))), eq(square, inner(act(A, v), act(A, v)))

    def doubled(w):
        return {**numbers(2 * float(np.linalg.norm(w))), v: w, A: 2 * np.eye(3)}

    assert tried(examined(doubled, *meanings)) == ["meaning 0", "meaning 1"]
    assert examined(lambda w: {**doubled(w), A: np.eye(3)}, *meanings).answer is Answer.UNDECIDED


def by_number(values):
    def value(place):
        if not 1 <= place <= len(values):
            raise LookupError
        return values[round(place) - 1]

    return value


_TOTAL = Sum(entry(k), (k, 1, count))
_BY_SUM = eq(length, _TOTAL), eq(square, _TOTAL**2)


@pytest.mark.parametrize("also", [{}, {count: 2}])
def test_sums_over_families(also):
    def case(w):
        return {**numbers(float(w.sum())), count: 3, entry: by_number(w), **also}

    found = examined(case, *_BY_SUM)
    assert (found.answer is Answer.ACCEPTED) == (not also)


def test_a_letter_that_the_claim_does_without_may_have_a_value():
    def case(w):
        return {**numbers(float(w.sum())), count: 3, entry: by_number(w)}

    assert tried(examined(case, *_BY_SUM)) == ["meaning 0", "meaning 1"]


def test_what_is_said_of_each_member_is_tried_at_some():
    doubled = Function("doubled", real=True)

    def case(factor):
        families = {entry: by_number, doubled: lambda w: by_number(factor * w)}
        return lambda w: {
            **numbers(float(w.sum())),
            count: 3,
            **{name: made(w) for name, made in families.items()},
        }

    sum_ = doubled(1) / 2 + _TOTAL - entry(1)
    used = eq(length, sum_), eq(square, sum_**2), eq(doubled(k), 2 * entry(k))
    assert "meaning 2" in tried(examined(case(2), *used))
    assert examined(case(3), *used).answer is Answer.UNDECIDED


def test_a_condition_that_is_not_met_asks_nothing():
    states, size = eq(square**2, (length + 1) ** 2), st.floats(2, 3)
    one = claim("t.some", at="a", title="t", states=states)

    @one.proved()
    def by_cases(given):
        """By the size."""
        meaning = eq(square, length + 1)
        small, large = (given.meaning(f"{cond}", meaning, under=[cond]) for cond in _CASES)
        return given.follows(small, large)

    @one.tested(over=size)
    def sampled(size):
        """Sizes."""
        return {length: Fraction(size), square: Fraction(size) + 1}

    assert tried(result_of(one, one.evidence[0], trial(one))) == ["length > 1"]


_CASES = (length <= 1, length > 1)


def test_a_search_that_cannot_be_made_leaves_the_proof_undecided():
    found = examined(lambda _: {length: 1.0}, *_BY_VECTOR)
    assert found.answer is Answer.UNDECIDED
    assert "the case has no value for ['square']" in found.outcome.summary


def test_a_meaning_is_tried_if_all_of_its_parts_are():
    one = claim("t.both", at="a", title="t", states=eq(square, length**2), given=(length, square))

    @one.proved()
    def together(given):
        """By one meaning with two parts."""
        return given.follows(given.meaning("both", *_BY_VECTOR))

    @one.tested(over=st.floats(1, 2))
    def first_part_only(size):
        """Lengths, and the vector of another paper."""
        return {length: size, square: size**2, Vector("another"): np.ones(3)}

    assert tried(result_of(one, one.evidence[0], trial(one))) == []


def test_meanings_of_one_name_are_told_apart():
    one = claim("t.names", at="a", title="t", states=eq(square, length**2), given=(length, square))

    @one.proved()
    def by_one_name(given):
        """By two meanings of one name."""
        said = given.meaning("a name", *_BY_VECTOR), given.meaning("a name", eq(entry(k), frobenius(A)))
        return given.follows(*said)

    @one.tested(over=st.floats(1, 2))
    def with_a_vector(size):
        """A vector along the first axis, and no matrix."""
        return {**numbers(size), v: size * np.eye(3)[0]}

    found = result_of(one, one.evidence[0], trial(one)).outcome.numbers["trusts"]
    kinds = {detail: kind for kind, name, detail in found if name == "a name"}
    assert sorted(kinds.values()) == ["meaning", "tried meaning"]
    assert next(detail for detail, kind in kinds.items() if kind == "meaning").count("entry") == 1


def test_a_condition_goes_with_what_is_put_in():
    x, y = (Symbol(name, real=True) for name in "xy")
    first = Lemma(LETTERS).meaning("under", eq(entry(x), x), under=[x >= 1])
    (leaf,) = (one for one in first.at({x: y + 3}).trusts if one.kind == "meaning")
    assert leaf.under in ({x >= 1}, {y + 3 >= 1}, {y >= -2})
    assert (leaf.says == eq(entry(x), x)) == (leaf.under == {x >= 1})


@pytest.mark.parametrize(("factor", "wanted"), [(1, Answer.ACCEPTED), (2, Answer.UNDECIDED)])
def test_meanings_of_an_argument_are_tried_as_well(factor, wanted):
    one = claim("t.argued", at="a", title="t", states=eq(square, length**2))

    @one.argued(bridge="It is so.")
    def in_words(given):
        """By meanings, and in words."""
        yield given.follows(*(given.meaning("sizes", part) for part in _BY_VECTOR))

    @one.tested(over=st.floats(1, 2))
    def vectors(size):
        """A vector along the first axis."""
        return {**numbers(size), v: factor * size * np.eye(3)[0]}

    assert result_of(one, one.evidence[0], trial(one)).answer is wanted

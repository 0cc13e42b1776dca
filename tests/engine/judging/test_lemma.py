"""A lemma without a claim speaks of the quantities of its paper, and of no others."""

import pytest
from sympy import Integer, Symbol

from theorems.engine import Lemma, Letters, eq, half_line, integers, le
from theorems.engine.rules import E, NotProved, Random, follows, instance

LETTERS = Letters()
width = LETTERS.number("width", "m", "a width", integers(1))
size = LETTERS.quantity("size", "s", "a size", half_line(0))
LEMMA = Lemma(LETTERS)
free, other = Symbol("free", nonnegative=True), Symbol("other", nonnegative=True)


def test_letters_range_as_the_paper_declares_or_as_far_as_their_assumptions_go():
    said = LEMMA.meaning("size", eq(size, free / width), under=[le(other, 1)])
    assert said.over == {size: half_line(0), width: integers(1), free: half_line(0), other: half_line(0)}


@pytest.mark.parametrize("kind", ["meaning", "largest", "least"])
def test_what_is_said_of_a_quantity_is_not_said_of_other_values(kind):
    relation = eq(size, free) if kind == "meaning" else le(size, free)
    relation = le(free, size) if kind == "largest" else relation
    said = getattr(LEMMA, kind)("a leaf", relation)
    with pytest.raises(NotProved, match="size may not be 3"):
        instance(said, {size: Integer(3)})


def test_what_is_said_of_a_letter_of_the_proof_is_said_of_what_replaces_it():
    said = LEMMA.meaning("any size", eq(free, other**2))
    assert instance(said, {free: size}, over={size: half_line(0)}).statement == eq(size, other**2)


def test_a_fact_about_numbers_alone_is_tried():
    for number in (free, size):
        with pytest.raises(NotProved, match="false at"):
            LEMMA.textbook("squares", le(number, number**2))


def test_a_fact_about_a_random_variable_is_about_its_law():
    X, Y = Random("X"), Random("Y")
    said = LEMMA.textbook("a mean", eq(E(X), 0))
    with pytest.raises(NotProved, match="X may not be"):
        instance(said, {X: Y})


def test_what_stands_on_a_bridge_of_a_lemma_is_argued():
    step = LEMMA.bridge("as one sees", le(free, size))
    assert step.grade == "argued"
    assert follows(le(free, size + 1), [step], over=step.over).grade == "argued"


class TestInferences:
    """Letters of a lemma's inferences range as its leaves do."""

    def test_letters_of_goal_conditions_and_premises(self):
        known = LEMMA.meaning("size", eq(size, free / width))
        found = LEMMA.follows(known, goal=le(0, size * other), under=[le(other, 1)])
        assert found.over == {**known.over, other: half_line(0)}
        assert found.under == {le(other, 1)}

    def test_some_letters_may_have_smaller_ranges(self):
        networks = Lemma(LETTERS, {width: integers(2)})
        assert networks.follows(goal=le(2, width)).over == {width: integers(2)}
        assert networks.meaning("m", eq(size, free / width)).over[width] == integers(2)
        with pytest.raises(NotProved, match="fails at"):
            LEMMA.follows(goal=le(2, width))

    def test_a_premise_holds_in_its_own_range_alone(self):
        networks = Lemma(LETTERS, {width: integers(2)})
        with pytest.raises(NotProved):
            LEMMA.follows(networks.follows(goal=le(2, width)), goal=le(2, width))

    def test_terms_of_an_instance_range_as_declared(self):
        square = follows(le(2 * free, free**2 + 1))
        found = LEMMA.substituted(square, {free: size * width}, under=[le(other, width)])
        assert found.over == {size: half_line(0), width: integers(1), other: half_line(0)}

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
    assert said.over == {
        size: half_line(0),
        width: integers(1),
        free: half_line(0),
        other: half_line(0),
    }


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

"""What proofs take the letters of a paper for, claim by claim."""

import pytest
from checked import LETTERS, claim, trial
from sympy import Function, Sum, Symbol

from theorems.engine import eq, half_line
from theorems.engine.claims.registry import Registry
from theorems.engine.judging.examination import result_of
from theorems.engine.judging.judge import judge
from theorems.engine.judging.trust import readings

LENGTH = LETTERS.quantity("read_length", r"\ell", "a length", half_line(0))
DOUBLE = LETTERS.quantity("read_double", "d", "twice a length", half_line(0))
first, second = (Symbol(name, nonnegative=True) for name in ("first", "second"))
i, j = (Symbol(name, integer=True, nonnegative=True) for name in ("i", "j"))
size, other = (Function(name, nonnegative=True) for name in ("size", "other"))


def read_as(identifier, thing):
    """A claim whose proof takes the length for this, with its result."""
    one = claim(identifier, at="a", title="t", states=eq(DOUBLE, 2 * LENGTH))

    @one.proved()
    def by_meanings(given):
        """By what the letters stand for."""
        return given.follows(given.meaning("sizes", eq(LENGTH, thing), eq(DOUBLE, 2 * thing)))

    return one, result_of(one, one.evidence[0], trial(one))


def found(*pairs):
    known = Registry((), {one.id: one for one, _ in pairs})
    return readings(judge(known, {(one.id, result.name): result for one, result in pairs}))


def test_each_reading_has_its_claims():
    said = found(read_as("t.a", first), read_as("t.b", second), read_as("t.c", first))
    assert said["t", "read_length"] == {"= first": ["t.a", "t.c"], "= second": ["t.b"]}


def test_letters_of_two_papers_are_two():
    said = found(read_as("t.a", first), read_as("s.a", second))
    assert said["t", "read_length"] == {"= first": ["t.a"]}
    assert said["s", "read_length"] == {"= second": ["s.a"]}


@pytest.mark.parametrize(
    ("here", "there"),
    [
        (size(i), size(j)),
        (size(i) * size(i + 1), size(j + 1) * size(j)),
        (Sum(size(i) * other(i), (i, 1, 5)), Sum(other(j) * size(j), (j, 1, 5))),
    ],
)
def test_names_of_indices_make_no_other_reading(here, there):
    said = found(read_as("t.a", here), read_as("t.b", there))
    (ids,) = said["t", "read_length"].values()
    assert ids == ["t.a", "t.b"]


@pytest.mark.parametrize(
    ("here", "there"),
    [
        (size(i), other(i)),
        (size(i), size(i + 1)),
        (size(i) * size(j), size(i) ** 2),
        (size(i) * other(j), size(i) * other(i)),
        (Sum(size(i), (i, 1, 5)), Sum(size(i), (i, 0, 5))),
    ],
)
def test_other_things_are_other_readings(here, there):
    assert len(found(read_as("t.a", here), read_as("t.b", there))["t", "read_length"]) == 2

"""What proofs take the letters of a paper for, claim by claim."""

from checked import LETTERS, claim, trial
from sympy import Symbol

from theorems.engine import eq, half_line
from theorems.engine.claims.registry import Registry
from theorems.engine.judging.examination import result_of
from theorems.engine.judging.judge import judge
from theorems.engine.judging.trust import readings

LENGTH = LETTERS.quantity("read_length", r"\ell", "a length", half_line(0))
DOUBLE = LETTERS.quantity("read_double", "d", "twice a length", half_line(0))
first, second = (Symbol(name, nonnegative=True) for name in ("first", "second"))


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

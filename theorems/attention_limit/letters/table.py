"""The one table in which all letters of the paper are declared, and the ranges they share."""

from sympy import Symbol

from theorems.engine.claims.claim import claims_in
from theorems.engine.rules import Random, Vector
from theorems.engine.statements.domain import half_line, integers, interval, reals
from theorems.engine.statements.letters import Kind, Letters

LETTERS = Letters()
claim = claims_in(LETTERS)

SIZE = integers(1)
POSITIVE, NONNEGATIVE, REAL, UNIT = (half_line(0, closed=False), half_line(0), reals(), interval(0, 1))


def real(name: str, latex: str, meaning: str) -> Symbol:
    """Declare a quantity of any sign."""
    return LETTERS.quantity(name, latex, meaning, REAL)


def size(name: str, latex: str, meaning: str) -> Symbol:
    """Declare a quantity that is at least 0."""
    return LETTERS.quantity(name, latex, meaning, NONNEGATIVE)


def random(name: str, latex: str, meaning: str) -> Symbol:
    """Declare a random variable."""
    return LETTERS.thing(Random(name), latex, meaning, Kind.LAW)


def vector(name: str, latex: str, meaning: str) -> Symbol:
    """Declare a vector, of which proofs take norms and inner products."""
    return LETTERS.thing(Vector(name), latex, meaning, Kind.VECTOR)


def law(name: str, latex: str, meaning: str) -> Symbol:
    """Declare a random vector, of which no means are computed."""
    return LETTERS.thing(name, latex, meaning, Kind.LAW)


def matrix(name: str, latex: str, meaning: str) -> Symbol:
    """Declare a matrix."""
    return LETTERS.thing(name, latex, meaning, Kind.MATRIX)


def some_function(name: str, latex: str, meaning: str) -> Symbol:
    """Declare a function of which no values are computed."""
    return LETTERS.thing(name, latex, meaning, Kind.FUNCTION)


def thing(name: str, latex: str, meaning: str) -> Symbol:
    """Declare what is none of these: a set, several vectors together."""
    return LETTERS.thing(name, latex, meaning, Kind.OBJECT)

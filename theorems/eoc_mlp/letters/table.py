"""The one table in which all letters of the paper are declared, and the ranges they share."""

from sympy import Symbol

from theorems.engine.claims.claim import claims_in
from theorems.engine.rules import Operator, Random, Vector
from theorems.engine.statements.domain import half_line, integers, interval, reals
from theorems.engine.statements.letters import Kind, Letters

LETTERS = Letters()
claim = claims_in(LETTERS)

CORRELATION = interval(-1, 1)
INDEX = integers(1)
NONNEGATIVE = half_line(0)
POSITIVE = half_line(0, closed=False)
REAL = reals()
UNIT = interval(0, 1)


def nonnegative(name: str, latex: str, meaning: str) -> Symbol:
    """A quantity that is not negative: a norm, a size, a bound."""
    return LETTERS.quantity(name, latex, meaning, NONNEGATIVE)


def real(name: str, latex: str, meaning: str) -> Symbol:
    """A quantity of either sign."""
    return LETTERS.quantity(name, latex, meaning, REAL)


def probability(name: str, latex: str, meaning: str) -> Symbol:
    """A probability."""
    return LETTERS.quantity(name, latex, meaning, UNIT)


def vector(name: str, latex: str, meaning: str) -> Symbol:
    """A vector whose inner products are taken."""
    return LETTERS.thing(Vector(name), latex, meaning, Kind.VECTOR)


def operator(name: str, latex: str, meaning: str) -> Symbol:
    """A matrix that is applied to vectors."""
    return LETTERS.thing(Operator(name), latex, meaning, Kind.MATRIX)


def matrix(name: str, latex: str, meaning: str) -> Symbol:
    """A matrix by its name."""
    return LETTERS.thing(name, latex, meaning, Kind.MATRIX)


def random(name: str, latex: str, meaning: str, kind: Kind = Kind.OBJECT) -> Symbol:
    """A random variable whose mean and probabilities are taken."""
    return LETTERS.thing(Random(name), latex, meaning, kind)

"""The one table in which all letters of the paper are declared, and the ranges they share."""

from sympy import Symbol

from theorems.engine.claims.claim import claims_in
from theorems.engine.rules import Random
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

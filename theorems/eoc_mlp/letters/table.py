"""The one table in which all letters of the paper are declared, and the ranges they share."""

from theorems.engine.claims.claim import claims_in
from theorems.engine.statements.domain import half_line, integers, interval, reals
from theorems.engine.statements.letters import Letters

LETTERS = Letters()
claim = claims_in(LETTERS)

CORRELATION = interval(-1, 1)
INDEX = integers(1)
NONNEGATIVE = half_line(0)
POSITIVE = half_line(0, closed=False)
REAL = reals()
UNIT = interval(0, 1)

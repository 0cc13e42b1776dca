"""Claims in letters, as a paper would write them, and how to examine one."""

from fractions import Fraction

import sympy

from theorems.engine import Letters, claims_in, half_line, interval, le
from theorems.engine.claim import Profile
from theorems.engine.examine import Trial, examine
from theorems.engine.near import examine_near

LETTERS = Letters()
x = LETTERS.number("x", "x", "a share", interval(0, 1))
y = LETTERS.number("y", "y", "another share", interval(0, 1))
far = LETTERS.number("far", "z", "a size", half_line(0))
size = LETTERS.quantity("size", r"\|A\|", "a norm", half_line(0))
claim = claims_in(LETTERS)
HALF = Fraction(1, 2)


def stated(states=None, given=(x,), **record):
    """A claim about a share, by default that x(1 - x) is at most a quarter."""
    shown = le(x * (1 - x), sympy.Rational(1, 4)) if states is None else states
    return claim("t.one", at="Eq. (1)", title="One", states=shown, given=given, **record)


def trial(*known):
    """A quick run in which these claims are known."""
    by_id = {one.id: one for one in known}
    return Trial(Profile.QUICK, seed=0, level=1e-6, find=by_id.__getitem__)


def answer(one, *known, number=0):
    """The outcome of a piece of evidence of a claim."""
    return examine(one, one.evidence[number], trial(one, *known))


def near(one, *known, number=0):
    """For each constant the answers to its near variants."""
    tried = examine_near(one, one.evidence[number], trial(one, *known), every=True)
    return {what: [outcome.answer.value for _, outcome in some] for what, some in tried.items()}

"""Examine one check as if a paper had it."""

from theorems.engine import claim
from theorems.engine.claim import Profile
from theorems.engine.examine import Trial, examine

TRIAL = Trial(Profile.QUICK, seed=0, level=1e-6)
CONTROL = {"wrong": {"constant": 0}}


def answer(kind, check, trial=TRIAL, **how):
    """The answer of one check, attached to a claim as a paper would."""
    one = claim("t.one", at="Eq. (1)", title="One", states="1 = 1")
    getattr(one, kind)(controls=CONTROL, **how)(check)
    return examine(one, one.evidence[0], trial)


def returning(value):
    """A check that answers the same whatever it is asked."""

    def check(*_case, constant=1, rng=None, draws=None):
        return value() if callable(value) else value

    return check

"""Examine one check as if a paper had it."""

from theorems.engine import claim, sentence
from theorems.engine.claims.kinds import Profile
from theorems.engine.judging.examine import Circumstances, examine

TRIAL = Circumstances(Profile.QUICK, seed=0, level=1e-6)
CONTROL = {"wrong": {"constant": 0}}


def stated(identifier="t.one", **record):
    """A claim about a constant, as a sentence with one slot."""
    states = sentence("c = $constant", constant=1)
    return claim(identifier, **{"at": "Eq. (1)", "title": "One", "states": states, **record})


def attached(one, kind, check, **how):
    """The claim, with a check of some kind attached as a paper would."""
    required = {"argued": {"bridge": "It is so."}, "estimated": {"controls": CONTROL}}
    getattr(one, kind)(**{**required.get(kind, {}), **how})(check[kind] if isinstance(check, dict) else check)
    return one


def answer(kind, check, trial=TRIAL, **how):
    """The answer of one check of a claim."""
    one = attached(stated(), kind, check, **how)
    return examine(one, one.evidence[0], trial)


def returning(value):
    """For each kind a check that answers the same whatever it is asked."""

    def result(*_seen):
        return value() if callable(value) else value

    def argued(constant):
        return result(constant)

    def tested(case, constant):
        return result(case, constant)

    def estimated(rng, draws, constant):
        return result(rng, draws, constant)

    return {"argued": argued, "refuted": argued, "tested": tested, "estimated": estimated}

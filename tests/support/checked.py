"""Claims in letters, as a paper would write them, and how to examine one."""

from fractions import Fraction

import sympy
from hypothesis import strategies as st

from theorems.engine import Letters, claims_in, half_line, interval, le, sentence
from theorems.engine.claims.kinds import Answer, Profile
from theorems.engine.claims.registry import Registry
from theorems.engine.judging.answers import Outcome
from theorems.engine.judging.examination import result_of
from theorems.engine.judging.examine import Circumstances, examine
from theorems.engine.judging.judge import judge
from theorems.engine.judging.near import examine_near
from theorems.engine.judging.results import EvidenceResult, Near
from theorems.engine.judging.trust import leaves

LETTERS = Letters()
x = LETTERS.number("x", "x", "a share", interval(0, 1))
y = LETTERS.number("y", "y", "another share", interval(0, 1))
far = LETTERS.number("far", "z", "a size", half_line(0))
size = LETTERS.quantity("size", r"\|A\|", "a norm", half_line(0))
claim = claims_in(LETTERS)
HALF = Fraction(1, 2)


def stated(states=None, given=(), **record):
    """A claim about a share, by default that x(1 - x) is at most a quarter."""
    shown = le(x * (1 - x), sympy.Rational(1, 4)) if states is None else states
    return claim("t.one", at="Eq. (1)", title="One", states=shown, given=given, **record)


def trial(*known):
    """A quick run in which these claims are known."""
    by_id = {one.id: one for one in known}
    return Circumstances(Profile.QUICK, seed=0, level=1e-6, find=by_id.__getitem__)


def answer(one, *known, number=0):
    """The outcome of a piece of evidence of a claim."""
    return examine(one, one.evidence[number], trial(one, *known))


def near(one, *known, number=0):
    """For each constant the answers to its near variants."""
    tried = examine_near(one, one.evidence[number], trial(one, *known), every=True)
    return {what: [outcome.answer.value for _, outcome in some] for what, some in tried.items()}


def proof(one=None):
    """A claim with the proof that a solver finds."""
    one = stated() if one is None else one

    @one.proved()
    def by_the_kernel(given):
        """A square is not negative."""
        return given.follows()

    return one


SHARES = st.one_of(st.sampled_from([0.0, 1.0]), st.floats(0, 1))


def searched(one, quantities):
    """A claim with a search."""
    one.tested(over=SHARES, cases=60)(named(quantities))
    return one


def named(check, name="a_check"):
    """A short check as a function with a name."""
    check.__name__ = name
    return check


def said(**record):
    """A claim whose statement is a sentence with one slot."""
    tail = sentence(r"\mathbb{P}(\bar W \ge $far) \le e^{-$two $far}", two=2)
    return stated(tail, **record)


def judged(one):
    """The judgement of a claim by its own evidence."""
    known = Registry((), {one.id: one})
    results = {(one.id, e.name): result_of(one, e, trial(one)) for e in one.evidence}
    return judge(known, results)[one.id]


def result(identifier, name, answer=Answer.ACCEPTED, controls=None, near=None):
    """A result with these answers to the statement, to controls and to near variants."""
    told = {key: Outcome(one, "why") for key, one in (controls or {}).items()}
    tried = {what: said if isinstance(said, Near) else variant(said) for what, said in (near or {}).items()}
    return EvidenceResult(identifier, name, Outcome(answer, "why"), told, 0.0, tried)


def variant(said):
    """A near variant of which the evidence says this: an answer, or the word pinned."""
    pinned = said == "pinned"
    answer = Answer.UNDECIDED if pinned else said
    return Near("constant", "more", "x < 1", answer, "why", pinned)


class Sample:
    """A test whose p-value says whether two numbers agree."""

    def __init__(self, agrees):
        self.p_value = 1.0 if agrees else 0.0

    def detectable(self, level, power):
        return power - level


def standing(*claims):
    """The leaves of claims, by their own evidence."""
    known = Registry((), {one.id: one for one in claims})
    results = {
        (one.id, item.name): result_of(one, item, trial(*claims)) for one in claims for item in one.evidence
    }
    return leaves(judge(known, results))

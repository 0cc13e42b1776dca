"""One claim of every kind that the first section leaves out."""

from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from math import erfc, sqrt
from statistics import NormalDist

from hypothesis import strategies as st
from sympy import exp

from demo.basics import HALF, LETTERS, claim, share, x
from theorems.engine import Profile, ge, gt, integers, sentence

count = LETTERS.number("count", "n", "a number of things", integers(0))

Decision = Enum("Decision", ["PROVED", "REFUTED", "UNDECIDED"])


@dataclass(frozen=True)
class Certificate:
    """What numeric.certify hands to the engine."""

    decision: Decision
    relation: str = "f > 0"
    domain: dict = field(default_factory=lambda: {"x": "[0, 1]"})
    boxes: int = 3
    margin: float | None = 0.25
    witness: str | None = None
    reason: str = ""
    assumptions: tuple[str, ...] = ()


@dataclass(frozen=True)
class MeanTest:
    """Whether the mean of draws with variance one is the claimed one."""

    p_value: float
    draws: int

    def detectable(self, level, power):
        """The difference of means that is noticed with that power."""
        normal = NormalDist()
        return (normal.inv_cdf(1 - level / 2) + normal.inv_cdf(power)) / sqrt(self.draws)


CERTIFIED = claim(
    "demo.certified",
    at="Lemma 1",
    title="A polynomial is positive",
    states=gt(share**2 - share + Fraction(1, 2), 0),
)


@CERTIFIED.certified()
def least_value(given):
    """Its least value is a quarter."""
    return given.covered()


MEAN = claim(
    "demo.mean",
    at="Lemma 2",
    title="The standard normal has mean zero & variance one",
    states=sentence(r"\mathbb{E} u = $mean", mean=0),
)


@MEAN.estimated(draws=4000, controls={"shifted": {"mean": Fraction(1, 5)}})
def sample_mean(rng, draws, mean):
    """The standardised mean of the draws."""
    score = (rng.standard_normal(draws).mean() - float(mean)) * sqrt(draws)
    return MeanTest(erfc(abs(score) / sqrt(2)), draws)


CITED = claim("demo.cited", at="Theorem 3", title="A textbook fact", states=ge(exp(x), 1 + x), rests_on=HALF)
CITED.cited("Rudin, Theorem 1.1", why="any textbook has it")

OPEN = claim("demo.open", at="Theorem 4", title="A question", states=sentence(r"P \ne NP"))
OPEN.left_open("nobody knows")

PATIENT = claim(
    "demo.patient",
    at="Theorem 5",
    title="Only a larger profile looks at this",
    states=ge(count**2, count),
    excused={"exponent 2 of count": "a higher power of a number is larger still"},
)


@PATIENT.tested(over=st.integers(0, 50), profile=Profile.FULL, cases=5)
def power_over(n):
    """Small numbers."""
    return {count: n}


CITED_LATER = claim(
    "demo.patient.consequence",
    at="Corollary 6",
    title="Rests on what was not examined",
    states=ge(2 * count**2, 2 * count),
    rests_on=PATIENT,
)


@CITED_LATER.proved()
def doubled(given):
    """Multiply by two."""
    return given.follows(given.fact(PATIENT))

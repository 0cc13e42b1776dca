"""One claim of every kind that the first section leaves out."""

from dataclasses import dataclass, field
from enum import Enum
from math import erfc, sqrt
from statistics import NormalDist

from hypothesis import strategies as st

from demo.basics import HALF
from theorems.engine import Measured, claim, integers, interval
from theorems.engine.claim import Profile

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
    states=r"x^2 - x + \tfrac12 > 0",
    given={"x": interval(0, 1)},
)


@CERTIFIED.certified(controls={"touching": {"constant": 0.25}, "below": {"constant": 0.2}})
def least_value(constant=0.5):
    """Its least value is constant - 1/4."""
    margin = constant - 0.25
    if margin > 0:
        return Certificate(Decision.PROVED, margin=margin)
    return Certificate(Decision.REFUTED, margin=None, witness="x = 1/2")


MEAN = claim(
    "demo.mean",
    at="Lemma 2",
    title="The standard normal has mean zero & variance one",
    states=r"\mathbb{E} u = 0",
)


@MEAN.estimated(draws=4000, controls={"shifted": {"mean": 0.2}})
def sample_mean(rng, draws, mean=0.0):
    """The standardised mean of the draws."""
    score = (rng.standard_normal(draws).mean() - mean) * sqrt(draws)
    return MeanTest(erfc(abs(score) / sqrt(2)), draws)


CITED = claim(
    "demo.cited", at="Theorem 3", title="A textbook fact", states=r"e^{x} \ge 1 + x", rests_on=HALF
)
CITED.cited("Rudin, Theorem 1.1", why="any textbook has it")

OPEN = claim("demo.open", at="Theorem 4", title="A question", states=r"P \ne NP")
OPEN.left_open("nobody knows")

PATIENT = claim(
    "demo.patient",
    at="Theorem 5",
    title="Only a larger profile looks at this",
    states=r"n^2 \ge n",
    given={"n": integers(0)},
)


@PATIENT.tested(
    over=st.integers(1, 50), controls={"cube": {"power": 0.5}}, profile=Profile.FULL, cases=5
)
def power_over(n, power=2):
    """N / n^power."""
    return Measured(n / n**power)


CITED_LATER = claim(
    "demo.patient.consequence",
    at="Corollary 6",
    title="Rests on what was not examined",
    states=r"2 n^2 \ge 2 n",
    rests_on=PATIENT,
)


@CITED_LATER.proved(controls={"wrong": {"factor": 0}})
def doubled(factor=2):
    """Multiply by two."""
    yield "the factor is positive", factor > 0

"""Remark 29 with Equation (16): the exponent p at which a power of the width is a logarithm."""

from typing import Any

from sympy import exp, log, sqrt

from theorems.engine import Given, Hypothesis, Provenance, both, eq, gt, iff, integers, lt, rules
from theorems.engine.rules import Theorem
from theorems.engine.rules.facts import (
    exponential_of_sum,
    logarithm_below_tangent,
    logarithm_increases,
    power_as_exponential,
)
from theorems.eoc_mlp.letters import LETTERS, claim, m
from theorems.eoc_mlp.letters.table import REAL

NOTE = "proofs_notes/eoc_networks.md#choice-of-p"


p_chosen = LETTERS.number(
    "p_chosen", "p", "exponent of Theorem 28 that turns its power of the width into log m", REAL
)
CHOSEN = Hypothesis(
    "chosen",
    "the exponent is the logarithm to the base m of log m",
    formula=eq(p_chosen, log(log(m)) / log(m)),
)
WIDTHS = {m: integers(2), p_chosen: None}
_POWER = m**p_chosen
RATE = m ** (-(1 - p_chosen) / 2)


def logarithm_is_positive(given: Given) -> Theorem:
    """Log m ≥ log 2 > 0."""
    known = rules.enclosed(gt(log(2), 0))
    grows = logarithm_increases(2, m, over={m: given.domain[m]})
    return given.follows(known, grows, goal=gt(log(m), 0))


REMARK_29 = claim(
    "eoc.rem29",
    at="Remark 29; Equation (16)",
    title="Choice of p",
    states={
        "power": eq(_POWER, log(m)),
        "probability": eq(16 * exp(-_POWER), 16 / m),
        "rate": eq(RATE, sqrt(log(m)) / sqrt(m)),
    },
    given=WIDTHS,
    assuming=[CHOSEN],
    note=NOTE,
)


def _as_sum(total: Any, first: Any, second: Any, given: Given) -> Theorem:
    """The exponential of a total that is the sum of two terms."""
    return exponential_of_sum(total, first, second, over=given.domain, under=[gt(log(m), 0)])


@REMARK_29.certified("power", "probability", "rate")
def powers_are_exponentials(given: Given) -> Theorem:
    """In exponentials of logarithms: p log m = log log m."""
    positive, inner = logarithm_is_positive(given), log(log(m))
    widths = given.domain
    premises = [
        positive,
        power_as_exponential(m, p_chosen, over=widths),
        _as_sum(p_chosen * log(m), inner, 0, given),
        given.follows(positive, goal=eq(p_chosen * log(m), inner)),
    ]
    power = given.follows(*premises, goal=eq(_POWER, log(m)))
    if given.part == "power":
        return power
    if given.part == "probability":
        return given.follows(power, positive, _as_sum(-_POWER, -log(m), 0, given))
    exponent = -(1 - p_chosen) / 2
    split = _as_sum(exponent * log(m), inner / 2, -log(m) / 2, given)
    return given.follows(*premises, power_as_exponential(m, exponent, over=widths), split)


RANGE = claim(
    "eoc.rem29.range",
    at="Remark 29",
    title="p is admissible from m = 3 on, and the probability is positive from m = 17 on",
    states={
        "admissible": iff(both(lt(0, p_chosen), lt(p_chosen, 1)), m >= 3),
        "informative": iff(gt(1 - 16 * exp(-_POWER), 0), m >= 17),
    },
    given=WIDTHS,
    assuming=[CHOSEN],
    rests_on=[REMARK_29],
    provenance=Provenance.DERIVED,
    note=NOTE,
)


@RANGE.certified("admissible")
def logarithms_of_two_and_three(given: Given) -> Theorem:
    """Log 2 < 1 < log 3, so that log log m > 0 from m = 3 on; and log log m < log m always."""
    positive, outer = logarithm_is_positive(given), log(m)
    widths, under = {m: given.domain[m]}, [gt(outer, 0)]
    return given.follows(
        positive,
        rules.enclosed(gt(log(3), 1)),
        rules.enclosed(lt(log(2), 1)),
        logarithm_increases(2, m, over=widths),
        logarithm_increases(3, m, over=widths),
        logarithm_increases(1, outer, over=widths, under=under),
        logarithm_increases(outer, 1, over=widths, under=under),
        logarithm_below_tangent(outer, over=widths, under=under),
    )


@RANGE.certified("informative")
def probability_below_one(given: Given) -> Theorem:
    """16/m < 1 for m > 16."""
    return given.follows(given.fact(REMARK_29, "probability"))

"""Example 3.1 with two tokens: the variance given the scores, and the excess kurtosis in digits."""

from typing import Any

from sympy import Abs, Expr, tanh
from sympy.logic.boolalg import Boolean

from theorems.attention_limit.letters.limit import (
    decimal_units,
    first_weight,
    gap_limit,
    second_weight,
    sigma_11,
    sigma_12,
    sigma_22,
    variance_at,
    weight_gap,
)
from theorems.attention_limit.letters.table import claim
from theorems.engine import Given, Hypothesis, Provenance, both, eq, iff, implies, le
from theorems.engine.rules import E, Theorem
from theorems.engine.rules.gaussian_means import gaussian_mean
from theorems.engine.rules.vocabulary import normal
from theorems.engine.statements.values import unfolded

_AT = "Example 3.1; Remark 3.3"
_NOTE = "proofs_notes/attn_laws.md#two-tokens"


def _at_gap(h: Expr) -> Any:
    return variance_at(h, sigma_11, sigma_12, sigma_22)


_FORM = first_weight**2 * sigma_11 + 2 * first_weight * second_weight * sigma_12 + second_weight**2 * sigma_22

VARIANCE = claim(
    "attn.kurtosis.two_tokens",
    at=_AT,
    title="The variance of an output of two tokens given the scores, by the gap of the weights",
    states={
        "variance": implies(
            eq(first_weight + second_weight, 1), eq(_FORM, _at_gap(first_weight - second_weight))
        ),
        "closed form": eq(_at_gap(weight_gap), _at_gap(weight_gap).unfolded()),
        "constant": iff(
            both(eq(_at_gap(weight_gap), _at_gap(0)), eq(_at_gap(-weight_gap), _at_gap(0))),
            both(
                eq((sigma_11 - sigma_22) * weight_gap, 0),
                eq((sigma_11 - 2 * sigma_12 + sigma_22) * weight_gap, 0),
            ),
        ),
    },
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@VARIANCE.proved("variance", "closed form")
def weights_by_their_gap(given: Given) -> Theorem:
    """The weights are (1 + h)/2 and (1 - h)/2."""
    return given.follows(goal=unfolded(given.goal))


@VARIANCE.proved("constant")
def at_two_opposite_gaps(given: Given) -> Theorem:
    """At h and -h the variance differs from that at 0 by a multiple of h and one of its square."""
    return given.follows(goal=unfolded(given.goal))


NORMAL = Hypothesis(
    "normal_difference",
    "the limit $gap_limit of the difference of the two scores is a centred normal variable",
    latex=r"$gap_limit \sim \mathcal{N}(0, \cdot)",
)
_LAW = eq(E(gap_limit**2), 2)
_Q = (1 + tanh(gap_limit / 2) ** 2) / 2
_KURTOSIS = 3 * (E(_Q**2) / E(_Q) ** 2 - 1)


def _digits(number: int, value: Expr) -> Boolean:
    """The number of units of the 23rd decimal place is right, to within one."""
    return implies(_LAW, le(Abs(value - decimal_units(number)), decimal_units(1)))


DIGITS = claim(
    "attn.kurtosis.digits",
    at=_AT,
    title="Mean, second moment and excess kurtosis for two uncorrelated tokens of unit variance",
    states={
        "mean": _digits(63683815396836945450914, E(_Q)),
        "second moment": _digits(42178275627968800751326, E(_Q**2)),
        "kurtosis": _digits(11998083075720871692944, _KURTOSIS),
    },
    assuming=[NORMAL],
    rests_on=[VARIANCE],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


def _means(given: Given, goal: Boolean) -> list[Theorem]:
    """All means in the goal, at the variance that it has."""
    law, _ = goal.args
    known = given.supposed(NORMAL, normal(gap_limit))
    means = goal.atoms(E) - {E(gap_limit**2)}
    return [gaussian_mean(known, one.args[0], law.rhs) for one in sorted(means, key=str)]


@DIGITS.certified("mean", "second moment", "kurtosis")
def rigorous_integration(given: Given) -> Theorem:
    """The means are enclosed, and what is made of them is near the decimal number."""
    goal = unfolded(given.goal)
    return given.follows(*_means(given, goal), goal=goal)

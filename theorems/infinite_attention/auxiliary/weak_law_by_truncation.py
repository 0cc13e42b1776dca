"""Lemma 31 without moments above one: variables are cut off at a level."""

import sympy as sp
from sympy import Abs, Piecewise, Symbol

from theorems.engine import Given, Hypothesis, Provenance, eq, ge, le, rules
from theorems.engine.rules import E, P, Theorem, principles, probabilities
from theorems.infinite_attention.auxiliary.weak_law import CONVERGENT, EXCHANGEABLE, WEAK_LAW
from theorems.infinite_attention.letters.auxiliary import (
    X_limit,
    X_mean,
    centre,
    cut_mean,
    deviation,
    lim_chance,
    lim_mean,
)
from theorems.infinite_attention.letters.table import claim

_NOTE = "proofs_notes/inf_auxiliary.md#the-weak-law-by-truncation"

CUT = claim(
    "inf.lem31.truncation",
    at="Lemma 31",
    title="A deviation is as improbable as two distances allow, from a variable between",
    states=le(
        P(ge(Abs(X_mean - centre), deviation)),
        2 * E(Abs(X_mean - cut_mean)) / deviation + 4 * E((cut_mean - centre) ** 2) / deviation**2,
    ),
    provenance=Provenance.DERIVED,
    note=_NOTE,
)
_s, _y = sp.symbols("s y", real=True)


@CUT.proved()
def one_of_both_is_half_of_it(given: Given) -> Theorem:
    """Where the deviation is δ or more, one of both distances is δ/2 or more."""
    event = Piecewise((1, ge(Abs(_s - centre), deviation)), (0, True))
    bound = 2 * Abs(_s - _y) * deviation + 4 * (_y - centre) ** 2
    each = rules.follows(le(deviation**2 * event, bound))
    means = principles.expected_jointly(each, {_s: X_mean, _y: cut_mean})
    happens = ge(Abs(X_mean - centre), deviation)
    chance = probabilities.mean_of_indicator(happens)
    return given.follows(means, chance)


UNIFORMLY = Hypothesis(
    "uniformly_integrable_array",
    "the variables are uniformly integrable, and those of the limit have second moments",
)

SHARP = WEAK_LAW.sharpened(
    "inf.lem31.sharp",
    title="The weak law needs no bounded moments above the first, but uniform integrability",
    states={"mean": eq(lim_mean, E(X_limit)), "probability": eq(lim_chance, 0)},
    assuming=[EXCHANGEABLE, CONVERGENT, UNIFORMLY],
    rests_on=[CUT, "inf.lem31.second"],
    note=_NOTE,
)
_slack = Symbol("slack", positive=True)
_limit = Symbol("limit of the mean of a variable", real=True)


@SHARP.argued("mean", bridge="the mean of the mean is that of a variable at every n")
def theorem_29_at_once(given: Given) -> Theorem:
    """Theorem 29 needs uniform integrability only."""
    given.require(EXCHANGEABLE, CONVERGENT, UNIFORMLY)
    same = given.bridge("exact means, and their limit by Theorem 29", eq(lim_mean, _limit))
    limit = given.bridge("Theorem 29 for a variable", eq(_limit, E(X_limit)))
    return given.follows(same, limit)


@SHARP.argued(
    "probability",
    bridge="given the law of a column of the limit, the mean of a variable of the limit is constant"
    " as two terms are uncorrelated; cut off at a high level it is nearly so in mean square",
)
def level_after_level(given: Given) -> Theorem:
    """For each small number there is a level at which both terms of the bound are small."""
    given.require(EXCHANGEABLE, CONVERGENT, UNIFORMLY)
    each = given.bridge(
        "a level at which what is cut off has a mean size below the slack, at every n, and at which"
        " the cut mean's mean squared distance from the centre has a limit below the slack",
        le(lim_chance, _slack * (2 / deviation + 4 / deviation**2)),
    )
    factor = 2 / deviation + 4 / deviation**2
    beyond = [sp.Gt(lim_chance, 0)]
    half = each.at({_slack: lim_chance / (2 * factor)}, over=given.domain, under=beyond)
    one = half.at({deviation: sp.Integer(1)})
    return given.follows(one)

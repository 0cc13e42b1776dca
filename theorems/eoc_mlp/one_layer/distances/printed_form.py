"""Proposition 12 as it is printed, and the best constant of the upper tail."""

from typing import Any

from sympy import Integer, Interval, exp, limit, log, oo, sqrt, symbols

from symbolic.equality import equal
from theorems.engine import Given, Obligations, Provenance, eq, integers, le, rules, sentence
from theorems.engine.rules import Theorem, facts
from theorems.engine.statements.values import unfolded
from theorems.eoc_mlp.hypotheses import ALIVE, BOTH_ALIVE, NONZERO_DISTANCE, WIDTH_OF_LAYER
from theorems.eoc_mlp.letters.activation import DELTA, kappa_phi
from theorems.eoc_mlp.letters.cosines import z, zeta
from theorems.eoc_mlp.letters.distances import lower_tail, tail_distance_scaled, upper_tail
from theorems.eoc_mlp.letters.network import M, gamma, m
from theorems.eoc_mlp.letters.table import claim
from theorems.eoc_mlp.letters.tails import threshold
from theorems.eoc_mlp.premises.substitutions import as_it_stands
from theorems.eoc_mlp.premises.tails import of_either_tail

_NOTE = "proofs_notes/eoc_concentration.md#cosine-distances"
_APART = {z: Interval.Lopen(0, 1)}
_t = threshold


_TAIL = r"\mathbb{P}\bigl(D \ge $threshold\sqrt{\zeta($z)}\bigr)"

BEST = claim(
    "eoc.prop12.best",
    at="Proposition 12",
    title="The constant one half of the upper tail is the best",
    states={
        "scale": eq(zeta(z, 0) / (kappa_phi(0) ** 2 * z), 1),
        "attained": sentence(
            r"\Delta_\phi = $share \implies \lim_{$threshold\to\infty}"
            r" -\frac{\log" + _TAIL + r"}{$threshold^$power} = $value",
            share=0,
            power=2,
            value=M / 2,
        ),
    },
    given=_APART,
    assuming=[BOTH_ALIVE],
    rests_on=[
        "eoc.prop14.best",
        "eoc.prop12.difference",
        "eoc.prop12.explicit",
        "eoc.zeta.closed_form",
        "eoc.prop18.range",
    ],
    discharging={
        NONZERO_DISTANCE: "for the identity ζ(z) = z, which is positive here",
        ALIVE: "it is assumed of both activations",
    },
    provenance=Provenance.DERIVED,
    note=_NOTE,
    excused={"domain of threshold": "true as well: it tends to infinity, wherever it begins"},
)


@BEST.proved("scale")
def linear_activation(given: Given) -> Theorem:
    """κ = 1 and ζ(z) = z for the identity."""
    return given.follows(goal=unfolded(given.goal))


@BEST.argued(
    "attained",
    bridge="For φ(s) = a s the half difference is φ of the half difference, so that D/√ζ(z) has the"
    " law of one quotient of lengths, whose square is at least that of a single unit over M.",
    uses=[BOTH_ALIVE],
    over={M: integers(1), **_APART},
)
def one_large_unit(share: int, power: int, value: Any) -> Obligations:
    """P(|g| ≥ x) is at least x/(1 + x²) times the density; the upper bound is the claim's."""
    t, units = symbols("t M", positive=True)
    at = sqrt(units) * t
    log_tail = log(at) - log(1 + at**2) - at**2 / 2
    claimed = value.subs(M, units)
    yield "limit of one unit", equal(limit(-log_tail / t**power, t, oo), claimed)
    kappa, ratio = unfolded(kappa_phi(Integer(share))), unfolded(zeta(z, Integer(share))) / z
    bound = units * (ratio / kappa**2) ** 2 * (t - 1) ** 2 / 2
    yield "limit of the bound", equal(limit(bound / t**power, t, oo), claimed)


_PRINTED = _t**2 / (sqrt(3) * kappa_phi(DELTA) ** 2 / sqrt(m)) ** 2

PROP_12 = claim(
    "eoc.prop12",
    at="Proposition 12",
    title="Concentration of cosine distances of activations, with √3 x for O(x)",
    states=le(tail_distance_scaled, 2 * exp(-_PRINTED)),
    given=_APART,
    # The page divides by the lengths of the activations, by z and by ζ(z).
    assuming=[BOTH_ALIVE, NONZERO_DISTANCE, WIDTH_OF_LAYER],
    rests_on=["eoc.prop12.explicit"],
    note=_NOTE,
)


@PROP_12.proved()
def compare_exponents(given: Given) -> Theorem:
    """At t√γ⁻¹z/ζ for t the exponents of both tails are mt²/(2κ⁴) and mt²/(3κ⁴)."""
    domain = given.domain
    tails = {one: Interval(0, 1) for one in symbols("upper lower", nonnegative=True)}
    deviation = _t * z / (zeta(z, DELTA) * sqrt(gamma))
    numbers = {x: domain[x] for x in (_t, DELTA, gamma, m, M, z)}
    whole, under = {**numbers, **tails}, given.conditions
    parts = []
    for tail, name, letter in zip(tails, ("upper tail", "lower tail"), (upper_tail, lower_tail), strict=True):
        bound = given.fact("eoc.prop12.explicit", name)
        there = bound.at({letter: tail, _t: deviation}, over=whole, under=under)
        exponent = there.statement.rhs.args[0]
        order = rules.follows(le(exponent, -_PRINTED), over=numbers, under=under)
        grows = facts.exponential_increases(-_PRINTED, exponent, over=numbers)
        goal = le(tail, exp(-_PRINTED))
        parts.append(rules.follows(goal, [there, order, grows], over=whole, under=under))
    both_tails = {**tails, tail_distance_scaled: domain[tail_distance_scaled]}
    union = of_either_tail(given, tail_distance_scaled, *tails, over=both_tails)
    goal = as_it_stands(PROP_12)
    return given.follows(union, *parts, goal=goal)

"""Hoeffding's lemma and inequality."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import sympy as sp
from hypothesis import strategies as st
from scipy.special import bdtrc
from sympy import Expr, exp, log

from theorems.classical.hypotheses import BOUNDED_RANGE, INDEPENDENT_COPIES
from theorems.classical.letters import (
    M,
    W,
    binomial_upper,
    claim,
    cumulant,
    excess,
    length,
    lower_end,
    mean,
    multiplier,
    p,
    u,
    x,
)
from theorems.classical.means_of_copies import Copies
from theorems.classical.steps import (
    at_least_zero,
    indicator,
    letters_of,
    probability_of_scipy,
    same,
    surely,
    weakened,
)
from theorems.engine import Given, Provenance, both, eq, ge, gt, half_line, interval, le, rules
from theorems.engine.rules import E, P, Random, Theorem, facts, principles

LEMMA = claim(
    "classical.hoeffding_lemma",
    at="large deviations",
    title="Hoeffding's lemma",
    states=le(log((1 - p) * exp(-p * u) + p * exp((1 - p) * u)), u**2 / 8),
    provenance=Provenance.CLASSICAL,
)


@LEMMA.proved()
def variance_of_two_points(given: Given) -> Theorem:
    """The second derivative of the left side is the variance q(1 - q) of a tilted law, ≤ 1/4."""
    over, total = given.domain, 1 - p + p * exp(u)
    gap = u**2 / 8 + p * u - log(total)
    bent = rules.follows(sp.diff(sp.diff(gap, u), u) >= 0, over=over)
    shifted = facts.logarithm_of_product(exp(-p * u), total, over=over)
    right = (1 - p) * exp(-p * u) + p * exp((1 - p) * u)
    factors = same(exp(-p * u) * total, right, over)
    return rules.follows(le(log(right), u**2 / 8), [at_least_zero(gap, u, 0, bent), shifted, factors])


HOEFFDING = claim(
    "classical.hoeffding",
    at="large deviations",
    title="Hoeffding's inequality for a mean of independent copies",
    states={
        "bound": le(P(ge(mean, E(W) + excess)), exp(-2 * M * excess**2 / length**2)),
        "binomial": le(binomial_upper, exp(-2 * M * excess**2)),
    },
    assuming=[INDEPENDENT_COPIES, BOUNDED_RANGE],
    rests_on=LEMMA,
    provenance=Provenance.CLASSICAL,
)
_y = sp.Symbol("y", nonnegative=True)


def _below_the_chord(rate: Any, over: Any) -> Theorem:
    """e^(ry) ≤ 1 - y + y e^r for y in [0, 1]: the tangent at y is below both ends."""
    letters = {**over, _y: interval(0, 1)}
    ends = [facts.exponential_above_tangent(end, over=letters) for end in (-rate * _y, rate - rate * _y)]
    return rules.follows(le(exp(rate * _y), 1 - _y + _y * exp(rate)), ends, over=letters)


@dataclass(frozen=True)
class Bounded:
    """Copies of a variable in [α, α + L], by a leaf that says so."""

    copies: Copies
    inside: Theorem
    lower: Expr
    length: Expr

    @classmethod
    def assumed(cls, given: Given) -> Bounded:
        """Those of Hoeffding's inequality."""
        in_range = both(ge(W, lower_end), le(W, lower_end + length))
        inside = given.supposed(BOUNDED_RANGE, eq(P(in_range), 1))
        return cls(Copies.assumed(given), inside, lower_end, length)

    @classmethod
    def indicators(cls, given: Given) -> Bounded:
        """Those of the trials of a binomial variable, which are 1 or 0."""
        one, share = Random("I"), Random("Q")
        said = partial(given.meaning, "the share of successes in independent trials")
        over = {**letters_of(given, M), one: one.belongs_to, share: share.belongs_to}
        inside = indicator(given, one, eq(P(both(ge(one, 0), le(one, 1))), 1))
        copies = Copies(said, share, one, M, over, rate=multiplier)
        return cls(copies, inside, sp.S.Zero, sp.S.One)


def bounded_moment(given: Given, terms: Bounded) -> Theorem:
    """E e^(λW) ≤ exp(λEW + λ²L²/8), λ ≥ 0, for W in [α, α + L]."""
    W, lower_end, length = terms.copies.one, terms.lower, terms.length
    over = {**letters_of(given, W, lower_end, length), multiplier: half_line(0)}
    numbers = {y: range_ for y, range_ in over.items() if y != W}
    place, share = (W - lower_end) / length, (E(W) - lower_end) / length
    rate, variance = multiplier * length, multiplier**2 * length**2 / 8
    unit = {**numbers, _y: interval(0, 1)}
    ends = [rules.follows(one, over=unit) for one in (le(1 - _y, 1), le(_y, 1))]
    averaged = [principles.expected(one, _y, place) for one in (_below_the_chord(rate, unit), *ends)]
    in_range = terms.inside.statement.lhs.args[0]
    certain = [terms.inside, surely(in_range, _event(averaged[0]), over)]
    inside = rules.follows(both(le(0, share), le(share, 1)), [*averaged[1:], *certain], over=over)
    chord = 1 - share + share * exp(rate)
    below = rules.follows(
        le(E(exp(multiplier * W)), exp(multiplier * lower_end) * chord), [averaged[0], *certain]
    )
    lemma = given.fact(LEMMA).at({p: share, u: rate}, over=over, under=[inside.statement])
    tilted = lemma.statement.lhs.args[0]
    shifted = same(tilted, chord * exp(multiplier * lower_end - multiplier * E(W)), over)
    positive = [gt(tilted, 0)]
    grows = facts.logarithm_increases(exp(variance), tilted, over=over, under=positive)
    goal = le(E(exp(multiplier * W)), exp(multiplier * E(W) + variance))
    return rules.follows(goal, [below, lemma, inside, shifted, grows], over=over)


def _event(theorem: Theorem) -> Any:
    """The event that a theorem takes to be certain."""
    (certain,) = theorem.under
    return certain.lhs.args[0]


def means_of_bounded_variables(given: Given, terms: Bounded) -> Theorem:
    """Chernoff's bound at λ = 4t/L²."""
    W, length = terms.copies.one, terms.length
    over = letters_of(given, M, W, terms.copies.mean, terms.lower, length, excess)
    rate = 4 * excess / length**2
    moment = bounded_moment(given, terms).at({multiplier: rate}, over=over)
    tail = terms.copies.exceed_by_bounded_moment().at(
        {multiplier: rate, x: E(W) + excess, cumulant: moment.statement.rhs.args[0]}, over=over
    )
    tail = rules.follows(tail.statement.args[1], [tail, moment], over=over)
    return weakened(tail, -2 * M * excess**2 / length**2)


@HOEFFDING.proved("bound")
def replace_by_two_points(given: Given) -> Theorem:
    """A convex function lies below its chord, so the two ends of the range are the worst law."""
    return means_of_bounded_variables(given, Bounded.assumed(given))


@HOEFFDING.proved("binomial")
def indicators(given: Given) -> Theorem:
    """W is 1 or 0, so that α = 0 and L = 1."""
    bound = means_of_bounded_variables(given, Bounded.indicators(given))
    said = given.meaning("the upper tail", eq(binomial_upper, bound.statement.lhs))
    letters_of(given, binomial_upper, M, excess)
    return rules.follows(le(binomial_upper, bound.statement.rhs), [bound, said])


@HOEFFDING.tested(
    "binomial",
    over=st.tuples(
        st.one_of(st.just(1), st.integers(1, 2000)),
        st.one_of(st.sampled_from([0.0, 1.0]), st.floats(0.01, 0.99)),
        st.one_of(st.just(0.0), st.floats(0, 1)),
    ),
)
def exact_binomials(case: tuple[int, float, float]) -> dict[Any, Any]:
    """Exact upper tails of binomial laws, at values that are attained."""
    size, likely, place = case
    number = int(np.ceil(size * (likely + place * (1 - likely))))
    deviation = max(0.0, number / size - likely)
    tail = probability_of_scipy(bdtrc(number - 1, size, likely)) if number else 1
    return {M: size, excess: deviation, binomial_upper: tail}

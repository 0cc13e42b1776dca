"""The lower tail of a mean of nonnegative terms, from their first two moments."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import sympy as sp
from hypothesis import strategies as st
from scipy.special import bdtr
from sympy import Expr, exp, log

from theorems.classical.hypotheses import INDEPENDENT_COPIES, NONNEGATIVE_TERMS
from theorems.classical.letters import (
    M,
    W,
    binomial_lower,
    claim,
    cumulant,
    mean,
    mu,
    multiplier,
    nu,
    p,
    shortfall,
    x,
)
from theorems.classical.means_of_copies import Copies
from theorems.classical.steps import (
    Over,
    at_least_zero,
    event_within,
    in_the_limit,
    indicator,
    letters_of,
    probability_of_scipy,
    surely,
    weakened,
)
from theorems.engine import Given, Provenance, eq, ge, gt, le, open_interval, rules
from theorems.engine.rules import E, P, Random, Theorem, facts, principles

_NOTE = "proofs_notes/eoc_concentration.md#exponential-moments"
_RATE = shortfall + (1 - shortfall) * log(1 - shortfall)

ONE_SIDED = claim(
    "classical.one_sided",
    at="large deviations",
    title="Lower tail of a mean of nonnegative terms",
    states={
        "with the logarithm": le(P(le(mean, (1 - shortfall) * mu)), exp(-M * mu**2 / nu * _RATE)),
        "at zero": le(P(le(mean, 0)), exp(-M * mu**2 / nu)),
        "quadratic": le(P(le(mean, (1 - shortfall) * mu)), exp(-M * mu**2 * shortfall**2 / (2 * nu))),
        "binomial": le(binomial_lower, exp(-M * p * _RATE)),
    },
    assuming=[INDEPENDENT_COPIES, NONNEGATIVE_TERMS],
    provenance=Provenance.CLASSICAL,
    note=_NOTE,
)

_r = sp.Symbol("r", nonnegative=True)
_y = sp.Symbol("y", positive=True)
_LINE = sp.Interval(0, sp.oo)
_POSITIVE = sp.Interval.open(0, sp.oo)


def curvature_is_positive() -> Theorem:
    """2 ≥ e^(-z)(z² + 2z + 2) for z ≥ 0, as the right side decreases: its slope is -z²e^(-z)."""
    z, other = sp.symbols("z other_z", real=True)
    gap = 2 - exp(-z) * (z**2 + 2 * z + 2)
    over = {z: _LINE}
    slope = rules.follows(sp.diff(gap, z) >= 0, over=over)
    grows = principles.increasing(slope, gap, z, other).at({z: 0, other: z})
    positive = rules.follows(ge(gap, 0), [grows])
    return positive.at({z: _y * _r}, over={_y: _POSITIVE, _r: _POSITIVE})


def above_the_parabola() -> Theorem:
    """1 - e^(-yr) ≥ r(1 - e^(-y)) - (1 - (1 + y)e^(-y))(r² - r) for r ≥ 0, y > 0.

    (1 - e^(-z))/z is convex, hence above its tangent at z = y; here it is taken at z = yr.
    """
    over = {_r: _POSITIVE, _y: _POSITIVE}
    mean_slope = (1 - exp(-_y * _r)) / (_y * _r)
    at_one = (1 - exp(-_y)) / _y
    tangent = at_one - (1 - (1 + _y) * exp(-_y)) / _y * (_r - 1)
    gap = mean_slope - tangent
    bend = sp.diff(sp.diff(gap, _r), _r)
    bent = rules.follows(bend >= 0, [curvature_is_positive()])
    inside = at_least_zero(gap, _r, 1, bent)
    goal = ge(1 - exp(-_y * _r), _r * (1 - exp(-_y)) - (1 - (1 + _y) * exp(-_y)) * (_r**2 - _r))
    return rules.follows(goal, [inside], over={**over, _r: _LINE})


@dataclass(frozen=True)
class _Terms:
    """Copies of -W, and a leaf that says that W is not negative, and what its moments are."""

    opposites: Copies
    known: Theorem
    mu: Expr
    nu: Expr
    over: Over

    @classmethod
    def assumed(cls, given: Given) -> _Terms:
        """Those that the claim assumes."""
        over = letters_of(given, M, W, mean, mu, nu)
        said = eq(P(ge(W, 0)), 1), eq(E(W), mu), le(E(W**2), nu)
        known = given.supposed(NONNEGATIVE_TERMS, *said)
        return cls(Copies.assumed(given, -1), known, mu, nu, over)

    @classmethod
    def indicators(cls, given: Given) -> _Terms:
        """Those of the trials of a binomial variable, of which each may succeed: EW = EW² = p."""
        one, share = Random("I"), Random("Q")
        over = {one: one.belongs_to, share: share.belongs_to, **letters_of(given, M)}
        said = partial(given.meaning, "the share of successes in independent trials")
        moments = eq(P(ge(one, 0)), 1), eq(E(one), p), eq(E(one**2), p)
        known = indicator(given, one, *moments, mean=p)
        copies = Copies(said, -share, -one, M, over, rate=multiplier)
        return cls(copies, known, p, p, {**over, p: sp.Interval.Lopen(0, 1)})


def falls_short(given: Given, terms: _Terms, level: Any) -> Theorem:
    """P(mean ≤ level) ≤ exp(-M((μ²/ν)(1 - e^(-y)) - level yμ/ν)) for y > 0.

    The variables -W_j are independent copies of -W.
    """
    W, mean, mu, nu = -terms.opposites.one, -terms.opposites.mean, terms.mu, terms.nu
    over = {**letters_of(given, level), **terms.over, _y: _POSITIVE}
    size = W * mu / nu
    each = above_the_parabola()
    numbers = {y: over[y] for y in (mu, nu)}
    each = rules.follows(each.statement, [each], over={**each.over, **numbers})
    averaged = principles.expected(each, _r, size)
    sure = surely(ge(W, 0), ge(size, 0), over)
    tangent = facts.exponential_above_tangent(_y)
    rate, exponent = _y * mu / nu, -(mu**2) / nu * (1 - exp(-_y))
    moment = le(E(exp(-rate * W)), 1 + exponent)
    bounded = rules.follows(moment, [averaged, terms.known, sure, tangent], over=over)
    chernoff = terms.opposites.exceed_by_bounded_moment().at(
        {x: -level, multiplier: rate, cumulant: exponent}, over=over
    )
    grows = facts.exponential_above_tangent(exponent, over=over)
    same = event_within(le(mean, level), ge(-mean, -level), over)
    right = chernoff.statement.args[1].rhs
    goal = le(P(le(mean, level)), right)
    return rules.follows(goal, [chernoff, bounded, grows, same], over=over)


def with_the_logarithm(given: Given, terms: _Terms) -> Theorem:
    """The bound at e^(-y) = 1 - x; at x = 0 it says that a probability is at most 1."""
    mean, mu, nu = -terms.opposites.mean, terms.mu, terms.nu
    level = (1 - shortfall) * mu
    bound = falls_short(given, terms, level)
    over = {y: range_ for y, range_ in bound.over.items() if y != _y}
    exponent = -M * mu**2 / nu * _RATE
    best, inside = -log(1 - shortfall), [gt(shortfall, 0)]
    tangent = facts.logarithm_below_tangent(1 - shortfall, over=over)
    here = bound.at({_y: best}, under=[*inside, best > 0])
    here = rules.follows(here.statement, [here, tangent], over=over, under=inside)
    here = weakened(here, exponent)
    goal = le(P(le(mean, level)), exp(exponent))
    certain = facts.probability(le(mean, level), over=over)
    above = facts.exponential_above_tangent(exponent, over=over)
    none = rules.follows(goal, [certain, above, tangent], over=over, under=[le(shortfall, 0)])
    return rules.follows(goal, [here, none], over=over)


@ONE_SIDED.proved("with the logarithm")
def bias_by_size(given: Given) -> Theorem:
    """1 - e^(-λw) is above a parabola through 0 that touches it at w = ν/μ; take means."""
    return with_the_logarithm(given, _Terms.assumed(given))


@ONE_SIDED.proved("quadratic")
def expand_the_logarithm(given: Given) -> Theorem:
    """x + (1 - x) log(1 - x) - x²/2 is convex with a double zero at x = 0."""
    over = letters_of(given, shortfall)
    gap = _RATE - shortfall**2 / 2
    bend = sp.diff(sp.diff(gap, shortfall), shortfall)
    bent = rules.follows(bend >= 0, over=over)
    gain = at_least_zero(gap, shortfall, 0, bent)
    sharp = with_the_logarithm(given, _Terms.assumed(given))
    return weakened(sharp, -M * mu**2 * shortfall**2 / (2 * nu), gain)


@ONE_SIDED.proved("at zero")
def let_the_rate_grow(given: Given) -> Theorem:
    """At the level 0 the exponent -M(μ²/ν)(1 - e^(-y)) falls to -Mμ²/ν as y grows."""
    e = sp.Symbol("e", positive=True)
    bound = falls_short(given, _Terms.assumed(given), sp.S.Zero)
    over = {y: range_ for y, range_ in bound.over.items() if y != _y} | {e: open_interval(0, 1)}
    tangent = facts.logarithm_below_tangent(e, over=over)
    here = bound.at({_y: -log(e)}, over=over, under=[-log(e) > 0])
    here = rules.follows(here.statement, [here, tangent], over=over)
    scale = M * mu**2 / nu
    return in_the_limit(weakened(here, -scale * (1 - e)), e, scale)


@ONE_SIDED.proved("binomial")
def indicators(given: Given) -> Theorem:
    """W is 1 with probability p, else 0: EW = EW² = p."""
    over = letters_of(given, p, M, shortfall, binomial_lower)
    bound = with_the_logarithm(given, _Terms.indicators(given))
    said = given.meaning("the lower tail", eq(binomial_lower, bound.statement.lhs))
    goal = le(binomial_lower, exp(-M * p * _RATE))
    likely = rules.follows(goal, [bound, said], over=over, under=[gt(p, 0)])
    above = facts.exponential_above_tangent(goal.rhs.args[0], over=over)
    never = rules.follows(goal, [above], over=over, under=[le(p, 0)])
    return rules.follows(goal, [likely, never])


@ONE_SIDED.tested(
    "binomial",
    over=st.tuples(
        st.one_of(st.just(1), st.integers(1, 2000)),
        st.one_of(st.sampled_from([0.0, 1.0]), st.floats(0.01, 1)),
        st.one_of(st.sampled_from([0.0, 0.999]), st.floats(0, 0.999)),
    ),
)
def exact_binomials(case: tuple[int, float, float]) -> dict[Any, Any]:
    """Exact lower tails of binomial laws, compared with the bound."""
    size, likely, short = case
    tail = probability_of_scipy(bdtr(np.floor((1 - short) * likely * size), size, likely))
    return {M: size, p: likely, shortfall: short, binomial_lower: tail}

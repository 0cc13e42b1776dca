"""Proposition 14: concentration of norms, with the best constant."""

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
import sympy as sp
from hypothesis import strategies as st
from scipy.special import bdtr, chdtr, chdtrc
from sympy import Interval, Rational, Symbol, exp, log, oo, sqrt

from numeric.statistics import MeanTest
from symbolic.equality import equal
from symbolic.gaussian import GaussianMean
from symbolic.notation import a, b
from theorems.classical.letters import cumulant, x
from theorems.classical.means_of_copies import RATE, Copies
from theorems.classical.steps import probability_of_scipy, weakened
from theorems.engine import (
    Given,
    Obligations,
    Provenance,
    Rounded,
    both,
    eq,
    ge,
    gt,
    half_line,
    implies,
    integers,
    le,
    lt,
    rules,
    sentence,
)
from theorems.engine.rules import RANDOM, E, P, Random, Theorem, facts, principles, probabilities
from theorems.engine.statements.values import unfolded
from theorems.eoc_mlp.hypotheses import ALIVE, NOT_BOTH_ZERO, WIDTH_OF_LAYER
from theorems.eoc_mlp.letters.activation import DELTA, kappa_of, kappa_phi, phi, sigma_of, u
from theorems.eoc_mlp.letters.distances import g, lower_tail_norm, tail_norm, unit_square, upper_tail_norm
from theorems.eoc_mlp.letters.network import M, gamma, m
from theorems.eoc_mlp.letters.table import claim
from theorems.eoc_mlp.letters.tails import lam, threshold
from theorems.eoc_mlp.one_layer.norms.law import MEANT, SPREAD
from theorems.eoc_mlp.premises.lengths import length_not_negative
from theorems.eoc_mlp.premises.substitutions import as_it_stands, as_stated
from theorems.eoc_mlp.sampling.redrawn import frequency_test, redrawn

_NOTE = "proofs_notes/eoc_concentration.md#norms"
_HALF = Rational(1, 2)
_t, _W, _ratio = threshold, unit_square, Random("ratio")
_R = _ratio**2
_SQUARED = 1 + SPREAD  # κ²
_KAPPA = kappa_phi(DELTA) ** 2


EXPLICIT = claim(
    "eoc.prop14.explicit",
    at="Proposition 14",
    title="Concentration of norms with the constant one half",
    states={
        "upper tail": le(upper_tail_norm, exp(-M * _t**2 / (2 * _KAPPA))),
        "lower tail": le(lower_tail_norm, exp(-M * _t**2 / (2 * _KAPPA))),
    },
    assuming=[ALIVE],
    rests_on=["eoc.prop14.exponential_moment", "eoc.prop18.range"],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)
_tau, _other, _value = sp.symbols("tau other value", real=True)
_r = sp.Symbol("r", nonnegative=True)  # κ² - 1


def _gain() -> Theorem:
    """½√(1 + τ)(1 + (1 + 2sτ)^(-1/2)) ≤ e^((1 - s)τ/2) for τ > -1, s in [0, 1/2], in logarithms.

    The difference is 0 at τ = 0, and its derivative in τ has the sign of τ.
    """
    s = sp.Symbol("s", nonnegative=True)
    moment = sqrt(1 + _tau) * (1 + 1 / sqrt(1 + 2 * s * _tau)) / 2
    gain = (1 - s) * _tau / 2 - log(moment)
    halves = []
    for range_, forward in ((half_line(0), True), (Interval.Lopen(-1, 0), False)):
        over = {_tau: range_, s: Interval(0, _HALF)}
        slope = sp.diff(gain, _tau)
        signed = rules.follows(slope >= 0 if forward else slope <= 0, over=over)
        moved = principles.increasing(signed, gain, _tau, _other)
        ends = {_tau: 0, _other: _tau} if forward else {_other: 0}
        from_zero = moved.at(ends)
        halves.append(rules.follows(ge(gain, 0), [from_zero]))
    whole = {_tau: Interval.open(-1, oo), s: Interval(0, _HALF)}
    gained = rules.follows(ge(gain, 0), halves, over=whole)
    numbers = {_tau: whole[_tau], _r: Interval(0, 1)}
    return gained.at({s: _r / (1 + _r)}, over=numbers)


_SQUARES = tuple(Symbol(f"square {place}", nonnegative=True) for place in range(3))


def _product_of_roots() -> Theorem:
    """√a√b = √c for c = ab."""
    a, b, c = _SQUARES
    dict.fromkeys(_SQUARES, Interval(0, oo))
    return rules.follows(eq(sqrt(a) * sqrt(b), sqrt(c)), under=[eq(a * b, c)])


def _moment_at_the_rate(given: Given, tau: Any, range_: Any) -> Theorem:
    """E e^(λW) ≤ e^(τ/(2κ²)) at λ = τ/(2κ²(1 + τ))."""
    numbers = {_tau: Interval.open(-1, oo), _r: Interval(0, 1)}
    rate = _tau / (2 * (1 + _r) * (1 + _tau))
    roots = [1 - 2 * rate * (1 + _r), 1 - 2 * rate * (1 - _r)]
    value = sum(1 / (2 * sqrt(root)) for root in roots)
    gain = _gain()
    (height,) = (one.args[0] for one in gain.statement.atoms(log))
    exponent = _tau / (2 * (1 + _r))
    logarithm = rules.follows(le(log(height), exponent), [gain])
    inner = 1 + 2 * _tau * _r / (1 + _r)
    squares = dict(zip(_SQUARES, (roots[1], 1 + _tau, inner), strict=True))
    product = _product_of_roots().at(squares, over=numbers)
    known = [
        rules.follows(eq(sqrt(roots[0]), 1 / sqrt(1 + _tau)), over=numbers),
        rules.follows(product.statement, [product]),
    ]
    same = rules.follows(eq(value, height), known)
    positive = rules.follows(gt(height, 0), over=numbers)
    ordered = facts.logarithm_increases(exp(exponent), height, over=numbers, under=[gt(height, 0)])
    bound = rules.follows(le(value, exp(exponent)), [logarithm, same, positive, ordered])
    letters = {DELTA: given.domain[DELTA], _t: range_}
    inside = both(ge(SPREAD, 0), le(SPREAD, 1))
    ends = rules.follows(inside, over={DELTA: letters[DELTA]})
    at = {_tau: tau, _r: SPREAD}
    there = bound.at(at, over=letters, under=[inside])
    rate = rate.subs(at, simultaneous=True)
    moment = given.fact("eoc.prop14.exponential_moment").at({lam: rate}, over=letters, under=[inside])
    small = rules.follows(lt(2 * rate * _SQUARED, 1), [ends], over=letters)
    goal = le(E(exp(rate * _W)), exp(tau / (2 * _SQUARED)))
    return rules.follows(goal, [there, moment, small, ends])


def _mean_over_rows(given: Given, sign: int) -> Theorem:
    """Chernoff's bound for ±R, where R is the mean over M independent rows, each with the law W."""
    said = partial(given.meaning, "the squared quotient of lengths, a mean over independent rows")
    over = {M: given.domain[M], _W: RANDOM, _ratio: RANDOM}
    return Copies(said, sign * _R, sign * _W, M, over).exceed_by_bounded_moment()


def _all_units_vanish(given: Given, over: Any) -> Theorem:
    """P(-R ≥ 0) ≤ e^(-M/(2κ²)), as E e^(-2W) ≤ 1 - 1/(2κ²) ≤ e^(-1/(2κ²))."""
    numbers, letters = {_r: Interval(0, 1)}, {x: over[x] for x in (DELTA, M)}
    roots, small = [1 + 4 * (1 + _r), 1 + 4 * (1 - _r)], 1 / (2 * (1 + _r))
    below = rules.follows(le(sum(1 / (2 * sqrt(root)) for root in roots), 1 - small), over=numbers)
    tangent = facts.exponential_above_tangent(-small, over=numbers)
    bound = rules.follows(le(below.statement.lhs, exp(-small)), [below, tangent])
    inside = both(ge(SPREAD, 0), le(SPREAD, 1))
    ends = rules.follows(inside, over={DELTA: over[DELTA]})
    there = bound.at({_r: SPREAD}, over={DELTA: over[DELTA]}, under=[inside])
    moment = given.fact("eoc.prop14.exponential_moment").at({lam: -2})
    sure = rules.follows(le(E(exp(-2 * _W)), exp(-1 / (2 * _SQUARED))), [there, moment, ends])
    at = {x: 0, RATE: 2, cumulant: -1 / (2 * _SQUARED)}
    tail = _mean_over_rows(given, -1).at(at, over=letters)
    return rules.follows(tail.statement.args[1], [tail, sure], over=tail.over)


@EXPLICIT.proved("upper tail")
def upper_tail(given: Given) -> Theorem:
    """Chernoff's bound at τ = t, where 2λκ² = t/(1 + t)."""
    over = {x: given.domain[x] for x in (_t, M, DELTA, upper_tail_norm)}
    moment = _moment_at_the_rate(given, _t, over[_t])
    at = {x: (1 + _t) ** 2, cumulant: _t / (2 * _SQUARED)}
    at[RATE] = _t / (2 * _SQUARED * (1 + _t))
    tail = _mean_over_rows(given, 1).at(at, over=over)
    claimed = as_stated(EXPLICIT, "upper tail")
    event = ge(_ratio, 1 + _t)
    meant = given.meaning("the upper tail", eq(upper_tail_norm, P(event)))
    larger = _more_probable(event, tail.statement.args[1].lhs.args[0], over[_t], sp.Reals)
    bound = rules.follows(tail.statement.args[1], [tail, moment], over=tail.over)
    return given.follows(weakened(bound, claimed.rhs.args[0]), larger, meant, goal=claimed)


def _more_probable(event: Any, other: Any, numbers: Any, values: Any) -> Theorem:
    """An event about the quotient of lengths is less likely than one that it implies."""
    events = (one.xreplace({_ratio: _value}) for one in (event, other))
    implied = rules.follows(implies(*events), over={_t: numbers, _value: values})
    return principles.more_probable(implied, _value, _ratio)


@EXPLICIT.proved("lower tail")
def lower_tail(given: Given) -> Theorem:
    """The same at τ = -t for t < 1; at t = 1 with λ = -2, and beyond the event is impossible."""
    over = {x: given.domain[x] for x in (_t, M, DELTA, lower_tail_norm)}
    below_one = {**over, _t: Interval.Ropen(0, 1)}
    moment = _moment_at_the_rate(given, -_t, below_one[_t])
    at = {x: -((1 - _t) ** 2), cumulant: -_t / (2 * _SQUARED)}
    at[RATE] = _t / (2 * _SQUARED * (1 - _t))
    objects = {_W: RANDOM, _ratio: RANDOM}
    tail = _mean_over_rows(given, -1).at(at, over=below_one)
    claimed = as_stated(EXPLICIT, "lower tail")
    event, lengths = le(_ratio, 1 - _t), half_line(0)
    known = [given.meaning("the lower tail", eq(lower_tail_norm, P(event))), length_not_negative(_ratio)]
    squares = ge(-_R, -((1 - _t) ** 2))
    bound = rules.follows(tail.statement.args[1], [tail, moment], over=tail.over)
    bound = weakened(bound, claimed.rhs.args[0])
    more_probable = _more_probable(event, squares, below_one[_t], lengths)
    before = rules.follows(claimed, [bound, more_probable, *known], over={**below_one, **objects})
    last, one = _all_units_vanish(given, over), [eq(_t, 1)]
    last = rules.follows(last.statement, [last], over={**last.over, _t: over[_t]}, under=one)
    last = weakened(last, claimed.rhs.args[0])
    more_probable = _more_probable(event, ge(-_R, 0), sp.FiniteSet(1), lengths)
    at_one = rules.follows(claimed, [last, more_probable, *known], over=over, under=one)
    none = probabilities.complement(ge(_ratio, 0))
    more_probable = _more_probable(event, sp.Lt(_ratio, 0), Interval.open(1, oo), sp.Reals)
    beyond = rules.follows(claimed, [more_probable, none, *known], over=over, under=[gt(_t, 1)])
    return given.follows(before, at_one, beyond, goal=claimed)


_CASES = st.tuples(
    st.one_of(st.just(1), st.integers(1, 400)),
    st.one_of(st.sampled_from([0.0, 1.0]), st.floats(0, 60)),
    st.sampled_from([0, 1, Rational(1, 2)]),
)


@EXPLICIT.tested("upper tail", over=_CASES)
def exact_upper_tails(case: tuple[int, float, Any]) -> dict[Any, Any]:
    """Exact tails for the identity, the absolute value and the ReLU."""
    units, t, share = case
    chance = _tail(units, units * (1 + t) ** 2, share == Rational(1, 2), chdtrc)
    return {M: units, _t: t, DELTA: share, upper_tail_norm: chance}


@EXPLICIT.tested("lower tail", over=_CASES)
def exact_lower_tails(case: tuple[int, float, Any]) -> dict[Any, Any]:
    """Exact tails for the identity, the absolute value and the ReLU."""
    units, t, share = case
    point = {M: units, _t: t, DELTA: share}
    if t > 1:
        return {**point, lower_tail_norm: 0}
    chance = _tail(units, units * (1 - t) ** 2, share == Rational(1, 2), chdtr)
    return {**point, lower_tail_norm: chance}


def _tail(units: int, level: float, relu: bool, tail: Any) -> Rounded:
    """P(χ²_M ≥ level), or ≤; for the ReLU of 2χ²_n with n binomial, which is 0 at n = 0.

    SciPy is good to ten digits unless the probability is too small to have any.
    """
    chance = float(tail(units, level))
    if relu:
        n = np.arange(1, units + 1)
        weights = bdtr(n, units, 0.5) - bdtr(n - 1, units, 0.5)
        dead = 0.5**units if tail is chdtr or level == 0 else 0.0
        chance = float(dead + np.sum(weights * tail(n, level / 2)))
    return probability_of_scipy(chance)


@EXPLICIT.estimated("upper tail", draws=4000, controls={})
def norms_of_networks(given: Given, rng: np.random.Generator, draws: int) -> Iterator[MeanTest]:
    """Frequencies of large quotients in six networks against the bound."""
    bound = unfolded(given.goal.rhs)
    for one in redrawn(rng, draws):
        t = np.sqrt(2.5 / one.width)
        happened = np.sqrt(one.squared_norms) >= 1 + t
        point = {_t: t, M: one.width, DELTA: one.delta}
        yield frequency_test(happened, float(bound.subs(point)))


BEST = EXPLICIT.sharpened(
    "eoc.prop14.best",
    title="The constant one half is the best for every activation and width",
    states=sentence(
        r"\lim_{$threshold\to\infty} -\frac{\log\mathbb{P}\bigl(\|x_k\| \ge $threshold"
        r" \|x_{k-1}\|\bigr)}{$threshold^$power} = $value",
        power=2,
        value=M / (2 * _KAPPA),
    ),
    assuming=[ALIVE],
    rests_on=["eoc.prop14.law", EXPLICIT, "eoc.prop18.range"],
    discharging=MEANT,
    note=_NOTE,
    excused={"domain of threshold": "true as well: it tends to infinity, wherever it begins"},
)


@BEST.argued(
    bridge="With probability at least 2^(-M) all units have the larger slope, and then the quotient"
    " is at least κ|s|/√M for the standard normal preactivation s of one unit; the upper bound of"
    " the tail is the claim's that this one sharpens.",
    uses=[ALIVE],
    over={M: integers(1), DELTA: Interval(0, 1)},
)
def one_large_unit(power: int, value: Any) -> Obligations:
    """P(s ≥ x) ≥ x/(1 + x²) times the density: the difference decreases to 0."""
    place, scale, units, t = sp.symbols("x kappa M t", positive=True)
    density = exp(-(place**2) / 2)
    slope = -density - sp.diff(place / (1 + place**2) * density, place)
    yield "decreases", equal(slope, -2 * density / (1 + place**2) ** 2)
    yield "to zero", bool(sp.limit(place / (1 + place**2) * density, place, oo) == 0)
    at = sqrt(units) * t / scale
    log_tail = -units * log(2) + log(at) - log(1 + at**2) - at**2 / 2
    claimed = value.subs(_KAPPA, scale**2).subs(M, units)
    yield "limit of one unit", equal(sp.limit(-log_tail / t**power, t, oo), claimed)
    stated = as_it_stands(EXPLICIT, "upper tail").rhs.args[0].subs(_KAPPA, scale**2)
    bound = -stated.subs({_t: t - 1, M: units})
    yield "limit of the bound", equal(sp.limit(bound / t**power, t, oo), claimed)


REPLACEMENT = claim(
    "eoc.prop14.replacement",
    at="Proposition 14, proof",
    title="The proof of Proposition 12 with one input and without halves: κ² for κ²z, 1 for ζ(z)",
    states={
        "bound": le(sp.Abs(phi(sigma_of(a, b) * g, a, b)), kappa_of(a, b) * sp.Abs(g)),
        "mean": eq(sigma_of(a, b) ** 2 * GaussianMean(phi(u, a, b) ** 2, u), 1),
    },
    assuming=[NOT_BOTH_ZERO],
    rests_on=["eoc.init"],
    note=_NOTE,
)


@REPLACEMENT.proved("bound")
def larger_slope(given: Given) -> Theorem:
    """Both slopes are at most |a| + |b| in modulus."""
    return given.follows(goal=unfolded(given.goal))


@REPLACEMENT.proved("mean")
def edge_of_chaos(given: Given) -> Theorem:
    """The second moment at the edge of chaos."""
    return given.fact("eoc.init", "values")


_PRINTED = _t**2 / (sqrt(2) * _KAPPA / sqrt(m)) ** 2

PROP_14 = claim(
    "eoc.prop14",
    at="Proposition 14",
    title="Concentration of norms of activations, with √2 x for O(x)",
    states=le(tail_norm, 2 * exp(-_PRINTED)),
    # The page divides by the length of the activation below.
    assuming=[ALIVE, WIDTH_OF_LAYER],
    rests_on=[EXPLICIT, "eoc.prop12.kappa"],
    note=_NOTE,
)


@PROP_14.proved()
def compare_exponents(given: Given) -> Theorem:
    """At t/√γ for t the exponent of both tails is mt²/(2κ²), and κ² ≤ κ⁴."""
    domain = given.domain
    tails = {one: Interval(0, 1) for one in sp.symbols("upper lower", nonnegative=True)}
    numbers = {x: domain[x] for x in (_t, DELTA, gamma, m, M)}
    whole, parts = {**numbers, **tails}, []
    for tail, name, letter in zip(
        tails, ("upper tail", "lower tail"), (upper_tail_norm, lower_tail_norm), strict=True
    ):
        bound = given.fact(EXPLICIT, name)
        at = {letter: tail, _t: _t / sqrt(gamma)}
        there = bound.at(at, over=whole, under=given.conditions)
        parts.append(weakened(there, -_PRINTED, given.fact("eoc.prop12.kappa")))
    level = _t / sqrt(gamma)
    deviations = sp.Abs(_ratio - 1), _ratio - 1, 1 - _ratio
    chances_of = zip((tail_norm, *tails), deviations, strict=True)
    both_tails = [
        probabilities.both_tails(_ratio - 1, level, over=numbers),
        given.meaning("tails", *(eq(one, P(ge(X, level))) for one, X in chances_of), over=tails),
    ]
    return given.follows(*both_tails, *parts, goal=as_it_stands(PROP_14))

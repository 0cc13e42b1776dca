"""Tails from exponential moments: Chernoff's bound, Bernstein's, and the one for W >= 0."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import sympy as sp
from hypothesis import strategies as st
from scipy.special import chdtr, chdtrc
from sympy import Expr, Sum, exp, log, sqrt

from theorems.classical.gaussian_moments import standard
from theorems.classical.hypotheses import BERNSTEIN_MOMENTS, INDEPENDENT_COPIES
from theorems.classical.letters import (
    LETTERS,
    M,
    W,
    c,
    chance,
    chance_of_any,
    chi_lower,
    chi_upper,
    claim,
    count,
    cumulant,
    index,
    mean,
    multiplier,
    normal,
    s,
    shortfall,
    v,
    x,
)
from theorems.classical.means_of_copies import RATE, Copies
from theorems.classical.steps import letters_of, logarithm_of_root, probability_of_scipy, weakened
from theorems.engine import Given, Hypothesis, Provenance, eq, ge, gt, half_line, implies, le, lt, rules
from theorems.engine.rules import E, P, Random, Theorem, facts, sums
from theorems.engine.rules.probabilities import exponential_series
from theorems.engine.rules.ranges import Over
from theorems.engine.rules.vocabulary import events

_NOTE = "proofs_notes/eoc_concentration.md#exponential-moments"

UNION = claim(
    "classical.union",
    at="measure theory",
    title="Union bound, for finitely many events",
    states=le(chance_of_any(count), Sum(chance(index), (index, 1, count))),
    provenance=Provenance.CLASSICAL,
)
_n = sp.Symbol("n", integer=True, nonnegative=True)
order = sp.Symbol("q", integer=True, positive=True)


@UNION.proved()
def one_event_after_the_other(given: Given) -> Theorem:
    """The bound for two events, and induction over their number."""
    A, U = events("A"), events("U")
    over = {_n: sp.Range(sp.oo)}
    unions = [
        given.meaning("a union of no events", eq(P(U(0)), 0)),
        given.meaning("a union of events", eq(P(U(_n + 1)), P(sp.Or(U(_n), A(_n + 1))))),
        facts.union_bound(U(_n), A(_n + 1)),
    ]
    names = {chance_of_any(_n): P(U(_n)), chance(_n): P(A(_n))}
    said = [given.meaning("chances of events", eq(*pair)) for pair in names.items()]
    said += [one.at({_n: end}, over=over) for one in said for end in (0, _n + 1)]
    bound = le(chance_of_any(_n), Sum(chance(index), (index, 1, _n)))
    general = sums.by_recursion(bound, _n, premises=[*unions, *said])
    return general.at({_n: count})


CHERNOFF = claim(
    "classical.chernoff",
    at="large deviations",
    title="Chernoff's bound for a mean of independent copies, and for squares of Gaussians",
    states={
        "bound": le(P(ge(mean, x)), exp(-M * (multiplier * x - log(E(exp(multiplier * W)))))),
        "bounded moment": implies(
            le(E(exp(multiplier * W)), exp(cumulant)),
            le(P(ge(mean, x)), exp(-M * (multiplier * x - cumulant))),
        ),
        "squares above": le(chi_upper, exp(-M * (s - log(1 + s)) / 2)),
        "squares below": le(chi_lower, exp(-M * (-shortfall - log(1 - shortfall)) / 2)),
    },
    given={multiplier: half_line(0)},
    assuming=[INDEPENDENT_COPIES],
    provenance=Provenance.CLASSICAL,
    note=_NOTE,
)


@CHERNOFF.proved("bound")
def exponential_of_the_mean(given: Given) -> Theorem:
    """Markov's inequality for e^(λΣW); the exponentials of independent terms multiply."""
    return Copies.assumed(given).exceed()


@CHERNOFF.proved("bounded moment")
def exponentials_increase(given: Given) -> Theorem:
    """A larger moment makes the bound larger."""
    return Copies.assumed(given).exceed_by_bounded_moment()


ELL = sp.Symbol("ell", real=True)


def gaussian_square_of(given: Given, variable: Any) -> Theorem:
    """E e^(ℓg²) = (1 - 2ℓ)^(-1/2) for ℓ < 1/2, for whatever is standard normal."""
    return given.textbook(
        "exponential moment of a Gaussian square",
        eq(E(exp(ELL * variable**2)), 1 / sqrt(1 - 2 * ELL)),
        over={ELL: sp.Interval.open(-sp.oo, sp.Rational(1, 2))},
        under=standard(variable).args,
    )


def _logarithm(given: Given, rate: Any, value: Any, over: Any) -> list[Theorem]:
    """log E e^(ℓg²) = ½ log(1/(1 - 2ℓ)), written with the value of 1/(1 - 2ℓ)."""
    moment = E(exp(rate * normal**2))
    law = given.meaning("g, a standard normal variable", *standard(normal).args)
    square = gaussian_square_of(given, normal).at({ELL: rate}, over=over)
    known = rules.follows(eq(moment, sqrt(value)), [square, law])
    positive = rules.follows(gt(moment, 0), [known])
    root = logarithm_of_root(value, over)
    equal = rules.follows(eq(log(moment), log(value) / 2), [known, root])
    return [equal, positive]


#: The mean of squares of standard normal variables.
MEAN_SQUARE = Random("Q")


def squares_exceed(
    given: Given,
    said: Callable[..., Theorem],
    number: Expr,
    over: Over,
    sign: int = 1,
    deviation: Expr = s,
    mean: Expr = MEAN_SQUARE,
) -> Theorem:
    """P(±Q ≥ ±(1 + e)) ≤ e^(-M(e - log(1 + e))/2), by W = ±g² at λ = ±e/(2(1 + e)).

    Q is the ``mean`` of M = ``number`` squares, as ``said`` says; there E e^(λW) = √(1 + e).  The
    deviation e is s >= 0 with the sign +1, and -y for y in [0, 1) with the sign -1.
    """
    value = 1 + deviation
    rate, own = deviation / (2 * value), {e: LETTERS[e].domain for e in deviation.free_symbols}
    drawn = {x: x.belongs_to for x in (*mean.free_symbols, normal) if hasattr(x, "belongs_to")}
    letters = {**over, **drawn}
    copies = Copies(said, sign * mean, sign * normal**2, number, letters)
    bound = copies.exceed().at({x: sign * value, RATE: sign * rate}, over=own)
    equal, positive = _logarithm(given, rate, value, own)
    exponent = -number * (deviation - log(value)) / 2
    return weakened(bound, exponent, equal, positive, where=[positive.statement])


def _degrees(given: Given) -> Callable[..., Theorem]:
    return partial(given.meaning, "a chi-square variable over its number of degrees of freedom")


@CHERNOFF.proved("squares above")
def best_rate_above(given: Given) -> Theorem:
    """W = g² at λ = s/(2(1 + s)), where E e^(λW) = √(1 + s)."""
    tail = squares_exceed(given, _degrees(given), M, letters_of(given, M))
    return rules.follows(
        le(chi_upper, tail.statement.rhs),
        [tail, given.meaning("the upper tail", eq(chi_upper, tail.statement.lhs))],
    )


@CHERNOFF.proved("squares below")
def best_rate_below(given: Given) -> Theorem:
    """W = -g² at λ = x/(2(1 - x)), where E e^(λW) = √(1 - x)."""
    tail = squares_exceed(given, _degrees(given), M, letters_of(given, M), -1, -shortfall)
    return rules.follows(
        le(chi_lower, tail.statement.rhs),
        [tail, given.meaning("the lower tail", eq(chi_lower, tail.statement.lhs))],
    )


_SIZES = st.one_of(st.just(1), st.integers(1, 2000))
_ABOVE = st.tuples(_SIZES, st.one_of(st.just(0.0), st.floats(0, 8)))
_BELOW = st.tuples(_SIZES, st.one_of(st.sampled_from([0.0, 0.999]), st.floats(0, 0.999)))


@CHERNOFF.tested("squares above", over=_ABOVE)
def chi_square_above(case: tuple[int, float]) -> dict[Any, Any]:
    """Exact upper tails of the chi-square law, compared with the bound."""
    return {M: case[0], s: case[1], chi_upper: probability_of_scipy(chdtrc(case[0], case[0] * (1 + case[1])))}


@CHERNOFF.tested("squares below", over=_BELOW)
def chi_square_below(case: tuple[int, float]) -> dict[Any, Any]:
    """Exact lower tails of the chi-square law, compared with the bound."""
    size, short = case
    return {M: size, shortfall: short, chi_lower: probability_of_scipy(chdtr(size, size * (1 - short)))}


BERNSTEIN = claim(
    "classical.bernstein",
    at="large deviations",
    title="Bernstein's inequality from moments",
    states=le(P(ge(mean, E(W) + s)), exp(-M * s**2 / (2 * (v + c * s)))),
    assuming=[INDEPENDENT_COPIES, BERNSTEIN_MOMENTS],
    rests_on=[CHERNOFF],
    provenance=Provenance.CLASSICAL,
    note=_NOTE,
)


def moment_from_series(
    given: Given, hypothesis: Hypothesis, bound: Any, value: Any, converges: Any
) -> Theorem:
    """E e^(λW) ≤ 1 + λEW + a series from q = 2 on, whose terms the hypothesis bounds.

    ``bound`` is that of E|W|^(q + 2), and ``value`` the sum of the series where it ``converges``.
    """
    numbers = letters_of(given, *(bound.free_symbols - {order}))
    over = {**numbers, W: W.belongs_to}
    moments = le(E(W**2), bound.subs(order, 0)), le(E(sp.Abs(W) ** (order + 2)), bound)
    square = given.supposed(hypothesis, moments[0], over=over)
    higher = given.supposed(hypothesis, moments[1])
    letters = {**letters_of(given, *(value.free_symbols - {multiplier})), multiplier: half_line(0)}
    moment = exponential_series(square, higher, multiplier, value, over=letters)
    return rules.follows(moment.statement, [moment], under=[converges])


def from_the_moment(
    given: Given, moment: Theorem, rate: Any, deviation: Any, exponent: Any, *known: Theorem
) -> Theorem:
    """P(mean ≥ EW + deviation) ≤ e^exponent, by the bound of E e^(λW) at the rate, 1 + y ≤ e^y."""
    over = letters_of(given, rate, deviation, exponent, M, W, mean)
    here = moment.at({multiplier: rate}, over=over)
    bound = here.statement.rhs - 1
    tail = (
        Copies.assumed(given)
        .exceed_by_bounded_moment()
        .at({multiplier: rate, x: E(W) + deviation, cumulant: bound})
    )
    tangent = facts.exponential_above_tangent(bound)
    tail = rules.follows(tail.statement.args[1], [tail, here, tangent, *known])
    return weakened(tail, exponent, *known)


@BERNSTEIN.proved()
def sum_the_series(given: Given) -> Theorem:
    """log E e^(λ(W - EW)) ≤ Σ_{q≥2} λ^q E|W|^q/q! ≤ vλ²/(2(1 - cλ)), at λ = s/(v + cs)."""
    bound = sp.factorial(order + 2) * v * c**order / 2
    value = _geometric(multiplier ** (order + 2) / sp.factorial(order + 2) * bound, order)
    converges = lt(c * multiplier, 1)
    moment = moment_from_series(given, BERNSTEIN_MOMENTS, bound, value, converges)
    rate = s / (v + c * s)
    return from_the_moment(given, moment, rate, s, -M * s**2 / (2 * (v + c * s)))


def _geometric(term: Any, q: Any) -> Any:
    """What the terms from q = 0 on sum to, if each is the same multiple of the one before."""
    ratio = sp.simplify(term.subs(q, q + 1) / term)
    if q in ratio.free_symbols:
        raise ValueError(f"{term} is not the term of a geometric series")
    return term.subs(q, 0) / (1 - ratio)

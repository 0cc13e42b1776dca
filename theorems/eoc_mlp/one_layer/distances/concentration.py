"""Proposition 12 with explicit constants."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import sympy as sp
from hypothesis import strategies as st
from scipy.special import chdtr, chdtrc, erfc
from sympy import Rational, exp, factorial, log, sqrt

from numeric.cosine_maps import zeta as zeta_at
from numeric.statistics import MeanTest
from theorems.classical import powers
from theorems.classical.hypotheses import (
    EACH_NORMAL,
    GAUSSIAN_SQUARE_MOMENTS,
    INDEPENDENT_COPIES,
    NONNEGATIVE_TERMS,
    NONNEGATIVE_WEIGHTS,
)
from theorems.classical.letters import A, W, mean, mu, nu, odd_factorial, q, s, shortfall, tau
from theorems.classical.letters import normal as standard_normal
from theorems.classical.products import longer, odd_numbers
from theorems.classical.steps import event_within, probability_of_scipy
from theorems.engine import (
    Given,
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
)
from theorems.engine.rules import RANDOM, E, P, Random, Theorem, facts, principles, probabilities
from theorems.engine.statements.values import unfolded
from theorems.eoc_mlp.hypotheses import BOTH_ALIVE, BY_DEFINITION, NONZERO_DISTANCE
from theorems.eoc_mlp.letters.activation import DELTA
from theorems.eoc_mlp.letters.cosines import z, zeta
from theorems.eoc_mlp.letters.distances import (
    bernstein_scale,
    bernstein_variance,
    half_difference,
    lower_tail,
    squared_proxy,
    upper_tail,
)
from theorems.eoc_mlp.letters.network import M
from theorems.eoc_mlp.letters.table import claim
from theorems.eoc_mlp.letters.tails import normal, order, threshold
from theorems.eoc_mlp.one_layer.distances.half_differences import SIZE, SMALLER, certain, x, y
from theorems.eoc_mlp.one_layer.distances.mean_square import mean_square
from theorems.eoc_mlp.premises.lengths import length_not_negative
from theorems.eoc_mlp.premises.substitutions import as_it_stands
from theorems.eoc_mlp.sampling.redrawn import frequency_test, redrawn

_NOTE = "proofs_notes/eoc_concentration.md#cosine-distances"
_APART = {z: sp.Interval.Lopen(0, 1)}
_POSITIVE = half_line(0, closed=False)
_t = threshold


_BERNSTEIN = factorial(order) / 2 * bernstein_variance * bernstein_scale ** (order - 2)

MOMENTS = claim(
    "eoc.prop12.moments",
    at="Proposition 12, proof",
    title="Moments of the half difference of activations",
    states={
        "Gaussian": le(E(half_difference ** (2 * order)), SIZE**order * odd_factorial(order)),
        "Bernstein": implies(
            both(eq(bernstein_variance, 3 * SIZE**2), eq(bernstein_scale, 2 * SIZE)),
            le(SIZE**order * odd_factorial(order), _BERNSTEIN),
        ),
    },
    given=_APART,
    rests_on=["eoc.prop12.pathwise.law", "classical.gaussian_moments"],
    discharging={
        EACH_NORMAL: "of one standard normal variable",
        NONNEGATIVE_WEIGHTS: "of one weight, which is 1",
    },
    provenance=Provenance.DERIVED,
    note=_NOTE,
)

_low, _high = sp.symbols("low high", real=True)
_side = sp.Symbol("s", nonnegative=True)
#: ζ(z) and κ²z as numbers, the first of which is the smaller one.
_value, _size = sp.symbols("value size", positive=True)
_NUMBERS = {_value: _POSITIVE, _size: _POSITIVE}


@MOMENTS.proved("Gaussian")
def moments_of_a_smaller_variable(given: Given) -> Theorem:
    """|Y| ≤ κ√z|u| almost surely, and E u^(2q) = (2q - 1)!!."""
    over = {order: given.domain[order], normal: RANDOM}
    moments = given.fact("classical.gaussian_moments", "one square")
    moment = moments.at({q: order, standard_normal: normal}, over=over)
    letters = {one: given.domain[one] for one in (order, DELTA, z)}
    numbers = {y: sp.Reals, x: sp.Reals, **letters}
    scale = sp.Symbol("scale", nonnegative=True)
    known = [
        rules.follows(implies(SMALLER, le(y**2, SIZE * x**2)), over=numbers),
        powers.increase(y**2, SIZE * x**2, order, over=numbers),
        powers.of_product(SIZE, x**2, order, over=numbers),
    ]
    larger_power = le(y ** (2 * order), SIZE**order * x ** (2 * order))
    raised = rules.follows(implies(SMALLER, larger_power), known)
    sizes = half_difference ** (2 * order), scale**order * normal ** (2 * order)
    over = {order: letters[order], scale: half_line(0)}
    larger = probabilities.larger_mean(*sizes, over=over).at({scale: SIZE}, over=letters)
    surely = certain(given, raised)
    return given.follows(surely, moment, larger, goal=as_it_stands(MOMENTS, "Gaussian"))


@MOMENTS.proved("Bernstein")
def double_factorials(given: Given) -> Theorem:
    """The quotient of both bounds is 1 at q = 2, and (2q + 1)/(2q + 2) from q to q + 1."""
    over = {order: given.domain[order]}
    odd = odd_numbers(odd_factorial)
    steps = [
        odd.at({q: order}, over=over),
        longer(factorial, order, order + 1, over=over),
        powers.natural_exponents(2, order - 2, 1, over=over),
    ]
    numbers = rules.induction(
        le(odd_factorial(order), Rational(3, 2) * factorial(order) * 2 ** (order - 2)),
        order,
        2,
        base=[odd.at({q: 1})],
        step=steps,
    )
    scaled = _scaled_powers().at({_side: SIZE}, over=given.domain)
    return given.follows(numbers, scaled, goal=as_it_stands(MOMENTS, "Bernstein"))


def _scaled_powers() -> Theorem:
    """c^(q - 2) s² = 2^(q - 2) s^q for c = 2s, by induction on q."""
    over, under = (dict.fromkeys((_side, bernstein_scale), half_line(0)), [eq(bernstein_scale, 2 * _side)])
    longer_powers = [
        powers.natural_exponents(one, exponent, 1, over={**over, order: integers(2)})
        for one, exponent in ((bernstein_scale, order - 2), (2, order - 2), (_side, order))
    ]
    same = eq(bernstein_scale ** (order - 2) * _side**2, 2 ** (order - 2) * _side**order)
    return rules.induction(same, order, 2, step=longer_powers, under=under)


_RATIO = zeta(z, DELTA) * _t / SIZE
_COPIES = {
    INDEPENDENT_COPIES: "the rows of the layer matrix are independent and have one law",
    GAUSSIAN_SQUARE_MOMENTS: "by eoc.prop12.moments, for the square of Y",
    NONNEGATIVE_TERMS: "the square of Y has the mean ζ(z), and its second moment is 3κ⁴z² at most",
}

EXPLICIT = claim(
    "eoc.prop12.explicit",
    at="Proposition 12",
    title="Concentration of cosine distances with constants",
    states={
        "upper tail": le(upper_tail, exp(-M * _RATIO**2 / 2)),
        "lower tail": le(lower_tail, exp(-M * _RATIO**2 / 3)),
    },
    given=_APART,
    assuming=[BOTH_ALIVE, NONZERO_DISTANCE],
    rests_on=[
        MOMENTS,
        "eoc.prop12.squared_norm.corrected",
        "eoc.zeta.cosines",
        "eoc.zeta",
        "eoc.prop11.rows",
        "eoc.prop12.kappa",
        "classical.dominated_squares",
        "classical.dominated_squares.rate",
        "classical.one_sided",
    ],
    discharging={**BY_DEFINITION, **_COPIES},
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


def in_the_limit_and_size(given: Given, bound: Theorem, *known: Theorem) -> Theorem:
    """A bound in numbers, at ζ(z) and κ²z: ζ(z) ≤ z ≤ κ²z."""
    letters = {x: given.domain[x] for x in (z, DELTA)}
    order = both(gt(zeta(z, DELTA), 0), le(zeta(z, DELTA), SIZE))
    below = given.fact("eoc.zeta", "below the identity"), given.fact("eoc.prop12.kappa")
    inside = rules.follows(order, below, over=letters, under=given.conditions)
    at = {_value: zeta(z, DELTA), _size: SIZE}
    under = [*given.conditions, order]
    there = bound.at(at, over=letters, under=under)
    return given.follows(there, inside, *known)


@EXPLICIT.proved("upper tail")
def as_a_dominated_square(given: Given) -> Theorem:
    """With u = ζ/(κ²z) ≤ 1 and τ = ut the level ((1 + t)² - 1)ζ is at least (2τ + τ²)κ²z."""
    numbers = {x: given.domain[x] for x in (_t, M)} | _NUMBERS
    every = {**numbers, half_difference: RANDOM, squared_proxy: RANDOM}
    share, under = _value * _t / _size, [le(_value, _size), eq(E(half_difference**2), _value)]
    square, deviation = half_difference**2, 2 * share + share**2
    tail = given.fact("classical.dominated_squares", "bound").at(
        {W: square, mean: squared_proxy, A: _size, s: deviation}
    )
    high, low = (1 + _t) ** 2 * _value, E(square) + deviation * _size
    levels = {_low: sp.Reals, _high: sp.Reals, squared_proxy: RANDOM}
    farther, nearer = (ge(squared_proxy, level) for level in (_high, _low))
    larger = event_within(farther, nearer, levels, under=[le(_low, _high)])
    exact, goal = tail.statement.rhs.args[0], -M * share**2 / 2
    bound = rules.follows(
        le(P(ge(squared_proxy, high)), exp(goal)),
        [
            tail,
            larger.at({_low: low, _high: high}, over=every, under=[le(low, high)]),
            given.fact("classical.dominated_squares.rate", "in tau").at({tau: share}, over=numbers),
            facts.exponential_increases(goal, exact),
        ],
        under=under,
    )
    probable = P(ge(squared_proxy, high)).xreplace({_value: zeta(z, DELTA)})
    meant = given.meaning("what the upper tail stands for", eq(upper_tail, probable))
    return in_the_limit_and_size(given, bound, meant, mean_square(given))


#: The proxy D, and the event of the lower tail.
_proxy, _number = Random("proxy"), sp.Symbol("number", real=True)
_SHORT = le(_proxy, (1 - _t) * sqrt(_value))


def _more_probable(other: Any, shares: Any, values: Any) -> Theorem:
    """The event of the lower tail is less likely than one that it implies."""
    events = (one.xreplace({_proxy: _number}) for one in (_SHORT, other))
    over = {_t: shares, _value: _POSITIVE, _number: values}
    return principles.more_probable(rules.follows(implies(*events), over=over), _number, _proxy)


@EXPLICIT.proved("lower tail")
def as_a_nonnegative_mean(given: Given) -> Theorem:
    """With e = 1 - t and x = 1 - e² the rate x + (1 - x) log(1 - x) is at least t².

    That is so by log e ≥ 1 - 1/e; at t = 1 it is 1, and beyond the event is impossible.
    """
    numbers = {x: given.domain[x] for x in (_t, M)} | _NUMBERS
    over = {**numbers, _proxy: RANDOM}
    at = {mean: _proxy**2, mu: _value, nu: 3 * _size**2}
    claimed = le(P(_SHORT), exp(-M * (_value * _t / _size) ** 2 / 3))
    known = [length_not_negative(_proxy)]
    inside = {**numbers, _t: sp.Interval.Ropen(0, 1)}
    short = 1 - (1 - _t) ** 2
    one_sided = given.fact("classical.one_sided", "with the logarithm")
    tail = one_sided.at({**at, shortfall: short}, over={**inside, _proxy: RANDOM})
    exact = tail.statement.rhs.args[0]
    logarithms = [
        facts.logarithm_of_product(1 - _t, 1 - _t, over=inside),
        facts.logarithm_of_product(1 - _t, 1 / (1 - _t), over=inside),
        facts.logarithm_below_tangent(1 / (1 - _t), over=inside),
    ]
    exponent, rate_ = claimed.rhs.args[0], short + (1 - short) * log(1 - short)
    least = rules.follows(ge(rate_, _t**2), logarithms)
    smaller = rules.follows(le(exact, exponent), [least])
    grows = facts.exponential_increases(exponent, exact, over=inside)
    short = _more_probable(tail.statement.lhs.args[0], inside[_t], half_line(0))
    below = rules.follows(claimed, [tail, short, smaller, grows, *known])
    at_zero = given.fact("classical.one_sided", "at zero").at(at, over=over)
    none, one = _more_probable(le(_proxy**2, 0), sp.FiniteSet(1), half_line(0)), [eq(_t, 1)]
    last = rules.follows(claimed, [at_zero, none, *known], over=over, under=one)
    negative = _more_probable(lt(_proxy, 0), sp.Interval.open(1, sp.oo), sp.Reals)
    impossible = [negative, probabilities.complement(ge(_proxy, 0))]
    beyond = rules.follows(claimed, [*impossible, *known], over=over, under=[gt(_t, 1)])
    bound = rules.follows(claimed, [below, last, beyond], over=over)
    probable = P(_SHORT.xreplace({_value: zeta(z, DELTA)}))
    meant = given.meaning("what the lower tail stands for", eq(lower_tail, probable))
    return in_the_limit_and_size(given, bound, meant)


_CASES = st.tuples(
    st.one_of(st.just(1), st.integers(1, 400)),
    st.one_of(st.just(0.0), st.floats(0, 60)),
    st.one_of(st.just(1.0), st.floats(1e-3, 1)),
    st.booleans(),
)


def _point(case: tuple[int, float, float, bool]) -> tuple[dict[Any, Any], float]:
    """The letters of a case, and D/√z where the event begins for t = 0.

    For the absolute value, one unit: half the difference of two moduli is the smaller one of
    √z |g| and √(1 - z) |h|. For the identity MD²/z is a chi-square variable.
    """
    units, t, place, folded = case
    share = min(place, 0.999) if folded else place
    return {M: 1 if folded else units, _t: t, z: share, DELTA: int(folded)}, t


def _folded(level: float, distance: float) -> float:
    """P(min(√z|g|, √(1 - z)|h|) ≥ level)."""
    return float(erfc(level / np.sqrt(2 * distance)) * erfc(level / np.sqrt(2 * (1 - distance))))


@EXPLICIT.tested("upper tail", over=_CASES)
def exact_upper_tails(case: tuple[int, float, float, bool]) -> dict[Any, Any]:
    """Exact tails for the identity, and for the absolute value and one unit."""
    point, t = _point(case)
    if point[DELTA]:
        level = (1 + t) * np.sqrt(float(zeta_at(point[z], 1)))
        return {**point, upper_tail: probability_of_scipy(_folded(level, point[z]))}
    return {**point, upper_tail: probability_of_scipy(float(chdtrc(point[M], point[M] * (1 + t) ** 2)))}


@EXPLICIT.tested("lower tail", over=_CASES)
def exact_lower_tails(case: tuple[int, float, float, bool]) -> dict[Any, Any]:
    """Exact tails for the identity, and for the absolute value and one unit."""
    point, t = _point(case)
    if t > 1:
        return {**point, lower_tail: 0}
    if point[DELTA]:
        level = (1 - t) * np.sqrt(float(zeta_at(point[z], 1)))
        return {**point, lower_tail: Rounded(1 - _folded(level, point[z]), 1e-10)}
    return {**point, lower_tail: probability_of_scipy(float(chdtr(point[M], point[M] * (1 - t) ** 2)))}


@EXPLICIT.estimated("lower tail", draws=4000, controls={})
def distances_of_networks(given: Given, rng: np.random.Generator, draws: int) -> Iterator[MeanTest]:
    """Frequencies of small distances in six networks against the bound."""
    bound = unfolded(given.goal.rhs)
    for one in redrawn(rng, draws, apart=True):
        distance = float(one.state.squared_cosine_distances(one.layer)[0, 1])
        root = float(np.sqrt(zeta_at(distance, one.delta)))
        t = 0.9 / np.sqrt(one.width)
        point = {_t: t, z: distance, DELTA: one.delta, M: one.width}
        yield frequency_test(one.distances <= (1 - t) * root, float(bound.subs(point)))

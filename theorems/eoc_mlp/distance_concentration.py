"""Proposition 12 with explicit constants, and the algebra of Remark 13."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import sympy as sp
from hypothesis import strategies as st
from scipy.special import chdtr, chdtrc, erfc
from sympy import Rational, exp, factorial, log, sqrt

from numeric.cosine_maps import zeta as zeta_at
from numeric.statistics import MeanTest
from symbolic.equality import equal
from theorems.classical.hypotheses import (
    EACH_NORMAL,
    GAUSSIAN_SQUARE_MOMENTS,
    INDEPENDENT_COPIES,
    NONNEGATIVE_TERMS,
    NONNEGATIVE_WEIGHTS,
)
from theorems.classical.letters import A, W, mean, mu, nu, odd_factorial, q, s, shortfall, tau
from theorems.classical.letters import normal as standard_normal
from theorems.engine import (
    Given,
    Obligations,
    Provenance,
    Rounded,
    both,
    claims_in,
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
from theorems.engine.rules import RANDOM, E, P, Theorem, facts
from theorems.engine.values import unfolded
from theorems.eoc_mlp.distance_in_sines import in_sines, positive_zeta
from theorems.eoc_mlp.distance_proof import (
    DIFFERENCE,
    DOMINATED,
    KAPPA,
    QUARTER,
    SIZE,
    dominated,
)
from theorems.eoc_mlp.hypotheses import (
    ALIVE,
    BOTH_ALIVE,
    BY_DEFINITION,
    LIMITING_COSINES,
    NONZERO_DISTANCE,
    SQUARE_WIDTHS,
    WIDTH_OF_LAYER,
)
from theorems.eoc_mlp.inverse_distance_growth import INCREMENT
from theorems.eoc_mlp.letters.activation import DELTA, kappa_phi
from theorems.eoc_mlp.letters.cosines import omega, w, z, zeta
from theorems.eoc_mlp.letters.distances import (
    bernstein_scale,
    bernstein_variance,
    half_difference,
    lower_tail,
    squared_proxy,
    tail_distance_scaled,
    upper_tail,
)
from theorems.eoc_mlp.letters.network import M, gamma, m
from theorems.eoc_mlp.letters.table import LETTERS
from theorems.eoc_mlp.letters.tails import normal, order, threshold
from theorems.eoc_mlp.redrawn import frequency_test, redrawn
from theorems.eoc_mlp.substitutions import as_stated, of_inverse_distance

claim = claims_in(LETTERS)
_NOTE = "proofs_notes/eoc_concentration.md#cosine-distances"
_APART = {z: sp.Interval.Lopen(0, 1)}
_POSITIVE = half_line(0, closed=False)
_t = threshold


def _as_it_is(relation: Any) -> Any:
    return relation


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
    given={
        **dict.fromkeys((half_difference, order, DELTA, bernstein_variance, bernstein_scale)),
        **_APART,
    },
    rests_on=[DOMINATED, "classical.gaussian_moments"],
    discharging={
        EACH_NORMAL: "of one standard normal variable",
        NONNEGATIVE_WEIGHTS: "of one weight, which is 1",
    },
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@MOMENTS.proved("Gaussian")
def of_a_smaller_variable(given: Given) -> Theorem:
    """|Y| ≤ κ√z|u| almost surely, and E u^(2q) = (2q - 1)!!."""
    smaller = le(E(half_difference ** (2 * order)), SIZE**order * E(normal ** (2 * order)))
    over = {order: given.domain[order], normal: RANDOM}
    moments = given.fact("classical.gaussian_moments", "one square")
    moment = rules.instance(moments, {q: order, standard_normal: normal}, over=over)
    known = given.fact(DOMINATED), dominated(given, "means are monotone", smaller), moment
    return given.follows(*known, goal=as_stated(MOMENTS, "Gaussian", _as_it_is))


@MOMENTS.proved("Bernstein")
def double_factorials(given: Given) -> Theorem:
    """The quotient of both bounds is 1 at q = 2, and (2q + 1)/(2q + 2) from q to q + 1."""
    over = {order: given.domain[order]}
    power = sp.Function("power_of_two", real=True)
    half = rules.textbook(
        "powers of 2, from 1 at q = 2 on",
        both(eq(power(2), 1), eq(power(order + 1), 2 * power(order)), gt(power(order), 0)),
        over=over,
    )
    orders = [
        rules.textbook(
            "factorials",
            both(
                eq(factorial(order + 1), (order + 1) * factorial(order)),
                gt(factorial(order), 0),
                eq(odd_factorial(order + 1), (2 * order + 1) * odd_factorial(order)),
                eq(odd_factorial(2), 3),
            ),
            over=over,
        ),
        half,
    ]
    numbers = rules.induction(
        le(odd_factorial(order), Rational(3, 2) * factorial(order) * power(order)),
        order,
        2,
        base=[rules.instance(one, {order: 2}) for one in orders],
        step=orders,
    )
    scale = eq(bernstein_scale ** (order - 2) * SIZE**2, power(order) * SIZE**order)
    product = implies(eq(bernstein_scale, 2 * SIZE), both(scale, gt(SIZE**order, 0)))
    letters = {x: given.domain[x] for x in (order, z, DELTA, bernstein_scale)}
    return given.follows(
        numbers,
        rules.textbook("powers of a product, for positive numbers", product, over=letters),
        goal=as_stated(MOMENTS, "Bernstein", _as_it_is),
    )


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
    given={**dict.fromkeys((upper_tail, lower_tail, _t, DELTA, M)), **_APART},
    assuming=[BOTH_ALIVE, NONZERO_DISTANCE],
    rests_on=[
        MOMENTS,
        QUARTER,
        "eoc.zeta.cosines",
        "eoc.zeta",
        KAPPA,
        "classical.dominated_squares",
        "classical.dominated_squares.rate",
        "classical.one_sided",
    ],
    discharging={**BY_DEFINITION, **_COPIES},
    provenance=Provenance.DERIVED,
    note=_NOTE,
)
#: ζ(z) and κ²z as numbers, the first of which is the smaller one.
_value, _size = sp.symbols("value size", positive=True)
_NUMBERS = {_value: _POSITIVE, _size: _POSITIVE}


def in_the_limit_and_size(given: Given, bound: Theorem) -> Theorem:
    """A bound in numbers, at ζ(z) and κ²z: ζ(z) ≤ z ≤ κ²z."""
    letters = {x: given.domain[x] for x in (z, DELTA)}
    known = given.fact("eoc.zeta", "below the identity"), given.fact(KAPPA)
    order = both(gt(zeta(z, DELTA), 0), le(zeta(z, DELTA), SIZE))
    inside = rules.follows(order, known, over=letters, under=given.conditions)
    under = [*given.conditions, order]
    there = rules.instance(bound, {_value: zeta(z, DELTA), _size: SIZE}, over=letters, under=under)
    return rules.follows(there.statement, [there, inside], over=there.over, under=given.conditions)


@EXPLICIT.proved("upper tail")
def as_a_dominated_square(given: Given) -> Theorem:
    """With u = ζ/(κ²z) ≤ 1 and τ = ut the level ((1 + t)² - 1)ζ is at least (2τ + τ²)κ²z."""
    over = {x: given.domain[x] for x in (_t, M, upper_tail)} | _NUMBERS
    objects = {half_difference: RANDOM, squared_proxy: RANDOM}
    share, under = _value * _t / _size, [le(_value, _size)]
    square, deviation = half_difference**2, 2 * share + share**2
    numbers = {x: over[x] for x in (_t, M, _value, _size)}
    tail = rules.instance(
        given.fact("classical.dominated_squares", "bound"),
        {W: square, mean: squared_proxy, A: _size, s: deviation},
        over={**numbers, **objects},
    )
    high, low = (1 + _t) ** 2 * _value, E(square) + deviation * _size
    larger = le(P(ge(squared_proxy, high)), P(ge(squared_proxy, low)))
    every = {**over, **objects}
    meant = both(eq(upper_tail, P(ge(squared_proxy, high))), eq(E(square), _value))
    exact, goal = tail.statement.rhs.args[0], -M * share**2 / 2
    bound = rules.follows(
        le(upper_tail, exp(goal)),
        [
            tail,
            rules.textbook("the larger of two events", implies(le(low, high), larger), over=every),
            rules.textbook("what the upper tail and ζ stand for", meant, over=every),
            rules.follows(le(_value + deviation * _size, high), over=numbers, under=under),
            rules.instance(
                given.fact("classical.dominated_squares.rate", "in tau"), {tau: share}, over=numbers
            ),
            facts.exponential_increases(goal, exact, over=numbers),
        ],
        over=over,
        under=under,
    )
    whole = in_the_limit_and_size(given, bound)
    return given.follows(whole, goal=as_stated(EXPLICIT, "upper tail", _as_it_is))


@EXPLICIT.proved("lower tail")
def as_a_nonnegative_mean(given: Given) -> Theorem:
    """With e = 1 - t and x = 1 - e² the rate x + (1 - x) log(1 - x) is at least t².

    That is so by log e ≥ 1 - 1/e; at t = 1 it is 1, and beyond the event is impossible.
    """
    over = {x: given.domain[x] for x in (_t, M, lower_tail)} | _NUMBERS
    objects = {squared_proxy: RANDOM}
    numbers = {x: over[x] for x in (_t, M, _value, _size)}
    every = {**over, **objects}
    at = {mean: squared_proxy, mu: _value, nu: 3 * _size**2}
    claimed = le(lower_tail, exp(-M * (_value * _t / _size) ** 2 / 3))
    level = (1 - _t) ** 2 * _value
    cases = both(
        implies(lt(_t, 1), eq(lower_tail, P(le(squared_proxy, level)))),
        implies(eq(_t, 1), eq(lower_tail, P(le(squared_proxy, 0)))),
        implies(gt(_t, 1), eq(lower_tail, 0)),
    )
    meant = rules.textbook("what the lower tail stands for", cases, over=every)
    inside = {**numbers, _t: sp.Interval.Ropen(0, 1)}
    short = 1 - (1 - _t) ** 2
    one_sided = given.fact("classical.one_sided", "with the logarithm")
    tail = rules.instance(one_sided, {**at, shortfall: short}, over={**inside, **objects})
    exact = tail.statement.rhs.args[0]
    logarithms = [
        facts.logarithm_of_product(1 - _t, 1 - _t, over=inside),
        facts.logarithm_of_product(1 - _t, 1 / (1 - _t), over=inside),
        facts.logarithm_below_tangent(1 / (1 - _t), over=inside),
    ]
    exponent, rate_ = claimed.rhs.args[0], short + (1 - short) * log(1 - short)
    least = rules.follows(ge(rate_, _t**2), logarithms, over={_t: inside[_t]})
    smaller = rules.follows(le(exact, exponent), [least], over=inside)
    below = rules.follows(
        claimed,
        [tail, meant, smaller, facts.exponential_increases(exponent, exact, over=inside)],
        over={**over, **inside},
    )
    at_zero = rules.instance(given.fact("classical.one_sided", "at zero"), at, over=every)
    last = rules.follows(claimed, [at_zero, meant], over=over, under=[eq(_t, 1)])
    beyond = rules.follows(claimed, [meant], over=over, under=[gt(_t, 1)])
    bound = rules.follows(claimed, [below, last, beyond], over=over)
    whole = in_the_limit_and_size(given, bound)
    return given.follows(whole, goal=as_stated(EXPLICIT, "lower tail", _as_it_is))


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


def _rounded(probability: float) -> Rounded:
    """A probability that SciPy computes, good to ten digits unless it is too small to have any."""
    return Rounded(probability, 1e-10 * probability + 1e-290)


@EXPLICIT.tested("upper tail", over=_CASES)
def exact_upper_tails(case: tuple[int, float, float, bool]) -> dict[Any, Any]:
    """Exact tails for the identity, and for the absolute value and one unit."""
    point, t = _point(case)
    if point[DELTA]:
        level = (1 + t) * np.sqrt(float(zeta_at(point[z], 1)))
        return {**point, upper_tail: _rounded(_folded(level, point[z]))}
    return {**point, upper_tail: _rounded(float(chdtrc(point[M], point[M] * (1 + t) ** 2)))}


@EXPLICIT.tested("lower tail", over=_CASES)
def exact_lower_tails(case: tuple[int, float, float, bool]) -> dict[Any, Any]:
    """Exact tails for the identity, and for the absolute value and one unit."""
    point, t = _point(case)
    if t > 1:
        return {**point, lower_tail: 0}
    if point[DELTA]:
        level = (1 - t) * np.sqrt(float(zeta_at(point[z], 1)))
        return {**point, lower_tail: Rounded(1 - _folded(level, point[z]), 1e-10)}
    return {**point, lower_tail: _rounded(float(chdtr(point[M], point[M] * (1 - t) ** 2)))}


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
    given={_t: None, M: None, **_APART},
    assuming=[BOTH_ALIVE],
    rests_on=["eoc.prop14.best", DIFFERENCE, EXPLICIT, "eoc.zeta.closed_form", "eoc.prop18.range"],
    discharging={
        NONZERO_DISTANCE: "for the identity ζ(z) = z, which is positive here",
        ALIVE: "it is assumed of both activations",
    },
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@BEST.proved("scale")
def linear_activation(given: Given) -> Theorem:
    """κ = 1 and ζ(z) = z for the identity."""
    return given.follows(goal=unfolded(given.goal))


@BEST.argued(
    "attained",
    bridge="For φ(s) = as the half difference is φ of the half difference, so that D/√ζ(z) has the"
    " law of one quotient of lengths, whose square is at least that of a single unit over M.",
    over={M: integers(1)},
)
def one_large_unit(share: int, power: int, value: Any) -> Obligations:
    """P(|g| ≥ x) is at least x/(1 + x²) times the density; the upper bound is the claim's."""
    t, units = sp.symbols("t M", positive=True)
    at = sqrt(units) * t
    log_tail = log(at) - log(1 + at**2) - at**2 / 2
    claimed = value.subs(M, units)
    yield "limit of one unit", equal(sp.limit(-log_tail / t**power, t, sp.oo), claimed)
    kappa, ratio = unfolded(kappa_phi(sp.Integer(share))), unfolded(zeta(z, sp.Integer(share))) / z
    bound = units * (ratio / kappa**2) ** 2 * (t - 1) ** 2 / 2
    yield "limit of the bound", equal(sp.limit(bound / t**power, t, sp.oo), claimed)


_PRINTED = _t**2 / (sqrt(3) * kappa_phi(DELTA) ** 2 / sqrt(m)) ** 2

PROP_12 = claim(
    "eoc.prop12",
    at="Proposition 12",
    title="Concentration of cosine distances of activations, with √3 x for O(x)",
    states=le(tail_distance_scaled, 2 * exp(-_PRINTED)),
    given={**dict.fromkeys((tail_distance_scaled, _t, DELTA, gamma, m, M)), **_APART},
    # The page divides by the lengths of the activations, by z and by ζ(z).
    assuming=[BOTH_ALIVE, NONZERO_DISTANCE, WIDTH_OF_LAYER],
    rests_on=[EXPLICIT],
    note=_NOTE,
)


@PROP_12.proved()
def compare_exponents(given: Given) -> Theorem:
    """At t√γ⁻¹z/ζ for t the exponents of both tails are mt²/(2κ⁴) and mt²/(3κ⁴)."""
    domain = given.domain
    tails = {one: sp.Interval(0, 1) for one in sp.symbols("upper lower", nonnegative=True)}
    deviation = _t * z / (zeta(z, DELTA) * sqrt(gamma))
    numbers = {x: domain[x] for x in (_t, DELTA, gamma, m, M, z)}
    whole, under = {**numbers, **tails}, given.conditions
    parts = []
    for tail, name, letter in zip(
        tails, ("upper tail", "lower tail"), (upper_tail, lower_tail), strict=True
    ):
        bound = given.fact(EXPLICIT, name)
        there = rules.instance(bound, {letter: tail, _t: deviation}, over=whole, under=under)
        exponent = there.statement.rhs.args[0]
        order = rules.follows(le(exponent, -_PRINTED), over=numbers, under=under)
        grows = facts.exponential_increases(-_PRINTED, exponent, over=numbers)
        goal = le(tail, exp(-_PRINTED))
        parts.append(rules.follows(goal, [there, order, grows], over=whole, under=under))
    both_tails = {**tails, tail_distance_scaled: domain[tail_distance_scaled]}
    union = rules.textbook("union bound", le(tail_distance_scaled, sum(tails)), over=both_tails)
    goal = as_stated(PROP_12, unfold=_as_it_is)
    return given.follows(union, *parts, goal=goal)


_WEIGHT = zeta(w**-2, DELTA) ** Rational(-1, 2) * zeta(w**-2, DELTA) / w**-2

WEIGHT = claim(
    "eoc.rem13.weight",
    at="Remark 13",
    title="The weight of the relative error is the inverse distance, up to one",
    states={
        "identity": eq(_WEIGHT, w**2 / omega(w, DELTA)),
        "lower bound": le(w - DELTA, w**2 / omega(w, DELTA)),
        "upper bound": le(w**2 / omega(w, DELTA), w - 4 * DELTA / (3 * sp.pi)),
    },
    given=[w, DELTA],
    rests_on=["eoc.zeta.sandwich", "eoc.zeta", "eoc.omega"],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@WEIGHT.proved("identity")
def insert_the_distance(given: Given) -> Theorem:
    """ω = ζ^(-1/2), in closed form."""
    positive = of_inverse_distance(positive_zeta(in_sines(given)), given.domain)
    return given.follows(positive, goal=unfolded(given.goal))


@WEIGHT.proved("lower bound", "upper bound")
def in_terms_of_omega(given: Given) -> Theorem:
    """ζ = ω^(-2); then (w²/ω)² = w⁴ζ lies between w² - Δw and w² - (8/(3π))Δw.

    √(w² - Δw) ≥ w - Δ, as w² - Δw - (w - Δ)² = Δ(w - Δ); and √(1 - x) ≤ 1 - x/2.
    """
    y = sp.Symbol("y", positive=True)
    values = {zeta(w**-2, DELTA): y, omega(w, DELTA): 1 / sqrt(y)}
    stated = as_stated(WEIGHT, given.part, lambda one: one.subs(values))
    least = 8 / (3 * sp.pi)
    between = [le(w**-2 - DELTA * w**-3, y), le(y, w**-2 - least * DELTA * w**-3)]
    numbers = rules.follows(stated, over={**given.domain, y: _POSITIVE}, under=between)
    bounds = [
        given.fact("eoc.zeta.sandwich", f"{one} bound", {z: w**-2}) for one in ("lower", "upper")
    ]
    positive = given.fact("eoc.zeta", "positive", {z: w**-2})
    met = rules.follows(
        both(
            gt(zeta(w**-2, DELTA), 0), *(one.xreplace({y: zeta(w**-2, DELTA)}) for one in between)
        ),
        [*bounds, positive],
        over=given.domain,
    )
    there = rules.instance(
        numbers, {y: zeta(w**-2, DELTA)}, over=given.domain, under=[gt(zeta(w**-2, DELTA), 0)]
    )
    defined = {omega(w, DELTA): zeta(w**-2, DELTA) ** Rational(-1, 2)}
    goal = as_stated(WEIGHT, given.part, lambda one: one.subs(defined))
    return given.follows(there, met, goal=goal)


@WEIGHT.tested(
    "upper bound",
    over=st.tuples(
        st.one_of(st.just(1.0000001), st.floats(1, 1e4, exclude_min=True)),
        st.one_of(st.sampled_from([0, 1]), st.floats(0, 1)),
    ),
)
def random_distances(case: tuple[float, float]) -> dict[Any, float]:
    """Distances from nearly opposite to nearly equal inputs."""
    return dict(zip((w, DELTA), case, strict=True))


ALGEBRA = claim(
    "eoc.rem13.algebra",
    at="Remark 13",
    title="Errors of cosine distances scale as 1/k² for γ_k = k²",
    states=sentence(
        r"\lim_{k\to\infty}\frac{\zeta($z)^{-\frac{$one}{$power}}\tfrac{\zeta($z)}{$z}"
        r"\gamma_{k-1}^{\frac{$one}{$power}}}{(k-$one)^$power} = $value,"
        r" \quad $z = w_{k-1}^{-$power}",
        one=1,
        power=2,
        value=4 * DELTA / (3 * sp.pi),
    ),
    given={z: None, DELTA: sp.Interval.Lopen(0, 1)},
    assuming=[LIMITING_COSINES, SQUARE_WIDTHS],
    rests_on=[WEIGHT, "eoc.quoted.p13", INCREMENT],
    note=_NOTE,
)


@ALGEBRA.argued(
    bridge="The iterates are a linear function of k up to a logarithm, and the weight is the"
    " iterate up to a bounded term; so the quotient has the limit of these expressions.",
    uses=[LIMITING_COSINES, SQUARE_WIDTHS],
    over={DELTA: sp.Interval.Lopen(0, 1)},
)
def insert_the_iterates(one: int, power: int, value: Any) -> Obligations:
    """With w = c(k - 1) + O(log k) and w²/ω(w) = w + O(1), γ = (k - 1)²."""
    n, bounded, log_factor = sp.symbols("n o p", positive=True)  # n = k - 1
    increment = as_stated(INCREMENT, unfold=_as_it_is).rhs - w
    for offset in (-bounded, 0, bounded):
        iterate = increment * n + log_factor * log(n) + offset
        weight = iterate * (n**2) ** Rational(one, power) / (n + 1 - one) ** power
        yield f"offset {offset}", equal(sp.limit(weight, n, sp.oo), value)

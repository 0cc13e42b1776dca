"""Fact 1, continued: derivatives of softmax are cumulants, and how large they can be.

With means under the weights, the second derivative of softmax is p_t((u_t − ū)(v_t − v̄) − C),
C = Cov(u, v).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import sympy as sp
from hypothesis import strategies as st
from numpy.typing import NDArray
from sympy import Abs, Max, exp, sqrt, tanh

from numeric.softmax_jacobian import softmax
from symbolic.equality import equal
from symbolic.softmax_jacobian import indicator_cumulant, log_sum_exp_derivative
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
    integers,
    le,
    rules,
    sentence,
)
from theorems.engine.rules import Theorem, facts
from theorems.engine.values import unfolded
from theorems.shallow_transformer.letters import (
    LETTERS,
    T,
    cumulant,
    logit_step,
    order,
    u_sup,
    v_sup,
    w_sup,
    weight_step,
)
from theorems.shallow_transformer.premises import stated
from theorems.shallow_transformer.softmax import FACT
from theorems.shallow_transformer.token_letters import (
    above,
    cumulant_of_one,
    cumulant_of_sign,
    cumulant_of_signs,
    logit,
    mean,
    other_logit,
    other_weight,
    p_i,
    r,
    s,
    second_derivative,
    t,
    total,
    u_entry,
    u_unit,
    v_entry,
    v_unit,
    w_entry,
    w_unit,
    weight,
)
from theorems.shallow_transformer.token_sums import (
    added,
    normalised,
    positive,
    ranges_of,
    stands_for,
    taken_apart,
    termwise,
)

claim = claims_in(LETTERS)
Floats = NDArray[np.float64]

_RECORD: dict[str, Any] = {
    "at": "Fact 1",
    "provenance": Provenance.DERIVED,
    "note": "proofs_notes/st_softmax.md#cumulants",
}
_p, _second = weight(t, T), second_derivative(t, T)


def _centred(entry: Any) -> Any:
    """A value of a token less the mean of all."""
    return entry(t) - mean(entry(s), s)


_COVARIANCE = eq(
    total(u_entry(t) * _p * _centred(v_entry)), mean(_centred(u_entry) * _centred(v_entry))
)

COVARIANCE = claim(
    "st.fact1.covariance",
    title="The Jacobian as a form is the covariance under the weights",
    states=_COVARIANCE,
    given=[T],
    rests_on=[FACT],
    **_RECORD,
)


@COVARIANCE.proved()
def the_mean_of_centred_values_vanishes(given: Given) -> Theorem:
    """Both sides are Σ p u v − ū v̄, as the weights add up to one."""
    return given.follows(normalised(), *taken_apart(_COVARIANCE), goal=_COVARIANCE)


_THIRD = eq(
    total(w_entry(t) * _second),
    mean(_centred(u_entry) * _centred(v_entry) * _centred(w_entry)),
)

CUMULANT = claim(
    "st.fact1.cumulant",
    title="The second derivative of softmax is the third central moment under the weights",
    states=_THIRD,
    given=[T],
    rests_on=[FACT],
    **_RECORD,
)


def _derivative() -> Theorem:
    return stands_for("derivative of softmax along u, along v", eq(_second, _second.unfolded()))


@CUMULANT.proved()
def product_rule_for_softmax(given: Given) -> Theorem:
    """D_u p_t = p_t(u_t − ū), differentiated along v: sums of monomials on both sides."""
    product = added(termwise(eq(w_entry(t) * _second, w_entry(t) * _second.unfolded()),
                             [_derivative()]))  # fmt: skip
    apart = taken_apart(_THIRD, product)
    return given.follows(product, *apart, normalised(), goal=_THIRD)


ORDERS = claim(
    "st.fact1.cumulant.orders",
    title="Derivatives of log-sum-exp are joint cumulants under the weights, up to the fifth order",
    states=sentence(
        r"D^{$order}\log\sum_te^{z_t}[u_1,\dots,u_{$order}]"
        r" = \kappa_p(u_1,\dots,u_{$order}) \text{, the sum over partitions of the }"
        r" $order \text{ values}"
    ),
    given={order: integers(1, 5)},
    rests_on=[FACT],
    **_RECORD,
)
_PATTERNS = {
    1: ((1,),),
    2: ((1, 1), (1, 2)),
    3: ((1, 1, 1), (1, 1, 2), (1, 2, 3)),
    4: ((1, 1, 1, 1), (1, 1, 1, 2), (1, 1, 2, 2), (1, 1, 2, 3), (1, 2, 3, 4)),
    5: ((1, 1, 1, 1, 1), (1, 1, 1, 1, 2), (1, 1, 1, 2, 2), (1, 1, 1, 2, 3), (1, 1, 2, 2, 3),
        (1, 1, 2, 3, 4), (1, 2, 3, 4, 5)),
}  # fmt: skip


@ORDERS.argued(
    bridge="Both sides are symmetric and multilinear, so that indicators of tokens suffice, one"
    " pattern of equal indices for each partition of the order."
)
def derivatives_at_indicators(given: Given) -> Obligations:
    """Each pattern of indices, beside any number of other tokens."""
    for k in given.domain[order]:
        for pattern in _PATTERNS[int(k)]:
            answer = equal(log_sum_exp_derivative(pattern), indicator_cumulant(pattern))
            yield f"order {k}: {pattern}", answer


CUBE = claim(
    "st.fact1.cumulant.cube",
    title="The best constant for the second derivative of softmax",
    states={
        "bound": le(cumulant, u_sup * v_sup * w_sup),
        "sum of entries": le(total(Abs(_second)), u_sup * v_sup),
        "attained": eq(cumulant_of_signs(0, 0), 1),
    },
    given=[cumulant, u_sup, v_sup, w_sup, T],
    rests_on=[FACT],
    **_RECORD,
)


def _over_the_largest(index: Any, *names: tuple[Any, Any, Any]) -> Theorem:
    said = []
    for entry, largest, unit in names:
        said += [eq(entry(index), largest * unit(index)), le(Abs(unit(index)), 1)]
    return stands_for("values of tokens over the largest", both(*said))


_U, _V, _W = (u_entry, u_sup, u_unit), (v_entry, v_sup, v_unit), (w_entry, w_sup, w_unit)
_x, _y = mean(u_unit(s), s), mean(v_unit(s), s)
_C = total(weight(r, T) * (v_unit(r) - _y) * u_unit(r), r)


@cache
def _in_the_cube() -> Theorem:
    """D²σ_t[u, v] = p_t g_t for entries over the largest, g = (u − ū)(v − v̄) − C."""
    scaled = []
    for index, name in ((s, _U), (s, _V)):
        entry, largest, unit = name
        each = termwise(
            eq(weight(index, T) * entry(index), largest * weight(index, T) * unit(index)),
            [_over_the_largest(index, name)],
        )
        scaled.append(added(each, index))
    product = weight(r, T) * v_entry(r) * u_entry(r)
    unit_product = u_sup * v_sup * weight(r, T) * v_unit(r) * u_unit(r)
    scaled.append(added(termwise(eq(product, unit_product), [_over_the_largest(r, _U, _V)]), r))
    (moved,) = (one for one in _second.unfolded().atoms(sp.Sum) if one.limits[0][0] == r)
    known = [*scaled, *taken_apart(moved, _C, *scaled)]
    means = termwise(
        both(
            eq(mean(u_entry(s), s), u_sup * _x),
            eq(mean(v_entry(s), s), v_sup * _y),
            eq(moved, u_sup * v_sup * _C),
        ),
        known,
    )
    goal = eq(_second, u_sup * v_sup * _p * _GAP)
    return termwise(goal, [_derivative(), means, _over_the_largest(t, _U, _V)])


_GAP = (u_unit(t) - _x) * (v_unit(t) - _y) - _C


_MEANS = sp.symbols("x y c", real=True)


def _bounded_by_signs() -> Theorem:
    """2p|g| ≤ p(1 + q) with q a polynomial in u and v, at least g² for |u|, |v| ≤ 1.

    It is the mean of g² for independent signs of the means u and v in place of u and v.
    """
    u, v, p, g, q = sp.symbols("u v p g q", real=True)
    x, y, c = _MEANS
    inside = [le(Abs(u), 1), le(Abs(v), 1)]
    gap = (u - x) * (v - y) - c
    signs = (1 - 2 * x * u + x**2) * (1 - 2 * y * v + y**2) - 2 * c * (u - x) * (v - y) + c**2

    def lemma(goal: Any, *premises: Theorem, under: Any = ()) -> Theorem:
        letters = goal.free_symbols.union(*(one.free_symbols for one in under))
        letters = letters.union(*(one.over for one in premises))
        return rules.follows(goal, premises, over=dict.fromkeys(letters, sp.S.Reals), under=under)

    first = lemma(ge((1 - u**2) * (1 - 2 * y * v + y**2), 0), under=inside)
    second = lemma(ge((u - x) ** 2 * (1 - v**2), 0), under=inside)
    square = lemma(le(gap**2, signs), first, second, under=inside)
    half = lemma(le(2 * Abs(gap), 1 + signs), square, lemma(le(2 * Abs(g), 1 + g**2)), under=inside)
    times = lemma(le(2 * p * Abs(g), p * (1 + q)), under=[ge(p, 0), le(2 * Abs(g), 1 + q)])
    weighted = rules.instance(times, {g: gap, q: signs}, over=half.over)
    goal = le(2 * p * Abs(gap), p * (1 + signs))
    result = lemma(goal, weighted, half, under=[*inside, ge(p, 0)])
    tokens = {u: u_unit(t), v: v_unit(t), p: _p}
    return rules.instance(result, tokens, over=ranges_of(_p, *_MEANS))


@cache
def _mean_of_the_gap() -> Theorem:
    """Σ 2p|g| ≤ 2: the mean of the polynomial is (1 − ū²)(1 − v̄²) + 4ūv̄C − C² ≤ 1.

    For C = Σ p u v − ū v̄ is limited by Σ p(1 ± u)(1 ± v) ≥ 0.
    """
    cube = [_over_the_largest(t, _U, _V), positive()]
    each = _bounded_by_signs()
    sum_ = added(termwise(each.statement, [each, *cube]))
    corners = [
        added(termwise(ge(_p * (1 + a * u_unit(t)) * (1 + b * v_unit(t)), 0), cube))
        for a in (1, -1)
        for b in (1, -1)
    ]
    (x, y, c), product = _MEANS, mean(u_unit(t) * v_unit(t))
    are_means = [eq(x, mean(u_unit(t))), eq(y, mean(v_unit(t))), eq(c, product - x * y)]
    over = ranges_of(product, *_MEANS)

    def at_the_means(goal: Any, *known: Theorem) -> Theorem:
        return rules.follows(goal, known, over=over, under=are_means)

    limits = [ge((1 + a * x) * (1 + b * y) + a * b * c, 0) for a in (1, -1) for b in (1, -1)]
    signs = (1 - x**2) * (1 - y**2) + 4 * x * y * c - c**2
    small = rules.follows(le(signs, 1), over=dict.fromkeys(_MEANS, sp.S.Reals), under=limits)
    known = [*corners, *taken_apart(*corners), normalised()]
    limited = [at_the_means(one, *known) for one in limits]
    of_signs = le(sum_.statement.lhs, 1 + signs)
    bound = at_the_means(of_signs, sum_, *taken_apart(sum_), normalised())
    two = at_the_means(le(sum_.statement.lhs, 2), bound, small, *limited)
    here = rules.instance(two, dict(zip(_MEANS, (_x, _y, _C), strict=True)), over=ranges_of(_GAP))
    return termwise(here.statement, [here, *taken_apart(_C)])


@CUBE.proved("sum of entries", "bound")
def mean_of_the_gap(given: Given) -> Theorem:
    """|D²σ_t| = p_t|g_t| times both largest entries; w adds its own."""
    gap = _mean_of_the_gap()
    goal = eq(2 * Abs(_second), u_sup * v_sup * gap.statement.lhs.args[0])
    sum_ = added(termwise(goal, [_in_the_cube(), positive()]))
    known = [sum_, gap, *taken_apart(gap, *sum_.statement.args)]
    largest = termwise(stated(CUBE, "sum of entries"), known)
    if given.part == "sum of entries":
        return largest
    w = _over_the_largest(t, _W)
    signed = [termwise(le(a * w_entry(t) * _second, w_sup * Abs(_second)), [w]) for a in (1, -1)]
    sides = [added(one) for one in signed]
    value = stands_for("size of the third cumulant", eq(cumulant, Abs(total(w_entry(t) * _second))))
    goal = stated(CUBE, "bound")
    return given.follows(value, largest, *sides, *taken_apart(*sides), goal=goal)


@CUBE.proved("attained")
def independent_signs(given: Given) -> Theorem:
    """Two independent fair signs and their product."""
    return given.decided()


@dataclass(frozen=True)
class _Triple:
    """Logits, and three vectors of the cube as rows."""

    logits: Floats
    rows: Floats

    def point(self) -> list[Any]:
        """|κ₃(u, v, w)| and the largest entries."""
        p = softmax(self.logits)
        centred = self.rows - (self.rows @ p)[:, None]
        # Numbers of size at most 8 added up with weights: a few dozen roundings.
        third = Rounded(float(abs(np.prod(centred, axis=0) @ p)), 64 * 2.0**-52)
        return [third, *(float(np.max(np.abs(row))) for row in self.rows)]


@st.composite
def _triples(draw: st.DrawFn) -> _Triple:
    """Signs and inner points; four equal weights with two signs and their product among them."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    kind = draw(st.sampled_from(["fair", "signs", "inside", "equal"]))
    size = 4 if kind == "fair" else draw(st.integers(1, 8))
    z = draw(st.sampled_from([0.0, 0.1, 2.0])) * rng.standard_normal(size) * (kind != "fair")
    rows = rng.uniform(-1, 1, (3, size))
    if kind != "inside":
        rows = np.sign(rows)
    if kind == "fair":
        rows = np.array([[1.0, 1, -1, -1], [1, -1, 1, -1], [1, -1, -1, 1]])
    return _Triple(z, rows[[0, 0, 0]] if kind == "equal" else rows)


@CUBE.tested("bound", over=_triples)
def third_cumulants(case: _Triple) -> dict[Any, Any]:
    """The third cumulant of three values, beside the largest entries."""
    return dict(zip((cumulant, u_sup, v_sup, w_sup), case.point(), strict=True))


_BEST = 4 / (3 * sqrt(3))

DIAGONAL = claim(
    "st.fact1.cumulant.diagonal",
    title="The largest third central moment of a variable in [-1, 1]",
    states={
        "bound": le(cumulant_of_one, _BEST * u_sup**3),
        "attained": eq(cumulant_of_sign(-1 / sqrt(3)), _BEST),
    },
    given=[cumulant_of_one, u_sup],
    rests_on=[CUMULANT],
    **_RECORD,
)


@cache
def _below_a_line(sign: int) -> Theorem:
    """The mean of (u − ū)³, or of its negative, for entries in [−1, 1].

    y = u − ū lies in [A, B], A = −1 − ū, B = 1 − ū, and y³ is at most a line there: that through
    both ends if 2A + B ≥ 0, else the tangent at −B/2 through the right end.
    """
    p, u, m, slope, height = sp.symbols("p u m slope height", real=True)
    lower, upper = -1 - m, 1 - m
    touch = Max(lower, -upper / 2)
    line = {slope: touch**2 + touch * upper + upper**2, height: -touch * upper * (touch + upper)}
    where = [le(Abs(m), 1), *(eq(*one) for one in line.items())]
    goal = le(p * (u - m) ** 3, p * (slope * (u - m) + height))
    reals = dict.fromkeys((p, u, m, slope, height), sp.S.Reals)
    each = rules.follows(goal, over=reals, under=[*where, le(Abs(u), 1), ge(p, 0)])
    entries = _over_the_largest(t, _U)
    tokens = rules.instance(each, {p: _p, u: sign * u_unit(t)}, over=ranges_of(_p))
    over = {**ranges_of(_p), **{x: reals[x] for x in (m, slope, height)}}
    known = [tokens, entries, positive()]
    sum_ = added(rules.follows(tokens.statement, known, over=over, under=where))
    over.pop(t)
    is_mean = eq(m, sign * mean(u_unit(t)))
    goal = le(sum_.statement.lhs, _BEST)
    known = [sum_, *taken_apart(sum_.statement.rhs), normalised()]
    bound = rules.follows(le(sum_.statement.lhs, height), known, over=over, under=[*where, is_mean])
    best = rules.follows(le(height, _BEST), over={x: over[x] for x in (m, slope, height)},
                         under=where)  # fmt: skip
    bound = rules.follows(goal, [bound, best], over=over, under=[*where, is_mean])
    at = {x: value.xreplace({m: sign * _x}) for x, value in (line | {m: m}).items()}
    here = rules.instance(bound, at, over=ranges_of(_x))
    ends = [
        added(termwise(ge(_p * (1 + a * u_unit(t)), 0), [entries, positive()])) for a in (1, -1)
    ]
    return termwise(here.statement, [here, *ends, *taken_apart(*ends), normalised()])


@DIAGONAL.proved("bound")
def below_a_line(given: Given) -> Theorem:
    """Both signs of the mean of (u − ū)³, times the cube of the largest entry."""
    same = stands_for(
        "the same value three times", both(eq(v_entry(t), u_entry(t)), eq(w_entry(t), u_entry(t)))
    )
    value = stands_for(
        "size of the third cumulant", eq(cumulant_of_one, Abs(total(w_entry(t) * _second)))
    )
    means = []
    for entry in (v_entry, w_entry):
        each = eq(_p * entry(t), _p * u_entry(t))
        means.append(added(termwise(each, [same])))
    scaled = added(
        termwise(eq(_p * u_entry(t), u_sup * _p * u_unit(t)), [_over_the_largest(t, _U)])
    )
    centre = termwise(eq(mean(u_entry(s), s), u_sup * _x), [scaled, *taken_apart(scaled)])
    product = given.fact(CUMULANT).statement.rhs.args[0]
    cube = termwise(
        eq(product, u_sup**3 * _p * (u_unit(t) - _x) ** 3),
        [*means, same, centre, _over_the_largest(t, _U)],
    )
    sums_ = added(cube)
    known = [given.fact(CUMULANT), value, sums_, *taken_apart(sums_.statement.rhs)]
    signs = [_below_a_line(sign) for sign in (1, -1)]
    return given.follows(*known, *signs, *taken_apart(*signs), goal=stated(DIAGONAL, "bound"))


@DIAGONAL.proved("attained")
def two_tokens(given: Given) -> Theorem:
    """u = (1, −1) with weights (1 ∓ 3^(−1/2))/2."""
    return given.decided()


@DIAGONAL.tested("bound", over=_triples)
def third_central_moments(case: _Triple) -> dict[Any, Any]:
    """The third central moment of the first row, beside its largest entry."""
    third, largest, *_ = _Triple(case.logits, case.rows[[0, 0, 0]]).point()
    return {cumulant_of_one: third, u_sup: largest}


_HALF = logit_step / 2

LIPSCHITZ = claim(
    "st.fact1.lipschitz",
    title="Softmax is a contraction from the largest entry to the sum of entries",
    states={
        "bound": le(weight_step, 2 * tanh(_HALF)),
        "contraction": le(2 * tanh(_HALF), logit_step),
        "attained": eq(2 * (p_i(_HALF, exp(-_HALF)) - p_i(-_HALF, exp(_HALF))), 2 * tanh(_HALF)),
    },
    given=[weight_step, logit_step],
    rests_on=[FACT],
    **_RECORD,
)


@LIPSCHITZ.proved("bound")
def odds_of_a_subset(given: Given) -> Theorem:
    """The odds a/b of the tokens that gain weight grow by at most k², k = e^(largest difference).

    Half of the sum of entries is P′ − P = a′/(a′ + b′) − a/(a + b), at most (k − 1)/(k + 1).
    """
    q, chi, old, new = other_weight(t), above(t), exp(logit(t)), exp(other_logit(t))
    all_old, all_new = total(exp(logit(s)), s), total(exp(other_logit(s)), s)
    definition = stands_for("softmax weights", eq(_p, _p.unfolded()))
    other = stands_for("softmax weights of the other logits", eq(q, new / all_new))
    growing = stands_for(
        "indicator of the tokens that gain weight",
        both(
            sp.Or(sp.Eq(chi, 0), sp.Eq(chi, 1)),
            sp.Implies(q > _p, sp.Eq(chi, 1)),
            sp.Implies(q < _p, sp.Eq(chi, 0)),
        ),
    )
    largest = stands_for(
        "largest difference of logits", le(Abs(logit(t) - other_logit(t)), logit_step)
    )
    near = [
        facts.exponential_increases(one + logit_step, two, over=ranges_of(one, logit_step))
        for one, two in ((logit(t), other_logit(t)), (other_logit(t), logit(t)))
    ]
    k = sp.Symbol("k", positive=True)
    power = stands_for("the factor k by which odds may grow", eq(k, exp(logit_step)))
    above_one = facts.exponential_above_tangent(logit_step, over=ranges_of(logit_step))
    near += [power, above_one]
    distance = stands_for("distance of softmax", eq(weight_step, total(Abs(_p - q))))
    steps = [
        termwise(eq(Abs(_p - q), (2 * chi - 1) * (q - _p)), [growing]),
        termwise(eq(all_old * _p * chi, old * chi), [definition]),
        termwise(eq(all_old * _p, old), [definition]),
        termwise(eq(all_new * q * chi, new * chi), [other]),
        termwise(eq(all_new * q, new), [other]),
        termwise(le(new * chi, k * old * chi), [largest, *near, growing]),
        termwise(le(old * (1 - chi), k * new * (1 - chi)), [largest, *near, growing]),
        termwise(le(0, old * chi), [growing]),
        termwise(le(0, new * (1 - chi)), [growing]),
    ]
    sums_ = [added(one) for one in steps]
    known = [distance, *sums_, *taken_apart(*sums_), definition, other, power, above_one]
    a, a_new = total(old * chi), total(new * chi)
    moved = _largest_shift(a, all_old - a, a_new, all_new - a_new, k)
    conditions = [termwise(one, known) for one in moved.under]
    shift = termwise(moved.statement, [moved, *conditions])
    by_exponentials = rules.textbook(
        "hyperbolic tangent by exponentials",
        eq(tanh(_HALF), (exp(logit_step) - 1) / (exp(logit_step) + 1)),
        over=ranges_of(logit_step),
    )
    goal = stated(LIPSCHITZ, "bound")
    return given.follows(shift, by_exponentials, *conditions, *known, goal=goal)


def _largest_shift(*values: Any) -> Theorem:
    """a′/(a′ + b′) − a/(a + b) ≤ (k − 1)/(k + 1) for a′ ≤ ka and b ≤ kb′."""
    letters = sp.symbols("a b a' b' k", real=True)
    old, others, new, new_others, k = letters
    under = [le(0, old), le(0, others), le(0, new_others), le(new, k * old)]
    under += [le(others, k * new_others), le(1, k), gt(old + others, 0), gt(new + new_others, 0)]
    goal = le(new / (new + new_others) - old / (old + others), (k - 1) / (k + 1))
    lemma = rules.follows(goal, over=dict.fromkeys(letters, sp.S.Reals), under=under)
    at = dict(zip(letters, values, strict=True))
    return rules.instance(lemma, at, over=ranges_of(*values))


@LIPSCHITZ.proved("contraction")
def slope_of_the_hyperbolic_tangent(given: Given) -> Theorem:
    """x − tanh x has the slope tanh² x."""
    x, y = sp.symbols("x y", real=True)
    slope = rules.follows(tanh(x) ** 2 >= 0, over={x: sp.Interval(0, sp.oo)})
    grows = facts.increasing(slope, x - tanh(x), x, y)
    at = rules.instance(grows, {x: 0, y: _HALF}, over=ranges_of(logit_step))
    return given.follows(at)


@LIPSCHITZ.proved("attained")
def two_opposite_logits(given: Given) -> Theorem:
    """Two tokens with the logits ±r/2, and the same with the signs exchanged."""
    half, other = exp(_HALF), exp(-_HALF)
    definition = eq(tanh(_HALF), (half - other) / (half + other))
    tangent = rules.textbook("hyperbolic tangent", definition, over=ranges_of(logit_step))
    return given.follows(tangent, goal=unfolded(given.goal))


@st.composite
def _pairs(draw: st.DrawFn) -> tuple[Floats, Floats]:
    """Two rows of logits, some opposite, some moved by signs."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    size, scale = draw(st.integers(1, 6)), draw(st.sampled_from([1e-3, 0.1, 1.0, 5.0]))
    z = scale * rng.standard_normal(size)
    if draw(st.booleans()):
        z = scale * np.resize([0.5, -0.5], size)
        return z, -z
    return z, z + scale * np.sign(rng.standard_normal(size))


@LIPSCHITZ.tested("bound", over=_pairs)
def distance_of_softmax(case: tuple[Floats, Floats]) -> dict[Any, Any]:
    """The distance of two softmax vectors, and of their logits."""
    first, second = case
    gaps = [abs(Fraction(x) - Fraction(y)) for x, y in zip(first, second, strict=True)]
    # Weights add up to 1 with errors of a few units in their last place.
    distance = float(np.abs(softmax(first) - softmax(second)).sum())
    return {weight_step: Rounded(distance, 32 * 2.0**-52), logit_step: max(gaps)}

"""Fact 1: how large the second derivative of softmax can be.

With means under the weights it is p_t((u_t − ū)(v_t − v̄) − C), C = Cov(u, v).
"""

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import sympy as sp
from hypothesis import strategies as st
from sympy import Abs, Max, sqrt

from numeric.arguments import Floats
from numeric.softmax_jacobian import softmax
from theorems.engine import Given, Rounded, both, eq, ge, implies, le
from theorems.engine.rules import Theorem
from theorems.shallow_transformer.letters.paper import T, claim, cumulant, u_sup, v_sup, w_sup
from theorems.shallow_transformer.letters.token import (
    cumulant_of_one,
    cumulant_of_sign,
    cumulant_of_signs,
    mean,
    r,
    s,
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
from theorems.shallow_transformer.premises.named import ONE_HEAD
from theorems.shallow_transformer.premises.networks import stated
from theorems.shallow_transformer.premises.token_sums import added, normalised, positive, taken_apart
from theorems.shallow_transformer.sampling.objects import by_number, objects_of_logits
from theorems.shallow_transformer.useful_facts.softmax.cumulants import (
    RECORD,
    SECOND,
    WEIGHT,
    derivative_of_softmax,
)

CUBE = claim(
    "st.fact1.cumulant.cube",
    title="The best constant for the second derivative of softmax",
    states={
        "bound": le(cumulant, u_sup * v_sup * w_sup),
        "sum of entries": le(total(Abs(SECOND)), u_sup * v_sup),
        "attained": eq(cumulant_of_signs(0, 0), 1),
    },
    rests_on=["st.fact1"],
    **RECORD,
)


def _over_the_largest(index: Any, *names: tuple[Any, Any, Any]) -> Theorem:
    """Values of tokens are their quotient by the largest times it; these are in [-1, 1]."""
    found, known = [], []
    for entry, top, unit in names:
        quotient = both(eq(entry(index), top * unit(index)), implies(eq(top, 0), eq(unit(index), 0)))
        size = ONE_HEAD.largest("the largest value of a token", le(Abs(entry(index)), top))
        known += [ONE_HEAD.meaning("values of tokens over the largest", quotient), size]
        found += [ONE_HEAD.follows(*known[-2:], goal=le(Abs(unit(index)), 1))]
    said = [eq(entry(index), top * unit(index)) for entry, top, unit in names]
    return ONE_HEAD.follows(*known, *found, goal=both(*said, *(one.statement for one in found)))


_U, _V, _W = (u_entry, u_sup, u_unit), (v_entry, v_sup, v_unit), (w_entry, w_sup, w_unit)
_x, _y = mean(u_unit(s), s), mean(v_unit(s), s)
_C = total(weight(r, T) * (v_unit(r) - _y) * u_unit(r), r)


@cache
def _in_the_cube() -> Theorem:
    """D²σ_t[u, v] = p_t g_t for entries over the largest, g = (u − ū)(v − v̄) − C."""
    scaled = []
    for index, name in ((s, _U), (s, _V)):
        entry, largest, unit = name
        each = ONE_HEAD.follows(
            _over_the_largest(index, name),
            goal=eq(weight(index, T) * entry(index), largest * weight(index, T) * unit(index)),
        )
        scaled.append(added(each, index))
    product = weight(r, T) * v_entry(r) * u_entry(r)
    unit_product = u_sup * v_sup * weight(r, T) * v_unit(r) * u_unit(r)
    scaled.append(added(ONE_HEAD.follows(_over_the_largest(r, _U, _V), goal=eq(product, unit_product)), r))
    (moved,) = (one for one in SECOND.unfolded().atoms(sp.Sum) if one.limits[0][0] == r)
    known = [*scaled, *taken_apart(moved, _C, *scaled)]
    means = ONE_HEAD.follows(
        *known,
        goal=both(
            eq(mean(u_entry(s), s), u_sup * _x),
            eq(mean(v_entry(s), s), v_sup * _y),
            eq(moved, u_sup * v_sup * _C),
        ),
    )
    goal = eq(SECOND, u_sup * v_sup * WEIGHT * _GAP)
    return ONE_HEAD.follows(derivative_of_softmax(), means, _over_the_largest(t, _U, _V), goal=goal)


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
    first = ONE_HEAD.follows(goal=ge((1 - u**2) * (1 - 2 * y * v + y**2), 0), under=inside)
    second = ONE_HEAD.follows(goal=ge((u - x) ** 2 * (1 - v**2), 0), under=inside)
    square = ONE_HEAD.follows(first, second, goal=le(gap**2, signs), under=inside)
    small = ONE_HEAD.follows(goal=le(2 * Abs(g), 1 + g**2))
    half = ONE_HEAD.follows(square, small, goal=le(2 * Abs(gap), 1 + signs), under=inside)
    times = ONE_HEAD.follows(goal=le(2 * p * Abs(g), p * (1 + q)), under=[ge(p, 0), le(2 * Abs(g), 1 + q)])
    weighted = ONE_HEAD.substituted(times, {g: gap, q: signs})
    goal = le(2 * p * Abs(gap), p * (1 + signs))
    result = ONE_HEAD.follows(weighted, half, goal=goal, under=[*inside, ge(p, 0)])
    return ONE_HEAD.substituted(result, {u: u_unit(t), v: v_unit(t), p: WEIGHT})


@cache
def _mean_of_the_gap() -> Theorem:
    """Σ 2p|g| ≤ 2: the mean of the polynomial is (1 − ū²)(1 − v̄²) + 4ūv̄C − C² ≤ 1.

    For C = Σ p u v − ū v̄ is limited by Σ p(1 ± u)(1 ± v) ≥ 0.
    """
    cube = [_over_the_largest(t, _U, _V), positive()]
    each = _bounded_by_signs()
    sum_ = added(ONE_HEAD.follows(each, *cube, goal=each.statement))
    corners = [
        added(ONE_HEAD.follows(*cube, goal=ge(WEIGHT * (1 + a * u_unit(t)) * (1 + b * v_unit(t)), 0)))
        for a in (1, -1)
        for b in (1, -1)
    ]
    (x, y, c), product = _MEANS, mean(u_unit(t) * v_unit(t))
    are_means = [eq(x, mean(u_unit(t))), eq(y, mean(v_unit(t))), eq(c, product - x * y)]

    def at_the_means(goal: Any, *known: Theorem) -> Theorem:
        return ONE_HEAD.follows(*known, goal=goal, under=are_means)

    limits = [ge((1 + a * x) * (1 + b * y) + a * b * c, 0) for a in (1, -1) for b in (1, -1)]
    signs = (1 - x**2) * (1 - y**2) + 4 * x * y * c - c**2
    small = _at_most_one(signs, limits)
    known = [*corners, *taken_apart(*corners), normalised()]
    limited = [at_the_means(one, *known) for one in limits]
    of_signs = le(sum_.statement.lhs, 1 + signs)
    bound = at_the_means(of_signs, sum_, *taken_apart(sum_), normalised())
    two = at_the_means(le(sum_.statement.lhs, 2), bound, small, *limited)
    here = ONE_HEAD.substituted(two, dict(zip(_MEANS, (_x, _y, _C), strict=True)))
    return ONE_HEAD.follows(here, *taken_apart(_C), goal=here.statement)


def _at_most_one(signs: Any, limits: list[Any]) -> Theorem:
    """(1 − x²)(1 − y²) + 4xyc − c² ≤ 1, by the sign of xy: it is 1 + f(xy, c) − (x − y)².

    Here f(p, c) = p² − 2p + 4pc − c² ≤ 0 for 0 ≤ p ≤ 1 and p + c ≤ 1, and also for −xy and −c.
    """
    x, y, c = _MEANS
    p = sp.Symbol("p", real=True)
    where = [ge(p, 0), le(p, 1), le(p + c, 1)]
    form = ONE_HEAD.follows(goal=le(p**2 - 2 * p + 4 * p * c - c**2, 0), under=where)
    cases = []
    for sign in (1, -1):
        here = ONE_HEAD.substituted(form, {p: sign * x * y, c: sign * c})
        rest = ONE_HEAD.follows(goal=eq(signs, 1 + here.statement.lhs - (x - sign * y) ** 2))
        within = [le(sign * x * y, 1), le(sign * x * y + sign * c, 1)]
        known = [here, rest, *(ONE_HEAD.follows(goal=one, under=limits) for one in within)]
        cases.append(ONE_HEAD.follows(*known, goal=le(signs, 1), under=[*limits, ge(sign * x * y, 0)]))
    return ONE_HEAD.follows(*cases, goal=le(signs, 1), under=limits)


@CUBE.proved("sum of entries", "bound")
def mean_of_the_gap(given: Given) -> Theorem:
    """|D²σ_t| = p_t|g_t| times both largest entries; w adds its own."""
    gap = _mean_of_the_gap()
    goal = eq(2 * Abs(SECOND), u_sup * v_sup * gap.statement.lhs.args[0])
    sum_ = added(ONE_HEAD.follows(_in_the_cube(), positive(), goal=goal))
    known = [sum_, gap, *taken_apart(gap, *sum_.statement.args)]
    largest = ONE_HEAD.follows(*known, goal=stated(CUBE, "sum of entries"))
    if given.part == "sum of entries":
        return given.concluded(largest)
    w = _over_the_largest(t, _W)
    signed = [ONE_HEAD.follows(w, goal=le(a * w_entry(t) * SECOND, w_sup * Abs(SECOND))) for a in (1, -1)]
    sides = [added(one) for one in signed]
    value = ONE_HEAD.meaning("size of the third cumulant", eq(cumulant, Abs(total(w_entry(t) * SECOND))))
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
    entries = dict(zip((u_entry, v_entry, w_entry), map(by_number, case.rows), strict=True))
    quantities = zip((cumulant, u_sup, v_sup, w_sup), case.point(), strict=True)
    return {**objects_of_logits(case.logits), **entries, **dict(quantities)}


_BEST = 4 / (3 * sqrt(3))

DIAGONAL = claim(
    "st.fact1.cumulant.diagonal",
    title="The largest third central moment of a variable in [-1, 1]",
    states={
        "bound": le(cumulant_of_one, _BEST * u_sup**3),
        "attained": eq(cumulant_of_sign(-1 / sqrt(3)), _BEST),
    },
    rests_on=["st.fact1.cumulant"],
    **RECORD,
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
    each = ONE_HEAD.follows(goal=goal, under=[*where, le(Abs(u), 1), ge(p, 0)])
    entries = _over_the_largest(t, _U)
    tokens = ONE_HEAD.substituted(each, {p: WEIGHT, u: sign * u_unit(t)})
    sum_ = added(ONE_HEAD.follows(tokens, entries, positive(), goal=tokens.statement, under=where))
    at_the_mean = [*where, eq(m, sign * mean(u_unit(t)))]
    known = [sum_, *taken_apart(sum_.statement.rhs), normalised()]
    bound = ONE_HEAD.follows(*known, goal=le(sum_.statement.lhs, height), under=at_the_mean)
    best = ONE_HEAD.follows(goal=le(height, _BEST), under=where)
    bound = ONE_HEAD.follows(bound, best, goal=le(sum_.statement.lhs, _BEST), under=at_the_mean)
    at = {x: value.xreplace({m: sign * _x}) for x, value in (line | {m: m}).items()}
    here = ONE_HEAD.substituted(bound, at)
    ends = [
        added(ONE_HEAD.follows(entries, positive(), goal=ge(WEIGHT * (1 + a * u_unit(t)), 0)))
        for a in (1, -1)
    ]
    return ONE_HEAD.follows(here, *ends, *taken_apart(*ends), normalised(), goal=here.statement)


@DIAGONAL.proved("bound")
def below_a_line(given: Given) -> Theorem:
    """Both signs of the mean of (u − ū)³, times the cube of the largest entry."""
    same = ONE_HEAD.meaning(
        "the same value three times", both(eq(v_entry(t), u_entry(t)), eq(w_entry(t), u_entry(t)))
    )
    value = ONE_HEAD.meaning(
        "size of the third cumulant", eq(cumulant_of_one, Abs(total(w_entry(t) * SECOND)))
    )
    means = [
        added(ONE_HEAD.follows(same, goal=eq(WEIGHT * entry(t), WEIGHT * u_entry(t))))
        for entry in (v_entry, w_entry)
    ]
    scaled = added(
        ONE_HEAD.follows(_over_the_largest(t, _U), goal=eq(WEIGHT * u_entry(t), u_sup * WEIGHT * u_unit(t)))
    )
    centre = ONE_HEAD.follows(scaled, *taken_apart(scaled), goal=eq(mean(u_entry(s), s), u_sup * _x))
    product = given.fact("st.fact1.cumulant").statement.rhs.args[0]
    cube = ONE_HEAD.follows(
        *means,
        same,
        centre,
        _over_the_largest(t, _U),
        goal=eq(product, u_sup**3 * WEIGHT * (u_unit(t) - _x) ** 3),
    )
    sums_ = added(cube)
    known = [given.fact("st.fact1.cumulant"), value, sums_, *taken_apart(sums_.statement.rhs)]
    signs = [_below_a_line(sign) for sign in (1, -1)]
    return given.concluded(*known, *signs, *taken_apart(*signs))


@DIAGONAL.proved("attained")
def two_tokens(given: Given) -> Theorem:
    """u = (1, −1) with weights (1 ∓ 3^(−1/2))/2."""
    return given.decided()


@DIAGONAL.tested("bound", over=_triples)
def third_central_moments(case: _Triple) -> dict[Any, Any]:
    """The third central moment of the first row, beside its largest entry."""
    third, largest, *_ = _Triple(case.logits, case.rows[[0, 0, 0]]).point()
    entries = {**objects_of_logits(case.logits), u_entry: by_number(case.rows[0])}
    return {**entries, cumulant_of_one: third, u_sup: largest}

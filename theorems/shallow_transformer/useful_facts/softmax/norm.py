"""Fact 1: the norm of the Jacobian from l∞ to l1, by sets of tokens.

‖Ju‖₁ = Σ p_t|u_t − ū| is largest at signs, where it is 4P(A)(1 − P(A)) for the set A of the tokens
with the sign 1.
"""

from dataclasses import dataclass
from itertools import combinations, product
from typing import Any

import numpy as np
import sympy as sp
from hypothesis import strategies as st
from sympy import Abs, Eq, Or, Rational

from numeric.arguments import Floats
from numeric.softmax_jacobian import best_subset, softmax
from symbolic.softmax_jacobian import infinity_to_one_norm as exact_norm
from theorems.engine import Given, Provenance, Rounded, both, eq, ge, gt, iff, implies, integers, le
from theorems.engine.rules import Theorem, instance
from theorems.engine.rules.sums import by_recursion
from theorems.shallow_transformer.letters.paper import J_norm, T, claim, p_max
from theorems.shallow_transformer.letters.token import (
    P_best,
    above,
    chosen,
    mean,
    p_i,
    s,
    t,
    token,
    total,
    u_entry,
    weight,
)
from theorems.shallow_transformer.premises.matrices.softmax_jacobian import image, size_of_the_image
from theorems.shallow_transformer.premises.named import ONE_HEAD, as_declared
from theorems.shallow_transformer.premises.token_sums import (
    added,
    each_at_most_the_sum,
    normalised,
    positive,
    taken_apart,
)
from theorems.shallow_transformer.sampling.objects import by_number, objects_of_logits
from theorems.shallow_transformer.useful_facts.softmax.jacobian import FACT, JU, NOTE, U_MEAN, at_the_largest

NORM = claim(
    "st.fact1.norm",
    at="Fact 1",
    title="The norm from the largest entry to the sum of entries, by the set of weight next to 1/2",
    states={
        "at most": le(J_norm, 4 * P_best * (1 - P_best)),
        "at least": le(4 * P_best * (1 - P_best), J_norm),
    },
    rests_on=[FACT],
    provenance=Provenance.DERIVED,
    note=NOTE,
)


def _is_indicator(of: Any) -> Any:
    return Or(Eq(of(t), 0), Eq(of(t), 1))


def _weight_of_a_set(of: Any, indicator: Theorem) -> Theorem:
    """0 ≤ P(A) ≤ 1."""
    each, share = [indicator, positive()], weight(t, T) * of(t)
    low = added(ONE_HEAD.follows(*each, goal=le(0, share)))
    high = added(ONE_HEAD.follows(*each, goal=le(share, weight(t, T))))
    known = [low, high, *taken_apart(low), normalised()]
    return ONE_HEAD.follows(*known, goal=both(le(0, mean(of(t))), le(mean(of(t)), 1)))


def _split(of: Any, indicator: Theorem) -> list[Theorem]:
    """Σ p|χ − P(A)| = 2P(A)(1 − P(A)), term by term, as terms whose sums are known."""
    size = mean(of(s), s)
    apart = weight(t, T) * (of(t) * (1 - size) + (1 - of(t)) * size)
    each = [indicator, positive(), _weight_of_a_set(of, indicator)]
    known = ONE_HEAD.follows(*each, goal=eq(weight(t, T) * Abs(of(t) - size), apart))
    sum_ = added(known)
    return [known, sum_, *taken_apart(sum_.statement.rhs)]


@NORM.proved("at most")
def tokens_above_the_mean(given: Given) -> Theorem:
    """‖Ju‖₁ = 2Σ p u(χ − P) ≤ 2Σ p|χ − P| = 4P(1 − P) for A = {u > ū}."""
    size, entries, _ = at_the_largest()
    indicator = ONE_HEAD.meaning(
        "indicator of the tokens above the mean",
        both(
            implies(gt(u_entry(t), U_MEAN), eq(above(t), 1)), implies(le(u_entry(t), U_MEAN), eq(above(t), 0))
        ),
    )
    best = ONE_HEAD.least(
        "A*, to which no set of tokens has a weight nearer to one half",
        le(Abs(P_best - Rational(1, 2)), Abs(mean(above(s), s) - Rational(1, 2))),
    )
    P_A, p, u, chi = mean(above(s), s), weight(t, T), u_entry(t), above(t)
    signs = ONE_HEAD.follows(indicator, positive(), goal=eq(Abs(JU), p * (2 * chi - 1) * (u - U_MEAN)))
    sizes = ONE_HEAD.follows(entries, positive(), goal=le(p * u * (chi - P_A), p * Abs(chi - P_A)))
    signed, bound = added(signs), added(sizes)
    apart = taken_apart(signed.statement.rhs, bound.statement.lhs)
    known = [size, signed, bound, *apart, *_split(above, indicator)[1:], normalised()]
    return given.follows(ONE_HEAD.follows(*known, goal=le(J_norm, 4 * P_A * (1 - P_A))), best)


def of_the_best_set() -> list[Theorem]:
    """A* is a set of tokens, and P(A*) its weight."""
    indicator = ONE_HEAD.meaning("indicator of A*", _is_indicator(chosen))
    return [indicator, ONE_HEAD.meaning("weight of A*", eq(P_best, mean(chosen(t))))]


@NORM.proved("at least")
def signs_of_the_best_set(given: Given) -> Theorem:
    """‖Ju‖₁ = 2Σ p|χ − P| = 4P(1 − P) for u = 2χ − 1, the signs of A*."""
    indicator, of_best = of_the_best_set()
    signs = ONE_HEAD.meaning("u, the signs of A*", eq(u_entry(t), 2 * chosen(t) - 1))
    top = ONE_HEAD.largest("the norm, the largest over the cube", le(total(Abs(image(u_entry))), J_norm))
    at_signs = ONE_HEAD.follows(top, size_of_the_image(u_entry), goal=le(total(Abs(JU)), J_norm))
    values = weight(t, T) * u_entry(t)
    centre = added(ONE_HEAD.follows(signs, goal=eq(values, weight(t, T) * (2 * chosen(t) - 1))))
    apart = taken_apart(centre.statement.rhs)
    each, split, *sums_ = _split(chosen, indicator)
    doubled = eq(Abs(JU), 2 * each.statement.lhs)
    same = added(ONE_HEAD.follows(positive(), signs, centre, *apart, normalised(), goal=doubled))
    known = [of_best, at_signs, same, *taken_apart(same.statement.rhs), split, *sums_, normalised()]
    return given.follows(*known)


@dataclass(frozen=True)
class _Cube:
    """Logits, and a vector of the cube."""

    logits: Floats
    u: Floats

    @property
    def norm(self) -> Rounded:
        """The largest |Ju|_1 over all signs and the vector."""
        p = softmax(self.logits)
        rows = np.array([*product((-1.0, 1.0), repeat=len(p)), self.u])
        sums = np.sum(p * np.abs(rows - (rows @ p)[:, None]), axis=1)
        return Rounded(float(np.max(sums)), _ROUNDING)

    @property
    def best(self) -> Rounded:
        """The weight of the set that is found by meeting in the middle."""
        p = softmax(self.logits)
        return Rounded(float(p[best_subset(self.logits)].sum()), _ROUNDING)


# Every weight is good to a few units in the last place, and so is each of the two sums of at most
# eight terms: 32 machine epsilons are more than all of them.
_ROUNDING = 32 * 2.0**-52


@st.composite
def _cubes(draw: st.DrawFn) -> _Cube:
    """Logits with ties, sums that halve, and gaps; vectors at corners and inside."""
    size = draw(st.integers(1, 8))
    numbers = draw(st.lists(st.integers(1, 6), min_size=size, max_size=size))
    spread = draw(st.sampled_from([0.0, 1.0, 1.0, 30.0]))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    z = np.log(np.array(numbers)) + spread * rng.standard_normal(size) * draw(st.integers(0, 1))
    corner = np.where(best_subset(z), 1.0, -1.0)
    inside = rng.uniform(-1, 1, size)
    kind = draw(st.sampled_from(["best", "inside"]))
    return _Cube(z, {"best": corner, "inside": inside}[kind])


@NORM.tested(("at most", "at least"), over=_cubes)
def largest_over_signs_and_inside(case: _Cube) -> dict[Any, Any]:
    """The largest |Ju|_1 found over all signs and one more vector, and the signs of A*."""
    best = best_subset(case.logits).astype(float)
    set_and_signs = {chosen: by_number(best), u_entry: by_number(2 * best - 1)}
    return {**objects_of_logits(case.logits), **set_and_signs, J_norm: case.norm, P_best: case.best}


_RATIONAL = st.lists(st.integers(1, 7), min_size=1, max_size=6)


@NORM.tested(("at most", "at least"), over=_RATIONAL, cases=40)
def exactly_at_rational_weights(numbers: list[int]) -> dict[Any, Any]:
    """The norm over all signs and the best subset, both by enumeration in rational numbers."""
    p = [Rational(k, sum(numbers)) for k in numbers]
    subsets = (chosen for size in range(len(p) + 1) for chosen in combinations(p, size))
    best = min((sp.Add(*one) for one in subsets), key=lambda mass: abs(mass - Rational(1, 2)))
    return {J_norm: exact_norm(p)[0], P_best: best}


#: How many tokens come after the heaviest.
AFTER = sp.Symbol("tokens after it", integer=True, nonnegative=True)
_EVEN = p_i(sp.log(T - 1), T - 1)

SHARP = FACT.sharpened(
    "st.fact1.sharp",
    title="The norm is at most 1, half of what is printed; when it is 1",
    states={
        "bound": le(J_norm, 1),
        "equality": iff(eq(J_norm, 1), eq(P_best, Rational(1, 2))),
        "attained": eq(_EVEN, Rational(1, 2)),
    },
    given={T: integers(2)},
    rests_on=[NORM],
    note=NOTE,
)


@SHARP.proved("bound", "equality")
def square_of_the_difference(given: Given) -> Theorem:
    """1 − 4P(1 − P) = (1 − 2P)², which vanishes at P = 1/2 only."""
    return given.follows(*_norm(given))


@SHARP.proved("attained")
def one_token_against_all_others(given: Given) -> Theorem:
    """One logit log(T − 1), all others 0: that token has half of the weight, for every T ≥ 2."""
    return given.decided()


@SHARP.tested("bound", over=_cubes)
def norm_over_one(case: _Cube) -> dict[Any, Any]:
    """The largest |Ju|_1 found."""
    return {J_norm: case.norm}


def _norm(given: Given) -> list[Theorem]:
    """What the norm is, as what it is at most and at least."""
    return [given.fact(NORM, part) for part in ("at most", "at least")]


_HEAVY = implies(ge(p_max, Rational(1, 2)), eq(J_norm, 4 * p_max * (1 - p_max)))
_NEXT = (T - 1) / (2 * T)
_HEAVIEST = sp.Symbol("number of the heaviest token", integer=True, positive=True)

BOUNDS = claim(
    "st.fact1.norm.bounds",
    at="Fact 1",
    title="The norm from the largest weight alone, attained by an odd number of equal weights",
    states={
        "heavy token": _HEAVY,
        "no heavy token": [le(1 - p_max**2, J_norm), le(J_norm, 1)],
        "attained": eq(4 * _NEXT * (1 - _NEXT), 1 - (1 / T) ** 2),
    },
    rests_on=[NORM],
    provenance=Provenance.DERIVED,
    note=NOTE,
    excused=dict.fromkeys(
        ("sign of 1", "term 1"), "less than a lower bound is one as well; the printed one is attained"
    ),
)


@BOUNDS.proved("heavy token")
def with_or_without_the_heaviest_token(given: Given) -> Theorem:
    """P(A*) ≥ p_max or P(A*) ≤ 1 − p_max, but no further from one half than p_max."""
    heaviest = ONE_HEAD.meaning(
        "the largest weight, that of one of the tokens",
        both(eq(p_max, weight(_HEAVIEST, T)), eq(T, _HEAVIEST + AFTER)),
    )
    best = ONE_HEAD.least(
        "A*, to which the heaviest token alone is no nearer to one half",
        le(Abs(P_best - Rational(1, 2)), Abs(p_max - Rational(1, 2))),
    )
    indicator, of_best = of_the_best_set()
    shares = (
        each_at_most_the_sum(ONE_HEAD.follows(indicator, positive(), goal=le(0, weight(t, T) * one)))
        for one in (chosen(t), 1 - chosen(t))
    )
    inside, outside = (instance(one, {token: _HEAVIEST}) for one in shares)
    here = instance(indicator, {t: _HEAVIEST})
    known = [heaviest, of_best, inside, outside, here, *taken_apart(outside), normalised()]
    sides = ONE_HEAD.follows(*known, goal=Or(ge(P_best, p_max), le(P_best, 1 - p_max)))
    return given.follows(*_norm(given), sides, best)


@BOUNDS.proved("no heavy token")
def each_token_to_the_lighter_side(given: Given) -> Theorem:
    """The next token goes to the lighter side: the sides never differ by more than p_max."""
    n = sp.Symbol("n", integer=True, nonnegative=True)
    side, whole = sp.Function("weight of the first side", real=True), total(weight(t, T), t, n)
    more = 2 * side(n) - whole
    sides = ONE_HEAD.meaning(
        "the first of two sides of tokens, which is given the next token if it is the lighter one",
        eq(side(0), 0),
        implies(le(more, 0), eq(side(n + 1), side(n) + weight(n + 1, T))),
        implies(gt(more, 0), eq(side(n + 1), side(n))),
    )
    top = ONE_HEAD.largest("the largest weight", le(weight(t, T), p_max))
    numbered = {n: integers(0), **as_declared(T, p_max)}
    sizes = [instance(one, {t: n + 1}, over=numbered) for one in (positive(), top)]
    begun = [instance(sides, {n: 0}), instance(positive(), {t: 1}), instance(top, {t: 1})]
    small = by_recursion(
        le(Abs(more), p_max), n, premises=[sides, *sizes, *begun], over=as_declared(T, p_max)
    )
    best = ONE_HEAD.least(
        "A*, to which no set of tokens has a weight nearer to one half",
        le(Abs(P_best - Rational(1, 2)), Abs(side(T) - Rational(1, 2))),
    )
    return given.follows(*_norm(given), best, instance(small, {n: T}), normalised())


@BOUNDS.proved("attained")
def odd_number_of_equal_weights(given: Given) -> Theorem:
    """Of an odd number T of equal weights, (T − 1)/2 have the weight next to one half."""
    return given.follows()


@BOUNDS.tested("no heavy token", over=_cubes)
def lower_bound_over_norm(case: _Cube) -> dict[Any, Any]:
    """The largest weight and the norm."""
    largest = Rounded(float(np.max(softmax(case.logits))), _ROUNDING)
    return {**objects_of_logits(case.logits), J_norm: case.norm, p_max: largest}

"""Fact 1: softmax is a contraction from the largest entry to the sum of entries."""

from fractions import Fraction
from typing import Any

import numpy as np
import sympy as sp
from hypothesis import strategies as st
from sympy import Abs, exp, tanh

from numeric.arguments import Floats
from numeric.softmax_jacobian import softmax
from theorems.classical import functions
from theorems.engine import Given, Rounded, both, eq, gt, le, rules
from theorems.engine.rules import Theorem, facts, principles
from theorems.engine.statements.values import unfolded
from theorems.shallow_transformer.letters.paper import LETTERS, claim, logit_step, weight_step
from theorems.shallow_transformer.letters.token import above, logit, other_logit, other_weight, s, t, total
from theorems.shallow_transformer.premises.named import ONE_HEAD
from theorems.shallow_transformer.premises.token_sums import added, taken_apart
from theorems.shallow_transformer.useful_facts.softmax.cumulants import RECORD, WEIGHT

first_of_two = LETTERS.function(
    "first_of_two",
    r"\sigma_s(x,-x)_1",
    "softmax weight of the first of two tokens with opposite logits, by the first logit",
    closed_form=lambda x: exp(x) / (exp(x) + exp(-x)),
)

_HALF = logit_step / 2

LIPSCHITZ = claim(
    "st.fact1.lipschitz",
    title="Softmax is a contraction from the largest entry to the sum of entries",
    states={
        "bound": le(weight_step, 2 * tanh(_HALF)),
        "contraction": le(2 * tanh(_HALF), logit_step),
        "attained": eq(2 * (first_of_two(_HALF) - first_of_two(-_HALF)), 2 * tanh(_HALF)),
    },
    rests_on=["st.fact1"],
    **RECORD,
)


@LIPSCHITZ.proved("bound")
def odds_of_a_subset(given: Given) -> Theorem:
    """The odds a/b of the tokens that gain weight grow by at most k², k = e^(largest difference).

    Half of the sum of entries is P′ − P = a′/(a′ + b′) − a/(a + b), at most (k − 1)/(k + 1).
    """
    q, chi, old, new = other_weight(t), above(t), exp(logit(t)), exp(other_logit(t))
    all_old, all_new = total(exp(logit(s)), s), total(exp(other_logit(s)), s)
    definition = ONE_HEAD.meaning("softmax weights", eq(WEIGHT, WEIGHT.unfolded()))
    other = ONE_HEAD.meaning("softmax weights of the other logits", eq(q, new / all_new))
    growing = ONE_HEAD.meaning(
        "indicator of the tokens that gain weight",
        both(sp.Implies(q > WEIGHT, sp.Eq(chi, 1)), sp.Implies(q <= WEIGHT, sp.Eq(chi, 0))),
    )
    step = ONE_HEAD.largest(
        "the largest difference of logits", le(Abs(logit(t) - other_logit(t)), logit_step)
    )
    near = [
        facts.exponential_increases(one + logit_step, two)
        for one, two in ((logit(t), other_logit(t)), (other_logit(t), logit(t)))
    ]
    k = sp.Symbol("k", positive=True)
    power = ONE_HEAD.meaning("the factor k by which odds may grow", eq(k, exp(logit_step)))
    above_one = facts.exponential_above_tangent(logit_step)
    near += [power, above_one]
    distance = ONE_HEAD.meaning("distance of softmax", eq(weight_step, total(Abs(WEIGHT - q))))
    steps = [
        ONE_HEAD.follows(growing, goal=eq(Abs(WEIGHT - q), (2 * chi - 1) * (q - WEIGHT))),
        ONE_HEAD.follows(definition, goal=eq(all_old * WEIGHT * chi, old * chi)),
        ONE_HEAD.follows(definition, goal=eq(all_old * WEIGHT, old)),
        ONE_HEAD.follows(other, goal=eq(all_new * q * chi, new * chi)),
        ONE_HEAD.follows(other, goal=eq(all_new * q, new)),
        ONE_HEAD.follows(step, *near, growing, goal=le(new * chi, k * old * chi)),
        ONE_HEAD.follows(step, *near, growing, goal=le(old * (1 - chi), k * new * (1 - chi))),
        ONE_HEAD.follows(growing, goal=le(0, old * chi)),
        ONE_HEAD.follows(growing, goal=le(0, new * (1 - chi))),
    ]
    sums_ = [added(one) for one in steps]
    known = [distance, *sums_, *taken_apart(*sums_), definition, other, power, above_one]
    a, a_new = total(old * chi), total(new * chi)
    moved = _largest_shift(a, all_old - a, a_new, all_new - a_new, k)
    conditions = [ONE_HEAD.follows(*known, goal=one) for one in moved.conditions]
    shift = ONE_HEAD.follows(moved, *conditions, goal=moved.statement)
    h = sp.Symbol("h", real=True)
    by_odds = eq(tanh(h), (exp(2 * h) - 1) / (exp(2 * h) + 1))
    by_odds = ONE_HEAD.follows(functions.by_exponentials(h), goal=by_odds)
    return given.concluded(shift, ONE_HEAD.substituted(by_odds, {h: _HALF}), *conditions, *known)


def _largest_shift(*values: Any) -> Theorem:
    """a′/(a′ + b′) − a/(a + b) ≤ (k − 1)/(k + 1) for a′ ≤ ka and b ≤ kb′."""
    letters = sp.symbols("a b a' b' k", real=True)
    old, others, new, new_others, k = letters
    under = [le(0, old), le(0, others), le(0, new_others), le(new, k * old)]
    under += [le(others, k * new_others), le(1, k), gt(old + others, 0), gt(new + new_others, 0)]
    goal = le(new / (new + new_others) - old / (old + others), (k - 1) / (k + 1))
    return ONE_HEAD.substituted(
        ONE_HEAD.follows(goal=goal, under=under), dict(zip(letters, values, strict=True))
    )


@LIPSCHITZ.proved("contraction")
def slope_of_the_hyperbolic_tangent(given: Given) -> Theorem:
    """x − tanh x has the slope tanh² x."""
    x, y = sp.symbols("x y", real=True)
    slope = rules.follows(tanh(x) ** 2 >= 0, over={x: sp.Interval(0, sp.oo)})
    grows = principles.increasing(slope, x - tanh(x), x, y)
    return given.follows(ONE_HEAD.substituted(grows, {x: 0, y: _HALF}))


@LIPSCHITZ.proved("attained")
def two_opposite_logits(given: Given) -> Theorem:
    """Two tokens with the logits ±r/2, and the same with the signs exchanged."""
    tangent = functions.by_exponentials(_HALF)
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

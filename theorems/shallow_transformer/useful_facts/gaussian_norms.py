"""Fact 4: the lengths of standard Gaussian vectors."""

from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import sympy as sp
from hypothesis import strategies as st
from scipy.special import gammainc, gammaincc
from sympy import Rational, Symbol, exp, log, pi, sqrt

from numeric.gaussian_norms import chi_tail, mean_norm
from symbolic.derivation import Derivation, Step
from symbolic.equality import Decision, equal
from symbolic.nonnegative import nonnegative
from theorems.classical.exponential_moments import squares_exceed
from theorems.classical.gaussian_maxima import Lipschitz
from theorems.classical.letters import chance, chance_of_any, count, index
from theorems.classical.letters import s as deviation_of_value
from theorems.classical.normal_means import mean_of_chi
from theorems.classical.steps import event_within, weakened
from theorems.engine import (
    Given,
    Hypothesis,
    Obligations,
    Rounded,
    both,
    eq,
    ge,
    half_line,
    implies,
    integers,
    le,
    lt,
    sentence,
)
from theorems.engine.rules import E, P, Theorem, facts
from theorems.engine.rules.normal_variables import chi_square_by_parts
from theorems.engine.rules.vocabulary import chi_squared
from theorems.engine.statements.values import unfolded
from theorems.shallow_transformer.hypotheses import NORMAL_VECTOR
from theorems.shallow_transformer.letters.paper import claim, d, delta, excess, m, r
from theorems.shallow_transformer.letters.paper import mean_norm as norm_of
from theorems.shallow_transformer.letters.start import G_length, G_mean, chi_both, chi_far, largest_chance
from theorems.shallow_transformer.premises.named import ONE_HEAD, as_declared
from theorems.shallow_transformer.premises.networks import stated
from theorems.shallow_transformer.premises.token_sums import added

NOTE = "proofs_notes/st_approximation.md#gaussian-norms"
_FACT, _HALF, _MEAN = "Fact 4", Rational(1, 2), norm_of(d)


MEAN = claim(
    "st.fact4.mean",
    at=_FACT,
    title="The mean norm of a standard Gaussian vector",
    states={"formula": eq(G_mean, _MEAN.unfolded()), "bound": le(_MEAN, sqrt(d))},
    assuming=[NORMAL_VECTOR],
    note=NOTE,
)


def mean_length(given: Given, normal: Hypothesis) -> Theorem:
    """E‖G‖ ≤ √d for a vector that a hypothesis has for standard normal: (E‖G‖)² ≤ E‖G‖² = d."""
    law = given.supposed(normal, chi_squared(G_length**2, d))
    by_parts = chi_square_by_parts(G_length**2, d, 0, over=as_declared(d))
    square = ONE_HEAD.follows(law, by_parts, goal=eq(E(G_length**2), d))
    mean = ONE_HEAD.meaning("mean length", eq(_MEAN, E(G_length)))
    return ONE_HEAD.follows(square, mean, facts.expectation_of_square(G_length), goal=le(_MEAN, sqrt(d)))


@MEAN.proved("formula")
def first_moment_of_the_chi_density(given: Given) -> Theorem:
    """The length of a standard normal vector has the chi density, against which r is integrated."""
    by_density = mean_of_chi(G_length, d)
    mean = by_density.statement.rhs
    steps = [Step(_MEAN.unfolded(), "integrate", check=_integrated)]
    closed = given.derived(Derivation("The mean of the chi law", r"\mathbb{E}\|G\|", mean, steps))
    known = [
        given.supposed(NORMAL_VECTOR, chi_squared(G_length**2, d), eq(P(ge(G_length, 0)), 1)),
        by_density,
        given.meaning("mean length", eq(G_mean, E(G_length))),
    ]
    return given.follows(*known, closed, goal=eq(G_mean, _MEAN.unfolded()))


def _integrated(before: Any, after: Any) -> Decision:
    """SymPy's integral, for any positive dimension."""
    size = sp.Symbol("d", positive=True)
    found = sp.integrate(before.function.subs(d, size), *before.limits)
    same = sp.gammasimp(found / after.subs(d, size)).simplify() == 1
    return Decision(True if same else None, "SymPy's integral")


@MEAN.proved("bound")
def jensen(given: Given) -> Theorem:
    """(E|G|)² ≤ E|G|² = d."""
    return mean_length(given, NORMAL_VECTOR)


@MEAN.tested("bound", over=st.one_of(st.just(1), st.integers(1, 10**6)))
def mean_over_root(size: int) -> dict[Any, Any]:
    """Dimensions up to a million."""
    return {d: size}


MEAN_SHARP = MEAN.sharpened(
    "st.fact4.mean.sharp",
    title="The mean norm up to one half under the root",
    states={
        "below": lt(d - _HALF, _MEAN**2),
        "above": le(_MEAN**2, d - 1 + 2 / pi),
        "attained above": eq(norm_of(sp.Integer(1)) ** 2, 2 / pi),
        "best below": sentence(
            r"\lim_{$d\to\infty}(\mathbb{E}\|$G\|_2)^{$power} - $d = $limit", power=2, limit=Fraction(-1, 2)
        ),
    },
    assuming=[NORMAL_VECTOR],
    rests_on=[MEAN],
    note=NOTE,
    excused={
        "-1/2: -1/2 -> -101/200": "true as well: a smaller lower bound",
        **dict.fromkeys(
            (
                *("sign of -1: changed", "term -1: left out", "-1: -1 -> -99/100", "-1: -1 -> 0"),
                *("2: 2 -> 101/50", "2: 2 -> 3", "exponent -1 of pi: -1 -> 0"),
                "factor of d - 1 + 2/pi: 1 -> 101/100",
            ),
            "true as well: a larger upper bound",
        ),
    },
)
_ARGUED = {d: integers(1)}
_D = sp.Symbol("d", positive=True)


def _square(mean: Any) -> Any:
    return unfolded(mean).subs(d, _D)


def _falls(g: sp.Expr) -> sp.Expr:
    """g(d+2)/g(d) - ((d+1)/d)², which says how e/g moves, at d = 1 + y."""
    y = sp.Symbol("y", positive=True)
    return sp.together((g.subs(_D, _D + 2) / g - ((_D + 1) / _D) ** 2).subs(_D, 1 + y))


def _steps(e: Any) -> Obligations:
    """e(d+2)/e(d) = ((d+1)/d)², and e(d)e(d+1) = d²."""
    step = sp.gammasimp(sp.expand_func(e.subs(_D, _D + 2) / e))
    yield "step", equal(sp.simplify(step), ((_D + 1) / _D) ** 2)
    yield "product", equal(sp.gammasimp(e * e.subs(_D, _D + 1)).simplify(), _D**2)


_TWO_STEPS = (
    "As e(d) = (E|G|)² increases with e(d)e(d+1) = d², e(d)/d tends to 1; a quotient of e that"
    " moves in one direction in steps of two stays on one side of its limit."
)


@MEAN_SHARP.argued("below", bridge=_TWO_STEPS, uses=[NORMAL_VECTOR], over=_ARGUED)
def decreases_to_one(given: Given) -> Obligations:
    """e(d)/(d − 1/2) decreases to 1."""
    lower, e = given.goal.lhs.subs(d, _D), _square(given.goal.rhs)
    yield from _steps(e)
    yield "e/(d - 1/2) decreases", nonnegative(_falls(lower))
    yield "to 1", bool(sp.limit(lower / _D, _D, sp.oo) == 1)
    yield "at d = 1", bool(given.goal.func(lower.subs(_D, 1), sp.simplify(e.subs(_D, 1))))


@MEAN_SHARP.argued("above", bridge=_TWO_STEPS, uses=[NORMAL_VECTOR], over=_ARGUED)
def increases_to_one(given: Given) -> Obligations:
    """e/g increases to 1 for g = d - 1/2 + 1/(8d - 4), which is at most the bound for d ≥ 2."""
    e, bound = _square(given.goal.lhs), given.goal.rhs.subs(d, _D)
    yield from _steps(e)
    upper = _D - _HALF + 1 / (8 * _D - 4)
    yield "e/g increases", nonnegative(-_falls(upper))
    yield "at d = 2", bool(given.goal.func(upper.subs(_D, 2), bound.subs(_D, 2)))
    y = sp.Symbol("y", positive=True)
    slope = sp.together(sp.diff(bound - upper, _D).subs(_D, 2 + y))
    yield "the bound grows faster", nonnegative(slope)
    yield "at d = 1", bool(given.goal.func(sp.simplify(e.subs(_D, 1)), bound.subs(_D, 1)))


@MEAN_SHARP.proved("attained above")
def one_dimension(given: Given) -> Theorem:
    """E|g| = √(2/π)."""
    return given.decided()


@MEAN_SHARP.argued("best below", bridge=_TWO_STEPS, uses=[NORMAL_VECTOR], over=_ARGUED)
def between_two_bounds(power: Any, limit: Any) -> Obligations:
    """d − 1/2 < e(d) ≤ g(d), whose difference from d has the same limit."""
    upper = _D - _HALF + 1 / (8 * _D - 4)
    for name, bound in (("below", _D - _HALF), ("above", upper)):  # of the square
        gap = bound ** (Rational(power) / 2) - _D
        yield name, bool(sp.limit(gap, _D, sp.oo) == Rational(limit))


TAIL = claim(
    "st.fact4",
    at=_FACT,
    title="Concentration of the norm of a Gaussian vector",
    states=le(chi_both, 2 * exp(-(excess**2) / 2)),
    given={excess: half_line(0, closed=False)},
    assuming=[NORMAL_VECTOR],
    note=NOTE,
)


def _one_side(given: Given, normal: Hypothesis, sign: int) -> Theorem:
    """P(±|G| ≥ ±E|G| + t) ≤ e^(−t²/2): |·| is 1-Lipschitz, as its gradients are unit vectors."""
    said = partial(given.supposed, normal)
    length, over = sign * G_length, as_declared(G_length)
    tail = Lipschitz(given, normal, said, length, sp.Integer(1), over).tail()
    return ONE_HEAD.substituted(tail, {deviation_of_value: excess})


@TAIL.proved()
def norms_are_lipschitz(given: Given) -> Theorem:
    """Both tails by the union bound."""
    sides = [_one_side(given, NORMAL_VECTOR, sign) for sign in (1, -1)]
    events = [one.statement.lhs.args[0] for one in sides]
    union = facts.union_bound(*events)
    return given.concluded(*sides, union, ONE_HEAD.meaning("both tails", eq(chi_both, union.statement.lhs)))


@TAIL.tested(over=st.tuples(st.integers(1, 2000), st.floats(1e-6, 8)))
def chi_tails(case: tuple[int, float]) -> dict[Any, Any]:
    """Exact tails of the chi law on both sides."""
    size, t = case
    mean = mean_norm(size)
    low = max(0.0, mean - t)
    exact = float(gammaincc(size / 2, (mean + t) ** 2 / 2) + gammainc(size / 2, low * low / 2))
    return {chi_both: Rounded(min(exact, 1.0), 1e-9 * exact), excess: t}


TAIL_SHARP = TAIL.sharpened(
    "st.fact4.sharp",
    title="The upper tail with the rate function of a chi-square mean",
    states=le(chi_far, exp(-(excess**2) / 2 - d * (excess / sqrt(d) - log(1 + excess / sqrt(d))))),
    assuming=[NORMAL_VECTOR],
    note=NOTE,
)


@TAIL_SHARP.proved()
def chernoff_for_squares(given: Given) -> Theorem:
    """‖G‖ ≥ √d + t is χ² ≥ d(1 + s)², s = t/√d; log(1 + s)² = 2 log(1 + s)."""
    s, square = excess / sqrt(d), G_length**2 / d
    said = partial(given.supposed, NORMAL_VECTOR)
    tail = squares_exceed(given, said, d, as_declared(d), mean=square)
    there = ONE_HEAD.substituted(tail, {deviation_of_value: 2 * s + s**2})
    product = facts.logarithm_of_product(1 + s, 1 + s)
    bound = weakened(there, stated(TAIL_SHARP).rhs.args[0], product)
    long, event = ge(G_length, sqrt(d) + excess), there.statement.lhs.args[0]
    longer = event_within(long, event, as_declared(G_length, d, excess))
    meant = given.meaning("the chance of a length", eq(chi_far, P(long)))
    return given.follows(bound, longer, meant)


@TAIL_SHARP.tested(
    over=st.tuples(st.one_of(st.just(1), st.integers(1, 10**6)), st.one_of(st.just(0.0), st.floats(0, 12)))
)
def chi_tails_over_the_rate(case: tuple[int, float]) -> dict[Any, Any]:
    """Exact upper tails; -log P ~ the exponent for large t √d."""
    size, t = case
    exact = float(chi_tail(np.sqrt(size) + t, size))
    # The radius loses digits to t √d, and the tail likewise.
    return {chi_far: Rounded(exact, 1e-7 * exact), excess: t, d: size}


NORMAL_VECTORS = Hypothesis(
    "normal_vectors",
    "each of the m vectors is a standard normal vector of dimension $d; they need not be independent",
    latex=r"G_i \sim \mathcal{N}(0, I_{$d})",
)

MAXIMUM = claim(
    "st.fact4.maximum",
    at=_FACT,
    title="The largest of m norms, by the tail on one side",
    states={
        "radius": implies(ge(r, sqrt(d) + sqrt(2 * log(m / delta))), ge(largest_chance, 1 - delta)),
        "any deviation": implies(
            both(ge(r, sqrt(d) + excess), ge(excess**2, 2 * log(m / delta))), ge(largest_chance, 1 - delta)
        ),
    },
    assuming=[NORMAL_VECTORS],
    rests_on=["classical.union"],
    note=NOTE,
)


def none_is_larger(none: Symbol, many: Symbol) -> Theorem:
    """What the chance stands for that none of many lengths is larger than the radius."""
    return ONE_HEAD.meaning("the chance of any length", eq(none, 1 - chance_of_any(many)))


def _some_length_is_larger(given: Given, one: sp.Expr, none: Symbol, many: Symbol) -> Theorem:
    """Some of many lengths of one law is larger with at most so many times the chance of one."""
    union = ONE_HEAD.substituted(given.fact("classical.union"), {count: many})
    each = ONE_HEAD.meaning("the chance of one length", eq(chance(index), one))
    whole = none_is_larger(none, many)
    return ONE_HEAD.follows(union, whole, added(each, index, many), goal=le(1 - none, many * one))


@MAXIMUM.proved("any deviation", "radius")
def one_sided_union(given: Given) -> Theorem:
    """By a tail of each length."""
    far = largest_length(given, NORMAL_VECTORS)
    if given.part == "any deviation":
        return far
    quotient = m / delta
    larger = facts.logarithm_increases(quotient, 1, over=as_declared(m, delta))
    at = ONE_HEAD.substituted(far, {excess: sqrt(2 * log(quotient))}, under=[ge(log(quotient), 0)])
    return given.follows(at, larger, goal=stated(MAXIMUM, "radius"))


def largest_length(
    given: Given, normal: Hypothesis, none: Symbol = largest_chance, many: Symbol = m, failure: Symbol = delta
) -> Theorem:
    """m vectors that a hypothesis has for standard normal are at most √d + t long, t² ≥ 2 log(m/δ).

    P(|G| ≥ √d + t) ≤ P(|G| ≥ E|G| + t) ≤ e^(-t²/2), and m e^(-t²/2) ≤ δ.  The chance that ``none``
    is longer, the number m of ``many`` vectors and δ, that of ``failure``, are named.
    """
    over = as_declared(G_length, r, many, failure, excess, none)
    one, quotient = _one_side(given, normal, 1), many / failure
    exceed = sp.StrictGreaterThan(G_length, r, evaluate=False)
    union = _some_length_is_larger(given, P(exceed), none, many)
    centre = sp.Symbol("centre", real=True)
    far_out, letters_ = (ge(r, centre + excess), {**as_declared(G_length, r, excess), centre: sp.Reals})
    nearer = one.statement.lhs.args[0].xreplace({E(G_length): centre})
    monotone = event_within(exceed, nearer, letters_, under=[far_out])
    monotone = monotone.at({centre: E(G_length)})
    mean = ONE_HEAD.meaning("mean length", eq(_MEAN, E(G_length)))
    smaller = facts.exponential_increases(-log(quotient), -(excess**2) / 2, over=over)
    goal = stated(MAXIMUM, "any deviation")
    goal = goal.xreplace({largest_chance: none, m: many, delta: failure})
    far, long = goal.args[0].args if goal.args[0].args[0].has(r) else goal.args[0].args[::-1]
    known = [one, monotone, mean, mean_length(given, normal)]
    shift = ONE_HEAD.follows(*known, goal=le(P(exceed), exp(-(excess**2) / 2)), under=[far])
    small = ONE_HEAD.follows(smaller, goal=le(exp(-(excess**2) / 2), failure / many), under=[long])
    each = ONE_HEAD.follows(shift, small, goal=le(many * P(exceed), failure), under=[far, long])
    return ONE_HEAD.follows(union, each, goal=goal)

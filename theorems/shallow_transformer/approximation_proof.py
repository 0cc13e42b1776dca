"""Lemma 5, proof (Appendix A.6): its displayed lines one by one."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np
import sympy as sp
from hypothesis import strategies as st
from scipy.special import gammaln
from sympy import Abs, Symbol, exp

from symbolic.equality import equal
from symbolic.nonnegative import nonnegative
from theorems.classical.hypotheses import EACH_NORMAL, INDEPENDENT_COPIES, NONNEGATIVE_WEIGHTS
from theorems.classical.steps import at_least_zero, same
from theorems.engine import (
    Given,
    Hypothesis,
    Obligations,
    Rounded,
    both,
    claims_in,
    eq,
    ge,
    gt,
    implies,
    interval,
    le,
    lt,
    rules,
)
from theorems.engine.letters import NamedFunction
from theorems.engine.rules import E, P, Random, Theorem, Vector, facts, inner, norm
from theorems.engine.values import unfolded
from theorems.shallow_transformer import letters as of
from theorems.shallow_transformer.deviation_letters import (
    G_R,
    Y_R,
    Z_R,
    Y_copy,
    Z_mean,
    factorial,
    g_bar,
    g_c,
    g_u,
    g_w,
    moved_size,
    share,
)
from theorems.shallow_transformer.feature_letters import (
    g_sum,
    g_value,
    lin_at_tilde,
    pairs,
    random_family,
    target_value,
)
from theorems.shallow_transformer.hypotheses import (
    BOUNDED_MAP,
    BOUNDED_SLOPES,
    BOUNDED_VALUES,
    DOMINATED,
    EVEN_WIDTH,
    NORMAL_READ_OUT,
    QUERY,
    RANDOM_HEADS,
    RANDOM_START,
    TOKENS,
)
from theorems.shallow_transformer.letters import LETTERS, i, m
from theorems.shallow_transformer.mean_premises import halves, in_the_mean, what_it_says
from theorems.shallow_transformer.ntk import REGULAR
from theorems.shallow_transformer.premises import (
    added,
    letters,
    linear,
    over,
    sizes,
    stands_for,
    stated,
    total,
    what_is_assumed,
)
from theorems.shallow_transformer.transport import MEAN

claim = claims_in(LETTERS)
_AT = "Lemma 5, proof"
_NOTE = "proofs_notes/st_approximation.md#lemma-5-line-by-line"
_LAMBDA = of.multiplier
BOUNDED_PARTS = (*REGULAR, BOUNDED_MAP)
RANDOM = (*RANDOM_START, *BOUNDED_PARTS)

BOUNDED = claim(
    "st.lem5.bounded",
    at=_AT,
    title="Bounds of the three parts of g",
    states={
        "c": le(g_c, of.sigma_0 * of.nu_c),
        "u": le(g_u, of.sigma_1 * of.nu_u),
        "w": le(g_w, of.sigma_1 * of.nu_w * moved_size),
    },
    given=letters(
        *(g_c, g_u, g_w, moved_size, of.sigma_0, of.sigma_1, of.nu_c, of.nu_u, of.nu_w),
        under=BOUNDED_PARTS,
    ),
    assuming=BOUNDED_PARTS,
    rests_on=["st.fact2"],
    note=_NOTE,
)
_SLOPE = Symbol("slope", real=True)


def _bounded_slope(given: Given) -> Theorem:
    return what_is_assumed(given, BOUNDED_SLOPES, le(Abs(_SLOPE), of.sigma_1))


@BOUNDED.proved("c")
def product_of_bounds(given: Given) -> Theorem:
    """|σ v_c| ≤ σ₀ν̄_c."""
    value, v = Symbol("value", real=True), Symbol("v_c", real=True)
    known = [
        what_is_assumed(given, BOUNDED_VALUES, le(Abs(value), of.sigma_0)),
        what_is_assumed(given, BOUNDED_MAP, le(Abs(v), of.nu_c)),
        stands_for("the c-part", eq(g_c, Abs(value) * Abs(v))),
    ]
    return given.follows(*known, goal=stated(BOUNDED, "c"))


@BOUNDED.proved("u")
def cauchy_schwarz(given: Given) -> Theorem:
    """|σ′⟨a, v_u⟩| ≤ σ₁|a||v_u| and |a| ≤ 1."""
    a, v = Vector("a"), Vector("v_u")
    product = facts.cauchy_schwarz(a, v)
    given.require(TOKENS)
    known = [
        what_it_says(given, "st.fact2", le(of.a_size, 1)),
        stands_for("the U-part", eq(of.a_size, norm(a)), eq(g_u, Abs(_SLOPE) * Abs(inner(a, v)))),
        what_is_assumed(given, BOUNDED_MAP, le(norm(v), of.nu_u)),
        product,
    ]
    inside = rules.follows(
        le(Abs(inner(a, v)), of.nu_u), known, over=over(a, v, of.nu_u), under=given.conditions
    )
    return given.follows(*known, inside, _bounded_slope(given), goal=stated(BOUNDED, "u"))


@BOUNDED.proved("w")
def norm_of_an_outer_product(given: Given) -> Theorem:
    """|⟨MU qᵀ, v_w⟩_F| ≤ |MU||q||v_w| and |q| ≤ 1."""
    outer, v = Vector("MU q'"), Vector("v_w")
    product = facts.cauchy_schwarz(outer, v)
    q = what_is_assumed(given, QUERY, le(of.q_size, 1))
    frobenius = rules.textbook(
        "Frobenius norm of an outer product",
        eq(norm(outer), moved_size * of.q_size),
        over=over(outer, moved_size, of.q_size),
    )
    shorter = rules.follows(
        le(norm(outer), moved_size), [q, frobenius], over=over(outer, moved_size)
    )
    bounded = what_is_assumed(given, BOUNDED_MAP, le(norm(v), of.nu_w))
    goal = le(Abs(inner(outer, v)), of.nu_w * moved_size)
    inside = rules.follows(goal, [shorter, bounded, product], over=over(goal))
    part = stands_for("the W-part", eq(g_w, Abs(_SLOPE) * Abs(inner(outer, v))))
    return given.follows(part, inside, _bounded_slope(given), goal=stated(BOUNDED, "w"))


_PAIR = (g_value(i) + g_value(i + pairs)) / 2 - target_value

PAIRS = claim(
    "st.lem5.pairs",
    at=_AT,
    title="The error is a mean of m/2 centred variables, one for each pair of heads",
    states={
        "mean": eq(lin_at_tilde - target_value, 2 / m * total(_PAIR, i, pairs)),
        "same mean": eq(E(g_bar), target_value),
    },
    given=letters(lin_at_tilde, target_value, g_bar, m, pairs, under=RANDOM),
    assuming=RANDOM,
    rests_on=[MEAN],
    discharging={},
    note=_NOTE,
)


@PAIRS.proved("mean")
def sum_over_pairs(given: Given) -> Theorem:
    """The sum of g over all heads is that over the first and the second half."""
    whole = stands_for("the sum of g", eq(g_sum, total(g_value(i), i, m)))
    model, apart = given.fact(MEAN, "mean"), linear(total(_PAIR, i, pairs))
    goal = stated(PAIRS, "mean")
    return given.follows(model, whole, apart, *halves(given, g_value), goal=goal)


@PAIRS.proved("same mean")
def average_over_the_sign(given: Given) -> Theorem:
    """The second head of a pair is the first with the other sign, of the same law."""
    first, second = Random("g of the first head"), Random("g of the second head")
    law = what_is_assumed(
        given, RANDOM_HEADS, eq(E(first), target_value), eq(E(second), target_value)
    )
    mean = stands_for("the mean over a pair", eq(E(g_bar), E((first + second) / 2)))
    return given.follows(law, mean, goal=stated(PAIRS, "same mean"))


BOUNDED_PART = Hypothesis(
    "bounded_part",
    "the absolute value of $g_bar is almost surely at most $part_bound",
    latex=r"|$g_bar| \le $part_bound \text{ almost surely}",
)
_B = of.part_bound
_V = Symbol("v", real=True)

HOEFFDING = claim(
    "st.lem5.hoeffding",
    at=_AT,
    title="Exponential moments of the c-part and of the u-part",
    states={
        "bound": le(E(exp(_LAMBDA * (g_bar - E(g_bar)))), exp(_LAMBDA**2 * _B**2 / 2)),
        "best": implies(
            both(gt(_LAMBDA, 0), lt(share * _LAMBDA**2 * _B**2, 1 - 2 * share)),
            gt((exp(_LAMBDA * _B) + exp(-_LAMBDA * _B)) / 2, exp(share * _LAMBDA**2 * _B**2)),
        ),
    },
    given=letters(_LAMBDA, _B, g_bar, share, under=[BOUNDED_PART]),
    assuming=[BOUNDED_PART],
    rests_on=["classical.hoeffding_lemma", BOUNDED],
    discharging=dict.fromkeys(
        BOUNDED_PARTS, "only the two numbers are used; st.lem5.bounded shows the hypothesis there"
    ),
    note=_NOTE,
)


def _mean_below_two_points() -> tuple[Theorem, list[Theorem]]:
    """E e^(v(Z - μ)) is at most the mean of its values at two points, for Z in [-1, 1]."""
    z, mu, scaled = Symbol("z", real=True), Symbol("mu", real=True), Random("Z")
    unit = {z: interval(-1, 1), mu: sp.Reals, _V: sp.Reals}
    sides = []
    for sign in (1, -1):
        rate = _V * (sign - mu)
        tangent = facts.exponential_above_tangent(_V * (sign - z), over=unit)
        split = facts.exponential_of_sum(rate, _V * (z - mu), _V * (sign - z), over=unit)
        sides += [tangent, split]
    chord = (1 + z) / 2 * exp(_V * (1 - mu)) + (1 - z) / 2 * exp(_V * (-1 - mu))
    below = rules.follows(le(exp(_V * (z - mu)), chord), sides, over=unit)
    ends = [rules.follows(one, over={z: unit[z]}) for one in (le(z, 1), le(-1, z))]
    averaged, *bounds = (facts.expected(one, z, scaled) for one in (below, *ends))
    at_mean = rules.instance(averaged, {mu: E(scaled)}, over=over(scaled))
    return at_mean, bounds


@HOEFFDING.proved("bound")
def range_of_length_2b(given: Given) -> Theorem:
    """The chord of e^y over [-B, B]: u = 2Bλ in Hoeffding's lemma, u²/8 = λ²B²/2."""
    scaled = Random("Z")
    at_mean, bounds = _mean_below_two_points()
    chance, rate = (1 + E(scaled)) / 2, 2 * _V
    surely = what_is_assumed(given, BOUNDED_PART, *at_mean.under)
    ranges = over(scaled, _V)
    inside = rules.follows(both(ge(chance, 0), le(chance, 1)), [*bounds, surely], over=ranges)
    known = given.fact("classical.hoeffding_lemma")
    p, u = (next(x for x in known.over if x.name == name) for name in "pu")
    lemma = rules.instance(known, {p: chance, u: rate}, over=ranges, under=[inside.statement])
    tilted = lemma.statement.lhs.args[0]
    two_points = same(tilted, at_mean.statement.rhs, ranges)
    grows = facts.logarithm_increases(exp(_V**2 / 2), tilted, over=ranges, under=[gt(tilted, 0)])
    moment = le(at_mean.statement.lhs, exp(_V**2 / 2))
    whole = rules.follows(moment, [at_mean, surely, two_points, inside, lemma, grows], over=ranges)
    there = rules.instance(whole, {_V: _LAMBDA * _B}, over=over(_LAMBDA, _B, scaled))
    named = stands_for(
        "Z as the part over its bound",
        eq(E(exp(_LAMBDA * (g_bar - E(g_bar)))), there.statement.lhs),
    )
    return given.follows(there, named, goal=stated(HOEFFDING, "bound"))


@HOEFFDING.proved("best")
def two_signs(given: Given) -> Theorem:
    """For signs ±B the moment is cosh(λB) ≥ 1 + λ²B²/2 > 1/(1 - cλ²B²) ≥ exp(cλ²B²)."""
    ranges, y = {_V: sp.Reals}, share * _V**2
    cosh = (exp(_V) + exp(-_V)) / 2
    slope = rules.follows(ge(cosh - 1, 0), _at_least_one(ranges), over=ranges)
    series = at_least_zero(cosh - 1 - _V**2 / 2, _V, 0, slope)
    numbers = over(share, _V)
    tangent = facts.exponential_above_tangent(-y, over=numbers)
    product = facts.exponential_of_sum(sp.S.Zero, y, -y, over=numbers)
    goal = implies(both(gt(_V**2, 0), lt(y, 1 - 2 * share)), gt(cosh, exp(y)))
    whole = rules.follows(goal, [series, tangent, product], over=numbers)
    there = rules.instance(whole, {_V: _LAMBDA * _B}, over=over(share, _LAMBDA, _B))
    return given.follows(there, goal=stated(HOEFFDING, "best"))


def _at_least_one(ranges: Any) -> list[Theorem]:
    """e^v e^(-v) = 1, so that the mean of both is at least 1."""
    product = facts.exponential_of_sum(sp.S.Zero, _V, -_V, over=ranges)
    tangents = [facts.exponential_above_tangent(one, over=ranges) for one in (_V, -_V)]
    return [product, *tangents]


_K = of.order
_GAUSSIAN = factorial(2 * _K) / (2**_K * factorial(_K))
NORMAL_PARTS = (NORMAL_READ_OUT, DOMINATED)
FROM_BOUNDED = dict.fromkeys(BOUNDED_PARTS, "what is used of them is the hypothesis DOMINATED")

MOMENTS = claim(
    "st.eq20",
    at="(20)",
    title="Even moments of the w-part",
    states={
        "bound": le(of.moment, of.scale ** (2 * _K) * _GAUSSIAN),
        "attained": eq(E((of.scale * G_R) ** (2 * _K)), of.scale ** (2 * _K) * _GAUSSIAN),
    },
    given=letters(of.moment, of.scale, _K, G_R, under=NORMAL_PARTS),
    assuming=NORMAL_PARTS,
    rests_on=[BOUNDED, "st.fact3", "classical.gaussian_moments"],
    discharging={
        **FROM_BOUNDED,
        EACH_NORMAL: "the entries of U in a basis of eigenvectors of M are standard normal",
        NONNEGATIVE_WEIGHTS: "the weights are the squared eigenvalues of M",
    },
    note=_NOTE,
)


def _gaussian_moments(given: Given, part: str, **values: Any) -> list[Theorem]:
    """A part of classical.gaussian_moments for the order k, and (2k - 1)!! by factorials."""
    known = given.fact("classical.gaussian_moments", part)
    at = {x: values.get(x.name, _K) for x in known.over if x.name in {"q", *values}}
    there = rules.instance(known, at, over=over(*at.values()))
    odd = next(one for one in there.statement.atoms(NamedFunction) if one.func != factorial)
    where = gt(factorial(_K), 0)
    double = rules.textbook("double factorials", eq(odd, _GAUSSIAN), over=over(_K), under=[where])
    return [there, double, rules.textbook("factorials are positive", where, over=over(_K))]


@MOMENTS.proved("bound")
def singular_values(given: Given) -> Theorem:
    """|MU|² is a sum of squares with the weights s², and Σs² = tr M² ≤ (tr M)² ≤ 1."""
    total_, moved = Symbol("tr M^2", nonnegative=True), Symbol("E|MU|^(2k)", nonnegative=True)
    weighted = _gaussian_moments(given, "weighted", total=total_, weighted_moment=moved)
    trace = what_is_assumed(given, NORMAL_READ_OUT, le(total_, 1))
    at_most_one = le(total_**_K, 1)
    power = rules.textbook(
        "powers of numbers up to one", implies(le(total_, 1), at_most_one), over=over(total_, _K)
    )
    dominated = what_is_assumed(given, DOMINATED, le(of.moment, of.scale ** (2 * _K) * moved))
    factor = rules.textbook(
        "powers are positive", gt(of.scale ** (2 * _K), 0), over=over(of.scale, _K)
    )
    counts = rules.textbook(
        "factorials are positive",
        both(gt(factorial(_K), 0), gt(factorial(2 * _K), 0), gt(2**_K, 0)),
        over=over(_K),
    )
    below = rules.follows(
        le(moved, _GAUSSIAN), [*weighted, trace, power, counts], over=over(moved, total_, _K)
    )
    return given.follows(dominated, factor, below, counts, goal=stated(MOMENTS, "bound"))


@MOMENTS.proved("attained")
def rank_one(given: Given) -> Theorem:
    """M = eeᵀ and |Y| = s|⟨e, U⟩|, a multiple of a standard normal variable."""
    moments = _gaussian_moments(given, "one square", g=G_R)
    return given.follows(*moments, goal=stated(MOMENTS, "attained"))


@MOMENTS.tested(
    "bound",
    over=st.tuples(
        st.lists(st.floats(0, 1), min_size=1, max_size=6),
        st.integers(1, 12),
        st.sampled_from([1.0, 2.0**-6]),
    ),
)
def exact_moments(case: tuple[list[float], int, float]) -> Mapping[Symbol, Any]:
    """E|MU|^(2k) by the cumulants of Σ s²G², with the trace scaled to one, times a scale."""
    values, k, scale = case
    trace = sum(values)
    squares = (np.array(values) / trace) ** 2 if trace > 1e-3 else np.array([1.0])
    sums = [np.sum(squares**j) for j in range(k + 1)]
    moments = [1.0]
    for n in range(1, k + 1):
        # E Q^n = Σ_j (n-1)!/(n-j)! 2^(j-1) p_j E Q^(n-j), Q = Σ s²G², p_j = Σ s^(2j).
        steps = range(1, n + 1)
        ratios = [np.exp(gammaln(n) - gammaln(n - j + 1)) for j in steps]
        moments.append(
            sum(
                r * 2 ** (j - 1) * sums[j] * moments[n - j]
                for j, r in zip(steps, ratios, strict=True)
            )
        )
    value = float(moments[k] * scale ** (2 * k))
    return {of.moment: Rounded(value, 1e-12 * value), _K: k, of.scale: scale}


_CENTRED = exp(_LAMBDA * (Y_R - E(Y_R)))

SYMMETRISED = claim(
    "st.lem5.mgf",
    at=_AT,
    title="Exponential moment of the w-part",
    states={
        "symmetrised": le(E(_CENTRED), E(exp(_LAMBDA * (Y_R - Y_copy)))),
        "bound": le(E(_CENTRED), exp(2 * _LAMBDA**2 * of.scale**2)),
    },
    given=letters(_LAMBDA, of.scale, Y_R, Y_copy, under=NORMAL_PARTS),
    assuming=NORMAL_PARTS,
    rests_on=[MOMENTS],
    note=_NOTE,
)


def centred_by_a_copy() -> Theorem:
    """E e^(-λY') ≥ e^(-λEY') by Jensen, and independent factors have the product of means."""
    y = Symbol("y", real=True)
    convex = rules.follows(sp.true, over={y: sp.Reals, **over(_LAMBDA)})
    jensen = facts.jensen(convex, exp(-_LAMBDA * y), y, Y_copy)
    first, second = exp(_LAMBDA * Y_R), exp(-_LAMBDA * Y_copy)
    product = rules.textbook(
        "means of independent factors multiply",
        eq(E(exp(_LAMBDA * (Y_R - Y_copy))), E(first) * E(second)),
        over=over(_LAMBDA, Y_R, Y_copy),
    )
    copies = stands_for("a copy of Y", eq(E(Y_copy), E(Y_R)))
    positive = rules.textbook("exponentials are positive", gt(E(first), 0), over=over(first))
    goal = stated(SYMMETRISED, "symmetrised")
    return rules.follows(goal, [jensen, product, copies, positive], over=over(goal))


@SYMMETRISED.proved("symmetrised")
def an_independent_copy(given: Given) -> Theorem:
    """Jensen's inequality for the copy."""
    return given.follows(centred_by_a_copy(), goal=stated(SYMMETRISED, "symmetrised"))


def cosh_of(rate: Any, argument: Any) -> Any:
    """The hyperbolic cosine of a product, by exponentials."""
    return (exp(rate * argument) + exp(-rate * argument)) / 2


def mean_of_cosh(given: Given, rate: Any, length: Any) -> Theorem:
    """E cosh(t|MU|) ≤ e^(t²/2), t the rate, by Jensen's inequality with the eigenvalues of M."""
    mu, normals = sizes("eigenvalue of M"), random_family("coordinate of U", "U")
    top = exp(rate**2 / 2)
    eigenvalues = total(mu(i), i, of.d)
    terms = total(mu(i) * E(cosh_of(rate, normals(i))), i, of.d)
    jensen = rules.textbook(
        "Jensen's inequality for cosh, |MU| ≤ Σμ_i|U_i| in a basis of eigenvectors of M",
        implies(le(eigenvalues, 1), le(E(cosh_of(rate, length)), terms + 1 - eigenvalues)),
        over=over(rate, length, terms),
    )
    trace = what_is_assumed(given, NORMAL_READ_OUT, le(eigenvalues, 1))
    normal = rules.textbook(
        "exponential moments of a standard normal variable",
        both(eq(E(exp(rate * normals(i))), top), eq(E(exp(-rate * normals(i))), top)),
        over=over(rate, i),
    )
    term = eq(mu(i) * E(cosh_of(rate, normals(i))), mu(i) * top)
    each = added(rules.follows(term, [normal], over=over(term)), i, of.d)
    apart = linear(each.statement.rhs)
    tangent = facts.exponential_above_tangent(rate**2 / 2, over=over(rate))
    goal = le(E(cosh_of(rate, length)), top)
    known = [jensen, trace, each, apart, tangent]
    return rules.follows(goal, known, over=over(goal, of.d))


def _dominated_mean(given: Given, rate: Any) -> Theorem:
    """E cosh(tY) ≤ E cosh(ts|MU|), as |Y| ≤ s|MU|."""
    y, x, length = Symbol("y", real=True), Symbol("x", nonnegative=True), Random("|MU|")
    increases = rules.textbook(
        "cosh increases with the size of its argument",
        implies(le(Abs(y), of.scale * x), le(cosh_of(rate, y), cosh_of(rate * of.scale, x))),
        over=over(y, x, rate, of.scale),
    )
    dominated = what_is_assumed(given, DOMINATED, le(Abs(y), of.scale * x))
    goal = le(cosh_of(rate, y), cosh_of(rate * of.scale, x))
    pointwise = rules.follows(goal, [increases, dominated], over=over(goal))
    moment = mean_of_cosh(given, rate * of.scale, length)
    means = in_the_mean(pointwise, {y: Y_R, x: length})
    bound = le(E(cosh_of(rate, Y_R)), exp(rate**2 * of.scale**2 / 2))
    return rules.follows(bound, [means, moment], over=over(bound, length))


def centred_by_cosh() -> Theorem:
    """E e^(λ(Y - EY)) ≤ E cosh(2λY): e^(λ(Y - Y')) ≤ (e^(2λY) + e^(-2λY'))/2 for a copy Y'."""
    y, other = Symbol("y", real=True), Symbol("y'", real=True)
    ranges = over(y, other, _LAMBDA)
    splits = [
        facts.exponential_of_sum(_LAMBDA * (y - other), _LAMBDA * y, -_LAMBDA * other, over=ranges),
        facts.exponential_of_sum(2 * _LAMBDA * y, _LAMBDA * y, _LAMBDA * y, over=ranges),
        facts.exponential_of_sum(-2 * _LAMBDA * other, *[-_LAMBDA * other] * 2, over=ranges),
    ]
    squares = (exp(2 * _LAMBDA * y) + exp(-2 * _LAMBDA * other)) / 2
    pointwise = rules.follows(le(exp(_LAMBDA * (y - other)), squares), splits, over=ranges)
    means = in_the_mean(pointwise, {y: Y_R, other: Y_copy})
    copies = stands_for(
        "a copy of Y", eq(E(exp(-2 * _LAMBDA * Y_copy)), E(exp(-2 * _LAMBDA * Y_R)))
    )
    goal = le(E(_CENTRED), E(cosh_of(2 * _LAMBDA, Y_R)))
    return rules.follows(goal, [centred_by_a_copy(), means, copies], over=over(goal, Y_copy))


@SYMMETRISED.proved("bound")
def by_the_mean_of_cosh(given: Given) -> Theorem:
    """E e^(λ(Y - EY)) ≤ E cosh(2λY) ≤ E cosh(2λs|MU|) ≤ e^(2λ²s²)."""
    known = [centred_by_cosh(), _dominated_mean(given, 2 * _LAMBDA)]
    return given.follows(*known, goal=stated(SYMMETRISED, "bound"))


@SYMMETRISED.argued(
    "bound",
    bridge="Odd moments of Y - Y' vanish and even ones are at most 2^(2k) E Y^(2k), for every k as"
    " for the first three; the series of the exponential is summed in the mean term by term.",
    uses=NORMAL_PARTS,
)
def symmetrise_and_sum(given: Given) -> Obligations:
    """(Y - Y')^(2k) ≤ 2^(2k-1)(Y^(2k) + Y'^(2k)), and the terms of the series of the bound."""
    x, y = sp.symbols("x y", positive=True)
    for k in (1, 2, 3):
        gap = 2 ** (2 * k - 1) * (x ** (2 * k) + y ** (2 * k)) - (x + y) ** (2 * k)
        yield f"2k-th power, k = {k}", nonnegative(sp.cancel(gap / (x - y) ** 2))
        yield f"equality at Y' = -Y, k = {k}", equal(sp.expand(gap.subs(y, x)), sp.S.Zero)
        even = sp.expand((x - y) ** (2 * k + 1) + (y - x) ** (2 * k + 1))
        yield f"odd moment {2 * k + 1}", bool(even == 0)
    bound = given.goal.rhs
    term_of_k = unfolded((2 * of.scale) ** (2 * _K) / factorial(2 * _K) * _GAUSSIAN)
    for k in range(5):
        coefficient = sp.series(bound, _LAMBDA, 0, 2 * k + 2).removeO().coeff(_LAMBDA, 2 * k)
        term = term_of_k.subs(_K, k)
        yield f"coefficient {2 * k}", equal(coefficient, term)


_SIZES = (of.sigma_0, of.sigma_1, of.nu_c, of.nu_u, of.nu_w)
PROXY_SUM = of.sigma_0 * of.nu_c + of.sigma_1 * of.nu_u + 2 * of.sigma_1 * of.nu_w
BY_PARTS = {
    BOUNDED_PART: "st.lem5.bounded",
    NORMAL_READ_OUT: "the heads are normal, and tr M ≤ 1 by st.fact3",
    DOMINATED: "st.lem5.bounded with s = sigma_1 nu_w",
}

HOELDER = claim(
    "st.lem5.hoelder",
    at=_AT,
    title="The three parts together, by Hölder's inequality",
    states=le(E(exp(_LAMBDA * Z_R)), exp(_LAMBDA**2 * PROXY_SUM**2 / 2)),
    given=letters(_LAMBDA, Z_R, *_SIZES, under=RANDOM),
    assuming=RANDOM,
    rests_on=[HOEFFDING, SYMMETRISED, BOUNDED, PAIRS, "st.fact3"],
    discharging=BY_PARTS,
    note=_NOTE,
)


_PARTS = [Symbol(f"s_{name}", positive=True) for name in "cuw"]
WHOLE = Symbol("proxy of the sum", positive=True)


def _log_moment(moment: Theorem, size: Any, log_moment: Symbol) -> Theorem:
    """From E e^(λX) ≤ exp(λ²s²/2) that log E e^(λSX/s) ≤ λ²S²/2."""
    there = rules.instance(moment, {_LAMBDA: _LAMBDA * WHOLE / size}, over=over(_LAMBDA, WHOLE))
    named = stands_for("a log-moment", eq(exp(log_moment), there.statement.lhs))
    top = _LAMBDA**2 * WHOLE**2 / 2
    grows = facts.exponential_increases(top, log_moment, over=over(top, log_moment))
    goal = le(log_moment, top)
    return rules.follows(goal, [there, named, grows], over=over(goal, there.statement))


@cache
def _weighted_mean() -> Theorem:
    """A weighted mean of three numbers is at most their common bound."""
    values, weights = sp.symbols("l1:4", real=True), sp.symbols("w1:4", nonnegative=True)
    top = Symbol("top", real=True)
    mean = sum(value * weight for value, weight in zip(values, weights, strict=True))
    where = [le(value, top) for value in values] + [eq(sum(weights), 1)]
    return rules.follows(le(mean, top), over=over(mean, top), under=where)


def hoelder_for_three_parts(given: Given, w_part: Theorem) -> Theorem:
    """E e^(λZ) ≤ exp(λ²S²/2) for S = s_c + s_u + s_w, with the exponents S/s_c, S/s_u and S/s_w.

    ``w_part`` says E e^(λ(Y - EY)) ≤ exp(λ²s_w²/2).
    """
    logs = [Symbol(f"log-moment of the {name}-part", real=True) for name in "cuw"]
    hoeffding = given.fact(HOEFFDING, "bound")
    moments = [
        rules.instance(hoeffding, {_B: size, g_bar: part}, over=over(size, part))
        for size, part in zip(_PARTS, (Random("g^(c)"), Random("g^(u)")), strict=False)
    ]
    bounds = [_log_moment(*one) for one in zip([*moments, w_part], _PARTS, logs, strict=True)]
    mixed = sum(one * size / WHOLE for one, size in zip(logs, _PARTS, strict=True))
    top = _LAMBDA**2 * WHOLE**2 / 2
    hoelder = rules.textbook(
        "Hölder's inequality for three factors with the exponents S/s_c, S/s_u, S/s_w",
        le(E(exp(_LAMBDA * Z_R)), exp(mixed)),
        over=over(_LAMBDA, Z_R, mixed),
    )
    values = [*logs, *(size / WHOLE for size in _PARTS), top]
    at = dict(zip([*sp.symbols("l1:4", real=True), *sp.symbols("w1:4", nonnegative=True),
                   Symbol("top", real=True)], values, strict=True))  # fmt: skip
    below = rules.instance(_weighted_mean(), at, over=over(mixed, top))
    ranges, where = over(mixed, top), [eq(WHOLE, sum(_PARTS))]
    one = rules.follows(
        eq(sum(size / WHOLE for size in _PARTS), 1), over=over(WHOLE, *_PARTS), under=where
    )
    known = rules.follows(le(mixed, top), [below, one, *bounds], over=ranges, under=where)
    grows = facts.exponential_increases(top, mixed, over=ranges)
    goal = le(E(exp(_LAMBDA * Z_R)), exp(top))
    small = rules.follows(goal, [hoelder, known, grows], over=over(goal, mixed), under=where)
    return rules.instance(small, {WHOLE: sum(_PARTS)}, over=over(*_PARTS))


@HOELDER.proved()
def exponents(given: Given) -> Theorem:
    """The reciprocals of S/s_l add up to 1, and 2λ²s² = λ²(2s)²/2."""
    c, u, w = of.sigma_0 * of.nu_c, of.sigma_1 * of.nu_u, 2 * of.sigma_1 * of.nu_w
    half = _PARTS[2] / 2
    w_part = rules.instance(given.fact(SYMMETRISED, "bound"), {of.scale: half}, over=over(half))
    general = hoelder_for_three_parts(given, w_part)
    return rules.instance(general, dict(zip(_PARTS, (c, u, w), strict=True)), over=over(c, u, w))


_EXCESS = of.excess

CHERNOFF = claim(
    "st.lem5.chernoff",
    at=_AT,
    title="Sum over m/2 pairs and Chernoff's bound",
    states=le(P(ge(Abs(Z_mean), _EXCESS)), 2 * exp(-m * _EXCESS**2 / (4 * PROXY_SUM**2))),
    given=letters(m, _EXCESS, Z_mean, *_SIZES, under=RANDOM),
    assuming=RANDOM,
    rests_on=[HOELDER, PAIRS, "classical.chernoff", "classical.union"],
    discharging={
        INDEPENDENT_COPIES: "each Z_i is a function of one pair of heads, which are independent"
    },
    note=_NOTE,
)


def abbreviated(theorem: Theorem, short: Any, S: Symbol, proxy: Any) -> Theorem:
    """The same inequality with a letter for a long expression, if the letter is equal to it."""
    same_ = implies(eq(S, proxy), eq(short.rhs, theorem.statement.rhs))
    named = rules.textbook("equal numbers have equal exponentials", same_, over=over(same_))
    where = [eq(S, proxy), *theorem.under]
    return rules.follows(short, [theorem, named], over=over(short, *where), under=where)


def tail_of_the_mean(given: Given, moment: Theorem, proxy: Any) -> Theorem:
    """P(|mean of m/2 copies of Z| ≥ t) ≤ 2e^(-mt²/(4S²)) from E e^(λZ) ≤ exp(λ²S²/2) for all λ.

    The multiplier is t/S², for Z and for -Z.
    """
    S = WHOLE
    short = le(E(exp(_LAMBDA * Z_R)), exp(_LAMBDA**2 * S**2 / 2))
    moment = abbreviated(moment, short, S, proxy)
    where = sorted(moment.under, key=str)
    tails = [_one_side(given, moment, sign) for sign in (1, -1)]
    event = P(ge(Abs(Z_mean), _EXCESS))
    union = facts.union_bound(
        *(one.statement.lhs.args[0] for one in tails), over=over(Z_mean, _EXCESS)
    )
    split = rules.textbook(
        "an absolute value is one of two numbers", eq(event, union.statement.lhs), over=over(event)
    )
    goal = le(event, 2 * exp(-m * _EXCESS**2 / (4 * S**2)))
    known = [*tails, union, split]
    small = rules.follows(goal, known, over=over(goal, *where), under=where)
    return rules.instance(small, {S: proxy}, over=over(proxy))


def _one_side(given: Given, moment: Theorem, sign: int) -> Theorem:
    """P(±mean ≥ t) ≤ e^(-mt²/(4S²))."""
    chernoff = given.fact("classical.chernoff", "bounded moment")
    named = {x.name: x for x in chernoff.over}
    rate = _EXCESS / WHOLE**2
    at = {
        named["M"]: pairs,
        named["lambda_"]: rate,
        named["x"]: _EXCESS,
        named["K"]: rate**2 * WHOLE**2 / 2,
        named["W"]: sign * Z_R,
        named["mean"]: sign * Z_mean,
    }
    there = rules.instance(chernoff, at, over=over(*at.values()))
    bound = rules.instance(moment, {_LAMBDA: sign * rate}, over=over(rate, Z_R))
    even = what_is_assumed(given, EVEN_WIDTH, eq(m, 2 * pairs))
    exponent, level = there.statement.args[1].rhs.args[0], -m * _EXCESS**2 / (4 * WHOLE**2)
    equal_ = rules.follows(eq(exponent, level), [even], over=over(exponent, level))
    goal = le(there.statement.args[1].lhs, exp(level))
    known = [there, bound, equal_]
    return rules.follows(
        goal, known, over=over(goal, *at.values(), *bound.under), under=bound.under
    )


@CHERNOFF.proved()
def best_multiplier(given: Given) -> Theorem:
    """λ = t/S²: mλt/2 - mλ²S²/4 = mt²/(4S²)."""
    return tail_of_the_mean(given, given.fact(HOELDER), PROXY_SUM)

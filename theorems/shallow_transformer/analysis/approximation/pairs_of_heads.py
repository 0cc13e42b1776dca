"""Lemma 5, proof (Appendix A.6): its displayed lines one by one."""

import sympy as sp
from sympy import Abs, Expr, Symbol, exp

from theorems.classical.steps import at_least_zero, same
from theorems.engine import Given, Hypothesis, both, eq, ge, gt, implies, interval, le, lt, rules
from theorems.engine.rules import E, P, Random, Theorem, Vector, facts, inner, norm, principles
from theorems.shallow_transformer import hypotheses as hyp
from theorems.shallow_transformer.letters import paper as of
from theorems.shallow_transformer.letters.deviation import g_bar, g_c, g_u, g_w, moved_size, share
from theorems.shallow_transformer.letters.feature import g_sum, g_value, lin_at_tilde, pairs, target_value
from theorems.shallow_transformer.letters.paper import claim, i, m
from theorems.shallow_transformer.premises.kernels import G, value_of_the_function
from theorems.shallow_transformer.premises.matrices.outer_products import product_of_outer_products
from theorems.shallow_transformer.premises.means import halves, what_it_says
from theorems.shallow_transformer.premises.named import NETWORKS, in_networks
from theorems.shallow_transformer.premises.networks import letters, linear, total, what_is_assumed

_AT = "Lemma 5, proof"
_NOTE = "proofs_notes/st_approximation.md#lemma-5-line-by-line"
_LAMBDA = of.multiplier
BOUNDED_PARTS = (*hyp.REGULAR, hyp.BOUNDED_MAP)
RANDOM = (*hyp.RANDOM_START, *BOUNDED_PARTS)

BOUNDED = claim(
    "st.lem5.bounded",
    at=_AT,
    title="Bounds of the three parts of g",
    states={"c": le(g_c, of.C_PART), "u": le(g_u, of.U_PART), "w": le(g_w, of.W_PART * moved_size)},
    assuming=BOUNDED_PARTS,
    rests_on=["st.fact2"],
    note=_NOTE,
)
_SLOPE = Symbol("slope of the activation", real=True)


def _bounded_slope(given: Given) -> Theorem:
    return what_is_assumed(given, hyp.BOUNDED_SLOPES, le(Abs(_SLOPE), of.sigma_1))


@BOUNDED.proved("c")
def product_of_bounds(given: Given) -> Theorem:
    """|σ v_c| ≤ σ₀ν̄_c."""
    given.require(hyp.TWICE_DIFFERENTIABLE)
    value, v = Symbol("value of h", real=True), Symbol("value of v_c", real=True)
    known = [
        what_is_assumed(given, hyp.BOUNDED_VALUES, le(Abs(value), of.sigma_0)),
        what_is_assumed(given, hyp.BOUNDED_MAP, le(Abs(v), of.nu_c)),
        NETWORKS.meaning("the c-part", eq(g_c, Abs(value) * Abs(v))),
    ]
    return given.concluded(*known)


def u_part(given: Given, size: Symbol = g_u) -> Theorem:
    """|σ′⟨a, v_u⟩| ≤ σ₁|a||v_u|, for the size of the U-part of g."""
    a, v, x = Vector("a"), Vector("v_u"), of.a_size
    part = NETWORKS.meaning("the U-part", eq(x, norm(a)), eq(size, Abs(_SLOPE) * Abs(inner(a, v))))
    bounded = what_is_assumed(given, hyp.BOUNDED_MAP, le(norm(v), of.nu_u))
    inside = NETWORKS.follows(
        part, bounded, facts.cauchy_schwarz(a, v), goal=le(Abs(inner(a, v)), x * of.nu_u)
    )
    return NETWORKS.follows(part, inside, _bounded_slope(given), goal=le(size, of.sigma_1 * (x * of.nu_u)))


@BOUNDED.proved("u")
def cauchy_schwarz(given: Given) -> Theorem:
    """|σ′⟨a, v_u⟩| ≤ σ₁|a||v_u| and |a| ≤ 1."""
    given.require(hyp.TOKENS)
    short = what_it_says(given, "st.fact2", le(of.a_size, 1))
    return given.concluded(u_part(given), NETWORKS.follows(short, goal=le(of.a_size * of.nu_u, of.nu_u)))


@BOUNDED.proved("w")
def norm_of_an_outer_product(given: Given) -> Theorem:
    """|⟨MU qᵀ, v_w⟩_F| ≤ |MU||q||v_w| and |q| ≤ 1."""
    outer, v, image, query = (Vector(name) for name in ("MU q'", "v_w", "MU", "q"))
    product = facts.cauchy_schwarz(outer, v)
    q = what_is_assumed(given, hyp.QUERY, le(of.q_size, 1))
    sizes = NETWORKS.meaning("lengths", eq(moved_size, norm(image)), eq(of.q_size, norm(query)))
    square = product_of_outer_products(inner(outer, outer), (image, image), (query, query))
    shorter = NETWORKS.follows(q, sizes, square, goal=le(norm(outer), moved_size))
    bounded = what_is_assumed(given, hyp.BOUNDED_MAP, le(norm(v), of.nu_w))
    inside = NETWORKS.follows(shorter, bounded, product, goal=le(Abs(inner(outer, v)), of.nu_w * moved_size))
    part = NETWORKS.meaning("the W-part", eq(g_w, Abs(_SLOPE) * Abs(inner(outer, v))))
    return given.concluded(part, inside, _bounded_slope(given))


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
    rests_on=["st.eq11.mean"],
    discharging={},
    note=_NOTE,
)


@PAIRS.proved("mean")
def sum_over_pairs(given: Given) -> Theorem:
    """The sum of g over all heads is that over the first and the second half."""
    whole = NETWORKS.meaning("the sum of g", eq(g_sum, total(g_value(i), i, m)))
    model, apart = given.fact("st.eq11.mean", "mean"), linear(total(_PAIR, i, pairs))
    return given.concluded(model, whole, apart, *halves(given, g_value))


@PAIRS.proved("same mean")
def average_over_the_sign(given: Given) -> Theorem:
    """The second head of a pair is the first with the other sign, of the same law."""
    given.require(*RANDOM)
    first, second = Random("g of the first head"), Random("g of the second head")
    law = what_is_assumed(given, hyp.RANDOM_HEADS, eq(E(first), E(G)), eq(E(second), E(G)))
    mean = NETWORKS.meaning("the mean over a pair", eq(E(g_bar), E((first + second) / 2)))
    return given.concluded(law, value_of_the_function(), mean)


BOUNDED_PART = Hypothesis(
    "bounded_part",
    "the absolute value of $g_bar is almost surely at most $part_bound",
    latex=r"|$g_bar| \le $part_bound \text{ almost surely}",
)
_B = of.part_bound
_V = Symbol("rate of cosh", real=True)

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
    assuming=[BOUNDED_PART],
    rests_on=["classical.hoeffding_lemma"],
    note=_NOTE,
)


def _mean_below_two_points() -> tuple[Theorem, list[Theorem]]:
    """E e^(v(Z - μ)) is at most the mean of its values at two points, for Z in [-1, 1]."""
    z, mu, scaled = Symbol("value of Z", real=True), Symbol("mean of Z", real=True), Random("Z")
    unit = {z: interval(-1, 1), mu: sp.Reals, _V: sp.Reals}
    sides = []
    for sign in (1, -1):
        rate = _V * (sign - mu)
        tangent = facts.exponential_above_tangent(_V * (sign - z), over=unit)
        split = facts.exponential_of_sum(rate, _V * (z - mu), _V * (sign - z), over=unit)
        sides += [tangent, split]
    chord = (1 + z) / 2 * exp(_V * (1 - mu)) + (1 - z) / 2 * exp(_V * (-1 - mu))
    below = rules.follows(le(exp(_V * (z - mu)), chord), sides)
    ends = [rules.follows(one, over={z: unit[z]}) for one in (le(z, 1), le(-1, z))]
    averaged, *bounds = (principles.expected(one, z, scaled) for one in (below, *ends))
    at_mean = NETWORKS.substituted(averaged, {mu: E(scaled)})
    return at_mean, bounds


@HOEFFDING.proved("bound")
def range_of_length_2b(given: Given) -> Theorem:
    """By the hypothesis."""
    surely = what_is_assumed(given, BOUNDED_PART, eq(P(le(Abs(g_bar), _B)), 1))
    return given.follows(moment_of_a_part(given, surely, g_bar, _B))


def moment_of_a_part(given: Given, surely: Theorem, part: Expr, bound: Symbol) -> Theorem:
    """E e^(λ(g - Eg)) ≤ exp(λ²B²/2), as surely |g| ≤ B.

    The chord of e^y over [-B, B]: u = 2Bλ in Hoeffding's lemma, u²/8 = λ²B²/2.
    """
    scaled = Random("Z")
    at_mean, bounds = _mean_below_two_points()
    chance, rate = (1 + E(scaled)) / 2, 2 * _V
    (within_,) = at_mean.under
    ranges = in_networks(scaled, _V)
    inside = NETWORKS.follows(*bounds, goal=both(ge(chance, 0), le(chance, 1)), under=[within_])
    known = given.fact("classical.hoeffding_lemma")
    p, u = (next(x for x in known.over if x.name == name) for name in "pu")
    lemma = NETWORKS.substituted(known, {p: chance, u: rate}, under=[inside.statement])
    tilted = lemma.statement.lhs.args[0]
    two_points = same(tilted, at_mean.statement.rhs, ranges)
    grows = facts.logarithm_increases(exp(_V**2 / 2), tilted, under=[gt(tilted, 0)])
    moment = le(at_mean.statement.lhs, exp(_V**2 / 2))
    whole = NETWORKS.follows(at_mean, two_points, inside, lemma, grows, goal=moment, under=[within_])
    certain = _within_the_unit_interval(surely, part, bound)
    there = NETWORKS.substituted(
        whole, {_V: _LAMBDA * bound, scaled: part / bound}, under=[certain.statement]
    )
    goal = le(E(exp(_LAMBDA * (part - E(part)))), exp(_LAMBDA**2 * bound**2 / 2))
    return NETWORKS.follows(there, certain, goal=goal, under=surely.under)


def _within_the_unit_interval(surely: Theorem, part: Expr, bound: Symbol) -> Theorem:
    """g over its bound is almost surely in [-1, 1]."""
    x = Symbol("value of g", real=True)
    event = both(ge(x / bound, -1), le(x / bound, 1))
    inside = NETWORKS.follows(goal=implies(le(Abs(x), bound), event))
    larger = principles.more_probable(inside, x, part)
    goal = eq(larger.statement.rhs, 1)
    sure = facts.probability(larger.statement.rhs.args[0])
    return NETWORKS.follows(larger, surely, sure, goal=goal, under=surely.under)


@HOEFFDING.proved("best")
def two_signs(given: Given) -> Theorem:
    """For signs ±B the moment is cosh(λB) ≥ 1 + λ²B²/2 > 1/(1 - cλ²B²) ≥ exp(cλ²B²)."""
    y = share * _V**2
    cosh = (exp(_V) + exp(-_V)) / 2
    slope = rules.follows(ge(cosh - 1, 0), _at_least_one())
    series = at_least_zero(cosh - 1 - _V**2 / 2, _V, 0, slope)
    numbers = in_networks(share, _V)
    tangent = facts.exponential_above_tangent(-y, over=numbers)
    product = facts.exponential_of_sum(sp.S.Zero, y, -y, over=numbers)
    goal = implies(both(gt(_V**2, 0), lt(y, 1 - 2 * share)), gt(cosh, exp(y)))
    return given.concluded(
        NETWORKS.substituted(NETWORKS.follows(series, tangent, product, goal=goal), {_V: _LAMBDA * _B})
    )


def _at_least_one() -> list[Theorem]:
    """e^v e^(-v) = 1, so that the mean of both is at least 1."""
    product = facts.exponential_of_sum(sp.S.Zero, _V, -_V)
    tangents = [facts.exponential_above_tangent(one) for one in (_V, -_V)]
    return [product, *tangents]

"""Lemma 5, proof (Appendix A.6): moments and exponential moments of the w-part."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, TypeAlias

import numpy as np
import sympy as sp
from hypothesis import strategies as st
from scipy.special import gammaln
from sympy import Abs, Symbol, exp

from symbolic.equality import equal
from symbolic.nonnegative import nonnegative
from theorems.classical import functions, powers
from theorems.classical.gaussian_moments import even_moment, standard
from theorems.classical.letters import q
from theorems.classical.normal_means import exponential_moment
from theorems.classical.products import by_factorials, odd_numbers
from theorems.classical.steps import positive_moment
from theorems.engine import Given, Obligations, Rounded, eq, implies, le, rules
from theorems.engine.rules import E, Random, Theorem, facts, principles
from theorems.engine.rules.vocabulary import independent
from theorems.engine.statements.letters import NamedFunction
from theorems.engine.statements.values import unfolded
from theorems.shallow_transformer.hypotheses import COPY, DOMINATED, NORMAL_READ_OUT
from theorems.shallow_transformer.letters import paper as of
from theorems.shallow_transformer.letters.deviation import G_R, Y_R, Y_copy, factorial
from theorems.shallow_transformer.letters.feature import random_family
from theorems.shallow_transformer.letters.paper import claim
from theorems.shallow_transformer.letters.token import t
from theorems.shallow_transformer.premises.matrices.lengths import moment_of_the_length
from theorems.shallow_transformer.premises.means import COORDINATE, SHARE, in_the_mean, length_by_tokens
from theorems.shallow_transformer.premises.named import NETWORKS, in_networks
from theorems.shallow_transformer.premises.networks import added, linear, stated, total, what_is_assumed

_AT = "Lemma 5, proof"
_NOTE = "proofs_notes/st_approximation.md#lemma-5-line-by-line"
_LAMBDA = of.multiplier

_K = of.order
_GAUSSIAN = factorial(2 * _K) / (2**_K * factorial(_K))
NORMAL_PARTS = (NORMAL_READ_OUT, DOMINATED)

MOMENTS = claim(
    "st.eq20",
    at="Lemma 5, proof; Equation (20)",
    title="Even moments of the w-part",
    states={
        "bound": le(of.moment, of.scale ** (2 * _K) * _GAUSSIAN),
        "attained": eq(E((of.scale * G_R) ** (2 * _K)), of.scale ** (2 * _K) * _GAUSSIAN),
    },
    assuming=NORMAL_PARTS,
    note=_NOTE,
)


def _in_factorials(known: Theorem) -> list[Theorem]:
    """Moments of order k of normal squares, and (2k - 1)!! by factorials."""
    odd = next(one for one in known.statement.atoms(NamedFunction) if one.func != factorial)
    double = by_factorials(odd.func, factorial), odd_numbers(odd.func)
    return [known, *(rules.instance(one, [_K]) for one in double)]


_LENGTH = Random("|MU|")


def _dominated_moment(given: Given) -> Theorem:
    """E Y^(2k) ≤ s^(2k) E|MU|^(2k), as |Y| ≤ s|MU|."""
    y, x = Symbol("value of Y", real=True), Symbol("value of |MU|", nonnegative=True)
    goal = le(y ** (2 * _K), of.scale ** (2 * _K) * x ** (2 * _K))
    below = le(Abs(y), of.scale * x)
    in_networks(y, x, of.scale, _K)
    larger = powers.increase(Abs(y), of.scale * x, 2 * _K)
    apart = powers.of_product(of.scale, x, 2 * _K)
    pointwise = NETWORKS.follows(larger, apart, what_is_assumed(given, DOMINATED, below), goal=goal)
    means = in_the_mean(pointwise, {y: Y_R, x: _LENGTH})
    name = NETWORKS.meaning("the moment of Y", eq(of.moment, E(Y_R ** (2 * _K))))
    return NETWORKS.follows(means, name, goal=le(of.moment, of.scale ** (2 * _K) * E(_LENGTH ** (2 * _K))))


@MOMENTS.proved("bound")
def shares_of_the_tokens(given: Given) -> Theorem:
    """|MU| ≤ Σμ_t|u_t| for the shares μ_t of tokens in tr M ≤ 1, u_t being values along unit vectors."""
    small = what_is_assumed(given, NORMAL_READ_OUT, le(of.M_trace, 1))
    moment = moment_of_the_length(small, _LENGTH, _K)
    weighted = _in_factorials(moment)
    below = NETWORKS.follows(*weighted, small, goal=le(E(_LENGTH ** (2 * _K)), _GAUSSIAN))
    return given.concluded(_dominated_moment(given), below)


@MOMENTS.proved("attained")
def rank_one(given: Given) -> Theorem:
    """M = eeᵀ and |Y| = s|⟨e, U⟩|, a multiple of a standard normal variable."""
    law = what_is_assumed(given, NORMAL_READ_OUT, standard(G_R))
    moment = NETWORKS.substituted(even_moment(G_R), {q: _K})
    return given.concluded(law, *_in_factorials(moment))


@MOMENTS.tested(
    "bound",
    over=st.tuples(
        st.lists(st.floats(0, 1), min_size=1, max_size=6), st.integers(1, 12), st.sampled_from([1.0, 2.0**-6])
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
            sum(r * 2 ** (j - 1) * sums[j] * moments[n - j] for j, r in zip(steps, ratios, strict=True))
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
    assuming=(*NORMAL_PARTS, COPY),
    rests_on=[MOMENTS],
    note=_NOTE,
)


#: How a proof takes over what holds of the copy.
Says: TypeAlias = Callable[..., Theorem]


def a_copy(says: Says) -> Theorem:
    """A copy Y' of Y, independent of it."""
    first, second = (E(exp(-2 * _LAMBDA * one)) for one in (Y_copy, Y_R))
    return says(eq(E(Y_copy), E(Y_R)), eq(first, second), independent(Y_R, Y_copy))


def of_the_claim(given: Given) -> Says:
    """By the hypothesis of a claim that has a copy, or as the meaning of the letter for one."""
    if COPY in given.claim.hypotheses:
        return partial(given.supposed, COPY)
    return partial(given.meaning, "a copy of Y, independent of it")


def centred_by_a_copy(says: Says) -> Theorem:
    """E e^(-λY') ≥ e^(-λEY') by Jensen, and independent factors have the product of means.

    What is said of the copy is a hypothesis about the claim's own variables, or a meaning.
    """
    x, y = Symbol("value of Y", real=True), Symbol("value of the copy", real=True)
    convex = rules.follows(sp.true, over={y: sp.Reals, **in_networks(_LAMBDA)})
    jensen = principles.jensen(convex, exp(-_LAMBDA * y), y, Y_copy)
    first, second = exp(_LAMBDA * Y_R), exp(-_LAMBDA * Y_copy)
    product = facts.expectation_of_independent(first, second)
    in_networks(x, y, _LAMBDA)
    split = facts.exponential_of_sum(_LAMBDA * (x - y), _LAMBDA * x, -_LAMBDA * y)
    merged = exp(_LAMBDA * (x - y)), sp.Mul(exp(_LAMBDA * x), exp(-_LAMBDA * y), evaluate=False)
    factors = NETWORKS.follows(split, goal=eq(*merged))
    whole = in_the_mean(factors, {x: Y_R, y: Y_copy})
    waves = facts.independent_functions(
        lambda X: exp(_LAMBDA * X), lambda Y: exp(-_LAMBDA * Y), Y_R, Y_copy,
        over=in_networks(_LAMBDA),
    )  # fmt: skip
    copies = a_copy(says)
    positive = positive_moment(_LAMBDA * Y_R, in_networks(_LAMBDA))
    goal = stated(SYMMETRISED, "symmetrised")
    return NETWORKS.follows(jensen, product, whole, waves, copies, positive, goal=goal)


@SYMMETRISED.proved("symmetrised")
def an_independent_copy(given: Given) -> Theorem:
    """Jensen's inequality for the copy."""
    return given.concluded(centred_by_a_copy(of_the_claim(given)))


def cosh_of(rate: Any, argument: Any) -> Any:
    """The hyperbolic cosine of a product, by exponentials."""
    return (exp(rate * argument) + exp(-rate * argument)) / 2


def jensen_for_cosh(rate: Any, weight: Any, point: Any, share: Any) -> Theorem:
    """cosh(tx) ≤ Σp_i cosh(tu_i) + q cosh(tc) + 1 − q − Σp_i at x = Σp_i|u_i| + qc.

    The weights p_i and q of u_i and c, which add up to 1 at most, leave the rest to 0.
    """
    at, whole = Abs(COORDINATE(t)), weight + total(share, t, of.T)
    mean = weight * point + total(share * at, t, of.T)
    place, letters_ = Symbol("place", real=True), in_networks(rate, weight, point, share, of.T)
    letters_.pop(t, None)
    bend = sp.diff(cosh_of(rate, place), place, 2)
    convex = rules.follows(bend >= 0, over=in_networks(rate, place))
    jensen = principles.jensen_for_weights(
        convex, cosh_of(rate, place), place, (weight, point), (share, at), (t, 1, of.T),
        over=letters_,
    )  # fmt: skip
    even = functions.cosh_is_even(rate, COORDINATE(t))
    term = eq(share * cosh_of(rate, at), share * cosh_of(rate, COORDINATE(t)))
    each = added(NETWORKS.follows(even, goal=term), t, of.T)
    sums = weight * cosh_of(rate, point) + each.statement.rhs + 1 - whole
    return NETWORKS.follows(jensen, each, goal=le(cosh_of(rate, mean), sums), under=[le(whole, 1)])


def increasing_cosh(rate: Any, value: Any, top: Any) -> Theorem:
    """cosh increases with the size of its argument."""
    in_networks(rate, value, top)
    goal = implies(le(Abs(value), top), le(cosh_of(rate, value), cosh_of(rate, top)))
    increases = functions.cosh_increases(rate * value, rate * top)
    farther = implies(le(Abs(value), top), le(Abs(rate * value), Abs(rate * top)))
    return NETWORKS.follows(increases, NETWORKS.follows(goal=farther), goal=goal)


def normal_cosh(rate: Any) -> tuple[Any, Theorem]:
    """The values U_t of U along unit vectors, and E cosh(tU_i) = e^(t²/2)."""
    normals, top = random_family("value of U along a token", "U"), exp(rate**2 / 2)
    law = NETWORKS.meaning("the value of U along a unit vector", *standard(normals(t)).args)
    moments = [exponential_moment(normals(t), r) for r in (rate, -rate)]
    return normals, NETWORKS.follows(law, *moments, goal=eq(E(cosh_of(rate, normals(t))), top))


def taken_apart(*statements: Any) -> list[Theorem]:
    """Numbers come out of all sums that occur."""
    sums = set().union(*(one.atoms(sp.Sum) for one in statements))
    return [linear(one) for one in sorted(sums, key=str)]


#: Values of Y and of the length of MU.
VALUE, MOVED = Symbol("value of Y", real=True), Symbol("value of |MU|", nonnegative=True)


def mean_of_cosh(small: Theorem, rate: Any, length: Any) -> Theorem:
    """E cosh(t|MU|) ≤ e^(t²/2), t the rate, by Jensen's inequality with the tokens' shares in tr M.

    ``small`` says that the trace of M is at most 1.
    """
    value, top = Symbol("value of |MU|", nonnegative=True), exp(rate**2 / 2)
    longest, trace = length_by_tokens(value)
    mean = longest.statement.rhs
    jensen = jensen_for_cosh(rate, sp.S.Zero, sp.S.Zero, SHARE(t))
    larger = le(cosh_of(rate, value), jensen.statement.rhs)
    known = [longest, trace, small, jensen, increasing_cosh(rate, value, mean)]
    pointwise = NETWORKS.follows(*known, goal=larger)
    normals, moments = normal_cosh(rate)
    means = in_the_mean(pointwise, {value: length, COORDINATE: normals})
    term = eq(SHARE(t) * E(cosh_of(rate, normals(t))), SHARE(t) * top)
    each = added(NETWORKS.follows(moments, goal=term), t, of.T)
    apart = taken_apart(means.statement, each.statement)
    tangent = facts.exponential_above_tangent(rate**2 / 2)
    goal = le(E(cosh_of(rate, length)), top)
    known = [means, trace, small, each, *apart, tangent]
    return NETWORKS.follows(*known, goal=goal)


def _dominated_mean(dominated: Theorem, small: Theorem, rate: Any) -> Theorem:
    """E cosh(tY) ≤ E cosh(ts|MU|), as |Y| ≤ s|MU|."""
    increases = increasing_cosh(rate, VALUE, of.scale * MOVED)
    below, where = le(cosh_of(rate, VALUE), cosh_of(rate * of.scale, MOVED)), dominated.under
    pointwise = NETWORKS.follows(increases, dominated, goal=below, under=where)
    moment = mean_of_cosh(small, rate * of.scale, _LENGTH)
    means = in_the_mean(pointwise, {VALUE: Y_R, MOVED: _LENGTH})
    goal = le(E(cosh_of(rate, Y_R)), exp(rate**2 * of.scale**2 / 2))
    return NETWORKS.follows(means, moment, goal=goal, under=where)


def centred_by_cosh(says: Says) -> Theorem:
    """E e^(λ(Y - EY)) ≤ E cosh(2λY): e^(λ(Y - Y')) ≤ (e^(2λY) + e^(-2λY'))/2 for a copy Y'."""
    y, other = Symbol("value of Y", real=True), Symbol("value of the copy", real=True)
    in_networks(y, other, _LAMBDA)
    first, second = sp.symbols("a_1 b_1", real=True)
    means_ = NETWORKS.follows(goal=le(first * second, (first**2 + second**2) / 2))
    below = NETWORKS.substituted(means_, {first: exp(_LAMBDA * y), second: exp(-_LAMBDA * other)})
    gap = _LAMBDA * (y - other)
    split = facts.exponential_of_sum(gap, _LAMBDA * y, -_LAMBDA * other)
    pointwise = NETWORKS.follows(below, split, goal=le(exp(gap), below.statement.rhs))
    means = in_the_mean(pointwise, {y: Y_R, other: Y_copy})
    copies = a_copy(says)
    goal = le(E(_CENTRED), E(cosh_of(2 * _LAMBDA, Y_R)))
    return NETWORKS.follows(centred_by_a_copy(says), means, copies, goal=goal)


def centred_moment(given: Given, dominated: Theorem, small: Theorem) -> Theorem:
    """E e^(λ(Y - EY)) ≤ E cosh(2λY) ≤ E cosh(2λs|MU|) ≤ e^(2λ²s²).

    ``dominated`` says |Y| ≤ s|MU| of their values, and ``small`` tr M ≤ 1; U is standard normal.
    """
    cosh = _dominated_mean(dominated, small, 2 * _LAMBDA)
    goal = stated(SYMMETRISED, "bound")
    return NETWORKS.follows(centred_by_cosh(of_the_claim(given)), cosh, goal=goal, under=dominated.under)


@SYMMETRISED.proved("bound")
def by_the_mean_of_cosh(given: Given) -> Theorem:
    """Both hypotheses in symbols."""
    small = what_is_assumed(given, NORMAL_READ_OUT, le(of.M_trace, 1))
    dominated = what_is_assumed(given, DOMINATED, le(Abs(VALUE), of.scale * MOVED))
    return given.follows(centred_moment(given, dominated, small))


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

"""Lemma 5, proof (Appendix A.6): moments and exponential moments of the w-part."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import sympy as sp
from hypothesis import strategies as st
from scipy.special import gammaln
from sympy import Abs, Symbol, exp

from symbolic.equality import equal
from symbolic.nonnegative import nonnegative
from theorems.classical.hypotheses import EACH_NORMAL, NONNEGATIVE_WEIGHTS
from theorems.engine import (
    Given,
    Obligations,
    Rounded,
    both,
    claims_in,
    eq,
    gt,
    implies,
    le,
    rules,
)
from theorems.engine.letters import NamedFunction
from theorems.engine.rules import E, Random, Theorem, facts
from theorems.engine.values import unfolded
from theorems.shallow_transformer import letters as of
from theorems.shallow_transformer.approximation_proof import BOUNDED, BOUNDED_PARTS
from theorems.shallow_transformer.deviation_letters import (
    G_R,
    Y_R,
    Y_copy,
    factorial,
)
from theorems.shallow_transformer.feature_letters import (
    random_family,
)
from theorems.shallow_transformer.hypotheses import (
    DOMINATED,
    NORMAL_READ_OUT,
)
from theorems.shallow_transformer.letters import LETTERS, i
from theorems.shallow_transformer.mean_premises import in_the_mean
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

claim = claims_in(LETTERS)
_AT = "Lemma 5, proof"
_NOTE = "proofs_notes/st_approximation.md#lemma-5-line-by-line"
_LAMBDA = of.multiplier

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
    y = Symbol("value of the copy", real=True)
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
    y, x = Symbol("value of Y", real=True), Symbol("value of |MU|", nonnegative=True)
    length = Random("|MU|")
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
    y, other = Symbol("value of Y", real=True), Symbol("value of the copy", real=True)
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

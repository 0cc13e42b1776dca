"""Lipschitz functions of Gaussian vectors, and maxima of Gaussian families."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Any

import numpy as np
import sympy as sp
from hypothesis import strategies as st
from scipy.special import log_ndtr, ndtr
from sympy import Expr, Symbol, exp, log

from numeric.statistics import MeanTest, mean_test
from symbolic.equality import equal
from theorems.classical.hypotheses import (
    EQUAL_MEANS,
    GAUSSIAN_FAMILIES,
    LIPSCHITZ,
    NORMAL,
    SMALLER_INCREMENTS,
)
from theorems.classical.letters import (
    F_value,
    L,
    claim,
    log_moment_f,
    multiplier,
    s,
    square_of_tensors,
    u_prime,
    u_vec,
    w_prime,
    w_vec,
)
from theorems.classical.means_of_copies import RATE
from theorems.classical.properties import lipschitz_of_normals
from theorems.classical.steps import letters_of, positive_moment
from theorems.engine import (
    Choice,
    Given,
    Hypothesis,
    Obligations,
    Provenance,
    Rounded,
    eq,
    ge,
    gt,
    half_line,
    implies,
    le,
    rules,
    sentence,
)
from theorems.engine.rules import E, P, Random, Theorem, facts, inner, norm, principles
from theorems.engine.rules.facts import Fact
from theorems.engine.rules.ranges import Over, within
from theorems.engine.rules.vocabulary import derivative, randoms
from theorems.engine.statements.values import unfolded

_NOTE = "proofs_notes/eoc_concentration.md#gaussian-maxima"

MOMENT = claim(
    "classical.gaussian_lipschitz",
    at="Gaussian concentration",
    title="Exponential moments of Lipschitz functions of Gaussian vectors",
    states=le(log_moment_f, multiplier**2 * L**2 / 2),
    assuming=[NORMAL, LIPSCHITZ],
    provenance=Provenance.CLASSICAL,
    note=_NOTE,
)


@MOMENT.argued(
    bridge="Both sides of the covariance identity are bilinear, so that exponentials decide; with"
    " the function smoothed, |∇F| ≤ L bounds the derivative of the logarithm, which is integrated.",
    uses=[NORMAL, LIPSCHITZ],
)
def covariance_along_a_rotation(given: Given) -> Obligations:
    """Cov(f, h) = ∫₀¹ E⟨∇f(g), ∇h(tg + √(1-t²)g')⟩ dt; take f = F, h = e^(λF), |∇F| ≤ L.

    Then (log E e^(λ(F - EF)))' = Cov(F, e^(λF))/E e^(λF) ≤ λL², and both sides are 0 at λ = 0.
    """
    first, second, between, t = sp.symbols("A B p t", real=True)  # |a|², |b|², ⟨a, b⟩
    both = first + second
    covariance = exp(both / 2 + between) - exp(both / 2)
    # E exp(⟨a, g⟩ + ⟨b, tg + √(1-t²)g'⟩): the exponent has variance |a + tb|² + (1 - t²)|b|².
    along = first + 2 * t * between + t**2 * second
    mixed = between * exp(sp.expand(along + (1 - t**2) * second) / 2)
    antiderivative = exp(both / 2 + between * t)
    yield "its derivative in t", equal(sp.diff(antiderivative, t), mixed)
    ends = antiderivative.subs(t, 1) - antiderivative.subs(t, 0)
    yield "covariance", equal(ends, covariance)
    bound = given.goal.rhs
    yield "integrated bound", equal(sp.diff(bound, multiplier), multiplier * L**2)
    yield "at zero", equal(bound.subs(multiplier, 0), sp.Integer(0))


@dataclass(frozen=True)
class Lipschitz:
    """A Lipschitz function of a standard normal vector, and its constant L, for any proof.

    ``normal`` is the hypothesis that the vector is standard normal.  ``said`` makes the leaf by
    which the function has the constant.
    """

    given: Given
    normal: Hypothesis
    said: Callable[..., Theorem]
    value: Expr
    constant: Expr
    over: Over

    def moment(self) -> Theorem:
        """m(t) = E e^(t(F - EF)) ≤ e^(t²L²/2) for t ≥ 0, as e^(-t²L²/2) m(t) does not increase.

        Its derivative is e^(-t²L²/2)(m' - tL²m), and m' is the covariance of F and the exponential.
        """
        self.given.require(self.normal)
        F, mean, over = self.value, E(self.value), {**self.over, RATE: half_line(0)}
        law = _DERIVATIVE.theorem.at({_X: F}, over=self.over)
        rate, m = law.statement.args[:2]
        exponent = RATE**2 * self.constant**2 / 2
        shrinking = exp(-RATE * mean - exponent)
        changes = rules.differentiated(
            shrinking * _MOMENT, RATE, half_line(0), {_MOMENT: law}, over=self.over
        )
        known = [covariance_with_exponential(F, self.constant, self.over), self._is_lipschitz]
        bound = (mean + RATE * self.constant**2) * m
        below = rules.follows(le(rate, bound), known)
        scaled = rules.instance(_scaled(), (shrinking, rate, bound), over=over)
        falls = rules.follows(le(changes.statement.args[0], 0), [below, scaled])
        moved = rules.mean_value(changes, falls, _later)
        from_zero = moved.at({RATE: 0, _later: RATE})
        across = rules.instance(_across(), (RATE * mean, m, exponent), over=over)
        goal = le(E(exp(RATE * (F - mean))), exp(exponent))
        return rules.follows(goal, [from_zero, across])

    @property
    def _is_lipschitz(self) -> Theorem:
        return self.said(lipschitz_of_normals(self.value, self.constant))

    def tail(self) -> Theorem:
        """P(F ≥ EF + sL) ≤ e^(-s²/2) for L > 0, by Markov's inequality for e^(λF) at λ = s/L."""
        mean, best = E(self.value), s / self.constant
        over, exponent = {**self.over, s: half_line(0)}, best * mean + s**2 / 2
        whole = self.moment().at({RATE: best})
        parts = [
            facts.exponential_of_sum(exponent, best * mean, s**2 / 2, over=over),
            facts.exponential_of_sum(0, best * mean, -best * mean, over=over),
        ]
        below = le(E(exp(best * self.value)), exp(exponent))
        bounded = rules.follows(below, [whole, *parts])
        level = mean + s * self.constant
        tail = facts.chernoff(self.value, level, best, over=over)
        joined = facts.exponential_of_sum(-(s**2) / 2, -best * level, exponent, over=over)
        goal = le(P(ge(self.value, level)), exp(-(s**2) / 2))
        return rules.follows(goal, [tail, bounded, joined])


def _assumed(given: Given, sign: int = 1) -> Lipschitz:
    """The function of the textbook fact, or its opposite."""
    said = partial(given.supposed, LIPSCHITZ)
    return Lipschitz(given, NORMAL, said, sign * F_value, L, letters_of(given, L, F_value))


@MOMENT.proved()
def integrate_the_slope(given: Given) -> Theorem:
    """For λ ≥ 0, and for λ ≤ 0 with -F in place of F."""
    over = letters_of(given, multiplier, L, F_value, log_moment_f)
    halves = [
        _assumed(given, sign)
        .moment()
        .at({RATE: sign * multiplier}, over=over, under=[ge(sign * multiplier, 0)])
        for sign in (1, -1)
    ]
    moment, bound = halves[0].statement.args
    positive = positive_moment(multiplier * (F_value - E(F_value)), over)
    grows = facts.logarithm_increases(bound, moment, under=[moment > 0])
    known = given.meaning("its logarithm", eq(log_moment_f, log(moment)), under=[gt(moment, 0)])
    return given.follows(*halves, positive, grows, known)


def covariance_with_exponential(X: Expr, L: Expr, over: Over) -> Theorem:
    """E Xe^(tX) - EX Ee^(tX) ≤ tL² Ee^(tX) for t ≥ 0 and X = F(g), F Lipschitz with L.

    By the covariance identity the left side is t E ABCL²e^(tY), where Y has the law of X, A and B
    are lengths of gradients over L, and C is their cosine.
    """
    lengths, cosine = (randoms(name)(RATE) for name in ("A", "B")), randoms("C")(RATE)
    first, second = lengths
    Y, moment = randoms("Y")(RATE), E(exp(RATE * _X))
    covariance = E(_X * exp(RATE * _X)) - E(_X) * moment
    mixed = RATE * _constant**2 * E(first * second * cosine * exp(RATE * Y))
    identity = Fact(
        "covariance identity of Gaussian vectors, for a Lipschitz function and its exponential",
        sp.And(
            eq(covariance, mixed),
            eq(E(exp(RATE * Y)), moment),
            *(eq(P(within(one, _UNIT)), 1) for one in (first, second)),
            eq(P(within(cosine, _BOTH)), 1),
        ),
        (_X, _constant, RATE),
        ((_constant, half_line(0)), (RATE, half_line(0))),
        (lipschitz_of_normals(_X, _constant),),
    )
    known = [identity.theorem, _weighted_product(first, second, cosine, RATE * Y)]
    goal = le(covariance, RATE * _constant**2 * moment)
    general = rules.follows(goal, known, under=identity.under)
    return general.at({_X: X, _constant: L}, over=over)


def _scaled() -> Theorem:
    """ax ≤ ay for a ≥ 0, if x ≤ y."""
    a, (x, y) = Symbol("a", nonnegative=True), sp.symbols("x y", real=True)
    return rules.follows(implies(le(x, y), le(a * x, a * y)))


def _across() -> Theorem:
    """e^(-x) y ≤ e^z if e^(-x-z) y ≤ 1."""
    x, y, z = sp.symbols("x y z", real=True)
    small = le(exp(-x - z) * y, 1)
    return rules.follows(implies(small, le(exp(-x) * y, exp(z))))


_X, _MOMENT = Random("X"), Symbol("m", real=True)
_constant, _later = sp.symbols("constant later_rate", nonnegative=True)
_DERIVATIVE = Fact(
    "derivative of an exponential moment",
    derivative(E(_X * exp(RATE * _X)), E(exp(RATE * _X)), RATE, half_line(0)),
    (_X,),
)
_UNIT, _BOTH = sp.Interval(0, 1), sp.Interval(-1, 1)


def _weighted_product(first: Any, second: Any, cosine: Any, exponent: Any) -> Theorem:
    """E ABC e^Y ≤ E e^Y for A and B in [0, 1] and C in [-1, 1]."""
    a, b, c, y = sp.symbols("a b c y", real=True)
    over = {a: _UNIT, b: _UNIT, c: _BOTH}
    product_ = rules.follows(le(a * b * c, 1), over=over)
    goal = le(a * b * c * exp(y), exp(y))
    pointwise = rules.follows(goal, [product_])
    values = {a: first, b: second, c: cosine, y: exponent}
    return principles.expected_jointly(pointwise, values, over={RATE: half_line(0)})


@MOMENT.tested(
    over=st.tuples(
        st.booleans(),
        st.floats(-5, 5),
        st.one_of(st.just(0.0), st.floats(0.1, 4)),
        st.sampled_from([0, 1, 2]),
        st.booleans(),
    )
)
def functions_with_a_kink(case: tuple[bool, float, float, int, bool]) -> dict[Any, Any]:
    """L max(g, c) and L|g - c|: the exact logarithm."""
    folded, c, size, constant, negative = case
    rate = -size if negative else size
    at = {multiplier: rate, L: constant}
    lam = rate * constant
    if lam == 0:
        return {**at, log_moment_f: 0}
    density = np.exp(-c * c / 2) / np.sqrt(2 * np.pi)
    if folded:
        average = c * (2 * ndtr(c) - 1) + 2 * density
        left, right = lam * c + log_ndtr(lam + c), -lam * c + log_ndtr(lam - c)
        logarithm = lam**2 / 2 + np.logaddexp(left, right)
    else:
        average = c * ndtr(c) + density
        logarithm = np.logaddexp(lam * c + log_ndtr(c), lam**2 / 2 + log_ndtr(lam - c))
    # Ten terms of size at most 40 + λ², each good to a few units in the last place.
    return {**at, log_moment_f: Rounded(float(logarithm - lam * average), 1e-14 * (40 + lam**2))}


TAIL = claim(
    "classical.gaussian_lipschitz.tail",
    at="Gaussian concentration",
    title="Tails of Lipschitz functions of Gaussian vectors",
    states=le(P(ge(F_value, E(F_value) + s * L)), exp(-(s**2) / 2)),
    given={L: half_line(0, closed=False)},
    assuming=[NORMAL, LIPSCHITZ],
    provenance=Provenance.CLASSICAL,
)


@TAIL.proved()
def markov_for_the_exponential(given: Given) -> Theorem:
    """From the exponential moments."""
    return given.follows(_assumed(given).tail())


SUDAKOV_FERNIQUE = claim(
    "classical.sudakov_fernique",
    at="Sudakov, Fernique; with means: Vitale (2000)",
    title="Comparison of Gaussian maxima with equal means",
    states=sentence(
        r"\mathbb{E}\max_i ${X}_i \mathrel{$relation} \mathbb{E}\max_i ${Y}_i", relation=Choice(r"\le", 1)
    ),
    assuming=[GAUSSIAN_FAMILIES, EQUAL_MEANS, SMALLER_INCREMENTS],
    provenance=Provenance.CLASSICAL,
    note=_NOTE,
)


@SUDAKOV_FERNIQUE.argued(
    bridge="Only the laws matter, so that X and Y may be independent; along the path the mean of"
    " the soft maximum of any number of members grows as that of three does, and it is within"
    " log(n)/β of the maximum.",
    uses=[GAUSSIAN_FAMILIES, EQUAL_MEANS, SMALLER_INCREMENTS],
)
def interpolate_a_soft_maximum(relation: int) -> Obligations:
    """Along √(1-t) X + √t Y the mean of the soft maximum β⁻¹ log Σ e^(βx_i) increases.

    Its derivative ½ Σ D_ij E ∂_ij, D = Cov Y - Cov X, is a positive combination of differences
    of increments; the means stay.
    """
    n, beta = 3, sp.Symbol("beta", positive=True)
    place = sp.symbols(f"x:{n}", real=True)
    soft = sp.log(sum(exp(beta * one) for one in place)) / beta
    p = [sp.diff(soft, one) for one in place]
    for i, j in product(range(n), repeat=2):
        second = beta * (p[i] * int(i == j) - p[i] * p[j])
        yield f"second derivative {i}{j}", equal(sp.diff(p[i], place[j]), second)
    weights, D = sp.symbols(f"p:{n}", positive=True), sp.MatrixSymbol("D", n, n)
    pairs = list(product(range(n), repeat=2))
    total = sum(D[min(i, j), max(i, j)] * weights[i] * (int(i == j) - weights[j]) for i, j in pairs)
    increments = sum(
        (D[i, i] + D[j, j] - 2 * D[min(i, j), max(i, j)]) * weights[i] * weights[j] for i, j in pairs
    )
    last = {weights[-1]: 1 - sum(weights[:-1])}
    half = sp.Rational(relation, 2)
    yield "increments", bool(sp.expand((total - half * increments).subs(last)) == 0)


@SUDAKOV_FERNIQUE.estimated(draws=4000, controls={"exchanged": {"relation": Choice(r"\ge", -1)}})
def random_families(rng: np.random.Generator, draws: int, relation: int) -> Iterator[MeanTest]:
    """X = ⟨u_i, G w_i⟩ + f_i against Gordon's Y = |w_i|⟨g', u_i⟩ + |u_i|⟨g'', w_i⟩ + f_i."""
    for n, rows, columns in ((4, 2, 2), (8, 3, 5)):
        u, w = rng.standard_normal((n, rows)), rng.standard_normal((n, columns))
        f = rng.standard_normal(n)
        G = rng.standard_normal((draws, rows, columns))
        g, h = rng.standard_normal((draws, rows)), rng.standard_normal((draws, columns))
        first = np.einsum("nr,drc,nc->dn", u, G, w) + f
        lengths = np.linalg.norm(w, axis=1), np.linalg.norm(u, axis=1)
        second = g @ (lengths[0][:, None] * u).T + h @ (lengths[1][:, None] * w).T + f
        gap = second.max(axis=1) - first.max(axis=1)
        yield mean_test(relation * gap, 0.0, alternative="less")


GORDON = claim(
    "classical.gordon_increments",
    at="Gordon (1985)",
    title="Increments of a bilinear Gaussian family",
    states=le(
        square_of_tensors(u_vec, w_vec, u_prime, w_prime),
        norm(norm(w_vec) * u_vec - norm(w_prime) * u_prime) ** 2
        + norm(norm(u_vec) * w_vec - norm(u_prime) * w_prime) ** 2,
    ),
    provenance=Provenance.CLASSICAL,
    note=_NOTE,
)


@GORDON.proved()
def difference_of_squares(given: Given) -> Theorem:
    """The gap is (|u||w| - |u'||w'|)² + 2(|u||u'| - ⟨u,u'⟩)(|w||w'| - ⟨w,w'⟩)."""
    factors = []
    for one, other in ((u_vec, u_prime), (w_vec, w_prime)):
        schwarz = facts.cauchy_schwarz(one, other)
        shorter = le(inner(one, other), norm(one) * norm(other))
        factors.append(rules.follows(shorter, [schwarz]))
    return given.follows(*factors, goal=unfolded(given.goal))

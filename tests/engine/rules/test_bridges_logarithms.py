"""Inferences of the chapters with roots, logarithms, laws and certificates, made by the rules."""

import sympy as sp
from asking import is_refused
from sympy import Abs, Eq, Function, Implies, Interval, Or, Range, Reals, Symbol, exp, log, sqrt

from theorems.engine.rules import (
    RANDOM,
    E,
    P,
    Random,
    cases,
    claimed,
    decided,
    enclosed,
    follows,
    instance,
)
from theorems.engine.rules.facts import (
    chernoff,
    expectation_of_independent,
    exponential_of_sum,
    logarithm_below_tangent,
    logarithm_increases,
    markov,
    power_as_exponential,
    union_bound,
)
from theorems.engine.rules.principles import increasing, more_probable
from theorems.engine.rules.sums import by_recursion
from theorems.engine.rules.vocabulary import events, independent, randoms

POSITIVE, NATURAL = Interval.open(0, sp.oo), Range(0, sp.oo)
LESS = sp.Rational(99, 100)
k = Symbol("k", integer=True)
m = Symbol("m", integer=True, nonnegative=True)


class TestReduction:
    """theorems/eoc_mlp/introduction/main_theorem.py."""

    def compare_the_roots(self, square=2):
        """sqrt(Y) K / sqrt(m) <= sqrt(2) sqrt(Y K / sqrt(m)) for Y >= 0, K in [1, 2], m >= 1."""
        Y, K, size = sp.symbols("Y K m", positive=True)
        over = {Y: POSITIVE, K: Interval(1, 2), size: Interval(1, sp.oo)}
        goal = sqrt(Y) * K / sqrt(size) <= sqrt(square * Y * K / sqrt(size))
        return follows(goal, over=over)

    def test_chain_with_roots(self):
        assert self.compare_the_roots()
        is_refused(self.compare_the_roots, 2 * LESS)

    width = Symbol("m", integer=True, positive=True)

    def large(self, least):
        """log m > 1 for m >= 3."""
        known = enclosed(sp.Gt(log(3), 1, evaluate=False))
        over = {self.width: Range(least, sp.oo)}
        grows = logarithm_increases(3, self.width, over=over)
        return follows(log(self.width) > 1, [known, grows], over=over)

    def test_logarithms_of_integers(self):
        assert self.large(3).grade == "certified"
        is_refused(self.large, 2)

    def insert_p(self, factor=1):
        """m^p = log m for p = log(log m)/log m, p in (0, 1)."""
        over, p = {self.width: Range(3, sp.oo)}, Symbol("p", real=True)
        inner_log = log(log(self.width))
        big = self.large(3)
        power = power_as_exponential(self.width, p, over={**over, p: Reals})
        both = {**over, p: Reals}
        said = [Eq(p, inner_log / log(self.width))]
        product = follows(Eq(p * log(self.width), inner_log), [big], over=both, under=said)
        same = exponential_of_sum(
            p * log(self.width), inner_log, 0, over=both, under=[log(self.width) > 1]
        )
        goal = Eq(self.width**p, factor * log(self.width))
        return follows(goal, [power, product, same, big], over=both, under=said)

    def test_power_of_the_width(self):
        assert self.insert_p()
        is_refused(self.insert_p, 2)

    def admissible(self, least=3):
        """0 < log(log m)/log m < 1 from m = 3 on."""
        over = {self.width: Range(least, sp.oo)}
        big = self.large(3)
        outer = log(self.width)
        facts = [
            logarithm_increases(1, outer, over=over, under=[outer > 1]),
            logarithm_below_tangent(outer, over=over, under=[outer > 1]),
        ]
        ratio = log(outer) / outer
        return follows(sp.And(ratio > 0, ratio < 1), [big, *facts], over=over)

    def test_range_of_p(self):
        assert self.admissible()
        is_refused(self.admissible, 2)

    def test_from_seventeen_on(self):
        over = {self.width: Range(1, sp.oo)}
        assert follows(sp.Equivalent(16 / self.width < 1, self.width >= 17), over=over)
        is_refused(lambda: follows(sp.Equivalent(16 / self.width < 1, self.width >= 16), over=over))


class TestSoftmax:
    """theorems/shallow_transformer/useful_facts/softmax."""

    mass, top = sp.symbols("P p_max", real=True)

    def test_norm_at_most_one(self):
        over = {self.mass: Interval(0, 1)}
        bound = 4 * self.mass * (1 - self.mass)
        assert follows(bound <= 1, over=over)
        assert decided(bound <= 1, over=over)
        is_refused(lambda: follows(bound <= LESS, over=over))

    def lighter_side(self, share=1):
        """Each token to the lighter side: the difference D never exceeds p_max, for any T."""
        D, p = Function("D", real=True), Function("p", real=True)
        over = {self.top: Interval(0, 1)}
        token = sp.And(p(k) >= 0, p(k) <= self.top, Eq(D(k + 1), Abs(D(k) - p(k))))
        each = instance(
            claimed("greedy", token, over={**over, k: NATURAL}), {k: m}, over={m: NATURAL}
        )
        never = by_recursion(
            sp.And(D(m) >= 0, D(m) <= share * self.top), m,
            premises=[each], over=over, under=[Eq(D(0), 0)],
        )  # fmt: skip
        both = {**over, m: NATURAL, self.mass: Reals}
        said = [Eq(D(0), 0), Eq(self.mass, (1 + D(m)) / 2)]
        goal = 4 * self.mass * (1 - self.mass) >= 1 - self.top**2
        return follows(goal, [never], over=both, under=said)

    def test_greedy_partition(self):
        assert self.lighter_side()
        is_refused(self.lighter_side, LESS)

    def test_two_cases(self):
        """4p(1 - p) or 1 - p^2 is at least 3/4, as p is at most 1/2 or at least that."""
        top, half = self.top, sp.Rational(1, 2)
        goal = sp.Max(4 * top * (1 - top), 1 - top**2) >= sp.Rational(3, 4) * (1 - top)
        halves = Interval(0, half), Interval(half, 1)
        parts = [follows(goal, over={top: part}) for part in halves]
        assert cases(parts, over={top: Interval(0, 1)}).statement == goal
        hidden = [
            claimed("c", goal & (self.mass >= 0), over={top: part, self.mass: Reals})
            for part in halves
        ]
        both = {top: Interval(0, 1), self.mass: Reals}
        assert cases(hidden, over=both)
        is_refused(lambda: cases(hidden[:1], over=both))


class TestLargeDeviations:
    """theorems/classical."""

    def union_of_any_number(self, weight=1):
        """P(U_n) <= sum of P(A_k) for U_(n+1) = U_n or A_n, any n."""
        U, A = events("U"), events("A")
        step = union_bound(U(m), A(m), over={m: NATURAL})
        said = claimed("U", Eq(P(U(m + 1)), P(Or(U(m), A(m)))), over={m: NATURAL})
        goal = P(U(m)) <= weight * sp.Sum(P(A(k)), (k, 0, m - 1))
        return by_recursion(goal, m, premises=[step, said], under=[Eq(P(U(0)), 0)])

    def test_union_bound(self):
        assert self.union_of_any_number()
        is_refused(self.union_of_any_number, LESS, answer="undecided")

    def chebyshev(self, power=2):
        """P(|X| >= t) <= E X^2/t^2, from Markov's inequality for X^2."""
        X, t = Random("X"), Symbol("t", positive=True)
        over = {X: RANDOM, t: POSITIVE}
        fact = markov(X**2, t**2, over=over)
        x = Symbol("x", real=True)
        larger = follows(Implies(Abs(x) >= t, x**2 >= t**2), over={x: Reals, t: POSITIVE})
        same = more_probable(larger, x, X)
        return follows(P(Abs(X) >= t) <= E(X**2) / t**power, [fact, same], over=over)

    def test_markov(self):
        assert self.chebyshev()
        is_refused(self.chebyshev, 3)

    def exponential_moments(self, copies=1):
        """E e^(lambda S_n) = (E e^(lambda W))^n for independent copies, any n."""
        S, W = randoms("S"), randoms("W")
        lam, L = sp.symbols("lambda L", real=True)
        over = {lam: Interval(0, sp.oo), L: Reals}
        terms = exp(lam * S(m)), exp(lam * W(m))
        product = expectation_of_independent(*terms, over={**over, m: NATURAL})
        said = claimed(
            "copies",
            sp.And(
                Eq(E(exp(lam * S(m + 1))), E(terms[0] * terms[1])),
                Eq(E(terms[1]), exp(L)),
                independent(*terms),
            ),
            over={**over, m: NATURAL},
        )
        goal = Eq(E(exp(lam * S(m))), exp(copies * m * L))
        split = exponential_of_sum((m + 1) * L, m * L, L, over={**over, m: NATURAL})
        start = [Eq(E(exp(lam * S(0))), 1)]
        return by_recursion(goal, m, premises=[product, said, split], over=over, under=start)

    def test_chernoff(self):
        moments = self.exponential_moments()
        is_refused(self.exponential_moments, 2, answer="undecided")
        S, x = randoms("S"), Symbol("x", real=True)
        (lam,) = (one for one in moments.over if one.name == "lambda")
        over = {**moments.over, x: Reals}
        tail = chernoff(S(m), m * x, lam, over=over)
        (L,) = (one for one in moments.over if one.name == "L")
        split = exponential_of_sum(-lam * m * x + m * L, -lam * m * x, m * L, over=over)
        goal = P(S(m) >= m * x) <= exp(-lam * m * x + m * L)
        start = [Eq(E(exp(lam * S(0))), 1)]
        assert follows(goal, [moments, tail, split], over=over, under=start)

    p, u, v = Symbol("p", real=True), Symbol("u", real=True), Symbol("v", real=True)

    def hoeffding(self, constant=sp.Rational(1, 8)):
        """log((1-p) e^(-pu) + p e^((1-p)u)) <= u^2/8: its second derivative is q(1 - q) <= 1/4."""
        p, u, v = self.p, self.u, self.v
        over = {p: Interval(0, 1), u: Reals}
        cumulant = -p * u + log(1 - p + p * exp(u))
        gap = constant * u**2 - cumulant
        bend = sp.diff(gap, u, 2)
        positive = follows(1 - p + p * exp(u) > 0, over=over)
        bent = follows(bend >= 0, [positive], over=over)
        slopes = increasing(bent, sp.diff(gap, u), u, v)
        at_zero = instance(slopes, {v: 0}), instance(slopes, {u: 0, v: u}, over={u: Reals})
        signs = follows(
            sp.And(Implies(u <= 0, sp.diff(gap, u) <= 0), Implies(u >= 0, sp.diff(gap, u) >= 0)),
            at_zero, over=over,
        )  # fmt: skip
        parts = []
        for half in (Interval(-sp.oo, 0), Interval(0, sp.oo)):
            here = {**over, u: half}
            sign = sp.diff(gap, u) <= 0 if half.inf == -sp.oo else sp.diff(gap, u) >= 0
            monotone = increasing(follows(sign, [signs], over=here), gap, u, v)
            ends = [instance(monotone, {v: 0}), instance(monotone, {u: 0, v: u}, over=here)]
            parts.append(follows(gap >= 0, ends, over=here))
        return cases(parts, over=over)

    def test_hoeffding(self):
        theorem = self.hoeffding()
        assert {t.name for t in theorem.trusts if t.kind == "textbook"} == {"mean value theorem"}
        is_refused(self.hoeffding, sp.Rational(1, 9))

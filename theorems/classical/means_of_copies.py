"""Means of independent copies of a random variable: Chernoff's bound, for any proof."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import sympy as sp
from sympy import Expr, Symbol, exp, log

from theorems.classical.hypotheses import INDEPENDENT_COPIES
from theorems.classical.letters import M, W, cumulant, mean, multiplier, x
from theorems.classical.steps import letters_of, positive_moment, same
from theorems.engine import Given, eq, ge, half_line, implies, le, rules
from theorems.engine.rules import E, P, Theorem, facts, sums
from theorems.engine.rules.ranges import Over
from theorems.engine.rules.vocabulary import independent, randoms

_n = Symbol("n", integer=True, nonnegative=True)
#: The multiplier in an exponential moment, of a proof.
RATE = Symbol("rate", nonnegative=True)


@dataclass(frozen=True)
class Copies:
    """A mean of independent copies of a variable, and how a proof comes to say what that is.

    ``said`` makes a leaf of relations and their ranges: what a letter of the proof stands for, or a
    hypothesis that the claim assumes.  The number of the copies is at least 1.  Two means in one
    proof have copies of other ``names``: those of sums of copies, and of the copies.  The letter λ
    is ``rate``, which must not be one of the claim's.
    """

    said: Callable[..., Theorem]
    mean: Expr
    one: Expr
    number: Expr
    over: Over
    names: tuple[str, str] = ("S", "W")
    rate: Symbol = RATE

    @classmethod
    def assumed(cls, given: Given, sign: int = 1) -> Copies:
        """Those of the textbook fact, or their opposites, for claims that assume it."""
        said = partial(given.supposed, INDEPENDENT_COPIES)
        over = letters_of(given, M, W, mean)
        return cls(said, sign * mean, sign * W, M, over, rate=multiplier)

    def exceed(self) -> Theorem:
        """Chernoff's bound for every level x and every λ >= 0.

        P(mean ≥ x) ≤ e^(-M(λx - log E e^(λW))), by Markov's inequality for e^(λΣW).
        """
        M, over = self.number, {**self.over, self.rate: half_line(0), x: sp.Reals}
        moment = E(exp(self.rate * self.one))
        markov = facts.chernoff(self.mean, x, M * self.rate, over=over)
        positive = positive_moment(self.rate * self.one, over)
        event = P(ge(self.mean, x))
        product = le(event, exp(-M * self.rate * x) * exp(M * log(moment)))
        joined = rules.follows(product, [markov, positive, self.moment(over)])
        right = exp(-M * (self.rate * x - log(moment)))
        whole = same(product.rhs, right, over, [moment])
        return rules.follows(le(event, right), [joined, whole, positive])

    def exceed_by_bounded_moment(self) -> Theorem:
        """The same with K in place of log E e^(λW), if E e^(λW) ≤ e^K; x, λ and K are letters."""
        over = {**self.over, self.rate: half_line(0), x: sp.Reals, cumulant: sp.Reals}
        tail, moment = self.exceed(), E(exp(self.rate * self.one))
        positive = positive_moment(self.rate * self.one, over)
        smaller = le(moment, exp(cumulant))
        log_moment = facts.logarithm_increases(exp(cumulant), moment, over=over, under=[moment > 0])
        exponent = -self.number * (self.rate * x - cumulant)
        sharp = tail.statement.rhs.args[0]
        below = rules.follows(le(sharp, exponent), [positive, log_moment], over=over, under=[smaller])
        grows = facts.exponential_increases(exponent, sharp, over=over, under=[moment > 0])
        return rules.follows(
            implies(smaller, le(tail.statement.lhs, exp(exponent))), [tail, below, grows, positive]
        )

    def moment(self, over: Over) -> Theorem:
        """E e^(λM mean) = (E e^(λW))^M, by induction over the number of copies.

        The letter λ ranges as ``over`` says.
        """
        S, copy = map(randoms, self.names)
        own = sp.sympify(self.one).free_symbols
        rest = {y: over[y] for y in over if y == self.rate or y in own}
        numbers = {_n: sp.Range(sp.oo), **rest}
        terms = exp(self.rate * S(_n)), exp(self.rate * copy(_n))
        moment = E(exp(self.rate * self.one))
        product = facts.expectation_of_independent(*terms, over=numbers)
        copies = self.said(
            eq(E(exp(self.rate * S(_n + 1))), E(terms[0] * terms[1])),
            independent(*terms),
            eq(E(terms[1]), moment),
            over=numbers,
        )
        none = self.said(eq(E(exp(self.rate * S(0))), 1), over=rest)
        exponent, positive = log(moment), [moment > 0]
        split = facts.exponential_of_sum(
            (_n + 1) * exponent, _n * exponent, exponent, over=numbers, under=positive
        )
        sums_of_copies = sums.by_recursion(
            eq(E(exp(self.rate * S(_n))), exp(_n * exponent)),
            _n,
            premises=[product, copies, none, split],
            under=positive,
        )
        M = self.number
        counted = {y: over[y] for y in sp.sympify(M).free_symbols}
        whole = eq(E(exp(M * self.rate * self.mean)), E(exp(self.rate * S(M))))
        letters = sp.sympify(self.mean).free_symbols | {*counted, self.rate}
        mean_of_them = self.said(whole, over={y: over[y] for y in over if y in letters})
        of_m = sums_of_copies.at({_n: M})
        goal = eq(whole.lhs, exp(M * exponent))
        return rules.follows(goal, [mean_of_them, of_m], over=over, under=positive)

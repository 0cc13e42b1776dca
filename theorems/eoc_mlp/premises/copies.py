"""Moments of means of independent copies, fair signs among them."""

from functools import partial
from typing import Any

from sympy import Expr, Or, Range, Reals, Symbol, exp, log, oo

from theorems.classical.means_of_copies import Copies
from theorems.engine import Given, both, eq, implies, rules
from theorems.engine.rules import RANDOM, E, P, Random, Theorem, facts, probabilities
from theorems.engine.rules.vocabulary import independent, randoms

_n = Symbol("n", integer=True, nonnegative=True)


def second_moment_of_mean(given: Given, mean: Random, one: Random, number: Expr) -> Theorem:
    """E A² = (E W)² + (E W² - (E W)²)/M for the mean A of M copies of W, by induction."""
    total, copy, over = randoms("sum of copies"), randoms("copy"), {_n: Range(oo), one: RANDOM}
    longer = total(_n) + copy(_n)
    more = given.meaning(
        "a sum of independent copies, with one more",
        eq(E(total(_n + 1)), E(longer)),
        eq(E(total(_n + 1) ** 2), E(longer**2)),
        independent(total(_n), copy(_n)),
        eq(E(copy(_n)), E(one)),
        eq(E(copy(_n) ** 2), E(one**2)),
    )
    none = given.meaning("a sum of no copies", eq(E(total(0)), 0), eq(E(total(0) ** 2), 0))
    apart = facts.expectation_of_independent(total(_n), copy(_n))
    square = _n * E(one**2) + _n * (_n - 1) * E(one) ** 2
    moments = both(eq(E(total(_n)), _n * E(one)), eq(E(total(_n) ** 2), square))
    of_n = rules.induction(moments, _n, 0, base=[none], step=[more, apart])
    of_all = of_n.at({_n: number})
    meant = given.meaning("the mean of independent copies", eq(E(mean**2), E(total(number) ** 2) / number**2))
    goal = eq(E(mean**2), E(one) ** 2 + (E(one**2) - E(one) ** 2) / number)
    return rules.follows(goal, [of_all, meant], over={**meant.over, **over})


def moment_of_fair_signs(given: Given, signs: Random, count: Symbol, rate: Expr, over: Any) -> Theorem:
    """E e^(νΣε_j) = ((e^ν + e^(-ν))/2)^M for M independent fair signs, whose mean is a letter.

    The logarithm of the moment of one of them is as in Hoeffding's lemma.
    """
    tilt, sign = Symbol("tilt", real=True), Random("sign")
    ranges = {tilt: Reals, count: over[count], **{X: X.belongs_to for X in (sign, signs)}}
    said = partial(given.meaning, "the mean of independent fair signs")
    copies = Copies(said, signs, sign, count, ranges, rate=tilt).moment(ranges)
    halves = (exp(-tilt) + exp(tilt)) / 2
    law = _of_a_fair_sign(given, tilt, sign)
    positive = rules.follows(halves > 0, over={tilt: Reals})
    goal = eq(copies.statement.lhs, exp(count * log(halves)))
    of_all = rules.follows(goal, [copies, law, positive], over=ranges)
    return of_all.at({tilt: rate}, over=over)


def _of_a_fair_sign(given: Given, tilt: Symbol, sign: Random) -> Theorem:
    """E e^(νε) = (e^ν + e^(-ν))/2 for a sign of mean 0: at both signs e^(νε) is linear in ε."""
    value, over = Symbol("value of the sign", real=True), {tilt: Reals}
    is_sign = Or(eq(value, 1), eq(value, -1))
    line = (1 + value) / 2 * exp(tilt) + (1 - value) / 2 * exp(-tilt)
    there, numbers = tilt * value, {**over, value: Reals}
    ends = [(there, end) for end in (tilt, -tilt)]
    ordered = [facts.exponential_increases(*pair[::step], over=numbers) for pair in ends for step in (1, -1)]
    equal = rules.follows(implies(is_sign, eq(exp(there), line)), ordered, over=numbers)
    event, both_sides = (one.xreplace({value: sign}) for one in equal.statement.args)
    known = [
        given.meaning("a fair sign, 1 or -1, of mean 0", eq(P(event), 1), eq(E(sign), 0)),
        probabilities.surely(equal, {value: sign}),
        probabilities.implied_event(event, both_sides, over=over),
        facts.probability(both_sides, over=over),
        probabilities.equal_means(*both_sides.args, over=over),
    ]
    goal = eq(E(exp(tilt * sign)), (exp(-tilt) + exp(tilt)) / 2)
    return rules.follows(goal, known, over={**over, sign: RANDOM})

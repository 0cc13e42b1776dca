"""Orlicz norms of random variables, of the orders 1 and 2, for the letter that a paper has.

|X| = inf {K > 0: E exp((|X|/K)^α) ≤ 2} for the order α (Vershynin, High-Dimensional Probability,
2018, Sections 2.5 and 2.7).

>>> from sympy import Function
>>> psi = Function("psi", nonnegative=True)
>>> print(definition(psi, 2).statement)
(psi(X, 2) >= 0) & (Equivalent(psi(X, 2) <= K, E(exp(X**2/K**2)) <= 2))
"""

from collections.abc import Callable
from typing import Any, TypeAlias

from sympy import Abs, Expr, Interval, Symbol, exp, log, oo, sqrt, symbols

from theorems.classical.steps import remembered
from theorems.engine import both, eq, ge, iff, implies, le, rules
from theorems.engine.rules import E, P, Random, Theorem, facts, probabilities
from theorems.engine.rules.facts import Consequence, Fact

#: The letter for the norm, a function of a random variable and of the order.
Norm: TypeAlias = Callable[[Expr, int], Any]

_X, _Y = Random("X"), Random("Y")
_K, _c = Symbol("K", positive=True), Symbol("c", real=True)
_POSITIVE = Interval.open(0, oo)
_SIZES = {_K: _POSITIVE}


def _mean(X: Expr, order: int) -> Expr:
    return E(exp((Abs(X) / _K) ** order))


@remembered
def definition(norm: Norm, order: int) -> Fact:
    """|X| ≤ K exactly if E exp((|X|/K)^α) ≤ 2, for K > 0; no norm is negative."""
    least = iff(le(norm(_X, order), _K), le(_mean(_X, order), 2))
    said = both(ge(norm(_X, order), 0), least)
    return Fact("Orlicz norm", said, (_X, _K), tuple(_SIZES.items()))


@remembered
def triangle(norm: Norm) -> Fact:
    """|X + Y| ≤ |X| + |Y|, of the order 1."""
    said = le(norm(_X + _Y, 1), norm(_X, 1) + norm(_Y, 1))
    return Fact("triangle inequality for Orlicz norms", said, (_X, _Y))


@remembered
def monotone(norm: Norm, order: int) -> Fact:
    """|X| ≤ |Y| for the norms, if this holds almost surely for the variables."""
    smaller = eq(P(le(Abs(_X), Abs(_Y))), 1)
    n, m = norm(_X, order), norm(_Y, order)

    def known() -> list[Theorem]:
        bounds = _common_bounds(norm, order)
        return [
            *(definition(norm, order)(one, _K) for one in (_X, _Y)),
            bounds.at({_K: m}, under=[m > 0]),
            bounds.at({_K: n / 2}, under=[n > 0]),
            *(definition(norm, order)(one, 1) for one in (_X, _Y)),
        ]

    return Consequence("Orlicz norms increase", implies(smaller, le(n, m)), (_X, _Y), known=known)


def _common_bounds(norm: Norm, order: int) -> Theorem:
    """What bounds the norm of Y bounds that of X, if |X| ≤ |Y|: exponentials and means increase."""
    x, y = symbols("x y", real=True)
    low, high = ((Abs(one) / _K) ** order for one in (x, y))
    grows = facts.exponential_increases(high, low)
    each = implies(le(Abs(x), Abs(y)), le(exp(low), exp(high)))
    sure = probabilities.surely(rules.follows(each, [grows]), {x: _X, y: _Y})
    event, larger = sure.statement.lhs.args[0].args
    known = [
        sure,
        probabilities.implied_event(event, larger),
        facts.probability(larger),
        probabilities.larger_mean(*larger.args),
        *(definition(norm, order)(one, _K) for one in (_X, _Y)),
    ]
    goal = implies(le(norm(_Y, order), _K), le(norm(_X, order), _K))
    return rules.follows(goal, known, under=[eq(P(event), 1)])


@remembered
def of_square(norm: Norm) -> Fact:
    """The norm of X², of the order 1, is the square of that of X, of the order 2."""
    n, m = norm(_X**2, 1), norm(_X, 2)
    scales = ((m, m), (sqrt(n), n), (sqrt(n / 2), n), (m / 2, m))

    def known() -> list[Theorem]:
        bounds = rules.follows(
            both(iff(le(n, _K**2), le(m, _K)), ge(n, 0), ge(m, 0)),
            [definition(norm, 1)(_X**2, _K**2), definition(norm, 2)(_X, _K)],
        )
        signs = bounds.at({_K: 1})
        there = [bounds.at({_K: at}, under=[size > 0]) for at, size in scales]
        return [signs, *there]

    return Consequence("Orlicz norm of a square", eq(n, m**2), (_X,), known=known)


@remembered
def of_number(norm: Norm) -> Fact:
    """The norm of a number c is at most |c|/log 2, of the order 1, as exp(log 2) = 2."""
    n = norm(_c, 1)

    def known() -> list[Theorem]:
        scales = ((Abs(_c) / log(2), Abs(_c)), (n / 2, n))
        least = definition(norm, 1)
        bounds = [least(_c, at, under=[size > 0]) for at, size in scales]
        return [*bounds, least(_c, 1), facts.logarithm_increases(1, 2)]

    said = le(n, Abs(_c) / log(2))
    return Consequence("Orlicz norm of a number", said, (_c,), known=known)

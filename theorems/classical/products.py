"""Factorials and the like: products of k factors, for the letters that stand for them.

>>> from sympy import Symbol, factorial
>>> n = Symbol("n", integer=True, nonnegative=True)
>>> print(longer(factorial, n, n + 1).statement)
Eq(factorial(n + 1), (n + 1)*factorial(n))
"""

from collections.abc import Callable
from typing import Any

from sympy import Expr, Integer, Symbol, factorial

from theorems.classical import powers
from theorems.classical.steps import remembered
from theorems.engine import both, eq, gt, implies, rules
from theorems.engine.rules import Theorem
from theorems.engine.rules.facts import Fact
from theorems.engine.rules.ranges import Over, assumed

_NAME = "a product gains its last factor"
_q = Symbol("q", integer=True, positive=True)


def longer(
    product: Callable[[Expr], Expr], count: Symbol, factor: Expr, *, over: Over | None = None
) -> Theorem:
    """A product of k + 1 factors is the last one times that of k factors, for the letter k.

    The function is that of n!, of (2n - 1)!!, or of another product by the number of factors, and
    has a closed form by which this is tried.
    """
    said = eq(product(count + 1), factor * product(count))
    ranges = {x: assumed(x) for x in said.free_symbols} | dict(over or {})
    return Fact(_NAME, said, tuple(ranges), tuple(ranges.items())).theorem


def single(product: Callable[[Expr], Expr], factor: Any, *, over: Over | None = None) -> Theorem:
    """A product of one factor is that factor."""
    ranges = dict(over or {})
    said = eq(product(Integer(1)), factor)
    return Fact(_NAME, said, tuple(ranges), tuple(ranges.items())).theorem


@remembered
def _odd(double: Callable[[Expr], Expr]) -> tuple[Theorem, Theorem]:
    return single(double, 1), longer(double, _q, 2 * _q + 1)


@remembered
def odd_numbers(double: Callable[[Expr], Expr]) -> Theorem:
    """(2q + 1)!! = (2q + 1)(2q - 1)!!, which is positive, and 1!! = 1, for all q from 1 on."""
    first, step = _odd(double)
    positive = rules.induction(gt(double(_q), 0), _q, 1, base=[first], step=[step])
    said = both(step.statement, gt(double(_q), 0), first.statement)
    return rules.follows(said, [first, step, positive])


@remembered
def by_factorials(double: Callable[[Expr], Expr], factorial: Callable[[Expr], Expr] = factorial) -> Theorem:
    """(2q - 1)!! = (2q)!/(2^q q!) for all q from 1 on, by induction; no factorial is 0."""
    gains = longer(factorial, _q, _q + 1)
    begun = single(factorial, 1)
    positive = rules.induction(gt(factorial(_q), 0), _q, 1, base=[begun], step=[gains])
    steps = [gains.at({_q: at}) for at in (_q, 2 * _q, 2 * _q + 1)]
    two = powers.natural_exponents(2, _q, 1)
    first, step = _odd(double)
    denominator, even = 2**_q * factorial(_q), factorial(2 * _q)
    known = [
        rules.follows(one, [*steps, two])
        for one in (
            eq(even.subs(_q, _q + 1), (2 * _q + 2) * (2 * _q + 1) * even),
            eq(denominator.subs(_q, _q + 1), (2 * _q + 2) * denominator),
        )
    ]
    product = eq(double(_q) * denominator, even)
    start = [first, begun, gains.at({_q: 1})]
    whole = rules.induction(product, _q, 1, base=start, step=[step, *known])
    x, z, w = Symbol("x", real=True), Symbol("z", real=True), Symbol("w", positive=True)
    divided = rules.follows(implies(eq(x * w, z), eq(x, z / w)))
    there = divided.at({x: double(_q), z: even, w: denominator}, under=[factorial(_q) > 0])
    said = both(there.statement.args[1], gt(factorial(_q), 0))
    return rules.follows(said, [whole, there, positive])


@remembered
def same_odd_numbers(one: Callable[[Expr], Expr], other: Callable[[Expr], Expr]) -> Theorem:
    """Two letters for (2q - 1)!! have the same values, by induction."""
    (first, longer_one), (start, longer_other) = _odd(one), _odd(other)
    step = [longer_one, longer_other]
    return rules.induction(eq(one(_q), other(_q)), _q, 1, base=[first, start], step=step)

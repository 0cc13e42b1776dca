"""Derivatives of sums of any length along a line."""

from typing import Any

from sympy import Expr, Reals, S, Symbol, symbols

from theorems.engine import eq, rules
from theorems.engine.rules import Theorem, instance
from theorems.engine.rules.vocabulary import derivative
from theorems.shallow_transformer.premises.any_length import COUNT, total
from theorems.shallow_transformer.premises.named import NETWORKS, in_networks


def sum_on_a_line(law: Theorem, index: Symbol, last: Expr) -> Theorem:
    """The derivative of a sum is that of its terms, added up, by induction on their number.

    ``law`` says what the derivative of a term is on the whole line, for every index from 1 on.
    """
    rate, value, x, _ = law.statement.args
    y, z = symbols("y z", real=True)

    def upto(n: Expr) -> Any:
        return derivative(total(rate, index, n), total(value, index, n), x, Reals)

    def named(found: Theorem, n: Expr, sums_of: Any) -> Theorem:
        sides = upto(n).args[:2]
        equal = (
            NETWORKS.follows(sums_of(sum_), goal=eq(sum_, side))
            for sum_, side in zip(sides, found.statement.args[:2], strict=True)
        )
        return rules.as_named(found, *equal)

    def last_term(sum_: Expr) -> Theorem:
        return rules.sums.last_term(sum_, over=in_networks(COUNT, sum_))

    begun = named(rules.differentiated(S.Zero, x, Reals), S.Zero, rules.sums.spelled_out)
    supposed = rules.follows(upto(COUNT), [], under=[upto(COUNT)])
    terms = {y: supposed, z: instance(law, {index: COUNT + 1})}
    longer = named(rules.differentiated(y + z, x, Reals, terms), COUNT + 1, last_term)
    each = rules.induction(upto(COUNT), COUNT, 0, base=[begun], step=[longer])
    return instance(each, {COUNT: last}, over=in_networks(last))

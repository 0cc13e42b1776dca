"""Harmonic numbers, as proofs about the layers add them up."""

from typing import Any

from sympy import Lt, Sum, Symbol

from theorems.engine import Given, eq, ge, rules
from theorems.engine.rules import Theorem, sums
from theorems.eoc_mlp.letters.network import l
from theorems.eoc_mlp.letters.simultaneous import H

_j, _n = (Symbol(name, integer=True, nonnegative=True) for name in "jn")


def harmonic_numbers(given: Given, last: Symbol) -> tuple[Theorem, Theorem]:
    """H_0 = 0, and each harmonic number is one term more than the one before."""
    longer = eq(H(last + 1), H(last) + 1 / (last + 1))
    none = given.meaning("the harmonic number of 0", eq(H(0), 0))
    return none, given.meaning("a harmonic number", longer)


def harmonic_is_positive(given: Given, last: Symbol) -> Theorem:
    """No harmonic number is negative."""
    known = harmonic_numbers(given, last)
    return rules.induction(ge(H(last), 0), last, 0, base=known[:1], step=known[1:])


def layers_above(given: Given, quantity: Any, first: Symbol) -> Theorem:
    """The sum of the inverses of i + 1 to l - 1 is H(l - 1) - H(i), for i < l - 1."""
    total, below = Sum(1 / (first + _j), (_j, 1, _n)), [Lt(first, l - 1)]
    longer = harmonic_numbers(given, _n)[1].at({_n: first + _n})
    general = sums.by_recursion(eq(total, H(first + _n) - H(first)), _n, premises=[longer])
    there = general.at({_n: l - 1 - first}, over=given.ranging(l, first), under=below)
    meant = given.meaning("a sum over layers", eq(quantity, there.statement.lhs), under=below)
    return rules.follows(eq(quantity, H(l - 1) - H(first)), [meant, there], under=below)

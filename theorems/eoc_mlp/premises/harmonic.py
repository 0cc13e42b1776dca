"""Harmonic numbers, as proofs about the layers add them up."""

from sympy import Symbol

from theorems.engine import Given, eq, ge, rules
from theorems.engine.rules import Theorem
from theorems.eoc_mlp.letters.simultaneous import H


def harmonic_numbers(given: Given, last: Symbol) -> tuple[Theorem, Theorem]:
    """H_0 = 0, and each harmonic number is one term more than the one before."""
    longer = eq(H(last + 1), H(last) + 1 / (last + 1))
    none = given.meaning("the harmonic number of 0", eq(H(0), 0))
    return none, given.meaning("a harmonic number", longer)


def harmonic_is_positive(given: Given, last: Symbol) -> Theorem:
    """No harmonic number is negative."""
    known = harmonic_numbers(given, last)
    return rules.induction(ge(H(last), 0), last, 0, base=known[:1], step=known[1:])

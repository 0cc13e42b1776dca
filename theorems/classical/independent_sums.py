"""Moments of sums of independent centred terms with weights, by induction on their number."""

from collections.abc import Callable, Iterable
from typing import Any

from sympy import Expr, Sum, Symbol

from theorems.engine import Given, both, eq
from theorems.engine.rules import E, Theorem, facts, sums

__all__ = ["apart", "grows", "k", "n", "weighted_sums"]

#: How many terms have been added up, and the index of a term.
n = Symbol("n", integer=True, nonnegative=True)
k = Symbol("k", integer=True, nonnegative=True)


def grows(given: Given, family: Any, term: Expr, powers: Iterable[int]) -> list[Theorem]:
    """A sum of no terms is 0, and the next sum has one term more."""
    S, orders = family(n), tuple(powers)
    none = given.meaning("a sum of no terms", *(eq(E(family(0) ** p), 0) for p in orders))
    longer = given.meaning(
        "a sum with one term more", *(eq(E(family(n + 1) ** p), E((S + term) ** p)) for p in orders)
    )
    return [none, longer]


def apart(X: Expr, Y: Expr, *powers: tuple[int, int]) -> list[Theorem]:
    """The expectations of products of powers of independent variables."""
    known = []
    for p, q in powers:
        known += [facts.powers_of_independent(X, Y, p, q), facts.expectation_of_independent(X**p, Y**q)]
    return known


def weighted_sums(
    given: Given,
    family: Any,
    weight: Callable[[Any], Expr],
    term: Expr,
    moments: tuple[Any, Any],
    known: Iterable[Theorem],
) -> Theorem:
    """E S² = vΣc² and E S⁴ = 3v²(Σc²)² + (m - 3v²)Σc⁴ for sums S of n terms c X.

    ``moments`` are v = E X² and m = E X⁴, of which ``known`` says that they are these; it says that
    X is centred, and independent of the sum before it, as well.
    """
    S, (v, m) = family(n), moments
    none, longer = grows(given, family, weight(n) * term, (1, 2, 4))
    square, fourth = (Sum(weight(k) ** p, (k, 0, n - 1)) for p in (2, 4))
    powers = eq(E(S**2), v * square), eq(E(S**4), 3 * v**2 * square**2 + (m - 3 * v**2) * fourth)
    pairs = apart(S, term, (1, 1), (3, 1), (2, 2), (1, 3))
    return sums.by_recursion(both(eq(E(S), 0), *powers), n, premises=[none, longer, *pairs, *known])

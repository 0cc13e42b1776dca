"""Expectations: of relations, and of squares of sums of independent terms, of any number."""

from collections.abc import Mapping
from typing import Any

from sympy import Expr, Symbol

from theorems.engine import Given, Hypothesis, both, eq, rules
from theorems.engine.rules import E, Theorem, facts
from theorems.engine.rules.vocabulary import independent, randoms
from theorems.shallow_transformer.premises.means import in_the_mean
from theorems.shallow_transformer.premises.named import NETWORKS
from theorems.shallow_transformer.premises.networks import between, what_is_assumed

_COUNT = Symbol("number of terms", integer=True, nonnegative=True)


def sum_of_independent_terms(
    given: Given, assumed: Hypothesis, name: str, variance: Symbol
) -> tuple[Any, Theorem]:
    """Sums S(k) of k independent terms of mean 0 and this variance: E S(k) = 0, E S(k)² = kV.

    By a hypothesis the first k terms are independent of the next one, and all have this law.
    Returns S and the theorem about S(k).
    """
    total, term = randoms(f"sum of {name}"), randoms(name)
    before, following = total(_COUNT), term(_COUNT + 1)
    sums = NETWORKS.meaning(
        f"a sum of {name}",
        eq(E(total(0)), 0),
        eq(E(total(0) ** 2), 0),
        eq(E(total(_COUNT + 1)), E(before + following)),
        eq(E(total(_COUNT + 1) ** 2), E((before + following) ** 2)),
    )
    of_one = eq(E(following), 0), eq(E(following**2), variance)
    law = what_is_assumed(given, assumed, *of_one, independent(before, following))
    product = facts.expectation_of_independent(before, following)
    statement = both(eq(E(before), 0), eq(E(before**2), _COUNT * variance))
    first = sums.at({_COUNT: 0})
    theorem = rules.induction(statement, _COUNT, 0, base=[first], step=[sums, law, product])
    return total, theorem


def of_length(theorem: Theorem, length: Expr) -> Theorem:
    """The theorem about a sum of this many terms."""
    return theorem.at({_COUNT: length})


def in_expectation(given: Given, pointwise: Theorem, values: Mapping[Symbol, Expr]) -> Theorem:
    """An inequality that holds whatever is drawn holds for the expectations.

    ``values`` says which random variable each letter is a value of; the claim's hypotheses are not
    about these letters, or hold whatever is drawn.
    """
    mean = in_the_mean(pointwise, values)
    return between(given, mean.statement, mean)

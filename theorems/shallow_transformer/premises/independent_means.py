"""Expectations: of relations, and of squares of sums of independent terms, of any number."""

from collections.abc import Mapping
from typing import Any

from sympy import Expr, Symbol

from theorems.engine import Given, Hypothesis, both, eq, rules
from theorems.engine.rules import E, Random, Theorem, facts
from theorems.engine.rules.vocabulary import independent, randoms
from theorems.shallow_transformer.premises.means import in_the_mean
from theorems.shallow_transformer.premises.named import NETWORKS
from theorems.shallow_transformer.premises.networks import between, what_is_assumed

_COUNT = Symbol("number of terms", integer=True, nonnegative=True)


def sum_of_independent_terms(
    given: Given, assumed: Hypothesis, name: str, one: Random, variance: Symbol
) -> tuple[Any, Theorem]:
    """Sums S(k) of the deviations of k variables from their mean: E S(k) = 0, E S(k)² = kV.

    By a hypothesis they have the law of ``one``, whose variance is V, and each is independent of
    those before.  Returns S and the theorem about S(k).
    """
    total, drawn = randoms(f"sum of {name}"), randoms(name)(_COUNT + 1)
    before, following = total(_COUNT), drawn - E(one)
    sums = NETWORKS.meaning(
        f"a sum of {name}",
        eq(E(total(0)), 0),
        eq(E(total(0) ** 2), 0),
        eq(E(total(_COUNT + 1)), E(before + following)),
        eq(E(total(_COUNT + 1) ** 2), E((before + following) ** 2)),
    )
    same = eq(E(drawn), E(one)), eq(E(drawn**2), E(one**2))
    law = what_is_assumed(given, assumed, *same, independent(before, drawn))
    meant = NETWORKS.meaning(f"the variance of {one}", eq(variance, E((one - E(one)) ** 2)))
    product = facts.expectation_of_independent(before, drawn)
    statement = both(eq(E(before), 0), eq(E(before**2), _COUNT * variance))
    first = sums.at({_COUNT: 0})
    theorem = rules.induction(statement, _COUNT, 0, base=[first], step=[sums, law, product, meant])
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

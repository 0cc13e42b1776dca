"""What proofs about random heads use again and again: means of relations, pairs of heads, claims.

Random variables of one head at the start are letters; a relation between numbers that holds for
all their values holds in the mean.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from sympy import Expr, Symbol
from sympy.logic.boolalg import Boolean

from theorems.engine import Given, eq, implies, le, rules
from theorems.engine.rules import Theorem, facts
from theorems.engine.statement import Formula
from theorems.shallow_transformer.feature_letters import pairs
from theorems.shallow_transformer.hypotheses import EVEN_WIDTH, PAIRED_HEADS
from theorems.shallow_transformer.letters import displacement, i, m, x
from theorems.shallow_transformer.premises import (
    added,
    called,
    over,
    stands_for,
    total,
    what_is_assumed,
)

__all__ = ["halves", "in_the_mean", "largest_displacement", "same_halves", "what_it_says"]


def in_the_mean(pointwise: Theorem, values: Mapping[Symbol, Any]) -> Theorem:
    """A relation that holds for all values of random variables holds for the means.

    ``values`` says which random variable each letter is a value of, in the range of the letter.
    """
    mean = facts.expected_jointly(pointwise, values, over=over(*values.values()))
    surely = sorted(mean.under - pointwise.under, key=str)
    names = ", ".join(sorted({str(one) for one in values.values()}))
    ranges = [stands_for(f"the range of {names}", *surely)] if surely else []
    where = pointwise.under
    return rules.follows(mean.statement, [mean, *ranges], over=mean.over, under=where)


def same_halves(given: Given, term: Any, *known: Theorem) -> list[Theorem]:
    """A sum over all heads is twice that over the first half, as both halves have equal terms.

    ``known`` says that term(i + m/2) = term(i).
    """
    other = eq(term(i + pairs), term(i))
    each = rules.follows(other, known, over=over(other))
    return [*halves(given, term), added(each, i, pairs)]


def halves(given: Given, term: Any) -> list[Theorem]:
    """A sum over all heads is that over the first half and that over the second."""
    given.require(PAIRED_HEADS)
    even = what_is_assumed(given, EVEN_WIDTH, eq(m, 2 * pairs))
    whole, first = total(term(i), i, m), total(term(i), i, pairs)
    second = total(term(i + pairs), i, pairs)
    split = implies(eq(m, 2 * pairs), eq(whole, first + second))
    return [even, rules.textbook("a sum over two halves", split, over=over(split))]


def what_it_says(given: Given, identifier: str, relation: Boolean) -> Theorem:
    """What a claim that this one rests on says: this relation, as one of its parts or by them."""
    other = given.find(identifier)
    formulas = [name for name, one in other.parts.items() if isinstance(one, Formula)]
    found = [given.fact(identifier, name) for name in formulas]
    same = [one for one in found if one.statement == relation]
    if same:
        return same[0]
    where = given.conditions if any(one.under for one in found) else ()
    return rules.follows(relation, found, over=over(relation, *where), under=where)


@cache
def _vertex() -> Theorem:
    """x a + (1 - x²) b is at most its value at the vertex of the parabola, or at x = 1."""
    largest = displacement(_A, _B)
    bound = le(x * _A + (1 - x**2) * _B, largest)
    return rules.follows(bound, called(largest), over=over(bound))


_A, _B = (Symbol(f"coefficient {name}", positive=True) for name in "ab")


def largest_displacement(a: Expr, b: Expr) -> Theorem:
    """x a + (1 - x²) b ≤ ℓ(a, b) for x in [0, 1]."""
    return rules.instance(_vertex(), {_A: a, _B: b}, over=over(a, b))

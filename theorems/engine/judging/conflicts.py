"""Leaves of one proof that say different things of the same mean, norm or quantity.

Two claims may each be right of a letter of its own and contradict each other where they share one:
then anything follows from both.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, combinations
from typing import TYPE_CHECKING, Any

import sympy
from sympy import Eq, Expr
from sympy.logic.boolalg import And

from theorems.engine.claims.claim import Claim
from theorems.engine.judging.given import Given
from theorems.engine.judging.refuting import allowed_points, place
from theorems.engine.statements.letters import Kind
from theorems.engine.statements.values import compare, contains, unfolded

if TYPE_CHECKING:
    from theorems.engine.rules import Theorem

__all__ = ["conflict"]

_POINTS = 64


def conflict(theorem: Theorem, given: Given) -> str | None:
    """Two claims among the leaves that contradict each other, and where; or None.

    They equate one term with two values, which differ as numbers at a point of the domain that
    meets the hypotheses of this claim and of both.
    """
    known: dict[Expr, list[tuple[Claim, Expr]]] = {}
    for one, equation in _equations(theorem, given):
        for term, value in (equation.args, equation.args[::-1]):
            if not _is_of_numbers(term, given):
                known.setdefault(term, []).append((one, value))
    for term, values in known.items():
        for (one, value), (other, another) in combinations(values, 2):
            if one is not other and (where := _apart(value - another, given, one, other)):
                return f"{one.id} and {other.id} say different things of {term} at {where}"
    return None


def _equations(theorem: Theorem, given: Given) -> Iterator[tuple[Claim, Eq]]:
    """The claims among the leaves, each with the equations that it states."""
    for leaf in sorted(theorem.trusts, key=str):
        if leaf.kind == "claim" and leaf.says is not None:
            one = given.find(leaf.name.partition(" (")[0])
            yield from ((one, part) for part in And.make_args(leaf.says) if isinstance(part, Eq))


def _is_of_numbers(term: Any, given: Given) -> bool:
    """Whether a term is made of numbers that a claim quantifies over."""
    letters = given.claim.letters
    return all(x in letters and letters[x].kind is Kind.NUMBER for x in term.free_symbols)


def _apart(gap: Expr, given: Given, *claims: Claim) -> str:
    """Where a difference is a number other than 0, at a point that is allowed in all claims."""
    gap = unfolded(gap)
    table, ranges = given.claim.letters, [one.domains for one in claims]
    every = dict(chain(*(one.items() for one in ranges), given.domain.items()))
    domain = {x: one for x, one in every.items() if table[x].kind is Kind.NUMBER}
    used = {x: one for x, one in domain.items() if x in gap.free_symbols}
    for point in allowed_points(used, (), _POINTS):
        value = gap.subs(point)
        if (
            value.is_number
            and value.is_finite
            and value.equals(0) is False
            and _allowed(point, given, claims)
        ):
            return place(point) or "all points"
    return ""


def _allowed(point: dict[Any, Any], given: Given, claims: tuple[Claim, ...]) -> bool:
    """Whether a point is in the domains of claims, and meets their hypotheses as far as it tells."""
    for one in claims:
        if any(contains(one.domains[x], value) is not True for x, value in point.items() if x in one.domains):
            return False
    conditions = [
        *given.conditions,
        *(h.formula for one in claims for h in one.hypotheses if h.formula is not None),
    ]
    return all(_is_met(one, point) for one in conditions)


def _is_met(condition: Any, point: dict[Any, Any]) -> bool:
    """Whether a hypothesis is met there; one about other letters may be met by their choice."""
    if not condition.free_symbols <= point.keys():
        return not (condition.free_symbols & point.keys())
    try:
        return compare(condition, point).answer is True
    except (TypeError, ValueError):
        return bool(sympy.sympify(condition).subs(point) == True)  # noqa: E712 - SymPy's truth

"""Whether a statement fails somewhere: at a point of its domain that meets the hypotheses.

What is determined by other letters cannot be chosen, and what a hypothesis in words says of a
letter no machine can try: neither refutes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from graphlib import CycleError, TopologicalSorter
from typing import Any

import sympy
from sympy import Symbol
from sympy.logic.boolalg import Boolean

from theorems.engine.claims.kinds import Answer
from theorems.engine.judging.answers import Outcome
from theorems.engine.judging.given import Given
from theorems.engine.statements.domain import Domain
from theorems.engine.statements.letters import Kind
from theorems.engine.statements.values import Evaluator, compare, contains, points

__all__ = [
    "allowed_points",
    "counterexample",
    "determined",
    "excusing",
    "failing",
    "failure",
    "false_at",
    "place",
    "refuted_at",
]


def place(point: Mapping[Any, Any]) -> str:
    """A point in words."""
    return ", ".join(f"{letter} = {value}" for letter, value in point.items())


def determined(relation: Boolean, given: Given) -> list[Symbol]:
    """The letters of a relation that are no numbers to choose.

    Such a relation may hold although it fails at some values of them, which they never have.
    """
    letters = given.claim.letters
    found = (x for x in relation.free_symbols if letters[x].kind is not Kind.NUMBER)
    return sorted(found, key=str)


def failure(relation: Boolean, given: Given) -> dict[Symbol, Any] | None:
    """An exact point at which a relation between numbers fails, if one is found."""
    if determined(relation, given):
        return None
    return counterexample(relation, given.domain, given.conditions)


def failing(relation: Boolean, given: Given, point: Mapping[Any, Any]) -> dict[Symbol, Any] | None:
    """Where a relation between numbers fails: at the point, if it is one, or at another one."""
    here = {x: point[x] for x in given.domain if x in point}
    used = relation.free_symbols.union(*(one.free_symbols for one in given.conditions))
    if used <= here.keys() and _fails_at(relation, given, here):
        return here
    return failure(relation, given)


def _fails_at(relation: Boolean, given: Given, point: Mapping[Symbol, Any]) -> bool:
    """Whether a point is in the domain, meets the hypotheses, and refutes the relation."""
    inside = all(contains(given.domain[x], value) is True for x, value in point.items())
    try:
        meets = inside and all(compare(one, point).answer is True for one in given.conditions)
        return meets and compare(relation, point).answer is False
    except (TypeError, ValueError):  # no balls, or a function outside its domain
        return False


def false_at(where: Mapping[Any, Any], given: Given) -> Outcome:
    """That a formula fails somewhere: it is false, unless a hypothesis in words excludes this."""
    said = place(where)
    if name := excusing(given):
        why = f"false at {said or 'once'}, unless {name} excludes it, which only a formula can say"
        return Outcome(Answer.UNDECIDED, why, witness=said)
    return Outcome(Answer.REJECTED, f"false at {said or 'once'}", witness=said)


def excusing(given: Given) -> str:
    """A hypothesis in words about letters of the part, by its name, or nothing."""
    claim, used = given.claim, given.goal.free_symbols
    words = (one for one in claim.hypotheses if one.formula is None)
    return next((one.name for one in words if one.letters(claim.letters) & used), "")


def counterexample(
    goal: Boolean, domain: Mapping[Symbol, Domain], under: tuple[Boolean, ...] = ()
) -> dict[Symbol, Any] | None:
    """An exact point of the domain at which balls show that the relation fails, if one is found."""
    used = goal.free_symbols.union(*(one.free_symbols for one in under))
    if not used <= set(domain):
        return None
    try:
        evaluate = Evaluator(goal)
        for point in allowed_points({symbol: domain[symbol] for symbol in used}, under):
            if evaluate(point).answer is False:
                return point
    except (TypeError, ValueError):  # no balls, or a function outside its domain
        return None
    return None


def allowed_points(
    domain: Mapping[Symbol, Domain], under: tuple[Boolean, ...], count: int = 64
) -> Iterator[dict[Symbol, Any]]:
    """Exact points of a box that meet the hypotheses; an equation gives its left letter a value."""
    solved, rest = _solved(under)
    box = {symbol: one for symbol, one in domain.items() if symbol not in solved}
    for point in points(box, count):
        for symbol, value in solved.items():
            point[symbol] = value.subs(point)
        if any(value.has(sympy.nan, sympy.zoo) for value in map(sympy.sympify, point.values())):
            continue
        fits = all(contains(domain[x], point[x]) is True for x in solved if x in domain)
        if fits and all(_is_met(one, tuple(point.items())) for one in rest):
            yield point


@lru_cache(maxsize=16_384)
def _is_met(condition: Boolean, point: tuple[tuple[Symbol, Any], ...]) -> bool:
    """Whether a hypothesis is met there; kept, as variants of a statement are tried there too."""
    return compare(condition, dict(point)).answer is True


def _solved(under: tuple[Boolean, ...]) -> tuple[dict[Symbol, Any], tuple[Boolean, ...]]:
    """Hypotheses `letter = expression`, each after those whose letters it needs; and the others."""
    found = [one for one in under if isinstance(one, sympy.Eq) and one.lhs.is_Symbol]
    equations = {one.lhs: one.rhs for one in found if one.lhs not in one.rhs.free_symbols}
    order = TopologicalSorter({x: value.free_symbols for x, value in equations.items()})
    try:
        solved = {x: equations[x] for x in order.static_order() if x in equations}
    except CycleError:
        return {}, under
    rest = [
        one
        for one in under
        if not (isinstance(one, sympy.Eq) and one.lhs in solved and one.rhs == solved[one.lhs])
    ]
    return solved, tuple(rest)


def refuted_at(point: Mapping[Symbol, Any], given: Given) -> Outcome:
    """Whether the part fails at a point of the domain that meets the hypotheses."""
    goal, said = given.goal, place(point)
    if chosen := determined(goal, given):
        why = f"{chosen[0]} is determined by the other letters, so that no value may be chosen"
        return Outcome(Answer.UNDECIDED, why)
    for symbol, domain in given.domain.items():
        if symbol not in point:
            return Outcome(Answer.UNDECIDED, f"the point has no value for {symbol}")
        if contains(domain, point[symbol]) is not True:
            return Outcome(Answer.UNDECIDED, f"{symbol} = {point[symbol]} is not in {domain}")
    for one in given.conditions:
        if compare(one, point).answer is not True:
            return Outcome(Answer.UNDECIDED, f"the point does not meet {one}")
    found = compare(goal, point).answer
    if found is False and excusing(given):
        return false_at(point, given)
    answer = {False: Answer.ACCEPTED, True: Answer.REJECTED, None: Answer.UNDECIDED}[found]
    verb = {False: "fails", True: "holds", None: "is undecided"}[found]
    return Outcome(answer, f"the relation {verb} at {said}", witness=said)

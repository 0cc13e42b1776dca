"""Whether a theorem is the statement, and whether a statement fails at some point.

A proof counts only if what it ends in is the part itself: the same relation, for all values of
the letters in their domains, under no hypothesis that the claim does not make.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import sympy
from sympy import Symbol
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean

from symbolic.equality import equal
from theorems.engine.answers import Answer, Outcome
from theorems.engine.domain import Domain
from theorems.engine.given import Given
from theorems.engine.values import compare, contains, points, sides, unfolded

if TYPE_CHECKING:
    from theorems.engine.rules import Theorem

__all__ = ["counterexample", "established", "refuted_at", "same_statement"]


def established(theorem: Theorem, given: Given) -> Outcome:
    """Whether the theorem is the part; if not, whether the part fails somewhere."""
    from theorems.engine import rules  # noqa: PLC0415 - only proofs need it

    rules.genuine(theorem)
    goal, domain = given.goal, given.domain
    why = _shortfall(theorem, goal, domain, given.conditions)
    numbers = {"trusts": sorted(map(str, theorem.trusts)), "grade": theorem.grade}
    if why is None:
        if not _inhabited(domain, given.conditions):
            why = "vacuous: no point of the domain was found that meets the hypotheses"
        else:
            return Outcome(Answer.ACCEPTED, f"proved: {theorem}", numbers=numbers)
    where = counterexample(goal, domain, given.conditions)
    if where is not None:
        said = ", ".join(f"{letter} = {value}" for letter, value in where.items())
        return Outcome(Answer.REJECTED, f"false at {said or 'once'}", witness=said)
    return Outcome(Answer.UNDECIDED, why)


def _shortfall(
    theorem: Theorem, goal: Boolean, domain: Mapping[Symbol, Domain], under: tuple[Boolean, ...]
) -> str | None:
    """What the theorem lacks to be the statement; None if nothing."""
    if not same_statement(theorem.statement, goal, domain):
        return f"the proof ends in {theorem.statement}, not in {goal}"
    for symbol in sorted(goal.free_symbols, key=str):
        wanted, proved = domain.get(symbol), theorem.over.get(symbol)
        if wanted is not None and (proved is None or wanted.is_subset(proved) is not True):
            return f"the proof is for {symbol} in {proved}, the claim for {wanted}"
    for symbol in set(theorem.over) - goal.free_symbols:
        if theorem.over[symbol].is_empty is not False and symbol not in domain:
            return f"the proof quantifies over {symbol} in {theorem.over[symbol]}"
    extra = [one for one in theorem.under if one not in under]
    return f"the proof assumes {extra[0]}" if extra else None


def same_statement(proved: Boolean, goal: Boolean, domain: Mapping[Symbol, Domain]) -> bool:
    """Whether two relations are the same, or have equal sides on the whole domain."""
    if proved == goal:
        return True
    proved, goal = unfolded(proved), unfolded(goal)
    if proved == goal:
        return True
    if not (isinstance(proved, Relational) and isinstance(goal, Relational)):
        return _same_compound(proved, goal, domain)
    if _kind(proved) is not _kind(goal):
        return False
    pairs = [tuple(zip(sides(proved), sides(goal), strict=True))]
    if isinstance(goal, sympy.Eq | sympy.Ne):
        pairs.append(tuple(zip(sides(proved), reversed(sides(goal)), strict=True)))
    known = {s: d for s, d in domain.items() if s in proved.free_symbols | goal.free_symbols}
    return any(all(_equal(one, other, known) for one, other in pair) for pair in pairs)


def _equal(one: Any, other: Any, domain: Mapping[Symbol, Domain]) -> bool:
    """Structurally, or by the decider; False where it does not know."""
    if one == other:
        return True
    try:
        symbols = one.free_symbols | other.free_symbols
        return equal(one, other, {s: d for s, d in domain.items() if s in symbols}) is True
    except (ValueError, TypeError, NotImplementedError):
        return False


def _same_compound(proved: Boolean, goal: Boolean, domain: Mapping[Symbol, Domain]) -> bool:
    if proved.func is not goal.func or len(proved.args) != len(goal.args):
        return False
    pairs = zip(proved.args, goal.args, strict=True)
    return all(
        same_statement(one, other, domain) if isinstance(one, Boolean) else one == other
        for one, other in pairs
    )


def _kind(relation: Relational) -> type:
    return {sympy.Ge: sympy.Le, sympy.Gt: sympy.Lt}.get(type(relation), type(relation))


def counterexample(
    goal: Boolean, domain: Mapping[Symbol, Domain], under: tuple[Boolean, ...] = ()
) -> dict[Symbol, Any] | None:
    """An exact point of the domain at which balls show that the relation fails, if one is found."""
    used = goal.free_symbols.union(*(one.free_symbols for one in under))
    if not used <= set(domain):
        return None
    box = {symbol: domain[symbol] for symbol in used}
    for point in points(box):
        try:
            if _meets(under, point) and compare(goal, point).answer is False:
                return point
        except (ValueError, TypeError, ZeroDivisionError, NotImplementedError):
            continue
    return None


def _meets(under: tuple[Boolean, ...], point: Mapping[Symbol, Any]) -> bool:
    return all(compare(one, point).answer is True for one in under)


def _inhabited(domain: Mapping[Symbol, Domain], under: tuple[Boolean, ...]) -> bool:
    """Whether some exact point of the domain meets the hypotheses."""
    if any(one.is_empty is not False for one in domain.values()):
        return False
    if not under:
        return True
    used = set().union(*(one.free_symbols for one in under)) & set(domain)
    box = {symbol: domain[symbol] for symbol in used}
    return any(_meets(under, point) for point in points(box, 2000))


def refuted_at(point: Mapping[Symbol, Any], given: Given) -> Outcome:
    """Whether the part fails at a point of the domain that meets the hypotheses."""
    goal, said = given.goal, ", ".join(f"{x} = {value}" for x, value in point.items())
    for symbol, domain in given.domain.items():
        if symbol not in point:
            return Outcome(Answer.UNDECIDED, f"the point has no value for {symbol}")
        if contains(domain, point[symbol]) is not True:
            return Outcome(Answer.UNDECIDED, f"{symbol} = {point[symbol]} is not in {domain}")
    for one in given.conditions:
        if compare(one, point).answer is not True:
            return Outcome(Answer.UNDECIDED, f"the point does not meet {one}")
    found = compare(goal, point).answer
    answer = {False: Answer.ACCEPTED, True: Answer.REJECTED, None: Answer.UNDECIDED}[found]
    verb = {False: "fails", True: "holds", None: "is undecided"}[found]
    return Outcome(answer, f"the relation {verb} at {said}", witness=said)

"""Meanings tried at sampled cases: what a proof takes letters for, against their values there.

A claim that is searched for a counterexample has cases, with the value of each of its letters.
These values are computed from the case, not from the proof: so a meaning whose terms all have
values there, such as a norm or a sum, must hold at every case, or the proof speaks of other things
than the claim.  Besides numbers, a case may have vectors, matrices and families of the proof.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from sympy import Eq, Implies
from sympy.core.relational import Relational
from sympy.logic.boolalg import And, Boolean

from theorems.engine.claims.claim import Claim
from theorems.engine.claims.kinds import Grade
from theorems.engine.judging.describing import described
from theorems.engine.judging.examine import Circumstances, granted
from theorems.engine.judging.sampled import Cases, is_thing
from theorems.engine.judging.search import search
from theorems.engine.rules.model_values import truth
from theorems.engine.statements.statement import Formula
from theorems.engine.statements.values import Evaluator, as_ball, unfolded

if TYPE_CHECKING:
    from theorems.engine.rules import Theorem

__all__ = ["tried"]

_CASES = 6


def tried(theorem: Theorem, claim: Claim, circumstances: Circumstances) -> tuple[list[str], str | None]:
    """The meanings that hold at sampled cases, by name; and which one fails at which case, or None."""
    leaves = [one for one in theorem.trusts if one.kind == "meaning" and one.says is not None]
    held = set[str]()
    for point in _points(claim, circumstances) if leaves else ():
        for leaf in leaves:
            holds = _truth(Implies(And(*leaf.under), leaf.says, evaluate=False), point)
            if holds is False:
                numbers = {x: one for x, one in point.items() if not is_thing(x)}
                return [], f"the meaning {leaf.name!r} is false at {described(numbers)}"
            if holds:
                held.add(leaf.name)
    return sorted(held), None


def _points(claim: Claim, circumstances: Circumstances) -> Iterator[Mapping[Any, Any]]:
    """What has a value at a few cases of each search of the claim."""
    for item in claim.evidence:
        if item.grade is Grade.TESTED and isinstance(claim.parts[item.part], Formula):
            cases = Cases(granted(claim, item, circumstances), item.check)
            over, seed = item.options["over"], circumstances.seed_of(claim, item)
            search(cases, over() if callable(over) else over, cases=_CASES, seed=seed)
            yield from ({**more, **one} for more, one in zip(cases.beside, cases.seen, strict=True))


def _truth(statement: Boolean, point: Mapping[Any, Any]) -> bool | None:
    """Whether a statement holds at a case; None where something has no value."""
    if isinstance(statement, And):
        answers = {_truth(one, point) for one in statement.args}
        return False if False in answers else None if None in answers or not answers else True
    if isinstance(statement, Implies):
        condition, conclusion = statement.args
        met = True if condition == True else _truth(condition, point)  # noqa: E712 - SymPy's truth
        return _truth(conclusion, point) if met else None
    if not isinstance(statement, Relational):
        return None
    return _compared(statement, point)


def _compared(relation: Relational, point: Mapping[Any, Any]) -> bool | None:
    """Whether both sides agree, or are as they should be: in balls if they are made of numbers.

    Where there are vectors, matrices or families it is asked of floats, to seven digits.
    """
    numbers = {x: one for x, one in point.items() if not is_thing(x)}
    try:
        found = Evaluator(relation)(numbers)
    except (ArithmeticError, LookupError, TypeError, ValueError):
        model = {**point, **dict(_floats(numbers))}
        found = truth(relation, model)
        return truth(unfolded(relation), model) if found is None else found
    agree = isinstance(relation, Eq) and found.answer is None and found.rounding == 0
    return True if agree else found.answer


def _floats(numbers: Mapping[Any, Any]) -> Iterator[tuple[Any, float]]:
    """The numbers that are known to more digits than are compared."""
    for letter, value in numbers.items():
        ball = as_ball(value)
        if ball.rad() <= _FINE * max(1.0, abs(float(ball))):
            yield letter, float(ball)


_FINE = 1e-9

"""Meanings tried at sampled cases: what a proof takes letters for, against their values there.

A claim that is searched for a counterexample has cases, with the value of each of its letters.
These values are computed from the case, not from the proof: so a meaning whose terms all have
values there, such as a norm or a sum, must hold at every case, or the proof speaks of other things
than the claim.  Besides numbers, a case may have vectors, matrices and families of the proof.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain, product
from typing import TYPE_CHECKING, Any

from sympy import Eq, Implies, Symbol, preorder_traversal
from sympy.core.function import AppliedUndef
from sympy.core.relational import Relational
from sympy.logic.boolalg import And, Boolean

from theorems.engine.claims.claim import Claim
from theorems.engine.claims.evidence import Evidence
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
    from theorems.engine.rules.theorem import Trust

__all__ = ["Tried", "tried"]

_CASES, _FREE = 6, 3


@dataclass(frozen=True)
class Tried:
    """Which meanings hold at sampled cases, why others were not tried, and which one fails where."""

    held: frozenset[Trust] = frozenset()
    untried: Mapping[Trust, str] = field(default_factory=dict)
    fails: str | None = None


def tried(theorem: Theorem, claim: Claim, circumstances: Circumstances) -> Tried:
    """Try the meanings of a proof; one holds if all of its parts do, each at some case."""
    meanings = (one for one in theorem.trusts if one.kind == "meaning")
    leaves = sorted(meanings, key=lambda leaf: (leaf.name, leaf.detail))
    left = {leaf: set(And.make_args(leaf.says)) for leaf in leaves if leaf.says is not None}
    searches = sorted(_searches(claim)) if left else []
    points = [*chain(*(_points(claim, one, circumstances) for one in searches))]
    for point in points:
        for leaf in left:
            answers = {part: _everywhere(part, leaf.under, point) for part in And.make_args(leaf.says)}
            if False in answers.values():
                numbers = {x: one for x, one in point.items() if not is_thing(x)}
                return Tried(fails=f"the meaning {leaf.name!r} is false at {described(numbers)}")
            left[leaf] -= {part for part, answer in answers.items() if answer}
    held = frozenset(leaf for leaf, parts in left.items() if not parts)
    return Tried(held, {leaf: _why_not(left.get(leaf, ()), points) for leaf in leaves if leaf not in held})


def _why_not(parts: Iterable[Boolean], points: Sequence[Mapping[Any, Any]]) -> str:
    """Why parts of a meaning were not tried: what no case has a value of."""
    if not points:
        return "no search draws cases"
    known = set().union(*points)
    nodes = {node for one in parts for node in preorder_traversal(one)}
    letters = {node for node in nodes if isinstance(node, Symbol) and not node.is_integer}
    heads = {node.func for node in nodes if isinstance(node, AppliedUndef)}
    opaque = {type(node).__name__ for node in nodes if getattr(node, "is_opaque", False)}
    missing = sorted(map(str, (letters | heads) - known)) or sorted(opaque)
    return f"no case has {', '.join(missing[:_SHOWN])}" if missing else "no case decides it"


_SHOWN = 3


def _searches(claim: Claim) -> dict[str, Evidence]:
    """The searches for a counterexample to a formula of the claim, by name."""
    tested = (one for one in claim.evidence if one.grade is Grade.TESTED)
    return {one.name: one for one in tested if isinstance(claim.parts[one.part], Formula)}


@lru_cache(maxsize=16)
def _points(claim: Claim, name: str, circumstances: Circumstances) -> list[Mapping[Any, Any]]:
    """What has a value at a few cases of a search; proofs of one claim ask for the same."""
    item = _searches(claim)[name]
    cases = Cases(granted(claim, item, circumstances), item.check)
    over, seed = item.options["over"], circumstances.seed_of(claim, item)
    search(cases, over() if callable(over) else over, cases=_CASES, seed=seed)
    return [{**more, **one} for more, one in zip(cases.beside, cases.seen, strict=True)]


def _everywhere(said: Boolean, under: Iterable[Boolean], point: Mapping[Any, Any]) -> bool | None:
    """Whether a part of a meaning holds at a case, for two members of each family of which it is said.

    What a letter is equal to is said of one member, of which nobody knows which one it is.
    """
    of_one = isinstance(said, Eq) and said.lhs.is_Symbol
    statement = Implies(And(*under), said, evaluate=False)
    unknown = [x for x in statement.free_symbols if x not in point]
    free = [] if of_one else [x for x in unknown if x.is_integer and x.is_positive][:_FREE]
    answers = {
        _truth(statement, {**point, **dict(zip(free, places, strict=True))})
        for places in product((1, 2), repeat=len(free))
    }
    return False if False in answers else True in answers or None


def _truth(statement: Boolean, point: Mapping[Any, Any]) -> bool | None:
    """Whether a statement holds at a case; None where a part of it has no value that decides."""
    if statement == True:  # noqa: E712 - SymPy's truth
        return True
    if isinstance(statement, And):
        answers = {_truth(one, point) for one in statement.args}
        return False if False in answers else None not in answers or None
    if isinstance(statement, Implies):
        condition, conclusion = statement.args
        return _truth(conclusion, point) if _truth(condition, point) else None
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
        holds = truth(relation, model)
        return truth(unfolded(relation), model) if holds is None else holds
    agree = isinstance(relation, Eq) and found.answer is None and found.rounding == 0
    return True if agree else found.answer


def _floats(numbers: Mapping[Any, Any]) -> Iterator[tuple[Any, float]]:
    """The numbers that are known to more digits than are compared."""
    for letter, value in numbers.items():
        ball = as_ball(value)
        if ball.rad() <= _FINE * max(1.0, abs(float(ball))):
            yield letter, float(ball)


_FINE = 1e-9

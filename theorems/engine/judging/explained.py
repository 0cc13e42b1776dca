"""What the letters of a claim stand for in a proof, to be shown beside them.

The meanings of a proof are trusted: a reader must see at the letter what the proof takes it for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import sympy
from sympy import Symbol

from symbolic.latex_printer import latex
from theorems.engine.claims.claim import Claim
from theorems.engine.judging.unsaid import parts_of
from theorems.engine.statements.letters import NamedFunction
from theorems.engine.statements.statement import written
from theorems.engine.statements.values import sides

if TYPE_CHECKING:
    from theorems.engine.rules import Theorem
    from theorems.engine.rules.theorem import Trust

__all__ = ["form_of", "stand_for"]


def stand_for(theorem: Theorem, claim: Claim) -> list[tuple[str, str, str]]:
    """Letters of the claim by name, each with what it is in the proof, as LaTeX, and its form.

    That is an expression to which it is equal, or of which it is the largest or the least value.
    """
    names = written(claim.letters)
    found = {
        (str(letter), before + latex(value, names), form_of(value, claim))
        for leaf in theorem.trusts
        for letter, before, value in _explained(leaf)
        if letter in claim.given
    }
    return sorted(found)


def form_of(value: Any, claim: Claim) -> str:
    """What a value is whatever a proof calls its indices: two values of one form are one thing.

    Other letters of a proof, and its functions, say by their names what they are.
    """
    declared = {*claim.letters, *claim.given}
    numbers: dict[str, str] = {}

    def numbered(found: re.Match[str]) -> str:
        return numbers.setdefault(found[0], f"#{len(numbers) + 1}")

    return re.sub(r"«[^»]*»", numbered, _named(sympy.sympify(value), declared))


def _named(node: Any, declared: set[Any]) -> str:
    """A term with the indices of the proof in quotes, its parts in an order that these do not change."""
    if not node.args:
        index = isinstance(node, Symbol) and node.is_integer and node not in declared
        return f"«{node}»" if index else str(node)
    parts = [_named(one, declared) for one in node.args]
    if isinstance(node, _ANY_ORDER):
        parts.sort(key=lambda text: re.sub(r"«[^»]*»", "«»", text))
    return f"{node.func.__name__}({', '.join(parts)})"


_ANY_ORDER = (sympy.Add, sympy.Mul, sympy.And, sympy.Or, sympy.Min, sympy.Max)


def _explained(leaf: Trust) -> Iterator[tuple[Any, str, Any]]:
    """Letters, how they have to do with values, and these values."""
    from theorems.engine.rules.theorem import meant  # noqa: PLC0415 - only proofs need it

    if leaf.kind != "meaning":
        return
    for equation in meant(leaf):
        left, right = equation.args
        if isinstance(left, Symbol):
            yield left, "= ", right
        if isinstance(right, Symbol) and not isinstance(left, NamedFunction):  # which is explained by it
            yield right, "= ", left
    for bound in parts_of(leaf.says) if leaf.extremes else ():
        small, large = sides(bound)
        for letter, before, value in ((large, _LARGEST, small), (small, _LEAST, large)):
            if letter in leaf.extremes:
                yield letter, before, value


_LARGEST, _LEAST = r"\text{the largest } ", r"\text{the least } "

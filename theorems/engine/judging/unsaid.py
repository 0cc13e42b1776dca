"""What a meaning says of a claim's own letters that only a hypothesis may say.

A quantity of a claim stands for something in its proof. That a random variable of the claim is
centred, that two are independent, or that a number is 0 or 1 is no such thing: it restricts them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import sympy
from sympy import Eq
from sympy.core.function import AppliedUndef
from sympy.logic.boolalg import And, Boolean, Implies, Or

from theorems.engine.claims.claim import Claim
from theorems.engine.statements.letters import NamedFunction

if TYPE_CHECKING:
    from theorems.engine.rules import Theorem

__all__ = ["unsaid"]


def unsaid(theorem: Theorem, claim: Claim) -> str | None:
    """A property of the claim's own letters among the meanings of a proof, if there is one."""
    for trust in theorem.trusts:
        for one in _parts(trust.says) if trust.kind == "meaning" else ():
            if _is_property(one, claim):
                return f"{one} is no meaning but a hypothesis, which the claim does not have"
    return None


def _parts(statement: Any) -> Iterator[Boolean]:
    """The equations and properties of a meaning, whatever their conditions."""
    for one in And.make_args(statement):
        if isinstance(one, Implies):
            yield from _parts(one.args[1])
        elif isinstance(one, Boolean):
            yield one


def _is_property(one: Boolean, claim: Claim) -> bool:
    if isinstance(one, Or):
        return all(_is_own(part.args[0], claim) for part in one.args)
    if not isinstance(one, Eq):
        return bool(getattr(one, "is_opaque", False)) and _is_own(one, claim)
    from theorems.engine.rules.definitions import is_of_objects  # noqa: PLC0415 - only proofs

    left, right = one.args
    ambiguous = isinstance(left, sympy.Abs) or (left.is_Pow and left.exp.is_even)
    if ambiguous and left.args[0].is_Symbol:
        letter = left.args[0]
        return _is_own(letter, claim) and not _has_one_sign(letter)
    return is_of_objects(left) and _is_own(left, claim) and _is_own(right, claim)


def _is_own(expression: Any, claim: Claim) -> bool:
    """Whether there are letters of the claim only, and no functions that have no formula here."""
    nodes = sympy.preorder_traversal(expression)
    opaque = any(isinstance(one, _FUNCTIONS) or _is_of_a_family(one) for one in nodes)
    return not opaque and expression.free_symbols <= set(claim.given)


_FUNCTIONS = (AppliedUndef, NamedFunction)


def _is_of_a_family(node: Any) -> bool:
    """Whether a node is one of a family of events, as A(k) is."""
    return hasattr(node, "belongs_to") and bool(node.args)


def _has_one_sign(letter: Any) -> bool:
    return bool(letter.is_nonnegative or letter.is_nonpositive)

"""What a meaning says of a claim's own letters that only a hypothesis may say.

A quantity of a claim stands for something in its proof. That a random variable of the claim is
centred, that two are independent, that a number is 0 or 1, or that a length is a number from [0, 1]
is no such thing: it restricts them. A mean may be that of something else which has the same law; no
two things of the claim have to do with the same one.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import TYPE_CHECKING, Any

import sympy
from sympy import Eq
from sympy.core.function import AppliedUndef
from sympy.logic.boolalg import And, Boolean, Implies, Or

from theorems.engine.claims.claim import Claim
from theorems.engine.statements.letters import NamedFunction

if TYPE_CHECKING:
    from theorems.engine.rules import Theorem

__all__ = ["parts_of", "unsaid"]


def unsaid(theorem: Theorem, claim: Claim) -> str | None:
    """A property of the claim's own letters among the meanings of a proof, if there is one."""
    meanings = [one.says for one in theorem.trusts if one.kind == "meaning"]
    parts = [part for says in meanings for part in parts_of(says)]
    for one in parts:
        if _is_property(one, claim):
            return f"{one} is no meaning but a hypothesis, which the claim does not have"
    return _explained_by_one(parts, claim)


def _explained_by_one(parts: list[Boolean], claim: Claim) -> str | None:
    """Two things of the claim of which one has to do with nothing but what explains the other.

    Each may be what it is by itself, as two lengths that are that of one vector, and not both.
    """
    from theorems.engine.rules.choices import things  # noqa: PLC0415 - only proofs

    own = set(claim.given)
    said = [one for one in parts if isinstance(one, Eq) and _is_value_of_own(one.lhs, claim)]
    pairs = {one: (things(one.lhs) & own, things(one.rhs) - own) for one in sorted(said, key=str)}
    for (one, (first, by)), (other, (second, by_other)) in combinations(pairs.items(), 2):
        within = by and by_other and (by <= by_other or by_other <= by)
        if within and not first & second:
            return f"{one} and {other} are no meanings, as they have to do with each other"
    return None


def _is_value_of_own(left: Any, claim: Claim) -> bool:
    from theorems.engine.rules.definitions import is_of_objects  # noqa: PLC0415 - only proofs

    return is_of_objects(left) and _is_own(left, claim)


def _is_narrower(left: Any, right: Any) -> bool:
    """Whether the right side has a sign, or is a probability, and the left one may be anything."""
    from theorems.engine.rules.vocabulary import E, P  # noqa: PLC0415 - only proofs

    means = {one for side in (left, right) for one in side.atoms(E) if one.args[0].is_nonnegative}
    known = {one: sympy.Dummy(nonnegative=True) for one in means}
    small, large = (side.xreplace(known) for side in (right, left))
    signed = bool(small.is_nonnegative or small.is_nonpositive)
    return (signed and not large.is_nonnegative) or (right.has(P) and not left.has(P))


def _is_number(expression: Any) -> bool:
    """Whether there are letters for numbers only."""
    nodes = sympy.preorder_traversal(expression)
    return not any(
        isinstance(one, _FUNCTIONS) or getattr(one, "is_opaque", False) or hasattr(one, "belongs_to")
        for one in nodes
    )


def parts_of(statement: Any) -> Iterator[Boolean]:
    """The equations and properties of a meaning, whatever their conditions."""
    for one in And.make_args(statement):
        if isinstance(one, Implies):
            yield from parts_of(one.args[1])
        elif isinstance(one, Boolean):
            yield one


def _is_property(one: Boolean, claim: Claim) -> bool:
    if isinstance(one, Or):
        return all(_is_own(part.args[0], claim) for part in one.args)
    if not isinstance(one, Eq):
        return bool(getattr(one, "is_opaque", False)) and _is_own(one, claim)
    left, right = one.args
    ambiguous = isinstance(left, sympy.Abs) or (left.is_Pow and left.exp.is_even)
    if ambiguous and left.args[0].is_Symbol:
        letter = left.args[0]
        return _is_own(letter, claim) and not _has_one_sign(letter)
    restricts = _is_own(right, claim) or _is_number(right) or _is_narrower(left, right)
    return _is_value_of_own(left, claim) and restricts


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

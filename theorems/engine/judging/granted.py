"""The leaves that whatever is given to a proof or to a lemma grants, each through one door.

What is given knows the ranges of its letters, and of which of them a leaf speaks.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NotRequired, TypedDict, Unpack

from sympy import Symbol, sympify
from sympy.logic.boolalg import Boolean

from theorems.engine.statements.relations import both

if TYPE_CHECKING:
    from theorems.engine.rules import Theorem

__all__ = ["Granted", "Where"]


class Where(TypedDict):
    """Ranges of letters that neither claim nor paper declares, and conditions of a premise."""

    over: NotRequired[Mapping[Symbol, Any] | None]
    under: NotRequired[Iterable[Boolean]]


class Granted(ABC):
    """What grants leaves: the claim of a proof, or the letters of a lemma's paper.

    Letters range as ``over`` says, or as they are declared, or as far as their assumptions go.
    """

    def meaning(self, what: str, *relations: Boolean, **where: Unpack[Where]) -> Theorem:
        """What letters stand for, in the terms of the proof."""
        return self._premise("meaning", what, relations, **where)

    def largest(self, name: str, *relations: Boolean, **where: Unpack[Where]) -> Theorem:
        """Values are at most the quantity that is the largest of them."""
        return self._premise("largest", name, relations, **where)

    def least(self, name: str, *relations: Boolean, **where: Unpack[Where]) -> Theorem:
        """Values are at least the quantity that is the least of them."""
        return self._premise("least", name, relations, **where)

    def bridge(self, name: str, *relations: Boolean, **where: Unpack[Where]) -> Theorem:
        """A step in words; what rests on it is argued."""
        return self._premise("bridge", name, relations, **where)

    def textbook(self, name: str, *relations: Boolean, **where: Unpack[Where]) -> Theorem:
        """A fact of the textbooks, which holds for all values of declared letters.

        What is special of them stands in a hypothesis or in a meaning.  Vectors, matrices, random
        variables, events and families of the proof may be some for which the fact holds, if no
        letter of the claim stands for them.
        """
        return self._premise("textbook", name, relations, **where)

    def substituted(
        self, theorem: Theorem, at: Mapping[Symbol, Any] | Sequence[Any], *, under: Iterable[Boolean] = ()
    ) -> Theorem:
        """A theorem at other terms, whose letters range as they are declared."""
        conditions = tuple(under)
        values = at.values() if isinstance(at, Mapping) else at
        over = self.ranging(*map(sympify, values), *conditions)
        return theorem.at(at, over=over, under=conditions)

    @abstractmethod
    def _about(self, rule: str, *said: Boolean) -> dict[str, Any]:
        """Of which letters a leaf speaks, a statement and conditions, and what its rule must know.

        This is never asked of a bridge.
        """

    @abstractmethod
    def _declared(self, symbol: Symbol) -> Any:
        """The range that a letter is declared to have, or None."""

    def _premise(
        self,
        rule: str,
        name: str,
        relations: tuple[Boolean, ...],
        over: Mapping[Symbol, Any] | None = None,
        under: Iterable[Boolean] = (),
    ) -> Theorem:
        from theorems.engine.rules.premises import LEAVES  # noqa: PLC0415 - only proofs need it

        statement, conditions = both(*relations), tuple(under)
        letters = {**self.ranging(statement, *conditions), **(over or {})}
        about = {} if rule == "bridge" else self._about(rule, statement, *conditions)
        return LEAVES[rule](name, statement, over=letters, under=conditions, **about)

    def ranging(self, *things: Any) -> dict[Symbol, Any]:
        """The ranges of all letters that occur, declared or not."""
        from theorems.engine.rules.ranges import assumed  # noqa: PLC0415 - only proofs need it

        used = set[Symbol]().union(*(one.free_symbols for one in things))
        found = {x: getattr(x, "belongs_to", self._declared(x)) for x in used}
        return {x: assumed(x) if range_ is None else range_ for x, range_ in found.items()}

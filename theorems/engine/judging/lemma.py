"""What a lemma is given that has no claim of its own: leaves about the quantities of its paper.

Several claims may use such a lemma.  It knows no hypotheses, and what it takes over speaks of the
quantities of the paper, such as norms, which keep their values wherever the lemma is used.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Unpack

from sympy import Symbol
from sympy.logic.boolalg import Boolean

from theorems.engine.judging.given import Where
from theorems.engine.statements.letters import Letters, quantities
from theorems.engine.statements.relations import both

if TYPE_CHECKING:
    from theorems.engine.rules import Theorem

__all__ = ["Lemma"]


@dataclass(frozen=True)
class Lemma:
    """The circumstances of a lemma in the letters of a paper; its leaves are those of a proof.

    Letters range as ``over`` says, or as the paper declares, or as far as their assumptions go.

    >>> from theorems.engine import eq, half_line
    >>> letters = Letters()
    >>> x, n = (letters.quantity(name, name, "a size", half_line(0)) for name in "xn")
    >>> y = Symbol("y", positive=True)
    >>> squared = Lemma(letters).meaning("the square of x", eq(n, y**2))
    >>> print(squared)
    Eq(n, y**2) for n in Interval(0, oo), y in Interval.open(0, oo) [proved]
    """

    letters: Letters

    def meaning(self, what: str, *relations: Boolean, **where: Unpack[Where]) -> Theorem:
        """What letters stand for, in the terms of the lemma."""
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
        """A fact of the textbooks, said of a quantity at its value and of a variable for its law.

        What is said of vectors and matrices that stand for something need not hold for all.
        """
        return self._premise("textbook", name, relations, **where)

    def _premise(
        self,
        rule: str,
        name: str,
        relations: tuple[Boolean, ...],
        over: Mapping[Symbol, Any] | None = None,
        under: Iterable[Boolean] = (),
    ) -> Theorem:
        from theorems.engine.rules import Random  # noqa: PLC0415 - only proofs need it
        from theorems.engine.rules.premises import LEAVES  # noqa: PLC0415 - as above

        statement, conditions = both(*relations), tuple(under)
        used = statement.free_symbols.union(*(one.free_symbols for one in conditions))
        ranges = {**{x: self._range(x) for x in used}, **(over or {})}
        about: dict[str, Any] = {"about": quantities(used, self.letters)}
        if rule == "textbook":
            laws = [x for x in statement.free_symbols if isinstance(x, Random)]
            about = {"about": [*about["about"], *laws]}
        elif rule == "bridge":
            about = {}
        return LEAVES[rule](name, statement, over=ranges, under=conditions, **about)

    def _range(self, symbol: Symbol) -> Any:
        from theorems.engine.rules.ranges import assumed  # noqa: PLC0415 - only proofs need it

        declared = self.letters[symbol].domain if symbol in self.letters else None
        found = getattr(symbol, "belongs_to", declared)
        return assumed(symbol) if found is None else found

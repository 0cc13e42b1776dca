"""What a lemma is given that has no claim of its own: leaves about the quantities of its paper.

Several claims may use such a lemma.  It knows no hypotheses, and what it takes over speaks of the
quantities of the paper, such as norms, which keep their values wherever the lemma is used.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sympy import Symbol
from sympy.logic.boolalg import Boolean

from theorems.engine.judging.granted import Granted
from theorems.engine.statements.domain import Domain
from theorems.engine.statements.letters import Letters, quantities

if TYPE_CHECKING:
    from theorems.engine.rules import Theorem

__all__ = ["Lemma"]


@dataclass(frozen=True)
class Lemma(Granted):
    """The circumstances of a lemma in the letters of a paper; its leaves are those of a proof.

    Letters range as ``over`` says, or as ``ranges`` do, or as the paper declares, or as far as
    their assumptions go.

    >>> from theorems.engine import eq, half_line
    >>> letters = Letters()
    >>> x, n = (letters.quantity(name, name, "a size", half_line(0)) for name in "xn")
    >>> y = Symbol("y", positive=True)
    >>> squared = Lemma(letters).meaning("the square of x", eq(n, y**2))
    >>> print(squared)
    Eq(n, y**2) for n in Interval(0, oo), y in Interval.open(0, oo) [proved]
    """

    letters: Letters
    ranges: Mapping[Symbol, Domain] = field(default_factory=dict)

    def follows(self, *premises: Theorem, goal: Boolean, under: Iterable[Boolean] = ()) -> Theorem:
        """The goal from premises, for all values of its letters and of those of the premises."""
        from theorems.engine import rules  # noqa: PLC0415 - only proofs need it

        conditions = tuple(under)
        over = self.ranging(goal, *conditions, *(x for one in premises for x in one.over))
        return rules.follows(goal, premises, over=over, under=conditions)

    def _about(self, rule: str, *said: Boolean) -> dict[str, Any]:
        known = quantities(set().union(*(one.free_symbols for one in said)), self.letters)
        return {"own" if rule == "textbook" else "about": known}

    def _declared(self, symbol: Symbol) -> Any:
        if symbol in self.ranges:
            return self.ranges[symbol]
        return self.letters[symbol].domain if symbol in self.letters else None

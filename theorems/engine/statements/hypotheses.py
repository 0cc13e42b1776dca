"""Hypotheses: named values that say what a claim assumes beyond the domains of its letters.

Claims that need the same hypothesis share the same value.  A claim lists every hypothesis of what
it rests on, or discharges it with a reason; otherwise it does not load.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from sympy import Symbol
from sympy.logic.boolalg import Boolean

from theorems.engine.errors import ClaimError
from theorems.engine.statements.letters import Letter
from theorems.engine.statements.statement import Formula, written
from theorems.engine.statements.template import fill, names_in

__all__ = ["Hypothesis"]


@dataclass(frozen=True)
class Hypothesis:
    """A hypothesis by name, in words, and as a relation in letters where it is one.

    ``says`` may refer to letters as ``$rho``.  ``latex`` displays a hypothesis that is no
    relation.
    """

    name: str
    says: str
    formula: Boolean | None = None
    latex: str | None = None

    def __post_init__(self) -> None:
        if not (isinstance(self.name, str) and self.name.isidentifier()):
            raise ClaimError(f"a hypothesis is named like a variable, got {self.name!r}")
        if not (isinstance(self.says, str) and self.says.strip()):
            raise ClaimError(f"hypothesis {self.name} must say something, got {self.says!r}")
        if self.formula is not None and not isinstance(self.formula, Boolean):
            raise ClaimError(f"hypothesis {self.name}: formula must be a relation")
        if self.formula in {True, False}:
            raise ClaimError(
                f"hypothesis {self.name}: the relation is {self.formula}; write it with evaluate=False"
            )

    def letters(self, table: Mapping[Symbol, Letter]) -> set[Symbol]:
        """The letters that the hypothesis mentions."""
        spoken = {name for text in (self.says, self.latex or "") for name in names_in(text)}
        found = {symbol for symbol in table if symbol.name in spoken}
        missing = spoken - {symbol.name for symbol in found}
        if missing:
            raise ClaimError(f"hypothesis {self.name} mentions {sorted(missing)}, no letters")
        return found | (self.formula.free_symbols if self.formula is not None else set())

    @property
    def formulas(self) -> tuple[Boolean, ...]:
        """What is said in SymPy's terms."""
        return () if self.formula is None else (self.formula,)

    def displayed(self, table: Mapping[Symbol, Letter]) -> str:
        """The hypothesis in symbols, as LaTeX; empty if it is words only."""
        if self.formula is not None:
            return Formula(self.formula).latex(table)
        names = {symbol.name: latex for symbol, latex in written(table).items()}
        return fill(self.latex, names) if self.latex else ""

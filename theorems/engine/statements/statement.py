r"""Statements: the parts of a claim, each a formula or a sentence with slots.

A *formula* is a SymPy relation in letters; what a reader sees is printed from it.  A *sentence*
is LaTeX for what SymPy cannot say; every number in it is a *slot*, a value that is printed into
the LaTeX and handed to the evidence by name.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, TypeAlias

import sympy
from sympy import Symbol
from sympy.core.relational import Relational
from sympy.logic.boolalg import And, Boolean

from symbolic.latex_printer import latex as print_latex
from theorems.engine.errors import ClaimError
from theorems.engine.statements.letters import Letter, Letters, NamedFunction
from theorems.engine.statements.template import fill, literal_numbers, names_in, places

__all__ = [
    "SIGNS",
    "STATEMENT",
    "Choice",
    "Formula",
    "Part",
    "Sentence",
    "defining",
    "flaw",
    "parts_of",
    "sentence",
]

Table: TypeAlias = Mapping[Symbol, Letter]
STATEMENT = "statement"


@dataclass(frozen=True)
class Formula:
    """A relation in letters.

    For display: ``defines`` is what the left side is the definition of, and ``shown`` are the
    relations of a conjunction in the order in which they were written.
    """

    relation: Boolean
    defines: sympy.Expr | None = None
    shown: tuple[Boolean, ...] = ()

    def __post_init__(self) -> None:
        if not isinstance(self.relation, Boolean):
            raise ClaimError(f"a statement is a relation or a sentence, got {self.relation!r}")
        if self.relation in {True, False}:
            raise ClaimError("SymPy has evaluated the relation; write it with evaluate=False")

    def letters(self, _table: Table) -> set[Symbol]:
        """The letters that the relation is about."""
        return set(self.relation.free_symbols)

    def latex(self, table: Table) -> str:
        """The relation as it is displayed."""
        names = written(table)
        shown = _chained(self.shown or (self.relation,), names)
        if self.defines is None:
            return shown
        return rf"{print_latex(self.defines, symbol_names=names)} := {shown}"

    @property
    def formulas(self) -> tuple[sympy.Basic, ...]:
        """What is said in SymPy's terms."""
        return (self.relation,) if self.defines is None else (self.defines, self.relation)

    @property
    def functions(self) -> set[type[NamedFunction]]:
        """The paper's functions that occur."""
        return {type(one) for one in self.relation.atoms(NamedFunction)}


def defining(term: sympy.Expr, relation: Boolean) -> Formula:
    r"""A relation whose left side is the definition of a term: it prints as term := left = right.

    >>> x, f = Symbol("x"), sympy.Function("f")
    >>> defining(f(x), sympy.Eq((x + 1) ** 2, x**2 + 2 * x + 1, evaluate=False)).latex({})
    'f{\\left(x \\right)} := \\left(x + 1\\right)^{2} = x^{2} + 2 x + 1'
    """
    return Formula(relation, term)


@dataclass(frozen=True)
class Choice:
    r"""A slot's value that is no number: what is printed, and what the evidence is handed."""

    latex: str
    value: Any


Slot: TypeAlias = int | Fraction | sympy.Expr | Choice


@dataclass(frozen=True)
class Sentence:
    """LaTeX with places for letters and for slots."""

    template: str
    slots: Mapping[str, Slot] = field(default_factory=dict)

    def __post_init__(self) -> None:
        wrong = flaw(self.template)
        if wrong is not None:
            raise ClaimError(f"{wrong} in {self.template!r}")
        numbers = literal_numbers(self.template)
        if numbers:
            raise ClaimError(f"the numbers {numbers} must be slots in {self.template!r}")
        filled = places(self.template)
        for name, value in self.slots.items():
            if filled[name] != 1:
                number = f"{filled[name]} places" if filled[name] else "no place"
                told = f"slot {name} fills {number} of {self.template!r}"
                raise ClaimError(f"{told}; each printed number has one of its own")
            if isinstance(value, bool) or not isinstance(value, Slot):
                raise ClaimError(f"slot {name} is an exact number or a Choice, got {value!r}")

    def letters(self, table: Table) -> set[Symbol]:
        """The letters that the sentence mentions; ClaimError for a name that is none."""
        spoken = set(names_in(self.template)) - set(self.slots)
        found = {symbol for symbol in table if symbol.name in spoken}
        missing = sorted(spoken - {symbol.name for symbol in found})
        if missing:
            raise ClaimError(f"{missing} are neither letters nor slots of {self.template!r}")
        inside = [v.free_symbols for v in self.slots.values() if isinstance(v, sympy.Expr)]
        return found.union(*inside)

    def latex(self, table: Table) -> str:
        """The sentence as it is displayed."""
        names = written(table)
        values = {symbol.name: latex for symbol, latex in names.items()}
        values |= {name: _slot_latex(value, names) for name, value in self.slots.items()}
        return fill(self.template, values)

    @property
    def formulas(self) -> tuple[sympy.Basic, ...]:
        """The slots that are said in SymPy's terms."""
        return tuple(one for one in self.slots.values() if isinstance(one, sympy.Basic))

    def values(self) -> dict[str, Any]:
        """The slots as the evidence is handed them."""
        return {n: v.value if isinstance(v, Choice) else v for n, v in self.slots.items()}

    def changed(self, **slots: Any) -> Sentence:
        """The sentence with other values in some slots."""
        return replace(self, slots={**self.slots, **slots})


Part: TypeAlias = Formula | Sentence


def sentence(template: str, **slots: Slot) -> Sentence:
    r"""A sentence: ``$name`` is a letter or, where a value is given here, a slot.

    >>> sentence(r"\|x\| \le $bound \|y\|", bound=Fraction(1, 2)).latex({})
    '\\|x\\| \\le {\\tfrac{1}{2}} \\|y\\|'
    """
    return Sentence(template, slots)


def parts_of(states: Any) -> dict[str, Part]:
    """The parts of a statement: one relation or sentence, or several by name.

    A list of relations is their conjunction, and prints as a chain where their sides meet.
    """
    named = states if isinstance(states, Mapping) else {STATEMENT: states}
    if not named:
        raise ClaimError("a statement has at least one part")
    return {str(name): _part(one) for name, one in named.items()}


def _part(states: Any) -> Part:
    if isinstance(states, Sentence | Formula):
        return states
    if isinstance(states, list | tuple):
        for one in states:
            Formula(one)
        return Formula(And(*states), shown=tuple(states))
    return Formula(states)


def _chained(relations: tuple[Boolean, ...], names: Mapping[Symbol, str]) -> str:
    """Relations one after the other; a side that the next one begins with is written once."""
    text, last = "", None
    for one in relations:
        sides = one.args if isinstance(one, Relational) else ()
        if text and sides and sides[0] == last:
            text += f" {SIGNS[type(one)]} {print_latex(sides[1], symbol_names=names)}"
        else:
            text += (r", \quad " if text else "") + print_latex(one, symbol_names=names)
        last = sides[1] if sides else None
    return text


#: How relations print.
SIGNS: dict[type, str] = {
    sympy.Eq: "=",
    sympy.Ne: r"\ne",
    sympy.Le: r"\le",
    sympy.Lt: "<",
    sympy.Ge: r"\ge",
    sympy.Gt: ">",
}


def written(table: Table) -> Mapping[Symbol, str]:
    """How the letters of a table print."""
    if isinstance(table, Letters):
        return table.written
    return {symbol: letter.latex for symbol, letter in table.items()}


def _slot_latex(value: Slot, names: Mapping[Symbol, str]) -> str:
    if isinstance(value, Choice):
        return value.latex
    if isinstance(value, Fraction) or (isinstance(value, sympy.Rational) and not value.is_Integer):
        sign = "-" if value < 0 else ""
        number = sympy.Rational(value)
        return rf"{sign}\tfrac{{{abs(number.p)}}}{{{number.q}}}"
    return print_latex(sympy.sympify(value), symbol_names=names)


_TOKENS = re.compile(r"\\(begin|end)\{([^{}]*)\}|\\[A-Za-z]+|\\.|[{}%]", re.DOTALL)


def flaw(latex: str) -> str | None:
    r"""What is wrong with the LaTeX of a displayed statement, or ``None``.

    Groups, environments and ``\left ... \right`` must nest; escaped braces stand for themselves.

    >>> flaw(r"\left\{ x : x^{2} \le 1 \right.")
    >>> flaw(r"x^{2")
    '{ is never closed'
    """
    strange = next((letter for letter in latex if not letter.isascii()), None)
    if strange is not None:
        return f"{strange!r} is not LaTeX; write the command for it"
    if re.search(r"\n\s*\n", latex):
        return "a display has no empty lines"
    expected: list[tuple[str, str]] = []
    for token in _TOKENS.finditer(latex):
        text = token[0]
        closing = _closing(text, token[1], token[2])
        if text == "%":
            return "% would comment out the rest; write \\%"
        if closing is not None:
            expected.append((text, closing))
        closes = text in {"}", r"\right"} or token[1] == "end"
        if closes and (not expected or expected.pop()[1] != text):
            return f"{text} closes nothing"
    return f"{expected[-1][0]} is never closed" if expected else None


def _closing(text: str, kind: str | None, environment: str | None) -> str | None:
    if kind == "begin":
        return rf"\end{{{environment}}}"
    return {"{": "}", r"\left": r"\right"}.get(text)

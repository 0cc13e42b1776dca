"""Names for the solver's constants: terms that are equal in SymPy have one name."""

from functools import cache
from typing import Any

from sympy import Symbol
from sympy.printing.repr import ReprPrinter

__all__ = ["name_of"]


@cache
def name_of(term: Any) -> str:
    """What stands for a term in the solver.

    >>> x = Symbol("x", nonnegative=True)
    >>> name_of(x) == name_of(Symbol("x", nonnegative=True, real=True)) != name_of(Symbol("x"))
    True
    """
    return str(_Names().doprint(term))


class _Names(ReprPrinter):  # type: ignore[misc]
    """Terms as they are built, but letters with all that is assumed of them.

    SymPy writes the assumptions that a letter was made with, in their order, and equal letters may
    have been made with others, in another order.
    """

    def _print_Symbol(self, expr: Symbol) -> str:  # noqa: N802 - SymPy calls it so
        return _letter_name(expr)


@cache
def _letter_name(letter: Symbol) -> str:
    assumed = letter.assumptions0.items()
    facts = sorted(fact if holds else f"not {fact}" for fact, holds in assumed)
    index = f", {letter.dummy_index}" if letter.is_Dummy else ""
    return f"{type(letter).__name__}({letter.name!r}{index}, {', '.join(facts)})"

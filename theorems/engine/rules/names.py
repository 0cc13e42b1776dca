"""Names for the solver's constants: terms that are equal in SymPy have one name."""

from collections.abc import Iterable
from functools import cache
from typing import Any, TypeVar

from sympy import Dummy, Symbol
from sympy.printing.repr import ReprPrinter

__all__ = ["in_order", "name_of"]


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


T = TypeVar("T")


def in_order(terms: Iterable[T]) -> tuple[T, ...]:
    """Terms in the same order in every process, however they come.

    The number that SymPy gives to a dummy letter depends on how many there were before, so that it
    only tells dummies of one name apart, the earlier one first.
    """
    found = tuple(terms)
    return found if len(found) < 2 else tuple(sorted(found, key=_place))


@cache
def _place(term: Any) -> tuple[str, tuple[int, ...]]:
    dummies = sorted(term.atoms(Dummy), key=lambda one: one.dummy_index)
    plain = term.xreplace({one: Symbol(one.name, **one.assumptions0) for one in dummies})
    return name_of(plain), tuple(one.dummy_index for one in dummies)

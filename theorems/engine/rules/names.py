"""Names for the solver's constants: terms that are equal in SymPy have one name."""

from collections.abc import Iterable
from functools import cache
from typing import Any, TypeVar

import sympy
from sympy import Dummy, Expr, Symbol
from sympy.core.function import Application, AppliedUndef, FunctionClass
from sympy.printing.repr import ReprPrinter

__all__ = ["in_order", "name_of", "with_bound_letters_renamed"]


@cache
def name_of(term: Any) -> str:
    """What stands for a term in the solver.

    >>> x = Symbol("x", nonnegative=True)
    >>> name_of(x) == name_of(Symbol("x", nonnegative=True, real=True)) != name_of(Symbol("x"))
    True
    >>> f, g = sympy.Function("f"), sympy.Function("f", nonnegative=True)
    >>> name_of(f(x)) == name_of(g(x))
    False
    """
    return str(_Names().doprint(term))


class _Names(ReprPrinter):  # type: ignore[misc]
    """Terms as they are built, but letters and functions with all that is assumed of them.

    SymPy writes the assumptions that a letter was made with, in their order, and equal letters may
    have been made with others, in another order.  Of a function it writes the name alone.
    """

    def _print_Symbol(self, expr: Symbol) -> str:  # noqa: N802 - SymPy calls it so
        return _letter_name(expr)

    def _print_FunctionClass(self, expr: FunctionClass) -> str:  # noqa: N802 - as above
        return _function_name(expr)

    def _print_Application(self, expr: Application) -> str:  # noqa: N802 - as above
        return f"{_function_name(expr.func)}({', '.join(map(self._print, expr.args))})"


@cache
def _letter_name(letter: Symbol) -> str:
    assumed = letter.assumptions0.items()
    facts = sorted(fact if holds else f"not {fact}" for fact, holds in assumed)
    index = f", {letter.dummy_index}" if letter.is_Dummy else ""
    return f"{type(letter).__name__}({letter.name!r}{index}, {', '.join(facts)})"


@cache
def _function_name(function: FunctionClass) -> str:
    """The name of a function with what is known of it, or with the place of its definition."""
    if issubclass(function, AppliedUndef):
        known = sorted(f"{fact}: {value}" for fact, value in function._kwargs.items())
        return f"Function({function.__name__!r}, {', '.join(known)})"
    where = str(function.__module__)
    if where.partition(".")[0] == "sympy":
        return str(function.__name__)
    return f"{function.__name__} of {where}"


class _Bound(Dummy):  # type: ignore[misc]
    """A letter that is bound, by its place among those that one term binds and by its height."""


_WIDEST = 1000


def with_bound_letters_renamed(term: Expr) -> Expr:
    """The term with names for its bound letters that depend on where they are bound alone.

    Terms that differ in what their bound letters are called become equal, and no others do: a
    letter is called by how many terms that bind letters there are inside of the one that binds it,
    so that no name is caught by a term within.

    >>> i, j, k = sympy.symbols("i j k")
    >>> f = sympy.Function("f")
    >>> first, second = (sympy.Sum(sympy.Sum(f(i, x), (x, 0, i)), (i, 0, 5)) for x in (j, k))
    >>> other = sympy.Sum(sympy.Sum(f(j, i), (j, 0, i)), (i, 0, 5))
    >>> renamed = [*map(with_bound_letters_renamed, (first, second, other))]
    >>> renamed[0] == renamed[1], renamed[0] == renamed[2]
    (True, False)
    """
    return (
        term.replace(_binds, _renamed, simultaneous=False)
        if any(map(_binds, sympy.preorder_traversal(term)))
        else term
    )


def _binds(term: Any) -> bool:
    return bool(getattr(term, "bound_symbols", ()))


def _renamed(term: Expr) -> Expr:
    """One term that binds letters, when those that are bound inside of it have their names."""
    bound = list(dict.fromkeys(term.bound_symbols))
    inside = (one.dummy_index // _WIDEST for one in term.atoms(_Bound))
    height = 1 + max(inside, default=0)
    if len(bound) >= _WIDEST:
        raise TypeError(f"{len(bound)} letters are bound at once")
    names = {x: _Bound("bound", height * _WIDEST + place) for place, x in enumerate(bound)}
    free = {x: Dummy() for x in term.free_symbols.intersection(bound)}  # in its limits
    shown = {dummy: x for x, dummy in free.items()}
    return term.subs(free).xreplace(names).xreplace(shown)


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

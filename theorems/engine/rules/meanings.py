"""Meanings: what names of a statement stand for, in the terms of its proof.

A meaning defines: it is an equation with the name on its left, or says of a quantity that it is the
largest or the least of something, and nothing else.
"""

from collections.abc import Callable, Iterable

import sympy
from sympy import Eq, Expr, Ge, Le, Symbol
from sympy.core.relational import Relational
from sympy.logic.boolalg import And, Boolean, Implies, Or

from theorems.engine.rules.leaves import named
from theorems.engine.rules.ranges import Over
from theorems.engine.rules.theorem import Theorem


def meaning(
    what: str,
    statement: Boolean,
    *,
    over: Over,
    under: Iterable[Boolean] = (),
    about: Iterable[Symbol] = (),
) -> Theorem:
    """What letters of a statement stand for, in the terms of its proof: an equation.

    Equations may stand together and under conditions, and properties such as independence beside
    them. It is ``about`` letters of a claim, for which no other value may be put in.
    Raises TypeError for an inequality: see ``largest``, ``least`` and ``bridge``.

    >>> x, y = sympy.symbols("x y", real=True)
    >>> meaning("what y stands for", Eq(y, x**2), over={x: sympy.Reals, y: sympy.Reals}).statement
    Eq(y, x**2)
    >>> meaning("what y stands for", y < x**2, over={x: sympy.Reals, y: sympy.Reals})
    Traceback (most recent call last):
      ...
    TypeError: a meaning must be an equation, got y < x**2
    """
    _check_equations(statement)
    return named("meaning", what, statement, over, under, "", about)


def _check_equations(statement: Boolean, where: frozenset[Symbol] = frozenset()) -> None:
    """Equations, together, one of them or under conditions, and properties such as independence.

    A letter that stands alone on the left is explained by other letters, also under conditions.
    """
    if isinstance(statement, And | Or):
        for one in statement.args:
            _check_equations(one, where)
    elif isinstance(statement, Implies):
        _check_equations(statement.args[1], where | statement.args[0].free_symbols)
    elif not (isinstance(statement, Eq) or getattr(statement, "is_opaque", False)):
        if statement not in (sympy.true, sympy.false):
            raise TypeError(f"a meaning must be an equation, got {statement}")
    elif isinstance(statement.args[0], sympy.Max | sympy.Min | sympy.Piecewise | sympy.sign):
        raise TypeError(f"a meaning must say what a name stands for, got {statement}")
    elif isinstance(statement, Eq):
        _check_explained(statement.lhs, statement.rhs, where)


def _check_explained(left: Expr, right: Expr, where: frozenset[Symbol]) -> None:
    """Check that what stands on the left has a name that the right side does not explain it by.

    A power may be its base: that is how an indicator is told.
    """
    names, known = left.free_symbols, right.free_symbols
    indicator = left.is_Pow and left.exp.is_Integer and left.base == right
    circular = names <= known and _is_formula(left) and not indicator
    if left in where or circular:
        said = sympy.Eq(left, right, evaluate=False)
        raise TypeError(f"a letter must be explained by other letters, got {said}")


def _is_formula(expression: Expr) -> bool:
    """Whether there are only letters and elementary functions, and nothing else with a name."""
    plain = Symbol | sympy.Number | sympy.NumberSymbol | sympy.Add | sympy.Mul | sympy.Pow
    nodes = sympy.preorder_traversal(expression)
    return all(isinstance(one, plain) or _is_elementary(one) for one in nodes)


def _is_elementary(node: sympy.Basic) -> bool:
    return str(type(node).__module__).startswith("sympy.functions.elementary.")


def largest(
    what: str,
    statement: Boolean,
    *,
    over: Over,
    under: Iterable[Boolean] = (),
    about: Iterable[Symbol] = (),
) -> Theorem:
    """Values of which a quantity is the largest, or the supremum, are at most that quantity.

    The statement is value <= quantity, or several such; quantity >= value says the same. Raises
    TypeError for another one: a quantity is a letter, a function's value or the size of a number.
    It is ``about`` letters of a claim, as a meaning is.

    >>> x, top = sympy.symbols("x top", real=True)
    >>> over = {x: sympy.Interval(0, 1), top: sympy.Reals}
    >>> largest("the largest square", x**2 <= top, over=over).statement
    x**2 <= top
    """
    return _extreme(what, statement, over, under, about, lambda relation: relation.gts)


def least(
    what: str,
    statement: Boolean,
    *,
    over: Over,
    under: Iterable[Boolean] = (),
    about: Iterable[Symbol] = (),
) -> Theorem:
    """Values of which a quantity is the least, or the infimum, are at least that quantity.

    Raises TypeError as ``largest`` does.
    """
    return _extreme(what, statement, over, under, about, lambda relation: relation.lts)


def _extreme(
    what: str,
    statement: Boolean,
    over: Over,
    under: Iterable[Boolean],
    about: Iterable[Symbol],
    quantity_of: Callable[[Relational], Expr],
) -> Theorem:
    """A meaning about the letters of the extremes; what they are extremes of may vary."""
    extremes = _extremes(statement, quantity_of)
    letters = set().union(*(one.free_symbols for one in extremes))
    return named("meaning", what, statement, over, under, "", letters & set(about), extremes)


def _extremes(statement: Boolean, quantity_of: Callable[[Relational], Expr]) -> frozenset[Expr]:
    """The extremes with which values are compared."""
    found = set()
    for one in statement.args if isinstance(statement, And) else [statement]:
        quantity = quantity_of(one) if isinstance(one, Le | Ge) else None
        if not isinstance(quantity, Symbol | sympy.Function | sympy.Abs):
            raise TypeError(f"values must be compared with their extreme, got {one}")
        found.add(quantity)
    return frozenset(found)

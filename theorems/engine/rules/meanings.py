"""Meanings: what names of a statement stand for, in the terms of its proof.

A meaning defines: it is an equation with the name on its left, or says of a quantity that it is the
largest or the least of something, and nothing else.
"""

from collections.abc import Iterable

from sympy import Add, Eq, Expr, Ge, Le, Set, Symbol
from sympy.core.function import AppliedUndef
from sympy.logic.boolalg import And, Boolean, BooleanAtom, Implies, Or

from theorems.engine.rules.definitions import Fit, believed, beyond, definitions, is_quantity, misfit
from theorems.engine.rules.leaves import named
from theorems.engine.rules.ranges import Over, checked
from theorems.engine.rules.theorem import Theorem
from theorems.engine.rules.vocabulary import Vector, derivative, inner


def meaning(
    what: str,
    statement: Boolean,
    *,
    over: Over,
    under: Iterable[Boolean] = (),
    about: Iterable[Symbol] = (),
    known: Iterable[Boolean] = (),
) -> Theorem:
    """What letters of a statement stand for, in the terms of its proof: an equation.

    Equations may stand together and under conditions, and properties such as independence beside
    them. It is ``about`` letters of a claim, for which no other value may be put in, and of which
    it is ``known`` what the claim assumes.
    Raises TypeError for an inequality: see ``largest``, ``least`` and ``bridge``; and ValueError
    where a name would stand for something outside of its range.

    >>> from sympy import Interval, Reals, oo, symbols
    >>> x, y = symbols("x y", real=True)
    >>> meaning("what y stands for", Eq(y, x**2), over={x: Reals, y: Interval(0, oo)}).statement
    Eq(y, x**2)
    >>> meaning("what y stands for", Eq(y, x), over={x: Reals, y: Interval(0, oo)})
    Traceback (most recent call last):
      ...
    ValueError: y stands for x, which may lie outside of its range: ... fails at x = -1, y = 0
    >>> meaning("what y stands for", y < x**2, over={x: Reals, y: Reals})
    Traceback (most recent call last):
      ...
    TypeError: a meaning must be an equation, got y < x**2
    """
    _check_equations(statement)
    conditions = [*under]
    names, fits = _names(statement, over, [*conditions, *known])
    shown, beside = _ranges_of(names, over), believed(*fits)
    return named("meaning", what, statement, over, conditions, "", about, beside=beside, shown=shown)


def _check_equations(statement: Boolean) -> None:
    """Equations, together, one of them or under conditions, and properties such as independence."""
    if isinstance(statement, And | Or):
        for one in statement.args:
            _check_equations(one)
    elif isinstance(statement, Implies):
        _check_equations(statement.args[1])
    elif isinstance(statement, derivative):
        _check_names(statement)
    elif not (isinstance(statement, Eq | BooleanAtom) or getattr(statement, "is_opaque", False)):
        raise TypeError(f"a meaning must be an equation, got {statement}")


def _check_names(statement: derivative) -> None:
    """A derivative is a name as well as what it is one of, or both are linear forms in a name."""
    rate, value, running, _ = statement.args
    if not all(_is_linear_in_a_name(side, running) for side in (rate, value)):
        raise TypeError(f"a meaning must name the derivative of a function, got {statement}")


def _is_linear_in_a_name(side: Expr, running: Symbol) -> bool:
    """Whether a side is the value of a function at the letter, or a sum of products with it."""
    names = {one for one in side.atoms(AppliedUndef) if running in one.free_symbols}
    if len(names) != 1 or names == {side}:
        return names == {side}
    forms = [part.as_independent(inner)[1] for part in Add.make_args(side)]
    (name,) = names
    moving = [[one for one in form.args if one.has(name)] for form in forms]
    linear = all(
        isinstance(form, inner) and len(found) == 1 for form, found in zip(forms, moving, strict=True)
    )
    alone = side.xreplace({name: Vector("a vector")})
    return linear and running not in alone.free_symbols


def _names(statement: Boolean, over: Over, known: Iterable[Boolean]) -> tuple[set[Expr], list[Fit]]:
    """The names that equations define, and how they fit.

    Raises ValueError if a value does not lie where its name may be.
    """
    letters, given, names, fits = checked(over), [*known], set[Expr](), list[Fit]()
    for readings in definitions(statement):
        found = {one.name: misfit(one, letters, given) for one in readings}
        good = {name: fit for name, fit in found.items() if not fit.fails}
        if found and not good:
            raise ValueError(next(iter(found.values())).fails)
        names |= set(good)
        # That it defines one of several names is enough.
        fits += [] if any(not fit.believed for fit in good.values()) else [*good.values()][:1]
    return names, fits


def _ranges_of(names: Iterable[Expr], over: Over) -> frozenset[tuple[Expr, Set]]:
    """The names that are letters, each with its range."""
    return frozenset((x, over[x]) for x in names if isinstance(x, Symbol) and x in over)


def largest(
    what: str, statement: Boolean, *, over: Over, under: Iterable[Boolean] = (), about: Iterable[Symbol] = ()
) -> Theorem:
    """Values of which a quantity is the largest, or the supremum, are at most that quantity.

    The statement is value <= quantity, or several such; quantity >= value says the same. Raises
    TypeError for another one: a quantity is a letter, a function's value or the size of a number;
    and ValueError where values lie beyond the range of the quantity. It is ``about`` letters of a
    claim, as a meaning is.

    >>> from sympy import Interval, Reals, symbols
    >>> x, top = symbols("x top", real=True)
    >>> over = {x: Interval(0, 1), top: Reals}
    >>> largest("the largest square", x**2 <= top, over=over).statement
    x**2 <= top
    """
    return _extreme(what, statement, over, under, about, "gts")


def least(
    what: str, statement: Boolean, *, over: Over, under: Iterable[Boolean] = (), about: Iterable[Symbol] = ()
) -> Theorem:
    """Values of which a quantity is the least, or the infimum, are at least that quantity.

    Raises TypeError as ``largest`` does.
    """
    return _extreme(what, statement, over, under, about, "lts")


def _extreme(
    what: str, statement: Boolean, over: Over, under: Iterable[Boolean], about: Iterable[Symbol], side: str
) -> Theorem:
    """A meaning about the letters of the extremes; what they are extremes of may vary."""
    extremes, fits, conditions, ranges = set[Expr](), list[Fit](), [*under], checked(over)
    for one in And.make_args(statement):
        quantity = getattr(one, side) if isinstance(one, Le | Ge) else None
        if quantity is None or not is_quantity(quantity):
            raise TypeError(f"values must be compared with their extreme, got {one}")
        fit = beyond(one, quantity, ranges, conditions)
        if fit.fails:
            raise ValueError(fit.fails)
        extremes.add(quantity)
        fits.append(fit)
    letters = set().union(*(one.free_symbols for one in extremes)) & set(about)
    top = frozenset(extremes)
    return named(
        "meaning",
        what,
        statement,
        over,
        conditions,
        "",
        letters,
        top,
        beside=believed(*fits),
        shown=_ranges_of(top, ranges),
    )

"""The sets that letters range over, and whether a letter's assumptions are among its set's.

SymPy simplifies by a symbol's assumptions without saying so (the root of x**2 is x if x is
positive), so a letter must not range beyond them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, TypeAlias, cast

import sympy
from sympy import Expr, Interval, Range, S, Set, Symbol
from sympy.core.symbol import Str
from sympy.logic.boolalg import Boolean

Over: TypeAlias = Mapping[Symbol, Set]

#: What real numbers are; SymPy deduces these from any of the assumptions below.
_PLAIN = {"real", "extended_real", "complex", "commutative", "hermitian", "finite"}
_BOUNDS = {
    "positive": Interval.open(0, sympy.oo),
    "nonnegative": Interval(0, sympy.oo),
    "negative": Interval.open(-sympy.oo, 0),
    "nonpositive": Interval(-sympy.oo, 0),
}
_INTEGERS = {
    "positive": Range(1, sympy.oo),
    "nonnegative": Range(0, sympy.oo),
    "negative": Range(-sympy.oo, 0),
    "nonpositive": Range(-sympy.oo, 1),
}
_INTEGER = {"integer", "rational", "algebraic"}
_DENIED = {"infinite", "imaginary", "irrational", "transcendental", "noninteger", "antihermitian"}


class Objects(Set):  # type: ignore[misc]
    """Letters that are no numbers: vectors, operators, random variables, events.

    >>> Objects("vectors").has_numbers, Objects("vectors") == Objects("events")
    (False, False)
    """

    has_numbers = False

    def __new__(cls, name: Any) -> Objects:
        """The objects of this name."""
        return cast(Objects, sympy.Basic.__new__(cls, Str(str(name))))

    def __str__(self) -> str:
        return str(self.args[0].name)

    def _latex(self, _: Any) -> str:
        return rf"\text{{{self}}}"


def checked(over: Over) -> dict[Symbol, Set]:
    """The letters with their sets, sorted by name.

    Raises TypeError for what is no set of real numbers or of objects, ValueError for an empty one
    and for a set that goes beyond the letter's assumptions.

    >>> checked({Symbol("x", nonnegative=True): Interval(-1, 1)})
    Traceback (most recent call last):
      ...
    ValueError: x is assumed to be ..., but ranges over Interval(-1, 1)
    """
    for letter, range_ in over.items():
        if not isinstance(letter, Symbol) or not letter.is_commutative:
            raise TypeError(f"a letter must be a commutative symbol, got {letter!r}")
        _check_letter(letter, range_)
    return dict(sorted(over.items(), key=lambda item: _alphabetical(item[0])))


@cache
def _alphabetical(letter: Symbol) -> tuple[str, str]:
    return str(letter), sympy.srepr(letter)


def joined(*known: Over, over: Over | None = None) -> dict[Symbol, Set]:
    """The ranges in which several theorems hold, each the smallest of its letter, and new letters.

    ``over`` may make a range smaller.  Raises ValueError where neither of two ranges contains the
    other, and where a letter would range beyond what a theorem says.

    >>> x = Symbol("x", real=True)
    >>> joined({x: S.Reals}, {x: Interval(0, 1)})
    {x: Interval(0, 1)}
    """
    letters: dict[Symbol, Set] = {}
    for ranges in known:
        for letter, range_ in ranges.items():
            other = letters.get(letter, range_)
            if not (_inside(range_, other) or _inside(other, range_)):
                raise ValueError(f"{letter} ranges over {other} and over {range_}")
            letters[letter] = range_ if _inside(range_, other) else other
    return keeping(letters, {**letters, **(over or {})})


def ranging(*said: Any, known: Iterable[Over] = (), over: Over | None = None) -> dict[Symbol, Set]:
    """The letters of statements with their sets: as ``over`` says, which may have other letters.

    A letter that it does not name has the smallest of the sets that are ``known``, or ranges as far
    as its assumptions go. Raises ValueError where neither of two known sets contains the other.

    >>> x, y = Symbol("x", real=True), Symbol("y", positive=True)
    >>> ranging(x + y, known=[{x: S.Reals}, {x: Interval(0, 1)}])
    {x: Interval(0, 1), y: Interval.open(0, oo)}
    """
    letters, sets = dict(over or {}), list(known)
    missing = set[Symbol]().union(*(one.free_symbols for one in said)) - letters.keys()
    for x in sorted(missing, key=str):
        found = joined(*({x: one[x]} for one in sets if x in one))
        letters[x] = found[x] if found else getattr(x, "belongs_to", None) or assumed(x)
    return letters


def keeping(kept: Over, letters: Over) -> dict[Symbol, Set]:
    """The letters, of which those that are ``kept`` may have smaller ranges, but no larger ones."""
    for letter, range_ in kept.items():
        if not _inside(letters[letter], range_):
            raise ValueError(f"{letter} keeps its set {range_}, or gets a smaller one")
    return checked(letters)


def _inside(range_: Set, other: Set) -> bool:
    return range_ == other or range_.is_subset(other) is True


def is_integral(range_: Set) -> bool:
    """Whether the set consists of integers.

    >>> is_integral(Range(3)), is_integral(Interval(0, 1))
    (True, False)
    """
    return isinstance(range_, Range) or range_ in (S.Integers, S.Naturals, S.Naturals0)


def is_whole(value: Any, letters: Over) -> bool:
    """Whether a value is an integer as its letters are: sums and products of integers are.

    Z3 is asked for bounds alone then, as it does not see this of real numbers.

    >>> x, k = Symbol("x"), Symbol("k")
    >>> is_whole(2 * k + 1, {k: S.Naturals}), is_whole(x * k, {k: S.Naturals, x: S.Reals})
    (True, False)
    """
    integers = {x: sympy.Dummy(integer=True) for x, set_ in letters.items() if is_integral(set_)}
    return sympy.sympify(value).xreplace(integers).is_integer is True


@cache
def ends_of(range_: Set) -> tuple[tuple[Expr, bool, bool], ...]:
    """The finite ends of a set, each with whether it is the lower one and belongs to the set.

    >>> ends_of(Interval.Ropen(0, 1))
    ((0, True, True), (1, False, False))
    """
    ends = ((range_.inf, True), (range_.sup, False))
    return tuple((end, least, end in range_) for end, least in ends if end.is_finite)


def hull(range_: Set) -> Interval:
    """The smallest interval around a set of real numbers.

    >>> hull(Range(2, sympy.oo))
    Interval(2, oo)
    """
    if isinstance(range_, Interval):
        return range_
    return Interval(range_.inf, range_.sup)


def within(value: Expr, interval: Set) -> Boolean:
    """The condition that a value lies in an interval; true for the reals.

    >>> within(Symbol("x", real=True), Interval.open(0, sympy.oo))
    x > 0
    """
    ends = [(interval.inf, value > interval.inf, value >= interval.inf)]
    ends += [(interval.sup, value < interval.sup, value <= interval.sup)]
    return sympy.And(*(
        closed if interval.contains(end) == sympy.true else strict
        for end, strict, closed in ends if end.is_finite
    ))  # fmt: skip


def assumed(letter: Symbol) -> Set:
    """The largest set that a letter's assumptions allow.

    >>> assumed(Symbol("k", integer=True, positive=True)), assumed(Symbol("x", real=True))
    (Range(1, oo, 1), Reals)
    """
    bounds = _INTEGERS if letter.is_integer else _BOUNDS
    for fact, bound in bounds.items():
        if getattr(letter, f"is_{fact}"):
            return bound
    return S.Integers if letter.is_integer else S.Reals


@cache
def _check_letter(letter: Symbol, range_: Set) -> None:
    home = getattr(letter, "belongs_to", None)
    if home is not None or isinstance(range_, Objects):
        if home != range_:
            raise ValueError(f"{letter} belongs to {home or 'the numbers'}, not to {range_}")
        return
    _check_set(letter, range_)
    for fact, value in letter.assumptions0.items():
        if not _implied(fact, bool(value), range_):
            said = f"{letter} is assumed to be {'' if value else 'not '}{fact}"
            raise ValueError(f"{said}, but ranges over {range_}")


def _check_set(letter: Symbol, range_: Set) -> None:
    known = isinstance(range_, Interval | Range | sympy.FiniteSet) or is_integral(range_)
    if not known and range_ != S.Reals:
        raise TypeError(f"{letter} must range over an interval or integers, got {range_}")
    if range_.is_empty or range_.free_symbols or not range_.is_subset(S.Reals):
        raise ValueError(f"{letter} must range over a set of real numbers, got {range_}")
    if isinstance(range_, Range) and range_.step != 1:
        raise ValueError(f"{letter} must range over consecutive integers, got {range_}")


def _implied(fact: str, value: bool, range_: Set) -> bool:
    """Whether every member of the set has the property, or every one lacks it."""
    fact = fact.removeprefix("extended_")
    if fact in _PLAIN | {"real"}:
        return value
    if fact in _DENIED:
        return not value
    if fact in _INTEGER:
        return value and is_integral(range_)
    if fact in _BOUNDS:
        inside = _BOUNDS[fact] if value else _BOUNDS[fact].complement(S.Reals)
        return bool(range_.is_subset(inside))
    if fact in {"prime", "composite"}:
        return not value and bool(range_.sup <= 1)
    return fact in {"zero", "nonzero"} and value == (fact == "nonzero") and 0 not in range_

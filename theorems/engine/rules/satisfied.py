"""A point at which everything assumed is true, found by arithmetic alone.

What holds somewhere does not contradict itself, so that no solver need be asked.  Letters and
values of unknown functions begin at 1, then at 0; as long as an assumption fails, one of them gets
the value that makes it true, for a number of times.  A point that is found is one in exact
arithmetic; where none is found nothing is known.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from fractions import Fraction
from math import isqrt
from typing import TypeAlias

from theorems.engine.rules.terms import Term, inside, value_of

__all__ = ["holds_somewhere"]

Value: TypeAlias = Fraction | bool

_STARTS, _REPAIRS = (1, 0), 16
#: Larger numbers than these are no simple point, and dear.
_LARGE = 10**6


def holds_somewhere(assumed: Iterable[Term]) -> bool:
    """Whether a point is found at which all of these are true."""
    parts = list(assumed)
    return any(_Point(parts, Fraction(start)).is_found() for start in _STARTS)


class _Point:
    """Values of letters, and of functions at the values of their arguments."""

    def __init__(self, assumed: list[Term], start: Fraction) -> None:
        self._start = start
        self._parts = [part for one in assumed for part in _conjuncts(one)]
        self._order = list(inside(*self._parts))
        self._chosen: dict[object, Value] = {}
        self._often: Counter[object] = Counter()
        self._values: dict[Term, Value | None] = {}

    def is_found(self) -> bool:
        """Whether some repairs make all parts true."""
        for _ in range(_REPAIRS):
            self._evaluate()
            wrong = next((one for one in self._parts if self._values[one] is not True), None)
            if wrong is None:
                return True
            if not self._repaired(wrong, True):
                return False
        return False

    def _evaluate(self) -> None:
        values = self._values = {}
        for term in self._order:
            args = [values[one] for one in term.args]
            if term.kind in {"letter", "call"}:
                start: Value = term.sort == "Bool" or self._start
                values[term] = None if None in args else self._chosen.get(_atom(term, args), start)
            else:
                values[term] = value_of(term, args)

    def _repaired(self, part: Term, wanted: bool) -> bool:
        """Whether one value could be changed so that a part becomes true, or false, by itself."""
        head, args = str(part.head), part.args
        if part.kind == "letter":
            return self._set(part, wanted)
        if head == "not":
            return self._repaired(args[0], not wanted)
        if head == "=>":
            return wanted and (self._repaired(args[1], True) or self._repaired(args[0], False))
        if head in {"and", "or"}:
            wrong = [one for one in args if self._values[one] is not wanted]
            return any(self._repaired(one, wanted) for one in wrong)
        if head == "is_int":
            found = self._values[args[0]]
            return wanted and found is not None and self._solved(args[0], Fraction(int(found)))
        return head in _OTHER and self._compared(head if wanted else _OTHER[head], *args)

    def _compared(self, head: str, left: Term, right: Term) -> bool:
        """Whether one side could get a value beside that of the other one."""
        a, b = self._values[left], self._values[right]
        away = _AWAY[head] * Fraction(1, 1 + sum(self._often.values()) % 2)  # whole steps, and halves
        found = b is not None and self._solved(left, b + away)
        return found or (a is not None and self._solved(right, a - away))

    def _solved(self, term: Term, wanted: Fraction) -> bool:
        """Whether a letter or a function's value in a term can be such that the term is as wanted."""
        if abs(wanted.numerator) > _LARGE or wanted.denominator > _LARGE:
            return False
        if term.kind in {"letter", "call"}:
            return self._set(term, wanted)
        if term.head not in {"+", "*", "/"}:
            return False
        if term.head == "*" and len(term.args) == 2 and term.args[0] is term.args[1]:
            root = _root(wanted)
            return root is not None and self._solved(term.args[0], root)
        for place, one in sorted(enumerate(term.args), key=lambda pair: self._cost(pair[1])):
            rest = [self._values[other] for k, other in enumerate(term.args) if k != place]
            if one in term.args[:place] + term.args[place + 1 :] or None in rest:
                continue
            needed = _needed(str(term.head), place, [Fraction(x) for x in rest if x is not None], wanted)
            if needed is not None and self._solved(one, needed):
                return True
        return False

    def _cost(self, term: Term) -> int:
        """How often a term was changed; what is no letter comes later."""
        return self._often[term] + (0 if term.kind == "letter" else 1)

    def _set(self, term: Term, wanted: Value) -> bool:
        args = [self._values[one] for one in term.args]
        if None in args or self._often[term] > 3 or self._values[term] == wanted:
            return False
        self._often[term] += 1
        self._chosen[_atom(term, args)] = wanted
        return True


def _root(wanted: Fraction) -> Fraction | None:
    """The square root if it is rational."""
    if wanted < 0:
        return None
    root = Fraction(isqrt(wanted.numerator), isqrt(wanted.denominator))
    return root if root**2 == wanted else None


def _atom(term: Term, args: list[Value | None]) -> object:
    return (term.head, *args) if args else term


def _conjuncts(term: Term) -> Iterator[Term]:
    if term.head == "and":
        for one in term.args:
            yield from _conjuncts(one)
    else:
        yield term


def _needed(head: str, place: int, rest: list[Fraction], wanted: Fraction) -> Fraction | None:
    """The value at a place of an operation with which it is as wanted, the other values given."""
    if head == "+":
        return wanted - sum(rest)
    if head == "*":
        product = Fraction(1)
        for one in rest:
            product *= one
        return wanted / product if product else None
    if place == 0:
        return wanted * rest[0]
    return rest[0] / wanted if wanted and rest[0] else None


#: What says the opposite, and how far beside the right side the left one is taken.
_OTHER = {"<=": ">", "<": ">=", ">=": "<", ">": "<=", "=": "distinct", "distinct": "="}
_AWAY = {"<=": 0, "<": -1, ">=": 0, ">": 1, "=": 0, "distinct": 1}

"""Terms of real arithmetic as values of our own, which a question to a solver is written from.

A term is a number, a letter (real, or true or false), the value of a function of which a solver
knows nothing, or an operation with a name of SMT-LIB. Equal terms are one object.

>>> x = letter("x")
>>> at_most(square := power(x, 2), add(x, number(1))), square is power(x, 2)
((<= (* x x) (+ x 1)), True)
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from typing import Literal, TypeAlias
from weakref import WeakValueDictionary

Kind: TypeAlias = Literal["number", "letter", "call", "operation"]
Sort: TypeAlias = Literal["Real", "Bool"]

_RELATIONS = frozenset({"<=", "<", ">=", ">", "=", "distinct", "is_int"})
_CONNECTIVES = frozenset({"and", "or", "not", "=>", "true", "false"})


class Term:
    """A node: its kind, what stands at its head, its arguments, and the sort of its value."""

    __slots__ = ("__weakref__", "args", "head", "kind", "sort")

    def __init__(self, kind: Kind, head: str | Fraction, args: tuple[Term, ...], sort: Sort) -> None:
        self.kind, self.head, self.args, self.sort = kind, head, args, sort

    def __repr__(self) -> str:
        inside = " ".join([str(self.head), *map(repr, self.args)])
        return f"({inside})" if self.args else inside


_KNOWN: WeakValueDictionary[object, Term] = WeakValueDictionary()


def _term(kind: Kind, head: str | Fraction, args: tuple[Term, ...], sort: Sort) -> Term:
    key = (kind, head, args, sort)
    found = _KNOWN.get(key)
    if found is None:
        found = _KNOWN[key] = Term(kind, head, args, sort)
    return found


def _operation(head: str, *args: Term) -> Term:
    if head == "ite":
        return _term("operation", head, args, args[1].sort)
    truth = head in _RELATIONS or head in _CONNECTIVES
    return _term("operation", head, args, "Bool" if truth else "Real")


def number(value: int | Fraction) -> Term:
    """A rational number."""
    return _term("number", Fraction(value), (), "Real")


def letter(name: str, sort: Sort = "Real") -> Term:
    """A real number, or a truth value, that is not known."""
    return _term("letter", name, (), sort)


def call(name: str, *args: Term) -> Term:
    """The real value of a function of real numbers that is not known."""
    return _term("call", name, args, "Real")


def truth(value: bool) -> Term:
    """True or false."""
    return _operation("true" if value else "false")


TRUE, FALSE = truth(True), truth(False)


def both(parts: Iterable[Term]) -> Term:
    """The conjunction; true if there are no parts."""
    return _joined("and", list(parts), TRUE)


def either(parts: Iterable[Term]) -> Term:
    """The disjunction; false if there are no parts."""
    return _joined("or", list(parts), FALSE)


def _joined(head: str, parts: list[Term], empty: Term) -> Term:
    if len(parts) < 2:
        return parts[0] if parts else empty
    return _operation(head, *parts)


def no(part: Term) -> Term:
    """The negation."""
    return _operation("not", part)


def implies(before: Term, after: Term) -> Term:
    """The implication."""
    return _operation("=>", before, after)


def equal(a: Term, b: Term) -> Term:
    """That two numbers, or two truth values, are equal."""
    return _operation("=", a, b)


def different(a: Term, b: Term) -> Term:
    """That two numbers are not equal."""
    return _operation("distinct", a, b)


def at_most(a: Term, b: Term) -> Term:
    """The relation a <= b."""
    return _operation("<=", a, b)


def below(a: Term, b: Term) -> Term:
    """The relation a < b."""
    return _operation("<", a, b)


def at_least(a: Term, b: Term) -> Term:
    """The relation a >= b."""
    return _operation(">=", a, b)


def above(a: Term, b: Term) -> Term:
    """The relation a > b."""
    return _operation(">", a, b)


def whole(x: Term) -> Term:
    """That a number is an integer."""
    return _operation("is_int", x)


def choice(condition: Term, a: Term, b: Term) -> Term:
    """Where the condition holds the first, else the second."""
    return _operation("ite", condition, a, b)


def add(*parts: Term) -> Term:
    """The sum of one number or more."""
    return parts[0] if len(parts) == 1 else _operation("+", *parts)


def multiply(*parts: Term) -> Term:
    """The product of one number or more."""
    return parts[0] if len(parts) == 1 else _operation("*", *parts)


def divide(a: Term, b: Term) -> Term:
    """The quotient, of which nothing is known where the second is 0."""
    return _operation("/", a, b)


#: Powers up to this one are written as one product, higher ones as products of lower ones.
_FLAT = 8


def power(base: Term, exponent: int) -> Term:
    """A power by an integer that is at least 0, multiplied out.

    Solvers differ in what they make of a sign for powers, and not in what a product is.
    """
    if exponent == 0:
        return number(1)
    if exponent <= _FLAT:
        return multiply(*[base] * exponent)
    half = power(base, exponent // 2)
    return multiply(half, half, *[base] * (exponent % 2))


def inside(*terms: Term) -> Iterator[Term]:
    """All terms within these, each once, arguments first."""
    seen: set[Term] = set()
    stack: list[tuple[Term, bool]] = [(one, False) for one in reversed(terms)]
    while stack:
        term, ready = stack.pop()
        if ready:
            yield term
        elif term not in seen:
            seen.add(term)
            stack.append((term, True))
            stack += [(one, False) for one in reversed(term.args)]


def plainly_true(condition: Term) -> bool:
    """Whether a condition is true by arithmetic with the numbers that are written in it.

    >>> x = letter("x")
    >>> known = implies(above(x, number(0)), different(number(2), number(0)))
    >>> plainly_true(known), plainly_true(at_least(x, x))
    (True, False)
    """
    values: dict[Term, Fraction | bool | None] = {}
    for term in inside(condition):
        values[term] = value_of(term, [values[one] for one in term.args])
    return values[condition] is True


def value_of(term: Term, args: list[Fraction | bool | None]) -> Fraction | bool | None:
    """What is known of a term from what is known of its arguments; None if nothing is."""
    head = term.head
    if isinstance(head, Fraction):
        return head
    if term.kind != "operation":
        return None
    if head in _CONNECTIVES:
        return _connected(head, args)
    if head == "ite":
        return None if args[0] is None else args[1 if args[0] else 2]
    numbers = [Fraction(one) for one in args if one is not None]
    return _computed(head, numbers) if len(numbers) == len(args) else None


def _connected(head: str, args: list[Fraction | bool | None]) -> bool | None:
    if head in {"true", "false"}:
        return head == "true"
    if head == "not":
        return None if args[0] is None else not args[0]
    if head == "=>":
        args = [None if args[0] is None else not args[0], args[1]]
    deciding = head != "and"
    if any(one is deciding for one in args):
        return deciding
    return None if None in args else not deciding


def _computed(head: str, numbers: list[Fraction]) -> Fraction | bool | None:
    if head == "is_int":
        return numbers[0].denominator == 1
    first, *rest = numbers
    if head in _COMPARED:
        return _COMPARED[head](first, rest[0])
    for one in rest:
        if head == "/" and one == 0:
            return None
        first = first + one if head == "+" else first * one if head == "*" else first / one
    return first


_COMPARED: dict[str, Callable[[Fraction, Fraction], bool]] = {
    "<=": operator.le,
    "<": operator.lt,
    ">=": operator.ge,
    ">": operator.gt,
    "=": operator.eq,
    "distinct": operator.ne,
}

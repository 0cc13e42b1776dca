"""A question to a solver is a text: one canonical script in SMT-LIB, whatever process wrote it.

Letters are called x0, x1, ... in the order in which they occur, functions f0, f1, ..., truth values
b0, b1, ..., and what occurs more than once is given a name, t0, t1, .... No name of ours is one
that a solver knows, as it would take it for its own function. Nothing depends on where terms lie in
memory, on the order of sets, or on what was asked before.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from types import MappingProxyType

from theorems.engine.rules.terms import Term, inside

__all__ = ["Question", "asked"]

_HEAD = "(set-logic ALL)"
_NAMES = {("letter", "Real"): "x", ("letter", "Bool"): "b", ("call", "Real"): "f"}


@dataclass(frozen=True)
class Question:
    """Whether anything satisfies all the assertions of a text.

    ``names`` says what the letters and functions of the text stand for, and is no part of it.
    """

    text: str
    names: Mapping[str, str] = field(default_factory=dict, compare=False, repr=False)

    @cached_property
    def key(self) -> str:
        """A digest of the text."""
        return hashlib.sha256(self.text.encode()).hexdigest()[:32]

    @property
    def explained(self) -> str:
        """The text, and below it, as comments, what its letters stood for where it was asked."""
        said = (f"; {short} is {_plain(name)}" for short, name in self.names.items())
        return "\n".join([self.text, *said])


def _plain(name: str) -> str:
    """A name without what is assumed of the letters in it, on one line.

    >>> _plain("E(Random('X', real))")
    'E(X)'
    """
    return " ".join(re.sub(r"\w+\((['\"])(.*?)\1[^()]*\)", r"\2", name).split())


def asked(assertions: Iterable[Term]) -> Question:
    """The question whether anything satisfies these assertions.

    >>> from theorems.engine.rules.terms import above, call, letter, multiply, number
    >>> height = call("sin", letter("the angle"))
    >>> question = asked([above(height, number(0)), above(number(-1), multiply(height, height))])
    >>> print(question.text)
    (set-logic ALL)
    (declare-const x0 Real)
    (declare-fun f0 (Real) Real)
    (define-fun t0 () Real (f0 x0))
    (assert (> t0 0.0))
    (assert (> (- 1.0) (* t0 t0)))
    >>> print(question.explained.removeprefix(question.text))
    <BLANKLINE>
    ; x0 is the angle
    ; f0 is sin
    """
    writer = _Writer(list(assertions))
    return Question("\n".join(writer.lines), MappingProxyType(writer.names))


class _Writer:
    """Writes assertions, one after the other, and before each what it needs."""

    def __init__(self, assertions: list[Term]) -> None:
        self.lines, self.names = [_HEAD], dict[str, str]()
        self._counts: Counter[str] = Counter()
        self._known: dict[object, str] = {}  # names of letters, functions and repeated terms
        uses = Counter(one for term in inside(*assertions) for one in term.args)
        self._repeated = {term for term, count in uses.items() if count > 1 and term.args}
        for one in assertions:
            written = self._written(one)
            self.lines.append(f"(assert {written})")

    def _written(self, assertion: Term) -> str:
        texts: dict[Term, str] = {}
        for term in inside(assertion):
            if term in self._known:
                texts[term] = self._known[term]
                continue
            texts[term] = self._text(term, [texts[one] for one in term.args])
            if term in self._repeated:
                name = self._new("t")
                self.lines.append(f"(define-fun {name} () {term.sort} {texts[term]})")
                texts[term] = self._known[term] = name
        return texts[assertion]

    def _text(self, term: Term, args: list[str]) -> str:
        if isinstance(term.head, Fraction):
            return _number(term.head)
        head = term.head if term.kind == "operation" else self._name(term)
        return f"({' '.join([head, *args])})" if args else head

    def _name(self, term: Term) -> str:
        """The name of a letter or a function, which is declared where it first occurs."""
        key = (term.kind, term.sort, term.head, len(term.args))
        if key not in self._known:
            name = self._known[key] = self._new(_NAMES[term.kind, term.sort])
            self.names[name] = str(term.head)
            places = " ".join(["Real"] * len(term.args))
            how = "const" if term.kind == "letter" else "fun"
            self.lines.append(f"(declare-{how} {name} {f'({places}) ' if how == 'fun' else ''}{term.sort})")
        return self._known[key]

    def _new(self, kind: str) -> str:
        self._counts[kind] += 1
        return f"{kind}{self._counts[kind] - 1}"


def _number(value: Fraction) -> str:
    """A number as SMT-LIB has it, which knows no negative ones.

    >>> _number(Fraction(-2, 3))
    '(- (/ 2.0 3.0))'
    """
    size = f"{abs(value.numerator)}.0"
    if value.denominator != 1:
        size = f"(/ {size} {value.denominator}.0)"
    return f"(- {size})" if value < 0 else size

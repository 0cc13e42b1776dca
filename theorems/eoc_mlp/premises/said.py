"""Premises of proofs by name: what letters stand for, and facts of the textbooks about them."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from sympy import Set, Symbol, sympify
from sympy.logic.boolalg import Boolean

from theorems.engine import Given, Hypothesis, both, rules
from theorems.engine.rules import Theorem
from theorems.engine.rules.ranges import assumed
from theorems.eoc_mlp.letters.table import LETTERS


def ranges(*things: Any, over: Mapping[Symbol, Any] | None = None) -> dict[Symbol, Any]:
    """Where the letters that occur range: as told, as declared, or as far as they are assumed."""
    used: set[Symbol] = set().union(*(one.free_symbols for one in things))
    return {x: _range(x, over or {}) for x in used}


def _range(x: Symbol, over: Mapping[Symbol, Any]) -> Set:
    declared = LETTERS[x].domain if x in LETTERS else None
    known = getattr(x, "belongs_to", over.get(x, declared))
    return assumed(x) if known is None else known


def said(
    name: str,
    *relations: Boolean,
    over: Mapping[Symbol, Any] | None = None,
    under: Iterable[Boolean] = (),
) -> Theorem:
    """A fact of the textbooks by its name."""
    return _premise(rules.textbook, name, relations, over, under)


def stands_for(what: str, *relations: Boolean, over: Mapping[Symbol, Any] | None = None) -> Theorem:
    """What letters of a claim stand for."""
    return _premise(rules.meaning, f"what {what} stands for", relations, over, ())


def largest(name: str, *relations: Boolean, over: Mapping[Symbol, Any] | None = None) -> Theorem:
    """Values are at most the quantity that is the largest of them."""
    return _premise(rules.largest, name, relations, over, ())


def bridge(name: str, *relations: Boolean, over: Mapping[Symbol, Any] | None = None) -> Theorem:
    """A step in words; what rests on it is argued."""
    return _premise(rules.bridge, name, relations, over, ())


def _premise(
    rule: Callable[..., Theorem],
    name: str,
    relations: tuple[Boolean, ...],
    over: Mapping[Symbol, Any] | None,
    under: Iterable[Boolean],
) -> Theorem:
    relation = both(*relations)
    conditions = tuple(under)
    letters = ranges(relation, *conditions, over=over)
    return rule(name, relation, over=letters, under=conditions)


def put(given: Given, theorem: Theorem, at: Mapping[Symbol, Any]) -> Theorem:
    """A theorem at other terms, whose letters range as in the claim or else as declared."""
    values = [sympify(value) for value in at.values()]
    return rules.instance(theorem, at, over=ranges(*values, over=given.domain))


def what_is_assumed(given: Given, hypothesis: Hypothesis, *relations: Boolean) -> Theorem:
    """What a hypothesis in words says, in symbols; refused to claims that do not assume it."""
    given.require(hypothesis)
    return _premise(rules.supposed, hypothesis.name, relations, given.domain, ())

"""Premises about the letters of a claim, on the ranges that the claim gives them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from sympy import Symbol, sympify
from sympy.logic.boolalg import Boolean

from theorems.engine import Given, both
from theorems.engine.rules import Theorem
from theorems.eoc_mlp.letters.gradients import tau1, tau2
from theorems.eoc_mlp.letters.table import LETTERS, POSITIVE


def meaning(given: Given, name: str, *relations: Boolean) -> Theorem:
    """A premise: what letters stand for."""
    letters = both(*relations).free_symbols
    return given.meaning(name, *relations, over=ranges(given, letters))


def substituted(given: Given, theorem: Theorem, values: Mapping[Symbol, Any]) -> Theorem:
    """A theorem at other letters and terms, which need not be letters of the claim."""
    used = set().union(*(sympify(value).free_symbols for value in values.values()))
    return theorem.at(values, over=ranges(given, used))


def ranges(given: Given, letters: Iterable[Symbol]) -> dict[Symbol, Any]:
    """Where letters range: in the claim, or else as the proof has them, with lengths above 0."""
    known = {x: getattr(x, "belongs_to", None) or given.domain.get(x) for x in letters}
    own = {tau1: POSITIVE, tau2: POSITIVE}
    return {x: range_ or own.get(x) or LETTERS[x].domain for x, range_ in known.items()}

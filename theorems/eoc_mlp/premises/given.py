"""Premises about the letters of a claim, on the ranges that the claim gives them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from sympy import Expr, Symbol, sympify
from sympy.logic.boolalg import Boolean

from theorems.engine import Given, both, eq, rules
from theorems.engine.rules import E, Random, Theorem, inner
from theorems.eoc_mlp.letters.activation import SIGMA
from theorems.eoc_mlp.letters.gradients import tau1, tau2
from theorems.eoc_mlp.letters.table import LETTERS, POSITIVE


def meaning(given: Given, name: str, *relations: Boolean) -> Theorem:
    """A premise: what letters stand for."""
    letters = both(*relations).free_symbols
    return given.meaning(name, *relations, over=_ranges(given, letters))


def substituted(given: Given, theorem: Theorem, values: Mapping[Symbol, Any]) -> Theorem:
    """A theorem at other letters and terms, which need not be letters of the claim."""
    used = set().union(*(sympify(value).free_symbols for value in values.values()))
    return rules.instance(theorem, values, over=_ranges(given, used))


def _ranges(given: Given, letters: Iterable[Symbol]) -> dict[Symbol, Any]:
    """Where letters range: in the claim, or else as the proof has them, with lengths above 0."""
    known = {x: getattr(x, "belongs_to", None) or given.domain.get(x) for x in letters}
    own = {tau1: POSITIVE, tau2: POSITIVE}
    return {x: range_ or own.get(x) or LETTERS[x].domain for x, range_ in known.items()}


def variances(given: Given, forms: Mapping[Random, Expr]) -> Theorem:
    """For g ~ N(0, σ²I) the variance of ⟨g, p⟩ is σ²‖p‖²: for two vectors and their sum."""
    (first, p), (second, q) = forms.items()
    pairs = ((first, p), (second, q), (first + second, p + q))
    relations = [eq(E(form**2), SIGMA**2 * inner(x, x)) for form, x in pairs]
    return given.textbook("variance of a linear form of N(0, sigma^2 I)", *relations)

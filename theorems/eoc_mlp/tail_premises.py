"""Premises of proofs about one random layer: what letters stand for, and steps that recur."""

from __future__ import annotations

from collections.abc import Mapping

from sympy import Symbol
from sympy.logic.boolalg import Boolean

from theorems.engine import Given, both, eq, rules
from theorems.engine.rules import P, Random, Theorem
from theorems.engine.rules.inferences import inserted

__all__ = ["certain", "told"]


def told(given: Given, name: str, *relations: Boolean) -> Theorem:
    """A textbook fact about what letters of the claim stand for."""
    statement = relations[0] if len(relations) == 1 else both(*relations)
    domain = given.domain
    over = {x: getattr(x, "belongs_to", None) or domain[x] for x in statement.free_symbols}
    return rules.textbook(name, statement, over=over)


def certain(values: Theorem, at: Mapping[Symbol, Random]) -> Theorem:
    """What a theorem says of all values has probability one for random variables."""
    event = inserted(values.statement, at)
    over = {x: range_ for x, range_ in values.over.items() if x not in at}
    letters = {**over, **{X: X.belongs_to for X in at.values()}}
    name = "what holds for all values has probability one"
    return rules.textbook(
        name, eq(P(event), 1), over=letters, under=values.under, detail=str(values.statement)
    )

"""Premises of proofs about one random layer: what letters stand for, and steps that recur.

A premise says what a letter of the claim stands for, or is a fact of the textbooks about it; it
goes by a name that is listed with the claim.
"""

from __future__ import annotations

from sympy import Expr, exp
from sympy.logic.boolalg import Boolean

from theorems.engine import Given, both, eq, le, rules
from theorems.engine.rules import P, Theorem, facts

__all__ = ["certain", "exponent_weakened", "told", "union_of_two"]


def told(given: Given, name: str, *relations: Boolean) -> Theorem:
    """What letters stand for, or a textbook fact about what they stand for."""
    statement = relations[0] if len(relations) == 1 else both(*relations)
    domain = given.domain
    over = {x: getattr(x, "belongs_to", None) or domain[x] for x in statement.free_symbols}
    return rules.textbook(name, statement, over=over)


def certain(given: Given, meaning: str, event: Boolean, values: Theorem) -> Theorem:
    """An event has probability one, as the theorem says for all values; ``meaning`` of whom."""
    domain = given.domain
    over = {x: getattr(x, "belongs_to", None) or domain[x] for x in event.free_symbols}
    name = f"what holds for all values holds almost surely: {meaning}"
    return rules.textbook(name, eq(P(event), 1), over=over, detail=str(values.statement))


def exponent_weakened(
    theorem: Theorem, exponent: Expr, *premises: Theorem, factor: int = 1
) -> Theorem:
    """From p <= factor exp(-rate) that p <= factor exp(exponent), as -rate <= exponent."""
    left, right = theorem.statement.args
    (power,) = right.atoms(exp)
    over, under = dict(theorem.over), theorem.under
    grows = facts.exponential_increases(exponent, power.args[0], over=over, under=under)
    goal = le(left, factor * exp(exponent))
    return rules.follows(goal, [theorem, grows, *premises], over=over, under=under)


def union_of_two(given: Given, tail: Expr, first: Expr, second: Expr) -> Theorem:
    """A tail on both sides is at most the sum of the tails on either side."""
    return told(given, "union bound", le(tail, first + second))

"""Premises of proofs about one random layer: what letters stand for, and steps that recur."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sympy import Expr, Or, Reals, Symbol

from theorems.engine import Given, both, eq, ge, implies, le, rules
from theorems.engine.rules import Event, P, Theorem, facts, principles


def of_either_tail(
    given: Given, whole: Symbol, first: Expr, second: Expr, *, over: Mapping[Symbol, Any]
) -> Theorem:
    """The probability of one event or another is at most the sum of both, by the union bound.

    The summands are probabilities, or letters that stand for those of the two events.
    """
    tails = (first, second)
    events = [one.args[0] if isinstance(one, P) else Event(f"event_{one}") for one in tails]
    named = [eq(one, P(event)) for one, event in zip(tails, events, strict=True) if one.is_Symbol]
    meant = both(eq(whole, P(Or(*events))), *named)
    letters = {x: getattr(x, "belongs_to", None) or over[x] for x in meant.free_symbols}
    known = given.meaning(f"what {whole} stands for, of two events", meant, over=letters)
    union = facts.union_bound(*events)
    return rules.follows(le(whole, first + second), [known, union], over=letters)


def beyond(source: Theorem, of: Symbol, event: Any, lower: Theorem) -> Theorem:
    """P(event) is at most the bound of another event, which it implies by the theorem."""
    value, over, under = Symbol("value", real=True), dict(lower.over), lower.under
    wider = source.statement.lhs.args[0]
    sides = (ge(one.lhs.xreplace({of: value}), one.rhs) for one in (event, wider))
    implied = rules.follows(implies(*sides), [lower], over={value: Reals, **over}, under=under)
    more_probable = principles.more_probable(implied, value, of)
    goal = le(more_probable.statement.lhs, source.statement.rhs)
    letters = {**source.over, **over, of: of.belongs_to}
    conditions = [*under, *source.under]
    return rules.follows(goal, [source, more_probable], over=letters, under=conditions)

"""Derivatives of one head along a direction of its parameters: how large they are at most.

Means under the softmax weights are expectations: a token is drawn with its weight.
"""

from __future__ import annotations

from typing import Any

from sympy import Abs, Expr, Function, Symbol

from theorems.engine import Given, eq, le, rules
from theorems.engine.rules import E, Theorem, Vector, facts, follows, inner, norm
from theorems.engine.rules.vocabulary import vectors
from theorems.shallow_transformer import head_letters as its
from theorems.shallow_transformer import letters as of
from theorems.shallow_transformer.curvature import SIZE, SQUARE
from theorems.shallow_transformer.head_premises import (
    named,
    of_a_drawn_token,
    stands_for,
    what_is_assumed,
)
from theorems.shallow_transformer.hypotheses import TOKENS
from theorems.shallow_transformer.letters import NONNEGATIVE
from theorems.shallow_transformer.pooled_letters import tokens
from theorems.shallow_transformer.token_letters import t, total
from theorems.shallow_transformer.token_sums import added, ranges_of, termwise

__all__ = ["along_a_direction", "derivative_of_the_covariance"]


def along_a_direction(given: Given, size: Symbol, turn: Symbol) -> Theorem:
    """|D²z| ≤ 2|δ|‖Δ‖E|S| + ‖Δ‖²u E|S² − V|, where ‖Δ‖S and ‖Δ‖²V belong to the slopes of logits.

    D²z = 2E A′S‖Δ‖ + E A(S² − V)‖Δ‖² (st.lem2.second), with |A| ≤ |U| and |A′| ≤ |δ|.
    """
    over = {**ranges_of(of.u), size: NONNEGATIVE, turn: NONNEGATIVE}
    scaled = {its.drawn_slope: turn * its.drawn}
    second = rules.instance(
        given.fact("st.lem2.second", "cumulants"),
        scaled,
        over={turn: NONNEGATIVE, **ranges_of(its.drawn)},
    )
    centred = its.drawn - its.centre
    means = stands_for(
        "means under the softmax weights",
        eq(its.centre, E(its.drawn)),
        eq(its.square, E(centred**2)),
        eq(its.Y_spread, SIZE),
        eq(its.Y_square, SQUARE),
    )
    linear = _bounded_mean(given, Vector("delta"), its.drawn_change, centred, size)
    squared = _bounded_mean(given, Vector("U"), its.drawn_value, centred**2 - its.square, of.u)
    goal = le(Abs(its.z_second), 2 * size * turn * its.Y_spread + of.u * turn**2 * its.Y_square)
    moved = 2 * turn * E(its.drawn_change * centred) + turn**2 * E(
        its.drawn_value * (centred**2 - its.square)
    )
    split = eq(its.z_second, moved)
    whole = {**over, **ranges_of(goal, split)}
    sum_ = follows(split, [second, means], over=whole)
    return follows(goal, [sum_, means, linear, squared], over=whole)


def _bounded_mean(
    given: Given, vector: Any, value: Any, deviation: Expr, length: Symbol
) -> Theorem:
    """|E AY| ≤ |v|E|Y| for the inner product A of a vector v with the drawn token."""
    form = inner(vector, tokens(t))
    known = [
        stands_for("the length of a vector", eq(length, norm(vector))),
        what_is_assumed(given, TOKENS, le(norm(tokens(t)), 1)),
        facts.cauchy_schwarz(vector, tokens(t), over=ranges_of(t)),
    ]
    short = le(Abs(form), length)
    each = follows(short, known, over=ranges_of(short))
    surely = of_a_drawn_token(each, {form: value})
    over = ranges_of(deviation, length)
    general = facts.bounded_factor(value, deviation, length, over=over)
    return follows(general.statement, [general, surely], over={**over, **ranges_of(value)})


def derivative_of_the_covariance(size: Any, apart: Any) -> Theorem:
    """‖DM‖_F = ⟨DM, E⟩ for some E of length 1, and |⟨xxᵀ, E⟩| ≤ |x|²."""
    entry, outer, E_ = Function("entry", real=True), vectors("(X - a)(X - a)'")(t), Vector("E")
    meaning = stands_for(
        "the derivative, the sum of (D alpha)_t (X_t - a)(X_t - a)' (st.lem2.third), and a matrix E"
        " of length 1 in its direction",
        eq(of.M_change, total(entry(t) * inner(outer, E_))),
        eq(norm(E_), 1),
        eq(size(t), Abs(entry(t))),
    )
    square = named("Frobenius norm of xx'", eq(norm(outer), apart(t) ** 2))
    schwarz = facts.cauchy_schwarz(outer, E_, over=ranges_of(t))
    form = termwise(le(Abs(inner(outer, E_)), apart(t) ** 2), [schwarz, square, meaning])
    each = termwise(le(entry(t) * inner(outer, E_), size(t) * apart(t) ** 2), [form, meaning])
    goal = le(of.M_change, total(size(t) * apart(t) ** 2))
    return termwise(goal, [added(each), meaning])

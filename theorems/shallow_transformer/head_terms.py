"""The terms of Equation (19), one for each head, and their sum."""

from __future__ import annotations

from functools import cache

from sympy import Abs, Reals, Symbol, sqrt, symbols
from sympy.logic.boolalg import Boolean

from theorems.engine import Given, both, eq, implies, le, rules
from theorems.engine.rules import Theorem
from theorems.shallow_transformer import letters as of
from theorems.shallow_transformer import linear_letters as its
from theorems.shallow_transformer import premises
from theorems.shallow_transformer.head_premises import stands_for, what_is_assumed
from theorems.shallow_transformer.hypotheses import IN_FEASIBLE_SET, UNIT_SIGNS
from theorems.shallow_transformer.letters import i, m
from theorems.shallow_transformer.premises import family
from theorems.shallow_transformer.token_letters import total
from theorems.shallow_transformer.token_sums import ranges_of

__all__ = [
    "REST",
    "initial",
    "now",
    "remainder",
    "shift",
    "slope",
    "start",
    "sum_of_heads",
    "within",
]

#: Heads at the start, the step of their output weights, their values and derivatives.
initial, shift, start, now, slope = (
    one(i) for one in (its.c_initial, its.c_shift, its.h_initial, its.h_moved, its.h_slope)
)
remainder = now - start - slope
#: |h − h₀ − ⟨∇h₀, δθ⟩| in a head.
REST = Symbol("remainder", nonnegative=True)


def within(goal: Boolean, given: Given, *known: Theorem) -> Theorem:
    """A relation about quantities that the claim does not mention, in the claim's ranges."""
    over = {**ranges_of(goal, *given.conditions), **given.domain}
    return rules.follows(goal, known, over=over, under=given.conditions)


_LETTERS = symbols("x y c r S R", real=True)


@cache
def _size_of_a_term() -> Theorem:
    """m|xy + cr| ≤ ρ_c S + R if |x| ≤ ρ_c/√m, √m|y| ≤ S, |c| = 1 and m|r| ≤ R."""
    x, y, c, r, S, R = _LETTERS
    given = both(
        *(le(Abs(x), of.rho_c / sqrt(m)), le(sqrt(m) * Abs(y), S)),
        *(eq(Abs(c), 1), le(m * Abs(r), R)),
    )
    over = {**dict.fromkeys(_LETTERS, Reals), **ranges_of(of.rho_c, m)}
    first = rules.follows(implies(given, le(m * Abs(x * y), of.rho_c * S)), over=over)
    return rules.follows(
        implies(given, le(m * Abs(x * y + c * r), of.rho_c * S + R)), [first], over=over
    )


def _cancelled(long: Theorem) -> Theorem:
    """Numbers that are m times as large are ordered alike."""
    x, y = _LETTERS[:2]
    same = implies(le(m * x, m * y), le(x, y))
    general = rules.follows(same, over={x: Reals, y: Reals, **ranges_of(m)})
    at = {x: long.statement.lhs / m, y: long.statement.rhs / m}
    return rules.instance(general, at, over=ranges_of(long.statement))


def sum_of_heads(given: Given, step: Theorem, rest: Theorem) -> list[Theorem]:
    """From √m|h − h₀| ≤ S and m|h − h₀ − ⟨∇h₀, δθ⟩| ≤ R in each head: √m|f − f_lin| ≤ ρ_c S + R.

    The terms of Equation (19) are at most (ρ_c S + R)/m, and are added up.
    """
    first, second = (Symbol(f"bound of the {name}", real=True) for name in ("step", "rest"))
    bounds = stands_for("bounds", eq(first, step.statement.rhs), eq(second, rest.statement.rhs))
    terms = family("term")
    every = stands_for(
        "a term of Equation (19)", eq(terms(i), shift * (now - start) + initial * remainder)
    )
    there = [
        rules.instance(step, {of.h_step: Abs(now - start)}, over=ranges_of(i)),
        rules.instance(rest, {REST: Abs(remainder)}, over=ranges_of(i)),
    ]
    sizes_ = [
        within(le(sqrt(m) * Abs(now - start), first), given, there[0], bounds),
        within(le(m * Abs(remainder), second), given, there[1], bounds),
        what_is_assumed(given, IN_FEASIBLE_SET, le(Abs(shift), of.rho_c / sqrt(m))),
        what_is_assumed(given, UNIT_SIGNS, eq(Abs(initial), 1)),
    ]
    most = Symbol("bound of a term", real=True)
    both_ = stands_for("the sum of both", eq(most, of.rho_c * first + second))
    goal = le(m * Abs(terms(i)), most)
    values = (shift, now - start, initial, remainder, first, second)
    at = dict(zip(_LETTERS, values, strict=True))
    lemma = rules.instance(_size_of_a_term(), at, over=ranges_of(*values))
    each = within(goal, given, every, *sizes_, lemma, both_)
    sums = premises.added(each, i, m)
    parts = [premises.linear(side) for side in sums.statement.args]
    error = sqrt(m) * (its.f_value - its.lin_value)
    equal = [given.fact("st.eq19"), premises.added(every, i, m), premises.triangle(terms, i, m)]
    size = within(le(Abs(error), total(Abs(terms(i)), i, m)), given, *equal)
    long = within(le(m * size.statement.rhs, m * most), given, sums, *parts)
    less = within(le(size.statement.rhs, most), given, long, _cancelled(long))
    short = within(le(Abs(error), of.rho_c * first + second), given, size, less, both_)
    whole = stands_for(
        "the largest error, at an input where it is attained",
        eq(of.eps_lin, Abs(its.f_value - its.lin_value)),
    )
    return [short, whole, bounds]

"""The terms of Equation (19), one for each head, and their sum."""

from functools import cache

from sympy import Abs, Expr, Symbol, sqrt, symbols
from sympy.logic.boolalg import Boolean

from theorems.engine import Given, both, eq, implies, le, rules
from theorems.engine.rules import Theorem
from theorems.shallow_transformer.hypotheses import UNIT_SIGNS
from theorems.shallow_transformer.letters import linear as its
from theorems.shallow_transformer.letters import paper as of
from theorems.shallow_transformer.letters.paper import i, m
from theorems.shallow_transformer.letters.token import total
from theorems.shallow_transformer.premises import networks as premises
from theorems.shallow_transformer.premises.lines.way_of_a_head import STEP
from theorems.shallow_transformer.premises.named import ONE_HEAD, as_declared
from theorems.shallow_transformer.premises.networks import family
from theorems.shallow_transformer.premises.tokens import near_the_start, what_is_assumed

#: Heads at the start, the step of their output weights, their values and derivatives.
initial, shift, start, now, slope = (
    one(i) for one in (its.c_initial, its.c_shift, its.h_initial, its.h_moved, its.h_slope)
)
remainder = now - start - slope
#: |h − h₀ − ⟨∇h₀, δθ⟩| in a head.
REST = its.head_remainder
#: The difference of the outputs of any head.


def within(goal: Boolean, given: Given, *known: Theorem) -> Theorem:
    """A relation about quantities that the claim does not mention, in the claim's ranges."""
    over = {**as_declared(goal, *given.conditions), **given.domain}
    return rules.follows(goal, known, over=over, under=given.conditions)


_LETTERS = symbols("x y c r S R", real=True)


@cache
def _size_of_a_term() -> Theorem:
    """m|xy + cr| ≤ ρ_c S + R if |x| ≤ ρ_c/√m, √m|y| ≤ S, |c| = 1 and m|r| ≤ R."""
    x, y, c, r, S, R = _LETTERS
    given = both(
        *(le(Abs(x), of.rho_c / sqrt(m)), le(sqrt(m) * Abs(y), S)), *(eq(Abs(c), 1), le(m * Abs(r), R))
    )
    first = rules.follows(implies(given, le(m * Abs(x * y), of.rho_c * S)))
    return rules.follows(implies(given, le(m * Abs(x * y + c * r), of.rho_c * S + R)), [first])


def _cancelled(long: Theorem) -> Theorem:
    """Numbers that are m times as large are ordered alike."""
    x, y = _LETTERS[:2]
    same = implies(le(m * x, m * y), le(x, y))
    general = rules.follows(same)
    return ONE_HEAD.substituted(general, {x: long.statement.lhs / m, y: long.statement.rhs / m})


def _longer(short: Theorem, long: Theorem) -> Theorem:
    """What is at most y is, m times, at most a bound of my."""
    x, y, z = _LETTERS[:3]
    both_ = implies(both(le(x, y), le(m * y, z)), le(m * x, z))
    general = rules.follows(both_)
    at = {x: short.statement.lhs, y: short.statement.rhs, z: long.statement.rhs}
    return ONE_HEAD.substituted(general, at)


def sum_of_terms(given: Given, most: Expr, bounds: Theorem, *sizes: Theorem) -> Theorem:
    """m^(3/2)|f − f_lin| is at most the sum of bounds ρ_c S + R of all heads, by Equation (19).

    ``sizes`` say √m|h − h₀| ≤ S and m|h − h₀ − ⟨∇h₀, δθ⟩| ≤ R in head i, where S and R are letters
    or values of functions; ``bounds`` says that ``most`` is ρ_c S + R.
    """
    terms, values = family("term"), (shift, now - start, initial, remainder)
    every = ONE_HEAD.meaning("a term of Equation (19)", eq(terms(i), shift * values[1] + initial * remainder))
    steps = [
        near_the_start(given, {of.rho_c: shift}),
        what_is_assumed(given, UNIT_SIGNS, eq(Abs(initial), 1)),
    ]
    all_ = (*values, *(one.statement.rhs for one in sizes))
    lemma = ONE_HEAD.substituted(_size_of_a_term(), dict(zip(_LETTERS, all_, strict=True)))
    goal = le(m * Abs(terms(i)), most)
    each = within(goal, given, every, *sizes, *steps, lemma, bounds)
    sums = premises.added(each, i, m)
    error = sqrt(m) * (its.f_value - its.lin_value)
    equal = [given.fact("st.eq19"), premises.added(every, i, m), premises.triangle(terms, i, m)]
    short = within(le(Abs(error), total(Abs(terms(i)), i, m)), given, *equal)
    whole = le(m * short.statement.rhs, sums.statement.rhs)
    long = within(whole, given, sums, premises.linear(sums.statement.lhs))
    goal = le(m * Abs(error), sums.statement.rhs)
    return within(goal, given, short, long, _longer(short, long))


def largest_error(given: Given, total_: Theorem, most: Expr, *known: Theorem) -> Theorem:
    """√m ε_lin is at most a number, m times which the sum of all bounds is."""
    short = within(le(total_.statement.lhs, m * most), given, total_, *known)
    whole = ONE_HEAD.meaning(
        "the largest error, at an input where it is attained",
        eq(of.eps_lin, Abs(its.f_value - its.lin_value)),
    )
    return within(le(sqrt(m) * of.eps_lin, most), given, short, _cancelled(short), whole)


def sum_of_heads(given: Given, step: Theorem, rest: Theorem) -> list[Theorem]:
    """From √m|h − h₀| ≤ S and m|h − h₀ − ⟨∇h₀, δθ⟩| ≤ R in each head: √m ε_lin ≤ ρ_c S + R."""
    first, second = (Symbol(f"bound of the {name}", real=True) for name in ("step", "rest"))
    most = Symbol("bound of a term", real=True)
    bounds = ONE_HEAD.meaning("bounds", eq(first, step.statement.rhs), eq(second, rest.statement.rhs))
    both_ = ONE_HEAD.meaning("the sum of both", eq(most, of.rho_c * first + second))
    there = [
        ONE_HEAD.substituted(step, {x: Abs(now - start) for x in (of.h_step, STEP) if x in step.over}),
        ONE_HEAD.substituted(rest, {REST: Abs(remainder)}),
    ]
    sizes_ = [
        within(le(sqrt(m) * Abs(now - start), first), given, there[0], bounds),
        within(le(m * Abs(remainder), second), given, there[1], bounds),
    ]
    sum_ = sum_of_terms(given, most, both_, *sizes_)
    error = largest_error(given, sum_, most, premises.linear(sum_.statement.rhs))
    return [error, both_, bounds]

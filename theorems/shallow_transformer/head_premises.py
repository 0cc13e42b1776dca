"""What proofs about one head take over: definitions, hypotheses in symbols, the mean value theorem.

The letters range over the whole of their domains, as in Lemmas 2 and 3.
"""

from __future__ import annotations

from collections.abc import Sequence

from sympy import Eq, Expr, Interval, sqrt
from sympy.logic.boolalg import Boolean

from theorems.engine import Given, Hypothesis, both, eq, le, rules
from theorems.engine.letters import NamedFunction
from theorems.engine.rules import P, Theorem
from theorems.engine.rules.ranges import within
from theorems.shallow_transformer import letters as of
from theorems.shallow_transformer.head_letters import drawn
from theorems.shallow_transformer.hypotheses import (
    BOUNDED_HEADS,
    IN_FEASIBLE_SET,
    QUERY,
    TOKENS,
    TWICE_DIFFERENTIABLE,
)
from theorems.shallow_transformer.pooling import SHARP as FACT_3
from theorems.shallow_transformer.token_sums import ranges_of

__all__ = [
    "bridge",
    "closed_forms",
    "drawn_token",
    "largest",
    "lengths_in_the_feasible_set",
    "mean_value",
    "named",
    "short_pooled_token",
    "short_query",
    "stands_for",
    "what_is_assumed",
]


def named(name: str, *relations: Boolean, under: Sequence[Boolean] = ()) -> Theorem:
    """A fact of the textbooks, by name."""
    statement = both(*relations)
    return rules.textbook(name, statement, over=ranges_of(statement, *under), under=under)


def stands_for(what: str, *relations: Boolean, under: Sequence[Boolean] = ()) -> Theorem:
    """What letters of a claim stand for."""
    statement = both(*relations)
    over = ranges_of(statement, *under)
    return rules.meaning(f"what {what} stands for", statement, over=over, under=under)


def largest(name: str, *relations: Boolean, under: Sequence[Boolean] = ()) -> Theorem:
    """Values are at most the quantity that is the largest of them."""
    statement = both(*relations)
    return rules.largest(name, statement, over=ranges_of(statement, *under), under=under)


def bridge(name: str, *relations: Boolean, under: Sequence[Boolean] = ()) -> Theorem:
    """A step in words; what rests on it is argued."""
    statement = both(*relations)
    return rules.bridge(name, statement, over=ranges_of(statement, *under), under=under)


def what_is_assumed(given: Given, hypothesis: Hypothesis, *relations: Boolean) -> Theorem:
    """What a hypothesis in words says, in symbols; refused to claims that do not assume it."""
    given.require(hypothesis)
    statement = both(*relations)
    return rules.supposed(hypothesis.name, statement, over=ranges_of(statement))


def closed_forms(*functions: NamedFunction, under: Sequence[Boolean] = ()) -> list[Theorem]:
    """The closed forms of functions of the paper, where they are defined."""
    return [
        stands_for(type(one).__name__, eq(one, one.unfolded()), under=under) for one in functions
    ]


def lengths_in_the_feasible_set(given: Given) -> Theorem:
    """|U_i| is at most its length at the start and ρ_u/√m, and so at most B."""
    given.require(BOUNDED_HEADS)
    far = le(of.u, of.U_max + of.rho_u / sqrt(of.m))
    return what_is_assumed(given, IN_FEASIBLE_SET, far)


def short_pooled_token(given: Given) -> Theorem:
    """‖M‖ ≤ ‖M‖_F ≤ 1 − |a|², by st.fact3.sharp."""
    given.require(TOKENS)
    return given.fact(FACT_3, "bound")


def short_query(given: Given) -> Theorem:
    """|q| ≤ 1."""
    return what_is_assumed(given, QUERY, le(of.q_size, 1))


def drawn_token(given: Given) -> Theorem:
    """Y, the slope of the logit of a drawn token over the size of the direction, is in [-1, 1]."""
    given.require(TOKENS, QUERY)
    bounded = Eq(P(within(drawn, Interval(-1, 1))), 1, evaluate=False)
    about = "tokens and query, of the slope of the logit of a drawn token"
    return rules.supposed(about, bounded, over=ranges_of(bounded))


def mean_value(given: Given, step: Expr, rate: Expr) -> Theorem:
    """A difference is at most the derivative at some point of the segment times its length.

    The segment lies in the feasible set, which is convex.
    """
    given.require(TWICE_DIFFERENTIABLE, IN_FEASIBLE_SET)
    return named("mean value inequality", le(step, rate * of.theta_step))

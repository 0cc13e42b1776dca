"""What proofs about random heads use again and again: means of relations, pairs of heads, claims.

Random variables of one head at the start are letters; a relation between numbers that holds for
all their values holds in the mean.
"""

from collections.abc import Mapping
from functools import cache
from typing import Any

from sympy import Abs, Expr, Symbol
from sympy.logic.boolalg import Boolean

from theorems.engine import Given, Hypothesis, eq, le, rules
from theorems.engine.rules import Operator, Theorem, Vector, act, facts, inner, norm, principles
from theorems.engine.rules.sums import by_recursion
from theorems.engine.rules.vocabulary import vectors
from theorems.engine.statements.statement import Formula
from theorems.shallow_transformer.hypotheses import EVEN_WIDTH, PAIRED_HEADS
from theorems.shallow_transformer.letters import paper as of
from theorems.shallow_transformer.letters.feature import pairs
from theorems.shallow_transformer.letters.paper import i, m
from theorems.shallow_transformer.letters.token import t
from theorems.shallow_transformer.premises.matrices.covariance import POOL, Pool, trace_of_the_covariance
from theorems.shallow_transformer.premises.named import NETWORKS, in_networks
from theorems.shallow_transformer.premises.networks import (
    added,
    below_frobenius,
    family,
    sizes,
    total,
    what_is_assumed,
)
from theorems.shallow_transformer.premises.token_sums import positive


def in_the_mean(pointwise: Theorem, values: Mapping[Any, Any]) -> Theorem:
    """A relation that holds for all values of random variables holds for the means.

    ``values`` says which random variable each letter is a value of, in the range of the letter,
    and which family of random variables a function of an index.
    """
    letters = [one for one in values.values() if isinstance(one, Expr)]
    mean = principles.expected_jointly(pointwise, values, over=in_networks(*letters))
    surely = sorted(mean.under - pointwise.under, key=str)
    names = ", ".join(sorted(set(map(str, letters))))
    ranges = [NETWORKS.meaning(f"the range of {names}", *surely)] if surely else []
    where = pointwise.under
    return rules.follows(mean.statement, [mean, *ranges], over=mean.over, under=where)


def same_halves(given: Given, term: Any, *known: Theorem) -> list[Theorem]:
    """A sum over all heads is twice that over the first half, as both halves have equal terms.

    ``known`` says that term(i + m/2) = term(i).
    """
    each = NETWORKS.follows(*known, goal=eq(term(i + pairs), term(i)))
    return [*halves(given, term), added(each, i, pairs)]


def halves(given: Given, term: Any, *, paired: Hypothesis = PAIRED_HEADS) -> list[Theorem]:
    """A sum over all heads is that over the first half and that over the second, if paired."""
    given.require(paired)
    even = what_is_assumed(given, EVEN_WIDTH, eq(m, 2 * pairs))
    return [even, two_halves(term)]


@cache
def two_halves(term: Any, pairs: Symbol = pairs) -> Theorem:
    """The sum over 2p heads is that over p heads and that over the other p heads."""
    rest = Symbol("other heads", integer=True, nonnegative=True)
    first = Symbol("first heads", integer=True, nonnegative=True)
    parts = rules.sums.split(total(term(i), i, first), first, rest)
    return parts.at({first: pairs, rest: pairs})


def what_it_says(given: Given, identifier: str, relation: Boolean) -> Theorem:
    """What a claim that this one rests on says: this relation, as one of its parts or by them."""
    other = given.find(identifier)
    formulas = [name for name, one in other.parts.items() if isinstance(one, Formula)]
    found = [given.fact(identifier, name) for name in formulas]
    same = [one for one in found if one.statement == relation]
    if same:
        return same[0]
    where = given.conditions if any(one.under for one in found) else ()
    return NETWORKS.follows(*found, goal=relation, under=where)


def moved_read_out(moved: Symbol, length: Symbol) -> Theorem:
    """|MU| ≤ ‖M‖|U| ≤ ‖M‖_F|U|."""
    M, U = Operator("M"), Vector("U")
    parts = NETWORKS.meaning("the lengths of U and MU", eq(moved, norm(act(M, U))), eq(length, norm(U)))
    frobenius = below_frobenius(M, of.M_frobenius)
    return NETWORKS.follows(
        parts, frobenius, facts.operator_norm(M, U), goal=le(moved, of.M_frobenius * length)
    )


def share_of(pool: Pool) -> Any:
    """The shares α|y|² of tokens in tr M, y being the tokens less their mean."""
    return sizes(f"share of a token in tr M{pool.name}")


def coordinate_of(pool: Pool) -> Any:
    """Values of U along y."""
    return family(f"value of U along a token{pool.name}")


SHARE, COORDINATE = share_of(POOL), coordinate_of(POOL)


@cache
def length_by_tokens(length: Symbol, pool: Pool = POOL) -> tuple[Theorem, Theorem]:
    """|MU| ≤ Σμ_t|u_t| as MU = Σα_t⟨y_t, U⟩y_t; and tr M = Σμ_t, for μ_t = α_t|y_t|².

    The value u_t of U along y_t is ⟨y_t, U⟩/|y_t|, and that along any unit vector if y_t is 0.
    """
    part, y, weight = vectors(f"part of MU{pool.name}"), pool.away(t), pool.weight(t, of.T)
    share, along = share_of(pool)(t), coordinate_of(pool)(t)
    count = Symbol("number of tokens so far", integer=True, nonnegative=True)
    following = {t: count + 1}
    term = weight * norm(y) * along * y
    after = norm(part(count) + term.xreplace(following))
    sums = NETWORKS.meaning("MU, token by token", eq(norm(part(0)), 0), eq(norm(part(count + 1)), after))
    whole = NETWORKS.meaning("the length of MU", eq(length, norm(part(of.T))))
    each = NETWORKS.meaning("the share of a token", eq(share, weight * norm(y) ** 2))
    same = added(NETWORKS.follows(each, goal=eq(share, weight * inner(y, y))), t, of.T)
    in_shares = eq(pool.trace, total(share, t, of.T))
    trace = NETWORKS.follows(trace_of_the_covariance(pool), same, goal=in_shares)
    triangle = facts.triangle(part(count), term.xreplace(following))
    here = [each.at(following), *([positive(pool.weight).at(following)] if pool == POOL else [])]
    below = le(norm(part(count)), total(share * Abs(along), t, count))
    grown = by_recursion(below, count, premises=[sums, *here, triangle])
    there = NETWORKS.substituted(grown, {count: of.T})
    return NETWORKS.follows(there, whole, goal=le(length, total(share * Abs(along), t, of.T))), trace

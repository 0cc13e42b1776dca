"""What proofs about networks and runs take over: premises by name, and sums of any length.

A quantity of the paper stands for a norm, an inner product or a mean.  A proof says so by a premise
in vectors, or in functions of the number of a sample, a head or a step.  Widths are at least 2 and
radii positive in these premises; ``premises.tokens`` has the same ones for one token or one head.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any

import sympy
from sympy import Abs, Expr, Function, Sum, Symbol
from sympy.logic.boolalg import Boolean

from theorems.engine import Claim, Given, Hypothesis, both, eq, ge, gt, le, rules
from theorems.engine.rules import Theorem
from theorems.engine.rules.sums import by_recursion
from theorems.engine.statements.domain import Domain
from theorems.engine.statements.letters import NamedFunction
from theorems.engine.statements.statement import STATEMENT, Formula
from theorems.shallow_transformer.letters.paper import LETTERS
from theorems.shallow_transformer.premises import any_length
from theorems.shallow_transformer.premises.any_length import COUNT
from theorems.shallow_transformer.premises.named import NETWORKS, OF_NETWORKS, Premises, in_networks

_PREMISES = Premises(NETWORKS)

what_is_assumed, near_the_start = _PREMISES.what_is_assumed, _PREMISES.near_the_start
inner_step = _PREMISES.inner_step
called, form = _PREMISES.called, _PREMISES.form
below_frobenius = _PREMISES.below_frobenius
total = any_length.total


def spoken(*things: Hypothesis | Expr) -> list[Symbol]:
    """The letters that hypotheses and expressions mention."""
    found: set[Symbol] = set()
    for one in things:
        found |= one.letters(LETTERS) if isinstance(one, Hypothesis) else one.free_symbols
    return sorted(found, key=str)


def letters(*named: Expr, under: Sequence[Hypothesis] = ()) -> dict[Symbol, Domain | None]:
    """The letters of a statement and those of its hypotheses, in the ranges of networks.

    An expression stands for its letters.
    """
    own = (x for one in named for x in spoken(one))
    return {x: OF_NETWORKS.get(x) for x in (*own, *spoken(*under))}


@cache
def positive(function: NamedFunction) -> Theorem:
    """A function of the paper is positive, by its closed form."""
    goal = gt(function, 0)
    return rules.follows(goal, called(function))


def stated(one: Claim, part: str = STATEMENT) -> Boolean:
    """The relation that a part of a claim is.

    A proof that ends in it, without asking for its goal, is made once for all near variants.
    """
    formula = one.parts[part]
    if not isinstance(formula, Formula):
        raise TypeError(f"{one.id} has no formula {part}")
    return formula.relation


def between(given: Given, goal: Boolean, *known: Theorem) -> Theorem:
    """A step of a proof: a relation that may be about letters which the claim does not have."""
    return NETWORKS.follows(*known, goal=goal, under=given.conditions)


def family(name: str) -> Any:
    """Real numbers with an index."""
    return Function(name, real=True)


def sizes(name: str) -> Any:
    """Numbers that are at least 0, with an index."""
    return Function(name, nonnegative=True)


def added(theorem: Theorem, index: Symbol, last: Expr) -> Theorem:
    """A relation between the terms at every index from 1 on, added up to the last one."""
    return any_length.added(theorem, index, last, in_networks)


def bounded_sum(theorem: Theorem, index: Symbol, last: Expr) -> Theorem:
    """From a bound of every term, which is free of the index, that of the sum.

    A new letter stands for the bound, so that the induction need not know what it is made of.
    """
    term, constant = theorem.statement.args
    bound = Symbol(f"bound of {term}, {constant}", real=True)
    known = NETWORKS.meaning("abbreviation", eq(bound, constant))
    ranges = {**theorem.over, bound: sympy.Reals}
    short = rules.follows(le(term, bound), [theorem, known], over=ranges, under=theorem.under)
    sums = added(short, index, last)
    others = {x: set_ for x, set_ in theorem.over.items() if x != index}
    return rules.follows(
        le(total(term, index, last), last * constant),
        [sums, linear(sums.statement.rhs), known],
        over={**others, **in_networks(last)},
        under=theorem.under,
    )


def linear(sum_: Sum) -> Theorem:
    """Numbers come out of a sum, and a sum of sums is taken apart."""
    return any_length.linear(sum_, in_networks)


@cache
def triangle(a: Any, index: Symbol, last: Expr) -> Theorem:
    """The size of a sum is at most the sum of the sizes."""
    statement = le(Abs(total(a(index), index, COUNT)), total(Abs(a(index)), index, COUNT))
    others = {x: set_ for x, set_ in in_networks(a(index)).items() if x != index}
    general = by_recursion(statement, COUNT)
    return general.at({COUNT: last}, over={**others, **in_networks(last)})


@cache
def cauchy_schwarz(a: Any, b: Any, index: Symbol, last: Expr) -> Theorem:
    """The square of a sum of products a(k) b(k) is at most the product of the sums of squares."""
    terms = (a(index) * b(index), a(index) ** 2, b(index) ** 2)
    products, first, second = (total(term, index, COUNT) for term in terms)
    statement = both(le(products**2, first * second), ge(first, 0), ge(second, 0))
    general = by_recursion(statement, COUNT)
    return general.at({COUNT: last})

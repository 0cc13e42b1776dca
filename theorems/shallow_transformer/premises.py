"""What proofs about runs take over: what letters stand for, and sums of any length from 1 on.

A quantity of the paper stands for a norm, an inner product or a mean.  A proof says so by a premise
in vectors, or in functions of the number of a sample, a head or a step.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import sympy
from sympy import Abs, Expr, Function, Range, Set, Sum, Symbol, oo
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean

from theorems.engine import Claim, Given, Hypothesis, both, eq, ge, gt, integers, le, rules
from theorems.engine.domain import Domain, half_line
from theorems.engine.letters import NamedFunction
from theorems.engine.rules import Theorem
from theorems.engine.rules.ranges import assumed
from theorems.engine.rules.sums import by_recursion
from theorems.engine.statement import STATEMENT, Formula
from theorems.shallow_transformer import letters as of
from theorems.shallow_transformer.letters import LETTERS

__all__ = [
    "RANGES",
    "added",
    "between",
    "bounded_sum",
    "bridge",
    "called",
    "cauchy_schwarz",
    "family",
    "largest",
    "least",
    "letters",
    "linear",
    "over",
    "positive",
    "sizes",
    "spoken",
    "stands_for",
    "stated",
    "textbook_says",
    "total",
    "triangle",
    "what_is_assumed",
]

_COUNT = Symbol("number of terms", integer=True, nonnegative=True)
_POSITIVE = half_line(0, closed=False)
#: Widths are even, and radii at least as large as bounds of the map, which are positive.
RANGES: dict[Symbol, Domain] = {
    of.m: integers(2),
    of.rho_c: _POSITIVE,
    of.rho_u: _POSITIVE,
    of.rho_w: _POSITIVE,
}


def spoken(*hypotheses: Hypothesis) -> list[Symbol]:
    """The letters that hypotheses mention."""
    found: set[Symbol] = set().union(*(one.letters(LETTERS) for one in hypotheses))
    return sorted(found, key=str)


def over(*things: Any) -> dict[Symbol, Set]:
    """The letters that occur, each with its set; others range as far as their assumptions go.

    The letters of the paper have the ranges of this chapter.
    """
    used: set[Symbol] = set().union(*(one.free_symbols for one in things))
    return {x: _range(x) for x in used}


def _range(symbol: Symbol) -> Set:
    known = RANGES.get(symbol, LETTERS[symbol].domain) if symbol in LETTERS else None
    found: Set = getattr(symbol, "belongs_to", known)
    return assumed(symbol) if found is None else found


def letters(*named: Symbol, under: Sequence[Hypothesis] = ()) -> dict[Symbol, Domain | None]:
    """The letters of a statement and those of its hypotheses, in the ranges of this chapter."""
    return {x: RANGES.get(x) for x in (*named, *spoken(*under))}


def stands_for(what: str, *relations: Boolean, under: Sequence[Boolean] = ()) -> Theorem:
    """What letters of a claim stand for."""
    return _premise(rules.meaning, f"what {what} stands for", *relations, under=under)


def largest(name: str, *relations: Boolean) -> Theorem:
    """Values are at most the quantity that is the largest of them."""
    return _premise(rules.largest, name, *relations)


def least(name: str, *relations: Boolean) -> Theorem:
    """Values are at least the quantity that is the least of them."""
    return _premise(rules.least, name, *relations)


def bridge(name: str, *relations: Boolean) -> Theorem:
    """A step in words; what rests on it is argued."""
    return _premise(rules.bridge, name, *relations)


def called(*functions: NamedFunction, under: Sequence[Boolean] = ()) -> list[Theorem]:
    """The closed forms of functions of the paper, where they are defined."""
    return [
        _premise(
            rules.meaning,
            f"closed form of {type(one).__name__}",
            eq(one, one.unfolded()),
            under=under,
        )
        for one in functions
    ]


@cache
def positive(function: NamedFunction) -> Theorem:
    """A function of the paper is positive, by its closed form."""
    goal = gt(function, 0)
    return rules.follows(goal, called(function), over=over(goal))


def textbook_says(name: str, *relations: Boolean) -> Theorem:
    """A fact of the textbooks by its name, for letters of a proof."""
    return _premise(rules.textbook, name, *relations)


def stated(one: Claim, part: str = STATEMENT) -> Boolean:
    """The relation that a part of a claim is.

    A proof that ends in it, without asking for its goal, is made once for all near variants.
    """
    formula = one.parts[part]
    if not isinstance(formula, Formula):
        raise TypeError(f"{one.id} has no formula {part}")
    return formula.relation


def what_is_assumed(given: Given, hypothesis: Hypothesis, *relations: Boolean) -> Theorem:
    """What a hypothesis in words says, in symbols; refused to claims that do not assume it."""
    given.require(hypothesis)
    return _premise(rules.supposed, hypothesis.name, *relations)


def between(given: Given, goal: Boolean, *known: Theorem) -> Theorem:
    """A step of a proof: a relation that may be about letters which the claim does not have."""
    ranges = over(goal, *given.conditions)
    return rules.follows(goal, known, over=ranges, under=given.conditions)


def _premise(
    rule: Callable[..., Theorem], name: str, *relations: Boolean, under: Sequence[Boolean] = ()
) -> Theorem:
    statement = both(*relations)
    return rule(name, statement, over=over(statement, *under), under=under)


def family(name: str) -> Any:
    """Real numbers with an index."""
    return Function(name, real=True)


def sizes(name: str) -> Any:
    """Numbers that are at least 0, with an index."""
    return Function(name, nonnegative=True)


def total(term: Expr, index: Symbol, last: Expr) -> Sum:
    """The sum over the index from 1 on."""
    return Sum(term, (index, 1, last))


def added(theorem: Theorem, index: Symbol, last: Expr) -> Theorem:
    """A relation between the terms at every index from 1 on, added up to the last one."""
    left, right = theorem.statement.args
    others = {x: set_ for x, set_ in theorem.over.items() if x != index}
    counted = {_COUNT: Range(oo)}
    each = rules.instance(theorem, {index: _COUNT + 1}, over={**others, **counted})
    weak = {sympy.Lt: sympy.Le, sympy.Gt: sympy.Ge}
    relation = weak.get(type(theorem.statement), type(theorem.statement))
    sides = (total(side, index, _COUNT) for side in (left, right))
    statement: Relational = relation(*sides, evaluate=False)
    grown = by_recursion(statement, _COUNT, premises=[each], over=others, under=theorem.under)
    return rules.instance(grown, {_COUNT: last}, over={**others, **over(last)})


def bounded_sum(theorem: Theorem, index: Symbol, last: Expr) -> Theorem:
    """From a bound of every term, which is free of the index, that of the sum.

    A new letter stands for the bound, so that the induction need not know what it is made of.
    """
    term, constant = theorem.statement.args
    bound = Symbol("bound of a term", real=True)
    known = _premise(rules.meaning, "abbreviation", eq(bound, constant))
    ranges = {**theorem.over, bound: sympy.Reals}
    short = rules.follows(le(term, bound), [theorem, known], over=ranges, under=theorem.under)
    sums = added(short, index, last)
    others = {x: set_ for x, set_ in theorem.over.items() if x != index}
    return rules.follows(
        le(total(term, index, last), last * constant),
        [sums, linear(sums.statement.rhs), known],
        over={**others, **over(last)},
        under=theorem.under,
    )


@cache
def linear(sum_: Sum) -> Theorem:
    """Numbers come out of a sum, and a sum of sums is taken apart."""
    body, (index, first, last) = sum_.args[0], sum_.limits[0]
    count = _COUNT if first == 1 else _COUNT + 1 - first
    parts: Expr = sympy.S.Zero
    for term in sympy.Add.make_args(sympy.expand(body)):
        factor, inside = term.as_independent(index, as_Add=False)
        parts += factor * (count if inside == 1 else Sum(inside, (index, first, _COUNT)))
    statement = eq(Sum(body, (index, first, _COUNT)), parts)
    others = {x: set_ for x, set_ in over(body).items() if x != index}
    general = by_recursion(statement, _COUNT, over=others)
    return rules.instance(general, {_COUNT: last}, over={**others, **over(last)})


@cache
def triangle(a: Any, index: Symbol, last: Expr) -> Theorem:
    """The size of a sum is at most the sum of the sizes."""
    statement = le(Abs(total(a(index), index, _COUNT)), total(Abs(a(index)), index, _COUNT))
    others = {x: set_ for x, set_ in over(a(index)).items() if x != index}
    general = by_recursion(statement, _COUNT, over=others)
    return rules.instance(general, {_COUNT: last}, over={**others, **over(last)})


@cache
def cauchy_schwarz(a: Any, b: Any, index: Symbol, last: Expr) -> Theorem:
    """The square of a sum of products a(k) b(k) is at most the product of the sums of squares."""
    terms = (a(index) * b(index), a(index) ** 2, b(index) ** 2)
    products, first, second = (total(term, index, _COUNT) for term in terms)
    statement = both(le(products**2, first * second), ge(first, 0), ge(second, 0))
    others = {x: set_ for x, set_ in over(*terms).items() if x != index}
    general = by_recursion(statement, _COUNT, over=others)
    return rules.instance(general, {_COUNT: last}, over={**others, **over(last)})

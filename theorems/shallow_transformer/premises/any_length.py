"""Sums over any number of terms, by induction: relations added up, numbers taken out.

``ranges`` finds the sets of the letters that occur, ``as_declared`` or ``in_networks``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any, TypeAlias

import sympy
from sympy import Expr, Range, Set, Sum, Symbol, oo
from sympy.logic.boolalg import Boolean

from theorems.engine import eq, ge, implies, le
from theorems.engine.rules import Theorem, follows, induction, instance, sums

__all__ = [
    "COUNT",
    "added",
    "by_recursion",
    "each_at_most_the_sum",
    "linear",
    "multiplied_out",
    "total",
    "weakened",
]

#: A way to find the sets of the letters that occur in relations.
Ranges: TypeAlias = Callable[..., dict[Symbol, Set]]

COUNT = Symbol("number of terms", integer=True, nonnegative=True)
#: Up to so many terms Z3 takes a sum apart at once.
_FEW = 3
#: Terms with so many operations are nothing that Z3 should look into.
_SHORT = 12


def total(term: Expr, index: Symbol, last: Expr) -> Sum:
    """The sum over the index from 1 on."""
    return Sum(term, (index, 1, last))


def weakened(statement: Any) -> Any:
    """The kind of relation that sums have: a sum of no terms is not less than another."""
    weak = {sympy.Lt: sympy.Le, sympy.Gt: sympy.Ge}
    return weak.get(type(statement), type(statement))


def added(theorem: Theorem, index: Symbol, last: Expr, ranges: Ranges) -> Theorem:
    """A relation between the terms at every index from 1 on, added up to the last one."""
    others = {x: set_ for x, set_ in theorem.over.items() if x != index}
    each = instance(theorem, {index: COUNT + 1})
    sides = [total(one, index, COUNT) for one in theorem.statement.args]
    relation, known = weakened(theorem.statement), [each]
    if any(sympy.count_ops(one) > _SHORT for one in theorem.statement.args):
        known.append(_growth(sides, each, relation))
    grown = by_recursion(relation(*sides, evaluate=False), known, others, theorem.under)
    return instance(grown, {COUNT: last}, over={**others, **ranges(last)})


def _growth(sides: Sequence[Expr], each: Theorem, relation: Any) -> Theorem:
    """Sums that gain related terms stay related, whatever these terms are: letters meanwhile."""
    names = sympy.symbols("left right", real=True)
    longer = [one.xreplace({COUNT: COUNT + 1}) for one in sides]
    gains = [eq(one, side + name) for one, side, name in zip(longer, sides, names, strict=True)]
    under = [*gains, type(each.statement)(*names), relation(*sides, evaluate=False)]
    over = {**each.over, **dict.fromkeys(names, sympy.S.Reals)}
    lemma = follows(relation(*longer, evaluate=False), over=over, under=under)
    return instance(lemma, dict(zip(names, each.statement.args, strict=True)))


def each_at_most_the_sum(
    nonnegative: Theorem, index: Symbol, place: Expr, last: Expr, ranges: Ranges
) -> Theorem:
    """A term that is at least 0 like all others is at most the sum: f(p) ≤ Σ f if p ≤ last.

    ``nonnegative`` says 0 ≤ f for every index from 1 on.  By induction on the terms after p.
    """
    term = nonnegative.statement.gts
    others = {x: set_ for x, set_ in nonnegative.over.items() if x != index}
    places = {**others, **ranges(place)}
    counted = {**places, COUNT: Range(oo)}

    def at(there: Expr) -> Theorem:
        return instance(nonnegative, {index: there}, over=counted)

    before = by_recursion(ge(total(term, index, COUNT), 0), [at(COUNT + 1)], others)
    begun, longer = total(term, index, place), total(term, index, place + COUNT)
    base = [sums.last_term(begun), instance(before, {COUNT: place - 1})]
    gained = sums.last_term(longer.xreplace({COUNT: COUNT + 1}))
    here = term.xreplace({index: place})
    grown = induction(le(here, longer), COUNT, 0, base=base, step=[gained, at(place + COUNT + 1)])
    inside = [le(place, last)]
    whole = instance(grown, {COUNT: last - place}, under=inside)
    return follows(implies(le(place, last), le(here, total(term, index, last))), [whole])


@cache
def linear(sum_: Sum, ranges: Ranges) -> Theorem:
    """Numbers come out of a sum, and a sum of sums is taken apart."""
    body, (index, first, last) = sum_.args[0], sum_.limits[0]

    def upto(inside: Expr) -> Expr:
        return COUNT + 1 - first if inside == 1 else Sum(inside, (index, first, COUNT))

    terms = sympy.Add.make_args(multiplied_out(body))
    split = [one.as_independent(index, as_Add=False) for one in terms]
    parts = sympy.Add(*(factor * upto(inside) for factor, inside in split))
    others = {x: set_ for x, set_ in ranges(body).items() if x != index}
    factors = [one for one in split if len(terms) > _FEW and not one[0].is_number]
    scaled = [_scaled(factor, inside, upto(inside), index, ranges) for factor, inside in factors]
    general = by_recursion(eq(Sum(body, (index, first, COUNT)), parts), scaled, others)
    return instance(general, {COUNT: last}, over={**others, **ranges(last)})


def _scaled(factor: Expr, inside: Expr, upto: Expr, index: Symbol, ranges: Ranges) -> Theorem:
    """A number times a sum that gains a term, multiplied out, so that Z3 need not do it."""
    return instance(_times_a_sum(inside, upto, index, ranges), {_FACTOR: factor})


#: A letter for a number, so that Z3 need not look into it.
_FACTOR = Symbol("factor", real=True)


@cache
def _times_a_sum(inside: Expr, upto: Expr, index: Symbol, ranges: Ranges) -> Theorem:
    over = {x: set_ for x, set_ in ranges(inside).items() if x != index}
    longer = upto.xreplace({COUNT: COUNT + 1})
    known = [_last_term(longer, frozenset(over.items()))] if inside != 1 else []
    sum_ = known[0].statement.rhs if known else longer
    return follows(eq(_FACTOR * longer, sympy.expand_mul(_FACTOR * sum_)), known)


def by_recursion(
    statement: Boolean, premises: Iterable[Theorem], over: Mapping[Symbol, Set], under: Iterable[Boolean] = ()
) -> Theorem:
    """A relation between sums up to the number of terms, by induction, as ``sums.by_recursion``.

    What a sum gains by a term is asked once for all statements.  Premises are about the next term.
    """
    found = sorted(statement.atoms(Sum), key=sympy.default_sort_key)
    upto = [one for one in found if COUNT in one.limits[0][2].free_symbols]
    base, step = [], []
    for one in upto:
        letters = frozenset((x, set_) for x, set_ in over.items() if x in one.free_symbols)
        base.append(_no_terms(one.xreplace({COUNT: sympy.S.Zero}), letters))
        step.append(_last_term(one.xreplace({COUNT: COUNT + 1}), letters))
    known = [*step, *premises]
    return induction(statement, COUNT, 0, base=base, step=known, over=over, under=under)


@cache
def _no_terms(sum_: Sum, over: frozenset[tuple[Symbol, Set]]) -> Theorem:
    return sums.spelled_out(sum_, over=dict(over))


@cache
def _last_term(sum_: Sum, over: frozenset[tuple[Symbol, Set]]) -> Theorem:
    return sums.last_term(sum_, over={**dict(over), COUNT: Range(oo)})


def multiplied_out(body: Expr) -> Expr:
    """The body as a sum of products, sums inside of it as they are."""
    inner = {one: sympy.Dummy(real=True) for one in body.atoms(Sum)}
    outermost = body.subs(inner) if inner else body
    return sympy.expand(outermost).xreplace({name: one for one, name in inner.items()})

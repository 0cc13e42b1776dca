"""Sums over any number of terms, by induction: relations added up, numbers taken out.

``ranges`` finds the sets of the letters that occur, ``as_declared`` or ``in_networks``.
"""

from functools import cache
from typing import Any

import sympy
from sympy import Expr, Range, Sum, Symbol, oo
from sympy.core.relational import Relational

from theorems.engine import eq
from theorems.engine.rules import Theorem, follows, instance, sums
from theorems.shallow_transformer.premises.named import Ranges

COUNT = Symbol("number of terms", integer=True, nonnegative=True)
#: Up to so many terms Z3 takes a sum apart at once.
_FEW = 3


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
    each = instance(theorem, {index: COUNT + 1}, over={**others, COUNT: Range(oo)})
    sides = (total(side, index, COUNT) for side in theorem.statement.args)
    statement: Relational = weakened(theorem.statement)(*sides, evaluate=False)
    grown = sums.by_recursion(statement, COUNT, premises=[each], over=others, under=theorem.under)
    return instance(grown, {COUNT: last}, over={**others, **ranges(last)})


@cache
def linear(sum_: Sum, ranges: Ranges) -> Theorem:
    """Numbers come out of a sum, and a sum of sums is taken apart."""
    body, (index, first, last) = sum_.args[0], sum_.limits[0]

    def upto(inside: Expr) -> Expr:
        return COUNT + 1 - first if inside == 1 else Sum(inside, (index, first, COUNT))

    terms = sympy.Add.make_args(_multiplied_out(body))
    split = [one.as_independent(index, as_Add=False) for one in terms]
    parts = sympy.Add(*(factor * upto(inside) for factor, inside in split))
    others = {x: set_ for x, set_ in ranges(body).items() if x != index}
    whole = Sum(body, (index, first, COUNT))
    if len(terms) <= _FEW:
        general = sums.by_recursion(eq(whole, parts), COUNT, over=others)
    else:
        apart = eq(whole, sympy.Add(*(Sum(one, (index, first, COUNT)) for one in terms)))
        known = [sums.by_recursion(apart, COUNT, over=others)]
        for factor, inside in split:
            if factor != 1 or inside == 1:
                known.append(_factor_out(factor, inside, index, first, upto(inside), ranges))
        general = follows(eq(whole, parts), known, over={**others, COUNT: Range(oo)})
    return instance(general, {COUNT: last}, over={**others, **ranges(last)})


def _factor_out(
    factor: Expr, inside: Expr, index: Symbol, first: Expr, rest: Expr, ranges: Ranges
) -> Theorem:
    """A number comes out of a sum; a letter stands for it, so that Z3 need not look into it."""
    letter = Symbol("factor", real=True)
    over = {x: set_ for x, set_ in ranges(inside).items() if x != index}
    statement = eq(Sum(letter * inside, (index, first, COUNT)), letter * rest)
    general = sums.by_recursion(statement, COUNT, over={**over, letter: sympy.S.Reals})
    return instance(general, {letter: factor}, over={**over, **ranges(factor)})


def _multiplied_out(body: Expr) -> Expr:
    """The body as a sum of products, sums inside of it as they are."""
    inner = {one: sympy.Dummy(real=True) for one in body.atoms(Sum)}
    outermost = body.subs(inner) if inner else body
    return sympy.expand(outermost).xreplace({name: one for one, name in inner.items()})

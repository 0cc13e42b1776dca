"""What proofs of Facts 1 to 3 use again and again: sums over any number of tokens, by induction.

The softmax weights are positive and add up to one, by their definition; numbers come out of sums,
and relations between terms are added up.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any

import sympy
from sympy import Expr, Range, Sum, Symbol, oo
from sympy.logic.boolalg import Boolean

from symbolic.derivation import Derivation, Step
from theorems.engine import Given, both, eq, gt, implies, le
from theorems.engine.rules import Theorem, follows, induction, instance, sums
from theorems.engine.statements.letters import NamedFunction
from theorems.engine.statements.values import rebuilt, unfolded
from theorems.shallow_transformer.letters.paper import T
from theorems.shallow_transformer.letters.token import t, token, total, weight
from theorems.shallow_transformer.premises import any_length
from theorems.shallow_transformer.premises.any_length import COUNT
from theorems.shallow_transformer.premises.named import ONE_HEAD, as_declared


@cache
def positive(of: type[NamedFunction] = weight, index: Symbol = t) -> Theorem:
    """Each weight is positive."""
    return ONE_HEAD.follows(_softmax(of, index), goal=gt(of(index, T), 0))


@cache
def normalised(of: type[NamedFunction] = weight) -> Theorem:
    """The weights add up to one."""
    each = added(_softmax(of, t), t, T)
    return ONE_HEAD.follows(each, linear(each.statement.rhs), goal=eq(total(of(t, T)), 1))


def _softmax(of: type[NamedFunction], index: Symbol) -> Theorem:
    term = of(index, T)
    return ONE_HEAD.meaning("softmax weights", eq(term, term.unfolded()))


def generalised(
    goal: Boolean, premises: Iterable[Theorem], *terms: Expr, under: Iterable[Boolean] = ()
) -> Theorem:
    """A goal from premises, both for any numbers in place of some terms: that is easier for Z3."""
    known, extra = list(premises), tuple(under)
    names = {one: Symbol(f"term {number}", real=True) for number, one in enumerate(terms)}

    def named(statement: Boolean) -> Boolean:
        return rebuilt(statement, names)

    given = [*map(named, extra)]
    for one in known:
        given += [named(one.statement), *map(named, one.under)] if not one.under else []
    guarded = [one for one in known if one.under]
    given += [sympy.Implies(sympy.And(*map(named, one.under)), named(one.statement)) for one in guarded]
    sides = named(goal)
    dict.fromkeys(names.values(), sympy.S.Reals)
    lemma = follows(sides, under=given)
    there = {name: one for one, name in names.items()}
    general = instance(lemma, there, over=as_declared(goal, *given, *terms))
    return ONE_HEAD.follows(general, *known, goal=goal, under=extra)


def linear(sum_: Sum) -> Theorem:
    """Numbers come out of a sum, and a sum of sums is taken apart."""
    return any_length.linear(sum_, as_declared)


def taken_apart(*things: Any) -> list[Theorem]:
    """Each sum in expressions, relations or theorems as a combination of sums of monomials."""
    terms = [getattr(one, "statement", one) for one in things]
    found: set[Sum] = set().union(*(one.atoms(Sum) for one in terms))
    return [linear(one) for one in sorted(found, key=sympy.default_sort_key) if _has_parts(one)]


def _has_parts(sum_: Sum) -> bool:
    """Whether a sum is more than that of one product without factors that come out of it."""
    body, index = any_length.multiplied_out(sum_.args[0]), sum_.limits[0][0]
    _, inside = body.as_independent(index, as_Add=False)
    return isinstance(body, sympy.Add) or inside != sum_.args[0]


def added(theorem: Theorem, index: Symbol = t, last: Expr = T) -> Theorem:
    """A relation between the terms at every index from 1 on, added up to the last one."""
    sides = theorem.statement.args
    constant = [one for one in sides if index not in one.free_symbols]
    grown = [any_length.added(theorem, index, last, as_declared)]
    grown += [linear(total(one, index, last)) for one in constant]
    ends = [one * last if one in constant else total(one, index, last) for one in sides]
    goal = any_length.weakened(theorem.statement)(*ends, evaluate=False)
    if not constant and goal == grown[0].statement:
        return grown[0]
    return ONE_HEAD.follows(*grown, goal=goal, under=theorem.under)


def by_pairs(pairs: Sum, whole: Expr) -> Theorem:
    """A sum over pairs s < t of tokens is an expression in sums over tokens up to the last one.

    ``pairs`` is Sum(.. Sum(.., (s, 1, t - 1)), (t, 1, T)); both sides start at 0 and grow by the
    same when a token is added.
    """
    (inner,) = pairs.args[0].atoms(Sum)
    others = as_declared(whole, pairs)
    row = instance(linear(inner), {t: COUNT + 1})

    def upto(expression: Expr) -> Expr:
        shorter = {
            one: one.func(one.args[0], (*one.limits[0][:2], COUNT))
            for one in expression.atoms(Sum)
            if one.limits[0][2] == T
        }
        return expression.xreplace(shorter)

    statement = eq(upto(whole), upto(pairs))
    return instance(any_length.by_recursion(statement, [row], others), {COUNT: T})


def sum_of_squares(pairs: Sum) -> Theorem:
    """A sum over pairs of tokens of products of weights and squares is at least 0."""
    (row,) = pairs.args[0].atoms(Sum)
    index = row.limits[0][0]
    term = ONE_HEAD.follows(positive(), positive(index=index), goal=le(0, row.args[0]))
    outer = ONE_HEAD.follows(added(term, index, t - 1), positive(), goal=le(0, pairs.args[0]))
    return added(outer)


def each_at_most_the_sum(nonnegative: Theorem) -> Theorem:
    """A term that is at least 0 like all others is at most the sum: f(token) ≤ Σ f for token ≤ T.

    ``nonnegative`` says 0 ≤ f(t) for every t.
    """
    return any_length.each_at_most_the_sum(nonnegative, t, token, T, as_declared)


def differentiated(given: Given) -> Theorem:
    """A derivative on the left side, carried out and rearranged to the right side."""
    goal = unfolded(given.goal)
    steps = [Step(goal.lhs.doit(), "differentiate"), Step(goal.rhs, "rearrange")]
    name, title = r"\partial", "A derivative"
    return given.derived(Derivation(title=title, name=name, start=goal.lhs, steps=steps))


def indicator(unit: Any) -> Theorem:
    """A function e that is 1 at one token and 0 at all others."""
    there, elsewhere = implies(eq(t, token), eq(unit(t), 1)), implies(sympy.Ne(t, token), eq(unit(t), 0))
    return ONE_HEAD.meaning("1 for one token, 0 for all others", both(there, elsewhere))


def at_one_token(unit: Any, of: Expr) -> Theorem:
    """Σ f(t)e(t) = f(token) for token ≤ T, where e is 1 at this token and 0 at all others.

    By induction: the sum over the first tokens is 0 until this token is among them.
    """
    here = of.xreplace({t: token})
    only = indicator(unit)
    cases = [eq(t, token), eq(of * unit(t), here)], [sympy.Ne(t, token), eq(of * unit(t), 0)]
    each = [ONE_HEAD.follows(only, goal=implies(*case)) for case in cases]
    over, term = as_declared(here, token), of * unit(t)
    none = implies(sympy.Lt(COUNT, token), eq(any_length.total(term, t, COUNT), 0))
    before = any_length.by_recursion(none, [instance(each[1], {t: COUNT + 1})], over)
    begun, longer = any_length.total(term, t, token), any_length.total(term, t, token + COUNT)
    base = [sums.last_term(begun), instance(before, {COUNT: token - 1}), instance(each[0], {t: token})]
    gained = sums.last_term(longer.xreplace({COUNT: COUNT + 1}))
    later = instance(each[1], {t: token + COUNT + 1}, over={**over, COUNT: Range(oo)})
    grown = induction(eq(longer, here), COUNT, 0, base=base, step=[gained, later])
    whole = instance(grown, {COUNT: T - token}, under=[le(token, T)])
    return ONE_HEAD.follows(whole, goal=implies(le(token, T), eq(total(term), here)))

"""What proofs of Facts 1 to 3 use again and again: sums over any number of tokens, by induction.

The softmax weights are positive and add up to one, by their definition; numbers come out of sums,
and relations between terms are added up.
"""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

import sympy
from sympy import Expr, Range, Set, Sum, Symbol, oo
from sympy.logic.boolalg import Boolean

from symbolic.derivation import Derivation, Step
from theorems.engine import Given, eq, gt, le, rules
from theorems.engine.rules import Theorem, follows, instance, sums
from theorems.engine.statements.letters import NamedFunction
from theorems.engine.statements.values import rebuilt, unfolded
from theorems.shallow_transformer.letters.paper import T
from theorems.shallow_transformer.letters.token import t, token, total, weight
from theorems.shallow_transformer.premises import any_length
from theorems.shallow_transformer.premises.any_length import COUNT
from theorems.shallow_transformer.premises.named import as_declared
from theorems.shallow_transformer.premises.tokens import stands_for, textbook_says


@cache
def positive(of: type[NamedFunction] = weight, index: Symbol = t) -> Theorem:
    """Each weight is positive."""
    return termwise(gt(of(index, T), 0), [_softmax(of, index)])


@cache
def normalised(of: type[NamedFunction] = weight) -> Theorem:
    """The weights add up to one."""
    each = added(_softmax(of, t), t, T)
    return termwise(eq(total(of(t, T)), 1), [each, linear(each.statement.rhs)])


def _softmax(of: type[NamedFunction], index: Symbol) -> Theorem:
    term = of(index, T)
    return stands_for("softmax weights", eq(term, term.unfolded()))


def termwise(goal: Boolean, premises: Iterable[Theorem]) -> Theorem:
    """A relation, for every token perhaps, from premises."""
    return follows(goal, list(premises), over=as_declared(goal))


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
    given += [
        sympy.Implies(sympy.And(*map(named, one.under)), named(one.statement)) for one in guarded
    ]
    sides = named(goal)
    letters = dict.fromkeys(names.values(), sympy.S.Reals)
    lemma = follows(sides, over={**as_declared(sides, *given), **letters}, under=given)
    there = {name: one for one, name in names.items()}
    general = instance(lemma, there, over=as_declared(goal, *given, *terms))
    return follows(goal, [general, *known], over=as_declared(goal), under=extra)


def linear(sum_: Sum) -> Theorem:
    """Numbers come out of a sum, and a sum of sums is taken apart."""
    return any_length.linear(sum_, as_declared)


def taken_apart(*things: Any) -> list[Theorem]:
    """Each sum in expressions, relations or theorems as a combination of sums of monomials."""
    terms = [getattr(one, "statement", one) for one in things]
    found: set[Sum] = set().union(*(one.atoms(Sum) for one in terms))
    return [linear(one) for one in sorted(found, key=sympy.default_sort_key)]


def added(theorem: Theorem, index: Symbol = t, last: Expr = T) -> Theorem:
    """A relation between the terms at every index from 1 on, added up to the last one.

    Terms that are long have names of their own meanwhile, so that Z3 need not look into them.
    """
    sides = theorem.statement.args
    names = [_name(one, theorem.over) for one in sides]
    known = [one for one in names if one is not None]
    short = [
        s if name is None else name.statement.lhs for s, name in zip(sides, names, strict=True)
    ]
    each = theorem
    if known:
        named = type(theorem.statement)(*short, evaluate=False)
        long = [one for one, name in zip(sides, names, strict=True) if name is not None]
        each = generalised(named, [theorem, *known], *long, under=theorem.under)
    grown = [any_length.added(one, index, last, as_declared) for one in (each, *known)]
    constant = [one for one in sides if index not in one.free_symbols]
    grown += [linear(total(one, index, last)) for one in constant]
    ends = [one * last if one in constant else total(one, index, last) for one in sides]
    over = {x: set_ for x, set_ in theorem.over.items() if x != index} | as_declared(last)
    goal = any_length.weakened(theorem.statement)(*ends, evaluate=False)
    return follows(goal, grown, over=over, under=theorem.under)


def _name(side: Expr, over: Mapping[Symbol, Set]) -> Theorem | None:
    """A name for a long term in numbers."""
    letters = sorted(side.free_symbols, key=str)
    if sympy.count_ops(side) <= _SHORT or any(hasattr(x, "belongs_to") for x in letters):
        return None
    named = sympy.Function(str(side), real=True)(*letters)
    return rules.defined(named, side, over={x: over[x] for x in letters})


_SHORT = 4


def by_pairs(pairs: Sum, whole: Expr) -> Theorem:
    """A sum over pairs s < t of tokens is an expression in sums over tokens up to the last one.

    ``pairs`` is Sum(.. Sum(.., (s, 1, t - 1)), (t, 1, T)); both sides start at 0 and grow by the
    same when a token is added.
    """
    (inner,) = pairs.args[0].atoms(Sum)
    others = as_declared(whole, pairs)
    row = instance(linear(inner), {t: COUNT + 1}, over={**others, COUNT: Range(oo)})

    def upto(expression: Expr) -> Expr:
        shorter = {
            one: one.func(one.args[0], (*one.limits[0][:2], COUNT))
            for one in expression.atoms(Sum)
            if one.limits[0][2] == T
        }
        return expression.xreplace(shorter)

    statement = eq(upto(whole), upto(pairs))
    grown = sums.by_recursion(statement, COUNT, premises=[row], over=others)
    return instance(grown, {COUNT: T}, over=others)


def sum_of_squares(pairs: Sum) -> Theorem:
    """A sum over pairs of tokens of products of weights and squares is at least 0."""
    (row,) = pairs.args[0].atoms(Sum)
    index = row.limits[0][0]
    term = termwise(le(0, row.args[0]), [positive(), positive(index=index)])
    outer = termwise(le(0, pairs.args[0]), [added(term, index, t - 1), positive()])
    return added(outer)


def each_at_most_the_sum(nonnegative: Theorem) -> Theorem:
    """A term that is at least 0 like all others is at most the sum: f(token) ≤ Σ f for token ≤ T.

    ``nonnegative`` says 0 ≤ f(t) for every t.  Z3 does not see that an integer at most n + 1 is at
    most n or equal to n + 1, so that the fact is taken over from the textbooks.
    """
    rules.genuine(nonnegative)
    term = nonnegative.statement.gts
    whole = sympy.Le(term.xreplace({t: token}), total(term), evaluate=False)
    statement = sympy.Implies(token <= T, whole)
    name = "a sum of terms that are not negative is at least each of them"
    fact = textbook_says(name, statement)
    return termwise(statement, [fact, nonnegative])


def differentiated(given: Given) -> Theorem:
    """A derivative on the left side, carried out and rearranged to the right side."""
    goal = unfolded(given.goal)
    steps = [Step(goal.lhs.doit(), "differentiate"), Step(goal.rhs, "rearrange")]
    name, title = r"\partial", "A derivative"
    return given.derived(Derivation(title=title, name=name, start=goal.lhs, steps=steps))

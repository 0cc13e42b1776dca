"""What proofs of Facts 1 to 3 use again and again: sums over any number of tokens, by induction.

The softmax weights are positive and add up to one, by their definition; numbers come out of sums,
and relations between terms are added up.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import sympy
from sympy import Expr, Range, Set, Sum, Symbol, oo
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean

from symbolic.derivation import Derivation, Step
from theorems.engine import Given, eq, gt, rules
from theorems.engine.letters import NamedFunction
from theorems.engine.rules import Theorem, follows, instance, sums
from theorems.engine.values import unfolded
from theorems.shallow_transformer.letters import T
from theorems.shallow_transformer.token_letters import t, token, total, weight

Over = Mapping[Symbol, Set]

TOKENS: dict[Symbol, Set] = {t: Range(1, oo)}
LENGTH: dict[Symbol, Set] = {T: Range(1, oo)}
_COUNT = Symbol("number of terms", integer=True, nonnegative=True)


def positive(of: type[NamedFunction] = weight) -> Theorem:
    """Each weight is positive."""
    return follows(gt(of(t, T), 0), [_softmax(of)], over={**TOKENS, **LENGTH})


def normalised(of: type[NamedFunction] = weight) -> Theorem:
    """The weights add up to one."""
    each = added(_softmax(of), t, T)
    shares = linear(each.statement.rhs)
    return follows(eq(total(of(t, T)), 1), [each, shares], over=LENGTH)


def _softmax(of: type[NamedFunction]) -> Theorem:
    term = of(t, T)
    return rules.textbook("definition of softmax", eq(term, term.unfolded()), over=TOKENS | LENGTH)


def linear(sum_: Sum, over: Over = LENGTH) -> Theorem:
    """Numbers come out of a sum from 1 on, and a sum of sums is taken apart.

    ``over`` has the sets of all letters but the index.
    """
    body, (index, _, last) = sum_.args[0], sum_.limits[0]
    parts: Expr = sympy.S.Zero
    for term in sympy.Add.make_args(sympy.expand(body)):
        factor, inside = term.as_independent(index, as_Add=False)
        parts += factor * (_COUNT if inside == 1 else total(inside, index, _COUNT))
    statement = eq(total(body, index, _COUNT), parts)
    others = {x: set_ for x, set_ in over.items() if x in body.free_symbols - {index}}
    general = sums.by_recursion(statement, _COUNT, over=others)
    return instance(general, {_COUNT: last}, over={**over})


def added(theorem: Theorem, index: Symbol, last: Expr, over: Over = LENGTH) -> Theorem:
    """A relation between the terms at every index from 1 on, added up to the last one."""
    left, right = theorem.statement.args
    weak = {sympy.Lt: sympy.Le, sympy.Gt: sympy.Ge}
    relation = weak.get(type(theorem.statement), type(theorem.statement))
    others = {x: set_ for x, set_ in theorem.over.items() if x != index}
    counted = {_COUNT: Range(oo)}
    each = instance(theorem, {index: _COUNT + 1}, over={**others, **counted})
    statement: Relational = relation(
        total(left, index, _COUNT), total(right, index, _COUNT), evaluate=False
    )
    grown = sums.by_recursion(statement, _COUNT, premises=[each], over=others, under=theorem.under)
    return instance(grown, {_COUNT: last}, over={**others, **over})


def taken_apart(*expressions: Any, over: Over = LENGTH) -> list[Theorem]:
    """Each sum in the expressions as a combination of sums of monomials."""
    found: set[Sum] = set().union(*(one.atoms(Sum) for one in expressions))
    return [linear(one, over) for one in sorted(found, key=sympy.default_sort_key)]


def expanded(given: Given, *premises: Theorem, of: type[NamedFunction] = weight) -> Theorem:
    """An identity between means: expand the sums, whose weights add up to one."""
    goal = given.goal
    return given.follows(normalised(of), *taken_apart(goal), *premises, goal=goal)


def differentiated(given: Given) -> Theorem:
    """A derivative on the left side, carried out and rearranged to the right side."""
    goal = unfolded(given.goal)
    steps = [Step(goal.lhs.doit(), "differentiate"), Step(goal.rhs, "rearrange")]
    name, title = r"\partial", "A derivative"
    return given.derived(Derivation(title=title, name=name, start=goal.lhs, steps=steps))


def termwise(goal: Boolean, premises: Iterable[Theorem], over: Over | None = None) -> Theorem:
    """A relation between the terms of every token."""
    return follows(goal, list(premises), over={**TOKENS, **LENGTH, **(over or {})})


def by_pairs(of_pair: Expr, whole: Expr, over: Over = LENGTH) -> Theorem:
    """A sum over pairs s < t of tokens is an expression in sums over tokens up to the last one.

    ``of_pair`` is Sum(.. Sum(.., (s, 1, t - 1)), (t, 1, T)); ``whole`` has sums up to T as well.
    Both are T-independent but for the last token, and grow by the same when a token is added.
    """
    inner = next(one for one in of_pair.args[0].atoms(Sum))
    row = instance(linear(inner, {**over, **TOKENS}), {t: _COUNT + 1}, over={_COUNT: Range(oo)})

    def upto(expression: Expr) -> Expr:
        ends = {one: one.func(one.args[0], (*one.limits[0][:2], _COUNT))
                for one in expression.atoms(Sum) if one.limits[0][2] == T}  # fmt: skip
        return expression.xreplace(ends)

    statement = eq(upto(whole), upto(of_pair))
    grown = sums.by_recursion(statement, _COUNT, premises=[row], over=over)
    return instance(grown, {_COUNT: T}, over=over)


def each_at_most_the_sum(nonnegative: Theorem) -> Theorem:
    """A term that is at least 0 like all others is at most the sum: f(token) ≤ Σ f for token ≤ T.

    ``nonnegative`` says 0 ≤ f(t) for every t.  Z3 does not see that an integer at most n + 1 is at
    most n or equal to n + 1, so that the fact is taken over from the textbooks.
    """
    rules.genuine(nonnegative)
    term = nonnegative.statement.gts
    whole = sympy.Le(term.xreplace({t: token}), total(term), evaluate=False)
    fact = rules.textbook(
        "a sum of terms that are not negative is at least each of them",
        sympy.Implies(token <= T, whole),
        over={token: Range(1, oo), **LENGTH},
    )
    return follows(fact.statement, [fact, nonnegative], over=fact.over)

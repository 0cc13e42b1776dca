"""What proofs of Facts 1 to 3 use again and again: sums over any number of tokens, by induction.

The softmax weights are positive and add up to one, by their definition; numbers come out of sums,
and relations between terms are added up.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
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
from theorems.shallow_transformer.premises.named import as_declared
from theorems.shallow_transformer.premises.tokens import stands_for, textbook_says

_COUNT = Symbol("number of terms", integer=True, nonnegative=True)


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


@cache
def linear(sum_: Sum) -> Theorem:
    """Numbers come out of a sum from 1 on, and a sum of sums is taken apart."""
    body, (index, _, last) = sum_.args[0], sum_.limits[0]
    terms = sympy.Add.make_args(_multiplied_out(body))
    split = [one.as_independent(index, as_Add=False) for one in terms]
    parts = sympy.Add(*(factor * _upto(inside, index) for factor, inside in split))
    others = {x: set_ for x, set_ in as_declared(body).items() if x != index}
    factors = [one for one in split if len(terms) > _FEW and not one[0].is_number]
    scaled = [_scaled(factor, inside, index) for factor, inside in factors]
    general = _by_recursion(eq(_upto(body, index), parts), scaled, over=others)
    return instance(general, {_COUNT: last}, over={**others, **as_declared(last)})


#: Up to so many terms Z3 takes a sum apart at once.
_FEW = 3


def _upto(inside: Expr, index: Symbol) -> Expr:
    return _COUNT if inside == 1 else total(inside, index, _COUNT)


def _scaled(factor: Expr, inside: Expr, index: Symbol) -> Theorem:
    """A number times a sum that gains a term, multiplied out, so that Z3 need not do it.

    A letter stands for the number meanwhile, so that Z3 need not look into it.
    """
    over = {x: set_ for x, set_ in as_declared(inside).items() if x != index}
    letter = Symbol("factor", real=True)
    longer = _upto(inside, index).xreplace({_COUNT: _COUNT + 1})
    known = [_last_term(longer, frozenset(over.items()))] if inside != 1 else []
    sum_ = known[0].statement.rhs if known else longer
    goal = eq(letter * longer, sympy.expand_mul(letter * sum_))
    general = follows(goal, known, over={**over, letter: sympy.S.Reals, _COUNT: Range(oo)})
    return instance(general, {letter: factor}, over={**over, **as_declared(factor)})


def _by_recursion(
    statement: Boolean,
    premises: Iterable[Theorem],
    *,
    over: Mapping[Symbol, Set],
    under: Iterable[Boolean] = (),
) -> Theorem:
    """A relation between sums up to the number of terms, by induction, as ``sums.by_recursion``.

    What a sum gains by a term is asked once for all statements.  Premises are about the next term.
    """
    found = sorted(statement.atoms(Sum), key=sympy.default_sort_key)
    upto = [one for one in found if _COUNT in one.limits[0][2].free_symbols]
    base, step = [], []
    for one in upto:
        letters = frozenset((x, set_) for x, set_ in over.items() if x in one.free_symbols)
        base.append(_no_terms(one.xreplace({_COUNT: sympy.S.Zero}), letters))
        step.append(_last_term(one.xreplace({_COUNT: _COUNT + 1}), letters))
    known = [*step, *premises]
    return rules.induction(statement, _COUNT, 0, base=base, step=known, over=over, under=under)


@cache
def _no_terms(sum_: Sum, over: frozenset[tuple[Symbol, Set]]) -> Theorem:
    return sums.spelled_out(sum_, over=dict(over))


@cache
def _last_term(sum_: Sum, over: frozenset[tuple[Symbol, Set]]) -> Theorem:
    return sums.last_term(sum_, over={**dict(over), _COUNT: Range(oo)})


def _multiplied_out(body: Expr) -> Expr:
    """The body as a sum of products, sums inside of it as they are."""
    inner = {one: sympy.Dummy(real=True) for one in body.atoms(Sum)}
    outermost = body.subs(inner) if inner else body
    return sympy.expand(outermost).xreplace({name: one for one, name in inner.items()})


def taken_apart(*things: Any) -> list[Theorem]:
    """Each sum in expressions, relations or theorems as a combination of sums of monomials."""
    terms = [getattr(one, "statement", one) for one in things]
    found: set[Sum] = set().union(*(one.atoms(Sum) for one in terms))
    return [linear(one) for one in sorted(found, key=sympy.default_sort_key) if _has_parts(one)]


def _has_parts(sum_: Sum) -> bool:
    """Whether a sum is more than that of one product without factors that come out of it."""
    body, index = _multiplied_out(sum_.args[0]), sum_.limits[0][0]
    _, inside = body.as_independent(index, as_Add=False)
    return isinstance(body, sympy.Add) or inside != sum_.args[0]


def added(theorem: Theorem, index: Symbol = t, last: Expr = T) -> Theorem:
    """A relation between the terms at every index from 1 on, added up to the last one."""
    weak = {sympy.Lt: sympy.Le, sympy.Gt: sympy.Ge}
    relation = weak.get(type(theorem.statement), type(theorem.statement))
    sides = theorem.statement.args
    constant = [one for one in sides if index not in one.free_symbols]
    grown = [_grown(theorem, relation, index, last)]
    grown += [linear(total(one, index, last)) for one in constant]
    ends = [one * last if one in constant else total(one, index, last) for one in sides]
    goal = relation(*ends, evaluate=False)
    if not constant and goal == grown[0].statement:
        return grown[0]
    over = {x: set_ for x, set_ in theorem.over.items() if x != index} | as_declared(last)
    return follows(goal, grown, over=over, under=theorem.under)


def _grown(theorem: Theorem, relation: Any, index: Symbol, last: Expr) -> Theorem:
    """The relation for sums of any length, by recursion."""
    others = {x: set_ for x, set_ in theorem.over.items() if x != index}
    each = instance(theorem, {index: _COUNT + 1}, over={**others, _COUNT: Range(oo)})
    sides = [total(one, index, _COUNT) for one in theorem.statement.args]
    known = [each]
    if any(sympy.count_ops(one) > _SHORT for one in theorem.statement.args):
        known.append(_growth(sides, each, relation))
    statement = relation(*sides, evaluate=False)
    grown = _by_recursion(statement, known, over=others, under=theorem.under)
    return instance(grown, {_COUNT: last}, over={**others, **as_declared(last)})


#: Terms with so many operations are nothing that Z3 should look into.
_SHORT = 12


def _growth(sides: Sequence[Expr], each: Theorem, relation: Any) -> Theorem:
    """Sums that gain related terms stay related, whatever these terms are: letters meanwhile."""
    names = sympy.symbols("left right", real=True)
    longer = [one.xreplace({_COUNT: _COUNT + 1}) for one in sides]
    gains = [eq(one, side + name) for one, side, name in zip(longer, sides, names, strict=True)]
    under = [*gains, type(each.statement)(*names), relation(*sides, evaluate=False)]
    over = {**each.over, **dict.fromkeys(names, sympy.S.Reals)}
    lemma = follows(relation(*longer, evaluate=False), over=over, under=under)
    return instance(lemma, dict(zip(names, each.statement.args, strict=True)), over=each.over)


def by_pairs(pairs: Sum, whole: Expr) -> Theorem:
    """A sum over pairs s < t of tokens is an expression in sums over tokens up to the last one.

    ``pairs`` is Sum(.. Sum(.., (s, 1, t - 1)), (t, 1, T)); both sides start at 0 and grow by the
    same when a token is added.
    """
    (inner,) = pairs.args[0].atoms(Sum)
    others = as_declared(whole, pairs)
    row = instance(linear(inner), {t: _COUNT + 1}, over={**others, _COUNT: Range(oo)})

    def upto(expression: Expr) -> Expr:
        shorter = {
            one: one.func(one.args[0], (*one.limits[0][:2], _COUNT))
            for one in expression.atoms(Sum)
            if one.limits[0][2] == T
        }
        return expression.xreplace(shorter)

    statement = eq(upto(whole), upto(pairs))
    grown = _by_recursion(statement, [row], over=others)
    return instance(grown, {_COUNT: T}, over=others)


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

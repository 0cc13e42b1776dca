"""Steps that recur in proofs about tails: hypotheses in symbols, exponents, double zeros."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any, ParamSpec, TypeVar, cast

import sympy
from sympy import Expr, Interval, Symbol, exp, sqrt
from sympy.logic.boolalg import Boolean

from theorems.engine import Given, Rounded, both, eq, ge, gt, half_line, implies, le, rules
from theorems.engine.rules import E, P, Theorem, facts, principles, probabilities

Over = Mapping[Symbol, Any]
_P = ParamSpec("_P")
_T = TypeVar("_T")


def remembered(make: Callable[_P, _T]) -> Callable[_P, _T]:
    """A function that keeps what it makes, for arguments that can be told apart."""
    kept: Callable[_P, _T] = cast(Any, cache(make))
    return kept


def letters_of(given: Given, *things: Any) -> dict[Symbol, Any]:
    """The letters that occur, each with its set: that of the claim, or its kind of object."""
    used: set[Symbol] = set().union(*(sympy.sympify(one).free_symbols for one in things))
    return {x: getattr(x, "belongs_to", None) or given.domain[x] for x in used}


def weakened(theorem: Theorem, exponent: Expr, *premises: Theorem, where: Iterable[Boolean] = ()) -> Theorem:
    """Weaken a bound exp(a) to exp(exponent), where a <= exponent follows from the premises.

    ``where`` are conditions under which both exponents are defined, if they are not everywhere;
    the premises say that they hold.
    """
    left, right = theorem.statement.args
    if not isinstance(right, exp):
        raise TypeError(f"the right side must be an exponential, got {right}")
    given, sharp, over = theorem.under, right.args[0], dict(theorem.over)
    smaller = rules.follows(le(sharp, exponent), premises, over=over, under=given)
    grows = facts.exponential_increases(exponent, sharp, over=over, under=[*given, *where])
    final = le(left, exp(exponent))
    return rules.follows(final, [theorem, smaller, grows, *premises], over=over, under=given)


def event_within(first: Boolean, second: Boolean, over: Over, under: Sequence[Boolean] = ()) -> Theorem:
    """P(first) <= P(second) for events about random variables, as the first implies the second.

    It may do so under conditions on numbers.
    """
    letters = {x: Symbol(f"value of {x}", real=True) for x in over if hasattr(x, "belongs_to")}
    values = dict.fromkeys(letters.values(), sympy.Reals)
    numbers = {x: range_ for x, range_ in over.items() if x not in letters}
    implied = rules.follows(
        implies(first.xreplace(letters), second.xreplace(letters)), over={**numbers, **values}, under=under
    )
    sure = probabilities.surely(implied, {value: letter for letter, value in letters.items()})
    larger = probabilities.implied_event(first, second, over=numbers)
    return rules.follows(le(P(first), P(second)), [larger, sure], over=over, under=under)


def surely(event: Boolean, other: Boolean, over: Over) -> Theorem:
    """If an event is almost sure, so is one that it implies."""
    over = {x: over[x] for x in event.free_symbols | other.free_symbols}
    known = [event_within(event, other, over), facts.probability(other)]
    return rules.follows(implies(eq(P(event), 1), eq(P(other), 1)), known)


def indicator(given: Given, one: Expr, *conclusions: Boolean, mean: Expr | None = None) -> Theorem:
    """What is almost surely 0 or 1, of a ``mean`` that may be given: the conclusions about it.

    They are about almost sure events, the mean, and that of the square, which is the same.
    """
    either, own = sympy.Or(eq(one, 0), eq(one, 1)), {one: one.belongs_to}
    moments = () if mean is None else (eq(E(one), mean),)
    said = given.meaning("an indicator, which is 0 or 1", eq(P(either), 1), *moments)
    sure = [part.lhs.args[0] for part in conclusions if isinstance(part.lhs, P)]
    known = [surely(either, event, own) for event in (*sure, eq(one**2, one))]
    known += [said, probabilities.equal_means(one**2, one)]
    return rules.follows(both(*conclusions), known, over=said.over)


def in_the_limit(bounds: Theorem, e: Symbol, scale: Expr) -> Theorem:
    """Infer p <= exp(-a) from p <= exp(-a(1 - e)) for all e in (0, 1), where a > 0 is the scale."""
    chance = bounds.statement.args[0]
    over, end = dict(bounds.over), exp(-scale)
    tangent = facts.exponential_above_tangent(-scale * e, over=over)
    split = facts.exponential_of_sum(-scale, -scale * (1 - e), -scale * e, over=over)
    near = le(chance * (1 - scale * e), end)
    linear = rules.follows(near, [bounds, tangent, split], over=over)
    close = (chance - end) / (chance * (2 * scale + 1))
    beyond = gt(chance, end)
    there = linear.at({e: close}, under=[beyond])
    rest = {x: range_ for x, range_ in over.items() if x != e}
    return rules.follows(le(chance, end), [there], over=rest)


def at_least_zero(function: Expr, letter: Symbol, zero: Any, bend: Theorem) -> Theorem:
    """A convex function with a double zero is at least 0, on both sides of the zero.

    ``bend`` says that the second derivative is at least 0, for the letter in an interval.
    """
    other = Symbol(f"other_{letter.name}", real=True)
    slope = sympy.diff(function, letter)
    growth = principles.increasing(bend, slope, letter, other)
    range_ = bend.over[letter]
    halves = []
    for side in (range_.intersect(Interval(zero, sympy.oo)), range_.intersect(_up_to(zero))):
        if isinstance(side, Interval):
            right = bool(side.start == zero)
            ends = {letter: zero, other: letter} if right else {other: zero}
            over = {**bend.over, letter: side}
            sign = slope >= 0 if right else slope <= 0
            signed = rules.follows(sign, [growth.at(ends, over=over)])
            moved = principles.increasing(signed, function, letter, other)
            from_zero = moved.at(ends)
            halves.append(rules.follows(ge(function, 0), [from_zero]))
    return rules.follows(ge(function, 0), halves, over=bend.over)


def _up_to(end: Any) -> Interval:
    return Interval(-sympy.oo, end)


def positive_moment(exponent: Expr, over: Over) -> Theorem:
    """The expectation of an exponential is positive, by Jensen's inequality."""
    place = Symbol("place", real=True)
    numbers = {x: over[x] for x in exponent.free_symbols if not hasattr(x, "belongs_to")}
    convex = rules.follows(sympy.true, over={place: sympy.Reals, **numbers})
    least = principles.jensen(convex, exp(place), place, exponent)
    return rules.follows(gt(E(exp(exponent)), 0), [least])


def logarithm_of_root(value: Expr, over: Over, under: Iterable[Boolean] = ()) -> Theorem:
    """log(value) = 2 log(root of value)."""
    root = sqrt(value)
    return facts.logarithm_of_product(root, root, over=over, under=under)


def same(left: Expr, right: Expr, over: Over, positive: Iterable[Expr] = ()) -> Theorem:
    """Two expressions that are equal by their normal forms, whatever the expectations in them.

    Those in ``positive`` are positive, which becomes a hypothesis.
    """
    statement, signed = eq(left, right), tuple(positive)
    values, ranges = {}, {}
    for number, node in enumerate(sorted(statement.atoms(E), key=sympy.default_sort_key)):
        value = Symbol(f"value_{number}", **({"positive": True} if node in signed else {"real": True}))
        values[value] = node
        ranges[value] = half_line(0, closed=False) if node in signed else sympy.Reals
    plain = statement.xreplace({node: value for value, node in values.items()})
    ranges |= {x: over[x] for x in plain.free_symbols - set(values)}
    equal = rules.decided(plain, over=ranges)
    return equal.at(values, over=over, under=[node > 0 for node in signed])


def probability_of_scipy(value: float) -> Rounded:
    """A probability that SciPy computes, good to ten digits unless it is too small to have any."""
    return Rounded(float(value), 1e-10 * float(value) + 1e-290)

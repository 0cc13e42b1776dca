"""Finite models in which a fact about vectors, matrices, random variables and events is tried.

A letter has a value there: a vector of space, a matrix, a number, or numbers at four outcomes.  A
fact that holds for all values of a letter does so in every model; one that holds for some value,
such as |v| = 1, says nothing of any other value.

>>> from theorems.engine.rules.vocabulary import Vector
>>> u, v = Vector("u"), Vector("v")
>>> over = {u: VECTORS, v: VECTORS}
>>> Tried(norm(u + v) <= norm(u) + norm(v), (), over).standing_for_something
set()
>>> Tried(sympy.Eq(norm(v), 1), (), over).standing_for_something
{v}
"""

import math
import random
from collections import Counter
from collections.abc import Callable, Iterable, Set
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Any

import numpy as np
import sympy
from sympy import Symbol
from sympy.core.function import AppliedUndef
from sympy.logic.boolalg import Boolean

from theorems.engine.rules.names import in_order
from theorems.engine.rules.ranges import Objects, Over
from theorems.engine.rules.vocabulary import (
    EVENTS,
    OPERATORS,
    RANDOM,
    VECTORS,
    E,
    P,
    act,
    chi_squared,
    density,
    derivative,
    frobenius,
    independent,
    inner,
    kolmogorov,
    norm,
    normal,
    opnorm,
)

__all__ = ["Tried"]

_OUTCOMES, _NEAR, _MODELS = range(4), 1e-7, 48
_CHANCES = (0.125, 0.375, 0.125, 0.375)
_STEPS = (0.0, 1.0, -1.0, 2.0, -2.0, 0.25)
_NUMBERS = (1, 0, -1, 2, -2, 3, 0.5, 0.25, -0.5, 1.5, 4, 9)

Model = dict[Any, Any]


@dataclass(frozen=True)
class Tried:
    """A fact with its conditions, which must hold for all values of the letters that are given."""

    statement: Boolean
    under: tuple[Boolean, ...]
    over: Over
    given: Set[Symbol] = frozenset()

    @cached_property
    def letters(self) -> dict[Symbol, Any]:
        """The ranges of the letters that occur."""
        used = self.statement.free_symbols.union(*(one.free_symbols for one in self.under))
        return {x: self.over[x] for x in in_order(self.over) if x in used}

    @cached_property
    def fact(self) -> Boolean:
        """The statement where its conditions hold."""
        return sympy.Implies(sympy.And(*self.under), self.statement, evaluate=False)

    @cached_property
    def models(self) -> list[Model]:
        """Values of the letters, if there is any thing among them that is no number."""
        things = any(isinstance(range_, Objects) for range_ in self.letters.values())
        return [*_models(self.fact, self.letters)] if things else []

    @cached_property
    def numbers(self) -> set[Symbol]:
        """The letters that are numbers, for all of which the fact must hold."""
        return {x for x, range_ in self.letters.items() if not isinstance(range_, Objects)}

    @cached_property
    def is_refuted(self) -> bool:
        """Whether the fact fails for some numbers and some of what is given, whatever the rest is.

        Others that are random may have laws that are none of the models, and an equation may hold
        for vectors and matrices that are in none: they are believed, but not what is said beside
        them of the numbers and the given letters alone.
        """
        whole = self.statement
        parts = whole.args if isinstance(whole, sympy.And) else ()
        return self._fails or any(replace(self, statement=one)._fails for one in parts)

    @property
    def _fails(self) -> bool:
        universal = self.numbers | {x for x in self.letters if x in self.given}
        rest = set(self.letters) - universal
        if any(self.letters[x] in {RANDOM, EVENTS} for x in rest):
            return False
        if not rest:
            return any(_truth(self.fact, one) is False for one in self.models)
        inequality = isinstance(self.statement, sympy.Le | sympy.Lt | sympy.Ge | sympy.Gt)
        return inequality and any(self._fails_at(one, universal) for one in self.models)

    def _fails_at(self, model: Model, universal: Set[Symbol]) -> bool:
        """Whether the fact fails for these values of some letters, whatever the others are."""
        here = {x: model[x] for x in universal}
        answers = {_truth(self.fact, {**other, **here}) for other in self.models}
        return False in answers and True not in answers

    @cached_property
    def standing_for_something(self) -> set[Symbol]:
        """The letters for some of whose values the fact is false, which may have other ones.

        It is asked of one letter after the other whether the fact may hold for all values of it
        and of the earlier ones, for some values of the later ones: numbers come first, then what is
        given.  What has no value in the models may hold for all values; and no law of the models
        may be that of random letters, so that numbers beside them may have all values.
        """
        letters, fact, models = self.letters, self.fact, self.models
        if all(_truth(fact, one) is not False for one in models):
            return set()
        laws = {RANDOM, EVENTS}.intersection(letters.values()) or fact.atoms(AppliedUndef)
        free = set(self.numbers) if laws else set()
        for letter in sorted(set(letters) - free, key=self._rank):
            if any(_holds_for_all(fact, one, models, free | {letter}) for one in models):
                free.add(letter)
        return set(letters) - free

    def _rank(self, letter: Symbol) -> tuple[int, bool, str]:
        own = letter in self.given
        return -1 if own else _RANKS.get(self.letters[letter], 0), not own, str(letter)


_RANKS = {VECTORS: 1, RANDOM: 3, OPERATORS: 4, EVENTS: 5}


def _holds_for_all(fact: Boolean, model: Model, models: list[Model], free: set[Symbol]) -> bool:
    """Whether a fact holds in a model whatever the values of letters that are free."""
    known = False
    for other in models:
        answer = _truth(fact, {**model, **{x: other[x] for x in free}})
        if answer is False:
            return False
        known = known or answer is True
    return known


def _models(fact: Boolean, letters: Over) -> Iterable[Model]:
    """Values of the letters, and of the functions at each place: in the first model all alike."""
    applied = in_order(fact.atoms(AppliedUndef))
    kinds = {**letters, **{one: getattr(one, "belongs_to", sympy.S.Reals) for one in applied}}
    for number in range(_MODELS):
        draw = random.Random(number)
        yield {x: _drawn(range_, draw, number) for x, range_ in kinds.items()}


def _drawn(range_: Any, draw: random.Random, number: int) -> Any:
    """A value: in the first two models zero or one, and all vectors are zero or the first axis."""
    if not isinstance(range_, Objects):
        return draw.choice(_inside(range_))
    some = [draw.choice(_STEPS) for _ in range(9)]
    if range_ == VECTORS:
        axis = draw.choice(np.vstack([np.eye(3), -np.eye(3)]))
        return np.eye(3)[0] * number if number < 2 else draw.choice([axis, np.array(some[:3])])
    if range_ == OPERATORS:
        scaled = np.eye(3) * draw.choice([1.0, 1.0, 0.0, 2.0])
        return np.eye(3) if number < 2 else draw.choice([scaled, np.array(some).reshape(3, 3)])
    if range_ == EVENTS:
        return [draw.random() < 0.5 for _ in _OUTCOMES]
    a, b, c, d = some[:4]
    shapes = ([a, a, a, a], [1.0, 1.0, -1.0, -1.0], [1.0, -1.0, 1.0, -1.0], [a, a, b, b])
    return [0.0] * 4 if number == 0 else draw.choice([*shapes, [a, b, a, b], [a, b, c, d]])


@cache
def _inside(range_: sympy.Set) -> list[float]:
    """A few numbers of a set."""
    found = [one for one in _NUMBERS if range_.contains(sympy.Rational(one)) == sympy.true]
    least = [float(range_.inf)] if range_.inf.is_finite and range_.inf in range_ else []
    return found or least or [math.nan]


def _truth(statement: Boolean, model: Model) -> bool | None:
    """Whether a statement is true in a model; None if it has no value there."""
    try:
        with np.errstate(all="ignore"):
            return bool(_value(statement, model, 0))
    except (ArithmeticError, LookupError, TypeError, ValueError):
        return None


def _value(node: Any, model: Model, at: int) -> Any:
    """The value of an expression or a statement at an outcome."""
    if node in model:
        found = model[node]
        return found[at] if isinstance(found, list) else found
    if isinstance(node, E | P):
        return sum(p * _value(node.args[0], model, one) for one, p in enumerate(_CHANCES))
    rule = _LAWS.get(node.func)
    if rule is not None:
        return rule(node.args, model)
    if not node.args:
        return bool(node) if node in (sympy.true, sympy.false) else float(node)
    if isinstance(node, sympy.Implies) and not _value(node.args[0], model, at):
        return True
    result = _RULES[node.func](*(_value(one, model, at) for one in node.args))
    if isinstance(result, complex) or (isinstance(result, float) and not math.isfinite(result)):
        raise ArithmeticError(f"{node} has no value")
    return result


def _are_zero(variables: tuple[Any, ...], model: Model) -> bool:
    """Whether variables are normal: of those with finitely many values, nothing but zero is."""
    return all(abs(_value(X, model, one)) < _NEAR for X in variables for one in _OUTCOMES)


def _is_chi_squared(arguments: tuple[Any, ...], model: Model) -> bool:
    """Whether a sum of m squares has this law: with finitely many values, only that of none."""
    X, m = arguments
    return _are_zero((X,), model) and _value(m, model, 0) == 0


def _are_independent(variables: tuple[Any, ...], model: Model) -> bool:
    """Whether values together are as likely as the product of their chances."""
    together: Counter[Any] = Counter()
    alone: list[Counter[Any]] = [Counter() for _ in variables]
    for at, chance in enumerate(_CHANCES):
        values = tuple(_value(X, model, at) for X in variables)
        together[values] += chance  # type: ignore[assignment]
        for one, value in zip(alone, values, strict=True):
            one[value] += chance  # type: ignore[assignment]
    places: list[tuple[Any, ...]] = [()]
    for one in alone:
        places = [(*place, value) for place in places for value in one]
    chances = (math.prod(c[x] for c, x in zip(alone, place, strict=True)) for place in places)
    return all(abs(together[x] - p) < _NEAR for x, p in zip(places, chances, strict=True))


def _is_derivative(parts: tuple[Any, ...], model: Model) -> bool:
    """Whether quotients of small differences are near the rate, at some places inside."""
    rate, value, running, interval = parts
    if any(running in one.free_symbols for one in (rate + value).atoms(AppliedUndef)):
        raise LookupError(f"{value} has no values")
    inside = interval.interior
    places = [one for one in _inside(interval) if one - _STEP in inside and one + _STEP in inside]
    for place in places:
        ends = [_value(value, {**model, running: place + step}, 0) for step in (-_STEP, _STEP)]
        slope = _value(rate, {**model, running: place}, 0)
        if abs((ends[1] - ends[0]) / (2 * _STEP) - slope) > _ROUGHLY * max(1.0, abs(slope)):
            return False
    return True


def _distance(variables: tuple[Any, ...], model: Model) -> float:
    """The largest distance of two distribution functions, which is one at a value."""
    X, Y = ([_value(one, model, at) for at in _OUTCOMES] for one in variables)
    gaps = [
        sum(p * ((x <= level) - (y <= level)) for p, x, y in zip(_CHANCES, X, Y, strict=True))
        for level in (*X, *Y)
    ]
    return float(max(map(abs, gaps)))


_LAWS: dict[Any, Callable[..., Any]] = {
    independent: _are_independent,
    normal: _are_zero,
    chi_squared: _is_chi_squared,
    density: lambda _arguments, _model: False,  # there are finitely many values
    kolmogorov: _distance,
    derivative: _is_derivative,
}
_STEP, _ROUGHLY = 1e-4, 1e-3


def _near(a: Any, b: Any) -> bool:
    return bool(abs(a - b) <= _NEAR * max(1.0, abs(a), abs(b)))


def _total(*parts: Any) -> Any:
    return sum(parts[1:], start=parts[0])


def _product(*parts: Any) -> Any:
    return math.prod(parts[1:], start=parts[0])


_RULES: dict[Any, Callable[..., Any]] = {
    sympy.Add: _total,
    sympy.Mul: _product,
    sympy.Pow: lambda base, exponent: base**exponent,
    sympy.exp: math.exp,
    sympy.log: math.log,
    sympy.sin: math.sin,
    sympy.cos: math.cos,
    sympy.tanh: math.tanh,
    sympy.Abs: abs,
    sympy.Max: max,
    sympy.Min: min,
    inner: lambda u, v: float(np.dot(u, v)),
    norm: lambda u: float(np.linalg.norm(u)),
    act: np.dot,
    opnorm: lambda matrix: float(np.linalg.norm(matrix, 2)),
    frobenius: lambda matrix: float(np.linalg.norm(matrix)),
    sympy.Eq: _near,
    sympy.Ne: lambda a, b: not _near(a, b),
    sympy.Le: lambda a, b: a <= b or _near(a, b),
    sympy.Ge: lambda a, b: a >= b or _near(a, b),
    sympy.Lt: lambda a, b: a < b and not _near(a, b),
    sympy.Gt: lambda a, b: a > b and not _near(a, b),
    sympy.And: lambda *parts: all(parts),
    sympy.Or: lambda *parts: any(parts),
    sympy.Not: lambda part: not part,
    sympy.Implies: lambda _, after: after,
    sympy.Equivalent: lambda *parts: len(set(parts)) == 1,
}

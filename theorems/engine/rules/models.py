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
from dataclasses import dataclass
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
    independent,
    inner,
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
    """A fact with its conditions, in whose models some letters are ``named``: they have a value."""

    statement: Boolean
    under: tuple[Boolean, ...]
    over: Over
    named: Set[Symbol] = frozenset()

    @cached_property
    def letters(self) -> dict[Symbol, Any]:
        """The ranges of the letters that occur."""
        used = self.statement.free_symbols.union(*(one.free_symbols for one in self.under))
        return {x: self.over[x] for x in in_order(self.over) if x in used}

    def is_about_vectors(self, universal: Iterable[Symbol]) -> bool:
        """Whether there are no objects but vectors and matrices that may be any, and none named."""
        objects = {x for x, range_ in self.letters.items() if isinstance(range_, Objects)}
        vectors = {x for x in objects.intersection(universal) if self.over[x] in _ANY}
        return vectors == objects and not self.named & set(self.letters)

    @cached_property
    def standing_for_something(self) -> set[Symbol]:
        """The letters for some of whose values the fact is false, which may have other ones.

        It is asked of one letter after the other whether the fact may hold for all values of it
        and of the earlier ones, for some values of the later ones.  What has no value in the models
        may hold for all values; and no law of the models may be that of random letters, so that
        numbers beside them may have all values.
        """
        letters = self.letters
        if not any(isinstance(range_, Objects) for range_ in letters.values()):
            return set()
        fact = sympy.Implies(sympy.And(*self.under), self.statement, evaluate=False)
        models = list(_models(fact, letters))
        if all(_truth(fact, one) is not False for one in models):
            return set()
        random = {RANDOM, EVENTS}.intersection(letters.values()) or fact.atoms(AppliedUndef)
        others = [x for x in letters if x not in self.named]
        numbers = {x for x in others if not isinstance(letters[x], Objects)}
        free = numbers if random else set()
        for letter in sorted(set(others) - free, key=lambda x: (_RANKS.get(letters[x], 2), str(x))):
            if any(_holds_for_all(fact, one, models, free | {letter}) for one in models):
                free.add(letter)
        return set(others) - free


_ANY = (VECTORS, OPERATORS)
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


_LAWS = {independent: _are_independent, normal: _are_zero}


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

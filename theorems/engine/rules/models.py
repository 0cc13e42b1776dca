"""Finite models in which a fact about vectors, matrices, random variables and events is tried.

A letter has a value there: a vector of space, a matrix, a number, or numbers at four outcomes, and
a family has one at each place.  A
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

import random
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice, product
from typing import Any

import numpy as np
import sympy
from sympy import Symbol
from sympy.logic.boolalg import Boolean

from theorems.engine.rules.choices import families
from theorems.engine.rules.model_values import NEAR, OUTCOMES, Model, inside, truth, value_at
from theorems.engine.rules.names import in_order, name_of
from theorems.engine.rules.ranges import Objects, Over, assumed
from theorems.engine.rules.vocabulary import EVENTS, OPERATORS, RANDOM, VECTORS, inner, norm

__all__ = ["Tried"]

_MODELS, _FAR = 48, 7
_STEPS = (0.0, 1.0, -1.0, 2.0, -2.0, 0.25)


@dataclass(frozen=True)
class Tried:
    """A fact with its conditions, which must hold for all values of the letters that are given."""

    statement: Boolean
    under: tuple[Boolean, ...]
    over: Over
    given: Set[Any] = frozenset()

    @cached_property
    def letters(self) -> dict[Any, Any]:
        """The ranges of the letters that occur, and where the values of families lie."""
        used = self.statement.free_symbols.union(*(one.free_symbols for one in self.under))
        own = {x: self.over[x] for x in in_order(self.over) if x in used}
        return {**own, **{one.func: one for one in in_order(families(self.fact))}}

    @cached_property
    def fact(self) -> Boolean:
        """The statement where its conditions hold."""
        return sympy.Implies(sympy.And(*self.under), self.statement, evaluate=False)

    @cached_property
    def models(self) -> list[Model]:
        """Values of the letters, if there is any thing among them that is no number."""
        return [*_models(self.letters)] if set(self.letters) - self.numbers else []

    @cached_property
    def numbers(self) -> set[Any]:
        """The letters that are numbers, for all of which the fact must hold."""
        kinds = self.letters.items()
        return {x for x, one in kinds if isinstance(x, Symbol) and not isinstance(one, Objects)}

    @cached_property
    def is_refuted(self) -> bool:
        """Whether the fact fails for some numbers and some of what is given, whatever the rest is.

        Others that are random may have laws that are none of the models, as functions may, and an
        equation may hold for vectors and matrices that are in none: they are believed, but not what
        is said beside them of the numbers and the given letters alone.
        """
        whole = self.statement
        parts = whole.args if isinstance(whole, sympy.And) else ()
        return self._fails or any(replace(self, statement=one)._fails for one in parts)

    @property
    def _fails(self) -> bool:
        universal = self.numbers | {x for x in self.letters if x in self.given}
        rest = set(self.letters) - universal
        if any(self.letters[x] not in {VECTORS, OPERATORS} for x in rest):
            return False
        if not rest:
            return any(truth(self.fact, one) is False for one in self.models)
        inequality = isinstance(self.statement, sympy.Le | sympy.Lt | sympy.Ge | sympy.Gt)
        return inequality and any(self._fails_at(one, universal) for one in self.models)

    def _fails_at(self, model: Model, universal: Set[Any]) -> bool:
        """Whether the fact fails for these values of some letters, whatever the others are."""
        here = {x: model[x] for x in universal}
        answers = {truth(self.fact, {**other, **here}) for other in self.models}
        return False in answers and True not in answers

    @cached_property
    def standing_for_something(self) -> set[Any]:
        """The letters for some of whose values the fact is false, which may have other ones.

        It is asked of one letter after the other whether the fact may hold for all values of it
        and of the earlier ones, for some values of the later ones: numbers come first, then what is
        given.  What has no value in the models may hold for all values; and no law of the models
        may be that of random letters, and no family that which is meant, so that numbers beside
        them may have all values.  A family of which nothing is known stands for something.
        """
        letters, fact, models = self.letters, self.fact, self.models
        if False not in self._answers:
            return {x for x in letters if self._is_unknown and not isinstance(x, Symbol)} - set(self.given)
        laws = any(range_ not in {VECTORS, OPERATORS} for range_ in self._of_things)
        free = set(self.numbers) if laws else set()
        for letter in sorted(set(letters) - free, key=self._rank):
            if any(_truth_for_all(fact, one, models, free | {letter}) for one in models):
                free.add(letter)
        return set(letters) - free

    @cached_property
    def _answers(self) -> set[bool | None]:
        """Whether the fact is true in the models; None stands for one in which it has no value."""
        return {truth(self.fact, one) for one in self.models}

    @property
    def _is_unknown(self) -> bool:
        return self._answers == {None}

    @property
    def _of_things(self) -> list[Any]:
        return [range_ for x, range_ in self.letters.items() if x not in self.numbers]

    def _rank(self, letter: Any) -> tuple[int, bool, str]:
        own = letter in self.given
        rank = _RANKS.get(self.letters[letter], 0) if isinstance(letter, Symbol) else 2
        return -1 if own else rank, not own, str(letter)

    @cached_property
    def chosen(self) -> set[Any]:
        """Of these, such as there are for all values of the others: v with |Av| = |A| for all A.

        Values are looked for among those of the models, and unit vectors that belong to vectors
        and matrices; for a fact that has no value in any model there are none.
        """
        chosen = {x for x in self.standing_for_something if x not in self.numbers}
        if self._is_unknown:
            return chosen
        for letter in sorted(chosen, key=lambda x: (self.letters[x] != OPERATORS, str(x))):
            rest = sorted(chosen - {letter}, key=str)
            tried = self.models[:_TRIED] if rest else []
            met = {self._is_met(one, rest) for one in tried}
            if False not in met and True in met:
                chosen.remove(letter)
        return chosen

    def _is_met(self, model: Model, chosen: list[Any]) -> bool | None:
        """Whether some values of these letters make the fact true, at all values of free ones.

        None where it has no value.
        """
        free = set(self.letters) - self.standing_for_something
        vectors = _vectors_inside(self.fact, {x: model[x] for x in self.letters if x not in chosen})
        sides = [_candidates(x, model, self.models, self.letters, vectors) for x in chosen]
        near: list[Model] = [model, *self.models[:_TRIED]]
        known = False
        for some in islice(product(*sides), _CHOICES):
            there = {**model, **dict(zip(chosen, some, strict=True))}
            answer = _truth_for_all(self.fact, there, near, free)
            if answer:
                return True
            known = known or answer is False
        return False if known else None


_RANKS = {VECTORS: 1, RANDOM: 3, OPERATORS: 4, EVENTS: 5}
_TRIED, _CHOICES = 12, 4096


def _truth_for_all(fact: Boolean, model: Model, models: list[Model], free: set[Any]) -> bool | None:
    """Whether a fact holds in a model whatever the values of letters that are free, if known."""
    known: bool | None = None
    for other in models:
        answer = truth(fact, {**model, **{x: other[x] for x in free}})
        if answer is False:
            return False
        known = known or (True if answer else None)
    return known


def _candidates(
    letter: Any, model: Model, models: list[Model], letters: Mapping[Any, Any], known: list[Any]
) -> list[Any]:
    """Values that a letter may be chosen to have, where the others have those of a model."""
    range_ = letters[letter]
    alike = [model[x] for x, other in letters.items() if other == range_]
    if range_ != VECTORS:
        return [*alike, *(one[letter] for one in models)]
    found = [*alike, *known, *np.eye(3), np.zeros(3)]
    for matrix in (model[x] for x, other in letters.items() if other == OPERATORS):
        left, _, right = np.linalg.svd(matrix)
        found += [left[:, 0], right[0], -left[:, 0], *(matrix @ one for one in alike)]
    lengths = [(one, float(np.linalg.norm(one))) for one in found]
    return [*found, *(one / size for one, size in lengths if size > NEAR)]


def _vectors_inside(fact: Boolean, model: Model) -> list[Any]:
    """The vectors whose norms and products a fact speaks of, in both directions."""
    found = []
    for one in in_order({side for node in fact.atoms(inner, norm) for side in node.args}):
        try:
            value = np.array(value_at(one, model, 0), dtype=float)
        except (ArithmeticError, LookupError, TypeError, ValueError):
            continue
        found += [value, -value] if value.shape == (3,) else []
    return found


@dataclass(frozen=True)
class _Family:
    """Values at all places, the same wherever the places are the same."""

    name: str
    kind: Any
    number: int

    def __call__(self, *places: Any) -> Any:
        where = [np.round(one, 6).tolist() for one in places]
        return _drawn(self.kind, random.Random(f"{self.number} {self.name} {where}"), self.number)


def _models(letters: Mapping[Any, Any]) -> Iterable[Model]:
    """Values of the letters, and of the functions at each place: in the first model all alike."""
    for number in range(_MODELS):
        draw = random.Random(number)
        yield {x: _value_of(x, range_, draw, number) for x, range_ in letters.items()}


def _value_of(letter: Any, range_: Any, draw: random.Random, number: int) -> Any:
    if isinstance(letter, Symbol):
        return _drawn(range_, draw, number)
    return _Family(name_of(range_), getattr(range_, "belongs_to", None) or assumed(range_), number)


def _drawn(range_: Any, draw: random.Random, number: int) -> Any:
    """A value: in the first two models zero or one, and all vectors are zero or the first axis."""
    if not isinstance(range_, Objects):
        return draw.choice(inside(range_))
    scale = 1000.0 if number % 8 == _FAR else 1.0
    some = [scale * draw.choice(_STEPS) for _ in range(9)]
    if range_ == VECTORS:
        axis = draw.choice(np.vstack([np.eye(3), -np.eye(3)]))
        return np.eye(3)[0] * number if number < 2 else draw.choice([axis, np.array(some[:3])])
    if range_ == OPERATORS:
        scaled = np.eye(3) * draw.choice([1.0, 1.0, 0.0, 2.0])
        return np.eye(3) if number < 2 else draw.choice([scaled, np.array(some).reshape(3, 3)])
    if range_ == EVENTS:
        return [draw.random() < 0.5 for _ in OUTCOMES]
    a, b, c, d = some[:4]
    shapes = ([a, a, a, a], [1.0, 1.0, -1.0, -1.0], [1.0, -1.0, 1.0, -1.0], [a, a, b, b])
    return [0.0] * 4 if number == 0 else draw.choice([*shapes, [a, b, a, b], [a, b, c, d]])

"""Cases of a tested formula: their quantities, whether they are allowed, what they cover."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import sympy
from sympy import Symbol

from theorems.engine.judging.answers import Compared
from theorems.engine.judging.given import Given
from theorems.engine.statements.domain import Domain
from theorems.engine.statements.values import Evaluator, Quantity, as_ball, contains

__all__ = ["Cases", "NotAllowedError"]

Point = Mapping[Symbol, Quantity]


class NotAllowedError(ValueError):
    """A case that the statement does not speak about."""


@dataclass
class Cases:
    """The quantities of every case that a search has visited, for one formula.

    ``beside`` has the vectors, matrices and families of which proofs speak, and letters of the
    paper that the claim does without.
    """

    given: Given
    quantities: Callable[[Any], Point]
    seen: list[Point] = field(default_factory=list)
    beside: list[Mapping[Any, Any]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.goal, self.domain = self.given.goal, self.given.domain
        self.evaluate = Evaluator(self.goal)
        self.conditions = [(one, Evaluator(one)) for one in self.given.conditions]

    def __call__(self, case: Any) -> Compared:
        """Evaluate the formula at a case; NotAllowedError if the claim excludes the case."""
        found = self.quantities(case)
        point = {x: value for x, value in found.items() if not self._is_beside(x)}
        self._allow(point)
        self.seen.append(point)
        self.beside.append({x: value for x, value in found.items() if x not in point})
        return compared(self.evaluate, point)

    def _is_beside(self, key: Any) -> bool:
        number = key in self.given.claim.letters and self.given.claim.letters[key].domain is not None
        return is_thing(key) or (number and key not in self.domain)

    def _allow(self, point: Point) -> None:
        missing = self.goal.free_symbols - set(point)
        if missing:
            raise NotAllowedError(f"the case has no value for {sorted(map(str, missing))}")
        for symbol, value in point.items():
            domain = self.domain.get(symbol)
            if domain is None:
                raise NotAllowedError(f"{symbol} is no number of the claim")
            if contains(domain, value) is False:
                raise NotAllowedError(f"{symbol} = {value} is not in {domain}")
        for one, evaluate in self.conditions:
            if one.free_symbols <= set(point) and evaluate(point).answer is False:
                raise NotAllowedError(f"a case does not meet {one}")

    def uncovered(self) -> list[str]:
        """The ends of domains that no case came near."""
        found = []
        for symbol in sorted(self.goal.free_symbols, key=str):
            letter = self.given.claim.letters[symbol]
            if letter.kind.name == "NUMBER":
                values = [as_ball(point[symbol]) for point in self.seen]
                found += [f"{symbol} near {end}" for end in _missed(letter, values, self.given)]
        return found


def is_thing(key: Any) -> bool:
    """Whether what has a value is a vector, a matrix or a family, and no number."""
    return isinstance(key, type) or hasattr(key, "belongs_to")


def compared(evaluate: Evaluator, point: Point) -> Compared:
    """The comparison of both sides, as a search wants it."""
    found = evaluate(point)
    ratio = math.nan if found.ratio is None else found.ratio
    equation = isinstance(evaluate.relation, sympy.Eq)
    return Compared(found.answer, ratio, found.rounding, equation)


def _missed(letter: Any, values: list[Any], given: Given) -> list[Any]:
    """A closed end must be attained, an open or infinite one approached."""
    domain: Domain = given.domain[letter.symbol]
    low, high = domain.inf, domain.sup
    missed = []
    if low.is_finite and not any(_near(value, low, domain) for value in values):
        missed.append(low)
    if high.is_finite and not any(_near(value, high, domain) for value in values):
        missed.append(high)
    return missed


def _near(value: Any, end: Any, domain: Domain) -> bool:
    distance = abs(value - as_ball(end))
    if domain.contains(end) == True:  # noqa: E712 - SymPy's truth
        return bool(0 in distance)
    length = domain.measure if domain.measure.is_finite else sympy.Integer(1)
    return bool(distance < as_ball(length) / 20)

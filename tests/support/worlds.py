"""Small worlds in which a fact can be tried: vectors of a plane, and four outcomes with chances.

Every letter has a value there, so that a statement with expectations, probabilities, inner products
and norms is true, or false, or not defined.
"""

import math
import random
from collections import Counter
from typing import ClassVar

import numpy as np
import sympy as sp

from theorems.engine.rules import E, Event, Operator, P, Random, Vector, act, inner, norm
from theorems.engine.rules.vocabulary import frobenius, independent, opnorm

OUTCOMES = range(4)
NEAR = 1e-9
#: Values on both sides of the ends of ranges, and the ends.
NUMBERS = [-2, -1, -0.25, 0, 0, 0.03, 0.1, 0.25, 0.5, 0.75, 1, 1, 1.1, 1.5, 2, 3]
NUMBERS += [math.pi - 0.25, math.pi, math.pi + 0.25]
STEPS = [-2, -1, 0, 0.25, 1, 2]


class UndefinedError(ArithmeticError):
    """An expression has no real value."""


class World:
    """Values of the letters, by letter, and the chances of the outcomes."""

    def __init__(self, letters, seed):
        self.draw = random.Random(seed)
        first, second = (self.draw.choice([0.5, 0.25, 0.75]) for _ in range(2))
        self.chances = [p * q for p in (first, 1 - first) for q in (second, 1 - second)]
        self.values = {}
        for letter in letters:
            self.values[letter] = self._drawn(letter)

    def _drawn(self, letter):
        earlier = [v for x, v in self.values.items() if type(x) is type(letter)]
        return self.DRAWN.get(type(letter), World._number)(self, earlier)

    def _number(self, _):
        return self.draw.choice(NUMBERS)

    def _random(self, earlier):
        draw = self.draw
        if earlier and draw.random() < 0.3:  # where many inequalities are attained
            factor = draw.choice([-1, 0.5, 1, 1, 1, 2])
            return [factor * one for one in draw.choice(earlier)]
        a, b, c, d = (draw.choice(STEPS) for _ in OUTCOMES)
        constant, sides, left, right = [a, a, a, a], [a, -a, a, -a], [a, a, b, b], [a, b, a, b]
        return draw.choice([constant, sides, left, right, [a, b, c, d]])

    def _event(self, _):
        return [self.draw.random() < 0.6 for _ in OUTCOMES]

    def _vector(self, earlier):
        if earlier and self.draw.random() < 0.3:
            return self.draw.choice([-1, 0.5, 1, 2]) * self.draw.choice(earlier)
        return np.array([self.draw.choice(STEPS) for _ in range(2)])

    def _operator(self, _):
        return np.array([[self.draw.choice([-1, 0, 0, 1, 2]) for _ in range(2)] for _ in range(2)])

    DRAWN: ClassVar = {Random: _random, Event: _event, Vector: _vector, Operator: _operator}

    def mean(self, values):
        """The expectation of a random variable, given by its values."""
        return sum(chance * value for chance, value in zip(self.chances, values, strict=True))

    def value(self, node, at=None):
        """The value of an expression or statement, at an outcome if it is random."""
        if node.is_Symbol:
            found = self.values[node]
            return found[at] if isinstance(node, Random | Event) else found
        if isinstance(node, E | P):
            return self.mean([self.value(node.args[0], one) for one in OUTCOMES])
        if isinstance(node, independent):
            return self._are_independent(*node.args)
        if isinstance(node, sp.Piecewise):
            held = (piece for piece, condition in node.args if self.value(condition, at))
            return self.value(next(held), at)
        if not node.args:
            return bool(node) if node in (sp.true, sp.false) else float(node)
        rule = RULES.get(node.func)
        if rule is None:
            raise TypeError(f"no value of {node}")
        return rule(*(self.value(one, at) for one in node.args))

    def _are_independent(self, left, right):
        """Whether each pair of values is as likely as the product of their chances."""
        pairs, ones, others = Counter(), Counter(), Counter()
        for at, chance in enumerate(self.chances):
            one, other = self.value(left, at), self.value(right, at)
            pairs[one, other] += chance
            ones[one] += chance
            others[other] += chance
        return all(abs(pairs[u, v] - ones[u] * others[v]) < NEAR for u in ones for v in others)


def power(base, exponent):
    """A real power."""
    if (base < 0 and exponent != int(exponent)) or (base == 0 and exponent < 0):
        raise UndefinedError(f"{base}**{exponent}")
    return base**exponent


def logarithm(x):
    """A real logarithm."""
    if x <= 0:
        raise UndefinedError(f"log {x}")
    return math.log(x)


def total(*parts):
    """A sum of numbers or vectors."""
    return sum(parts[1:], start=parts[0])


RULES = {
    sp.Add: total,
    sp.Mul: lambda *parts: math.prod(parts) if np.isscalar(parts[-1]) else parts[0] * parts[1],
    sp.Pow: power,
    sp.exp: math.exp,
    sp.log: logarithm,
    sp.sin: math.sin,
    sp.cos: math.cos,
    sp.Abs: abs,
    inner: np.dot,
    norm: np.linalg.norm,
    frobenius: np.linalg.norm,
    act: np.dot,
    opnorm: lambda matrix: np.linalg.norm(matrix, 2),
    sp.Le: lambda a, b: a <= b + NEAR,
    sp.Ge: lambda a, b: a >= b - NEAR,
    sp.Lt: lambda a, b: a < b - NEAR,
    sp.Gt: lambda a, b: a > b + NEAR,
    sp.Eq: lambda a, b: abs(a - b) <= NEAR,
    sp.Ne: lambda a, b: abs(a - b) > NEAR,
    sp.And: lambda *parts: all(parts),
    sp.Or: lambda *parts: any(parts),
    sp.Not: lambda part: not part,
    sp.Implies: lambda before, after: not before or after,
    sp.Equivalent: lambda *parts: len(set(parts)) == 1,
}

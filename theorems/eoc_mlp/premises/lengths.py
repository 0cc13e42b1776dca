"""Lengths of random vectors, and squares of them, are not negative."""

from sympy import Ge, Symbol

from theorems.engine import rules
from theorems.engine.rules import Theorem, Vector, inner, norm, principles

_vector = Vector("random vector")


def length_not_negative(X: Symbol) -> Theorem:
    """P(X ≥ 0) = 1 for the length of a random vector."""
    return _drawn(X, norm(_vector), _vector)


def squared_length_not_negative(X: Symbol, vector: Vector) -> Theorem:
    """P(X ≥ 0) = 1 for the squared length of a vector that is drawn."""
    return _drawn(X, inner(vector, vector), vector)


def _drawn(X: Symbol, value: Symbol, vector: Vector) -> Theorem:
    positive = rules.follows(Ge(value, 0, evaluate=False))
    return principles.drawn(positive, {value: X}, vector)

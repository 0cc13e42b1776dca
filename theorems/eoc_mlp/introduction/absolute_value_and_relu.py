"""The abstract: the constants κ and Δ of the absolute value and of the ReLU."""

from sympy import Abs, Max, Rational, sqrt

from theorems.engine import Given, both, eq, implies
from theorems.engine.rules import Theorem
from theorems.engine.statements.values import unfolded
from theorems.eoc_mlp.letters import a, argument, b, claim, delta_of, kappa_of, phi

KAPPA_VALUES = claim(
    "eoc.kappa.values",
    at="Abstract",
    title="κ and Δ of the absolute value and of the ReLU",
    states={
        "absolute value": implies(
            both(eq(a, 0), eq(b, 1)),
            both(eq(phi(argument, a, b), Abs(argument)), eq(delta_of(a, b), 1), eq(kappa_of(a, b), 1)),
        ),
        "ReLU": implies(
            both(eq(a, Rational(1, 2)), eq(b, Rational(1, 2))),
            both(
                eq(phi(argument, a, b), Max(0, argument)),
                eq(delta_of(a, b), Rational(1, 2)),
                eq(kappa_of(a, b), sqrt(2)),
            ),
        ),
    },
)


@KAPPA_VALUES.proved("absolute value", "ReLU")
def insert_the_coefficients(given: Given) -> Theorem:
    """|s| has a = 0, b = 1, and max(0, s) = (s + |s|)/2 has a = b = 1/2."""
    return given.follows(goal=unfolded(given.goal))

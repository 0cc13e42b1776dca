"""Maxima over the length x of a pooled token: ℓ of ax + (1 − x²)b, and K of (1 − x²)(A + 2Bx)."""

from functools import cache

from sympy import Expr, Symbol, sqrt

from theorems.engine import ge, le
from theorems.engine.rules import Theorem
from theorems.shallow_transformer.letters import paper as of
from theorems.shallow_transformer.premises.named import NETWORKS, ONE_HEAD
from theorems.shallow_transformer.premises.tokens import called

#: The coefficients a and b in these lemmas.
STEP, SPREAD = (Symbol(name, positive=True) for name in ("step", "spread"))


def largest_displacement(a: Expr, b: Expr, length: Expr = of.x) -> Theorem:
    """x a + (1 − x²) b ≤ ℓ(a, b) for positive a and b and any length x of at most 1."""
    at = {STEP: a, SPREAD: b, of.x: length}  # in networks, where radii are positive
    return NETWORKS.substituted(_below_the_vertex(), at, under=[le(length, 1)])


@cache
def _below_the_vertex() -> Theorem:
    """x a + (1 − x²) b is at most its value at the vertex of the parabola, or at x = 1."""
    largest = of.displacement(STEP, SPREAD)
    return ONE_HEAD.follows(*called(largest), goal=le(of.x * STEP + (1 - of.x**2) * SPREAD, largest))


@cache
def below_a_line() -> list[Theorem]:
    """0 ≤ ℓ ≤ a + b and K(A, B) ≤ A + 4B/(3√3), as x ≤ 1 and 2x(1 − x²) ≤ 4/(3√3)."""
    a, b = STEP, SPREAD
    ell, largest = of.displacement(a, b), of.deviation(a, b)
    return [
        ONE_HEAD.follows(*called(ell), goal=le(ell, a + b)),
        ONE_HEAD.follows(*called(largest), goal=le(largest, a + 4 / (3 * sqrt(3)) * b)),
        ONE_HEAD.follows(*called(ell), goal=ge(ell, 0)),
    ]

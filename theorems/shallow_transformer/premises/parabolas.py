"""Maxima over the length x of a pooled token: ℓ of ax + (1 − x²)b, and K of (1 − x²)(A + 2Bx)."""

from functools import cache

from sympy import Expr, Symbol, sqrt

from theorems.engine import ge, le, rules
from theorems.engine.rules import Theorem
from theorems.shallow_transformer.letters import paper as of
from theorems.shallow_transformer.premises.named import as_declared, in_networks
from theorems.shallow_transformer.premises.tokens import called

#: The coefficients a and b in these lemmas.
STEP, SPREAD = (Symbol(name, positive=True) for name in ("step", "spread"))


def largest_displacement(a: Expr, b: Expr, length: Expr = of.x) -> Theorem:
    """x a + (1 − x²) b ≤ ℓ(a, b) for positive a and b and any length x of at most 1."""
    at = {STEP: a, SPREAD: b, of.x: length}
    ranges = in_networks(*at.values())  # in which radii are positive
    return rules.instance(_below_the_vertex(), at, over=ranges, under=[le(length, 1)])


@cache
def _below_the_vertex() -> Theorem:
    """x a + (1 − x²) b is at most its value at the vertex of the parabola, or at x = 1."""
    largest = of.displacement(STEP, SPREAD)
    bound = le(of.x * STEP + (1 - of.x**2) * SPREAD, largest)
    return rules.follows(bound, called(largest), over=as_declared(bound))


@cache
def below_a_line() -> list[Theorem]:
    """0 ≤ ℓ ≤ a + b and K(A, B) ≤ A + 4B/(3√3), as x ≤ 1 and 2x(1 − x²) ≤ 4/(3√3)."""
    a, b = STEP, SPREAD
    ell, largest, over = of.displacement(a, b), of.deviation(a, b), as_declared(a, b)
    return [
        rules.follows(le(ell, a + b), called(ell), over=over),
        rules.follows(le(largest, a + 4 / (3 * sqrt(3)) * b), called(largest), over=over),
        rules.follows(ge(ell, 0), called(ell), over=over),
    ]

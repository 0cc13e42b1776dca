"""Maxima over the length x of a pooled token: ℓ of ax + (1 − x²)b, and K of (1 − x²)(A + 2Bx)."""

from __future__ import annotations

from functools import cache

from sympy import Symbol, sqrt

from theorems.engine import ge, le, rules
from theorems.engine.rules import Theorem
from theorems.shallow_transformer import letters as of
from theorems.shallow_transformer.head_premises import closed_forms
from theorems.shallow_transformer.token_sums import ranges_of

__all__ = ["below_a_line", "below_the_vertex"]


@cache
def below_the_vertex() -> Theorem:
    """x a + (1 − x²) b is at most its value at the vertex of the parabola, or at x = 1."""
    a, b = (Symbol(name, positive=True) for name in ("step", "spread"))
    largest = of.displacement(a, b)
    bound = le(of.x * a + (1 - of.x**2) * b, largest)
    return rules.follows(bound, closed_forms(largest), over=ranges_of(bound))


@cache
def below_a_line() -> list[Theorem]:
    """0 ≤ ℓ ≤ a + b and K(A, B) ≤ A + 4B/(3√3), as x ≤ 1 and 2x(1 − x²) ≤ 4/(3√3)."""
    a, b = (Symbol(name, positive=True) for name in ("step", "spread"))
    ell, largest, over = of.displacement(a, b), of.deviation(a, b), ranges_of(a, b)
    return [
        rules.follows(le(ell, a + b), closed_forms(ell), over=over),
        rules.follows(le(largest, a + 4 / (3 * sqrt(3)) * b), closed_forms(largest), over=over),
        rules.follows(ge(ell, 0), closed_forms(ell), over=over),
    ]

"""The constant κ that stands before Proposition 10, and its range."""

from typing import Any

from hypothesis import strategies as st
from sympy import Rational, sqrt

from theorems.engine import Given, eq, implies, le
from theorems.engine.rules import Theorem
from theorems.engine.statements.values import unfolded
from theorems.eoc_mlp.hypotheses import NOT_BOTH_ZERO
from theorems.eoc_mlp.letters import a, b, claim, kappa_of

_NUMBERS = st.one_of(st.sampled_from([0, 1, -1, Rational(1, 2)]), st.floats(-10, 10))


KAPPA = claim(
    "eoc.kappa",
    at="before Proposition 10",
    title="Range of κ",
    states={
        "range": [le(1, kappa_of(a, b)), le(kappa_of(a, b), sqrt(2))],
        "least": implies(eq(b, 0), eq(kappa_of(a, b), 1)),
        "largest": implies(eq(a, b), eq(kappa_of(a, b), sqrt(2))),
    },
    assuming=[NOT_BOTH_ZERO],
)


@KAPPA.proved("range", "least", "largest")
def signs_of_squares(given: Given) -> Theorem:
    """κ² - 1 = 2|ab|/(a² + b²) and 2 - κ² = (|a| - |b|)²/(a² + b²)."""
    return given.follows(goal=unfolded(given.goal))


@KAPPA.tested("range", over=st.tuples(_NUMBERS, _NUMBERS).filter(lambda ab: max(map(abs, ab)) > 1e-3))
def random_coefficients(case: tuple[float, float]) -> dict[Any, Any]:
    """Coefficients of any signs; equal moduli and a vanishing one among them."""
    return dict(zip((a, b), case, strict=True))

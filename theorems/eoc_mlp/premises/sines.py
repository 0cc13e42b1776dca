"""The distance map in s = sin(t/2) = 1/w: a polynomial in s but for a root and an arcsine.

Claims on the inverse cosine distance map ω(1/s) = ζ(s²)^(-1/2) and on its slope are shown in s:
what holds of real numbers y and p is said of ζ(s²) and ζ'(s²), and then moved to s = 1/w.
"""

from typing import Any

from sympy import Interval, Rational, Reals, Symbol, symbols

from theorems.engine import Given, gt, rules
from theorems.engine.rules import Theorem
from theorems.engine.statements.values import rebuilt, unfolded
from theorems.eoc_mlp.letters.activation import DELTA
from theorems.eoc_mlp.letters.cosines import h, omega, omega_prime, zeta, zeta_prime
from theorems.eoc_mlp.premises.angles import segment_below_distance
from theorems.eoc_mlp.premises.substitutions import half_sine, of_half_sine, of_inverse_distance

# ζ(s²), ζ'(s²) and a bound of ω(1/s), in s = 1/w.
y, p, v = symbols("y p v", real=True)
SINES = Interval.open(0, 1)
ZETA, SLOPE_OF_ZETA = (unfolded(one(half_sine**2, DELTA)) for one in (zeta, zeta_prime))
INSERTED = {y: ZETA, p: SLOPE_OF_ZETA}
ALIVE = gt(y, 0)
#: ω'(1/s).
QUOTIENT = p * half_sine**3 / y ** Rational(3, 2)


def through_zeta(relation: Any) -> Any:
    """ω(w) = ζ(w⁻²)^(-1/2) and ω'(w) = ζ'(w⁻²) ζ(w⁻²)^(-3/2) w⁻³, and h, inserted."""
    values = {one: one.unfolded() for one in relation.atoms(h)}
    for one in relation.atoms(omega, omega_prime):
        inverse, share = one.args
        root = zeta(inverse**-2, share) ** Rational(-1, 2)
        slope = zeta_prime(inverse**-2, share) * (root / inverse) ** 3
        values[one] = root if isinstance(one, omega) else slope
    return rebuilt(relation, values)


def in_sines(given: Given, sines: Interval = SINES) -> dict[Symbol, Any]:
    """The ranges of s and Δ."""
    return {half_sine: sines, DELTA: given.domain[DELTA]}


def of_numbers(statement: Any, over: dict[Symbol, Any]) -> Theorem:
    """A fact about real numbers y, p, v, with ζ, its slope and a bound inserted for them."""
    letters = {x: over.get(x, Reals) for x in statement.free_symbols}
    values = {x: value for x, value in INSERTED.items() if x in letters}
    return rules.follows(statement, over=letters).at(values, over=over)


def positive_zeta(over: dict[Symbol, Any]) -> Theorem:
    """ζ(s²) > 0."""
    return rules.follows(gt(ZETA, 0), of_half_sine(segment_below_distance(), over), over=over)


def concluded(premises: list[Theorem], goal: Any, given: Given, sines: Any = SINES) -> Theorem:
    """A relation for ζ(s²) and its slope from premises in s, at s = 1/w."""
    in_sines(given, sines)
    bound = rules.follows(goal.xreplace(INSERTED), premises)
    return of_inverse_distance(bound, given.domain)

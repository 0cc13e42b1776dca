"""Proposition 27, proof: the slopes of the cosine map at nearby cosines."""

from sympy import Abs, Interval, Rational, asin, pi, sqrt, symbols

from theorems.classical import functions
from theorems.engine import Given, both, eq, implies, le, rules
from theorems.engine.rules import Theorem
from theorems.engine.statements.values import unfolded
from theorems.eoc_mlp.hypotheses import BOUNDED_BELOW
from theorems.eoc_mlp.letters import (
    DELTA,
    claim,
    v_least,
    varrho_prime,
    varrho_second,
    w,
    w_k,
    w_tilde,
    zeta_second,
)
from theorems.eoc_mlp.premises.substitutions import cosine_at

_PROOF = "Proposition 27, proof"


SECOND = claim(
    "eoc.prop27.second",
    at=_PROOF,
    title="The second derivative of the cosine map, in inverse distances",
    states=[
        eq(varrho_second(cosine_at(w), DELTA), -zeta_second(w**-2, DELTA) / 2),
        eq(-zeta_second(w**-2, DELTA) / 2, DELTA * 2 / pi * (1 - cosine_at(w) ** 2) ** -Rational(1, 2)),
        eq(
            DELTA * 2 / pi * (1 - cosine_at(w) ** 2) ** -Rational(1, 2),
            DELTA / pi * (1 - w**-2) ** -Rational(1, 2) * w,
        ),
    ],
    rests_on=["eoc.varrho.second", "eoc.zeta.second"],
)


@SECOND.proved()
def differentiate_twice(given: Given) -> Theorem:
    """ζ(z) = (1 - ϱ(1 - 2z))/2 twice, and 1 - (1 - 2z)² = 4z(1 - z), z = w⁻²."""
    return given.decided()


SLOPE = claim(
    "eoc.prop27.slope",
    at=_PROOF,
    title="The slopes of the cosine map at nearby cosines",
    states=le(
        Abs(varrho_prime(cosine_at(w_k), DELTA) - varrho_prime(cosine_at(w_tilde), DELTA)),
        4 * DELTA / (pi * sqrt(1 - v_least**-2)) * Abs(w_k - w_tilde) / (w_k * w_tilde),
    ),
    assuming=[BOUNDED_BELOW],
    rests_on=["eoc.varrho.prime"],
    note="proofs_notes/eoc_limits.md#backpropagation-products",
)
_s, _t, _top = symbols("s t top", nonnegative=True)


@SLOPE.proved()
def slopes_are_angles(given: Given) -> Theorem:
    """ϱ' = 1 - 2Δt/π, t = 2 arcsin(1/w), whose derivative in s = 1/w is at most 2/√(1 - v⁻²)."""
    given.require(BOUNDED_BELOW)
    unit = {one: Interval(0, 1) for one in (_s, _t)}
    below = {_top: Interval.open(0, 1)}
    steep = le(Abs(asin(_s) - asin(_t)), Abs(_s - _t) / sqrt(1 - _top**2))
    mean_value = rules.follows(
        implies(both(le(_s, _top), le(_t, _top)), steep),
        functions.slopes_of_arcsine(_s, _t, _top, over={**unit, **below}),
    )
    half_angle = functions.arcsine_of_double_angle(_s, over=unit)
    numbers = {x: given.domain[x] for x in (w_k, w_tilde, v_least)}
    at = {_s: 1 / w_k, _t: 1 / w_tilde, _top: 1 / v_least}
    return given.follows(
        mean_value.at(at, over=numbers),
        *(half_angle.at({_s: 1 / one}, over={one: numbers[one]}) for one in (w_k, w_tilde)),
        goal=unfolded(given.goal),
    )

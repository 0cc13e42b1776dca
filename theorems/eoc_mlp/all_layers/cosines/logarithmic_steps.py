"""Proposition 25: facts on the inverse cosine distance map that the induction uses."""

from sympy import Interval, Rational, asin, cos, exp, pi, sin, sqrt

from theorems.classical.functions import arcsine, sine_below_identity
from theorems.engine import Given, Provenance, both, eq, ge, gt, implies, interval, le, lt, rules
from theorems.engine.rules import Theorem
from theorems.engine.rules.certificates import covered
from theorems.eoc_mlp.all_layers.cosines.inverse_distances import GOLDEN
from theorems.eoc_mlp.hypotheses import BY_DEFINITION
from theorems.eoc_mlp.letters import DELTA, claim, omega, omega_prime, rho, t, varrho, w, z
from theorems.eoc_mlp.one_layer.distances.distance_map import CLOSED_FORM
from theorems.eoc_mlp.one_layer.distances.distance_map import PRIME as DISTANCE_PRIME
from theorems.eoc_mlp.premises.angles import between_ends, segment, segment_is_nonnegative
from theorems.eoc_mlp.premises.sines import through_zeta
from theorems.eoc_mlp.premises.substitutions import as_stated, of_cosine

_NOTE = "proofs_notes/eoc_limits.md#cosines"
_SLOPE = w * omega_prime(w, DELTA) / omega(w, DELTA)

LOGARITHMIC = claim(
    "eoc.omega.logarithmic",
    at="Proposition 25, proof",
    title="In the logarithm, ω is 1-Lipschitz up to Δ = 2/3, and on acute angles for every Δ",
    states={
        "above": le(_SLOPE, 1),
        "below, up to 2/3": implies(le(DELTA, Rational(2, 3)), ge(_SLOPE, -1)),
        "below, acute": implies(ge(w, sqrt(2)), ge(_SLOPE, 0)),
    },
    rests_on=["eoc.omega.prime", CLOSED_FORM, DISTANCE_PRIME, "eoc.zeta"],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


def _in_angle(given: Given, *known: Theorem) -> list[Theorem]:
    """What is known of angles, at t = 2 arcsin(1/w), and what this is; and ζ > 0 at z = 1/w²."""
    angle, over = 2 * asin(1 / w), {w: given.domain[w], DELTA: given.domain[DELTA]}
    inside = [both(lt(0, angle), lt(angle, pi))]
    moved = [
        one.at({t: angle}, over={x: over[x] for x in (w, *one.over) if x in over}, under=inside)
        for one in known
    ]
    half = rules.decided(eq(cos(angle), 1 - 2 / w**2), over={w: over[w]})
    positive = given.fact("eoc.zeta", "positive", {z: w**-2})
    return [*moved, half, positive, arcsine(1 / w, over={w: over[w]})]


def _of_both_maps(given: Given, bound: Theorem) -> Theorem:
    """The part, from ζ and ζ' in the angle and a bound there."""
    maps = (given.fact(one, "in the angle") for one in (CLOSED_FORM, DISTANCE_PRIME))
    stated = as_stated(LOGARITHMIC, given.part, unfold=through_zeta)
    return given.follows(*_in_angle(given, *maps, bound), goal=stated)


@LOGARITHMIC.proved("above", "below, acute")
def slopes_of_zeta(given: Given) -> Theorem:
    """It is zζ'/ζ, and ζ - zζ' = (Δ/π)(t - sin t); ζ' = 1 - 2Δt/π ≥ 0 for t ≤ π/2."""
    angles = {t: Interval(0, pi)}
    known = [sine_below_identity(t, over=angles), rules.decided(ge(sin(t), 0), over=angles)]
    return _of_both_maps(given, rules.follows(le(sin(t), t), known))


@LOGARITHMIC.certified("below, up to 2/3")
def sum_of_value_and_slope(given: Given) -> Theorem:
    """ζ + zζ' = 2z - (Δ/π)(t + sin t - 2t cos t), which is 0 at t = π for Δ = 2/3."""
    least = le(Rational(2, 3) * (t + sin(t) - 2 * t * cos(t)), pi * (1 - cos(t)))
    least = covered(least, over={t: Interval(0, pi)}, zero_orders={t: (2, 1)})
    return _of_both_maps(given, least)


_ADDED = le(omega(w, DELTA), w + DELTA)

GOLDEN_STEP = claim(
    "eoc.omega.increment.upper",
    at="Proposition 25, proof",
    title="Each layer adds at most Δ to the inverse cosine distance",
    states={
        "up to the inverse golden ratio": implies(le(DELTA, GOLDEN), _ADDED),
        "acute angles": implies(ge(w, sqrt(2)), _ADDED),
    },
    rests_on=[CLOSED_FORM, "eoc.zeta.sandwich", "eoc.zeta"],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@GOLDEN_STEP.proved("up to the inverse golden ratio")
def at_all_angles(given: Given) -> Theorem:
    """With x = Δ/w: ζ ≥ z(1 - x) and (1 + x)²(1 - x) ≥ 1, as 1 - x - x² ≥ 0."""
    return _by_distances(given, given.fact("eoc.zeta.sandwich", "lower bound", {z: w**-2}))


@GOLDEN_STEP.certified("acute angles")
def at_acute_angles(given: Given) -> Theorem:
    """ζ ≥ z(1 - cx) with c = 1/2 + 4/(3π) < 0.925, and x ≤ 1/√2."""
    nearer = given.fact("eoc.zeta.sandwich", "upper bound attained to first order", {z: w**-2})
    return _by_distances(given, nearer, rules.enclosed(gt(pi, Rational(157, 50))))


def _by_distances(given: Given, *known: Theorem) -> Theorem:
    positive = given.fact("eoc.zeta", "positive", {z: w**-2})
    stated = as_stated(GOLDEN_STEP, given.part, unfold=through_zeta)
    return given.follows(*known, positive, goal=stated)


_LEAST = 3 / (5 * pi)

ACUTE = claim(
    "eoc.prop25.acute",
    at="Proposition 25, proof",
    title="From the second layer on angles are acute with room to spare, for Δ ≥ 3/5",
    states={
        "least cosine": ge(varrho(rho, DELTA), _LEAST),
        "attained": eq(varrho(-sqrt(3) / 2, Rational(3, 5)), _LEAST),
        "room": ge(exp(-Rational(1, 10)) * omega(w, DELTA), sqrt(2)),
    },
    given={DELTA: interval(Rational(3, 5), 1)},
    rests_on=["eoc.varrho.closed_form", CLOSED_FORM, "eoc.zeta"],
    discharging=BY_DEFINITION,
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


def _least_in_angle() -> Theorem:
    """cos t + (6/(5π))(sin t - t cos t) falls up to t = 5π/6, and then rises."""
    value, turn = cos(t) + Rational(6, 5) / pi * segment(t), 5 * pi / 6
    bounds = []
    for compared, over in ((le, {t: Interval(0, turn)}), (ge, {t: Interval(turn, pi)})):
        sine = rules.decided(ge(sin(t), 0), over=over)
        slope = rules.follows(compared(value.diff(t), 0), [sine])
        bounds.append(between_ends(value, slope, turn))
    return rules.follows(ge(value, _LEAST), bounds, over={t: Interval(0, pi)})


@ACUTE.proved("least cosine")
def least_cosine(given: Given) -> Theorem:
    """ϱ increases with Δ; at Δ = 3/5 its slope vanishes at t = 5π/6."""
    over = {rho: given.domain[rho], DELTA: given.domain[DELTA]}
    known = [*of_cosine(_least_in_angle(), over), *of_cosine(segment_is_nonnegative(), over)]
    return given.follows(*known, goal=as_stated(ACUTE, "least cosine"))


@ACUTE.proved("attained")
def at_the_turn(given: Given) -> Theorem:
    """The value at t = 5π/6."""
    return given.decided()


@ACUTE.certified("room")
def margin_above_the_right_angle(given: Given) -> Theorem:
    """ω ≥ ((1 - 3/(5π))/2)^(-1/2) = 1.5723…, more than √2 e^(1/10)."""
    bounds = given.fact(CLOSED_FORM, "in the angle"), _least_in_angle(), segment_is_nonnegative()
    numbers = [
        rules.enclosed(gt(exp(-Rational(1, 10)), Rational(9, 10))),
        rules.enclosed(lt(pi, Rational(63, 20))),
    ]
    stated = as_stated(ACUTE, "room", unfold=through_zeta)
    return given.follows(*_in_angle(given, *bounds), *numbers, goal=stated)

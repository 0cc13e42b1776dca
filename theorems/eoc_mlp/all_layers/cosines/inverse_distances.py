"""Before Proposition 25: the inverse cosine distance map ω."""

from typing import Any

from hypothesis import strategies as st
from sympy import Abs, Derivative, Interval, Rational, Symbol, cos, pi, sin, sqrt, symbols

from symbolic.cosine_maps import derive_omega_prime
from theorems.classical.functions import arcsine
from theorems.engine import (
    Given,
    Provenance,
    Severity,
    both,
    defining,
    eq,
    ge,
    gt,
    half_line,
    implies,
    le,
    lt,
    open_interval,
    rules,
)
from theorems.engine.rules import Theorem
from theorems.engine.rules.certificates import covered
from theorems.engine.rules.facts import circle, sine_positive
from theorems.engine.statements.values import unfolded
from theorems.eoc_mlp.letters.activation import DELTA
from theorems.eoc_mlp.letters.cosines import h, omega, omega_prime, t, w, w_left, w_right, z, zeta, zeta_prime
from theorems.eoc_mlp.letters.table import claim
from theorems.eoc_mlp.premises.angles import segment_below_distance, segment_below_tangent
from theorems.eoc_mlp.premises.sines import (
    ALIVE,
    INSERTED,
    QUOTIENT,
    concluded,
    in_sines,
    of_numbers,
    p,
    positive_zeta,
    through_zeta,
    y,
)
from theorems.eoc_mlp.premises.substitutions import as_stated, half_sine, of_half_sine, of_inverse_distance

_BEFORE_25 = "before Proposition 25"
_LIPSCHITZ = "proofs_notes/eoc_mlp.md#lipschitz-constant-of-omega"
_CASES = st.tuples(
    st.one_of(st.just(1.0000001), st.floats(1, 1e6, exclude_min=True)),
    st.one_of(st.sampled_from([0, 1]), st.floats(0, 1)),
)
#: The inverse golden ratio.
GOLDEN = (sqrt(5) - 1) / 2

RANGE = claim(
    "eoc.omega",
    at=_BEFORE_25,
    title="The inverse cosine distance map maps (1, ∞) into itself and does not decrease",
    states={
        "definition": eq(omega(w, DELTA), zeta(w**-2, DELTA) ** Rational(-1, 2)),
        "values": ge(omega(w, DELTA), w),
    },
    rests_on=["eoc.zeta.closed_form", "eoc.zeta"],
)


@RANGE.proved("definition")
def insert_the_distance(given: Given) -> Theorem:
    """Both closed forms are the same."""
    positive = of_inverse_distance(positive_zeta(in_sines(given)), given.domain)
    return given.follows(positive, goal=unfolded(given.goal))


@RANGE.proved("values")
def smaller_distances(given: Given) -> Theorem:
    """0 < ζ(z) ≤ z on (0, 1), and ω(w) = w at ζ(z) = z; x^(-1/2) decreases."""
    facts = [given.fact("eoc.zeta", one, {z: w**-2}) for one in ("below the identity", "positive")]
    return given.follows(*facts, goal=through_zeta(given.goal))


@RANGE.tested("values", over=_CASES)
def random_distances(case: tuple[float, float]) -> dict[Symbol, float]:
    """Distances from nearly opposite to nearly equal inputs."""
    return dict(zip((w, DELTA), case, strict=True))


PRIME = claim(
    "eoc.omega.prime",
    at=_BEFORE_25,
    title="Derivative of the inverse cosine distance map",
    states={
        "derivative": defining(
            omega_prime(w, DELTA),
            eq(Derivative(omega(w, DELTA), w), zeta_prime(w**-2, DELTA) * (omega(w, DELTA) / w) ** 3),
        ),
        "in the angle": eq(
            omega_prime(1 / sin(t / 2), DELTA),
            (1 - 2 * DELTA * t / pi) / (1 - DELTA * h(t)) ** Rational(3, 2),
        ),
    },
    given={t: open_interval(0, pi)},
    rests_on=["eoc.zeta.closed_form", "eoc.zeta.prime", "eoc.zeta"],
    provenance=Provenance.DERIVED,
)


@PRIME.proved("derivative")
def chain_rule(given: Given) -> Theorem:
    """Differentiate ζ(w⁻²)^(-1/2)."""
    slope = given.derived(derive_omega_prime())
    positive = of_inverse_distance(positive_zeta(in_sines(given)), given.domain)
    return given.follows(slope, positive, goal=slope.statement)


@PRIME.proved("in the angle")
def cancel_the_distance(given: Given) -> Theorem:
    """ζ(z) = z (1 - Δh(t)), and z^(3/2) cancels."""
    return given.follows(*_slope_in_angle(given), goal=through_zeta(given.goal))


def _slope_in_angle(given: Given) -> list[Theorem]:
    """What ζ and ζ' are at z = sin²(t/2), and what ω' makes of them."""
    over, s = {t: open_interval(0, pi), DELTA: given.domain[DELTA]}, sin(t / 2)
    within, angles = both(gt(s, 0), lt(s, 1)), {t: over[t]}
    twice = rules.decided(eq(sin(t), 2 * s * cos(t / 2)), over=angles)
    signs = [sine_positive(one, over=angles) for one in (t, t / 2)]
    inside = rules.follows(within, [twice, *signs, circle(t / 2, over=angles)])
    positive = given.fact("eoc.zeta", "positive")
    half = rules.decided(eq(cos(t), 1 - 2 * s**2), over=angles)
    distance, factor = zeta(s**2, DELTA), 1 - DELTA * unfolded(h(t))
    closed = [inside, half, given.fact("eoc.zeta.closed_form", "in the angle")]
    above = [inside, positive.at({z: s**2}, over=over, under=[within])]
    v, k, q = symbols("v k q", real=True)
    statement = implies(
        both(gt(v, 0), gt(y, 0), eq(y, v**2 * k), eq(p, q)),
        eq(p * v**3 / y ** Rational(3, 2), q / k ** Rational(3, 2)),
    )
    cancelled = rules.follows(statement)
    slope = given.fact("eoc.zeta.prime", "in the angle")
    values = {y: distance, v: s, k: factor, p: slope.statement.lhs, q: slope.statement.rhs}
    return [
        inside,
        half,
        slope,
        rules.follows(eq(distance, s**2 * factor), closed),
        rules.follows(gt(distance, 0), above),
        cancelled.at(values, over=over, under=[within, half.statement]),
    ]


SLOPE = claim(
    "eoc.omega.slope",
    at=_BEFORE_25,
    title="The inverse cosine distance map never grows faster than the identity",
    states=le(omega_prime(w, DELTA), 1),
    rests_on=[PRIME],
    provenance=Provenance.DERIVED,
    note=_LIPSCHITZ,
)


@SLOPE.proved()
def bernoullis_inequality(given: Given) -> Theorem:
    """(1 - x)^(3/2) ≥ 1 - 3x/2 at x = Δh, and 3h/2 ≤ 2t/π as 3 sin t ≤ 2t + t cos t."""
    return given.follows(_at_most_one(given), goal=unfolded(given.goal))


def _at_most_one(given: Given) -> Theorem:
    """ω' ≤ 1, in closed form."""
    over = in_sines(given)
    below = le(p * half_sine**2, half_sine**2 - Rational(3, 2) * (half_sine**2 - y))
    power = of_numbers(implies(both(ALIVE, below), le(QUOTIENT, 1)), over)
    tangent = of_half_sine(segment_below_tangent(), over)
    met = rules.follows(below.xreplace(INSERTED), tangent, over=over)
    return concluded([power, positive_zeta(over), met], le(QUOTIENT, 1), given)


LIPSCHITZ = claim(
    "eoc.omega.lipschitz",
    at="Proposition 25, proof",
    title="ω is 1-Lipschitz",
    states=le(Abs(omega(w_left, DELTA) - omega(w_right, DELTA)), Abs(w_left - w_right)),
    rests_on=["eoc.zeta.closed_form"],
    provenance=Provenance.QUOTED,
    note=_LIPSCHITZ,
)


@LIPSCHITZ.refuted(severity=Severity.FALSE)
def nearly_antipodal_inputs() -> dict[Symbol, Any]:
    """|ω(1.01) - ω(1.02)| > 0.01 for the absolute value, Δ = 1."""
    return {w_left: Rational(101, 100), w_right: Rational(102, 100), DELTA: 1}


CORRECTED = LIPSCHITZ.corrected(
    "eoc.omega.lipschitz.corrected",
    title="ω is 1-Lipschitz exactly up to the inverse golden ratio",
    states={
        "if": implies(le(DELTA, GOLDEN), le(Abs(omega_prime(w, DELTA)), 1)),
        "only if": implies(gt(DELTA, GOLDEN), lt(omega_prime(1 / cos((DELTA - GOLDEN) / 2), DELTA), -1)),
    },
    rests_on=[PRIME, SLOPE, "eoc.zeta.closed_form", "eoc.zeta.prime", "eoc.zeta"],
    note=_LIPSCHITZ,
)


@CORRECTED.proved("if")
def cube_of_the_golden_ratio(given: Given) -> Theorem:
    """ζ' ≥ 1 - 2Δ and ζ ≥ (1 - Δ)z; with g² = 1 - g also g³ = 2g - 1, so that ω' ≥ -1."""
    over, least = in_sines(given), ge(QUOTIENT, -1)
    slope, distance = ge(p, 1 - 2 * DELTA), ge(y, (1 - DELTA) * half_sine**2)
    cubes = of_numbers(implies(both(ALIVE, slope, distance, le(DELTA, GOLDEN)), least), over)
    angle = of_half_sine(segment_below_distance(), over)
    met = [rules.follows(one.xreplace(INSERTED), angle, over=over) for one in (slope, distance)]
    wanted = implies(le(DELTA, GOLDEN), least)
    lower = concluded([cubes, positive_zeta(over), *met], wanted, given)
    return given.follows(lower, _at_most_one(given), goal=as_stated(CORRECTED, "if"))


@CORRECTED.certified("only if")
def nearly_opposite_inputs(given: Given) -> Theorem:
    """At t = π - (Δ - g) one has (1 - Δh)^(3/2) < 2Δt/π - 1, for all Δ in (g, 1]."""
    over, angle = {DELTA: Interval.Lopen(GOLDEN, 1)}, pi - (DELTA - GOLDEN)
    rest, excess = 1 - DELTA * unfolded(h(angle)), 2 * DELTA * angle / pi - 1
    cubes = covered(lt(rest**3, excess**2), over=over, zero_orders={DELTA: (1, 0)})
    signs = [covered(gt(one, 0), over=over) for one in (rest, excess, 1 - cos(angle))]
    statement = implies(both(gt(y, 0), gt(p, 0), lt(y**3, p**2)), lt(-p / y ** Rational(3, 2), -1))
    roots = rules.follows(statement)
    large = roots.at({y: rest, p: excess}, over=over, under=[signs[-1].statement])
    slope = rules.follows(as_stated(PRIME, "in the angle", unfold=through_zeta), _slope_in_angle(given))
    there = slope.at({t: angle}, over=over, under=[gt(pi, 3)])
    known = [cubes, *signs, large, there, rules.enclosed(gt(pi, 3))]
    return given.follows(*known, goal=as_stated(CORRECTED, "only if", unfold=through_zeta))


ACUTE = claim(
    "eoc.omega.acute",
    at="Proposition 25, proof",
    title="ω is 1-Lipschitz and increasing on acute angles, for every Δ",
    states=[le(0, omega_prime(w, DELTA)), le(omega_prime(w, DELTA), 1)],
    given={w: half_line(sqrt(2))},
    rests_on=[PRIME, SLOPE],
    provenance=Provenance.DERIVED,
    note=_LIPSCHITZ,
)


@ACUTE.proved()
def slope_is_nonnegative(given: Given) -> Theorem:
    """w ≥ √2 means t ≤ π/2, where ζ' = 1 - 2Δt/π ≥ 1 - Δ."""
    sines = Interval.Lopen(0, 1 / sqrt(2))
    over = in_sines(given, sines)
    slope = ge(p, 0)
    known = [arcsine(half_sine, over=over)]
    known = [positive_zeta(over), rules.follows(slope.xreplace(INSERTED), known, over=over)]
    positive = of_numbers(implies(both(ALIVE, slope), ge(QUOTIENT, 0)), over)
    lower = concluded([positive, *known], ge(QUOTIENT, 0), given, sines)
    return given.follows(lower, _at_most_one(given), goal=as_stated(ACUTE))

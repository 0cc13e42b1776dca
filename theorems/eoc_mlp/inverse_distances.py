"""Section 3.3, before Proposition 25: the inverse cosine distance map ω."""

from __future__ import annotations

from typing import Any

import sympy as sp
from hypothesis import strategies as st
from sympy import (
    Abs,
    Derivative,
    Expr,
    Interval,
    Order,
    Rational,
    Reals,
    Symbol,
    cos,
    oo,
    pi,
    sin,
    sqrt,
)

from symbolic.cosine_maps import derive_omega_expansion, derive_omega_prime
from symbolic.derivation import Derivation
from theorems.engine import (
    Given,
    Provenance,
    Severity,
    both,
    claims_in,
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
from theorems.engine.values import rebuilt, unfolded
from theorems.eoc_mlp.angle_bounds import (
    segment,
    segment_above_cube,
    segment_below_distance,
    segment_below_tangent,
)
from theorems.eoc_mlp.distance_maps import CLOSED_FORM
from theorems.eoc_mlp.distance_maps import PRIME as DISTANCE_PRIME
from theorems.eoc_mlp.distance_maps import RANGE as DISTANCE_RANGE
from theorems.eoc_mlp.letters.activation import DELTA
from theorems.eoc_mlp.letters.cosines import (
    h,
    omega,
    omega_prime,
    t,
    w,
    w_left,
    w_right,
    z,
    zeta,
    zeta_prime,
)
from theorems.eoc_mlp.letters.table import LETTERS
from theorems.eoc_mlp.substitutions import (
    arcsine_range,
    as_stated,
    half_sine,
    in_angle,
    of_half_sine,
    of_inverse_distance,
)

claim = claims_in(LETTERS)
_BEFORE_25 = "Section 3.3, before Proposition 25"
_GROWTH = "proofs_notes/eoc_mlp.md#growth-of-omega"
_LIPSCHITZ = "proofs_notes/eoc_mlp.md#lipschitz-constant-of-omega"
_ACUTE = half_line(sqrt(2))
_CASES = st.tuples(
    st.one_of(st.just(1.0000001), st.floats(1, 1e6, exclude_min=True)),
    st.one_of(st.sampled_from([0, 1]), st.floats(0, 1)),
)
#: The inverse golden ratio.
GOLDEN = (sqrt(5) - 1) / 2

# ζ(s²), ζ'(s²) and a bound of ω(1/s), in s = 1/w.
_y, _p, _v = sp.symbols("y p v", real=True)
_SINES = Interval.open(0, 1)
_ZETA, _SLOPE = (unfolded(one(half_sine**2, DELTA)) for one in (zeta, zeta_prime))
_INSERTED = {_y: _ZETA, _p: _SLOPE}
_ALIVE = gt(_y, 0)
#: ω'(1/s).
_QUOTIENT = _p * half_sine**3 / _y ** Rational(3, 2)


def _through_zeta(relation: Any) -> Any:
    """ω(w) = ζ(w⁻²)^(-1/2) and ω'(w) = ζ'(w⁻²) ζ(w⁻²)^(-3/2) w⁻³, and h, inserted."""
    values = {one: one.unfolded() for one in relation.atoms(h)}
    for one in relation.atoms(omega, omega_prime):
        inverse, share = one.args
        root = zeta(inverse**-2, share) ** Rational(-1, 2)
        slope = zeta_prime(inverse**-2, share) * (root / inverse) ** 3
        values[one] = root if isinstance(one, omega) else slope
    return rebuilt(relation, values)


def _in_sines(given: Given, sines: Interval = _SINES) -> dict[Symbol, Any]:
    return {half_sine: sines, DELTA: given.domain[DELTA]}


def _of_numbers(statement: Any, over: dict[Symbol, Any]) -> Theorem:
    """A fact about real numbers y, p, v, with ζ, its slope and a bound inserted for them."""
    letters = {x: over.get(x, Reals) for x in statement.free_symbols}
    values = {x: value for x, value in _INSERTED.items() if x in letters}
    return rules.instance(rules.follows(statement, over=letters), values, over=over)


def _positive(over: dict[Symbol, Any]) -> Theorem:
    """ζ(s²) > 0."""
    return rules.follows(gt(_ZETA, 0), of_half_sine(segment_below_distance(), over), over=over)


RANGE = claim(
    "eoc.omega",
    at=_BEFORE_25,
    title="The inverse cosine distance map maps (1, ∞) into itself and does not decrease",
    states={
        "definition": eq(omega(w, DELTA), zeta(w**-2, DELTA) ** Rational(-1, 2)),
        "values": ge(omega(w, DELTA), w),
    },
    given=[w, DELTA],
    rests_on=[CLOSED_FORM, DISTANCE_RANGE],
)


@RANGE.proved("definition")
def insert_the_distance(given: Given) -> Theorem:
    """Both closed forms are the same."""
    positive = of_inverse_distance(_positive(_in_sines(given)), given.domain)
    return given.follows(positive, goal=unfolded(given.goal))


@RANGE.proved("values")
def smaller_distances(given: Given) -> Theorem:
    """0 < ζ(z) ≤ z on (0, 1), and ω(w) = w at ζ(z) = z; x^(-1/2) decreases."""
    facts = [
        given.fact(DISTANCE_RANGE, one, {z: w**-2}) for one in ("below the identity", "positive")
    ]
    return given.follows(*facts, goal=_through_zeta(given.goal))


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
            eq(
                Derivative(omega(w, DELTA), w),
                zeta_prime(w**-2, DELTA) * (omega(w, DELTA) / w) ** 3,
            ),
        ),
        "in the angle": eq(
            omega_prime(1 / sin(t / 2), DELTA),
            (1 - 2 * DELTA * t / pi) / (1 - DELTA * h(t)) ** Rational(3, 2),
        ),
    },
    given={w: None, t: open_interval(0, pi), DELTA: None},
    rests_on=[CLOSED_FORM, DISTANCE_PRIME, DISTANCE_RANGE],
    provenance=Provenance.DERIVED,
)


@PRIME.proved("derivative")
def chain_rule(given: Given) -> Theorem:
    """Differentiate ζ(w⁻²)^(-1/2)."""
    slope = given.derived(derive_omega_prime())
    positive = of_inverse_distance(_positive(_in_sines(given)), given.domain)
    return given.follows(slope, positive, goal=slope.statement)


@PRIME.proved("in the angle")
def cancel_the_distance(given: Given) -> Theorem:
    """ζ(z) = z (1 - Δh(t)), and z^(3/2) cancels."""
    return given.follows(*_slope_in_angle(given), goal=_through_zeta(given.goal))


def _slope_in_angle(given: Given) -> list[Theorem]:
    """What ζ and ζ' are at z = sin²(t/2), and what ω' makes of them."""
    over, s = {t: open_interval(0, pi), DELTA: given.domain[DELTA]}, sin(t / 2)
    within, angles = both(gt(s, 0), lt(s, 1)), {t: over[t]}
    twice = rules.decided(eq(sin(t), 2 * s * cos(t / 2)), over=angles)
    signs = [sine_positive(one, over=angles) for one in (t, t / 2)]
    inside = rules.follows(within, [twice, *signs, circle(t / 2, over=angles)], over=angles)
    positive = given.fact(DISTANCE_RANGE, "positive")
    half = rules.decided(eq(cos(t), 1 - 2 * s**2), over=angles)
    v, k = sp.symbols("v k", real=True)
    statement = implies(
        both(gt(v, 0), gt(_y, 0), eq(_y, v**2 * k)),
        eq(_p * v**3 / _y ** Rational(3, 2), _p / k ** Rational(3, 2)),
    )
    cancelled = rules.follows(statement, over=dict.fromkeys(statement.free_symbols, Reals))
    values = {_y: zeta(s**2, DELTA), v: s, _p: zeta_prime(s**2, DELTA)}
    values[k] = 1 - DELTA * unfolded(h(t))
    return [
        inside,
        half,
        given.fact(CLOSED_FORM, "in the angle"),
        given.fact(DISTANCE_PRIME, "in the angle"),
        rules.instance(positive, {z: s**2}, over=over, under=[within]),
        rules.instance(cancelled, values, over=over, under=[within, half.statement]),
    ]


SLOPE = claim(
    "eoc.omega.slope",
    at=_BEFORE_25,
    title="The inverse cosine distance map never grows faster than the identity",
    states=le(omega_prime(w, DELTA), 1),
    given=[w, DELTA],
    rests_on=[PRIME],
    provenance=Provenance.DERIVED,
    note=_LIPSCHITZ,
)


@SLOPE.proved()
def bernoulli(given: Given) -> Theorem:
    """(1 - x)^(3/2) ≥ 1 - 3x/2 at x = Δh, and 3h/2 ≤ 2t/π as 3 sin t ≤ 2t + t cos t."""
    return given.follows(_at_most_one(given), goal=unfolded(given.goal))


def _at_most_one(given: Given) -> Theorem:
    """ω' ≤ 1, in closed form."""
    over = _in_sines(given)
    below = le(_p * half_sine**2, half_sine**2 - Rational(3, 2) * (half_sine**2 - _y))
    power = _of_numbers(implies(both(_ALIVE, below), le(_QUOTIENT, 1)), over)
    tangent = of_half_sine(segment_below_tangent(), over)
    return _concluded([power, _positive(over), *tangent], le(_QUOTIENT, 1), given)


def _concluded(premises: list[Theorem], goal: Any, given: Given, sines: Any = _SINES) -> Theorem:
    """A relation for ζ(s²) and its slope from premises in s, at s = 1/w."""
    over = _in_sines(given, sines)
    bound = rules.follows(goal.xreplace(_INSERTED), premises, over=over)
    return of_inverse_distance(bound, given.domain)


LIPSCHITZ = claim(
    "eoc.omega.lipschitz",
    at="Proposition 25, proof",
    title="ω is 1-Lipschitz",
    states=le(Abs(omega(w_left, DELTA) - omega(w_right, DELTA)), Abs(w_left - w_right)),
    given=[w_left, w_right, DELTA],
    rests_on=[CLOSED_FORM],
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
        "only if": implies(
            gt(DELTA, GOLDEN), lt(omega_prime(1 / cos((DELTA - GOLDEN) / 2), DELTA), -1)
        ),
    },
    given=[w, DELTA],
    rests_on=[PRIME, SLOPE, CLOSED_FORM, DISTANCE_PRIME, DISTANCE_RANGE],
    note=_LIPSCHITZ,
)


@CORRECTED.proved("if")
def cube_of_the_golden_ratio(given: Given) -> Theorem:
    """ζ' ≥ 1 - 2Δ and ζ ≥ (1 - Δ)z; with g² = 1 - g also g³ = 2g - 1, so that ω' ≥ -1."""
    over, least = _in_sines(given), ge(_QUOTIENT, -1)
    slope, distance = ge(_p, 1 - 2 * DELTA), ge(_y, (1 - DELTA) * half_sine**2)
    cubes = _of_numbers(implies(both(_ALIVE, slope, distance, le(DELTA, GOLDEN)), least), over)
    angle = of_half_sine(segment_below_distance(), over)
    met = [rules.follows(one.xreplace(_INSERTED), angle, over=over) for one in (slope, distance)]
    wanted = implies(le(DELTA, GOLDEN), least)
    lower = _concluded([cubes, _positive(over), *met], wanted, given)
    return given.follows(lower, _at_most_one(given), goal=as_stated(CORRECTED, "if"))


@CORRECTED.certified("only if")
def nearly_opposite_inputs(given: Given) -> Theorem:
    """At t = π - (Δ - g) one has (1 - Δh)^(3/2) < 2Δt/π - 1, for all Δ in (g, 1]."""
    over, angle = {DELTA: Interval.Lopen(GOLDEN, 1)}, pi - (DELTA - GOLDEN)
    rest, excess = 1 - DELTA * unfolded(h(angle)), 2 * DELTA * angle / pi - 1
    cubes = covered(lt(rest**3, excess**2), over=over, zero_orders={DELTA: (1, 0)})
    signs = [covered(gt(one, 0), over=over) for one in (rest, excess, 1 - cos(angle))]
    statement = implies(
        both(gt(_y, 0), gt(_p, 0), lt(_y**3, _p**2)), lt(-_p / _y ** Rational(3, 2), -1)
    )
    roots = rules.follows(statement, over={_y: Reals, _p: Reals})
    large = rules.instance(roots, {_y: rest, _p: excess}, over=over, under=[signs[-1].statement])
    slope = rules.follows(
        as_stated(PRIME, "in the angle", unfold=_through_zeta),
        _slope_in_angle(given),
        over={t: open_interval(0, pi), DELTA: given.domain[DELTA]},
    )
    there = rules.instance(slope, {t: angle}, over=over, under=[gt(pi, 3)])
    known = [cubes, *signs, large, there, rules.enclosed(gt(pi, 3))]
    stated = as_stated(CORRECTED, "only if", unfold=_through_zeta)
    return given.follows(*known, goal=stated)


ACUTE = claim(
    "eoc.omega.acute",
    at="Proposition 25, proof",
    title="ω is 1-Lipschitz and increasing on acute angles, for every Δ",
    states=[le(0, omega_prime(w, DELTA)), le(omega_prime(w, DELTA), 1)],
    given={w: _ACUTE, DELTA: None},
    rests_on=[PRIME, SLOPE],
    provenance=Provenance.DERIVED,
    note=_LIPSCHITZ,
)


@ACUTE.proved()
def slope_is_nonnegative(given: Given) -> Theorem:
    """w ≥ √2 means t ≤ π/2, where ζ' = 1 - 2Δt/π ≥ 1 - Δ."""
    sines = Interval.Lopen(0, 1 / sqrt(2))
    over = _in_sines(given, sines)
    known = [_positive(over), arcsine_range(half_sine, over)]
    positive = _of_numbers(implies(both(_ALIVE, ge(_p, 0)), ge(_QUOTIENT, 0)), over)
    lower = _concluded([positive, *known], ge(_QUOTIENT, 0), given, sines)
    return given.follows(lower, _at_most_one(given), goal=as_stated(ACUTE))


_FIRST = 4 * DELTA / (3 * pi)
_SECOND = 8 * DELTA**2 / (3 * pi**2)

INCREMENT = claim(
    "eoc.omega.increment",
    at="Remark 13",
    title="Each layer adds at least 4Δ/(3π) to the inverse cosine distance",
    states=ge(omega(w, DELTA), w + _FIRST),
    given=[w, DELTA],
    rests_on=[CLOSED_FORM],
    provenance=Provenance.DERIVED,
    note=_GROWTH,
)


@INCREMENT.proved()
def square_and_compare(given: Given) -> Theorem:
    """With ζ/z ≤ 1 - (8/(3π))Δs: (1 + cΔs)²(1 - (8/(3π))Δs) ≤ 1, for all x = Δs in [0, 1]."""
    return _at_least(given, given.goal.rhs)


def _at_least(given: Given, bound: Expr) -> Theorem:
    """ω(w) ≥ a bound v, which is so if v²ζ(w⁻²) ≤ 1."""
    over, reached = _in_sines(given), bound.subs(w, 1 / half_sine)
    root = _of_numbers(
        implies(both(_ALIVE, ge(_v, 0), le(_v**2 * _y, 1)), le(_v, 1 / sqrt(_y))), over
    )
    root = rules.instance(root, {_v: reached}, over=over)
    cube = of_half_sine(segment_above_cube(), over)
    distance = rules.follows(
        le(_ZETA, half_sine**2 * (1 - 2 * _FIRST * half_sine)), cube, over=over
    )
    product = rules.follows(le(reached**2 * _ZETA, 1), [distance, _positive(over)], over=over)
    goal = le(reached, 1 / sqrt(_y))
    return _concluded([root, product, _positive(over)], goal, given)


@INCREMENT.tested(over=_CASES)
def random_increments(case: tuple[float, float]) -> dict[Symbol, float]:
    """Distances from nearly opposite to nearly equal inputs."""
    return dict(zip((w, DELTA), case, strict=True))


_TO_SECOND = w + _FIRST + _SECOND / w

EXPANSION = claim(
    "eoc.omega.expansion",
    at="Remark 13",
    title="Expansion of the inverse cosine distance map at infinity, with its remainder",
    states=[
        le(_TO_SECOND, omega(w, DELTA)),
        le(omega(w, DELTA), _TO_SECOND + Rational(127, 200) / w**2),
    ],
    given={w: _ACUTE, DELTA: None},
    rests_on=[CLOSED_FORM],
    provenance=Provenance.DERIVED,
    note=_GROWTH,
)


@EXPANSION.certified()
def remainder_of_the_expansion(given: Given) -> Theorem:
    """From below (1 + x + 3x²/2)²(1 - 2x) ≤ 1 for x = (4/(3π))Δ/w; from above by balls."""
    stated = as_stated(EXPANSION)
    upper = _at_most(given, _TO_SECOND + Rational(127, 200) / w**2, 5)
    return given.follows(_at_least(given, _TO_SECOND), upper, goal=stated)


def _at_most(given: Given, bound: Expr, order: int) -> Theorem:
    """ω(w) ≤ a bound rw for w ≥ √2, which is so if r²ζ ≥ s² at s = 1/w: by balls, up to t = π/2."""
    sines, r = Interval.Lopen(0, 1 / sqrt(2)), Symbol("r", real=True)
    over = _in_sines(given, sines)
    relative = sp.expand(bound / w).subs(w, 1 / half_sine)

    def excess(distance: Expr) -> Expr:
        return relative**2 * distance - half_sine**2

    in_sine = excess(half_sine**2 - DELTA / pi * segment(t)).subs(half_sine, sin(t / 2))
    acute = {t: Interval(0, pi / 2), DELTA: over[DELTA]}
    here, *_ = of_half_sine(in_angle(ge(in_sine, 0), (order, 0), acute), over)
    same = rules.decided(eq(here.statement.lhs, excess(_ZETA)), over=over)
    large = rules.follows(ge(excess(_ZETA), 0), [here, same], over=over)
    positive = [_positive(over), rules.follows(gt(relative, 0), over=over)]
    met = both(_ALIVE, gt(r, 0), ge(r**2 * _y - half_sine**2, 0))
    root = _of_numbers(implies(met, ge(r / half_sine, 1 / sqrt(_y))), over)
    root = rules.instance(root, {r: relative}, over=over)
    reached, small = bound.subs(w, 1 / half_sine), 1 / sqrt(_ZETA)
    factored = rules.follows(ge(relative / half_sine, small), [root, *positive, large], over=over)
    same = rules.decided(eq(relative / half_sine, reached), over=over)
    return _concluded([factored, same], ge(reached, 1 / sqrt(_y)), given, sines)


@EXPANSION.argued(
    bridge="An expansion with these three terms makes the remainder of order w^-2 at infinity; how"
    " large it is on the half-line is for the certificate to say.",
)
def expand(given: Given) -> Derivation:
    """Expand ζ(w⁻²)^(-1/2) in powers of 1/w."""
    (terms,) = (one.lhs for one in given.goal.args if not one.lhs.has(omega))
    derivation: Derivation = derive_omega_expansion(2).claiming(terms + Order(w**-2, (w, oo)))
    return derivation


REMAINDER = claim(
    "eoc.omega.remainder",
    at="Remark 13",
    title="Explicit remainder of the expansion on acute angles",
    states=[
        le(0, omega(w, DELTA) - w - _FIRST),
        le(omega(w, DELTA) - w - _FIRST, Rational(3, 4) / w),
    ],
    given={w: _ACUTE, DELTA: None},
    rests_on=[INCREMENT, CLOSED_FORM],
    provenance=Provenance.DERIVED,
    note=_GROWTH,
)


@REMAINDER.certified()
def remainder_bound(given: Given) -> Theorem:
    """v²ζ(w⁻²) ≥ 1 for v = w + 4Δ/(3π) + 3/(4w), which meets to the order 4 at t = 0."""
    upper = _at_most(given, w + _FIRST + Rational(3, 4) / w, 4)
    return given.follows(_at_least(given, w + _FIRST), upper, goal=as_stated(REMAINDER))


SHARP_REMAINDER = REMAINDER.sharpened(
    "eoc.omega.remainder.sharp",
    title="The remainder of the expansion on acute angles, with a constant that is almost attained",
    states=[
        le(0, omega(w, DELTA) - w - _FIRST),
        le(omega(w, DELTA) - w - _FIRST, Rational(18, 25) / w),
    ],
    given={w: _ACUTE, DELTA: None},
    rests_on=[INCREMENT, CLOSED_FORM],
    note=_GROWTH,
)


@SHARP_REMAINDER.certified()
def sharper_remainder_bound(given: Given) -> Theorem:
    """The same with the constant 18/25; at w = √2 for the absolute value it is 0.7175."""
    upper = _at_most(given, w + _FIRST + Rational(18, 25) / w, 4)
    return given.follows(_at_least(given, w + _FIRST), upper, goal=as_stated(SHARP_REMAINDER))

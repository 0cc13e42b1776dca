"""Before Proposition 12: the squared cosine distance map ζ."""

import sympy as sp
from sympy import Derivative, Rational, Symbol, asin, cos, pi, sin, sqrt

from symbolic.cosine_maps import derive_zeta_prime
from symbolic.cosine_maps import zeta as zeta_formula
from symbolic.cosine_maps import zeta_prime as zeta_prime_formula
from symbolic.derivation import Derivation, Step
from symbolic.equality import equal
from symbolic.gaussian import GaussianMean
from symbolic.gaussian.half_lines import half_line_steps
from symbolic.gaussian.polar import polar_steps
from symbolic.notation import ABBREVIATIONS, DOMAIN, NOT_BOTH_ZERO
from theorems.engine import (
    Given,
    Obligations,
    Provenance,
    defining,
    eq,
    ge,
    gt,
    implies,
    le,
    open_interval,
    rules,
)
from theorems.engine.rules import Theorem
from theorems.engine.rules.facts import circle
from theorems.engine.statements.values import unfolded
from theorems.eoc_mlp.hypotheses import ANGLE, BY_DEFINITION, SCALE, SHARE
from theorems.eoc_mlp.letters.activation import DELTA, SIGMA, a, b, phi, u, u1, u2
from theorems.eoc_mlp.letters.cosines import rho, t, varrho, varrho_prime, z, zeta, zeta_prime, zeta_second
from theorems.eoc_mlp.letters.table import claim
from theorems.eoc_mlp.premises.angles import (
    ANGLES,
    segment,
    segment_above_cube,
    segment_below_distance,
    segment_is_nonnegative,
)
from theorems.eoc_mlp.premises.substitutions import as_stated, in_angle, of_distance

_BEFORE_12 = "before Proposition 12"
_ROOT = sqrt(z)
_INSIDE = {z: open_interval(0, 1), DELTA: None}

CLOSED_FORM = claim(
    "eoc.zeta.closed_form",
    at=_BEFORE_12,
    title="Closed form of the squared cosine distance map",
    states={
        "by the cosine map": defining(
            zeta(z, DELTA),
            eq(
                (1 - varrho(1 - 2 * z, DELTA)) / 2,
                z - DELTA * 2 / pi * (sqrt(z * (1 - z)) - (1 - 2 * z) * asin(_ROOT)),
            ),
        ),
        "in the angle": eq(
            zeta(sin(t / 2) ** 2, DELTA), sin(t / 2) ** 2 - DELTA / pi * (sin(t) - t * cos(t))
        ),
    },
    rests_on=["eoc.varrho.closed_form"],
    discharging=BY_DEFINITION,
    provenance=Provenance.DERIVED,
)


@CLOSED_FORM.proved("by the cosine map")
def from_the_cosine_map(given: Given) -> Theorem:
    """Insert ρ = 1 - 2z into the closed form of ϱ."""
    return given.decided()


@CLOSED_FORM.proved("in the angle")
def insert_the_angle(given: Given) -> Theorem:
    """The arcsine of sin(t/2) is t/2, for t/2 is at most π/2."""
    return _decided_in_angle(given)


def _decided_in_angle(given: Given) -> Theorem:
    """The sine of t/2 is at most 1, so that its arcsine exists."""
    wanted, half = unfolded(given.goal), t / 2
    over = {x: given.domain[x] for x in wanted.free_symbols}
    inside = le(sin(half) ** 2 + cos(half) ** 2, 1)
    formula = rules.decided(wanted, over=over, under=[inside])
    return given.follows(formula, circle(half, over=over), goal=wanted)


PRIME = claim(
    "eoc.zeta.prime",
    at=_BEFORE_12,
    title="Derivative of the squared cosine distance map",
    states={
        "derivative": defining(
            zeta_prime(z, DELTA), eq(Derivative(zeta(z, DELTA), z), 1 - DELTA * 4 / pi * asin(_ROOT))
        ),
        "by the cosine map": eq(zeta_prime(z, DELTA), varrho_prime(1 - 2 * z, DELTA)),
        "in the angle": eq(zeta_prime(sin(t / 2) ** 2, DELTA), 1 - 2 * DELTA * t / pi),
    },
    given={**_INSIDE, t: open_interval(0, pi)},
    rests_on=[CLOSED_FORM, "eoc.varrho.prime"],
    provenance=Provenance.DERIVED,
)


@PRIME.proved("derivative")
def differentiate(given: Given) -> Theorem:
    """Differentiate the closed form."""
    return given.derived(derive_zeta_prime())


@PRIME.proved("by the cosine map")
def arcsine_of_the_cosine(given: Given) -> Theorem:
    """Compare closed forms: arcsin(1 - 2z) = π/2 - 2 arcsin √z."""
    return given.decided()


@PRIME.proved("in the angle")
def slope_in_the_angle(given: Given) -> Theorem:
    """The arcsine of sin(t/2) is t/2."""
    return _decided_in_angle(given)


SYMMETRY = claim(
    "eoc.zeta.symmetry",
    at=_BEFORE_12,
    title="ζ is affine in Δ, and symmetric for the absolute value",
    states={
        "affine": eq(zeta(z, DELTA), (1 - DELTA) * z + DELTA * zeta(z, 1)),
        "symmetric": eq(zeta(1 - z, 1), zeta(z, 1)),
    },
    rests_on=[CLOSED_FORM],
    provenance=Provenance.DERIVED,
)


@SYMMETRY.proved("affine", "symmetric")
def compare_closed_forms(given: Given) -> Theorem:
    """Compare closed forms."""
    return given.decided()


_LEAST = Rational(8, 3) / pi

SANDWICH = claim(
    "eoc.zeta.sandwich",
    at=_BEFORE_12,
    title="ζ(z) is z less a multiple of z^(3/2), with best constants",
    states={
        "lower bound": le(z - DELTA * z ** Rational(3, 2), zeta(z, DELTA)),
        "upper bound": le(zeta(z, DELTA), z - _LEAST * DELTA * z ** Rational(3, 2)),
        "lower bound attained": eq(zeta(1, DELTA), 1 - DELTA),
        "upper bound attained to first order": le(
            z - (_LEAST + (1 - _LEAST) * z) * DELTA * z ** Rational(3, 2), zeta(z, DELTA)
        ),
    },
    rests_on=[CLOSED_FORM],
    provenance=Provenance.DERIVED,
    note="proofs_notes/eoc_mlp.md#growth-of-omega",
)


@SANDWICH.proved("upper bound")
def segment_above_its_cube(given: Given) -> Theorem:
    """3 (sin t - t cos t) ≥ 8 sin³(t/2) in the angle."""
    return _from_angles(given, segment_above_cube())


def _from_angles(given: Given, theorem: Theorem) -> Theorem:
    return given.follows(*of_distance(theorem, given.domain), goal=as_stated(SANDWICH, given.part))


@SANDWICH.certified("lower bound")
def segment_below_cube(given: Given) -> Theorem:
    """sin t - t cos t ≤ π sin³(t/2), which vanishes to the orders 3 at 0 and 2 at π."""
    below = in_angle(le(segment(t), pi * sin(t / 2) ** 3), (3, 2), {t: ANGLES})
    return _from_angles(given, below)


@SANDWICH.certified("upper bound attained to first order")
def segment_below_cube_and_fifth_power(given: Given) -> Theorem:
    """The quotient of both sides is 8/3 at 0 and π at π, and stays below the chord in sin²(t/2)."""
    s = sin(t / 2)
    chord = Rational(8, 3) + (pi - Rational(8, 3)) * s**2
    below = in_angle(le(segment(t), chord * s**3), (5, 2), {t: ANGLES})
    return _from_angles(given, below)


@SANDWICH.proved("lower bound attained")
def opposite_directions(given: Given) -> Theorem:
    """Insert z = 1, where both sides are equal."""
    return given.decided()


@SANDWICH.argued("upper bound", bridge="A power series in z without negative terms is least at z = 0.")
def least_quotient(given: Given) -> Obligations:
    """(z - ζ)/(Δz^(3/2)) is a power series in z without negative terms, so least at z = 0."""
    yield from _quotient_increases()
    first = 4 / pi / (sp.Integer(0) + Rational(3, 2))
    yield "its value at z = 0 is the first coefficient", equal(first, _constant(given))


@SANDWICH.argued("lower bound", bridge="A power series in z without negative terms is largest at z = 1.")
def largest_quotient(given: Given) -> Obligations:
    """The same series is largest at z = 1, where t = π."""
    yield from _quotient_increases()
    yield "its value at z = 1", equal(segment(t).subs(t, pi) / pi, _constant(given))


def _constant(given: Given) -> sp.Expr:
    """The number c of the bound z - cΔz^(3/2)."""
    (bound,) = (side for side in given.goal.args if not side.has(zeta))
    return sp.simplify((z - bound) / (DELTA * z ** Rational(3, 2)))


def _quotient_increases() -> Obligations:
    """(z - ζ)/(Δz^(3/2)) = (4/π) Σ c_n zⁿ/(n + 3/2), with c_n > 0 the coefficients of arcsin."""
    angle = 2 * asin(_ROOT)
    slope = sp.diff(segment(angle), z)
    yield "its numerator has the derivative 4 arcsin √z", equal(slope, 4 * asin(_ROOT), DOMAIN)
    y = asin(z)
    equation = (1 - z**2) * sp.diff(y, z, 2) - z * sp.diff(y, z)
    yield "(1 - x²)y'' = x y' for y = arcsin x", equal(equation, sp.Integer(0), DOMAIN)
    n = Symbol("n", integer=True, nonnegative=True)
    power = 2 * n + 1
    # The coefficient of x^(2n+1) in the equation, with y = Σ c_n x^(2n+1).
    ratio = (power * (power - 1) + power) / ((power + 2) * (power + 1))
    yield "c_{n+1}/c_n > 0", ratio.is_positive
    exact = sp.series(y, z, 0, 4).removeO()
    yield "c_0 = 1, c_1 = 1/6 as the ratio says", equal(exact, z + ratio.subs(n, 0) * z**3)


RANGE = claim(
    "eoc.zeta",
    at=_BEFORE_12,
    title="The squared cosine distance map maps [0, 1] to itself",
    states={
        "range": [ge(zeta(z, DELTA), 0), le(zeta(z, DELTA), 1)],
        "below the identity": le(zeta(z, DELTA), z),
        "positive": implies(gt(z * (1 - z), 0), gt(zeta(z, DELTA), 0)),
    },
    rests_on=[CLOSED_FORM],
)


@RANGE.proved("range", "below the identity", "positive")
def between_zero_and_z(given: Given) -> Theorem:
    """For Δ = 1 the map is at least 2z(1 - z)/π and at most z, for Δ = 0 it is z."""
    bounds = [segment_below_distance(), segment_is_nonnegative()]
    known = [one for bound in bounds for one in of_distance(bound, given.domain)]
    return given.follows(*known, goal=unfolded(given.goal))


CONCAVE = claim(
    "eoc.zeta.second",
    at=_BEFORE_12,
    title="The squared cosine distance map is concave",
    states={
        "second derivative": defining(
            zeta_second(z, DELTA),
            eq(Derivative(zeta(z, DELTA), (z, 2)), -2 * DELTA / (pi * sqrt(z * (1 - z)))),
        ),
        "sign": le(zeta_second(z, DELTA), 0),
    },
    given=_INSIDE,
    rests_on=[PRIME],
    provenance=Provenance.DERIVED,
)


@CONCAVE.proved("second derivative")
def differentiate_again(given: Given) -> Theorem:
    """Differentiate ζ'."""
    return given.derived(
        Derivation(
            title="The second derivative of the squared cosine distance map",
            name=r"\zeta''(z)",
            start=Derivative(zeta_formula(z, DELTA), z, 2),
            steps=[
                Step(Derivative(zeta_prime_formula(z, DELTA), z), "the first derivative"),
                Step(-2 * DELTA / (pi * sqrt(z * (1 - z))), "differentiate"),
            ],
            domain=DOMAIN,
        )
    )


@CONCAVE.proved("sign")
def numerator_and_denominator(given: Given) -> Theorem:
    """A nonnegative number with a minus sign over a positive one."""
    return given.decided()


def half_difference_squared(one: sp.Expr, other: sp.Expr) -> sp.Expr:
    """The square of half the difference of the activations of one unit."""
    return ((phi(one, a, b) - phi(other, a, b)) / 2) ** 2


COSINES = claim(
    "eoc.zeta.cosines",
    at="Proposition 12, proof",
    title="A quarter of the mean squared difference of the activations is ζ(z)",
    states={
        "mean": eq(
            GaussianMean(half_difference_squared(SIGMA * u1, SIGMA * u2), u1, u2, cos(t)),
            (1 - varrho(rho, DELTA)) / 2,
        ),
        "mean of opposites": eq(
            GaussianMean(half_difference_squared(SIGMA * u, -SIGMA * u), u), (1 - varrho(-1, DELTA)) / 2
        ),
        "distance": eq((1 - varrho(rho, DELTA)) / 2, zeta((1 - rho) / 2, DELTA)),
    },
    given={rho: open_interval(-1, 1), t: open_interval(0, pi)},
    assuming=[SHARE, SCALE, ANGLE],
    rests_on=["eoc.varrho.closed_form", CLOSED_FORM],
)
_SHARES = r"$\sigma^2 = (a^2 + b^2)^{-1}$, $\Delta_\phi = b^2 (a^2 + b^2)^{-1}$"


@COSINES.proved("mean")
def integrate_the_square(given: Given) -> Theorem:
    """Integrate in polar coordinates, and compare with the closed form of ϱ."""
    square = unfolded(half_difference_squared(SIGMA * u1, SIGMA * u2))
    mean = Derivation(
        title="Half the difference of two activations",
        name=r"\mathbb{E}\bigl(\tfrac12\phi(z_1) - \tfrac12\phi(z_2)\bigr)^2",
        start=GaussianMean(square, u1, u2, cos(t)),
        steps=[
            *polar_steps(sp.Integer(1), square, u1, u2),
            Step((1 - cos(t)) / 2 - DELTA / pi * segment(t), _SHARES),
            Step((1 - unfolded(varrho(rho, DELTA))) / 2, r"$\rho = \cos t$"),
        ],
        domain=DOMAIN,
        where={**ABBREVIATIONS, rho: cos(t)},
        under=NOT_BOTH_ZERO,
    )
    return given.derived(mean)


@COSINES.proved("mean of opposites")
def integrate_over_the_half_lines(given: Given) -> Theorem:
    """The kink drops out of the difference."""
    square = unfolded(half_difference_squared(SIGMA * u, -SIGMA * u))
    mean = Derivation(
        title="Half the difference of the activations at opposite preactivations",
        name=r"\mathbb{E}\bigl(\tfrac12\phi(z_1) - \tfrac12\phi(-z_1)\bigr)^2",
        start=GaussianMean(square, u),
        steps=[*half_line_steps(sp.Integer(1), square, u), Step(1 - DELTA, _SHARES)],
        where=ABBREVIATIONS,
        under=NOT_BOTH_ZERO,
    )
    return given.derived(mean)


@COSINES.proved("distance")
def insert_the_distance(given: Given) -> Theorem:
    """ζ is the cosine map in squared distances."""
    return given.decided()

"""Section 3.2, before Proposition 12: the squared cosine distance map ζ."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy as sp
from flint import arb

from numeric.certify import Certificate, certify_positive_to_end
from symbolic.cosine_maps import derive_zeta, derive_zeta_prime, varrho, zeta
from symbolic.derivation import Derivation
from symbolic.equality import equal
from symbolic.notation import DELTA, DOMAIN, t, z
from theorems.engine import Obligations, Provenance, claim, interval, open_interval
from theorems.engine.domain import Domain
from theorems.eoc_mlp.angles import exact, half_sine, segment, squared_distance

_GIVEN: dict[str, Domain] = {"z": interval(0, 1), "delta": interval(0, 1)}

CLOSED_FORM = claim(
    "eoc.zeta.closed_form",
    at="Section 3.2, before Proposition 12",
    title="Closed form of the squared cosine distance map",
    states=(
        r"\zeta(z) = \frac{1 - \varrho(1-2z)}{2}"
        r" = z - \frac{\Delta_\phi}{\pi}(\sin t - t\cos t), \quad t = 2\arcsin\sqrt z"
    ),
    given=_GIVEN,
    rests_on=["eoc.varrho.closed_form"],
    provenance=Provenance.DERIVED,
)


@CLOSED_FORM.proved(
    controls={
        "twice_the_segment": {"claimed": z - 2 * DELTA * (z - zeta(z, 1))},
        "without_the_half": {"claimed": 2 * zeta(z, DELTA)},
    }
)
def from_the_cosine_map(claimed: sp.Expr | None = None) -> Derivation:
    """Insert ρ = 1 - 2z = cos t into the closed form of ϱ."""
    return derive_zeta(claimed=claimed)


PRIME = claim(
    "eoc.zeta.prime",
    at="Section 3.2, before Proposition 12",
    title="Derivative of the squared cosine distance map",
    states=r"\zeta'(z) = \varrho'(1 - 2z) = 1 - \Delta_\phi\frac{4}{\pi}\arcsin\sqrt z",
    given=_GIVEN,
    rests_on=[CLOSED_FORM],
    provenance=Provenance.DERIVED,
)


@PRIME.proved(
    controls={
        "half": {"claimed": 1 - DELTA * 2 / sp.pi * sp.asin(sp.sqrt(z))},
        "sign": {"claimed": 1 + DELTA * 4 / sp.pi * sp.asin(sp.sqrt(z))},
    }
)
def differentiate(claimed: sp.Expr | None = None) -> Derivation:
    """Differentiate the closed form."""
    return derive_zeta_prime(claimed=claimed)


SYMMETRY = claim(
    "eoc.zeta.symmetry",
    at="Section 3.2, before Proposition 12",
    title="ζ is affine in Δ, and symmetric for the absolute value",
    states=(r"\zeta_{\Delta}(z) = (1-\Delta)z + \Delta\zeta_1(z), \quad \zeta_1(1-z) = \zeta_1(z)"),
    given=_GIVEN,
    rests_on=[CLOSED_FORM],
    provenance=Provenance.DERIVED,
)


@SYMMETRY.proved(controls={"quadratic_weight": {"power": 2}, "leaky": {"at_one": Fraction(9, 10)}})
def affine_and_even(power: int = 1, at_one: Any = 1) -> Obligations:
    """Compare closed forms."""
    top = sp.Rational(at_one)
    mixed = (1 - DELTA**power) * z + DELTA**power * zeta(z, 1)
    yield "affine in Δ", equal(zeta(z, DELTA), mixed, DOMAIN)
    yield "ζ at Δ = 1 is symmetric", equal(zeta(1 - z, top), zeta(z, top), DOMAIN)


SANDWICH = claim(
    "eoc.zeta.sandwich",
    at="Section 3.2, before Proposition 12",
    title="ζ(z) is z less a multiple of z^(3/2), with best constants",
    states=(r"z - \Delta_\phi z^{3/2} \le \zeta(z) \le z - \tfrac{8}{3\pi}\Delta_\phi z^{3/2}"),
    given=_GIVEN,
    rests_on=[CLOSED_FORM],
    provenance=Provenance.DERIVED,
    note="proofs_notes/eoc_mlp.md#growth-of-omega",
)


@SANDWICH.certified(controls={"larger": {"thirds": Fraction(808, 100)}}, part="upper bound")
def segment_above_cube(thirds: int | Fraction = 8) -> Certificate:
    """3 segment(t) > 8 sin³(t/2) for t = 6u in (0, π], of order 5 at 0.

    In u = t/6 the Taylor coefficients below the fifth are integers, so that they cancel exactly.
    """

    def f(u: Any) -> Any:
        angle = u * 6
        return segment(angle) * 3 - half_sine(angle) * squared_distance(angle) * exact(thirds)

    return certify_positive_to_end(f, "u", 0, "pi/6", order=5)


@SANDWICH.certified(
    controls={"smaller": {"factor": Fraction(99, 100)}, "far_smaller": {"factor": Fraction(4, 5)}},
    part="lower bound",
)
def segment_below_cube(factor: int | Fraction = 1) -> list[Certificate]:
    """segment(t) < π sin³(t/2) on (0, π/2], and with t = π - s on (0, π/2] in s.

    The second difference is π (cos³(s/2) - cos s) - segment(s), of order 2 at s = 0.
    """

    def acute(angle: Any) -> Any:
        cube = half_sine(angle) * squared_distance(angle)
        return cube * (arb.pi() * exact(factor)) - segment(angle)

    def obtuse(s: Any) -> Any:
        cosine = (s * exact(Fraction(1, 2))).cos()
        return (cosine * cosine * cosine * exact(factor) - s.cos()) * arb.pi() - segment(s)

    return [
        certify_positive_to_end(acute, "angle", 0, "pi/2", order=3),
        certify_positive_to_end(obtuse, "s", 0, "pi/2", order=2),
    ]


@SANDWICH.proved(controls={"larger": {"constant": sp.Rational(27, 10)}}, part="upper bound")
def least_quotient(constant: Any = sp.Rational(8, 3)) -> Obligations:
    """segment/z^(3/2) is a power series in z without negative terms, so least at z = 0."""
    yield from _quotient_increases()
    first = 4 / (sp.Integer(0) + sp.Rational(3, 2))
    yield "its value at z = 0 is the first coefficient", equal(first, sp.sympify(constant))


@SANDWICH.proved(controls={"smaller": {"constant": 3}}, part="lower bound")
def largest_quotient(constant: Any = sp.pi) -> Obligations:
    """The same series is largest at z = 1, where t = π."""
    yield from _quotient_increases()
    at_end = (sp.sin(t) - t * sp.cos(t)).subs(t, sp.pi)
    yield "its value at z = 1", equal(at_end, sp.sympify(constant))


def _quotient_increases() -> Obligations:
    """segment/z^(3/2) = 4 Σ c_n zⁿ/(n + 3/2), with c_n > 0 the coefficients of arcsin."""
    angle = 2 * sp.asin(sp.sqrt(z))
    slope = sp.diff(sp.sin(angle) - angle * sp.cos(angle), z)
    yield "d segment/dz = 4 arcsin √z", equal(slope, 4 * sp.asin(sp.sqrt(z)), DOMAIN)
    y = sp.asin(z)
    equation = (1 - z**2) * sp.diff(y, z, 2) - z * sp.diff(y, z)
    yield "(1 - x²)y'' = x y' for y = arcsin x", equal(equation, sp.Integer(0), DOMAIN)
    n = sp.Symbol("n", integer=True, nonnegative=True)
    power = 2 * n + 1
    # The coefficient of x^(2n+1) in the equation, with y = Σ c_n x^(2n+1).
    ratio = (power * (power - 1) + power) / ((power + 2) * (power + 1))
    yield "c_{n+1}/c_n = (2n+1)²/((2n+3)(2n+2)) > 0", ratio.is_positive
    matches = equal(ratio, (2 * n + 1) ** 2 / ((2 * n + 3) * (2 * n + 2)))
    yield "which is that quotient", matches
    exact = sp.series(y, z, 0, 4).removeO()
    yield "c_0 = 1, c_1 = 1/6 as the ratio says", equal(exact, z + ratio.subs(n, 0) * z**3)


RANGE = claim(
    "eoc.zeta",
    at="Section 3.2, before Proposition 12",
    title="The squared cosine distance map maps [0, 1] to itself",
    states=r"\zeta([0,1]) \subset [0,1], \quad \zeta(z) > 0 \text{ for } 0 < z < 1",
    given=_GIVEN,
    rests_on=[SANDWICH],
)


@RANGE.proved(
    controls={"larger": {"constant": Fraction(101, 100)}, "beyond_one": {"below_one": -1}}
)
def between_zero_and_z(constant: Fraction | int = 1, below_one: int = 1) -> Obligations:
    """z - Δz^(3/2) = z(1 - Δ√z) ≥ z(1 - √z), and ζ(z) ≤ z ≤ 1."""
    root, delta = sp.Symbol("s", positive=True), sp.Symbol("delta", positive=True)
    lower = root**2 - sp.Rational(constant) * delta * root**3
    yield "factors", equal(lower, root**2 * (1 - delta * root))
    less = sp.Symbol("1-Delta", positive=True)
    gap = sp.expand((1 - delta * root).subs(delta, 1 - below_one * less) - (1 - root))
    yield "1 - Δs ≥ 1 - s for Δ ≤ 1", gap.is_nonnegative
    yield "ζ(0) = 0", equal(zeta(0, DELTA), sp.Integer(0))
    yield "ζ(1) = 1 - Δ", equal(zeta(1, DELTA), 1 - DELTA)


@RANGE.certified(
    controls={
        "larger_segment": {"factor": Fraction(101, 100)},
        "far_larger_segment": {"factor": 2},
    }
)
def positive_for_the_absolute_value(factor: Fraction | int = 1) -> list[Certificate]:
    """At Δ = 1: π z - segment(t) > 0 on (0, π/2], and with t = π - s on (0, π/2] in s."""
    scale = exact(factor)

    def acute(angle: Any) -> Any:
        return squared_distance(angle) * arb.pi() - segment(angle) * scale

    def obtuse(s: Any) -> Any:
        return (1 - squared_distance(s) - s.cos() * scale) * arb.pi() - segment(s) * scale

    return [
        certify_positive_to_end(acute, "angle", 0, "pi/2", order=2),
        certify_positive_to_end(obtuse, "s", 0, "pi/2", order=2),
    ]


CONCAVE = claim(
    "eoc.zeta.second",
    at="Section 3.2, before Proposition 12",
    title="The squared cosine distance map is concave",
    states=r"\zeta''(z) = -\frac{2\Delta_\phi}{\pi\sqrt{z(1-z)}} \le 0",
    given={"z": open_interval(0, 1), "delta": interval(0, 1)},
    rests_on=[PRIME],
    provenance=Provenance.DERIVED,
)


@CONCAVE.proved(controls={"half": {"factor": 1}, "convex": {"factor": -2}})
def differentiate_again(factor: int = 2) -> Obligations:
    """Differentiate ζ'."""
    derivative = sp.diff(1 - DELTA * 4 / sp.pi * sp.asin(sp.sqrt(z)), z)
    claimed = -factor * DELTA / (sp.pi * sp.sqrt(z * (1 - z)))
    yield "ζ''", equal(derivative, claimed, DOMAIN)


COSINES = claim(
    "eoc.zeta.cosines",
    at="Proposition 12, proof",
    title="A quarter of the mean squared difference of the activations is ζ(z)",
    states=(
        r"\mathbb{E}\bigl(\tfrac12\phi(z_1)-\tfrac12\phi(z_2)\bigr)^2"
        r" = \frac{1-\varrho(\rho)}{2} = \zeta(z)"
    ),
    given={"rho": interval(-1, 1), "delta": interval(0, 1)},
    rests_on=["eoc.init", "eoc.varrho.closed_form"],
)


@COSINES.proved(controls={"without_halves": {"factor": 1}})
def expand_the_square(factor: Any = sp.Rational(1, 2)) -> Obligations:
    """Second moments are 1 at the edge of chaos, the mixed moment is ϱ(ρ)."""
    first, second, mixed = sp.symbols("E11 E22 E12")
    square = sp.expand((sp.Symbol("x") - sp.Symbol("y")) ** 2 * factor**2)
    x, y = sp.symbols("x y")
    moments = square.subs({x**2: first, y**2: second, x * y: mixed})
    rho = 1 - 2 * z
    at_edge = moments.subs({first: 1, second: 1, mixed: varrho(rho, DELTA)})
    yield "expanded square", equal(at_edge, zeta(z, DELTA), DOMAIN)

"""Section 3.3, before Proposition 25: the inverse cosine distance map ω."""

from __future__ import annotations

from fractions import Fraction
from math import pi
from typing import Any

import sympy as sp
from flint import arb
from hypothesis import strategies as st

from numeric.certify import Box, Certificate, certify_positive, certify_positive_to_end
from numeric.cosine_maps import omega as omega_number
from symbolic.cosine_maps import derive_omega_expansion
from symbolic.derivation import Derivation
from symbolic.equality import equal
from theorems.engine import Grade, Measured, Obligations, Provenance, claim, half_line, interval
from theorems.engine.domain import Domain
from theorems.eoc_mlp.angles import exact, half_sine, segment, squared_distance

_BEYOND_ONE = half_line(1, closed=False)
_GIVEN: dict[str, Domain] = {"w": _BEYOND_ONE, "delta": interval(0, 1)}
_T = sp.Symbol("t", positive=True)
_ANGLES = {_T: sp.Interval.open(0, sp.pi)}
_SEGMENT = sp.sin(_T) - _T * sp.cos(_T)
# h with ζ(z) = z (1 - Δ h), as a function of t = 2 arcsin √z
_H = _SEGMENT / (sp.pi * (1 - sp.cos(_T)) / 2)
GOLDEN = (sp.sqrt(5) - 1) / 2

RANGE = claim(
    "eoc.omega",
    at="Section 3.3, before Proposition 25",
    title="The inverse cosine distance map maps (1, ∞) into itself and does not decrease",
    states=r"\omega(w) = \zeta(w^{-2})^{-1/2} \ge w > 1, \quad w > 1",
    given=_GIVEN,
    rests_on=["eoc.zeta", "eoc.zeta.sandwich"],
)


@RANGE.proved(controls={"power": {"power": sp.Rational(-1, 4)}})
def from_the_sandwich(power: Any = sp.Rational(-1, 2)) -> Obligations:
    """0 < ζ(z) ≤ z on (0, 1), and ω(w) = w at ζ(z) = z; x^(-1/2) decreases."""
    w, x = sp.symbols("w x", positive=True)
    yield "ζ = z gives w", equal((w**-2) ** power, w)
    yield "x^(-1/2) decreases", sp.diff(x**power, x).is_negative


@RANGE.tested(
    over=st.tuples(st.floats(1, 1e6, exclude_min=True), st.floats(0, 1)),
    controls={"one_per_cent_more": {"factor": 1.01}},
)
def w_over_omega(case: tuple[float, float], factor: float = 1.0) -> Measured:
    """w / ω(w)."""
    w, delta = case
    # ω is accurate to 4 units in the last place, the quotient adds one rounding.
    return Measured(factor * w / float(omega_number(w, delta)), 9 * 2.0**-53)


PRIME = claim(
    "eoc.omega.prime",
    at="Section 3.3, before Proposition 25",
    title="Derivative of the inverse cosine distance map",
    states=(
        r"\omega'(w) = \zeta'(z)\Bigl(\frac{z}{\zeta(z)}\Bigr)^{3/2}"
        r" = \frac{1 - 2\Delta_\phi t/\pi}{(1 - \Delta_\phi h(t))^{3/2}},"
        r"\quad h(t) = \frac{2(\sin t - t\cos t)}{\pi(1 - \cos t)}"
    ),
    given=_GIVEN,
    rests_on=["eoc.zeta.closed_form", "eoc.zeta.prime"],
    provenance=Provenance.DERIVED,
)


@PRIME.proved(controls={"exponent": {"exponent": 1}, "twice": {"factor": 2}})
def chain_rule(exponent: Any = sp.Rational(3, 2), factor: int = 1) -> Obligations:
    """Differentiate ζ(w⁻²)^(-1/2) for a general positive ζ, then insert its closed form."""
    z, value, slope, delta = sp.symbols("z zeta zeta1 Delta", positive=True)
    w = sp.Symbol("w", positive=True)
    outer = sp.diff(value ** sp.Rational(-1, 2), value)
    inner = sp.diff(w**-2, w).subs(w, z ** sp.Rational(-1, 2))
    yield "chain rule", equal(outer * slope * inner, factor * slope * (z / value) ** exponent)
    cosine_distance = (1 - sp.cos(_T)) / 2
    yield (
        "ζ/z = 1 - Δh",
        equal(
            cosine_distance * (1 - delta * _H), cosine_distance - delta / sp.pi * _SEGMENT, _ANGLES
        ),
    )


SLOPE = claim(
    "eoc.omega.slope",
    at="Section 3.3, before Proposition 25",
    title="The inverse cosine distance map never grows faster than the identity",
    states=r"\omega'(w) \le 1, \quad w > 1,\ \Delta_\phi \in [0, 1]",
    given=_GIVEN,
    rests_on=[PRIME],
    provenance=Provenance.DERIVED,
    note="proofs_notes/eoc_mlp.md#lipschitz-constant-of-omega",
)


@SLOPE.proved(controls={"bernoulli": {"slope": 2}}, part="reduction by Bernoulli's inequality")
def bernoulli(slope: Any = sp.Rational(3, 2)) -> Obligations:
    """(1 - x)^(3/2) - 1 + 3x/2 is convex with a double zero at x = 0; insert x = Δh."""
    x = sp.Symbol("x")
    gap = (1 - x) ** sp.Rational(3, 2) - 1 + slope * x
    yield "zero at 0", equal(gap.subs(x, 0), sp.Integer(0))
    yield "zero slope at 0", equal(sp.diff(gap, x).subs(x, 0), sp.Integer(0))
    y = sp.Symbol("y", positive=True)
    yield "convex", sp.diff(gap, x, 2).subs(x, 1 - y).is_positive
    wanted = sp.Rational(3, 2) * _H - 2 * _T / sp.pi
    multiple = 3 * sp.sin(_T) - _T * sp.cos(_T) - 2 * _T
    scale = sp.pi * (1 - sp.cos(_T))
    yield (
        "3h/2 - 2t/π has the sign of 3 sin t - t cos t - 2t",
        equal(wanted * scale, multiple, _ANGLES),
    )


@SLOPE.certified(
    controls={"larger": {"sines": Fraction(303, 100)}}, part="3 sin t - t cos t - 2t < 0"
)
def sine_bound(sines: int | Fraction = 3) -> Certificate:
    """2t + t cos t - 3 sin t > 0 for t = 6u in (0, π], of order 5 at 0."""

    def f(u: Any) -> Any:
        t = u * 6
        return t * 2 + t * t.cos() - t.sin() * exact(sines)

    return certify_positive_to_end(f, "u", 0, "pi/6", order=5)


@SLOPE.proved(controls={"larger": {"sines": 4}}, part="3 sin t - t cos t - 2t < 0")
def concave_from_zero(sines: int = 3) -> Obligations:
    """f = 3 sin t - t cos t - 2t has f(0) = f'(0) = 0 and f'' = -(sin t - t cos t) < 0."""
    f = sines * sp.sin(_T) - _T * sp.cos(_T) - 2 * _T
    yield "f(0) = 0", equal(f.subs(_T, 0), sp.Integer(0))
    yield "f'(0) = 0", equal(sp.diff(f, _T).subs(_T, 0), sp.Integer(0))
    yield "f'' = -segment", equal(sp.diff(f, _T, 2), -_SEGMENT, _ANGLES)
    yield "segment(0) = 0", equal(_SEGMENT.subs(_T, 0), sp.Integer(0))
    yield "segment' = t sin t > 0 on (0, π)", equal(sp.diff(_SEGMENT, _T), _T * sp.sin(_T))


LIPSCHITZ = claim(
    "eoc.omega.lipschitz",
    at="Proposition 25, proof",
    title="ω is 1-Lipschitz",
    states=r"|\omega(w_1) - \omega(w_2)| \le |w_1 - w_2|, \quad w_1, w_2 > 1",
    given=_GIVEN,
    provenance=Provenance.QUOTED,
    note="proofs_notes/eoc_mlp.md#lipschitz-constant-of-omega",
)


@LIPSCHITZ.refuted(
    by=Grade.CERTIFIED,
    controls={
        "relu": {"delta": Fraction(1, 2)},
        "golden": {"delta": Fraction(618, 1000)},
        "acute": {"points": (Fraction(3, 2), Fraction(8, 5))},
    },
)
def nearly_antipodal_inputs(
    delta: int | Fraction = 1,
    points: tuple[Fraction, Fraction] = (Fraction(101, 100), Fraction(102, 100)),
) -> Certificate:
    """|ω(1.01) - ω(1.02)| > 0.01 for the absolute value, Δ = 1."""
    first, second = points

    def excess() -> arb:
        values = [arb(omega_number(exact(w), exact(delta))) for w in points]
        return abs(values[0] - values[1]) - abs(exact(first) - exact(second))

    return certify_positive(excess, Box())


CORRECTED = LIPSCHITZ.corrected(
    "eoc.omega.lipschitz.corrected",
    title="ω is 1-Lipschitz exactly up to the inverse golden ratio",
    states=(r"\sup_{w > 1}|\omega'(w)| \le 1 \iff \Delta_\phi \le \frac{\sqrt5 - 1}{2}"),
    given=_GIVEN,
    rests_on=[PRIME, SLOPE],
    note="proofs_notes/eoc_mlp.md#lipschitz-constant-of-omega",
)


@CORRECTED.proved(
    controls={"relu": {"threshold": sp.Rational(1, 2)}, "more": {"threshold": sp.Rational(62, 100)}}
)
def golden_ratio(threshold: Any = GOLDEN) -> Obligations:
    """g(t) = 1 - 2Δt/π + (1 - Δh)^(3/2) decreases, and g(π) vanishes at the threshold only."""
    growth = sp.sin(_T) * (_T - sp.sin(_T)) * 2 / (sp.pi * (1 - sp.cos(_T)) ** 2)
    yield "h' = 2 sin t (t - sin t) / (π (1 - cos t)²) > 0", equal(sp.diff(_H, _T), growth, _ANGLES)
    yield "h(π) = 1", equal(_H.subs(_T, sp.pi), sp.Integer(1))
    y = sp.Symbol("y", positive=True)
    at_pi = 1 - 2 * (1 - y**2) + y**3
    yield "g(π) increases with y = √(1 - Δ)", sp.diff(at_pi, y).is_positive
    yield "g(π) = (y + 1)(y² + y - 1)", equal(at_pi, (y + 1) * (y**2 + y - 1))
    zero = (sp.sqrt(5) - 1) / 2
    yield "which vanishes at the golden ratio", equal(zero**2 + zero, sp.Integer(1))
    yield "where Δ = 1 - y² is the threshold", equal(1 - zero**2, sp.sympify(threshold))


ACUTE = claim(
    "eoc.omega.acute",
    at="Proposition 25, proof",
    title="ω is 1-Lipschitz and increasing on acute angles, for every Δ",
    states=r"0 \le \omega'(w) \le 1, \quad w \ge \sqrt2",
    given={"w": half_line(sp.sqrt(2)), "delta": interval(0, 1)},
    rests_on=[PRIME, SLOPE],
    provenance=Provenance.DERIVED,
    note="proofs_notes/eoc_mlp.md#lipschitz-constant-of-omega",
)


@ACUTE.proved(controls={"obtuse": {"largest": sp.Rational(51, 100) * sp.pi}})
def slope_is_nonnegative(largest: Any = sp.pi / 2) -> Obligations:
    """w ≥ √2 means t ≤ π/2, where ζ' = 1 - 2Δt/π ≥ 1 - Δ."""
    delta = sp.Symbol("Delta", nonnegative=True)
    yield "w = √2 at t = π/2", equal(1 / sp.sin(sp.pi / 4), sp.sqrt(2))
    least = sp.expand(1 - 2 * delta * largest / sp.pi)
    yield "least slope at Δ = 1", bool(least.subs(delta, 1) >= 0)


INCREMENT = claim(
    "eoc.omega.increment",
    at="Remark 13",
    title="Each layer adds at least 4Δ/(3π) to the inverse cosine distance",
    states=r"\omega(w) \ge w + \frac{4}{3\pi}\Delta_\phi, \quad w > 1",
    given=_GIVEN,
    rests_on=["eoc.zeta.sandwich", "eoc.omega.expansion"],
    provenance=Provenance.DERIVED,
    note="proofs_notes/eoc_mlp.md#growth-of-omega",
)


@INCREMENT.proved(controls={"larger": {"constant": sp.Rational(404, 300) / sp.pi}})
def square_and_compare(constant: Any = 4 / (3 * sp.pi)) -> Obligations:
    """With ζ/z ≤ 1 - (8/(3π))Δs: (1 + cΔs)²(1 - (8/(3π))Δs) ≤ 1, for all x = Δs in [0, 1]."""
    x = sp.Symbol("x", positive=True)
    product = (1 + constant * x) ** 2 * (1 - sp.Rational(8, 3) / sp.pi * x)
    remainder = sp.expand((1 - product) / x**2)
    yield "1 - product is x² times a polynomial", sp.limit(remainder, x, 0).is_finite
    yield (
        "whose coefficients are positive",
        all(bool(c > 0) for c in sp.Poly(remainder, x).all_coeffs())
        if remainder.is_polynomial(x)
        else False,
    )


@INCREMENT.tested(
    over=st.tuples(st.floats(1, 1e3, exclude_min=True), st.floats(0.01, 1)),
    controls={"larger": {"factor": 1.01}},
)
def increment_ratio(case: tuple[float, float], factor: float = 1.0) -> Measured:
    """(4Δ/(3π)) / (ω(w) - w)."""
    w, delta = case
    gained = float(omega_number(w, delta)) - w
    constant = factor * 4 * delta / (3 * pi)
    # ω has 4 units in the last place, magnified by the cancellation in ω(w) - w.
    return Measured(constant / gained, 8 * 2.0**-53 * (w + gained) / gained)


EXPANSION = claim(
    "eoc.omega.expansion",
    at="Remark 13",
    title="Expansion of the inverse cosine distance map at infinity",
    states=(
        r"\omega(w) = w + \frac{4\Delta_\phi}{3\pi} + \frac{8\Delta_\phi^2}{3\pi^2}\,w^{-1}"
        r" + O(w^{-2}), \quad w \to \infty"
    ),
    given=_GIVEN,
    rests_on=["eoc.zeta.closed_form"],
    provenance=Provenance.DERIVED,
    note="proofs_notes/eoc_mlp.md#growth-of-omega",
)


@EXPANSION.proved(controls={"second": {"claimed": sp.Integer(0)}})
def expand(claimed: sp.Expr | None = None) -> Derivation:
    """Expand ζ(w⁻²)^(-1/2) in powers of 1/w."""
    derivation: Derivation = derive_omega_expansion(2).claiming(claimed)
    return derivation


REMAINDER = claim(
    "eoc.omega.remainder",
    at="Remark 13",
    title="Explicit remainder of the expansion on acute angles",
    states=(
        r"0 \le \omega(w) - w - \frac{4\Delta_\phi}{3\pi} \le \frac{3}{4}\,w^{-1},"
        r" \quad w \ge \sqrt2"
    ),
    given={"w": half_line(sp.sqrt(2)), "delta": interval(0, 1)},
    rests_on=[INCREMENT, "eoc.zeta.closed_form"],
    provenance=Provenance.DERIVED,
    note="proofs_notes/eoc_mlp.md#growth-of-omega",
)


@REMAINDER.certified(controls={"below_best": {"constant": Fraction(71, 100)}})
def remainder_bound(constant: Fraction = Fraction(3, 4)) -> Certificate:
    """((1 + (4/3)Δ's + Cs²)²(z - Δ' segment) - z) > 0 on t in (0, π/2], Δ' = Δ/π; order 4 at 0."""

    def f(t: Any, scaled: Any) -> Any:
        s, z = half_sine(t), squared_distance(t)
        factor = s * (scaled * exact(Fraction(4, 3))) + z * exact(constant) + 1
        return factor * factor * (z - segment(t) * scaled) - z

    return certify_positive_to_end(
        f,
        "t",
        0,
        "pi/2",
        order=4,
        others=Box(scaled=(0, 1 / arb.pi())),
        vanishing="(4/3)Δ's is half the first term of Δ' segment/z = (8/3)Δ's + O(s³)",
    )

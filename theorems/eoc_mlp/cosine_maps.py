"""Section 3.2, before Proposition 11: the cosine map ϱ, its derivatives and its range."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy as sp

from symbolic.cosine_maps import (
    derive_end_value,
    derive_varrho,
    derive_varrho_prime,
    derive_varrho_second,
    varrho,
    varrho_prime,
)
from symbolic.derivation import Derivation
from symbolic.equality import equal
from symbolic.notation import DELTA, DOMAIN, rho
from theorems.engine import Obligations, Provenance, claim, interval, open_interval
from theorems.engine.domain import Domain

_GIVEN: dict[str, Domain] = {"rho": interval(-1, 1), "delta": interval(0, 1)}
_INSIDE: dict[str, Domain] = {"rho": open_interval(-1, 1), "delta": interval(0, 1)}
_INTEGRAL = (
    r"\int {0}(u_1){0}(u_2)\, d\mathcal{{N}}\Bigl([u_1, u_2]\Big|0,"
    r"\begin{{bmatrix}}1&\rho\\\rho&1\end{{bmatrix}}\Bigr)"
)

CLOSED_FORM = claim(
    "eoc.varrho.closed_form",
    at="Section 3.2, before Proposition 11",
    title="Closed form of the cosine map",
    states=(
        r"\varrho(\rho) = \sigma^2" + _INTEGRAL.format(r"\phi") + r" = (1-\Delta_\phi)\rho"
        r" + \Delta_\phi\tfrac{2}{\pi}\bigl(\sqrt{1-\rho^2} + \rho\arcsin\rho\bigr)"
    ),
    given=_GIVEN,
    provenance=Provenance.DERIVED,
    note="proofs_notes/eoc_mlp.md#cosine-map",
)
_ANGLE = sp.sqrt(1 - rho**2) + rho * sp.asin(rho)


@CLOSED_FORM.proved(
    controls={
        "one_over_pi": {"claimed": (1 - DELTA) * rho + DELTA / sp.pi * _ANGLE},
        "arccosine": {"claimed": (1 - DELTA) * rho + DELTA * 2 / sp.pi * (_ANGLE - rho)},
        "no_linear_part": {"claimed": DELTA * 2 / sp.pi * _ANGLE},
    },
    part="-1 < ρ < 1",
)
def integrate_in_polar_coordinates(claimed: sp.Expr | None = None) -> Derivation:
    """The radius integrates out; the signs are constant on four sectors."""
    return derive_varrho(claimed=claimed)


@CLOSED_FORM.proved(controls={"zero": {"claimed": sp.Integer(0)}}, part="ρ = 1")
def parallel_inputs(claimed: sp.Expr | None = None) -> Derivation:
    """At ρ = 1 the mean is univariate."""
    return derive_end_value(1, claimed=claimed)


@CLOSED_FORM.proved(controls={"minus_one": {"claimed": sp.Integer(-1)}}, part="ρ = -1")
def antiparallel_inputs(claimed: sp.Expr | None = None) -> Derivation:
    """At ρ = -1 the mean is univariate."""
    return derive_end_value(-1, claimed=claimed)


VALUES = claim(
    "eoc.varrho.values",
    at="Section 3.2, before Proposition 11",
    title="Values of the cosine map and its derivative",
    states=(
        r"\varrho(1) = \varrho'(1) = 1,\ \varrho(0) = \tfrac{2}{\pi}\Delta_\phi,\ "
        r"\varrho'(0) = 1 - \Delta_\phi,\ \varrho(-1) = 2\Delta_\phi - 1,\ "
        r"\varrho'(-1) = 1 - 2\Delta_\phi"
    ),
    given={"delta": interval(0, 1)},
    rests_on=[CLOSED_FORM, "eoc.varrho.prime"],
    provenance=Provenance.DERIVED,
)


@VALUES.proved(controls={"shifted": {"shift": sp.Rational(1, 100)}, "slope": {"last": 1 - DELTA}})
def insert(shift: Any = 0, last: Any = 1 - 2 * DELTA) -> Obligations:
    """Insert ρ = 1, 0, -1 into the closed forms."""
    yield "ϱ(1)", equal(varrho(1, DELTA), sp.Integer(1))
    yield "ϱ'(1)", equal(varrho_prime(1, DELTA), sp.Integer(1))
    yield "ϱ(0)", equal(varrho(0, DELTA), 2 * DELTA / sp.pi + shift)
    yield "ϱ'(0)", equal(varrho_prime(0, DELTA), 1 - DELTA)
    yield "ϱ(-1)", equal(varrho(-1, DELTA), 2 * DELTA - 1)
    yield "ϱ'(-1)", equal(varrho_prime(-1, DELTA), last)


PRIME = claim(
    "eoc.varrho.prime",
    at="Section 3.2, before Proposition 15",
    title="Closed form of the derivative of the cosine map",
    states=(
        r"\varrho'(\rho) = (1-\Delta_\phi) + \Delta_\phi\tfrac{2}{\pi}\arcsin\rho"
        r" \in [1 - 2\Delta_\phi, 1]"
    ),
    given=_GIVEN,
    rests_on=[CLOSED_FORM],
    provenance=Provenance.DERIVED,
    note="proofs_notes/eoc_mlp.md#cosine-map",
)


@PRIME.proved(
    controls={
        "one_over_pi": {"claimed": 1 - DELTA + DELTA / sp.pi * sp.asin(rho)},
        "sign": {"claimed": 1 - DELTA - DELTA * 2 / sp.pi * sp.asin(rho)},
    }
)
def differentiate(claimed: sp.Expr | None = None) -> Derivation:
    """Differentiate the closed form; arcsin runs through [-π/2, π/2]."""
    return derive_varrho_prime("differentiation", claimed=claimed)


SECOND = claim(
    "eoc.varrho.second",
    at="Proposition 27, proof",
    title="Second derivative of the cosine map",
    states=r"\varrho''(\rho) = \Delta_\phi\frac{2}{\pi}\frac{1}{\sqrt{1-\rho^2}} \ge 0",
    given=_INSIDE,
    rests_on=[PRIME],
    provenance=Provenance.DERIVED,
)


@SECOND.proved(
    controls={
        "one_over_pi": {"claimed": DELTA / (sp.pi * sp.sqrt(1 - rho**2))},
        "no_root": {"claimed": 2 * DELTA / (sp.pi * (1 - rho**2))},
    }
)
def differentiate_twice(claimed: sp.Expr | None = None) -> Derivation:
    """Differentiate once more."""
    return derive_varrho_second(claimed=claimed)


RANGE = claim(
    "eoc.varrho",
    at="Section 3.2, before Proposition 11",
    title="The cosine map maps [-1, 1] to itself",
    states=r"\varrho([-1, 1]) \subset [-1, 1]",
    given=_GIVEN,
    rests_on=[VALUES, SECOND],
)


@RANGE.proved(controls={"smaller": {"top": Fraction(99, 100)}, "steeper": {"slope": 2}})
def convexity(top: Fraction = Fraction(1), slope: int = 1) -> Obligations:
    """ϱ is convex, so ϱ ≤ max(ϱ(±1)), and above its tangent at 1: ϱ(ρ) ≥ 1 + ϱ'(1)(ρ - 1) = ρ."""
    bound = sp.Rational(top)
    delta = sp.Symbol("Delta", nonnegative=True)
    yield "ϱ(1) ≤ top", bool(bound >= varrho(1, delta))
    gap = sp.expand(bound - varrho(-1, delta).subs(delta, 1 - delta))
    yield "ϱ(-1) ≤ top for Δ ≤ 1", gap.is_nonnegative
    tangent = varrho(1, delta) + slope * varrho_prime(1, delta) * (rho - 1)
    yield "the tangent at 1 is the identity", equal(tangent, rho, DOMAIN)


NONNEGATIVE = claim(
    "eoc.varrho.nonnegative",
    at="Section 3.2, before Proposition 11",
    title="The cosine map has no negative values exactly from Δ = 1/2 on",
    states=r"\min_{[-1,1]}\varrho \ge 0 \iff \Delta_\phi \ge \tfrac12",
    given=_GIVEN,
    rests_on=[VALUES, PRIME, SECOND],
    provenance=Provenance.DERIVED,
    note="proofs_notes/eoc_mlp.md#cosine-map",
)


@NONNEGATIVE.proved(
    controls={
        "less": {"threshold": Fraction(49, 100)},
        "more": {"threshold": Fraction(51, 100)},
        "twice_the_root": {"factor": 4},
    }
)
def value_at_the_critical_point(
    threshold: Fraction = Fraction(1, 2), factor: int = 2
) -> Obligations:
    """ϱ = ρϱ' + Δ(2/π)√(1-ρ²), positive where ϱ' = 0; and ϱ(-1) = 2Δ - 1."""
    rest = factor * DELTA / sp.pi * sp.sqrt(1 - rho**2)
    yield "ϱ - ρϱ'", equal(varrho(rho, DELTA), rho * varrho_prime(rho, DELTA) + rest, DOMAIN)
    zero = sp.solve(varrho(-1, DELTA), DELTA)
    yield "ϱ(-1) changes sign at the threshold", zero == [sp.Rational(threshold)]
    slope = sp.diff(varrho(-1, DELTA), DELTA)
    yield "from below to above", bool(slope > 0)
    zero = sp.solve(varrho_prime(-1, DELTA), DELTA)
    yield "ϱ'(-1) < 0 above the threshold only", zero == [sp.Rational(threshold)]


EDGE_DERIVATIVE = claim(
    "eoc.quoted.p9",
    at="after Proposition 14",
    title="The derivative of the cosine map is the dual of the derivative",
    states=r"\varrho'(\rho) = \sigma^2" + _INTEGRAL.format(r"\phi'"),
    given=_GIVEN,
    rests_on=[PRIME],
    provenance=Provenance.QUOTED,
)


@EDGE_DERIVATIVE.proved(
    controls={
        "one_over_pi": {"claimed": 1 - DELTA + DELTA / sp.pi * sp.asin(rho)},
        "dual_of_phi": {"claimed": varrho(rho, DELTA)},
    },
    part="-1 < ρ < 1",
)
def integrate_the_signs(claimed: sp.Expr | None = None) -> Derivation:
    """Integrate φ'(u₁)φ'(u₂) in polar coordinates, without differentiating anything."""
    return derive_varrho_prime("expectation", claimed=claimed)


@EDGE_DERIVATIVE.proved(controls={"zero": {"claimed": sp.Integer(0)}}, part="ρ = 1")
def parallel_derivatives(claimed: sp.Expr | None = None) -> Derivation:
    """At ρ = 1 the mean of φ'(u)² is univariate."""
    return derive_end_value(1, prime=True, claimed=claimed)


@EDGE_DERIVATIVE.proved(controls={"one": {"claimed": sp.Integer(1)}}, part="ρ = -1")
def antiparallel_derivatives(claimed: sp.Expr | None = None) -> Derivation:
    """At ρ = -1 the mean of φ'(u)φ'(-u) is univariate."""
    return derive_end_value(-1, prime=True, claimed=claimed)

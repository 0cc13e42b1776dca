"""Before Proposition 11: the cosine map ϱ, its closed form, its values and its range."""

from typing import Any

from sympy import Rational, cos, pi

from symbolic.cosine_maps import derive_end_value, derive_varrho
from symbolic.cosine_maps.closed_forms import cosine_map
from symbolic.gaussian import GaussianMean
from theorems.engine import Given, Provenance, defining, eq, ge, implies, le, open_interval
from theorems.engine.rules import Theorem
from theorems.engine.statements.values import unfolded
from theorems.eoc_mlp.hypotheses import ANGLE, BY_DEFINITION, SCALE, SHARE
from theorems.eoc_mlp.letters.activation import DELTA, SIGMA, a, b, phi, u, u1, u2
from theorems.eoc_mlp.letters.cosines import rho, t, varrho, varrho_prime
from theorems.eoc_mlp.letters.table import claim
from theorems.eoc_mlp.premises.angles import absolute_map_is_at_most_one, segment_is_nonnegative
from theorems.eoc_mlp.premises.substitutions import of_cosine


def dual(function: Any, *signs: int) -> GaussianMean:
    """E f(u_1) f(u_2) at correlation cos t, or E f(u) f(±u)."""
    if not signs:
        return GaussianMean(function(u1, a, b) * function(u2, a, b), u1, u2, cos(t))
    return GaussianMean(function(u, a, b) * function(signs[0] * u, a, b), u)


OPEN = {rho: open_interval(-1, 1), t: open_interval(0, pi)}
_BEFORE_11 = "before Proposition 11"
_NOTE = "proofs_notes/eoc_mlp.md#cosine-map"

CLOSED_FORM = claim(
    "eoc.varrho.closed_form",
    at=_BEFORE_11,
    title="Closed form of the cosine map",
    states={
        "between": defining(varrho(rho, DELTA), eq(SIGMA**2 * dual(phi), cosine_map(rho, DELTA))),
        "at 1": defining(varrho(1, DELTA), eq(SIGMA**2 * dual(phi, 1), cosine_map(1, DELTA))),
        "at -1": defining(varrho(-1, DELTA), eq(SIGMA**2 * dual(phi, -1), cosine_map(-1, DELTA))),
    },
    given=OPEN,
    assuming=[SHARE, SCALE, ANGLE],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@CLOSED_FORM.proved("between")
def integrate_in_polar_coordinates(given: Given) -> Theorem:
    """The radius integrates out; the signs are constant on four sectors."""
    return given.derived(derive_varrho())


@CLOSED_FORM.proved("at 1")
def parallel_inputs(given: Given) -> Theorem:
    """At ρ = 1 the mean is univariate."""
    return given.derived(derive_end_value(1))


@CLOSED_FORM.proved("at -1")
def antiparallel_inputs(given: Given) -> Theorem:
    """At ρ = -1 the mean is univariate."""
    return given.derived(derive_end_value(-1))


VALUES = claim(
    "eoc.varrho.values",
    at=_BEFORE_11,
    title="Values of the cosine map and its derivative",
    states={
        "at 1": [eq(varrho(1, DELTA), 1), eq(varrho_prime(1, DELTA), 1)],
        "at 0": [eq(varrho(0, DELTA), 2 / pi * DELTA), eq(varrho_prime(0, DELTA), 1 - DELTA)],
        "at -1": [eq(varrho(-1, DELTA), 2 * DELTA - 1), eq(varrho_prime(-1, DELTA), 1 - 2 * DELTA)],
    },
    rests_on=[CLOSED_FORM, "eoc.varrho.prime", "eoc.quoted.p9"],
    discharging=BY_DEFINITION,
    provenance=Provenance.DERIVED,
)


@VALUES.proved("at 1", "at 0", "at -1")
def insert_the_cosine(given: Given) -> Theorem:
    """Insert the cosine into both closed forms."""
    return given.decided()


ABOVE = claim(
    "eoc.varrho.above",
    at=_BEFORE_11,
    title="The cosine map is nowhere below the identity",
    states=le(rho, varrho(rho, DELTA)),
    rests_on=[CLOSED_FORM],
    discharging=BY_DEFINITION,
    provenance=Provenance.DERIVED,
)


@ABOVE.proved()
def sine_above_its_angle_times_cosine(given: Given) -> Theorem:
    """In the angle ϱ(ρ) - ρ is a multiple of sin t - t cos t."""
    above = of_cosine(segment_is_nonnegative(), given.domain)
    return given.follows(*above, goal=unfolded(given.goal))


RANGE = claim(
    "eoc.varrho",
    at=_BEFORE_11,
    title="The cosine map maps [-1, 1] to itself",
    states=[le(-1, varrho(rho, DELTA)), le(varrho(rho, DELTA), 1)],
    rests_on=[CLOSED_FORM],
    discharging=BY_DEFINITION,
)


@RANGE.proved()
def between_minus_one_and_one(given: Given) -> Theorem:
    """ϱ(ρ) ≥ ρ ≥ -1; and ϱ ≤ 1 for Δ = 1, hence for its mean with the identity."""
    bounds = [segment_is_nonnegative(), absolute_map_is_at_most_one()]
    known = [one for bound in bounds for one in of_cosine(bound, given.domain)]
    return given.follows(*known, goal=unfolded(given.goal))


NONNEGATIVE = claim(
    "eoc.varrho.nonnegative",
    at=_BEFORE_11,
    title="The cosine map has no negative values exactly from Δ = 1/2 on",
    states={
        "if": implies(ge(DELTA, Rational(1, 2)), ge(varrho(rho, DELTA), 0)),
        "only if": implies(ge(varrho(-1, DELTA), 0), ge(DELTA, Rational(1, 2))),
    },
    rests_on=[CLOSED_FORM],
    discharging=BY_DEFINITION,
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@NONNEGATIVE.proved("if")
def above_the_modulus(given: Given) -> Theorem:
    """For Δ = 1 the map is at least |ρ|, so that ϱ ≥ (1-Δ)ρ + Δ|ρ| ≥ (2Δ-1)|ρ|."""
    above = segment_is_nonnegative()
    reflected = above.at({t: pi - t})
    both_signs = [*of_cosine(above, given.domain), *of_cosine(reflected, given.domain)]
    return given.follows(*both_signs, goal=unfolded(given.goal))


@NONNEGATIVE.proved("only if")
def value_at_minus_one(given: Given) -> Theorem:
    """ϱ(-1) = 2Δ - 1."""
    return given.follows(goal=unfolded(given.goal))

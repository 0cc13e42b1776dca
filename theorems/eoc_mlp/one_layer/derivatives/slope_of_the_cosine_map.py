"""Before Proposition 15: the derivative of the cosine map, which is the dual of the derivative."""

from sympy import Derivative

from symbolic.cosine_maps import derive_end_value, derive_varrho_prime
from symbolic.cosine_maps.closed_forms import cosine_slope
from theorems.classical.functions import arcsine
from theorems.engine import Given, Provenance, defining, eq, le, open_interval
from theorems.engine.rules import Theorem
from theorems.engine.statements.values import unfolded
from theorems.eoc_mlp.hypotheses import ANGLE, BY_DEFINITION, SCALE, SHARE
from theorems.eoc_mlp.letters.activation import DELTA, SIGMA, phi_prime
from theorems.eoc_mlp.letters.cosines import rho, varrho, varrho_prime
from theorems.eoc_mlp.letters.table import claim
from theorems.eoc_mlp.one_layer.inner_products.cosine_map import OPEN, dual

_NOTE = "proofs_notes/eoc_mlp.md#cosine-map"


PRIME = claim(
    "eoc.varrho.prime",
    at="before Proposition 15",
    title="Closed form of the derivative of the cosine map",
    states=defining(
        varrho_prime(rho, DELTA), eq(Derivative(varrho(rho, DELTA), rho), cosine_slope(rho, DELTA))
    ),
    given={rho: open_interval(-1, 1)},
    rests_on=["eoc.varrho.closed_form"],
    discharging=BY_DEFINITION,
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@PRIME.proved()
def differentiate(given: Given) -> Theorem:
    """Differentiate the closed form."""
    return given.derived(derive_varrho_prime("differentiation"))


SLOPES = claim(
    "eoc.varrho.prime.range",
    at="before Proposition 15",
    title="The slope of the cosine map is at most 1 in size",
    states=[le(1 - 2 * DELTA, varrho_prime(rho, DELTA)), le(varrho_prime(rho, DELTA), 1)],
    rests_on=[PRIME],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@SLOPES.proved()
def arcsine_runs_through_half_a_turn(given: Given) -> Theorem:
    """-π/2 ≤ arcsin ρ ≤ π/2."""
    return given.follows(arcsine(rho, over=given.domain), goal=unfolded(given.goal))


EDGE_DERIVATIVE = claim(
    "eoc.quoted.p9",
    at="after Proposition 14",
    title="The derivative of the cosine map is the dual of the derivative",
    states={
        "between": eq(varrho_prime(rho, DELTA), SIGMA**2 * dual(phi_prime)),
        "at 1": eq(varrho_prime(1, DELTA), SIGMA**2 * dual(phi_prime, 1)),
        "at -1": eq(varrho_prime(-1, DELTA), SIGMA**2 * dual(phi_prime, -1)),
    },
    given=OPEN,
    assuming=[SHARE, SCALE, ANGLE],
    rests_on=[PRIME],
    provenance=Provenance.QUOTED,
)


@EDGE_DERIVATIVE.proved("between")
def integrate_the_signs(given: Given) -> Theorem:
    """Integrate φ'(u₁)φ'(u₂) in polar coordinates, without differentiating anything."""
    return given.derived(derive_varrho_prime("expectation"))


@EDGE_DERIVATIVE.proved("at 1")
def parallel_derivatives(given: Given) -> Theorem:
    """At ρ = 1 the mean of φ'(u)² is univariate."""
    return given.derived(derive_end_value(1, prime=True))


@EDGE_DERIVATIVE.proved("at -1")
def antiparallel_derivatives(given: Given) -> Theorem:
    """At ρ = -1 the mean of φ'(u)φ'(-u) is univariate."""
    return given.derived(derive_end_value(-1, prime=True))

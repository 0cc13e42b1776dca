"""Proposition 27, proof: the second derivative of the cosine map."""

from sympy import Derivative, pi, sqrt

from symbolic.cosine_maps import derive_varrho_second
from theorems.engine import Given, Provenance, defining, eq, ge, open_interval
from theorems.engine.rules import Theorem
from theorems.eoc_mlp.letters import DELTA, claim, rho, varrho, varrho_second

SECOND = claim(
    "eoc.varrho.second",
    at="Proposition 27, proof",
    title="Second derivative of the cosine map",
    states={
        "derivative": defining(
            varrho_second(rho, DELTA),
            eq(Derivative(varrho(rho, DELTA), (rho, 2)), DELTA * 2 / pi / sqrt(1 - rho**2)),
        ),
        "sign": ge(varrho_second(rho, DELTA), 0),
    },
    given={rho: open_interval(-1, 1)},
    rests_on=["eoc.varrho.prime"],
    provenance=Provenance.DERIVED,
)


@SECOND.proved("derivative")
def differentiate_twice(given: Given) -> Theorem:
    """Differentiate once more."""
    return given.derived(derive_varrho_second())


@SECOND.proved("sign")
def all_factors_are_nonnegative(given: Given) -> Theorem:
    """Each factor is at least 0."""
    return given.decided()

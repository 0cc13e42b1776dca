"""Proposition 11: the mean inner product of two activations, over one layer matrix."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from sympy import Symbol

from numeric.statistics import MeanTest, mean_test
from theorems.engine import Given, eq, rules
from theorems.engine.rules import E, Theorem
from theorems.eoc_mlp.hypotheses import BY_DEFINITION, SCALE, SHARE
from theorems.eoc_mlp.letters import (
    DELTA,
    SIGMA,
    X_k_mean,
    a,
    b,
    claim,
    phi,
    rho,
    tau1,
    tau2,
    u_i,
    u_j,
    varrho,
    x_i,
    x_j,
)
from theorems.eoc_mlp.one_layer.inner_products.cosine_map import CLOSED_FORM
from theorems.eoc_mlp.premises.linear_forms import covariance_of_forms
from theorems.eoc_mlp.premises.means import by_cosine, of_equal_units
from theorems.eoc_mlp.premises.substitutions import as_stated
from theorems.eoc_mlp.sampling.redrawn import DRAWS, redrawn, right_side

DEAD_LAYERS = "proofs_notes/eoc_mlp.md#dead-layers"
ACTIVATION: dict[Symbol, Any] = dict.fromkeys((a, b, SIGMA, DELTA))

ROWS = claim(
    "eoc.prop11.rows",
    at="Proposition 11, proof; Proposition 15, proof; Proposition 16, proof; Proposition 17, proof",
    title="The preactivations of a row are Gaussian with covariances of the activations",
    states=eq(E(u_i * u_j), SIGMA**2 * rules.inner(x_i, x_j)),
)


@ROWS.proved()
def in_any_dimension(given: Given) -> Theorem:
    """Entry by entry of the row v, for ⟨v, x_i⟩ and ⟨v, x_j⟩."""
    return given.follows(covariance_of_forms(given, u_i, x_i, u_j, x_j), goal=as_stated(ROWS))


PROP_11 = claim(
    "eoc.prop11",
    at="Proposition 11",
    title="Expectation of the inner products of activations",
    # If an activation vanishes both sides are 0, whatever number one takes for the cosine.
    states=eq(X_k_mean, tau1 * tau2 * varrho(rho, DELTA)),
    assuming=[SHARE, SCALE],
    rests_on=[ROWS, CLOSED_FORM],
    discharging=BY_DEFINITION,
    note=DEAD_LAYERS,
)


@PROP_11.proved()
def pull_out_the_norms(given: Given) -> Theorem:
    """Homogeneity takes στ out of each factor; the rows are equally distributed."""
    units = of_equal_units(given, X_k_mean, phi, given.fact(ROWS), factor=SIGMA**2 * tau1 * tau2)
    return given.follows(*units, *by_cosine(given, CLOSED_FORM), goal=as_stated(PROP_11))


@PROP_11.estimated(draws=DRAWS, controls={})
def inner_products(given: Given, rng: np.random.Generator, draws: int) -> Iterator[MeanTest]:
    """Redraw one layer of six networks and compare the mean of X_k."""
    for one in redrawn(rng, draws):
        lengths, cosine = one.state.norms(one.layer), one.state.cosines(one.layer)[0, 1]
        at = {tau1: lengths[0], tau2: lengths[1], rho: cosine, DELTA: one.delta}
        yield mean_test(one.draws.inner_products[:, 0, 1], right_side(given, at))

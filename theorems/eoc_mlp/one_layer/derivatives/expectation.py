"""Proposition 15: the mean inner product of two derivatives, over one layer matrix."""

from collections.abc import Iterator

import numpy as np
from sympy import Or, Symbol

from numeric.statistics import MeanTest, mean_test
from symbolic.gaussian import GaussianMean
from theorems.engine import Given, Hypothesis, Provenance, eq, rules
from theorems.engine.rules import E, Random, Theorem
from theorems.engine.statements.values import unfolded
from theorems.eoc_mlp.hypotheses import BOTH_ALIVE, BY_DEFINITION, SCALE, SHARE
from theorems.eoc_mlp.letters import (
    DELTA,
    SIGMA,
    X_mean_single,
    a,
    b,
    claim,
    phi_prime,
    rho,
    tau1,
    tau2,
    u,
    varrho_prime,
)
from theorems.eoc_mlp.letters.table import POSITIVE
from theorems.eoc_mlp.one_layer.derivatives.slope_of_the_cosine_map import EDGE_DERIVATIVE
from theorems.eoc_mlp.one_layer.inner_products.cosine_map import VALUES
from theorems.eoc_mlp.one_layer.inner_products.expectation import ACTIVATION, DEAD_LAYERS, ROWS
from theorems.eoc_mlp.premises.means import by_cosine, integrated, of_equal_units
from theorems.eoc_mlp.premises.substitutions import as_it_stands
from theorems.eoc_mlp.sampling.redrawn import DRAWS, redrawn, right_side

PROP_15 = claim(
    "eoc.prop15",
    at="Proposition 15",
    title="Expectation of the inner products of activation derivatives",
    states=eq(X_mean_single, varrho_prime(rho, DELTA)),
    given={X_mean_single: None, rho: None, **ACTIVATION},
    assuming=[BOTH_ALIVE, SHARE, SCALE],
    rests_on=[ROWS, EDGE_DERIVATIVE],
    discharging=BY_DEFINITION,
    note=DEAD_LAYERS,
)


@PROP_15.proved()
def norms_do_not_matter(given: Given) -> Theorem:
    """φ'(τs) = φ'(s), so σ² E φ'(τ₁u₁)φ'(τ₂u₂) is the integral that equals ϱ'."""
    given.require(BOTH_ALIVE)
    units = of_equal_units(given, X_mean_single, phi_prime, given.fact(ROWS), scale=SIGMA**2)
    goal, known = as_it_stands(PROP_15), [*units, *by_cosine(given, EDGE_DERIVATIVE)]
    lengths = {tau1: POSITIVE, tau2: POSITIVE}
    return rules.follows(goal, known, over={**given.domain, **lengths}, under=given.conditions)


@PROP_15.estimated(draws=DRAWS, controls={})
def derivative_products(given: Given, rng: np.random.Generator, draws: int) -> Iterator[MeanTest]:
    """Redraw one layer of six networks and compare the mean of X'_{k,k}."""
    for one in redrawn(rng, draws):
        at = {rho: one.state.cosines(one.layer)[0, 1], DELTA: one.delta}
        yield mean_test(one.draws.derivative_products[:, 0, 1], right_side(given, at))


DEAD_FIRST = Hypothesis(
    "dead_first",
    "the first of the two activations that enter the layer of the random matrix vanishes",
    latex=r"x_{k-1}(x_1) = 0",
)
DEAD = claim(
    "eoc.prop15.dead",
    at="Proposition 15",
    title="With a vanishing activation the expectation is that of orthogonal ones",
    states=[eq(X_mean_single, 1 - DELTA), eq(1 - DELTA, varrho_prime(0, DELTA))],
    given={X_mean_single: None, **ACTIVATION},
    assuming=[DEAD_FIRST, SHARE, SCALE],
    rests_on=[VALUES],
    provenance=Provenance.DERIVED,
    note=DEAD_LAYERS,
)


@DEAD.proved()
def average_the_sign(given: Given) -> Theorem:
    """φ'(0) = a, and E φ'(u) = a because the sign of u averages to zero."""
    slope, at_zero = Random("slope_2"), unfolded(phi_prime(0, a, b))
    mean = GaussianMean(unfolded(phi_prime(u, a, b)), u)
    first = Symbol("slope_1", real=True)
    either = Or(eq(E(slope), mean), eq(E(slope), at_zero))
    return given.follows(
        given.meaning("X_mean_single", eq(X_mean_single, SIGMA**2 * first * E(slope))),
        given.supposed(DEAD_FIRST, eq(first, at_zero)),
        given.meaning("the slope of the second unit, alive or dead,", either),
        integrated(mean, a),
        given.fact(VALUES, "at 0"),
        goal=as_it_stands(DEAD),
    )

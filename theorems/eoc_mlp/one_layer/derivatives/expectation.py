"""Proposition 15: the mean inner product of two derivatives, over one layer matrix."""

from collections.abc import Iterator

import numpy as np
from sympy import Expr

from numeric.statistics import MeanTest, mean_test
from symbolic.gaussian import GaussianMean
from theorems.classical.normal_means import by_covariance
from theorems.engine import Given, Hypothesis, Provenance, eq, integers, rules
from theorems.engine.rules import Theorem
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
    u1,
    u2,
    varrho_prime,
)
from theorems.eoc_mlp.letters.table import CORRELATION, NONNEGATIVE, POSITIVE
from theorems.eoc_mlp.one_layer.derivatives.slope_of_the_cosine_map import EDGE_DERIVATIVE
from theorems.eoc_mlp.one_layer.inner_products.expectation import DEAD_LAYERS
from theorems.eoc_mlp.premises.means import (
    OF_A_UNIT,
    UNIT,
    by_cosine,
    integrated,
    of_a_row,
    of_equal_units,
    over_units,
    pulled_out,
)
from theorems.eoc_mlp.premises.substitutions import as_it_stands
from theorems.eoc_mlp.sampling.redrawn import DRAWS, redrawn, right_side

PROP_15 = claim(
    "eoc.prop15",
    at="Proposition 15",
    title="Expectation of the inner products of activation derivatives",
    states=eq(X_mean_single, varrho_prime(rho, DELTA)),
    assuming=[BOTH_ALIVE, SHARE, SCALE],
    rests_on=["eoc.prop11.rows", EDGE_DERIVATIVE],
    discharging=BY_DEFINITION,
    note=DEAD_LAYERS,
)


@PROP_15.proved()
def norms_do_not_matter(given: Given) -> Theorem:
    """φ'(τs) = φ'(s), so σ² E φ'(τ₁u₁)φ'(τ₂u₂) is the integral that equals ϱ'."""
    given.require(BOTH_ALIVE)
    units = of_equal_units(given, X_mean_single, phi_prime, given.fact("eoc.prop11.rows"), scale=SIGMA**2)
    goal, known = as_it_stands(PROP_15), [*units, *by_cosine(given, EDGE_DERIVATIVE)]
    lengths = {tau1: POSITIVE, tau2: POSITIVE}
    return rules.follows(goal, known, over={**given.domain, **lengths}, under=given.conditions)


@PROP_15.estimated(draws=DRAWS, controls={})
def derivative_products(given: Given, rng: np.random.Generator, draws: int) -> Iterator[MeanTest]:
    """Redraw one layer of six networks and compare the mean of X'_{k,k}."""
    for one in redrawn(rng, draws):
        at = {rho: one.state.cosines(one.layer)[0, 1], DELTA: one.delta}
        yield mean_test(one.draws.derivative_products[:, 0, 1], right_side(given, at))


_COSINE = {rho: CORRELATION}
_LENGTHS = {tau1: NONNEGATIVE, tau2: NONNEGATIVE}
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
    assuming=[DEAD_FIRST, SHARE, SCALE],
    rests_on=["eoc.varrho.values", "eoc.prop11.rows"],
    provenance=Provenance.DERIVED,
    note=DEAD_LAYERS,
)


@DEAD.proved()
def average_the_sign(given: Given) -> Theorem:
    """φ'(0) = a, and E φ'(u) = a because the sign of u averages to zero."""
    layer = over_units(given, X_mean_single, _mean_of_a_unit(given), SIGMA**2)
    return given.follows(layer, given.fact("eoc.varrho.values", "at 0"), goal=as_it_stands(DEAD))


def _mean_of_a_unit(given: Given) -> Theorem:
    """E φ'(U)φ'(V) = a² for preactivations U, which is 0, and V, which may be so as well."""
    dead = given.supposed(DEAD_FIRST, eq(tau1, 0), over=_LENGTHS)
    law = [*of_a_row(given, OF_A_UNIT, given.fact("eoc.prop11.rows"), _LENGTHS), dead]
    scales = 0, SIGMA * tau2
    exact = by_covariance(_slopes(u1, u2), (u1, u2), OF_A_UNIT, scales, 1, over=given.domain | _LENGTHS)
    means = [exact, exact.at({tau2: 0}), pulled_out(exact.statement.rhs, 1, _slopes(0, u1), _COSINE)]
    values = [integrated(mean, a**2) for mean in (GaussianMean(_slopes(0, one), u1) for one in (0, u1))]
    goal, unit = eq(exact.statement.lhs, a**2), {UNIT: integers(0)}
    return rules.follows(goal, [*means, *values, *law], over=given.domain | _LENGTHS | unit)


def _slopes(first: Expr, second: Expr) -> Expr:
    return phi_prime(first, a, b) * phi_prime(second, a, b)

"""Proposition 17 itself: the exact error and the printed bound."""

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
from sympy import Abs, Symbol, pi, sqrt

from numeric.cosine_maps import delta_phi
from numeric.cosine_maps import varrho_prime as slope_at
from numeric.gradient_dependence import bound_sharp, error
from numeric.networks.backpropagation import backpropagation_matrix, backpropagation_products
from numeric.networks.conditional import resample_layer
from numeric.networks.forward_pass import ForwardPass
from numeric.statistics import MeanTest, mean_test
from theorems.engine import Given, Rounded, eq, integers, le, open_interval
from theorems.engine.rules import Theorem, act, inner
from theorems.eoc_mlp.hypotheses import BELOW, BOTH_ALIVE, BY_DEFINITION, SCALE, SHARE
from theorems.eoc_mlp.letters.activation import DELTA, SIGMA, a, b, u1, u2
from theorems.eoc_mlp.letters.backpropagation import X_mean, X_prime_below, norm_b1, norm_b2
from theorems.eoc_mlp.letters.cosines import rho, varrho_prime
from theorems.eoc_mlp.letters.gradients import (
    distance_xhat,
    epsilon_gradient,
    g_11,
    g_12,
    g_21,
    g_22,
    norm_product,
    product,
    regrouped,
    xhat1,
    xhat2,
)
from theorems.eoc_mlp.letters.network import k1, k2
from theorems.eoc_mlp.letters.table import claim
from theorems.eoc_mlp.one_layer.gradient_independence.explained_entries import mean_over_the_layer
from theorems.eoc_mlp.one_layer.gradient_independence.integrals import INTEGRAL_W1
from theorems.eoc_mlp.one_layer.gradient_independence.meanings import (
    PREACTIVATIONS,
    at_every_cosine,
    directions,
    forms_of_product,
    slopes,
)
from theorems.eoc_mlp.one_layer.gradient_independence.sampled import GradientPair, gradient_pairs
from theorems.eoc_mlp.premises.bounded_terms import form_bound
from theorems.eoc_mlp.premises.matrix_products import bound_of_product, norm_of_product
from theorems.eoc_mlp.premises.means import of_a_pair
from theorems.eoc_mlp.sampling.networks import NetworkCase

LAYERS = {k1: integers(2), k2: integers(3), DELTA: None}
COSINE = {rho: open_interval(-1, 1)}
ONE_LAYER = [BELOW, BOTH_ALIVE]
_PROOF = "Proposition 17, proof"
NOTE = "proofs_notes/eoc_mlp.md#gradient-dependence"
FRONT = DELTA * 2 / pi / sqrt(1 - rho**2)
PRINTED = DELTA * 8 / pi * sqrt((1 - rho) / (1 + rho))
BEST_BOUND = DELTA * 4 / pi * sqrt(1 - rho**2)
#: Coefficients with the given share: what is said of all coefficients is used at these.
_COEFFICIENTS = {a: sqrt(1 - DELTA), b: sqrt(DELTA), SIGMA: 1}

ERROR = claim(
    "eoc.prop17.error",
    at=_PROOF,
    title="The gradient-dependence error, exactly",
    states=[
        eq(X_mean - varrho_prime(rho, DELTA) * X_prime_below, epsilon_gradient),
        eq(epsilon_gradient, FRONT * (g_12 - rho * g_11 + g_21 - rho * g_22)),
    ],
    given={**LAYERS, **COSINE},
    assuming=[*ONE_LAYER, SHARE, SCALE],
    rests_on=[
        "eoc.prop17.eq5",
        "eoc.prop17.sigma",
        "eoc.prop17.integrals",
        INTEGRAL_W1,
        "eoc.prop17.integral_w1w2",
        "eoc.quoted.p9",
    ],
    discharging=BY_DEFINITION,
    note=NOTE,
)


@ERROR.proved()
def insert_the_integrals(given: Given) -> Theorem:
    """Of the mean over the layer, insert that of the slopes, and the integrals."""
    slope, cosine = at_every_cosine(given, given.fact("eoc.quoted.p9", "between"))
    layer, law = mean_over_the_layer(given, given.fact("eoc.prop17.eq5"), given.fact("eoc.prop17.sigma"))
    return given.follows(
        layer,
        of_a_pair(given, slopes, PREACTIVATIONS, law, slopes(u1, u2)),
        slope,
        cosine,
        given.fact("eoc.prop17.integrals"),
        *(given.fact(INTEGRAL_W1, part) for part in INTEGRAL_W1.parts),
        given.fact("eoc.prop17.integral_w1w2"),
    )


@ERROR.estimated(draws=20_000, controls={})
def error_of_networks(given: Given, rng: np.random.Generator, draws: int) -> Iterator[MeanTest]:
    """Redraw one layer; the mean of X' against ϱ'X' plus the error, where the error is large."""
    formula = given.goal.args[-1].rhs
    for widths, a_, b_ in (((3, 4, 3, 2, 1), 0.0, 1.0), ((4, 5, 3, 3, 1), 0.2, -1.0)):
        state = _network(widths, a_, b_)
        sample = resample_layer(state, _LAYER, rng, draws).backpropagation_products[2]
        slope = slope_at(state.cosines(_LAYER)[0, 1], delta_phi(a_, b_))
        before = backpropagation_products(state, 2, _LAYER)[0, 1]
        expected = float(formula.subs(_forms(state)))
        yield mean_test(sample[:, 0, 1], slope * before + expected)


_LAYER = 3


@cache
def _network(widths: tuple[int, ...], a_: float, b_: float) -> ForwardPass:
    """The network with the largest error of 200, relative to the norms."""
    rng, case = np.random.default_rng(17), NetworkCase(widths, a_, b_, angle=1.5, layer=_LAYER)
    return max((case.sample(rng) for _ in range(200)), key=_relative_error)


def _forms(state: ForwardPass) -> dict[Symbol, float]:
    """The numbers of the formula: the cosine, the share, and M at the directions."""
    B, directions_ = backpropagation_matrix(state, 2, _LAYER), state.unit_activations(_LAYER)
    forms = directions_ @ B[0] @ B[1].T @ directions_.T
    share = float(delta_phi(state.mlp.a, state.mlp.b))
    letters = {g_11: (0, 0), g_12: (0, 1), g_21: (1, 0), g_22: (1, 1)}
    numbers = {letter: float(forms[place]) for letter, place in letters.items()}
    return {rho: float(state.cosines(_LAYER)[0, 1]), DELTA: share, **numbers}


def _relative_error(state: ForwardPass) -> float:
    B, xs = backpropagation_matrix(state, 2, _LAYER), state.unit_activations(_LAYER)
    share = float(delta_phi(state.mlp.a, state.mlp.b))
    norms = np.diagonal(backpropagation_products(state, 2, _LAYER))
    exact = float(error(B[0] @ B[1].T, xs[0], xs[1], share))
    return abs(exact) / float(np.sqrt(norms[0] * norms[1]))


PROP_17 = claim(
    "eoc.prop17",
    at="Proposition 17",
    title="Approximate gradient independence at finite width",
    states=le(Abs(X_mean - varrho_prime(rho, DELTA) * X_prime_below), PRINTED * norm_b1 * norm_b2),
    given={**LAYERS, **COSINE},
    assuming=ONE_LAYER,
    rests_on=[ERROR, "eoc.prop17.norm"],
    discharging=BY_DEFINITION,
    note=NOTE,
)

NORM = claim(
    "eoc.prop17.norm",
    at=_PROOF,
    title="Norm bound of the error",
    states=[
        le(Abs(epsilon_gradient), FRONT * norm_product * (distance_xhat**2 + 2 * (1 - rho))),
        eq(FRONT * norm_product * (distance_xhat**2 + 2 * (1 - rho)), PRINTED * norm_product),
    ],
    given={**LAYERS, **COSINE},
    assuming=ONE_LAYER,
    rests_on=[ERROR, "eoc.prop17.regroup", "eoc.prop17.distance"],
    discharging=BY_DEFINITION,
)


def two_forms(given: Given) -> Theorem:
    """The exact error, for coefficients with the given share."""
    return given.substituted(given.fact(ERROR), _COEFFICIENTS)


@NORM.proved()
def bound_each_term(given: Given) -> Theorem:
    """Each form is at most ‖M‖ times a squared length: of the difference, or of a direction."""
    vectors = (xhat1 - xhat2, xhat1, xhat2)
    known = [
        two_forms(given),
        given.fact("eoc.prop17.regroup"),
        given.fact("eoc.prop17.distance"),
        forms_of_product(given),
    ]
    regrouped_form = eq(regrouped, inner(xhat1 - xhat2, act(product, xhat2 - xhat1)))
    return given.follows(
        *known,
        given.meaning("form at the difference, with M = B_1 B_2^*", regrouped_form),
        *(form_bound(given, product, x) for x in vectors),
        directions(given),
        norm_of_product(given),
    )


@PROP_17.proved()
def norm_of_the_product(given: Given) -> Theorem:
    """‖B₁B₂*‖ ≤ ‖B₁‖‖B₂‖."""
    return given.follows(two_forms(given), given.fact(NORM), bound_of_product(given))


@PROP_17.tested(over=gradient_pairs, cases=400)
def error_and_norms(pair: GradientPair) -> dict[Symbol, Any]:
    """|ε| against the printed bound, for networks and for extremal pairs."""
    below, slope = float(np.trace(pair.product)), float(slope_at(pair.rho, pair.delta))
    found = error_of(pair)
    # The slope is good to a few units in the last place, of numbers up to 1.
    mean = Rounded(slope * below + found.value, found.error + 2.0**-49 * abs(below))
    norms = {norm_b1: rounded_norm(pair.first_norm), norm_b2: rounded_norm(pair.second_norm)}
    return {rho: pair.rho, DELTA: pair.delta, X_mean: mean, X_prime_below: below, **norms}


def error_of(pair: GradientPair) -> Rounded:
    """ε with what it may be off by.

    It is a sum of d² products; the angle of x₁ and x₂ is known to a few epsilons of 1, which
    moves √(1 - ρ²) by that amount over √(1 - ρ²).
    """
    value = float(error(pair.product, pair.x1, pair.x2, pair.delta))
    d, sine = len(pair.x1), np.sqrt((1 - pair.rho) * (1 + pair.rho))
    size = float(bound_sharp(pair.rho, pair.delta)) * pair.product_norm
    return Rounded(value, 16 * 2.0**-53 * (d * d + 1 / sine**2) * size)


def rounded_norm(norm: float) -> Rounded:
    """A largest singular value, of a matrix of at most eight rows, good to a few dozen epsilons."""
    return Rounded(norm, 2.0**-46 * norm)

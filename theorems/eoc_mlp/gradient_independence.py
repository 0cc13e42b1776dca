"""Proposition 17 itself: the exact error, the printed bound, the best bound and who attains it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
from sympy import Abs, Expr, FiniteSet, Symbol, pi, sqrt, sympify

from numeric.cosine_maps import delta_phi
from numeric.cosine_maps import varrho_prime as slope_at
from numeric.gradient_dependence import bound_sharp, error
from numeric.networks.backpropagation import backpropagation_matrix, backpropagation_products
from numeric.networks.conditional import resample_layer
from numeric.networks.forward_pass import ForwardPass
from numeric.statistics import MeanTest, mean_test
from symbolic.cosine_maps.closed_forms import delta_phi as delta_phi_exact
from symbolic.derivation import Derivation
from symbolic.equality import equal
from symbolic.extremal_network import check_extremal_network, derive_extremal_error, kappa
from symbolic.gaussian import GaussianMean
from symbolic.gradient_dependence import derive_attainment, derive_nuclear_norm, derive_q_matrix
from symbolic.notation import phi_prime as slope_of
from theorems.engine import (
    Given,
    Obligations,
    Provenance,
    Rounded,
    both,
    claims_in,
    eq,
    implies,
    integers,
    le,
    open_interval,
    sentence,
)
from theorems.engine.rules import E, Random, Theorem, act, inner
from theorems.engine.values import unfolded
from theorems.eoc_mlp.cosine_maps import EDGE_DERIVATIVE, VALUES
from theorems.eoc_mlp.gradient_meanings import (
    SLOPES,
    at_every_cosine,
    directions,
    form_bound,
    forms_along_basis,
    forms_of_gram,
    meaning,
    norm_of_gram,
    put,
)
from theorems.eoc_mlp.gradient_pairs import COORDINATES, GradientPair, gradient_pairs, network_pairs
from theorems.eoc_mlp.gradient_proof import (
    DISTANCE,
    EQ_6_CORRECTED,
    INTEGRAL_W1,
    INTEGRAL_W1W2,
    INTEGRALS,
    REGROUP,
)
from theorems.eoc_mlp.hypotheses import BELOW, BOTH_ALIVE, BY_DEFINITION, SCALE, SHARE
from theorems.eoc_mlp.letters.activation import DELTA, SIGMA, a, asymmetry, b, phi_prime, u1, u2
from theorems.eoc_mlp.letters.backpropagation import X_mean, X_prime_below, norm_b1, norm_b2
from theorems.eoc_mlp.letters.cosines import rho, varrho_prime
from theorems.eoc_mlp.letters.gradients import (
    distance_xhat,
    epsilon_gradient,
    form_minus,
    form_plus,
    g_11,
    g_12,
    g_21,
    g_22,
    gram,
    norm_gram,
    regrouped,
    xhat1,
    xhat2,
)
from theorems.eoc_mlp.letters.network import k1, k2
from theorems.eoc_mlp.letters.table import LETTERS
from theorems.eoc_mlp.samples import Scene

claim = claims_in(LETTERS)
_LAYERS = {k1: integers(2), k2: integers(3), DELTA: None}
_COSINE = {rho: open_interval(-1, 1)}
_ONE_LAYER = [BELOW, BOTH_ALIVE]
_PROOF = "Proposition 17, proof"
_NOTE = "proofs_notes/eoc_mlp.md#gradient-dependence"
_FRONT = DELTA * 2 / pi / sqrt(1 - rho**2)
_PRINTED = DELTA * 8 / pi * sqrt((1 - rho) / (1 + rho))
_SHARP = DELTA * 4 / pi * sqrt(1 - rho**2)
#: Coefficients with the given share: what is said of all coefficients is used at these.
_COEFFICIENTS = {a: sqrt(1 - DELTA), b: sqrt(DELTA), SIGMA: 1}

ERROR = claim(
    "eoc.prop17.error",
    at=_PROOF,
    title="The gradient-dependence error, exactly",
    states=[
        eq(X_mean - varrho_prime(rho, DELTA) * X_prime_below, epsilon_gradient),
        eq(epsilon_gradient, _FRONT * (g_12 - rho * g_11 + g_21 - rho * g_22)),
    ],
    given={
        **dict.fromkeys((X_mean, X_prime_below, epsilon_gradient, g_11, g_12, g_21, g_22)),
        **dict.fromkeys((a, b, SIGMA)),
        **_LAYERS,
        **_COSINE,
    },
    assuming=[*_ONE_LAYER, SHARE, SCALE],
    rests_on=[
        *(INTEGRALS, INTEGRAL_W1, INTEGRAL_W1W2, EQ_6_CORRECTED),
        *(EDGE_DERIVATIVE, "eoc.prop11.rows"),
    ],
    discharging=BY_DEFINITION,
    note=_NOTE,
)


@ERROR.proved()
def insert_the_integrals(given: Given) -> Theorem:
    """X' is a mean over equal units; condition on the preactivations, and insert the integrals."""
    product, rest = Random("product_of_rows"), Random("explained_product")
    slope, cosine = at_every_cosine(given, given.fact(EDGE_DERIVATIVE, "between"))
    mean = GaussianMean(phi_prime(u1, a, b) * phi_prime(u2, a, b), u1, u2, rho)
    below = SIGMA**2 * X_prime_below  # tr(B_1^*B_2) = tr(B_1B_2^*)
    return given.follows(
        meaning(given, "X' as a mean over equal units", eq(X_mean, E(SLOPES * product))),
        meaning(
            given,
            "mean given u of the product of v_1 and v_2, by (6)",
            eq(E(SLOPES * product), E(SLOPES * (rest + below))),
        ),
        meaning(given, "error as a mean", eq(epsilon_gradient, E(SLOPES * rest))),
        meaning(given, "mean of the product of slopes", eq(E(SLOPES), mean)),
        slope,
        cosine,
        given.fact(INTEGRALS),
        *(given.fact(INTEGRAL_W1, part) for part in INTEGRAL_W1.parts),
        given.fact(INTEGRAL_W1W2),
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
    rng, scene = np.random.default_rng(17), Scene(widths, a_, b_, angle=1.5, layer=_LAYER)
    return max((scene.build(rng) for _ in range(200)), key=_relative_error)


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
    states=le(Abs(X_mean - varrho_prime(rho, DELTA) * X_prime_below), _PRINTED * norm_b1 * norm_b2),
    given={**dict.fromkeys((X_mean, X_prime_below, norm_b1, norm_b2)), **_LAYERS, **_COSINE},
    assuming=_ONE_LAYER,
    rests_on=[ERROR, "eoc.prop17.norm"],
    discharging=BY_DEFINITION,
    note=_NOTE,
)

NORM = claim(
    "eoc.prop17.norm",
    at=_PROOF,
    title="Norm bound of the error",
    states=[
        le(Abs(epsilon_gradient), _FRONT * norm_gram * (distance_xhat**2 + 2 * (1 - rho))),
        eq(_FRONT * norm_gram * (distance_xhat**2 + 2 * (1 - rho)), _PRINTED * norm_gram),
    ],
    given={**dict.fromkeys((epsilon_gradient, norm_gram, distance_xhat)), **_LAYERS, **_COSINE},
    assuming=_ONE_LAYER,
    rests_on=[ERROR, REGROUP, DISTANCE],
    discharging=BY_DEFINITION,
)


def _error(given: Given) -> Theorem:
    """The exact error, for coefficients with the given share."""
    return put(given, given.fact(ERROR), _COEFFICIENTS)


@NORM.proved()
def bound_each_term(given: Given) -> Theorem:
    """Each form is at most ‖M‖ times a squared length: of the difference, or of a direction."""
    vectors = (xhat1 - xhat2, xhat1, xhat2)
    known = [_error(given), given.fact(REGROUP), given.fact(DISTANCE), forms_of_gram(given)]
    regrouped_form = eq(regrouped, -inner(vectors[0], act(gram, vectors[0])))
    return given.follows(
        *known,
        meaning(given, "form at the difference, with M = B_1 B_2^*", regrouped_form),
        *(form_bound(given, x) for x in vectors),
        directions(given),
        norm_of_gram(given),
    )


@PROP_17.proved()
def norm_of_the_product(given: Given) -> Theorem:
    """‖B₁B₂*‖ ≤ ‖B₁‖‖B₂‖."""
    product = meaning(given, "norm of a product of matrices", le(norm_gram, norm_b1 * norm_b2))
    return given.follows(_error(given), given.fact(NORM), product)


@PROP_17.tested(over=gradient_pairs, cases=400)
def error_and_norms(pair: GradientPair) -> dict[Symbol, Any]:
    """|ε| against the printed bound, for networks and for extremal pairs."""
    below, slope = float(np.trace(pair.gram)), float(slope_at(pair.rho, pair.delta))
    found = _error_of(pair)
    # The slope is good to a few units in the last place, of numbers up to 1.
    mean = Rounded(slope * below + found.value, found.error + 2.0**-49 * abs(below))
    norms = {norm_b1: _rounded_norm(pair.first_norm), norm_b2: _rounded_norm(pair.second_norm)}
    return {rho: pair.rho, DELTA: pair.delta, X_mean: mean, X_prime_below: below, **norms}


def _error_of(pair: GradientPair) -> Rounded:
    """ε with what it may be off by.

    It is a sum of d² products; the angle of x₁ and x₂ is known to a few epsilons of 1, which
    moves √(1 - ρ²) by that amount over √(1 - ρ²).
    """
    value = float(error(pair.gram, pair.x1, pair.x2, pair.delta))
    d, sine = len(pair.x1), np.sqrt((1 - pair.rho) * (1 + pair.rho))
    size = float(bound_sharp(pair.rho, pair.delta)) * pair.gram_norm
    return Rounded(value, 16 * 2.0**-53 * (d * d + 1 / sine**2) * size)


def _rounded_norm(norm: float) -> Rounded:
    """A largest singular value, of a matrix of at most eight rows, good to a few dozen epsilons."""
    return Rounded(norm, 2.0**-46 * norm)


_FORM = eq(epsilon_gradient, DELTA * 2 / pi * sqrt(1 - rho**2) * (form_plus - form_minus))
_EQUALITY = implies(
    both(eq(form_plus, norm_gram), eq(form_minus, -norm_gram)),
    eq(epsilon_gradient, _SHARP * norm_gram),
)

SHARP = PROP_17.sharpened(
    "eoc.prop17.sharp",
    title="Best bound of the gradient-dependence error",
    states={
        "form": _FORM,
        "bound": le(Abs(epsilon_gradient), _SHARP * norm_gram),
        "attained": _EQUALITY,
    },
    given={
        **dict.fromkeys((epsilon_gradient, form_plus, form_minus, norm_gram)),
        **_LAYERS,
        **_COSINE,
    },
    assuming=_ONE_LAYER,
    rests_on=[ERROR],
    discharging=BY_DEFINITION,
    note=_NOTE,
)


@SHARP.proved("form")
def in_sum_and_difference(given: Given) -> Theorem:
    """Expand the forms of M at x̂₁ ± x̂₂, whose squared lengths are 2(1 ± ρ)."""
    return given.follows(*_known(given))


def _known(given: Given) -> list[Theorem]:
    return [_error(given), forms_of_gram(given), forms_along_basis(given), directions(given)]


@SHARP.proved("bound")
def duality(given: Given) -> Theorem:
    """|⟨e±, Me±⟩| ≤ ‖M‖, by Cauchy and Schwarz."""
    bounds = [form_bound(given, x) for x in (xhat1 + xhat2, xhat1 - xhat2)]
    form = given.follows(*_known(given), goal=_FORM)
    return given.follows(
        form, forms_along_basis(given), directions(given), *bounds, norm_of_gram(given)
    )


@SHARP.argued(
    "bound",
    bridge="The error is Δ(2/π)(1 - ρ²)^(-1/2) tr(MQ), and |tr(MQ)| is at most the operator norm"
    " of M times the nuclear norm of Q.",
    over=_COSINE,
)
def nuclear_norm(given: Given) -> Obligations:
    """Q = x̂₁x̂₂* + x̂₂x̂₁* - ρ(x̂₁x̂₁* + x̂₂x̂₂*) = (1 - ρ²)(e₊e₊* - e₋e₋*)."""
    norm_of_form = derive_nuclear_norm()
    yield "the matrix of the form", derive_q_matrix().answer
    yield "its nuclear norm", norm_of_form.answer
    bound = _FRONT * norm_of_form.conclusion * norm_gram
    yield "the constant", equal(given.goal.rhs, bound, _COSINE)


@SHARP.proved("attained")
def equality(given: Given) -> Theorem:
    """Insert both forms."""
    return given.follows(given.follows(*_known(given), goal=_FORM), goal=_EQUALITY)


@SHARP.tested("bound", over=gradient_pairs, cases=400, coordinates=COORDINATES)
def error_and_norm(pair: GradientPair) -> dict[Symbol, Any]:
    """|ε| against the sharp bound, for networks and for extremal pairs."""
    numbers = {epsilon_gradient: _error_of(pair), norm_gram: _rounded_norm(pair.gram_norm)}
    return {rho: pair.rho, DELTA: pair.delta, **numbers}


@SHARP.tested("bound", over=network_pairs, cases=200)
def error_and_norm_of_networks(pair: GradientPair) -> dict[Symbol, Any]:
    """The same for small sampled networks only."""
    return {**error_and_norm(pair)}


ATTAINED = claim(
    "eoc.prop17.sharp.attained",
    at="Proposition 17",
    title="The best bound is attained, by matrices for every Δ and by a network with |·|",
    states={
        "matrices": sentence(
            r"B_1 = e_+e_+^* - e_-e_-^*,\ B_2 = \mathcal{I} \implies"
            r" \epsilon = $bound\,\|B_1\|\,\|B_2\|",
            bound=_SHARP,
        ),
        "a network": sentence(
            r"\text{for } \Delta_\phi = $share \text{ and every } $rho \in ($orthogonal, $parallel)"
            r" \text{ there is a network with } \epsilon = $bound\,\|B_1\|\,\|B_2\|",
            share=1,
            orthogonal=0,
            parallel=1,
            bound=_SHARP.subs(DELTA, 1),
        ),
    },
    given={DELTA: None, **_COSINE},
    rests_on=[SHARP],
    discharging={
        BELOW: "the network has layers 2 and 3; matrices are given",
        BOTH_ALIVE: "the directions are given, and the activations of the network are computed",
    },
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@ATTAINED.argued(
    "matrices",
    bridge="The error depends on B_1B_2^* through its forms at e_+ and e_- alone, so that the plane"
    " of these two vectors is enough; both matrices have norm 1.",
    over=_COSINE,
)
def extremal_matrix(bound: Expr) -> Derivation:
    """Insert the extremal matrix into the formula of the error."""
    return derive_attainment(claimed=bound)


@ATTAINED.argued(
    "a network",
    bridge="The cosine 2κ/(1 + κ²) of the network runs through (0, 1) as κ does.",
    over=_COSINE,
)
def extremal_network(share: int, orthogonal: int, parallel: int, bound: Expr) -> Obligations:
    """Exact networks of widths 3 and 2 with the absolute value, for every cosine in (0, 1)."""
    cosine = 2 * kappa / (1 + kappa**2)
    yield "the cosine at κ = 0", equal(cosine.subs(kappa, 0), sympify(orthogonal))
    yield "the cosine at κ = 1", equal(cosine.subs(kappa, 1), sympify(parallel))
    yield "the share of |s|", equal(delta_phi_exact(0, 1), sympify(share))
    yield from check_extremal_network(constant=bound / sqrt(1 - rho**2))
    yield (
        "the error from its definition",
        derive_extremal_error(claimed=bound.subs(rho, cosine) / 6).answer,
    )


RATIO = claim(
    "eoc.prop17.sharp.ratio",
    at="Proposition 17",
    title="How much the printed bound gives away",
    states=eq(_SHARP, (1 + rho) / 2 * _PRINTED),
    given={DELTA: None, **_COSINE},
    rests_on=[SHARP],
    discharging=dict.fromkeys(_ONE_LAYER, "the two bounds are compared, whatever they bound"),
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@RATIO.proved()
def divide(given: Given) -> Theorem:
    """Compare the two bounds, norms aside."""
    return given.decided()


CLOSED = SHARP.sharpened(
    "eoc.prop17.closed",
    title="At equal and opposite directions there is no gradient dependence",
    states=eq(X_mean, varrho_prime(rho, DELTA) * X_prime_below),
    given={X_mean: None, X_prime_below: None, **_LAYERS, rho: FiniteSet(-1, 1)},
    assuming=_ONE_LAYER,
    rests_on=["eoc.varrho.values"],
    note=_NOTE,
)


@CLOSED.proved()
def even_and_odd_parts(given: Given) -> Theorem:
    """⟨v₁, v₂⟩ is even in the Gaussian vector; what is odd in φ'(u)φ'(±u) has no mean with it."""
    product, sign_of_u = Random("product_of_rows"), Random("sign_of_u")
    equal_slopes, opposite_slopes = (
        E((1 + asymmetry * sign_of_u) * product),
        E((1 - 2 * DELTA) * product),
    )
    return given.follows(
        meaning(
            given,
            "X' as a mean over equal units, with the values of sigma^2 phi'(u) phi'(+-u)",
            implies(eq(rho, 1), eq(X_mean, equal_slopes)),
            implies(eq(rho, -1), eq(X_mean, opposite_slopes)),
        ),
        meaning(given, "an odd function of a symmetric vector", eq(E(sign_of_u * product), 0)),
        meaning(given, "mean of the product of rows, over sigma^2", eq(E(product), X_prime_below)),
        given.fact(VALUES, "at 1"),
        given.fact(VALUES, "at -1"),
    )


@CLOSED.argued(
    bridge="The even part of a product of slopes is its mean with every even function.",
    over={rho: FiniteSet(-1, 1)},
)
def even_part_of_the_slopes(given: Given) -> Obligations:
    """The even part of σ²φ'(u)φ'(±u) is the slope ϱ'(±1) of the statement."""
    u = Symbol("u", positive=True)
    for sign in (1, -1):
        here, there = (slope_of(one * u) * slope_of(one * sign * u) for one in (1, -1))
        slope = unfolded(given.goal.rhs / X_prime_below).subs(rho, sign)
        constant = slope.subs(DELTA, b**2 / (a**2 + b**2)) * (a**2 + b**2)
        yield f"ρ = {sign}", equal((here + there) / 2, constant, under=[a**2 + b**2 > 0])

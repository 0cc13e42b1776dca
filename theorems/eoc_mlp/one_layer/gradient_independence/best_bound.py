"""Proposition 17, sharpened: the best bound of the error, and where it is attained."""

from typing import Any

from sympy import Abs, Expr, FiniteSet, Reals, Symbol, pi, sqrt, sympify

from symbolic.cosine_maps.closed_forms import delta_phi as delta_phi_exact
from symbolic.derivation import Derivation
from symbolic.equality import equal
from symbolic.notation import phi_prime as slope_of
from theorems.engine import Given, Obligations, Provenance, both, eq, implies, interval, le, rules, sentence
from theorems.engine.rules import Theorem
from theorems.engine.statements.values import unfolded
from theorems.eoc_mlp.hypotheses import BELOW, BOTH_ALIVE, BY_DEFINITION
from theorems.eoc_mlp.letters.activation import DELTA, SIGMA, a, b
from theorems.eoc_mlp.letters.backpropagation import X_mean, X_prime_below
from theorems.eoc_mlp.letters.cosines import rho, varrho_prime
from theorems.eoc_mlp.letters.gradients import (
    epsilon_gradient,
    form_minus,
    form_plus,
    norm_product,
    product,
    xhat1,
    xhat2,
)
from theorems.eoc_mlp.letters.table import POSITIVE, claim
from theorems.eoc_mlp.one_layer.gradient_independence.error import (
    BEST_BOUND,
    COSINE,
    FRONT,
    LAYERS,
    NOTE,
    ONE_LAYER,
    PRINTED,
    PROP_17,
    error_of,
    rounded_norm,
    two_forms,
)
from theorems.eoc_mlp.one_layer.gradient_independence.extremal_network import (
    check_extremal_network,
    derive_extremal_error,
    kappa,
)
from theorems.eoc_mlp.one_layer.gradient_independence.meanings import (
    directions,
    forms_along_basis,
    forms_of_product,
)
from theorems.eoc_mlp.one_layer.gradient_independence.parallel_directions import at_one_direction
from theorems.eoc_mlp.one_layer.gradient_independence.quadratic_form import (
    derive_attainment,
    derive_nuclear_norm,
    derive_q_matrix,
)
from theorems.eoc_mlp.one_layer.gradient_independence.sampled import (
    COORDINATES,
    GradientPair,
    gradient_pairs,
    network_pairs,
)
from theorems.eoc_mlp.premises.bounded_terms import form_bound
from theorems.eoc_mlp.premises.matrix_products import norm_of_product

_FORM = eq(epsilon_gradient, DELTA * 2 / pi * sqrt(1 - rho**2) * (form_plus - form_minus))
_EQUALITY = implies(
    both(eq(form_plus, norm_product), eq(form_minus, -norm_product)),
    eq(epsilon_gradient, BEST_BOUND * norm_product),
)

SHARP = PROP_17.sharpened(
    "eoc.prop17.sharp",
    title="Best bound of the gradient-dependence error",
    states={
        "form": _FORM,
        "bound": le(Abs(epsilon_gradient), BEST_BOUND * norm_product),
        "attained": _EQUALITY,
    },
    given={**LAYERS, **COSINE},
    assuming=ONE_LAYER,
    rests_on=["eoc.prop17.error"],
    discharging=BY_DEFINITION,
    note=NOTE,
)


@SHARP.proved("form")
def in_sum_and_difference(given: Given) -> Theorem:
    """Expand the forms of M at x̂₁ ± x̂₂, whose squared lengths are 2(1 ± ρ)."""
    return given.follows(*_known(given))


def _known(given: Given) -> list[Theorem]:
    return [two_forms(given), forms_of_product(given), forms_along_basis(given), directions(given)]


@SHARP.proved("bound")
def duality(given: Given) -> Theorem:
    """|⟨e±, Me±⟩| ≤ ‖M‖, by Cauchy and Schwarz."""
    bounds = [form_bound(given, product, x) for x in (xhat1 + xhat2, xhat1 - xhat2)]
    form = given.follows(*_known(given), goal=_FORM)
    return given.follows(form, forms_along_basis(given), directions(given), *bounds, norm_of_product(given))


@SHARP.argued(
    "bound",
    bridge="The error is Δ(2/π)(1 - ρ²)^(-1/2) tr(MQ), and |tr(MQ)| is at most the operator norm"
    " of M times the nuclear norm of Q.",
    over=COSINE,
)
def nuclear_norm(given: Given) -> Obligations:
    """Q = x̂₁x̂₂* + x̂₂x̂₁* - ρ(x̂₁x̂₁* + x̂₂x̂₂*) = (1 - ρ²)(e₊e₊* - e₋e₋*)."""
    norm_of_form = derive_nuclear_norm()
    yield "the matrix of the form", derive_q_matrix().answer
    yield "its nuclear norm", norm_of_form.answer
    bound = FRONT * norm_of_form.conclusion * norm_product
    yield "the constant", equal(given.goal.rhs, bound, COSINE)


@SHARP.proved("attained")
def insert_both_forms(given: Given) -> Theorem:
    """Insert both forms."""
    return given.follows(given.follows(*_known(given), goal=_FORM), goal=_EQUALITY)


@SHARP.tested("bound", over=gradient_pairs, cases=400, coordinates=COORDINATES)
def error_and_norm(pair: GradientPair) -> dict[Symbol, Any]:
    """|ε| against the sharp bound, for networks and for extremal pairs."""
    numbers = {epsilon_gradient: error_of(pair), norm_product: rounded_norm(pair.product_norm)}
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
            bound=BEST_BOUND,
        ),
        "a network": sentence(
            r"\text{for } \Delta_\phi = $share \text{ and every } $rho \in ($orthogonal, $parallel)"
            r" \text{ there is a network with } \epsilon = $bound\,\|B_1\|\,\|B_2\|",
            share=1,
            orthogonal=0,
            parallel=1,
            bound=BEST_BOUND.subs(DELTA, 1),
        ),
    },
    given=COSINE,
    rests_on=[SHARP],
    discharging={
        BELOW: "the network has layers 2 and 3; matrices are given",
        BOTH_ALIVE: "the directions are given, and the activations of the network are computed",
    },
    provenance=Provenance.DERIVED,
    note=NOTE,
)


@ATTAINED.argued(
    "matrices",
    bridge="The error depends on B_1B_2^* through its forms at e_+ and e_- alone, so that the plane"
    " of these two vectors is enough; both matrices have norm 1.",
    over={DELTA: interval(0, 1), **COSINE},
)
def extremal_matrix(bound: Expr) -> Derivation:
    """Insert the extremal matrix into the formula of the error."""
    return derive_attainment().claiming(bound)


@ATTAINED.argued(
    "a network",
    bridge="The cosine 2κ/(1 + κ²) of the network runs through (0, 1) as κ does.",
    over={DELTA: interval(0, 1), **COSINE},
)
def extremal_network(share: int, orthogonal: int, parallel: int, bound: Expr) -> Obligations:
    """Exact networks of widths 3 and 2 with the absolute value, for every cosine in (0, 1)."""
    cosine = 2 * kappa / (1 + kappa**2)
    yield "the cosine at κ = 0", equal(cosine.subs(kappa, 0), sympify(orthogonal))
    yield "the cosine at κ = 1", equal(cosine.subs(kappa, 1), sympify(parallel))
    yield "the share of |s|", equal(delta_phi_exact(0, 1), sympify(share))
    yield from check_extremal_network(constant=bound / sqrt(1 - rho**2))
    error = derive_extremal_error().claiming(bound.subs(rho, cosine) / 6)
    yield "the error from its definition", error.answer


RATIO = claim(
    "eoc.prop17.sharp.ratio",
    at="Proposition 17",
    title="The best bound is the printed one times (1 + ρ)/2",
    states=eq(BEST_BOUND, (1 + rho) / 2 * PRINTED),
    given=COSINE,
    rests_on=[SHARP],
    discharging=dict.fromkeys(ONE_LAYER, "the two bounds are compared, whatever they bound"),
    provenance=Provenance.DERIVED,
    note=NOTE,
)


@RATIO.proved()
def ratio_of_the_bounds(given: Given) -> Theorem:
    """Compare the two bounds, norms aside."""
    return given.decided()


CLOSED = SHARP.sharpened(
    "eoc.prop17.closed",
    title="At equal and opposite directions there is no gradient dependence",
    states=eq(X_mean, varrho_prime(rho, DELTA) * X_prime_below),
    given={**LAYERS, rho: FiniteSet(-1, 1)},
    assuming=ONE_LAYER,
    rests_on=["eoc.varrho.values"],
    note=NOTE,
)


@CLOSED.proved()
def even_and_odd_parts(given: Given) -> Theorem:
    """The mean of ⟨v₁, v₂⟩ is multiplied by that of σ²φ'(u)φ'(±u), of which all depends on u."""
    parts = (eq(a**2, (1 - DELTA) / SIGMA**2), eq(b**2, DELTA / SIGMA**2))
    scale = given.meaning("slopes, by their scale", *parts)
    letters = {a: Reals, b: Reals, SIGMA: POSITIVE, DELTA: given.domain[DELTA]}
    even = rules.follows(eq(SIGMA**2 * a**2, 1 - DELTA), [scale], over=letters)
    ends = [
        given.follows(
            at_one_direction(given, end),
            scale,
            even,
            goal=implies(eq(rho, end), eq(X_mean, value * X_prime_below)),
        )
        for end, value in ((1, 1), (-1, 1 - 2 * DELTA))
    ]
    return given.follows(
        *ends, given.fact("eoc.varrho.values", "at 1"), given.fact("eoc.varrho.values", "at -1")
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

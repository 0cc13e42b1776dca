"""Proposition 27, proof: how the gradient dependence decays with the layer."""

from typing import Any

import sympy as sp
from sympy import Abs, Rational, exp, log, pi, sqrt

from symbolic.equality import equal
from symbolic.networks.mlp import ExactMLP
from symbolic.networks.ntk import backpropagation_matrix as exact_matrix
from theorems.engine import (
    Given,
    Hypothesis,
    Obligations,
    Provenance,
    Severity,
    both,
    eq,
    ge,
    gt,
    half_line,
    integers,
    le,
    rules,
    sentence,
)
from theorems.engine.rules import Theorem
from theorems.eoc_mlp.hypotheses import (
    BELOW,
    BOTH_ALIVE,
    BY_DEFINITION,
    EVENT_10,
    EVENT_11_12,
    NOT_ABOVE,
    SCALE,
    SHARE,
    SQUARE_WIDTHS,
)
from theorems.eoc_mlp.letters import (
    DELTA,
    LETTERS,
    S,
    S_below,
    X_mean,
    X_prime_below,
    beta_radius,
    claim,
    epsilon,
    g_11,
    g_12,
    g_21,
    g_22,
    k,
    k1,
    k2,
    kappa,
    m,
    norm_b1,
    norm_b2,
    norm_product,
    omega,
    operator_norm,
    rho,
    rho_before,
    varrho_prime,
    w,
    w_1_input,
    w_below,
    w_tilde_below,
)
from theorems.eoc_mlp.one_layer.gradient_independence.error import ERROR, two_forms
from theorems.eoc_mlp.premises.logarithms import quotient
from theorems.eoc_mlp.premises.matrix_products import bound_of_product
from theorems.eoc_mlp.premises.recursions import layers, layers_below_logarithm, layers_up_to, of_layers
from theorems.eoc_mlp.premises.substitutions import as_it_stands, cosine_at

_PROOF = "Proposition 27, proof"
_NOTE = "proofs_notes/eoc_limits.md#backpropagation-products"


INDEPENDENCE = claim(
    "eoc.prop27.independence",
    at=_PROOF,
    title="At k_2 = k_1 + 1 the step of the proof asserts exact gradient independence",
    states=sentence(
        r"\bigl|\mathbb{E}_{A_{k_2-1}}X'_{k_1,k_2} - \varrho'(\rho_{k_2-1})X'_{k_1,k_2-1}\bigr|"
        r" \le O\Bigl($kappa^{$fourth}\log\bigl($quotient\bigr)^{$square}"
        r"\frac{$one}{($below)\,$m}\Bigr)",
        fourth=4,
        square=2,
        quotient=(k2 - 2) / (k1 - 1),
        one=1,
        below=k2 - 1,
    ),
    given={k1: integers(2), k2: integers(3)},
    assuming=[BELOW, BOTH_ALIVE],
    rests_on=[ERROR],
    discharging=dict.fromkeys((SHARE, SCALE), "the coefficients of the network are given"),
    note=_NOTE,
)


@INDEPENDENCE.refuted(severity=Severity.GAP, controls={"corrected": {"quotient": (k2 - 1) / (k1 - 1)}})
def two_units(quotient: Any, square: int) -> Obligations:
    """k₁ = 2, k₂ = 3, φ = |·|, preactivations (1, 2) and (1, -1): log 1 = 0, and the error is not.

    The forms of B₁B₂* = diag(1, -1)/2 at the directions (1, 2)/√5 and (1, 1)/√2 tell the error.
    """
    network = ExactMLP([[[1, 1], [2, -1]], [[1, 1], [2, 1]], [[1, 1]]], a=0, b=1, m=2)
    first, second = (exact_matrix(network, x, 2, 2) for x in ([1, 0], [0, 1]))
    product = first * second.T
    yield "B₁B₂*", equal(product, sp.diag(1, -1) / 2)
    x, y = sp.Matrix([1, 2]) / sqrt(5), sp.Matrix([1, 1]) / sqrt(2)
    forms = {
        g_11: x.dot(product * x),
        g_12: x.dot(product * y),
        g_21: y.dot(product * x),
        g_22: y.dot(product * y),
    }
    error = as_it_stands(ERROR).args[1].rhs
    value = error.subs({**forms, rho: x.dot(y), DELTA: 1})
    yield "the error is not 0", bool(sp.simplify(value) != 0)
    yield "the bound is 0", bool(log(quotient.subs({k1: 2, k2: 3})) ** square == 0)


NEAR = Hypothesis(
    "near_the_limit",
    "the inverse cosine distance of layer k - 1 is at least its limit, up to a factor",
    formula=ge(w_below * exp(Rational(1, 10)), w_tilde_below),
)

GRADIENT = claim(
    "eoc.prop27.gradient",
    at=_PROOF,
    title="The gradient dependence decays with the layer, for all data alike",
    states={
        "in w": le(DELTA * 4 / pi * sqrt(1 - cosine_at(w_below) ** 2), 8 * DELTA / (pi * w_below)),
        "decay": le(8 * DELTA / (pi * w_below), 7 / (k - 1)),
    },
    given={k: integers(2)},
    assuming=[NEAR],
    rests_on=["eoc.omega.increment"],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@GRADIENT.proved("in w")
def in_inverse_distances(given: Given) -> Theorem:
    """√(1 - ρ²) = 2√(z(1 - z)) ≤ 2/w, z = w⁻²."""
    return given.follows()


@GRADIENT.certified("decay")
def limits_grow(given: Given) -> Theorem:
    """w̃_{k-1} ≥ w₁ + c(k - 2) ≥ c(k - 1) by induction, as c < 1 < w₁; and 6e^(1/10) < 7."""
    given.require(NEAR)
    start = {w_1_input: LETTERS[w_1_input].domain}
    n_, over = sp.Symbol("n", integer=True, nonnegative=True), {DELTA: given.domain[DELTA], **start}
    iterate, slope = sp.Function("iterate", real=True), 4 * DELTA / (3 * pi)
    steps = {**over, n_: sp.Range(sp.oo)}
    grown = given.fact("eoc.omega.increment").at({w: iterate(n_)}, over=steps, under=[gt(iterate(n_), 1)])
    premises = [
        rules.enclosed(gt(pi, 3)),
        given.meaning("w_1_input", eq(iterate(0), w_1_input)),
        given.meaning("the limits are iterates of ω", eq(iterate(n_ + 1), omega(iterate(n_), DELTA))),
        grown,
    ]
    above = both(gt(iterate(n_), 1), ge(iterate(n_), 1 + slope * n_))
    return given.follows(
        rules.induction(above, n_, 0, base=premises[:2], step=premises, over=over),
        given.meaning("w_tilde_below", eq(w_tilde_below, iterate(n_)), eq(k, n_ + 2)),
        rules.enclosed(gt(pi, 3)),
        rules.enclosed(gt(7, 6 * exp(Rational(1, 10)))),
    )


INDEPENDENCE_CORRECTED = INDEPENDENCE.corrected(
    "eoc.prop27.independence.corrected",
    title="The gradient dependence in one layer, with the norms of the matrices below it",
    states={
        "bound": le(
            Abs(X_mean - varrho_prime(rho_before, DELTA) * X_prime_below),
            7
            / (k2 - 1)
            * kappa**2
            * exp(epsilon * S_below)
            * exp(2 * beta_radius * S_below)
            * S_below**2
            / m,
        ),
        "logarithm": le(S_below, log((k2 - 1) / (k1 - 1)) / log(2)),
    },
    given={w_below: half_line(1, closed=False), k1: integers(2), k2: integers(3)},
    assuming=[BELOW, BOTH_ALIVE, SQUARE_WIDTHS, EVENT_10, EVENT_11_12, NEAR],
    rests_on=[ERROR, "eoc.prop17.sharp", GRADIENT, "eoc.prop26.corrected", "eoc.varrho.prime"],
    discharging={NOT_ABOVE: "k_1 is below k_2", **BY_DEFINITION},
    note=_NOTE,
)


@INDEPENDENCE_CORRECTED.proved("bound")
def insert_the_norms(given: Given) -> Theorem:
    """Δ(4/π)√(1 - ρ²) ≤ 7/(k₂ - 1), and ‖B₁B₂*‖ ≤ ‖B₁‖‖B₂‖ with the norms of Proposition 26."""
    given.require(BELOW, BOTH_ALIVE, SQUARE_WIDTHS, EVENT_10, EVENT_11_12)
    half = sp.Symbol("half", nonnegative=True)  # of ε, so that the bound is a square
    cosine = cosine_at(w_below)
    meant = given.meaning("the cosine below the layer, by its inverse distance", eq(rho_before, cosine))
    decay = given.fact(GRADIENT, "decay").at({k: k2}, over={k2: given.domain[k2]})
    norms = [
        given.fact("eoc.prop26.corrected", "bound").at(
            {operator_norm: one, S: S_below, epsilon: 2 * half, k1: 2, k2: 2}
        )
        for one in (norm_b1, norm_b2)
    ]
    square = rules.follows(le(norm_product, norms[0].statement.rhs ** 2), [bound_of_product(given), *norms])
    shown = rules.follows(
        given.goal.subs(epsilon, 2 * half),
        [
            given.instance(two_forms(given), {rho: cosine}),
            given.fact("eoc.prop17.sharp", "bound", {rho: cosine}),
            meant,
            given.fact(GRADIENT, "in w"),
            decay,
            square,
        ],
        under=given.conditions,
    )
    return shown.at({half: epsilon / 2})


@INDEPENDENCE_CORRECTED.proved("logarithm")
def add_the_chords(given: Given) -> Theorem:
    """The sum is that of Proposition 26, one layer below."""
    numbers = {x: given.domain[x] for x in (k1, k2)}
    below = layers - 1
    return given.follows(
        layers_below_logarithm().at({layers: below}, over={layers: integers(1), k1: numbers[k1]}),
        of_layers(given, S_below, layers_up_to(below), 1),
        of_layers(given, k2, k1 + layers, 1),
        quotient(k2 - 1, k1 - 1, numbers),
    )

"""Proposition 27: inner products of backpropagation matrices of all layers and pairs.

S = 1/(k₁ - 1) + … + 1/(k₂ - 1), and D_k bounds by how much the slope of layer k is off its limit.
"""

from typing import Any

import sympy as sp
from sympy import Abs, Rational, exp, log, pi, sqrt

from symbolic.equality import equal
from theorems.engine import (
    Given,
    Hypothesis,
    Obligations,
    Provenance,
    Severity,
    both,
    ge,
    integers,
    interval,
    le,
    sentence,
)
from theorems.engine.rules import Theorem
from theorems.eoc_mlp.all_layers.backpropagation.operator_norms import OPERATOR as LOGARITHM
from theorems.eoc_mlp.all_layers.backpropagation.operator_norms import bound_of_no_matrix
from theorems.eoc_mlp.all_layers.products.bounds_of_a_layer import product
from theorems.eoc_mlp.all_layers.products.gradient_dependence import NEAR
from theorems.eoc_mlp.all_layers.products.recursion import distances, errors_of_products, limit
from theorems.eoc_mlp.all_layers.products.steps import COUNT
from theorems.eoc_mlp.hypotheses import (
    ALL_ALIVE,
    BELOW,
    BOTH_ALIVE,
    BOUNDED_BELOW,
    EQUAL_SCALINGS,
    EVENTS_24_TO_27,
    LARGE_Q,
    NOT_ABOVE,
    NOT_PARALLEL,
    SMALL_NU,
    SQUARE_WIDTHS,
    WIDE_ENOUGH,
)
from theorems.eoc_mlp.letters import (
    DELTA,
    D_sum,
    E_below,
    Pi,
    S,
    X_prime,
    beta_radius,
    claim,
    epsilon,
    k1,
    k2,
    kappa,
    m,
    n,
    p,
    v_least,
    varrho_prime,
    w_below,
    w_k,
    w_tilde,
    w_tilde_below,
)
from theorems.eoc_mlp.premises.logarithms import quotient
from theorems.eoc_mlp.premises.recursions import layers, layers_below_logarithm, layers_up_to, of_layers
from theorems.eoc_mlp.premises.substitutions import as_it_stands

_AT, _PROOF = "Proposition 27", "Proposition 27, proof"
_NOTE = "proofs_notes/eoc_limits.md#backpropagation-products"
_FROM_TWO = {k1: integers(2), k2: integers(2)}

LAYER_BELOW = Hypothesis(
    "layer_below",
    "in layer k - 1 a number is a lower bound of the inverse cosine distance and of its limit, and"
    " their difference is at most E_{k-1}",
    formula=both(ge(w_below, v_least), ge(w_tilde_below, v_least), le(Abs(w_below - w_tilde_below), E_below)),
)

SLOPES = claim(
    "eoc.prop27.explicit.slopes",
    at=_PROOF,
    title="The error D_k of the slope of a layer, from that of the inverse cosine distance",
    states=le(
        Abs(varrho_prime(1 - 2 * w_below**-2, DELTA) - varrho_prime(1 - 2 * w_tilde_below**-2, DELTA)),
        4 * DELTA * exp(Rational(1, 10)) / (pi * sqrt(1 - v_least**-2)) * E_below / w_tilde_below**2,
    ),
    assuming=[NEAR, LAYER_BELOW],
    rests_on=["eoc.prop27.slope"],
    discharging={BOUNDED_BELOW: "it is assumed of layer k - 1"},
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@SLOPES.proved()
def slopes_of_the_layer(given: Given) -> Theorem:
    """The bound of nearby slopes, with |w - w̃| ≤ E and 1/w ≤ e^(1/10)/w̃."""
    given.require(NEAR, LAYER_BELOW)
    layer = {x: given.domain[x] for x in (w_below, w_tilde_below)}
    nearby = given.fact("eoc.prop27.slope").at({w_k: w_below, w_tilde: w_tilde_below}, over=layer)
    return given.follows(nearby, goal=as_it_stands(SLOPES))


EXPLICIT = claim(
    "eoc.prop27.explicit",
    at=_AT,
    title="Simultaneous concentration of backpropagation products, with explicit constants",
    states=le(
        Abs(X_prime - Pi),
        exp(epsilon * S) * (epsilon * S + D_sum)
        + 7
        * kappa**2
        * exp(epsilon * S)
        * exp(2 * beta_radius * S)
        * log(k2 / (k1 - 1)) ** 3
        / (3 * log(2) ** 3 * m),
    ),
    given=_FROM_TWO,
    assuming=[SQUARE_WIDTHS, EVENTS_24_TO_27, NOT_ABOVE],
    rests_on=[
        "eoc.prop26.diagonal",
        "eoc.prop27.gradient",
        SLOPES,
        "eoc.prop17.sharp",
        "eoc.varrho.prime.range",
    ],
    discharging={
        NEAR: "it is the outcome of Proposition 25 on these events",
        LAYER_BELOW: "it is the outcome of Proposition 25 on these events",
        BELOW: "the bound of Proposition 17 is used from k_1 + 1 on",
        BOTH_ALIVE: "no activation vanishes on these events",
    },
    note=_NOTE,
)


@EXPLICIT.proved()
def add_the_layers(given: Given) -> Theorem:
    """R_k ≤ e^{εS}(ε/(k-1) + D_k) + (7/(k-1))‖B‖² + R_{k-1} from R_{k₁} ≤ ε/(k₁-1) + D_{k₁}.

    The induction is in S alone: 3S²u ≤ (S + u)³ - S³; in the end S ≤ log(k₂/(k₁ - 1))/log 2.
    """
    given.require(SQUARE_WIDTHS, NOT_ABOVE)
    domain = {k1: given.domain[k1], k2: given.domain[k2]}
    return given.follows(
        errors_of_products(given),
        layers_below_logarithm(),
        of_layers(given, S, layers_up_to(layers)),
        of_layers(given, k2, k1 + layers),
        of_layers(given, D_sum, distances(layers)),
        of_layers(given, X_prime, product(layers)),
        of_layers(given, Pi, limit(layers)),
        quotient(k2, k1 - 1, domain),
    )


_RADIUS = r"O\bigl(\sqrt{\log($l\,$n)}\,$kappa^{$square} $m^{-$half($one - $p)}\bigr)"
_BOUND = r"|X'_{k_1,k_2} - \Pi_{k_1,k_2}| \le \log\bigl($quotient\bigr)^{$power}\," + _RADIUS

PRINTED = claim(
    "eoc.prop27",
    at=_AT,
    title="Simultaneous concentration of backpropagation inner products",
    states=sentence(
        r"\mathbb{P}\Bigl(\forall k_1 \le k_2, i_1, i_2:\ \theta \in E_2 \cap E_3,\ "
        + _BOUND
        + r"\Bigr) \ge $sure - $failing e^{-$m^{$p}}, \quad E_3:\ \|B_{k_1,k_2}\| \le"
        r" \log\bigl($quotient_e\bigr)\,O($kappa^{$square_e} $m^{-$half_e})",
        quotient=k2 / (k1 - 1),
        power=1,
        square=2,
        half=Rational(1, 2),
        one=1,
        sure=1,
        failing=14,
        quotient_e=(k2 - 1) / (k1 - 1),
        square_e=2,
        half_e=Rational(1, 2),
    ),
    given={n: integers(2), **_FROM_TWO},
    assuming=[SQUARE_WIDTHS, EQUAL_SCALINGS, ALL_ALIVE, NOT_PARALLEL],
    note=_NOTE,
)


@PRINTED.refuted(
    severity=Severity.FALSE,
    controls={"corrected": {"quotient_e": k2 / (k1 - 1)}, "improbable": {"failing": 300}},
)
def event_of_probability_zero(
    sure: Any, failing: Any, quotient_e: Any, square_e: Any, half_e: Any
) -> Obligations:
    """E₄ is inside E₃, which asks for |B_{2,2}| ≤ log(1) O(1) = 0; for φ = |·| it is m^(-1/2)."""
    yield from bound_of_no_matrix(log(quotient_e) * kappa**square_e * m**-half_e, sure, failing)


CORRECTED = PRINTED.corrected(
    "eoc.prop27.corrected",
    title="Simultaneous concentration of backpropagation inner products, in wide networks",
    states=sentence(
        r"\mathbb{P}\Bigl(\forall k_1 \le k_2, i_1, i_2:\ "
        + _BOUND
        + r"\Bigr) \ge $sure - $failing e^{-$m^{$p}}",
        quotient=k2 / (k1 - 1),
        power=1,
        square=2,
        half=Rational(1, 2),
        one=1,
        sure=1,
        failing=14,
    ),
    given={n: integers(2), **_FROM_TWO},
    assuming=[SQUARE_WIDTHS, EQUAL_SCALINGS, NOT_PARALLEL, WIDE_ENOUGH],
    rests_on=[EXPLICIT, "eoc.prop27.eq13", COUNT, "eoc.prop25.explicit"],
    discharging={
        ALL_ALIVE: "ratios of lengths are positive on the event (8), and no input vanishes",
        EVENTS_24_TO_27: "they hold with the probability of the statement",
        NOT_ABOVE: "the statement is about k_1 ≤ k_2",
        LARGE_Q: "Q is chosen by the inputs",
        SMALL_NU: "the unit of width is large enough",
        NEAR: "it is the outcome of Proposition 25 for wide networks",
        LAYER_BELOW: "it is the outcome of Proposition 25 for wide networks",
    },
    note=_NOTE,
    excused={
        "domain of l": "true as well: one layer has no matrices of backpropagation",
        "domain of k2": "true as well: no k_1 from 2 on is at most 1",
        "domain of p: with 0": "true as well: the probability 1 - 14/e that is claimed is negative",
    },
)
#: For p < 1 the radius ε tends to 0; it is that of the tails for these factors κ and pairs.
_FIRST_ORDER = {
    **{k1: integers(2), m: integers(1), n: integers(2)},
    **{p: sp.Interval.Ropen(0, 1), kappa: interval(1, sqrt(2))},
}


@CORRECTED.argued(
    bridge="For fixed depth and data the bound with explicit constants is a constant times its"
    " first order in ε, where S ≤ log(k_2/(k_1 - 1))/log 2 and D_k = O(ε/k).",
    uses=[SQUARE_WIDTHS, EQUAL_SCALINGS, NOT_PARALLEL, WIDE_ENOUGH],
    over=_FIRST_ORDER,
)
def orders_of_the_errors(
    quotient: Any, power: Any, square: Any, half: Any, one: Any, sure: Any, failing: Any
) -> Obligations:
    """S ≤ log(k₂/(k₁-1))/log 2; D_k = O(ε/k) for fixed data; cubic: L³/m, L a logarithm.

    With n = k - 2 and u = cn/w₁, (k - 1)D_k/ν is at most a multiple of H_n u/(1 + u)² and of 1.
    """
    x, width, u, number, rate = sp.symbols("x m u n p", positive=True)
    sum_of_layers = as_it_stands(LOGARITHM, "logarithm")
    inside = [one.args[0] for one in sum_of_layers.atoms(log) if one.args[0].free_symbols]
    (logarithm,) = inside
    yield "the logarithm of S", bool(sp.simplify(quotient / logarithm) == 1)
    shares = [sp.limit(x / x ** sp.nsimplify(power), x, end) for end in (0, sp.oo)]
    yield "S over the power of the logarithm", bool(all(share.is_finite for share in shares))
    first_order = kappa**2 * sqrt(width**rate / width)
    claimed = kappa**square * width ** (-half * (one - rate))
    yield "ε to first order", equal(sp.simplify(first_order / claimed), sp.Integer(1))
    rest = x**3 / width / (x * sqrt(1 / width))
    yield "the cubic term is of higher order", bool(sp.limit(rest, width, sp.oo) == 0)
    bump = u / (1 + u) ** 2
    yield "u/(1 + u)² ≤ 1/4", equal(Rational(1, 4) - bump, (u - 1) ** 2 / (4 * (1 + u) ** 2))
    bounded = sp.limit(log(number) * (number / (1 + number) ** 2), number, sp.oo)
    yield "so H_n u/(1 + u)² is bounded", bool(bounded == 0)
    counted = COUNT.parts["statement"].slots["products"]  # type: ignore[union-attr]
    rare = exp(-(m**p))
    yield "the families of events", equal(1 - counted * rare, sure - failing * rare)

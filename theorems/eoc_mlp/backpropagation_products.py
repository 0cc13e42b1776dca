"""Section 3.3, Proposition 27: inner products of backpropagation matrices of all pairs of inputs.

Notation of the explicit bounds: S = 1/(k₁ - 1) + … + 1/(k₂ - 1), w̃_k = ω^{∘(k-1)}(w₁), and
E_k bounds |w_k - w̃_k| as in Proposition 25.
"""

from __future__ import annotations

from typing import Any

import sympy as sp
from sympy import Abs, Rational, asin, exp, log, pi, sqrt

from symbolic.equality import equal
from symbolic.networks.mlp import ExactMLP
from symbolic.networks.ntk import backpropagation_matrix as exact_matrix
from theorems.engine import (
    Choice,
    Given,
    Hypothesis,
    Obligations,
    Provenance,
    Severity,
    both,
    claims_in,
    eq,
    ge,
    gt,
    implies,
    integers,
    le,
    rules,
    sentence,
)
from theorems.engine.rules import Theorem
from theorems.engine.values import unfolded
from theorems.eoc_mlp.gradient_best_bound import SHARP
from theorems.eoc_mlp.gradient_independence import ERROR
from theorems.eoc_mlp.hypotheses import (
    ALL_ALIVE,
    BELOW,
    BOTH_ALIVE,
    BOUNDED_BELOW,
    EQUAL_SCALINGS,
    EVENT_10,
    EVENT_11_12,
    MATRICES_NONZERO,
    NOT_ABOVE,
    SCALE,
    SHARE,
    SQUARE_WIDTHS,
    ZERO_IS_ORTHOGONAL,
)
from theorems.eoc_mlp.inverse_distance_growth import INCREMENT
from theorems.eoc_mlp.layer_recursions import (
    decided,
    layers,
    layers_below_logarithm,
    layers_up_to,
    of_layers,
    radius_of_products,
)
from theorems.eoc_mlp.letters import (
    DELTA,
    LETTERS,
    L,
    Pi,
    S,
    S_below,
    X_mean,
    X_prime,
    X_prime_below,
    beta_radius,
    epsilon,
    epsilon_gradient,
    g_11,
    g_12,
    g_21,
    g_22,
    k,
    k1,
    k2,
    kappa,
    l,
    m,
    n,
    norm_gram,
    omega,
    operator_norm,
    p,
    rho,
    rho_before,
    rho_tilde_before,
    s,
    v_least,
    varrho_prime,
    varrho_second,
    w,
    w_below,
    w_k,
    w_tilde,
    w_tilde_below,
    zeta_second,
)
from theorems.eoc_mlp.logarithm_bounds import quotient
from theorems.eoc_mlp.simultaneous_backpropagation import OPERATOR

claim = claims_in(LETTERS)
_AT, _PROOF = "Proposition 27", "Proposition 27, proof"
_NOTE = "proofs_notes/eoc_limits.md#backpropagation-products"
_EVERY_LAYER = (SQUARE_WIDTHS, EQUAL_SCALINGS, ALL_ALIVE)
_PAIRS = {n: integers(2)}


def _cosine(inverse: Any) -> Any:
    """The cosine of an inverse cosine distance."""
    return 1 - 2 * inverse**-2


SECOND = claim(
    "eoc.prop27.second",
    at=_PROOF,
    title="The second derivative of the cosine map, in inverse distances",
    states=[
        eq(varrho_second(_cosine(w), DELTA), -zeta_second(w**-2, DELTA) / 2),
        eq(
            -zeta_second(w**-2, DELTA) / 2,
            DELTA * 2 / pi * (1 - _cosine(w) ** 2) ** -Rational(1, 2),
        ),
        eq(
            DELTA * 2 / pi * (1 - _cosine(w) ** 2) ** -Rational(1, 2),
            DELTA / pi * (1 - w**-2) ** -Rational(1, 2) * w,
        ),
    ],
    given=[w, DELTA],
    rests_on=["eoc.varrho.second", "eoc.zeta.second"],
)


@SECOND.proved()
def differentiate_twice(given: Given) -> Theorem:
    """ζ(z) = (1 - ϱ(1 - 2z))/2 twice, and 1 - (1 - 2z)² = 4z(1 - z), z = w⁻²."""
    return given.decided()


SLOPE = claim(
    "eoc.prop27.slope",
    at=_PROOF,
    title="The slopes of the cosine map at nearby cosines",
    states=le(
        Abs(varrho_prime(_cosine(w_k), DELTA) - varrho_prime(_cosine(w_tilde), DELTA)),
        4 * DELTA / (pi * sqrt(1 - v_least**-2)) * Abs(w_k - w_tilde) / (w_k * w_tilde),
    ),
    given=[w_k, w_tilde, v_least, DELTA],
    assuming=[BOUNDED_BELOW],
    rests_on=["eoc.varrho.prime"],
    note=_NOTE,
)
_s, _t, _top = sp.symbols("s t top", nonnegative=True)


@SLOPE.proved()
def slopes_are_angles(given: Given) -> Theorem:
    """ϱ' = 1 - 2Δt/π, t = 2 arcsin(1/w), whose derivative in s = 1/w is at most 2/√(1 - v⁻²)."""
    given.require(BOUNDED_BELOW)
    unit = {one: sp.Interval(0, 1) for one in (_s, _t)}
    below = {_top: sp.Interval.Ropen(0, 1)}
    steep = le(Abs(asin(_s) - asin(_t)), Abs(_s - _t) / sqrt(1 - _top**2))
    mean_value = rules.textbook(
        "mean value theorem for the arcsine",
        implies(both(le(_s, _top), le(_t, _top)), steep),
        over={**unit, **below},
    )
    half_angle = rules.textbook(
        "cosine of the double angle", eq(asin(1 - 2 * _s**2), pi / 2 - 2 * asin(_s)), over=unit
    )
    numbers = {x: given.domain[x] for x in (w_k, w_tilde, v_least)}
    at = {_s: 1 / w_k, _t: 1 / w_tilde, _top: 1 / v_least}
    return given.follows(
        rules.instance(mean_value, at, over=numbers),
        *(
            rules.instance(half_angle, {_s: 1 / one}, over={one: numbers[one]})
            for one in (w_k, w_tilde)
        ),
        goal=unfolded(given.goal),
    )


EQ_13 = claim(
    "eoc.prop27.eq13",
    at="Proposition 27, (13), (14)",
    title="All steps of the inner products, with explicit constants",
    states=sentence(
        r"\mathbb{P}\Bigl(\forall i_1, i_2,\ k,\ k_1 < k_2:\ $events, \text{ and } $others\Bigr)"
        r" \ge $one - $two e^{-$s}, \quad $epsilon = $radius, \quad $L = $s + $factor\log($l $n)",
        events=Choice(
            r"|X'_{k,k} - \varrho'(\rho_{k-1})| \le \frac{\epsilon}{k-1},\ "
            r" |X'_{k_1,k_2} - \mathbb{E}X'_{k_1,k_2}| \le \frac{\epsilon}{k_2-1}"
            r"\|B_{k_1,k_2-1}(x_{i_1})\|_F\,\|B_{k_1,k_2-1}(x_{i_2})\|_F",
            {"(13)": 1, "(14)": 2},
        ),
        others=Choice(
            r"\text{the events of Propositions 25 and 26}",
            {"Proposition 25": (l - 1) * n**2, "Proposition 26": (l - 1) ** 2 * n},
        ),
        one=1,
        two=2,
        radius=kappa**2 * (sqrt(6 * L / m) + Rational(10, 3) * L / m),
        factor=2,
    ),
    given={**dict.fromkeys((l, m, s, L, kappa, epsilon)), **_PAIRS},
    assuming=_EVERY_LAYER,
    discharging={
        BOTH_ALIVE: "no activation vanishes",
        ZERO_IS_ORTHOGONAL: "no activation vanishes",
        BELOW: "(14) is about k_1 < k_2",
        MATRICES_NONZERO: "where a matrix vanishes the next one does, and (14) says nothing",
    },
    rests_on=["eoc.prop18.explicit", "eoc.prop19.explicit", "eoc.prop26.eq10", "classical.union"],
    note=_NOTE,
)


@EQ_13.argued(
    bridge="Each event fails with a probability of at most 2e^(-L), (13) and (14) by the tails of"
    " Propositions 18 and 19 in a layer of width M = j²m, j = k - 1 or k_2 - 1; the union bound"
    " adds them up.",
    uses=_EVERY_LAYER,
    over={l: sp.Range(2, sp.oo), **_PAIRS, L: sp.Interval(0, sp.oo), m: sp.Range(1, sp.oo)},
)
def count_all_events(
    events: Any, others: Any, one: Any, two: Any, radius: Any, factor: Any
) -> Obligations:
    """(l-1)n² of Proposition 25, (l-1)²n of 26, n(n-1)/2 · l(l-1)/2 here: at most (ln)²."""
    choices = {1: l - 1, 2: (l - 1) * (l - 2) / 2}
    pairs = n * (n - 1) / 2
    number = sum(choices[chosen] * pairs for chosen in events.values()) + sum(others.values())
    over = {l: sp.Range(2, sp.oo), n: sp.Range(2, sp.oo)}
    times = factor if isinstance(factor, int) else Rational(factor)
    if not isinstance(times, int):  # a power that is no integer: at l = n = 2, and in the limit
        yield "at most (ln)²", bool(sp.limit(number.subs(n, l) / l ** (2 * times), l, sp.oo) <= 1)
    else:
        yield "at most (ln)²", decided(le(number, (l * n) ** times), over)
    tail = 2 * exp(-s)
    yield "the union", equal(1 - tail, one - two * exp(-s))
    yield from radius_of_products(radius)


COUNT = claim(
    "eoc.prop27.count",
    at="Propositions 24 to 27, Theorem 28",
    title="The printed probabilities add up",
    states=sentence(
        r"\text{the events of these propositions fail with probabilities of at most}\quad"
        r" ($norms, $cosines, $matrices, $products, $kernel) \cdot e^{-$m^{$p}}",
        norms=2,
        cosines=4,
        matrices=6,
        products=14,
        kernel=16,
    ),
    given=[m, p],
    rests_on=["classical.union"],
)


@COUNT.argued(bridge="The union bound adds up the families on which a proposition conditions.")
def families_of_events(
    norms: int, cosines: int, matrices: int, products: int, kernel: int
) -> Obligations:
    """2e^{-m^p} for each family: norms, proxies; (10), (11), (12); (13), (14); the last layer."""
    lengths, proxies, backward = ["(8)"], ["(9)"], ["(10)", "(11)", "(12)"]
    steps, last = ["(13)", "(14)"], ["Proposition 9"]
    families = {
        "Proposition 24": (norms, lengths),
        "Proposition 25": (cosines, lengths + proxies),
        "Proposition 26": (matrices, backward),
        "Proposition 27": (products, lengths + proxies + backward + steps),
        "Theorem 28": (kernel, lengths + proxies + backward + steps + last),
    }
    for name, (printed, needed) in families.items():
        yield name, bool(printed == 2 * len(needed))


TELESCOPE = claim(
    "eoc.prop27.telescope",
    at=_PROOF,
    title="The four differences",
    states=le(
        Abs(X_prime - Pi),
        Abs(X_prime - X_mean)
        + Abs(X_mean - varrho_prime(rho_before, DELTA) * X_prime_below)
        + Abs(
            varrho_prime(rho_before, DELTA) * X_prime_below
            - varrho_prime(rho_tilde_before, DELTA) * X_prime_below
        )
        + Abs(varrho_prime(rho_tilde_before, DELTA) * X_prime_below - Pi),
    ),
    given=[X_prime, X_mean, X_prime_below, Pi, rho_before, rho_tilde_before, DELTA],
    rests_on=["eoc.varrho.prime"],
)


@TELESCOPE.proved()
def add_up(given: Given) -> Theorem:
    """The triangle inequality: everything but the ends cancels."""
    return given.follows()


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
    given={kappa: None, m: None, k1: integers(2), k2: integers(3)},
    assuming=[BELOW, BOTH_ALIVE],
    rests_on=[ERROR],
    discharging=dict.fromkeys((SHARE, SCALE), "the coefficients of the network are given"),
    note=_NOTE,
)


@INDEPENDENCE.refuted(
    severity=Severity.GAP, controls={"corrected": {"quotient": (k2 - 1) / (k1 - 1)}}
)
def two_units(quotient: Any, square: int) -> Obligations:
    """k₁ = 2, k₂ = 3, φ = |·|, preactivations (1, 2) and (1, -1): log 1 = 0, and the error is not.

    The forms of B₁B₂* = diag(1, -1)/2 at the directions (1, 2)/√5 and (1, 1)/√2 tell the error.
    """
    network = ExactMLP([[[1, 1], [2, -1]], [[1, 1], [2, 1]], [[1, 1]]], a=0, b=1, m=2)
    first, second = (exact_matrix(network, x, 2, 2) for x in ([1, 0], [0, 1]))
    gram = first * second.T
    yield "B₁B₂*", equal(gram, sp.diag(1, -1) / 2)
    x, y = sp.Matrix([1, 2]) / sqrt(5), sp.Matrix([1, 1]) / sqrt(2)
    forms = {
        g_11: x.dot(gram * x),
        g_12: x.dot(gram * y),
        g_21: y.dot(gram * x),
        g_22: y.dot(gram * y),
    }
    error = ERROR.parts["statement"].relation.args[1].rhs  # type: ignore[union-attr]
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
        "in w": le(DELTA * 4 / pi * sqrt(1 - _cosine(w_below) ** 2), 8 * DELTA / (pi * w_below)),
        "decay": le(8 * DELTA / (pi * w_below), 7 / (k - 1)),
    },
    given={w_below: None, w_tilde_below: None, DELTA: None, k: integers(2)},
    assuming=[NEAR],
    rests_on=[INCREMENT],
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
    numbers = {DELTA: given.domain[DELTA]}
    n_, over = sp.Symbol("n", integer=True, nonnegative=True), dict(numbers)
    iterate, slope = sp.Function("iterate", real=True), 4 * DELTA / (3 * pi)
    steps = {**over, n_: sp.Range(sp.oo)}
    grown = rules.instance(
        given.fact(INCREMENT),
        {w: iterate(n_)},
        over=steps,
        under=[gt(iterate(n_), 1)],
    )
    premises = [
        rules.enclosed(gt(pi, 3)),
        rules.textbook("w_1 is beyond 1", gt(iterate(0), 1), over={}),
        rules.textbook(
            "the limits are iterates of omega",
            eq(iterate(n_ + 1), omega(iterate(n_), DELTA)),
            over=steps,
        ),
        grown,
    ]
    above = both(gt(iterate(n_), 1), ge(iterate(n_), 1 + slope * n_))
    reached = rules.induction(above, n_, 0, base=premises[:2], step=premises, over=over)
    place = both(eq(w_tilde_below, iterate(n_)), eq(k, n_ + 2))
    known = {x: given.domain[x] for x in (w_tilde_below, k)}
    return given.follows(
        reached,
        rules.textbook("what w_tilde_below stands for", place, over={**known, n_: sp.Range(sp.oo)}),
        rules.enclosed(gt(pi, 3)),
        rules.enclosed(gt(7, 6 * exp(Rational(1, 10)))),
    )


INDEPENDENCE_CORRECTED = INDEPENDENCE.corrected(
    "eoc.prop27.independence.corrected",
    title="The gradient dependence in one layer, with the norms of the matrices below it",
    states={
        "bound": le(
            Abs(epsilon_gradient),
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
    given={
        **dict.fromkeys((epsilon_gradient, kappa, epsilon, beta_radius, S_below, m)),
        **dict.fromkeys((w_below, w_tilde_below)),
        k1: integers(2),
        k2: integers(3),
    },
    assuming=[BELOW, BOTH_ALIVE, SQUARE_WIDTHS, EVENT_10, EVENT_11_12, NEAR],
    rests_on=[SHARP, GRADIENT, OPERATOR],
    discharging={
        NOT_ABOVE: "k_1 is below k_2",
    },
    note=_NOTE,
)


@INDEPENDENCE_CORRECTED.proved("bound")
def insert_the_norms(given: Given) -> Theorem:
    """Δ(4/π)√(1 - ρ²) ≤ 7/(k₂ - 1), and ‖B₁B₂*‖ ≤ ‖B₁‖‖B₂‖ with the norms of Proposition 26."""
    given.require(BELOW, BOTH_ALIVE, SQUARE_WIDTHS, EVENT_10, EVENT_11_12)
    half = sp.Symbol("half", nonnegative=True)  # of ε, so that the bound is a square
    numbers = {x: given.domain[x] for x in (kappa, beta_radius, S_below, m)}
    over = {**numbers, half: given.domain[epsilon]}
    inverse = {x: given.domain[x] for x in (w_below, w_tilde_below)}
    cosine = rules.textbook(
        "what w_below stands for",
        eq(rho, _cosine(w_below)),
        over={rho: sp.Interval.open(-1, 1), w_below: inverse[w_below]},
    )
    decay = rules.instance(given.fact(GRADIENT, "decay"), {k: k2}, over={k2: given.domain[k2]})
    norms = rules.instance(
        given.fact(OPERATOR, "bound"),
        {S: S_below, epsilon: 2 * half, k1: 2, k2: 2},
        over=over,
    )
    product = rules.textbook(
        "norm of a product",
        le(norm_gram, operator_norm**2),
        over={norm_gram: sp.Interval(0, sp.oo), operator_norm: sp.Interval(0, sp.oo)},
    )
    shown = rules.follows(
        given.goal.subs(epsilon, 2 * half),
        [given.fact(SHARP, "bound"), cosine, given.fact(GRADIENT, "in w"), decay, norms, product],
        over={**over, **inverse, **{x: given.domain[x] for x in (epsilon_gradient, k1, k2)}},
        under=given.conditions,
    )
    return rules.instance(shown, {half: epsilon / 2}, over={epsilon: given.domain[epsilon]})


@INDEPENDENCE_CORRECTED.proved("logarithm")
def add_the_chords(given: Given) -> Theorem:
    """The sum is that of Proposition 26, one layer below."""
    numbers = {x: given.domain[x] for x in (k1, k2)}
    return given.follows(
        layers_below_logarithm(),
        of_layers(given, S_below, layers_up_to(layers)),
        of_layers(given, k2, k1 + layers + 1),
        quotient(k2 - 1, k1 - 1, numbers),
    )

"""Section 3.3, Proposition 27: inner products of backpropagation matrices of all layers and pairs.

S = 1/(k₁ - 1) + … + 1/(k₂ - 1), and D_k bounds by how much the slope of layer k is off its limit.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import sympy as sp
from hypothesis import strategies as st
from sympy import Abs, Function, Range, Rational, Sum, Symbol, exp, log, pi, sqrt

from symbolic.equality import equal
from symbolic.networks.mlp import ExactMLP
from symbolic.networks.ntk import backpropagation_matrix as exact_matrix
from theorems.engine import (
    Given,
    Hypothesis,
    Obligations,
    Provenance,
    Rounded,
    Severity,
    both,
    claims_in,
    eq,
    ge,
    integers,
    le,
    rules,
    sentence,
)
from theorems.engine.rules import Theorem, facts, sums
from theorems.eoc_mlp.backpropagation_products import COUNT, EQ_13, GRADIENT, NEAR, SLOPE
from theorems.eoc_mlp.bounded_terms import product_of_bounds, sum_of_bounds
from theorems.eoc_mlp.hypotheses import (
    ALL_ALIVE,
    BELOW,
    BOTH_ALIVE,
    BOUNDED_BELOW,
    EQUAL_SCALINGS,
    EVENTS_24_TO_27,
    NOT_ABOVE,
    NOT_PARALLEL,
    SQUARE_WIDTHS,
    WIDE_ENOUGH,
)
from theorems.eoc_mlp.layer_recursions import (
    frobenius,
    half,
    layers,
    layers_are_positive,
    layers_below_logarithm,
    layers_up_to,
    norms_in_half,
    of_layers,
    operator,
    squared_frobenius_norms,
)
from theorems.eoc_mlp.letters import (
    DELTA,
    LETTERS,
    D_sum,
    E_below,
    Pi,
    S,
    X_prime,
    beta_radius,
    epsilon,
    k1,
    k2,
    kappa,
    l,
    m,
    n,
    p,
    sum_printed_logs,
    sum_squared_logs,
    v_least,
    varrho_prime,
    w_below,
    w_k,
    w_tilde,
    w_tilde_below,
)
from theorems.eoc_mlp.logarithm_bounds import quotient, successor
from theorems.eoc_mlp.simultaneous_backpropagation import DIAGONAL
from theorems.eoc_mlp.simultaneous_backpropagation import OPERATOR as LOGARITHM
from theorems.eoc_mlp.substitutions import as_stated

claim = claims_in(LETTERS)
_AT, _PROOF = "Proposition 27", "Proposition 27, proof"
_NOTE = "proofs_notes/eoc_limits.md#backpropagation-products"
_EVERY_LAYER = (SQUARE_WIDTHS, EQUAL_SCALINGS, ALL_ALIVE)
_FROM_TWO = {k1: integers(2), k2: integers(2)}
_j = Symbol("j", integer=True, nonnegative=True)
_LOG = log(k2 / (k1 - 1))

LAYER_BELOW = Hypothesis(
    "layer_below",
    "in layer k - 1 a number is a lower bound of the inverse cosine distance and of its limit, and"
    " their difference is at most E_{k-1}",
    formula=both(
        ge(w_below, v_least),
        ge(w_tilde_below, v_least),
        le(Abs(w_below - w_tilde_below), E_below),
    ),
)

SLOPES = claim(
    "eoc.prop27.explicit.slopes",
    at=_PROOF,
    title="The error D_k of the slope of a layer, from that of the inverse cosine distance",
    states=le(
        Abs(
            varrho_prime(1 - 2 * w_below**-2, DELTA)
            - varrho_prime(1 - 2 * w_tilde_below**-2, DELTA)
        ),
        4
        * DELTA
        * exp(Rational(1, 10))
        / (pi * sqrt(1 - v_least**-2))
        * E_below
        / w_tilde_below**2,
    ),
    given=[w_below, w_tilde_below, v_least, DELTA, E_below],
    assuming=[NEAR, LAYER_BELOW],
    rests_on=[SLOPE],
    discharging={BOUNDED_BELOW: "it is assumed of layer k - 1"},
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@SLOPES.proved()
def slopes_of_the_layer(given: Given) -> Theorem:
    """The bound of nearby slopes, with |w - w̃| ≤ E and 1/w ≤ e^(1/10)/w̃."""
    given.require(NEAR, LAYER_BELOW)
    layer = {x: given.domain[x] for x in (w_below, w_tilde_below)}
    nearby = rules.instance(given.fact(SLOPE), {w_k: w_below, w_tilde: w_tilde_below}, over=layer)
    return given.follows(nearby, goal=as_stated(SLOPES, unfold=lambda stated: stated))


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
        * _LOG**3
        / (3 * log(2) ** 3 * m),
    ),
    given={
        **dict.fromkeys((X_prime, Pi, epsilon, beta_radius, S, D_sum, kappa, m)),
        **_FROM_TWO,
    },
    assuming=[SQUARE_WIDTHS, EVENTS_24_TO_27, NOT_ABOVE],
    rests_on=[DIAGONAL, GRADIENT, SLOPES, "eoc.prop17.sharp"],
    discharging={
        NEAR: "it is the outcome of Proposition 25 on these events",
        LAYER_BELOW: "it is the outcome of Proposition 25 on these events",
        BELOW: "the bound of Proposition 17 is used from k_1 + 1 on",
        BOTH_ALIVE: "no activation vanishes on these events",
    },
    note=_NOTE,
)
_X, _mean, _Pi, _r, _q, _D = (Function(x, real=True) for x in ("X", "mean", "Pi", "r", "q", "D"))


def _distances(last: Any) -> Sum:
    return Sum(_D(_j), (_j, 0, last))


@EXPLICIT.proved()
def add_the_layers(given: Given) -> Theorem:
    """R_k ≤ e^{εS}(ε/(k-1) + D_k) + (7/(k-1))‖B‖² + R_{k-1} from R_{k₁} ≤ ε/(k₁-1) + D_{k₁}.

    The induction is in S alone: 3S²u ≤ (S + u)³ - S³; in the end S ≤ log(k₂/(k₁ - 1))/log 2.
    """
    given.require(SQUARE_WIDTHS, EVENTS_24_TO_27, NOT_ABOVE)
    domain = {k1: given.domain[k1], k2: given.domain[k2]}
    return given.follows(
        errors_of_products(given),
        layers_are_positive(),
        layers_below_logarithm(),
        of_layers(given, S, layers_up_to(layers)),
        of_layers(given, k2, k1 + layers),
        of_layers(given, D_sum, _distances(layers)),
        of_layers(given, X_prime, _X(layers)),
        of_layers(given, Pi, _Pi(layers)),
        quotient(k2, k1 - 1, domain),
    )


def errors_of_products(given: Given) -> Theorem:
    """|X' - Π| for all k₂ ≥ k₁, in terms of S; with half of ε, so that e^{εS} is a square."""
    numbers = {x: given.domain[x] for x in (beta_radius, kappa, m, k1)}
    numbers |= {half: given.domain[epsilon]}
    over, u = {**numbers, layers: Range(sp.oo)}, 1 / (k1 + layers)
    factor, total = 7 * kappa**2 / m, layers_up_to(layers)

    def spread(last: Any) -> Any:
        total = layers_up_to(last)
        return exp(2 * half * total) * (2 * half * total + _distances(last))

    def cubic(last: Any) -> Any:
        total = layers_up_to(last)
        return factor / 3 * exp(2 * half * total + 2 * beta_radius * total) * total**3

    growth = exp(2 * half * total + 2 * beta_radius * total)
    step = (2 * half * u + _D(layers + 1)) * exp(2 * half * total) + factor * u * growth * total**2
    grown = le(_error(layers + 1), _error(layers) + step)
    one_more = [
        rules.follows(grown, steps_of_products(given, over), over=over),
        growth_of_bounds(spread, cubic, step, over),
    ]
    first = rules.textbook(
        "(13), Proposition 25, and the limits",
        le(_error(0), 2 * half / (k1 - 1) + _D(0)),
        over={x: numbers[x] for x in (half, k1)},
    )
    start = [
        facts.exponential_above_tangent(rate / (k1 - 1), over=numbers)
        for rate in (half, beta_radius)
    ]
    claimed = le(_error(layers), spread(layers) + cubic(layers))
    premises = [*one_more, first, *start, *slopes_are_bounded()]
    found = sums.by_recursion(claimed, layers, premises=premises, over=numbers)
    return rules.instance(found, {half: epsilon / 2}, over={epsilon: given.domain[epsilon]})


def slopes_are_bounded() -> list[Theorem]:
    """The bounds of the differences of slopes are not negative, nor are their sums."""
    over = {layers: Range(sp.oo)}
    each = rules.textbook("bounds of slopes", ge(_D(layers), 0), over=over)
    after = rules.instance(each, {layers: layers + 1}, over=over)
    first = rules.instance(each, {layers: 0})
    added = sums.by_recursion(ge(_distances(layers), 0), layers, premises=[each, after, first])
    return [each, after, first, added]


def _error(last: Any) -> Any:
    return Abs(_X(last) - _Pi(last))


def steps_of_products(given: Given, over: Any) -> list[Theorem]:
    """The four differences in one layer, by the events and the norms of the matrices."""
    u, total, after = 1 / (k1 + layers), layers_up_to(layers), layers + 1
    size, slopes = frobenius(layers) ** 2, _r(after) - _q(after)
    squares = rules.instance(squared_frobenius_norms(), {epsilon: 2 * half}, over=over)
    growth = exp(2 * half * total + 2 * beta_radius * total)
    norms = [
        norms_in_half(given.fact(DIAGONAL), given.domain),
        rules.textbook("norms", ge(operator(layers), 0), over={layers: Range(sp.oo)}),
        layers_are_positive(),
    ]
    square = le(operator(layers) ** 2, kappa**2 / m * growth * total**2)
    events = both(
        le(Abs(_X(after) - _mean(after)), 2 * half * u * size),
        le(Abs(_mean(after) - _r(after) * _X(layers)), 7 * u * operator(layers) ** 2),
        le(Abs(_X(layers)), size),
        le(Abs(slopes), _D(after)),
        le(Abs(_q(after)), 1),
        eq(_Pi(after), _q(after) * _Pi(layers)),
    )
    happen = rules.textbook("(14), Propositions 17 and 25, and the limits", events, over=over)
    fluctuation, dependence = _X(after) - _mean(after), _mean(after) - _r(after) * _X(layers)
    moved, carried = slopes * _X(layers), _q(after) * (_X(layers) - _Pi(layers))
    noise, gap = 2 * half * u * size, 7 * u * operator(layers) ** 2
    known = [
        happen,
        product_of_bounds(slopes, _X(layers), _D(after), size, over=over),
        product_of_bounds(_q(after), _X(layers) - _Pi(layers), 1, _error(layers), over=over),
        sum_of_bounds(fluctuation, dependence, noise, gap, over=over),
        sum_of_bounds(moved, carried, _D(after) * size, _error(layers), over=over),
        sum_of_bounds(
            fluctuation + dependence,
            moved + carried,
            noise + gap,
            _D(after) * size + _error(layers),
            over=over,
        ),
        rules.follows(
            eq(fluctuation + dependence + moved + carried, _X(after) - _Pi(after)),
            [happen],
            over=over,
        ),
    ]
    added = noise + gap + _D(after) * size
    return [
        rules.follows(le(_error(after), _error(layers) + added), known, over=over),
        rules.follows(le(size, exp(2 * half * total)), [squares], over=over),
        rules.follows(square, norms, over=over),
        *slopes_are_bounded(),
    ]


def growth_of_bounds(spread: Any, cubic: Any, step: Any, over: Any) -> Theorem:
    """A layer adds to the bound what it adds to the error, or more: 3S²u ≤ (S + u)³ - S³."""
    u, after = 1 / (k1 + layers), layers + 1
    S_, total = layers_up_to(after), layers_up_to(layers)
    known = [
        sums.last_term(S_, over={x: over[x] for x in (k1, layers)}),
        sums.last_term(_distances(after), over={layers: over[layers]}),
        layers_are_positive(),
        *slopes_are_bounded(),
    ]
    for rate in (half, beta_radius):
        known += [
            facts.exponential_above_tangent(rate * u, over=over),
            facts.exponential_of_sum(rate * S_, rate * total, rate * u, over=over),
        ]
    both_terms = spread(layers) + cubic(layers) + step
    return rules.follows(le(both_terms, spread(after) + cubic(after)), known, over=over)


CUBIC = claim(
    "eoc.prop27.cubic",
    at=_PROOF,
    title="The sum of squared logarithms, as printed with the constant 1/3",
    states=le(sum_printed_logs, _LOG**3 / 3),
    given={sum_printed_logs: None, k1: integers(2), k2: integers(3)},
    assuming=[BELOW],
    note=_NOTE,
)


def _logarithms(shift: int) -> Theorem:
    """Σ q²/(k₁ + j) against q³/3 for q the logarithm of (k₁ + j - 1 + shift)/(k₁ - 1)."""
    first, count = {k1: Range(2, sp.oo)}, layers
    start, over = k1 - 1, {**first, count: Range(sp.oo)}
    rate = log(2) if shift else sp.Integer(1)

    def q(index: Any) -> Any:
        return log(start + index + shift) - log(start)

    total = Sum(q(_j) ** 2 / (k1 + _j), (_j, 0, count - 1))
    claimed = le(rate * total, q(count) ** 3 / 3)
    place = start + count + shift
    steps = [*successor(place, over), *successor(start, first)]
    increases = facts.logarithm_increases(start, place, over=over)
    return sums.by_recursion(claimed, count, premises=[*steps, increases], over=first)


def _cubic(given: Given, quantity: Any, shift: int) -> Theorem:
    given.require(BELOW)
    known = _logarithms(shift)
    (total,) = known.statement.atoms(Sum)
    numbers = {x: given.domain[x] for x in (k1, k2)}
    premises = [
        known,
        of_layers(given, quantity, total),
        of_layers(given, k2, k1 + layers),
        quotient(k2, k1 - 1, numbers),
        facts.logarithm_increases(k2 - 1, k2, over=numbers),
        facts.logarithm_increases(k1 - 1, k2 - 1, over=numbers, under=[k1 < k2]),
    ]
    return given.follows(*premises)


@CUBIC.proved()
def compare_with_the_integral(given: Given) -> Theorem:
    """q²/k ≤ (q'³ - q³)/3, as log k - log(k - 1) ≥ 1/k: the sum telescopes."""
    return _cubic(given, sum_printed_logs, 0)


CUBIC_CORRECTED = CUBIC.corrected(
    "eoc.prop27.cubic.corrected",
    title="The sum of squared logarithms that the norms of the matrices make",
    states=le(sum_squared_logs, _LOG**3 / (3 * log(2))),
    given={sum_squared_logs: None, k1: integers(2), k2: integers(3)},
    assuming=[BELOW],
    note=_NOTE,
)


@CUBIC_CORRECTED.proved()
def compare_with_the_next_integral(given: Given) -> Theorem:
    """q²/k ≤ (q'³ - q³)/(3 log 2), as log(k + 1) - log k ≥ (log 2)/k."""
    return _cubic(given, sum_squared_logs, 1)


_STEPS = st.tuples(st.one_of(st.just(2), st.integers(2, 30)), st.integers(1, 400))


def _sum_of_logarithms(case: tuple[int, int], shift: int) -> tuple[Rounded, int]:
    first, steps = case
    k = np.arange(first, first + steps)
    total = float(np.sum(np.log((k - 1 + shift) / (first - 1)) ** 2 / k))
    return Rounded(total, total * steps * 2.0**-50), first + steps


@CUBIC.tested(over=_STEPS)
def sums_of_printed_logarithms(case: tuple[int, int]) -> dict[Symbol, Any]:
    """The sum as printed, k₂ - k₁ up to 400."""
    total, last = _sum_of_logarithms(case, 0)
    return {sum_printed_logs: total, k1: case[0], k2: last}


@CUBIC_CORRECTED.tested(over=_STEPS)
def sums_of_logarithms(case: tuple[int, int]) -> dict[Symbol, Any]:
    """The sum that is needed, k₂ - k₁ up to 400."""
    total, last = _sum_of_logarithms(case, 1)
    return {sum_squared_logs: total, k1: case[0], k2: last}


_RADIUS = r"O\bigl(\sqrt{\log($l $n)}\,$kappa^{$square} $m^{-$half($one - $p)}\bigr)"
_BOUND = r"|X'_{k_1,k_2} - \Pi_{k_1,k_2}| \le \log\bigl($quotient\bigr)^{$power}\," + _RADIUS

PRINTED = claim(
    "eoc.prop27",
    at=_AT,
    title="Simultaneous concentration of backpropagation inner products",
    states=sentence(
        r"\mathbb{P}\Bigl(\forall k_1 \le k_2, i_1, i_2:\ \theta \in E_2 \cap E_3,\ "
        + _BOUND
        + r"\Bigr) \ge $one - $failing e^{-$m^{$p}}, \quad E_3:\ \|B_{k_1,k_2}\| \le"
        r" \log\bigl($quotient_e\bigr)\,O($kappa^{$square} $m^{-$half})",
        quotient=k2 / (k1 - 1),
        quotient_e=(k2 - 1) / (k1 - 1),
        power=1,
        square=2,
        half=Rational(1, 2),
        one=1,
        failing=14,
    ),
    given={**dict.fromkeys((kappa, l, m, p)), n: integers(2), **_FROM_TWO},
    assuming=[*_EVERY_LAYER, NOT_PARALLEL],
    note=_NOTE,
)


@PRINTED.refuted(
    severity=Severity.FALSE,
    controls={"corrected": {"quotient_e": k2 / (k1 - 1)}, "improbable": {"failing": 300}},
)
def event_of_probability_zero(quotient_e: Any, failing: Any) -> Obligations:
    """E₄ is inside E₃, which asks for |B_{2,2}| ≤ log(1) O(1) = 0; for φ = |·| it is m^(-1/2).

    So the event has probability 0, and 1 - 14e^(-m^p) is positive, at m = 9 and p = 1/2 say.
    """
    network = ExactMLP([[[2], [-3]], [[1, 1]]], a=0, b=1, m=2)
    B = exact_matrix(network, [1], 2, 2)
    yield "all singular values are m^(-1/2), m = 2", equal(B * B.T, sp.eye(2) / 2)
    yield "the bound vanishes", bool(log(quotient_e.subs({k1: 2, k2: 2})) == 0)
    yield "1 - 14e⁻³ is positive", bool(1 - failing * exp(-3) > 0)


CORRECTED = PRINTED.corrected(
    "eoc.prop27.corrected",
    title="Simultaneous concentration of backpropagation inner products, in wide networks",
    states=sentence(
        r"\mathbb{P}\Bigl(\forall k_1 \le k_2, i_1, i_2:\ "
        + _BOUND
        + r"\Bigr) \ge $one - $failing e^{-$m^{$p}}",
        quotient=k2 / (k1 - 1),
        power=1,
        square=2,
        half=Rational(1, 2),
        one=1,
        failing=14,
    ),
    given={**dict.fromkeys((kappa, l, m, p)), n: integers(2), **_FROM_TWO},
    assuming=[SQUARE_WIDTHS, EQUAL_SCALINGS, NOT_PARALLEL, WIDE_ENOUGH],
    rests_on=[EXPLICIT, EQ_13, COUNT, "eoc.prop25.explicit"],
    discharging={
        ALL_ALIVE: "ratios of lengths are positive on the event (8), and no input vanishes",
        EVENTS_24_TO_27: "they hold with the probability of the statement",
        NOT_ABOVE: "the statement is about k_1 ≤ k_2",
        NEAR: "it is the outcome of Proposition 25 for wide networks",
        LAYER_BELOW: "it is the outcome of Proposition 25 for wide networks",
    },
    note=_NOTE,
)


@CORRECTED.argued(
    bridge="For fixed depth and data the bound with explicit constants is a constant times its"
    " first order in ε, where S ≤ log(k_2/(k_1 - 1))/log 2 and D_k = O(ε/k).",
    uses=[SQUARE_WIDTHS, NOT_PARALLEL, WIDE_ENOUGH],
)
def shapes(
    quotient: Any, power: Any, square: Any, half: Any, one: Any, failing: Any
) -> Obligations:
    """S ≤ log(k₂/(k₁-1))/log 2; D_k = O(ε/k) for fixed data; the cubic term is log · (log²/m).

    With n = k - 2 and u = cn/w₁, (k - 1)D_k/ν is at most a multiple of H_n u/(1 + u)² and of 1.
    """
    x, width, u, number, rate = sp.symbols("x m u n p", positive=True)
    (logarithm,) = (one.args[0] for one in LOGARITHM.parts["logarithm"].relation.atoms(log)
                    if one.args[0].free_symbols)  # fmt: skip
    yield "the logarithm of S", bool(sp.simplify(quotient / logarithm) == 1)
    shares = [sp.limit(x / x ** sp.nsimplify(power), x, end) for end in (0, sp.oo)]
    yield "S over the power of the logarithm", bool(all(share.is_finite for share in shares))
    first_order = kappa**2 * sqrt(width**rate / width)
    claimed = kappa**square * width ** (-half * (1 - rate))
    yield "ε to first order", equal(sp.simplify(first_order / claimed), sp.Integer(1))
    rest = x**3 / width / (x * sqrt(1 / width))
    yield "the cubic term is of higher order", bool(sp.limit(rest, width, sp.oo) == 0)
    bump = u / (1 + u) ** 2
    yield "u/(1 + u)² ≤ 1/4", equal(Rational(1, 4) - bump, (u - 1) ** 2 / (4 * (1 + u) ** 2))
    bounded = sp.limit(log(number) * (number / (1 + number) ** 2), number, sp.oo)
    yield "so H_n u/(1 + u)² is bounded", bool(bounded == 0)
    counted = COUNT.parts["statement"].slots["products"]  # type: ignore[union-attr]
    yield "the families of events", bool(failing == counted and one == 1)

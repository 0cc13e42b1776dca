"""Proposition 26: norms of all backpropagation matrices at once, m_k = k²m.

S(k₁, k₂) = 1/(k₁ - 1) + … + 1/(k₂ - 1) adds up what the layers between k₁ and k₂ contribute.
"""

from typing import Any

import numpy as np
from hypothesis import strategies as st
from sympy import Abs, Integer, Interval, Max, Rational, Symbol, exp, eye, log, oo, sqrt, sympify

from numeric.networks.backpropagation import backpropagation_matrix
from numeric.networks.forward_pass import forward_pass
from numeric.networks.mlp import MLP
from symbolic.equality import equal
from symbolic.networks.mlp import ExactMLP
from symbolic.networks.ntk import backpropagation_matrix as exact_matrix
from theorems.engine import (
    Choice,
    Given,
    Hypothesis,
    Obligations,
    Provenance,
    Rounded,
    Severity,
    both,
    eq,
    ge,
    half_line,
    implies,
    integers,
    interval,
    le,
    sentence,
)
from theorems.engine.rules import Theorem, Vector, act, facts, inner, norm
from theorems.eoc_mlp.hypotheses import (
    ALIVE,
    ALL_ALIVE,
    BELOW,
    BOTH_ALIVE,
    BY_DEFINITION,
    EQUAL_SCALINGS,
    EVENT_10,
    EVENT_11_12,
    MATRICES_NONZERO,
    NOT_ABOVE,
    SQUARE_WIDTHS,
    ZERO_IS_ORTHOGONAL,
)
from theorems.eoc_mlp.letters import (
    DELTA,
    SIGMA,
    C,
    L,
    M,
    S,
    beta_radius,
    claim,
    epsilon,
    k,
    k1,
    k2,
    kappa,
    l,
    lipschitz,
    m,
    n,
    norm_kk,
    operator_norm,
    s,
)
from theorems.eoc_mlp.premises.logarithms import quotient
from theorems.eoc_mlp.premises.matrix_products import ONE_LAYER, norm_of_one_layer
from theorems.eoc_mlp.premises.recursions import (
    OF_A_LAYER,
    decided,
    layer,
    layers,
    layers_below_logarithm,
    layers_up_to,
    of_layers,
    operator,
    operator_norms,
    operator_step,
    radius_of_products,
)

_AT = "Proposition 26"
_NOTE = "proofs_notes/eoc_limits.md#backpropagation-matrices"
_FROM_TWO = {k1: integers(2), k2: integers(2)}
_EVERY_LAYER = (SQUARE_WIDTHS, EQUAL_SCALINGS, ALL_ALIVE)

PRINTED = claim(
    "eoc.prop26",
    at=_AT,
    title="Simultaneous concentration of the norms of backpropagation matrices",
    states=sentence(
        r"\mathbb{P}\Bigl(\forall k_1 \le k_2, i:\ \|B_{k_1,k_2}(x_i)\| \le"
        r" \log\bigl($quotient\bigr)\,O($kappa^{$square} $m^{-$half}),"
        r"\ \bigl|\|B_{k_1,k_2}(x_i)\|_F^{$square_f} - $one_f\bigr|"
        r" \le \log\bigl($quotient_f\bigr)\,O\bigl(\sqrt{\log($l\,$n)}\,$kappa^{$kappa_f}"
        r" $m^{-$half_f($one - $p)}\bigr)\Bigr) \ge $sure - $six e^{-$m^{$p}}",
        quotient=(k2 - 1) / (k1 - 1),
        square=2,
        half=Rational(1, 2),
        square_f=2,
        one_f=1,
        quotient_f=k2 / (k1 - 1),
        kappa_f=2,
        half_f=Rational(1, 2),
        one=1,
        sure=1,
        six=6,
    ),
    given=_FROM_TWO,
    assuming=_EVERY_LAYER,
    note=_NOTE,
)


@PRINTED.refuted(
    severity=Severity.FALSE, controls={"corrected": {"quotient": k2 / (k1 - 1)}, "improbable": {"six": 60}}
)
def first_layer(quotient: Any, square: Any, half: Any, sure: Any, six: Any) -> Obligations:
    """k₁ = k₂ = 2, φ = |·|: the bound is log(1) = 0, but |B_{2,2}| = m^(-1/2) wherever N₁ ≠ 0."""
    yield from bound_of_no_matrix(log(quotient) * kappa**square * m**-half, sure, six)


def bound_of_no_matrix(bound: Any, sure: Any, failing: Any) -> Obligations:
    """The event that |B_{2,2}| is at most log(1) O(1) = 0 has probability 0 for φ = |·|.

    And 1 - 6e^(-m^p), or whatever the factor is, is positive at m = 9 and p = 1/2 say.
    """
    network = ExactMLP([[[2], [-3]], [[1, 1]]], a=0, b=1, m=2)
    B = exact_matrix(network, [1], 2, 2)
    yield "all singular values are m^(-1/2), m = 2", equal(B * B.T, eye(2) / 2)
    yield "the bound vanishes", bool(bound.subs({k1: 2, k2: 2}) == 0)
    yield f"{sure} - {failing}e⁻³ is positive", bool(sure - failing * exp(-3) > 0)


_LAYERS_AND_INPUTS = (l - 1) ** 2 * n
_EPSILON = kappa**2 * (sqrt(6 * L / m) + Rational(10, 3) * L / m)

EQ_10 = claim(
    "eoc.prop26.eq10",
    at="Proposition 26, proof; Equation (10); Equation (11); Equation (12)",
    title="All steps of the norms of backpropagation matrices, with explicit constants",
    states=sentence(
        r"\mathbb{P}\Bigl(\forall i,\ k,\ k_1 < k_2:\ $events\Bigr) \ge $one"
        r" - $two e^{-$s}, \quad $beta_radius = $beta, \quad $epsilon = $radius, \quad"
        r" $L = $s + \log($count)",
        events=Choice(rf"{EVENT_10.latex}, \quad {EVENT_11_12.latex}", {"(10)": 2, "(11)": 1, "(12)": 2}),
        one=1,
        two=2,
        beta=(kappa**2 / sqrt(2) + sqrt(2 * L * (kappa**2 + DELTA * (1 - DELTA)))) / sqrt(m),
        radius=_EPSILON,
        count=_LAYERS_AND_INPUTS,
    ),
    assuming=_EVERY_LAYER,
    discharging={
        **BY_DEFINITION,
        ALIVE: "no activation vanishes",
        BOTH_ALIVE: "no activation vanishes",
        ZERO_IS_ORTHOGONAL: "no activation vanishes",
        BELOW: "(10) and (12) are about k_1 < k_2",
        MATRICES_NONZERO: "where a matrix vanishes the next one does, and (10), (12) say nothing",
    },
    rests_on=[
        "eoc.prop10.explicit",
        "eoc.prop18.explicit",
        "eoc.prop19.explicit",
        "eoc.prop16",
        "classical.union",
    ],
    note=_NOTE,
    excused={
        f"radius: {_EPSILON} -> {_EPSILON * Rational(101, 100)}": "true as well: events of larger"
        " radii are more probable",
        "domain of s": "true as well: below log 2 the probability that is claimed is negative",
        **dict.fromkeys(
            ("domain of beta_radius", "domain of epsilon"),
            "true as well: the expressions that they stand for are not negative",
        ),
    },
)


@EQ_10.argued(
    bridge="Each event fails with a probability of at most 2e^(-L): the tails of Propositions 10,"
    " 18 and 19 in a layer of width M = j²m, j = k_2 - 1 or k - 1, at the radii here; the union"
    " bound adds them up.",
    uses=_EVERY_LAYER,
    over={
        **{L: Interval(0, oo), DELTA: Interval(0, 1), kappa: interval(1, sqrt(2))},
        **{l: integers(2), n: integers(1), m: integers(1)},
    },
)
def union_and_radii(events: Any, one: Any, two: Any, beta: Any, radius: Any, count: Any) -> Obligations:
    """Families of events by the number of layers that they choose, and the three radii."""
    choices = {1: l - 1, 2: (l - 1) * (l - 2) / 2}
    number = sum(choices[chosen] * n for chosen in events.values())
    yield "number of events", equal(number, count)
    tail = 2 * exp(-s) / _LAYERS_AND_INPUTS
    several = {l: Interval(2, oo), n: Interval(1, oo)}
    yield "the union", equal(1 - number * tail, one - two * exp(-s), several)
    yield (
        "(10): s²/2 = L in Proposition 10",
        decided(eq(beta / layer, operator_step), {**OF_A_LAYER, DELTA: Interval(0, 1)}),
    )
    yield from radius_of_products(radius)


OPERATOR = PRINTED.corrected(
    "eoc.prop26.corrected",
    title="Operator norms of all backpropagation matrices",
    states={
        "bound": le(operator_norm, kappa * exp(epsilon * S / 2) * exp(beta_radius * S) * S / sqrt(m)),
        "logarithm": le(S, log(k2 / (k1 - 1)) / log(2)),
    },
    given=_FROM_TWO,
    assuming=[SQUARE_WIDTHS, EVENT_10, EVENT_11_12, NOT_ABOVE],
    rests_on=["eoc.prop26.frobenius.corrected", "eoc.prop26.diagonal"],
    note=_NOTE,
)


@OPERATOR.proved("bound")
def induction_over_layers(given: Given) -> Theorem:
    """b' ≤ (1 + β/j)b + κ‖B‖_F/(j√m), j = k₂ - 1, from b ≤ κ/((k₁ - 1)√m) at k₂ = k₁."""
    given.require(NOT_ABOVE)
    return given.follows(
        operator_norms(given, given.fact("eoc.prop26.diagonal")),
        of_layers(given, operator_norm, operator(layers)),
        of_layers(given, S, layers_up_to(layers)),
    )


@OPERATOR.proved("logarithm")
def add_the_chords(given: Given) -> Theorem:
    """1/j is at most (log(j + 1) - log j)/log 2, and the sum of these telescopes."""
    given.require(NOT_ABOVE)
    return given.follows(
        layers_below_logarithm(),
        of_layers(given, S, layers_up_to(layers)),
        of_layers(given, k2, k1 + layers),
        quotient(k2, k1 - 1, {x: given.domain[x] for x in (k1, k2)}),
    )


def _scenes() -> Any:
    networks = st.tuples(
        st.integers(0, 2**32 - 1),
        st.sampled_from([(0, 1), (1, 1), (2, -1)]),
        st.integers(1, 6),
        st.integers(2, 5),
        st.integers(2, 5),
    )
    return st.one_of(networks, st.just((0, (0, 1), 1, 2, 2)))


@OPERATOR.tested("bound", over=_scenes, cases=40)
def in_networks(case: tuple[int, tuple[int, int], int, int, int]) -> dict[Symbol, Any]:
    """|B_{k₁,k₂}| in sampled networks, β and ε being the least for which (10) to (12) hold."""
    seed, (a, b), unit, one, other = case
    first, last = min(one, other), max(one, other)
    size = unit if a == 0 else max(unit, 4)  # that no layer is dead
    state = _network(seed, float(a), float(b), size, last)
    norms, frobenius = _norms(state, first, last)
    steps = np.arange(first - 1, last)  # j = k₂ - 1
    share = (abs(a) + abs(b)) / float(np.hypot(a, b))
    noise = share / (steps[1:] * np.sqrt(size)) * frobenius[:-1]
    growth = steps[1:] * ((norms[1:] - noise) / norms[:-1] - 1)
    ratios = np.concatenate([frobenius[:1] ** 2, (frobenius[1:] / frobenius[:-1]) ** 2])
    # Singular values of matrices of at most 150 rows; radii are enlarged by what they may err by.
    slack = 1e-11
    radius = float(np.max(steps * np.abs(ratios - 1)))
    beta = max(0.0, float(np.max(growth, initial=0)))
    return {
        operator_norm: Rounded(float(norms[-1]), 1e-12 * float(norms[-1])),
        kappa: (abs(a) + abs(b)) / sqrt(Integer(a * a + b * b)),
        epsilon: radius + slack if radius > slack else 0,
        beta_radius: beta + slack if beta > 0 else 0,
        S: sum(Rational(1, int(j)) for j in steps),
        m: size,
        k1: first,
        k2: last,
    }


def _network(seed: int, a: float, b: float, m: int, depth: int) -> Any:
    rng = np.random.default_rng(seed)
    mlp = MLP((2, *[m * k * k for k in range(1, depth)], 1), a, b)
    return forward_pass(mlp, mlp.sample(rng), rng.standard_normal((1, 2)))


def _norms(state: Any, first: int, depth: int) -> tuple[Any, Any]:
    matrices = [backpropagation_matrix(state, first, k)[0] for k in range(first, depth + 1)]
    operator = np.array([max(float(np.linalg.norm(B, 2)), 1e-300) for B in matrices])
    return operator, np.array([max(float(np.linalg.norm(B)), 1e-300) for B in matrices])


STEEPEST = Hypothesis("steepest", "a unit of the layer has the steeper one of the two slopes in modulus")

ATTAINED = claim(
    "eoc.prop26.corrected.attained",
    at=_AT,
    title="The factor 1/log 2 of log(k_2/(k_1 - 1)) is the best, at k_1 = k_2 = 2",
    states=implies(both(eq(k, 2), le(norm_kk, C * kappa * log(2) / sqrt(m))), ge(C, 1 / log(2))),
    given={k: integers(2)},
    assuming=[SQUARE_WIDTHS, STEEPEST],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@ATTAINED.proved()
def largest_entry(given: Given) -> Theorem:
    """An entry of the diagonal matrix is σ‖φ‖_L m_{k-1}^(-1/2) = κ/((k - 1)√m), up to its sign."""
    slope, steepest = Symbol("slope", real=True), {lipschitz: half_line(0, closed=False)}
    unit, v = Vector("e"), Vector("v")
    image, entry = act(ONE_LAYER, unit), SIGMA * slope / sqrt(M)
    diagonal = given.meaning(
        "a unit vector of the unit of the steeper slope, which the diagonal matrix scales",
        *(eq(norm(unit), 1), eq(inner(image, v), entry * inner(unit, v))),
    )
    return given.follows(
        *(given.substituted(diagonal, {v: one}) for one in (unit, image)),
        norm_of_one_layer(given),
        facts.operator_norm(ONE_LAYER, unit),
        given.supposed(SQUARE_WIDTHS, eq(M, (k - 1) ** 2 * m)),
        given.meaning("kappa", eq(SIGMA, kappa / lipschitz), over=steepest),
        given.supposed(STEEPEST, eq(Abs(slope), lipschitz), over=steepest),
    )


@ATTAINED.argued(
    bridge="The matrix is diagonal, so that its norm is that of its largest entry.",
    uses=[SQUARE_WIDTHS, STEEPEST],
)
def one_layer_is_diagonal(given: Given) -> Obligations:
    """Three exact networks with two units: the least C that will do for k = 2."""
    condition, conclusion = given.goal.args
    (bound,) = (one.rhs for one in condition.args if one.has(C))
    for a, b in ((0, 1), (Rational(1, 2), Rational(1, 2)), (2, -1)):
        network = ExactMLP([[[2], [-3]], [[1, 1]]], a=a, b=b, m=2)
        B = exact_matrix(network, [1], 2, 2)
        steepest = (abs(sympify(a)) + abs(sympify(b))) / sqrt(sympify(a * a + b * b))
        claimed = bound.subs({kappa: steepest, m: 2, k: 2, C: conclusion.rhs})
        yield f"a = {a}, b = {b}", equal(Max(*(B * B.T).diagonal()), claimed**2)

"""Proposition 25, proof: one layer, from the proxies to the cosines.

With f_i = |x_k(x_i)|/|x_{k-1}(x_i)| and D half the distance of the x_k(x_i)/|x_{k-1}(x_i)|, the
law of cosines says z_k = (D² - (f₁ - f₂)²/4)/(f₁f₂).
"""

from typing import Any

import numpy as np
import sympy as sp
from hypothesis import strategies as st
from sympy import Abs, Interval, Rational, Symbol, pi, sqrt

from numeric.networks.forward_pass import forward_pass
from numeric.networks.mlp import MLP
from symbolic.equality import equal
from symbolic.networks.mlp import ExactMLP
from theorems.engine import (
    Given,
    Obligations,
    Provenance,
    Rounded,
    Severity,
    both,
    eq,
    ge,
    gt,
    half_line,
    implies,
    integers,
    le,
    lt,
    rules,
    sentence,
)
from theorems.engine.rules import Theorem, Vector, inner, norm
from theorems.engine.statements.values import compare, unfolded
from theorems.eoc_mlp.hypotheses import ALL_ALIVE, EVENT_8, EVENT_9, SMALL_STEP
from theorems.eoc_mlp.letters import (
    DELTA,
    D,
    Q,
    claim,
    epsilon,
    epsilon_prime,
    k,
    omega,
    ratio_1,
    ratio_2,
    w,
    w_below,
    w_k,
    y_difference,
    z_below,
    z_k,
    zeta,
)
from theorems.eoc_mlp.premises.substitutions import as_it_stands
from theorems.eoc_mlp.sampling.networks import inputs_at

_NOTE = "proofs_notes/eoc_limits.md#from-proxies-to-cosines"
_POSITIVE = half_line(0, closed=False)
_LATER = integers(2)
_SCALED = r"$%s\tfrac{x_k(x_{i_%d})}{\|x_{k-1}(x_{i_%d})\|}"

PROXY = claim(
    "eoc.prop25.proxy",
    at="Proposition 25, proof",
    title="The squared cosine distance of layer k, with the norms of layer k - 1",
    states=sentence(
        r"$z_k = \frac{$one - $rho_k}{$two} = \Bigl\|"
        + _SCALED % ("first_half", 1, 1)
        + " - "
        + _SCALED % ("second_half", 2, 2)
        + r"\Bigr\|^{$square}",
        one=1,
        two=2,
        first_half=Rational(1, 2),
        second_half=Rational(1, 2),
        square=2,
    ),
    assuming=[ALL_ALIVE],
    note=_NOTE,
    provenance=Provenance.EXTRACTED,
)


@PROXY.refuted(severity=Severity.SLIP)
def other_norms(one: int, two: int, first_half: Any, second_half: Any, square: int) -> Obligations:
    """Orthogonal activations of norms 3 and 5 behind activations of norm 4."""
    first, second = first_half * sp.Matrix([3, 0]), second_half * sp.Matrix([0, 5])
    cosine = first.dot(second) / (first.norm() * second.norm())
    distance = sp.sympify(one - cosine) / two
    before = sp.Integer(4)  # both norms one layer below
    printed = (first / before - second / before).norm() ** square
    yield "the two sides differ", bool(distance != printed)
    with_own = (first / 3 - second / 5).norm() ** square
    yield "with the norms of layer k they agree", equal(distance, with_own)


_PRODUCT = ratio_1 * ratio_2

COSINE = PROXY.corrected(
    "eoc.prop25.proxy.corrected",
    title="The law of cosines for the proxies",
    states={
        "printed root": eq(z_k, (4 * D**2 - ratio_1**2 - ratio_2**2) / (4 * _PRODUCT) + Rational(1, 2)),
        "short": eq(z_k, (D**2 - (ratio_1 - ratio_2) ** 2 / 4) / _PRODUCT),
    },
    given={ratio_1: _POSITIVE, ratio_2: _POSITIVE},
    assuming=[ALL_ALIVE],
    note=_NOTE,
)
_u, _v = Vector("u"), Vector("v")


@COSINE.proved("printed root", "short")
def law_of_cosines(given: Given) -> Theorem:
    """4D² = f₁² + f₂² - 2f₁f₂ρ and z = (1 - ρ)/2, for the activations over the norms below."""
    lengths = [eq(ratio_1, norm(_u)), eq(ratio_2, norm(_v)), eq(D, norm(_u / 2 - _v / 2))]
    alive = [gt(norm(_u), 0), gt(norm(_v), 0)]
    cosine = inner(_u, _v) / (norm(_u) * norm(_v))
    return given.follows(
        given.meaning("a ratio of lengths, and the proxy", *lengths),
        given.meaning("the squared cosine distance", eq(z_k, (1 - cosine) / 2), under=alive),
    )


_PASSES = st.tuples(st.integers(0, 2**32 - 1), st.floats(0.01, 3.1), st.integers(1, 6))


@COSINE.tested("printed root", over=_PASSES, cases=60)
def in_networks(case: tuple[int, float, int]) -> dict[Symbol, Any]:
    """Both sides in sampled networks with φ(s) = s/2 + |s|."""
    seed, angle, width = case
    rng = np.random.default_rng(seed)
    mlp = MLP((3, 4, width, 1), 0.5, 1.0)
    state = forward_pass(mlp, mlp.sample(rng), inputs_at(angle, 3, rng))
    below, ratios = state.norms(2), state.norms(3) / state.norms(2)
    distance = np.linalg.norm(np.subtract(*(state.activation(3) / below[:, None]))) / 2
    cosine = float(state.cosines(3)[0, 1])
    # Lengths and inner products of at most six terms have a few roundings.
    few = 16 * 2.0**-53
    return {
        z_k: Rounded(min(max((1 - cosine) / 2, 0.0), 1.0), few),
        D: Rounded(float(distance), few * float(distance + max(ratios))),
        ratio_1: Rounded(float(ratios[0]), few * float(ratios[0])),
        ratio_2: Rounded(float(ratios[1]), few * float(ratios[1])),
    }


_STEP = epsilon / (k - 1)

SANDWICH = claim(
    "eoc.prop25.sandwich",
    at="Proposition 25, proof; after Equation (9)",
    title="Bounds of the cosine distance from (8) and (9)",
    states=le(
        (1 - z_below / zeta(z_below, DELTA) * _STEP) / (1 + _STEP) * sqrt(zeta(z_below, DELTA)), sqrt(z_k)
    ),
    given={z_below: Interval.Lopen(0, 1), k: _LATER},
    assuming=[ALL_ALIVE, EVENT_8, EVENT_9],
    rests_on=["eoc.zeta.closed_form"],
    note=_NOTE,
)


@SANDWICH.refuted(severity=Severity.GAP)
def parallel_activations(given: Given) -> Obligations:
    """k = 2, one unit (m = 1), φ = |·|: A₁x₁ = 1 + ε, A₁x₂ = 1 - ε with ε² = ζ(z₁), so z₂ = 0.

    Then (8) holds, and (9) with equality of D and √ζ, while the left side is positive.
    """
    angle = pi / 3
    start = (1 - sp.cos(angle)) / 2
    image = sp.simplify(unfolded(zeta(start, sp.Integer(1))))
    radius = sqrt(image)
    inputs = sp.Matrix([[1, 0], [sp.cos(angle), sp.sin(angle)]])
    wanted = sp.Matrix([1 + radius, 1 - radius])
    network = ExactMLP([(inputs.inv() * wanted).T, [[1]]], a=0, b=1)
    activations = [sp.simplify(network.activation(inputs.row(i).T, 2)[0]) for i in (0, 1)]
    deviations = [sp.simplify(value - 1) for value in activations]
    yield "(8)", all(equal(d**2, radius**2) for d in deviations) and bool(radius < 1)
    yield "(9)", equal((activations[0] - activations[1]) ** 2 / 4, image)
    yield "z₂ = 0: x_2 has one coordinate, and both are positive", bool(activations[1] > 0)
    point = {z_below: start, DELTA: sp.Integer(1), k: sp.Integer(2), epsilon: radius, z_k: sp.S.Zero}
    yield "the left side is positive", compare(given.goal, point).answer is False


_ROOT = sqrt(1 - y_difference**2)
_UPPER, _LOWER = D / (1 - _STEP), D / (1 + _STEP)
_FEW = le(_STEP * (1 + _STEP), 2 * D**2)

CORRECTED = SANDWICH.corrected(
    "eoc.prop25.sandwich.corrected",
    title="Bounds of the cosine distance from (8) and (9), with the difference of the norms",
    states={
        "below": le(_ROOT * _LOWER, sqrt(z_k)),
        "above": le(sqrt(z_k), _UPPER),
        "without the root, if": implies(_FEW, le(_LOWER, sqrt(z_k))),
        "without the root, only if": implies(
            gt(_STEP * (1 + _STEP), 2 * D**2), lt((D**2 - _STEP**2) / ((1 + _STEP) * (1 - _STEP)), _LOWER**2)
        ),
    },
    given={D: _POSITIVE, k: _LATER, epsilon: Interval.Ropen(0, 1)},
    assuming=[ALL_ALIVE, EVENT_8],
    rests_on=[COSINE],
    note=_NOTE,
)


def _ratios_within(given: Given) -> list[Theorem]:
    """The law of cosines, y, and (8) for both inputs in layer k."""
    ratios = {ratio_1: _POSITIVE, ratio_2: _POSITIVE}
    event = [le(Abs(one - 1), _STEP) for one in ratios]
    law, apart = given.fact(COSINE, "short"), Abs(ratio_1 - ratio_2) / (2 * D)
    # By the law of cosines y is at most 1, as z_k is not negative.
    y = given.meaning("the difference", eq(y_difference, apart), over=ratios, under=[law.statement])
    return [law, given.supposed(EVENT_8, *event, over=ratios), y]


@CORRECTED.proved("without the root, if")
def threshold_of_the_printed_form(given: Given) -> Theorem:
    """With s = 1 + ε': (f₁ - f₂)² ≤ 2ε'|f₁ - f₂| and s|f₁ - f₂| ≤ s² - f₁f₂."""
    one, other, e = sp.symbols("f1 f2 e", real=True)
    within = both(le(0, e), lt(e, 1), le(Abs(one - 1), e), le(Abs(other - 1), e))
    apart = both(
        le((one - other) ** 2, 2 * e * Abs(one - other)),
        le((1 + e) * Abs(one - other), (1 + e) ** 2 - one * other),
    )
    numbers = rules.follows(implies(within, apart))
    ratios = {ratio_1: _POSITIVE, ratio_2: _POSITIVE}
    over = {**ratios, **{x: given.domain[x] for x in (D, k, epsilon)}}
    numbers = numbers.at({one: ratio_1, other: ratio_2, e: _STEP}, over=over)
    law, event, _ = _ratios_within(given)
    enough = ge((D**2 - (ratio_1 - ratio_2) ** 2 / 4) * (1 + _STEP) ** 2, D**2 * _PRODUCT)
    large = rules.follows(implies(_FEW, enough), [numbers, event])
    values = (z_k, D, 1 + _STEP, D**2 - (ratio_1 - ratio_2) ** 2 / 4, _PRODUCT)
    root = given.substituted(_root_of_the_quotient(), dict(zip(_NUMBERS, values, strict=True)))
    return given.follows(large, law, root, goal=as_it_stands(CORRECTED, given.part))


_NUMBERS = (
    *(sp.Symbol(name, nonnegative=True) for name in ("quotient", "proxy")),
    sp.Symbol("reach", positive=True),
    sp.Symbol("distance", real=True),
    sp.Symbol("product", positive=True),
)


def _root_of_the_quotient() -> Theorem:
    """D/s ≤ √z for z = q/f and qs² ≥ D²f."""
    z, d, s, q, f = _NUMBERS
    known = [eq(z, q / f), ge(q * s**2, d**2 * f)]
    square = rules.follows(le(d**2, z * s**2), under=known)
    return rules.follows(le(d / s, sqrt(z)), [square], under=known)


@CORRECTED.proved("below", "above", "without the root, only if")
def take_the_norms_out(given: Given) -> Theorem:
    """z_k = D²(1 - y²)/(f₁f₂) with 1 - ε' ≤ f_i ≤ 1 + ε'."""
    known = _ratios_within(given)
    return given.follows(*(_root_below(given, *known) if given.part == "below" else known))


def _root_below(given: Given, law: Theorem, event: Theorem, difference: Theorem) -> list[Theorem]:
    """D√(1 - y²)/(1 + ε') ≤ √z_k, as D²(1 - y²) f₁f₂ ≤ D²(1 - y²)(1 + ε')²."""
    over = {**dict.fromkeys((ratio_1, ratio_2, D), _POSITIVE)}
    over |= {x: given.domain[x] for x in (y_difference, z_k, k, epsilon)}
    distance, reach = D**2 - (ratio_1 - ratio_2) ** 2 / 4, 1 + _STEP
    square = rules.follows(eq(distance, (_ROOT * D) ** 2), [difference, law], over=over)
    product = rules.follows(le(_PRODUCT, reach**2), [event], over=over)
    numbers = dict(zip(_NUMBERS, (z_k, _ROOT * D, reach, distance, _PRODUCT), strict=True))
    root = given.substituted(_root_of_the_quotient(), numbers)
    larger = le((_ROOT * D) ** 2 * _PRODUCT, distance * reach**2)
    return [law, rules.follows(larger, [square, product], over=over), root]


ALGEBRA = claim(
    "eoc.prop25.algebra",
    at="Proposition 25, proof",
    title="Subtracting ω from the sandwich",
    states=implies(
        both(
            le((1 - epsilon_prime) / (1 + Q * epsilon_prime) * omega(w_below, DELTA), w_k),
            le(w_k, (1 + epsilon_prime) / (1 - Q * epsilon_prime) * omega(w_below, DELTA)),
        ),
        le(
            Abs(w_k - omega(w_below, DELTA)),
            (1 + Q) * epsilon_prime / (1 - Q * epsilon_prime) * omega(w_below, DELTA),
        ),
    ),
    given={w_below: half_line(1, closed=False)},
    assuming=[SMALL_STEP],
    rests_on=["eoc.omega", "eoc.zeta.closed_form"],
)


@ALGEBRA.proved()
def subtract_omega(given: Given) -> Theorem:
    """The upper side gives the bound exactly, the lower side the same with 1 + Qε' below."""
    larger = given.substituted(given.fact("eoc.omega", "values"), {w: w_below})
    return given.follows(larger, goal=as_it_stands(ALGEBRA))

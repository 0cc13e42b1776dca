"""Abstract and Section 1: whether widths have to grow quadratically for the NTK, by exact moments.

The squares of the lengths of successive activations have independent quotients, so that all moments
of lengths are products over the layers.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import isqrt
from typing import Any

import numpy as np
import sympy as sp
from sympy import Rational, exp, log

from numeric.statistics import MeanTest, mean_test
from symbolic.derivation import Derivation, Step
from symbolic.equality import equal
from symbolic.gaussian import GaussianMean
from symbolic.gaussian.half_lines import half_line_steps
from symbolic.notation import a, b
from symbolic.notation import phi as relu
from theorems.engine import (
    Given,
    Hypothesis,
    Obligations,
    Provenance,
    both,
    claims_in,
    eq,
    ge,
    le,
    rules,
    sentence,
)
from theorems.engine.rules import RANDOM, E, Random, Theorem, facts
from theorems.eoc_mlp.derivative_products import ASYMMETRY
from theorems.eoc_mlp.drawn_once import forward_draws, seed_of
from theorems.eoc_mlp.hypotheses import (
    ALIVE,
    INPUTS_NONZERO,
    NOT_BOTH_ZERO,
    SCALE,
)
from theorems.eoc_mlp.letters.activation import asymmetry, u
from theorems.eoc_mlp.letters.distances import norm_variance, squared_ratio, unit_square
from theorems.eoc_mlp.letters.network import M, k, m
from theorems.eoc_mlp.letters.simultaneous import H
from theorems.eoc_mlp.letters.table import LETTERS
from theorems.eoc_mlp.norm_law import LAW
from theorems.eoc_mlp.substitutions import as_stated

Rng = np.random.Generator

claim = claims_in(LETTERS)
NOTE = "proofs_notes/eoc_figures.md#widths-for-the-ntk"
_EXCESS = 2 + 3 * asymmetry**2
_ACTIVATIONS = ((0.0, 1.0), (0.5, 0.5), (1.0, -0.3))

LINEAR_WIDTHS = Hypothesis(
    "linear_widths",
    "the width of a hidden layer is its index times the unit of width",
    latex=r"m_k = km",
)

FOURTH = claim(
    "eoc.fourth_moment",
    at="Proposition 14",
    title="The fourth moment of the length of an activation in closed form",
    states={
        "one layer": eq(E(squared_ratio**2), 1 + _EXCESS / M),
        "all layers": sentence(
            r"\frac{\mathbb{E}\|x_k\|^$four}{\|x_1\|^$four} = \prod_{j=1}^{k-$one}"
            r"\Bigl($one + \frac{$excess}{m_j}\Bigr)",
            four=4,
            one=1,
            excess=_EXCESS,
        ),
    },
    given=[squared_ratio, asymmetry, M, a, b],
    assuming=[NOT_BOTH_ZERO, ASYMMETRY, INPUTS_NONZERO],
    rests_on=[LAW, "eoc.init"],
    discharging={
        ALIVE: "once an activation vanishes, both sides of a layer are 0",
        SCALE: "that is what the letter stands for",
    },
    provenance=Provenance.DERIVED,
    note=NOTE,
    excused={"domain of asymmetry": "true as well: 2ab/(a² + b²) lies between -1 and 1"},
)


def _fourth_power() -> Theorem:
    """E φ(u)⁴ = 3(a⁴ + 6a²b² + b⁴)."""
    integrand = relu(u) ** 4
    steps = [*half_line_steps(sp.Integer(1), integrand, u)]
    closed = 3 * (a**4 + 6 * a**2 * b**2 + b**4)
    chain = Derivation(
        title="Fourth power of the activation",
        name=r"\mathbb{E}\phi(u)^4",
        start=GaussianMean(integrand, u),
        steps=[*steps, Step(closed, "collect")],
    )
    return rules.derived(chain)


@FOURTH.proved("one layer")
def mean_of_copies(given: Given) -> Theorem:
    """E W = 1 and E W² = 3(1 + r²) for the square W of one unit; R is a mean of M copies of W."""
    over = {a: given.domain[a], b: given.domain[b]}
    alive = [NOT_BOTH_ZERO.formula]
    W, R = unit_square, squared_ratio
    scale = 1 / (a**2 + b**2)
    squares = {p: GaussianMean(relu(u) ** p, u) for p in (2, 4)}
    powers = both(eq(E(W), scale * squares[2]), eq(E(W**2), scale**2 * squares[4]))
    unit = rules.meaning(
        "W is the square of σφ(u), u standard normal", powers, over={**over, W: RANDOM}, under=alive
    )
    average = Random("average")
    copies = [
        rules.textbook(
            "second moment of a mean of independent copies",
            eq(E(average**2), E(W) ** 2 + (E(W**2) - E(W) ** 2) / M),
            over={average: RANDOM, W: RANDOM, M: given.domain[M]},
        ),
        given.meaning("the squared quotient, such a mean,", eq(E(R**2), E(average**2))),
    ]
    second = rules.derived(
        Derivation(
            title="Square of the activation",
            name=r"\mathbb{E}\phi(u)^2",
            start=squares[2],
            steps=[*half_line_steps(sp.Integer(1), relu(u) ** 2, u), Step(a**2 + b**2, "collect")],
        )
    )
    moments = rules.follows(
        both(eq(E(W), 1), eq(E(W**2), 3 + 3 * (2 * a * b * scale) ** 2)),
        [unit, second, _fourth_power()],
        over={**over, W: RANDOM},
        under=alive,
    )
    goal = as_stated(FOURTH, "one layer", lambda one: one)
    return given.follows(*copies, moments, goal=goal)


@FOURTH.argued(
    "all layers",
    bridge="Given the layers below, the quotient of the squared lengths of two successive layers"
    " has a law that does not depend on them; so moments multiply.",
    uses=[NOT_BOTH_ZERO, ASYMMETRY, INPUTS_NONZERO],
)
def mixtures_of_chi_squares(four: int, one: int, excess: Any) -> Obligations:
    """((1 + r)χ²_n + (1 - r)χ²_{M-n})/M with n binomial: its moments, for widths 1 to 4."""
    order = Rational(four) / 2
    yield "an even power", bool(order == 2)
    if order != 2:
        return
    r = asymmetry
    for width in range(1, 5):
        total = sp.S.Zero
        for n in range(width + 1):
            first, second = (1 + r) * n, (1 - r) * (width - n)
            spread = 2 * ((1 + r) ** 2 * n + (1 - r) ** 2 * (width - n))
            total += sp.binomial(width, n) * ((first + second) ** 2 + spread) / 2**width
        yield f"width {width}", equal(sp.expand(total / width**2), one + excess / width)


@FOURTH.estimated(
    "all layers",
    draws=4000,
    controls={"two_moments": {"excess": 2}, "square": {"four": 2}},
)
def powers_of_lengths(rng: Rng, draws: int, four: int, excess: Any) -> Iterator[MeanTest]:
    """Mean powers of lengths in networks of four hidden layers, for three activation functions."""
    widths = [8, 16, 24, 32]
    for first, second in _ACTIVATIONS:
        norms = forward_draws(seed_of(rng), ((1.0,),), tuple(widths), (first, second), draws).norms[
            :, -1, 0
        ]
        r = 2 * first * second / (first**2 + second**2)
        each = float(sp.sympify(excess).subs(asymmetry, r))
        product = float(np.prod([1 + each / width for width in widths]))
        yield mean_test(norms ** float(four), product)


_GROWTH = _EXCESS * H(k - 1) / m

NORMS = claim(
    "eoc.widths.norms",
    at="Abstract",
    title="At widths that grow linearly the squared length deviates by about √((2 + 3r²) log k/m)",
    states={
        "at least": le(_GROWTH, norm_variance),
        "at most": le(norm_variance, exp(_GROWTH) - 1),
        "order": sentence(
            r"\lim_{k\to\infty}\frac{H_{k-1}}{\log k} = $one, \quad \text{so that}"
            r" \lim_{m\to\infty} m\,$norm_variance \sim ($two + $three{$asymmetry}^$two)\log k",
            one=1,
            two=2,
            three=3,
        ),
    },
    given=[norm_variance, k, m, asymmetry, a, b],
    assuming=[LINEAR_WIDTHS, NOT_BOTH_ZERO, ASYMMETRY, INPUTS_NONZERO],
    rests_on=[FOURTH],
    provenance=Provenance.DERIVED,
    note=NOTE,
    excused={"domain of asymmetry": "true as well: 2ab/(a² + b²) lies between -1 and 1"},
)
_n = sp.Symbol("n", integer=True, nonnegative=True)
_product, _sum = sp.Function("P", real=True), sp.Function("S", real=True)


def _of_all_layers(given: Given, bound: Any, known: list[Theorem]) -> Theorem:
    """A bound of the product of the layers below n + 1 by their sum, by induction over n."""
    over = {x: given.domain[x] for x in (m, asymmetry)}
    here = {**over, _n: sp.Range(sp.oo)}
    factor = 1 + _EXCESS / ((_n + 1) * m)
    summand = eq(_sum(_n + 1), _sum(_n) + 1 / (_n + 1))
    gains = both(eq(_product(_n + 1), _product(_n) * factor), summand)
    start = both(eq(_product(0), 1), eq(_sum(0), 0))
    width = sp.Function("width", positive=True)(_n + 1)
    longer = eq(_product(_n + 1), _product(_n) * (1 + _EXCESS / width))
    known_of_layer = [
        given.meaning("a factor and a term more", longer, summand, over=here),
        given.supposed(LINEAR_WIDTHS, eq(width, (_n + 1) * m), over=here),
    ]
    step = rules.follows(gains, known_of_layer, over=here)
    first = rules.meaning("an empty product and sum", start, over={})
    every = rules.induction(bound, _n, 0, base=[first], step=[step, *known], over=over)
    letters = {x: given.domain[x] for x in (norm_variance, k)}
    meant = both(eq(norm_variance, _product(k - 1) - 1), eq(H(k - 1), _sum(k - 1)))
    named = rules.meaning(
        "the mean of a square less that of the mean, by eoc.fourth_moment", meant, over=letters
    )
    last = rules.instance(every, {_n: k - 1}, over={k: letters[k]})
    goal = as_stated(NORMS, given.part, lambda one: one)
    return given.follows(last, named, goal=goal)


@NORMS.proved("at least")
def first_terms_of_the_product(given: Given) -> Theorem:
    """A product of numbers 1 + x is at least 1 and the sum of the x."""
    bound = both(ge(_product(_n), 1 + _EXCESS * _sum(_n) / m), ge(_sum(_n), 0))
    return _of_all_layers(given, bound, [])


@NORMS.proved("at most")
def exponentials_of_terms(given: Given) -> Theorem:
    """1 + x ≤ e^x, and exponentials multiply."""
    over = {x: given.domain[x] for x in (m, asymmetry)} | {_n: sp.Range(sp.oo)}
    added, whole = _EXCESS / ((_n + 1) * m), _EXCESS * _sum(_n) / m
    tangent = facts.exponential_above_tangent(added, over=over)
    split = facts.exponential_of_sum(_EXCESS * _sum(_n + 1) / m, whole, added, over=over)
    bound = both(le(_product(_n), exp(whole)), ge(_product(_n), 0))
    return _of_all_layers(given, bound, [tangent, split])


@NORMS.argued(
    "order",
    bridge="By both bounds m times the variance tends to the harmonic number times its factor.",
    uses=[LINEAR_WIDTHS, NOT_BOTH_ZERO, ASYMMETRY, INPUTS_NONZERO],
)
def harmonic_numbers(one: int, two: int, three: int) -> Obligations:
    """H_{k-1}/log k tends to 1, and both bounds are of first order in 1/m."""
    depth, unit = sp.symbols("k m", positive=True)
    yield "H ~ log", equal(sp.limit(sp.harmonic(depth - 1) / log(depth), depth, sp.oo), sp.S(one))
    bounds = [as_stated(NORMS, name, lambda rel: rel) for name in ("at least", "at most")]
    size = sp.Symbol("h", positive=True)
    for bound in (bounds[0].lhs, bounds[1].rhs):
        plain = bound.subs(H(k - 1), size).subs(m, unit)
        claimed = (two + three * asymmetry**two) * size
        yield "first order", equal(sp.limit(plain * unit, unit, sp.oo), claimed)


@NORMS.estimated(
    "order",
    draws=4000,
    controls={"no_kink": {"three": 0}, "larger": {"two": 3}},
)
def lengths_at_linear_widths(rng: Rng, draws: int, two: int, three: int) -> Iterator[MeanTest]:
    """Variances after 15 layers of widths jm over their first order; m grows with the draws."""
    unit, layers = 200 * max(1, isqrt(draws // 4000)), range(1, 16)
    harmonic = sum(1 / layer for layer in layers)
    for first, second in _ACTIVATIONS:
        widths = [unit * layer for layer in layers]
        norms = forward_draws(seed_of(rng), ((1.0,),), tuple(widths), (first, second), draws).norms[
            :, -1, 0
        ]
        r = 2 * first * second / (first**2 + second**2)
        scale = (two + three * r**2) * harmonic / unit
        yield mean_test((norms**2 - 1) ** 2 / scale, 1.0)

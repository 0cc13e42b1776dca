"""The abstract: whether lengths of activations need quadratic widths, by exact moments.

The squares of the lengths of successive activations have independent quotients, so that all moments
of lengths are products over the layers.
"""

from collections.abc import Iterator
from math import isqrt
from typing import Any

import numpy as np
import sympy as sp
from sympy import exp, log

from numeric.networks import sample_lengths
from numeric.statistics import MeanTest, mean_test
from symbolic.equality import equal
from symbolic.notation import a, b
from theorems.engine import (
    Given,
    Hypothesis,
    Obligations,
    Provenance,
    both,
    eq,
    ge,
    le,
    rules,
    sentence,
)
from theorems.engine.rules import Theorem, facts
from theorems.eoc_mlp.hypotheses import ASYMMETRY, INPUTS_NONZERO, NOT_BOTH_ZERO
from theorems.eoc_mlp.letters.activation import asymmetry
from theorems.eoc_mlp.letters.distances import norm_variance
from theorems.eoc_mlp.letters.network import k, m
from theorems.eoc_mlp.letters.simultaneous import H
from theorems.eoc_mlp.letters.table import claim
from theorems.eoc_mlp.one_layer.norms.fourth_moment import ACTIVATIONS, EXCESS, NOTE
from theorems.eoc_mlp.premises.substitutions import as_it_stands

Rng = np.random.Generator


LINEAR_WIDTHS = Hypothesis(
    "linear_widths",
    "the width of a hidden layer is its index times the unit of width",
    latex=r"m_k = km",
)

_GROWTH = EXCESS * H(k - 1) / m

NORMS = claim(
    "eoc.widths.norms",
    at="Abstract",
    title="At widths that grow linearly the squared length deviates by about √((2 + 3r²) log k/m)",
    states={
        "at least": le(_GROWTH, norm_variance),
        "at most": le(norm_variance, exp(_GROWTH) - 1),
        "order": sentence(
            r"\lim_{k\to\infty}\frac{H_{k-1}}{\log k} = $one, \quad \text{so that}"
            r" \lim_{m\to\infty} m\,$norm_variance \sim ($two + $three{$asymmetry}^$square)\log k",
            one=1,
            two=2,
            three=3,
            square=2,
        ),
    },
    given=[norm_variance, k, m, asymmetry, a, b],
    assuming=[LINEAR_WIDTHS, NOT_BOTH_ZERO, ASYMMETRY, INPUTS_NONZERO],
    rests_on=["eoc.fourth_moment"],
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
    factor = 1 + EXCESS / ((_n + 1) * m)
    summand = eq(_sum(_n + 1), _sum(_n) + 1 / (_n + 1))
    gains = both(eq(_product(_n + 1), _product(_n) * factor), summand)
    start = both(eq(_product(0), 1), eq(_sum(0), 0))
    width = sp.Function("width", positive=True)(_n + 1)
    longer = eq(_product(_n + 1), _product(_n) * (1 + EXCESS / width))
    known_of_layer = [
        given.meaning("a factor and a term more", longer, summand),
        given.supposed(LINEAR_WIDTHS, eq(width, (_n + 1) * m)),
    ]
    step = rules.follows(gains, known_of_layer, over=here)
    first = given.meaning("an empty product and sum", start)
    every = rules.induction(bound, _n, 0, base=[first], step=[step, *known], over=over)
    meant = both(eq(norm_variance, _product(k - 1) - 1), eq(H(k - 1), _sum(k - 1)))
    named = given.meaning("the mean of a square less that of the mean, by eoc.fourth_moment", meant)
    last = rules.instance(every, {_n: k - 1}, over={k: given.domain[k]})
    return given.follows(last, named, goal=as_it_stands(NORMS, given.part))


@NORMS.proved("at least")
def first_terms_of_the_product(given: Given) -> Theorem:
    """A product of numbers 1 + x is at least 1 and the sum of the x."""
    bound = both(ge(_product(_n), 1 + EXCESS * _sum(_n) / m), ge(_sum(_n), 0))
    return _of_all_layers(given, bound, [])


@NORMS.proved("at most")
def exponentials_of_terms(given: Given) -> Theorem:
    """1 + x ≤ e^x, and exponentials multiply."""
    over = {x: given.domain[x] for x in (m, asymmetry)} | {_n: sp.Range(sp.oo)}
    added, whole = EXCESS / ((_n + 1) * m), EXCESS * _sum(_n) / m
    tangent = facts.exponential_above_tangent(added, over=over)
    split = facts.exponential_of_sum(EXCESS * _sum(_n + 1) / m, whole, added, over=over)
    bound = both(le(_product(_n), exp(whole)), ge(_product(_n), 0))
    return _of_all_layers(given, bound, [tangent, split])


@NORMS.argued(
    "order",
    bridge="By both bounds m times the variance tends to the harmonic number times its factor.",
    uses=[LINEAR_WIDTHS, NOT_BOTH_ZERO, ASYMMETRY, INPUTS_NONZERO],
)
def harmonic_numbers(one: int, two: int, three: int, square: int) -> Obligations:
    """H_{k-1}/log k tends to 1, and both bounds are of first order in 1/m."""
    depth, unit = sp.symbols("k m", positive=True)
    yield "H ~ log", equal(sp.limit(sp.harmonic(depth - 1) / log(depth), depth, sp.oo), sp.S(one))
    bounds = [as_it_stands(NORMS, name) for name in ("at least", "at most")]
    size = sp.Symbol("h", positive=True)
    for bound in (bounds[0].lhs, bounds[1].rhs):
        plain = bound.subs(H(k - 1), size).subs(m, unit)
        claimed = (two + three * asymmetry**square) * size
        yield "first order", equal(sp.limit(plain * unit, unit, sp.oo), claimed)


@NORMS.estimated(
    "order",
    draws=4000,
    controls={"no_kink": {"three": 0}, "larger": {"two": 3}, "signed": {"square": 1}},
)
def lengths_at_linear_widths(
    rng: Rng, draws: int, two: int, three: int, square: int
) -> Iterator[MeanTest]:
    """Variances after 15 layers of widths jm over their first order; m grows with the draws.

    Lengths are drawn from their exact law; ``eoc.fourth_moment`` draws the coordinates.
    """
    unit, layers = 200 * max(1, isqrt(draws // 4000)), range(1, 16)
    harmonic = sum(1 / layer for layer in layers)
    for first, second in ACTIVATIONS:
        widths = [unit * layer for layer in layers]
        norms = sample_lengths(widths, first, second, rng, draws)[:, -1]
        r = 2 * first * second / (first**2 + second**2)
        scale = (two + three * r**square) * harmonic / unit
        yield mean_test((norms**2 - 1) ** 2 / scale, 1.0)

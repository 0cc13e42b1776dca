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
from symbolic.gaussian import GaussianMean
from theorems.classical.gaussian_moments import standard
from theorems.classical.normal_means import by_density
from theorems.engine import (
    Given,
    Hypothesis,
    Obligations,
    Provenance,
    both,
    eq,
    ge,
    implies,
    le,
    rules,
    sentence,
)
from theorems.engine.rules import E, P, Random, Theorem, facts, probabilities
from theorems.engine.rules.vocabulary import independent, randoms
from theorems.eoc_mlp.hypotheses import ASYMMETRY, INPUTS_NONZERO, NOT_BOTH_ZERO
from theorems.eoc_mlp.letters.activation import a, asymmetry, b, phi, sigma_of, u
from theorems.eoc_mlp.letters.distances import norm_variance, squared_ratio
from theorems.eoc_mlp.letters.network import M, k, m
from theorems.eoc_mlp.letters.simultaneous import H
from theorems.eoc_mlp.letters.table import claim
from theorems.eoc_mlp.one_layer.norms.fourth_moment import ACTIVATIONS, EXCESS, NOTE
from theorems.eoc_mlp.premises.means import of_one_law
from theorems.eoc_mlp.premises.substitutions import as_it_stands

Rng = np.random.Generator


LINEAR_WIDTHS = Hypothesis(
    "linear_widths", "the width of a hidden layer is its index times the unit of width", latex=r"m_k = km"
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
    assuming=[LINEAR_WIDTHS, NOT_BOTH_ZERO, ASYMMETRY, INPUTS_NONZERO],
    rests_on=["eoc.fourth_moment", "eoc.init"],
    provenance=Provenance.DERIVED,
    note=NOTE,
    excused={"domain of asymmetry": "true as well: 2ab/(a² + b²) lies between -1 and 1"},
)
_n = sp.Symbol("n", integer=True, nonnegative=True)
_sum = sp.Function("S", real=True)
#: Of the n-th activation after the first: its squared length over that of the first one, and over
#: that of the one before; and a standard normal variable.
_length, _quotient = randoms("squared length")(_n), randoms("quotient")(_n)
_longer, _G = _length.subs(_n, _n + 1), Random("G")
_moment = E(_length**2)


def _of_all_layers(given: Given, bound: Any, known: list[Theorem]) -> Theorem:
    """A bound of the second moment after n layers by the sum of n terms, by induction over n."""
    over = {x: given.domain[x] for x in (m, asymmetry, a, b)}
    here, summand = {**over, _n: sp.Range(sp.oo)}, eq(_sum(_n + 1), _sum(_n) + 1 / (_n + 1))
    first = given.meaning("an empty sum", eq(_sum(0), 0)), *_first_length(given)
    step = _one_layer_more(given, here), given.meaning("a term more", summand)
    every = rules.induction(
        both(bound, eq(E(_length), 1)),
        _n,
        0,
        base=first,
        step=[*step, *known],
        over=over,
        under=given.conditions,
    )
    last = {_n: k - 1}
    whole = _length.subs(last)
    named = given.meaning(
        "a variance, and a harmonic number",
        eq(norm_variance, E((whole - E(whole)) ** 2)),
        eq(H(k - 1), _sum(k - 1)),
    )
    there = every.at(last, over={k: given.domain[k]})
    return given.follows(there, named, goal=as_it_stands(NORMS, given.part))


def _first_length(given: Given) -> list[Theorem]:
    start, value = _length.subs(_n, 0), sp.Symbol("value", real=True)
    squared = rules.follows(implies(eq(value, 1), eq(value**2, 1)))
    one, square = (side.xreplace({value: start}) for side in squared.statement.args)
    return [
        given.meaning("the first length over itself", eq(P(one), 1)),
        probabilities.surely(squared, {value: start}),
        probabilities.implied_event(one, square),
        facts.probability(square),
        *(probabilities.equal_means(*event.args) for event in (one, square)),
    ]


def _one_layer_more(given: Given, over: Any) -> Theorem:
    """E L' = E L and E L'² = E L² (1 + (2 + 3r²)/M), as quotients are independent, of mean 1."""
    width = sp.Function("width", integer=True, positive=True)(_n + 1)
    here, squares = {_n: over[_n]}, (_length, _quotient, 2, 2)
    known = [
        given.meaning(
            "a length and its quotient, the law of which does not depend on the layers below",
            *(eq(E(_longer**power), E((_length * _quotient) ** power)) for power in (1, 2)),
            independent(_length, _quotient),
        ),
        facts.powers_of_independent(*squares, over=here),
        *(facts.expectation_of_independent(_length**power, _quotient**power, over=here) for power in (1, 2)),
        _mean_of_a_quotient(given),
        given.fact("eoc.fourth_moment", "one layer").at(
            {squared_ratio: _quotient, M: width}, over=here, under=[ge(width, 1)]
        ),
        given.supposed(LINEAR_WIDTHS, eq(width, (_n + 1) * m)),
    ]
    goal = both(eq(E(_longer), E(_length)), eq(E(_longer**2), _moment * (1 + EXCESS / ((_n + 1) * m))))
    return rules.follows(goal, known, over=over, under=given.conditions)


def _mean_of_a_quotient(given: Given) -> Theorem:
    """The mean of the squares of units, each of which is σφ(G) for a standard normal G."""
    alive, places = NOT_BOTH_ZERO.formula, {_n: sp.Range(sp.oo)}
    square = phi(u, a, b) ** 2
    mean, law = sigma_of(a, b) ** 2 * E(square.subs(u, _G)), GaussianMean(square, u)
    over = {x: given.domain[x] for x in (a, b)}
    known = [
        of_one_law(given, E(_quotient), mean, where=alive, over={**places, **over}),
        given.meaning("G, a standard normal variable", *standard(_G).args),
        by_density(square, u, _G, law, over=over),
        given.fact("eoc.init", "values"),
    ]
    goal = eq(E(_quotient), 1)
    return rules.follows(goal, known, over={**places, **over}, under=[alive])


@NORMS.proved("at least")
def first_terms_of_the_product(given: Given) -> Theorem:
    """A product of numbers 1 + x is at least 1 and the sum of the x."""
    bound = both(ge(_moment, 1 + EXCESS * _sum(_n) / m), ge(_sum(_n), 0))
    return _of_all_layers(given, bound, [])


@NORMS.proved("at most")
def exponentials_of_terms(given: Given) -> Theorem:
    """1 + x ≤ e^x, and exponentials multiply."""
    over = {x: given.domain[x] for x in (m, asymmetry)} | {_n: sp.Range(sp.oo)}
    added, whole = EXCESS / ((_n + 1) * m), EXCESS * _sum(_n) / m
    tangent = facts.exponential_above_tangent(added, over=over)
    split = facts.exponential_of_sum(EXCESS * _sum(_n + 1) / m, whole, added, over=over)
    bound = both(le(_moment, exp(whole)), ge(_moment, 0))
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
    "order", draws=4000, controls={"no_kink": {"three": 0}, "larger": {"two": 3}, "signed": {"square": 1}}
)
def lengths_at_linear_widths(rng: Rng, draws: int, two: int, three: int, square: int) -> Iterator[MeanTest]:
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

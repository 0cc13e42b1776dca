"""The abstract: whether the NTK needs quadratic widths on its diagonal."""

from collections.abc import Iterator
from math import isqrt
from typing import Any

import sympy as sp
from sympy import Rational, log

from numeric.statistics import MeanTest, mean_test
from symbolic.equality import equal
from theorems.engine import (
    Given,
    Obligations,
    Provenance,
    Severity,
    both,
    ge,
    half_line,
    implies,
    integers,
    le,
    sentence,
)
from theorems.engine.rules import Theorem
from theorems.engine.statements.statement import Sentence
from theorems.eoc_mlp.hypotheses import (
    ABSOLUTE_VALUE,
    ASYMMETRY,
    EQUAL_SCALINGS,
    INPUTS_NONZERO,
    NOT_BOTH_ZERO,
)
from theorems.eoc_mlp.introduction.widths_for_norms import Rng
from theorems.eoc_mlp.letters.matrices import x
from theorems.eoc_mlp.letters.network import K_limiting, K_theta, j, l, m, widths
from theorems.eoc_mlp.letters.table import claim
from theorems.eoc_mlp.one_layer.norms.fourth_moment import NOTE
from theorems.eoc_mlp.premises.substitutions import as_it_stands
from theorems.eoc_mlp.sampling.drawn_once import matrix_draws, seed_of

_WEIGHT = ((l - j) ** 2 + j**2) / l**2

DIAGONAL = claim(
    "eoc.widths.diagonal",
    at="Abstract",
    title="The relative variance of the NTK on the diagonal, to first order in 1/m",
    states={
        "variance": sentence(
            r"\lim_{m\to\infty} m\operatorname{Var}\frac{K_\theta(x,x)}{\tilde K(x,x)}"
            r" = $two\sum_{j=1}^{$l-$one}$weight\,\gamma_j^{$power}",
            two=2,
            one=1,
            weight=_WEIGHT,
            power=-1,
        ),
        "weights": implies(le(j, l), both(ge(_WEIGHT, Rational(1, 2)), le(_WEIGHT, 1))),
    },
    assuming=[ABSOLUTE_VALUE, EQUAL_SCALINGS, INPUTS_NONZERO],
    rests_on=["eoc.fourth_moment"],
    discharging={
        NOT_BOTH_ZERO: "the activation function is the absolute value",
        ASYMMETRY: "it is 0 for the absolute value",
    },
    provenance=Provenance.DERIVED,
    note=NOTE,
    excused={"domain of l": "true as well: one layer has a constant kernel, and the sum no terms"},
)


@DIAGONAL.argued(
    "variance",
    bridge="To first order the k-th summand is the product of the independent chi-squares of the"
    " forward pass below it and of the backward pass above it, each of variance 2 over its width.",
    uses=[ABSOLUTE_VALUE, EQUAL_SCALINGS, INPUTS_NONZERO],
)
def count_the_summands(two: int, one: int, weight: Any, power: int) -> Obligations:
    """Layer j takes part in the forward pass of l - j summands and the backward pass of j."""
    index, place, depth = sp.symbols("i j l", positive=True, integer=True)
    forward = sp.summation(1, (index, place + 1, depth))
    backward = sp.summation(1, (index, 1, place))
    share = (forward**2 + backward**2) / depth**2
    yield "weight", equal(share, weight.subs({j: place, l: depth}))
    above = forward.subs(place, depth - one)
    yield "above the last of them there is one summand", equal(above, sp.Integer(1))
    size, order = sp.symbols("M q", positive=True)
    moment = (2 / size) ** order * sp.gamma(size / 2 + order) / sp.gamma(size / 2)
    spread = sp.simplify(sp.gammasimp(moment.subs(order, 2) - moment.subs(order, 1) ** 2))
    yield "variance of a chi-square over its width", equal(spread, two * size**power)


@DIAGONAL.proved("weights")
def squares_of_shares(given: Given) -> Theorem:
    """x² + (1 - x)² lies between 1/2 and 1 for x in [0, 1]."""
    return given.follows()


@DIAGONAL.estimated(
    "variance", draws=1000, controls={"half": {"two": 1}, "forward_only": {"weight": ((l - j) ** 2) / l**2}}
)
def sampled_kernels(rng: Rng, draws: int, two: int, weight: Any, power: int) -> Iterator[MeanTest]:
    """Mean squares of the relative error, for widths jm, j²m and m; m grows with the draws."""
    for growth, depth, unit in ((1, 8, 200), (2, 6, 100), (0, 6, 400)):
        wide = unit * max(1, isqrt(draws // 1000))
        widths = [wide * layer**growth for layer in range(1, depth)]
        kernels = matrix_draws(seed_of(rng), ((1.0, 0.0),), tuple(widths), (0, 1), draws)
        errors = kernels[:, 0, 0] / depth - 1
        shares = [float(sp.sympify(weight).subs({j: i, l: depth})) for i in range(1, depth)]
        terms = [s * (layer**growth) ** float(power) for layer, s in enumerate(shares, start=1)]
        yield mean_test(wide * errors**2, two * sum(terms))


_UNIFORM = (
    r"\sup_{$l}\lim_{$m\to\infty} $m\operatorname{Var}\frac{$K_theta($x,$x)}{$K_limiting($x,$x)}"
    r" < \infty"
)
_LETTERS = (l, m, K_theta, K_limiting, x, widths)

NECESSARY = claim(
    "eoc.widths.ntk",
    at="Abstract",
    title="Widths have to grow quadratically for the NTK to approximate its limit at every depth",
    states=sentence(
        _UNIFORM + r" \implies \liminf_{k\to\infty}\frac{{$widths}_k}{k^$two} > $zero", two=2, zero=0
    ),
    assuming=[ABSOLUTE_VALUE, EQUAL_SCALINGS, INPUTS_NONZERO],
    rests_on=[DIAGONAL],
    note=NOTE,
)


@NECESSARY.refuted(severity=Severity.FALSE, controls={"linear": {"two": 1}})
def three_halves(two: int, zero: int) -> Obligations:
    """γ_k = ⌈k^(3/2)⌉: the weights are at most 1, and Σ k^(-3/2) is finite."""
    layer = sp.Symbol("k", positive=True, integer=True)
    power = Rational(3, 2)
    finite = sp.Sum(layer**-power, (layer, 1, sp.oo)).is_convergent()
    yield "the sum of 1/γ_k is finite", finite == sp.true
    yield "γ_k/k² tends to 0", sp.limit((layer**power + 1) / layer**two, layer, sp.oo) == zero


CORRECTED = NECESSARY.corrected(
    "eoc.widths.ntk.corrected",
    title="What is necessary and sufficient for the diagonal: summable 1/γ_j; linear widths cost a"
    " logarithm of the depth",
    states={
        "summable": sentence(_UNIFORM + r" \iff \sum_{j=1}^\infty{$widths}_j^{$power} < \infty", power=-1),
        "linear": sentence(
            r"{$widths}_j = j: \quad \lim_{$l\to\infty}\frac{$one}{\log $l}\lim_{$m\to\infty}"
            r" $m\operatorname{Var}\frac{$K_theta($x,$x)}{$K_limiting($x,$x)} = $two",
            one=1,
            two=2,
        ),
    },
    assuming=[ABSOLUTE_VALUE, EQUAL_SCALINGS, INPUTS_NONZERO],
    rests_on=[DIAGONAL],
    note=NOTE,
)


#: For which the evidence is written.
_RANGES = {l: integers(2), m: integers(1), widths: half_line(1)}


@CORRECTED.argued(
    "summable",
    bridge="The limit is between the sum of 1/γ_j over j < l and twice that, as the weights lie"
    " between one half and one.",
    uses=[ABSOLUTE_VALUE, EQUAL_SCALINGS, INPUTS_NONZERO],
    over=_RANGES,
)
def weights_are_bounded(power: int) -> Obligations:
    """The weights of eoc.widths.diagonal are between positive numbers, for every l."""
    bounds = as_it_stands(DIAGONAL, "weights").args[1].args
    numbers = sorted(side for rel in bounds for side in rel.args if side.is_number)
    yield "positive lower bound", bool(numbers[0] > 0)
    yield "finite upper bound", bool(numbers[-1].is_finite)
    variance = DIAGONAL.parts["variance"]
    assert isinstance(variance, Sentence)
    terms = widths ** sp.sympify(variance.values()["power"])
    yield "the terms are weights of this power", equal(terms, widths ** sp.sympify(power))


@CORRECTED.argued(
    "linear",
    bridge="The sum over the layers is carried out exactly.",
    uses=[ABSOLUTE_VALUE, EQUAL_SCALINGS, INPUTS_NONZERO],
    over=_RANGES,
)
def sum_of_weights(one: int, two: int) -> Obligations:
    """2 Σ ((l - j)² + j²)/(l² j) is 2H_{l-1} - 2 + …."""
    place, depth = sp.symbols("j l", positive=True, integer=True)
    term = sp.expand(2 * _WEIGHT.subs({j: place, l: depth}) / place)
    total = sp.summation(term, (place, 1, depth - 1))
    yield "limit", equal(sp.limit(one * total / log(depth), depth, sp.oo), sp.sympify(two))

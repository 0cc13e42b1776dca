"""Lemma 22: products of two derivatives through the values."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import sympy as sp
from sympy import Symbol

from numeric.statistics.means import MeanTest
from symbolic.gaussian.wick import gaussian_mean
from theorems.engine import Given, Obligations, Provenance, Severity, eq, le, sentence
from theorems.engine.rules import E, Random, Theorem, facts, inner
from theorems.engine.rules.vocabulary import independent, randoms
from theorems.infinite_attention.auxiliary.limits_of_products import CONVERGENT_INPUTS
from theorems.infinite_attention.letters.direct_gradients import other_coordinate
from theorems.infinite_attention.letters.gradients import (
    same_place,
    tangent_block,
    tangent_entry,
    tangent_number,
    unit_block,
    value_form,
    weight_a,
    weight_b,
    weight_entry,
    weight_v_i,
    weight_v_j,
)
from theorems.infinite_attention.letters.network import sigma_o, width
from theorems.infinite_attention.letters.table import POSITIVE, claim
from theorems.infinite_attention.sums_over_pairs import Part, by_entries, i, j
from theorems.infinite_attention.tangent_limit.direct.output_weights import (
    OUTPUT_WEIGHTS,
    SAME_PRODUCT,
    VALUES,
    reduced_to_one_column,
)
from theorems.infinite_attention.tangent_limit.indirect.tangents_of_inputs import CONVERGENT_TANGENTS
from theorems.infinite_attention.tangent_limit.proved_means import (
    OF_THE_LAYER,
    SCORES_AND_MOMENTS,
    THE_SUMS,
    TO_THE_LIMIT,
    at_infinite_width,
)
from theorems.infinite_attention.tangent_limit.simulated_layers import DRAWS, TENTH, tests_of_means

_NOTE = "proofs_notes/inf_tangents.md#derivatives-through-the-values"
_BOUNDS = "proofs_notes/inf_tangents.md#bounds-by-hölders-inequality"

ENTRIES = claim(
    "inf.lem22.entries",
    at="Lemma 22, proof",
    title="Two weights of values and two attention weights have a mean at equal coordinates only",
    states=eq(E(weight_v_i * weight_v_j * weight_a * weight_b), same_place * E(weight_a * weight_b)),
    assuming=[VALUES],
    note=_NOTE,
)


@ENTRIES.proved()
def weights_of_values_apart(given: Given) -> Theorem:
    """Weights of values are independent of attention weights."""
    pair = (weight_v_i * weight_v_j, weight_a * weight_b)
    known = given.supposed(VALUES, independent(*pair), eq(E(weight_v_i * weight_v_j), same_place))
    return given.follows(known, facts.expectation_of_independent(*pair))


MEAN = claim(
    "inf.lem22.mean",
    at="Lemma 22, proof",
    title="The sum of Lemma 22 has a mean that is exact at every width",
    states=eq(E(value_form), inner(tangent_block, unit_block) / width * E(weight_a * weight_b)),
    given={sigma_o: POSITIVE},
    assuming=[OUTPUT_WEIGHTS, VALUES],
    rests_on=ENTRIES,
    note=_NOTE,
)
COLUMNS_APART = claim(
    "inf.lem22.columns",
    at="Lemma 22, proof",
    title="The sum of Lemma 22 has the same mean for two different columns of outputs",
    states=sentence(
        r"i \ne j:\quad \mathbb{E} \bar S_n = $factor\, \mathbb{E}[\hat\Theta_{a'1,b'1}"
        r" \tilde G_{ac_1} \tilde G_{bc_2}]",
        factor=1,
    ),
    provenance=Provenance.EXTRACTED,
    note=_NOTE,
)


@COLUMNS_APART.refuted(severity=Severity.SLIP, controls={"the mean zero": {"factor": 0}})
def independent_output_weights(factor: Any) -> Obligations:
    """With one head, column and coordinate, and Θ̂ and attention weights one, the mean is zero."""
    first, second, value = sp.symbols("w_i w_j v")
    law = {(one, one): sp.Integer(1) for one in (first, second, value)}
    apart, same = (
        gaussian_mean(first * other * value**2, [first, second, value], law) for other in (second, first)
    )
    yield "the mean for one column", bool(same == 1)
    yield "the mean for two columns is another one", bool(apart != factor * same)


APART = COLUMNS_APART.corrected(
    "inf.lem22.columns.corrected",
    title="The sum of Lemma 22 for two different columns of outputs has the mean zero",
    states=eq(E(other_coordinate), 0),
    assuming=[OUTPUT_WEIGHTS, SAME_PRODUCT],
    rests_on="inf.lem19.columns",
    note=_NOTE,
)


@APART.proved()
def two_coordinates(given: Given) -> Theorem:
    """As for every part of the kernel: output weights of two coordinates are independent."""
    return given.follows(given.fact("inf.lem19.columns", "different coordinates"))


_COLUMN, _weights = Random("column_of_values"), randoms("weight of the values")
_AT = {
    same_place: sp.Piecewise((1, eq(i, j)), (0, True)),
    **{weight_v_i: _weights(i), weight_v_j: _weights(j)},
}


@MEAN.proved()
def trace_of_the_tangent_kernel(given: Given) -> Theorem:
    """One column is left, and in it equal coordinates."""
    columns = reduced_to_one_column(given, value_form, _COLUMN, scale=sp.Integer(1))
    there = given.substituted(given.fact(ENTRIES), _AT)
    kernel, unit = (sp.Function(f"entry of {one}", real=True)(i, j) for one in (tangent_block, unit_block))
    units = given.meaning("entries of the unit matrix", eq(unit, _AT[same_place]))
    parts = [Part(E(weight_a * weight_b), inner(tangent_block, unit_block), unit)]
    whole, entry = E(width * _COLUMN), there.statement.lhs
    traced = by_entries(given, whole, kernel, entry, parts, there, units, size=width)
    return given.follows(columns, traced)


EQ28 = claim(
    "inf.lem22.eq28",
    at="Equation (28)",
    title="Fourth and eighth moments bound the mean of a product of these powers",
    states=sentence(
        r"\mathbb{E}[{$tangent_any}^$four {$attention_weight}^$eight] \text{ is bounded by }"
        r" \operatorname{poly}(\mathbb{E}[{$tangent_any}^$tangent],"
        r" \mathbb{E}[{$attention_weight}^$weight])",
        four=4,
        eight=8,
        tangent=4,
        weight=8,
    ),
    note=_BOUNDS,
)
_chance = Symbol("p", positive=True)


@EQ28.refuted(severity=Severity.SLIP, controls={"twice the orders": {"tangent": 8, "weight": 16}})
def one_rare_event(four: Any, eight: Any, tangent: Any, weight: Any) -> Obligations:
    """Both large on the same event, as in a network whose inputs are large there."""
    kernel, attention = (_chance ** sp.Rational(-1, order) for order in (tangent, weight))
    for size, order in ((kernel, tangent), (attention, weight)):
        yield "a bounded moment", sp.simplify(_chance * size**order) == 1
    product = sp.simplify(_chance * kernel**four * attention**eight)
    yield "an unbounded product", bool(sp.limit(product, _chance, 0) == sp.oo)


TWICE = EQ28.corrected(
    "inf.lem22.eq28.corrected",
    title="Moments of twice the orders bound the mean of a product of powers",
    states=le(E(tangent_entry**4 * weight_entry**8) ** 2, E(tangent_entry**8) * E(weight_entry**16)),
    note=_BOUNDS,
)


@TWICE.proved()
def cauchy_schwarz(given: Given) -> Theorem:
    """The Cauchy-Schwarz inequality for expectations."""
    return given.follows(facts.expectation_of_product(tangent_entry**4, weight_entry**8))


THROUGH_VALUES = claim(
    "inf.lem22",
    at="Lemma 22",
    title="The derivatives through the values contribute the sum with the input's tangent kernel",
    states=sentence(r"i = j:\quad \Theta^{VV}_{ab} \xrightarrow{P} $factor A" + THE_SUMS, factor=1),
    assuming=[CONVERGENT_INPUTS, CONVERGENT_TANGENTS],
    rests_on=["inf.lem33", *SCORES_AND_MOMENTS, MEAN],
    discharging={
        **OF_THE_LAYER,
        **dict.fromkeys((OUTPUT_WEIGHTS, VALUES), "the weights of the layer are so"),
    },
    note="proofs_notes/inf_tangents.md#simulations",
)


@THROUGH_VALUES.argued(
    uses=[CONVERGENT_INPUTS, CONVERGENT_TANGENTS],
    bridge="Given the inputs the mean at each two tokens is that of one column with its scales, and"
    " A is the sum over both tokens; attention weights do not depend on single coordinates in the"
    " limit." + TO_THE_LIMIT,
    controls={"twice": {"factor": 2}},
)
def mean_of_the_tangent_kernel(given: Given, factor: Any) -> Obligations:
    """The trace of the tangent kernel is the width times its mean, which tends to a number."""
    side = given.fact(MEAN).statement.args[1]
    wide = at_infinite_width(side.xreplace({inner(tangent_block, unit_block): width * tangent_number}))
    yield "the mean", sp.expand(wide - factor * tangent_number * E(weight_a * weight_b)) == 0


@THROUGH_VALUES.estimated(
    uses=[CONVERGENT_INPUTS, CONVERGENT_TANGENTS], draws=DRAWS, controls={"a tenth more": {"factor": TENTH}}
)
def means_through_values(rng: np.random.Generator, draws: int, factor: Any) -> Iterator[MeanTest]:
    """Means over draws."""
    yield from tests_of_means(lambda one: one.values_values, lambda one: factor * one.moved, rng, draws)

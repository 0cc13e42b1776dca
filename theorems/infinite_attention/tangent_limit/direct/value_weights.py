"""Lemma 20: derivatives by the weights of values."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import sympy as sp

from numeric.statistics.means import MeanTest
from theorems.engine import Given, Obligations, Provenance, eq, sentence
from theorems.engine.rules import E, Random, Theorem, Vector, inner
from theorems.infinite_attention.auxiliary.limits_of_products import CONVERGENT_INPUTS
from theorems.infinite_attention.letters.direct_gradients import by_outputs, by_values
from theorems.infinite_attention.letters.gradients import products
from theorems.infinite_attention.letters.kernels import input_ab, weight_products
from theorems.infinite_attention.letters.network import heads, sigma_o, sigma_v, value_width, width
from theorems.infinite_attention.letters.table import claim
from theorems.infinite_attention.tangent_limit.direct.output_weights import (
    INDEPENDENT_HEADS,
    MEAN,
    OUTPUT_WEIGHTS,
    RATE,
    VALUES,
    reduced_to_one_column,
)
from theorems.infinite_attention.tangent_limit.proved_means import (
    OF_THE_LAYER,
    SCORES_AND_MOMENTS,
    TO_THE_LIMIT,
    right_side,
)
from theorems.infinite_attention.tangent_limit.simulated_layers import DRAWS, TENTH, tests_of_means

PART = claim(
    "inf.lem20.mean",
    at="Lemma 20",
    title="The part by the weights of values has the same mean as that by output weights",
    states={
        "part": eq(E(by_values), sigma_o**2 * sigma_v**2 * inner(products, weight_products)),
        "equal": eq(E(by_values), E(by_outputs)),
    },
    given=[
        *(sigma_o, sigma_v, heads, value_width, width),
        *(products, weight_products, by_values, by_outputs),
    ],
    assuming=[OUTPUT_WEIGHTS, VALUES],
    rests_on=MEAN,
    provenance=Provenance.DERIVED,
    note="proofs_notes/inf_tangents.md#means-over-the-output-weights",
)
_COLUMN, _SLOPES = Random("column_by_values"), Vector("products_of_derivatives_of_values")


@PART.proved("part", "equal")
def inputs_in_place_of_values(given: Given) -> Theorem:
    """The derivative of a value by a weight of its column is the input there, with its scale."""
    columns = reduced_to_one_column(given, by_values, _COLUMN)
    one = given.meaning(
        "the products of a column's derivatives, attention weights times derivatives of values",
        eq(E(_COLUMN), inner(_SLOPES, weight_products)),
    )
    entry, weight = sp.symbols("entry weight", real=True)
    slope = sp.diff(sigma_v / sp.sqrt(width) * entry * weight, weight) / entry
    values = given.meaning(
        "the derivatives of values by their weights, of which d coordinates are added",
        eq(inner(_SLOPES, weight_products), slope**2 * width * inner(products, weight_products)),
    )
    return given.follows(columns, one, values, given.fact(MEAN, "part"))


BY_VALUES = claim(
    "inf.lem20",
    at="Lemma 20",
    title="The derivatives by weights of values contribute the kernel once more",
    states=sentence(r"i = j:\quad \Theta^{W^V}_{ab} \xrightarrow{P} $factor \kappa_{ab}", factor=1),
    given=[input_ab],
    assuming=CONVERGENT_INPUTS,
    rests_on=["inf.lem33", *SCORES_AND_MOMENTS, PART, RATE],
    discharging={
        **OF_THE_LAYER,
        **dict.fromkeys((OUTPUT_WEIGHTS, VALUES, INDEPENDENT_HEADS), "the weights of the layer are so"),
    },
    note="proofs_notes/inf_tangents.md#simulations",
)


@BY_VALUES.argued(
    uses=[CONVERGENT_INPUTS],
    bridge="Given the inputs the part is a mean over independent heads of one law." + TO_THE_LIMIT,
    controls={"twice": {"factor": 2}},
)
def kernel_of_the_finite_layer_once_more(factor: Any) -> Obligations:
    """The proved mean is that of the derivatives by output weights, once."""
    yield "the kernel once", sp.expand(right_side(PART, "equal") - factor * E(by_outputs)) == 0


@BY_VALUES.estimated(uses=[CONVERGENT_INPUTS], draws=DRAWS, controls={"a tenth more": {"factor": TENTH}})
def means_by_values(rng: np.random.Generator, draws: int, factor: Any) -> Iterator[MeanTest]:
    """Means over draws."""
    yield from tests_of_means(lambda one: one.by_values, lambda one: factor * one.kernel, rng, draws)

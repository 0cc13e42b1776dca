"""Lemma 20: derivatives by the weights of values."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from sympy import Expr, Function, Sum, Symbol, diff, expand, sqrt, symbols

from numeric.statistics.means import MeanTest
from theorems.engine import Given, Obligations, Provenance, eq, sentence
from theorems.engine.rules import E, Random, Theorem, inner, sums
from theorems.engine.rules.vocabulary import randoms
from theorems.infinite_attention.auxiliary.limits_of_products import CONVERGENT_INPUTS
from theorems.infinite_attention.kernel_limit.finite_widths.widths import MEAN_PRODUCT
from theorems.infinite_attention.letters.direct_gradients import by_outputs, by_values
from theorems.infinite_attention.letters.gradients import products
from theorems.infinite_attention.letters.heads import tokens
from theorems.infinite_attention.letters.kernels import weight_products
from theorems.infinite_attention.letters.network import sigma_o, sigma_v, width
from theorems.infinite_attention.letters.table import claim
from theorems.infinite_attention.sums_over_pairs import Part, by_entries, i, j
from theorems.infinite_attention.tangent_limit.direct.output_weights import (
    INDEPENDENT_HEADS,
    OUTPUT_WEIGHTS,
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
    assuming=[OUTPUT_WEIGHTS, VALUES],
    rests_on="inf.lem19.mean",
    provenance=Provenance.DERIVED,
    note="proofs_notes/inf_tangents.md#means-over-the-output-weights",
)
_COLUMN, _k = Random("column_by_values"), Symbol("k", integer=True, nonnegative=True)


@PART.proved("part", "equal")
def inputs_in_place_of_values(given: Given) -> Theorem:
    """The derivative of a value by a weight of its column is the input there, with its scale."""
    columns = reduced_to_one_column(given, by_values, _COLUMN)
    weights = randoms("weight at a")(i) * randoms("weight at b")(j)
    parts = [Part(sigma_v**2, inner(products, weight_products), MEAN_PRODUCT)]
    entry, derivatives = _products_of_derivatives(given)
    whole = by_entries(given, E(_COLUMN), E(weights), entry, parts, *derivatives, size=tokens)
    return given.follows(columns, whole, given.fact("inf.lem19.mean", "part"))


def _products_of_derivatives(given: Given) -> tuple[Expr, list[Theorem]]:
    """Of the derivatives of two values by the weights of their column: the sum over coordinates."""
    g, h = (Function(f"input at {one}", real=True) for one in ("x", "x'"))
    entry, weight = symbols("entry weight", real=True)
    slope = diff(sigma_v / sqrt(width) * entry * weight, weight)
    there = slope.xreplace({entry: g(i, _k)}) * slope.xreplace({entry: h(j, _k)})
    both = Sum(there, (_k, 0, width - 1))
    name = Function("product of derivatives", real=True)(i, j)
    inputs = Sum(g(i, _k) * h(j, _k), (_k, 0, width - 1)) / width
    said = given.meaning(
        "products of derivatives of values and of inputs", eq(name, both), eq(MEAN_PRODUCT, inputs)
    )
    return name, [said, sums.linear(both, over=given.domain)]


BY_VALUES = claim(
    "inf.lem20",
    at="Lemma 20",
    title="The derivatives by weights of values contribute the kernel once more",
    states=sentence(r"i = j:\quad \Theta^{W^V}_{ab} \xrightarrow{P} $factor \kappa_{ab}", factor=1),
    assuming=CONVERGENT_INPUTS,
    rests_on=["inf.lem33", *SCORES_AND_MOMENTS, PART, "inf.lem19.rate"],
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
    yield "the kernel once", expand(right_side(PART, "equal") - factor * E(by_outputs)) == 0


@BY_VALUES.estimated(uses=[CONVERGENT_INPUTS], draws=DRAWS, controls={"a tenth more": {"factor": TENTH}})
def means_by_values(rng: np.random.Generator, draws: int, factor: Any) -> Iterator[MeanTest]:
    """Means over draws."""
    yield from tests_of_means(lambda one: one.by_values, lambda one: factor * one.kernel, rng, draws)

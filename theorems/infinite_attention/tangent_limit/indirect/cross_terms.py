"""Lemma 25: products of a derivative through the values and one through the scores vanish."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import sympy as sp
from sympy import Rational, Symbol, sqrt

from numeric.statistics.means import MeanTest
from symbolic.gaussian.wick import gaussian_mean
from theorems.engine import Given, Obligations, Provenance, Severity, eq, implies, le, sentence
from theorems.engine.rules import E, Theorem, facts, inner
from theorems.engine.rules.vocabulary import independent
from theorems.infinite_attention.auxiliary.limits_of_products import CONVERGENT_INPUTS
from theorems.infinite_attention.kernel_limit.finite_widths.widths import SCORES_THEMSELVES
from theorems.infinite_attention.letters.gradients import (
    S_ee,
    contracted,
    factor_score,
    factor_weight,
    g_c_i,
    g_c_other,
    mean_cross,
    mixed_slopes,
    row_form,
    tangent_row,
    value_of_c,
    value_of_c_other,
    weight_v_i,
    weight_v_other,
)
from theorems.infinite_attention.letters.network import S_bb, sigma_k, sigma_q, sigma_v, width
from theorems.infinite_attention.letters.table import claim
from theorems.infinite_attention.linear_values import value_with_a_weight
from theorems.infinite_attention.tangent_limit.direct.output_weights import OUTPUT_WEIGHTS, VALUES
from theorems.infinite_attention.tangent_limit.indirect.linear_layer import CROSSED
from theorems.infinite_attention.tangent_limit.indirect.score_derivatives import GAUSSIAN_COLUMN
from theorems.infinite_attention.tangent_limit.indirect.tangents_of_inputs import CONVERGENT_TANGENTS
from theorems.infinite_attention.tangent_limit.linear_tangents import DIAGONAL_TANGENTS
from theorems.infinite_attention.tangent_limit.proved_means import (
    ACTS_ON_ROWS,
    DIAGONAL_CASE,
    OF_THE_LAYER,
    ONE_CASE,
    SCORES_AND_MOMENTS,
    TO_THE_LIMIT,
    at_infinite_width,
    right_side,
)
from theorems.infinite_attention.tangent_limit.simulated_layers import DRAWS, tests_of_means

_NOTE = "proofs_notes/inf_tangents.md#a-squared-product"

PRODUCT = claim(
    "inf.lem25.product",
    at="Equation (34)",
    title="The square of a product is at most the sum of the squares of its factors",
    states=le((factor_weight * factor_score) ** 2, factor_weight**2 + factor_score**2),
    note=_NOTE,
)


@PRODUCT.refuted(severity=Severity.GAP)
def factors_two_and_two() -> dict[Symbol, Any]:
    """The left side has another degree: 16 > 8."""
    return {factor_weight: 2, factor_score: 2}


FOURTH = PRODUCT.corrected(
    "inf.lem25.product.corrected",
    title="The square of a product is at most half the sum of the factors' fourth powers",
    states={
        "bound": le(
            (factor_weight * factor_score) ** 2, Rational(1, 2) * (factor_weight**4 + factor_score**4)
        ),
        "attained": implies(
            eq(factor_weight**2, factor_score**2),
            eq((factor_weight * factor_score) ** 2, Rational(1, 2) * (factor_weight**4 + factor_score**4)),
        ),
    },
    note=_NOTE,
)


@FOURTH.proved("bound", "attained")
def square_of_a_difference(given: Given) -> Theorem:
    """Half the square of A² - B² is what is left."""
    return given.follows()


_MIXED = "proofs_notes/inf_tangents.md#the-second-moment-of-mixed-products"

WEIGHTS = claim(
    "inf.lem25.weights",
    at="Lemma 25, proof",
    title="Two columns of values with weights of their own have a product of inputs as mean",
    states=eq(
        E(weight_v_i * value_of_c * weight_v_other * value_of_c_other), sigma_v**2 / width * g_c_i * g_c_other
    ),
    assuming=[VALUES],
    note=_MIXED,
)


@WEIGHTS.proved()
def two_columns_of_values(given: Given) -> Theorem:
    """A value and its own weight have the input over the root of the width as covariance."""
    first, second = weight_v_i * value_of_c, weight_v_other * value_of_c_other
    known = given.supposed(VALUES, independent(first, second))
    means = [
        value_with_a_weight(given, VALUES, first, g_c_i),
        value_with_a_weight(given, VALUES, second, g_c_other, head="another head"),
    ]
    return given.follows(known, *means, facts.expectation_of_independent(first, second))


MIXED_MEAN = claim(
    "inf.lem25.mean",
    at="Lemma 25, proof",
    title="In the mean a weight of values and a value of its column leave an input",
    states=eq(
        sigma_v / sqrt(width) * E(weight_v_i * value_of_c * mixed_slopes),
        sigma_v**2 / width * g_c_i * E(mixed_slopes),
    ),
    assuming=[VALUES],
    note=_MIXED,
)


@MIXED_MEAN.proved()
def weight_and_value(given: Given) -> Theorem:
    """Both are independent of queries and keys, and have the input as covariance."""
    pair = weight_v_i * value_of_c
    known = given.supposed(VALUES, independent(pair, mixed_slopes))
    mean = value_with_a_weight(given, VALUES, pair, g_c_i)
    return given.follows(known, mean, facts.expectation_of_independent(pair, mixed_slopes))


EQ35 = claim(
    "inf.lem25.eq35",
    at="Equation (35)",
    title="The second term of the second moment has the square of the scale of values",
    states=sentence(
        r"{$sigma_v}^$own $width\, \mathbb{E}[$unit_value_weight $value_any"
        r" $unit_value_weight_other $value_any_other] = {$sigma_v}^$power $value_input"
        r" $value_input_other \text{ for weights and values of two columns}",
        own=2,
        power=2,
    ),
    provenance=Provenance.EXTRACTED,
    note=_MIXED,
)
_sv = Symbol("sigma_V", positive=True)


@EQ35.refuted(severity=Severity.SLIP, controls={"the fourth power": {"power": 4}})
def scales_of_values(own: Any, power: Any) -> Obligations:
    """The sum has one scale in front and one in each value, and is squared."""
    letters = [[Symbol(f"w{column}{k}") for k in range(2)] for column in range(2)]
    inputs = (Rational(3), Rational(2))
    values = [_sv / sqrt(2) * (inputs[0] * w[0] + inputs[1] * w[1]) for w in letters]
    term = letters[0][0] * values[0] * letters[1][1] * values[1]
    law = {(w, w): 1 for column in letters for w in column}
    mean = gaussian_mean(sp.expand(term), [one for one, _ in law], law)
    scaled = _sv**own * 2 * mean / (inputs[0] * inputs[1])
    yield "another power", bool(sp.simplify(scaled / _sv**power) != 1)


EQ35_CORRECTED = EQ35.corrected(
    "inf.lem25.eq35.corrected",
    title="The second term of the second moment has the fourth power of the scale of values",
    states=eq(
        sigma_v**2 * width * E(weight_v_i * value_of_c * weight_v_other * value_of_c_other),
        sigma_v**4 * g_c_i * g_c_other,
    ),
    assuming=[VALUES],
    rests_on=[WEIGHTS],
    note=_MIXED,
)


@EQ35_CORRECTED.proved()
def one_scale_more_for_each_column(given: Given) -> Theorem:
    """The claim on two columns, multiplied."""
    return given.follows(given.fact(WEIGHTS))


COUNT = claim(
    "inf.lem25.eq34",
    at="Equation (34)",
    title="Terms with equal columns and different coordinates of the scores are few",
    states=sentence(
        r"\#\{({$head_of_factor}_1, {$column_of_factor}_1, {$value_place}_1') ="
        r" ({$head_of_factor}_3, {$column_of_factor}_3, {$value_place}_2'),"
        r"\ ({$head_of_factor}_2, {$column_of_factor}_2) ="
        r" ({$head_of_factor}_4, {$column_of_factor}_4),"
        r"\ {$score_place}_1' \ne {$score_place}_2'\} = o(($heads $value_width $width)^$power)",
        power=2,
    ),
    note=_MIXED,
)


@COUNT.refuted(severity=Severity.GAP, controls={"the cube": {"power": 3}})
def number_of_terms(power: Any) -> Obligations:
    """With N columns of all heads there are N² d² (d - 1) of them."""
    columns, d = sp.symbols("N d", positive=True)
    ratio = sp.simplify(columns**2 * d**2 * (d - 1) / (columns * d) ** power)
    wide = sp.limit(ratio.subs(columns, d), d, sp.oo)
    yield "they are not few", bool(wide == sp.oo)


COUNT_CORRECTED = COUNT.corrected(
    "inf.lem25.eq34.corrected",
    title="Together with them the terms are squares, with means bounded by rows of the kernel",
    states=le(E(row_form**2), 2 * sigma_q**2 * sigma_k**2 * (S_bb + S_ee) * inner(tangent_row, tangent_row)),
    assuming=GAUSSIAN_COLUMN,
    rests_on=["inf.lem26.second"],
    note=_MIXED,
)


@COUNT_CORRECTED.proved()
def second_moment_along_a_row(given: Given) -> Theorem:
    """The second moment of Lemma 26, with a row of the kernel for the contracted input."""
    cube = width * sqrt(width)
    bound = given.substituted(
        given.fact("inf.lem26.second", "bound"), {mean_cross: row_form / cube, contracted: tangent_row}
    )
    return given.follows(bound)


MIXED = claim(
    "inf.lem25",
    at="Lemma 25",
    title="Products of derivatives through the values and through the scores vanish",
    states=sentence(r"i = j:\quad \Theta^{VG}_{ab},\ \Theta^{GV}_{ab} \xrightarrow{P} $limit", limit=0),
    assuming=[CONVERGENT_INPUTS, CONVERGENT_TANGENTS, ACTS_ON_ROWS],
    rests_on=["inf.lem33", *SCORES_AND_MOMENTS, CROSSED, "inf.lem26", COUNT_CORRECTED],
    discharging={
        **OF_THE_LAYER,
        **dict.fromkeys((GAUSSIAN_COLUMN, OUTPUT_WEIGHTS, VALUES), "the weights of the layer are so"),
        SCORES_THEMSELVES: ONE_CASE,
        DIAGONAL_TANGENTS: DIAGONAL_CASE,
    },
    note="proofs_notes/inf_tangents.md#simulations",
)


@MIXED.argued(
    uses=[CONVERGENT_INPUTS, CONVERGENT_TANGENTS, ACTS_ON_ROWS],
    bridge="The sums of Lemma 26 tend to zero beside bounded derivatives of weights, and the second"
    " moment is that of rows of the tangent kernel." + TO_THE_LIMIT,
    controls={"one": {"limit": 1}},
)
def mixed_means_at_infinite_width(limit: Any) -> Obligations:
    """Without a nonlinearity the proved mean tends to zero with the width of the input."""
    yield "the limit", bool(at_infinite_width(right_side(CROSSED)) == limit)


@MIXED.estimated(
    uses=[CONVERGENT_INPUTS, CONVERGENT_TANGENTS, ACTS_ON_ROWS],
    draws=DRAWS,
    controls={"a hundredth": {"limit": Rational(1, 100)}},
)
def means_of_mixed_products(rng: np.random.Generator, draws: int, limit: Any) -> Iterator[MeanTest]:
    """Means over draws of both, in layers of which the largest part is about three."""
    yield from tests_of_means(lambda one: one.values_scores, lambda _: limit, rng, draws)
    yield from tests_of_means(lambda one: one.scores_values, lambda _: limit, rng, draws)

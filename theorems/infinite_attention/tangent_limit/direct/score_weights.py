"""Lemma 21: derivatives by the weights of queries and keys, in the mean."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import sympy as sp
from sympy import Expr, Integer, Rational, Sum, Symbol, sqrt

from numeric.networks.multi_head import TangentParts
from numeric.statistics.means import MeanTest
from symbolic.gaussian.wick import gaussian_mean
from theorems.engine import Given, Obligations, Provenance, Severity, eq, rules, sentence
from theorems.engine.rules import E, Random, Theorem, facts, inner, sums
from theorems.engine.rules.vocabulary import independent, randoms
from theorems.infinite_attention.auxiliary.limits_of_products import CONVERGENT_INPUTS
from theorems.infinite_attention.kernel_limit.finite_widths.widths import MEAN_PRODUCT, SCORES_THEMSELVES
from theorems.infinite_attention.letters.direct_gradients import (
    S_values,
    by_keys,
    by_queries,
    score_part,
    slopes_head,
    value_c,
    value_e,
)
from theorems.infinite_attention.letters.gradients import products
from theorems.infinite_attention.letters.heads import tokens
from theorems.infinite_attention.letters.network import S_ab, score_width, sigma_k, sigma_o, sigma_q, sigma_v
from theorems.infinite_attention.letters.table import POSITIVE, claim
from theorems.infinite_attention.linear_values import mean_of_values
from theorems.infinite_attention.sums_over_pairs import Part, by_entries, i, j
from theorems.infinite_attention.tangent_limit.direct.output_weights import (
    INDEPENDENT_HEADS,
    OUTPUT_WEIGHTS,
    SAME_PRODUCT,
    VALUES,
    reduced_to_one_column,
)
from theorems.infinite_attention.tangent_limit.indirect.score_derivatives import GAUSSIAN_COLUMN
from theorems.infinite_attention.tangent_limit.proved_means import (
    ACTS_ON_ROWS,
    FOR_DIFFERENT_COLUMNS,
    FOR_EQUAL_WEIGHTS,
    FOR_INDEPENDENT_WEIGHTS,
    OF_THE_LAYER,
    ONE_CASE,
    SCORES_AND_MOMENTS,
    THE_SUMS,
    TO_THE_LIMIT,
    right_side,
)
from theorems.infinite_attention.tangent_limit.simulated_layers import (
    DRAWS,
    TENTH,
    tests_of_means,
    tests_of_vanishing,
)

_NOTE = "proofs_notes/inf_tangents.md#derivatives-by-queries-and-keys"

PRINTED = claim(
    "inf.lem21.mean",
    at="Lemma 21, proof",
    title="The mean of the part of Lemma 21 has no scale of the values",
    states=sentence(
        r"\mathbb{E}[$score_part] = $equal_columns {$sigma_v}^$power"
        r" \mathbb{E}\bigl[$token_product $slopes_any\bigr], \quad $slopes_any: \text{ the product"
        r" of queries and of derivatives of } $attention_weight",
        power=0,
    ),
    note=_NOTE,
)
_scale = Symbol("sigma_V", positive=True)


@PRINTED.refuted(severity=Severity.SLIP, controls={"the square": {"power": 2}})
def scale_of_values(power: Any) -> Obligations:
    """Two entries of a column of values have σ_V² times the mean product of inputs as mean."""
    weights, first, second = [Symbol(f"w{k}") for k in range(2)], (3, 1), (1, 2)
    values = [
        _scale / sqrt(2) * sum(g * w for g, w in zip(one, weights, strict=True)) for one in (first, second)
    ]
    mean = gaussian_mean(values[0] * values[1], weights, {(w, w): 1 for w in weights})
    inputs = sum(g * h for g, h in zip(first, second, strict=True)) / Integer(2)
    yield "another scale", bool(sp.simplify(mean / inputs / _scale**power) != 1)


CORRECTED = PRINTED.corrected(
    "inf.lem21.mean.corrected",
    title="The mean of the part of Lemma 21 has the square of the scale of the values",
    states=eq(E(score_part), sigma_v**2 * S_values * E(slopes_head)),
    given={sigma_o: POSITIVE},
    assuming=[OUTPUT_WEIGHTS, VALUES],
    note=_NOTE,
)


@CORRECTED.proved()
def values_apart_from_scores(given: Given) -> Theorem:
    """One column of values is left, which is independent of queries and keys."""
    column = value_c * value_e * slopes_head
    columns = reduced_to_one_column(given, score_part, column, scale=Integer(1))
    known = given.supposed(VALUES, independent(value_c * value_e, slopes_head))
    mean = mean_of_values(given, VALUES, value_c * value_e, S_values)
    apart = facts.expectation_of_independent(value_c * value_e, slopes_head)
    return given.follows(columns, known, mean, apart)


_FOURTH = sigma_o**2 * sigma_v**2 * sigma_q**2 * sigma_k**2

LINEAR = claim(
    "inf.lem21.linear",
    at="Lemma 21",
    title="Without a nonlinearity the parts by queries and by keys have their limit as mean",
    states={
        "keys": eq(E(by_keys), _FOURTH * S_ab * inner(products, products)),
        "queries": eq(E(by_queries), _FOURTH * S_ab * inner(products, products)),
    },
    assuming=[OUTPUT_WEIGHTS, VALUES, GAUSSIAN_COLUMN, SCORES_THEMSELVES],
    provenance=Provenance.DERIVED,
    note="proofs_notes/inf_tangents.md#means-over-the-output-weights",
)
_column = Symbol("u", integer=True, nonnegative=True)
_COLUMN, _QUERIES = Random("column_product"), Random("mean_product_of_queries")
_KEYS, _SLOPES = randoms("mean product of keys")(i, j), randoms("products of derivatives")(i, j)


@LINEAR.proved("keys")
def mean_product_of_queries(given: Given) -> Theorem:
    """The sum of V_i V_j σ_K² κ̂_ij over tokens, times the mean product of queries."""
    return given.follows(
        *_over_tokens(given, by_keys, _QUERIES, ("queries", sigma_q, S_ab), sigma_k**2 * MEAN_PRODUCT)
    )


@LINEAR.proved("queries")
def mean_products_of_keys(given: Given) -> Theorem:
    """The sum of V_i V_j times the mean product of keys over tokens, times σ_Q² κ̂_ab."""
    return given.follows(
        *_over_tokens(given, by_queries, _KEYS, ("keys", sigma_k, MEAN_PRODUCT), sigma_q**2 * S_ab)
    )


def _over_columns(given: Given, factor: Expr, name: str, scale: Expr, mean_product: Expr) -> Theorem:
    """The mean product of queries, or of keys, over the columns has the mean of that of any column."""
    at = tuple(one for one in (i, j) if one in factor.free_symbols)
    column = randoms(f"product of two {name} of a column")(_column, *at)
    law: Any = {"scale": scale, "column": [_column], "head": f"a head, for {name}"}
    each = mean_of_values(given, GAUSSIAN_COLUMN, column, mean_product, *at, **law)
    total = Sum(column, (_column, 0, score_width - 1))
    meant = given.meaning("a mean product over the columns", eq(E(factor), E(total / score_width)))
    over = {x: range_ for x, range_ in {**each.over, **meant.over}.items() if x != _column}
    added = sums.summed(each, _column, score_width, over=over)
    known = [meant, added, sums.linear(added.statement.rhs, over=over)]
    return rules.follows(eq(E(factor), scale**2 * mean_product), known, over=over)


def _over_tokens(
    given: Given, part: Random, factor: Expr, mean: tuple[str, Expr, Expr], scale: Expr
) -> list[Theorem]:
    """A part is the sum over tokens of V_i V_j, slopes, a factor of this mean, and a scale."""
    values = randoms("value at x")(i) * randoms("value at x'")(j)
    slopes = randoms("slope of a weight at x")(i) * randoms("slope of a weight at x'")(j)
    known = [
        given.meaning("the chain rule", eq(E(_SLOPES), scale * E(slopes * values * factor))),
        given.supposed(SCORES_THEMSELVES, eq(E(slopes * values * factor), E(values * factor))),
        given.supposed(VALUES, independent(values, factor)),
        mean_of_values(given, VALUES, values, MEAN_PRODUCT, i, j),
        _over_columns(given, factor, *mean),
    ]
    over = {x: range_ for one in known for x, range_ in one.over.items()}
    known.append(facts.expectation_of_independent(values, factor, over=over))
    scales = sigma_v**2 * sigma_q**2 * sigma_k**2 * S_ab
    parts = [Part(scales, inner(products, products), MEAN_PRODUCT**2)]
    whole = by_entries(given, E(_COLUMN), Integer(1), E(_SLOPES), parts, *known, size=tokens)
    return [reduced_to_one_column(given, part, _COLUMN), whole]


_BOTH_PARTS = r"\Theta^{W^Q}_{ai, bj} + \Theta^{W^K}_{ai, bj} \xrightarrow{P} "

BY_SCORES = claim(
    "inf.lem21",
    at="Lemma 21",
    title="The derivatives by weights of queries and of keys contribute a sum of slopes each",
    states={
        "independent queries and keys": sentence(
            FOR_INDEPENDENT_WEIGHTS + _BOTH_PARTS + r"$factor \tilde\kappa_{ab} B" + THE_SUMS, factor=2
        ),
        "equal queries and keys": sentence(FOR_EQUAL_WEIGHTS + _BOTH_PARTS + "$limit", limit=0),
        "different columns": sentence(FOR_DIFFERENT_COLUMNS + _BOTH_PARTS + "$limit", limit=0),
    },
    assuming=[CONVERGENT_INPUTS, ACTS_ON_ROWS],
    rests_on=["inf.lem33", *SCORES_AND_MOMENTS, LINEAR, CORRECTED, "inf.lem19.rate", "inf.lem19.columns"],
    discharging={
        **OF_THE_LAYER,
        **dict.fromkeys(
            (GAUSSIAN_COLUMN, OUTPUT_WEIGHTS, VALUES, INDEPENDENT_HEADS), "the weights of the layer are so"
        ),
        SAME_PRODUCT: "the products here are those of derivatives by these weights",
        SCORES_THEMSELVES: ONE_CASE,
    },
    note="proofs_notes/inf_tangents.md#simulations",
)


@BY_SCORES.argued(
    "independent queries and keys",
    uses=[CONVERGENT_INPUTS, ACTS_ON_ROWS],
    bridge="Given the inputs the part is a mean over independent heads of one law; for any ζ the"
    " products of queries, or of keys, tend to constants beside the derivatives of weights." + TO_THE_LIMIT,
    controls={"once": {"factor": 1}},
)
def slopes_by_queries_and_by_keys(factor: Any) -> Obligations:
    """Without a nonlinearity both parts have the proved mean, and B is |κ̂|² with all scales."""
    both_parts = right_side(LINEAR, "queries") + right_side(LINEAR, "keys")
    stated = factor * S_ab * _FOURTH * inner(products, products)
    yield "both parts", sp.expand(both_parts - stated) == 0


@BY_SCORES.argued(
    "equal queries and keys",
    uses=[CONVERGENT_INPUTS, ACTS_ON_ROWS],
    bridge="Inner products of queries, and of keys, are divided by the score width once more than"
    " their mean products are; the other factors have bounded moments.",
    controls={"one": {"limit": 1}},
)
def mean_products_over_the_score_width(given: Given, limit: Any) -> Obligations:
    """An inner product is d^G times a mean product, and is divided by the power 2τ of d^G."""
    for name in ("queries", "keys"):
        mean_product = given.fact("inf.lem33", name).statement.args[0].args[1]
        for exponent in (Rational(1, 2), Integer(1)):
            divided = mean_product * score_width / score_width ** (2 * exponent)
            wide = sp.limit(divided, score_width, sp.oo)
            if exponent == 1:
                yield f"the limit, by {name}", bool(wide == limit)
            else:
                yield f"a limit that is not zero at one half, by {name}", bool(wide != 0)


@BY_SCORES.argued(
    "different columns",
    uses=[CONVERGENT_INPUTS, ACTS_ON_ROWS],
    bridge="Given the inputs the part is a mean over independent heads of one law, and has the mean"
    " zero; its variance is that of one head over their number.",
    controls={"one": {"limit": 1}},
)
def output_weights_of_two_columns(given: Given, limit: Any) -> Obligations:
    """The proved mean at two coordinates, at every width and for both scalings."""
    mean = given.fact("inf.lem19.columns", "different coordinates").statement.args[1]
    yield "the mean", bool(mean == limit)


def _part(one: TangentParts) -> Any:
    return one.by_queries + one.by_keys


@BY_SCORES.estimated(
    "independent queries and keys",
    uses=[CONVERGENT_INPUTS, ACTS_ON_ROWS],
    draws=DRAWS,
    controls={"a tenth more": {"factor": 2 * TENTH}},
)
def means_by_scores(rng: np.random.Generator, draws: int, factor: Any) -> Iterator[MeanTest]:
    """Means over draws."""
    yield from tests_of_means(_part, lambda one: factor * one.own * one.slopes, rng, draws)


@BY_SCORES.estimated(
    "equal queries and keys",
    uses=[CONVERGENT_INPUTS, ACTS_ON_ROWS],
    draws=DRAWS,
    controls={"a hundredth": {"limit": Rational(1, 100)}},
)
def means_at_equal_weights(rng: np.random.Generator, draws: int, limit: Any) -> Iterator[MeanTest]:
    """Means over draws, with softmax."""
    yield from tests_of_vanishing(_part, limit, rng, draws, different=False)


@BY_SCORES.estimated(
    "different columns",
    uses=[CONVERGENT_INPUTS, ACTS_ON_ROWS],
    draws=DRAWS,
    controls={"a half": {"limit": Rational(1, 2)}},
)
def means_of_two_columns(rng: np.random.Generator, draws: int, limit: Any) -> Iterator[MeanTest]:
    """Means over draws, with ReLU."""
    yield from tests_of_vanishing(_part, limit, rng, draws, different=True)

"""Lemma 19: derivatives by the output weights; and means over these weights, for all lemmas."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import sympy as sp
from sympy import Expr, Function, Integer, Ne, Sum, Symbol
from sympy.logic.boolalg import Boolean

from numeric.statistics.means import MeanTest
from theorems.classical.integers import apart
from theorems.engine import (
    Given,
    Hypothesis,
    Obligations,
    Provenance,
    both,
    eq,
    implies,
    integers,
    rules,
    sentence,
)
from theorems.engine.rules import E, Theorem, facts, inner, sums
from theorems.engine.rules.vocabulary import independent, randoms
from theorems.infinite_attention.auxiliary.limits_of_products import CONVERGENT_INPUTS
from theorems.infinite_attention.kernel_limit.finite_widths.widths import MEAN_PRODUCT
from theorems.infinite_attention.letters.direct_gradients import (
    by_outputs,
    column_a,
    column_b,
    column_product,
    head_part,
    kernel_part,
    other_coordinate,
)
from theorems.infinite_attention.letters.encodings import output_a, output_b
from theorems.infinite_attention.letters.gradients import products
from theorems.infinite_attention.letters.heads import tokens
from theorems.infinite_attention.letters.kernels import weight_products
from theorems.infinite_attention.letters.network import heads, sigma_o, sigma_v, value_width, width
from theorems.infinite_attention.letters.table import claim
from theorems.infinite_attention.linear_values import mean_of_values
from theorems.infinite_attention.sums_over_pairs import Part, by_entries, i, j
from theorems.infinite_attention.tangent_limit.proved_means import (
    OF_THE_LAYER,
    SCORES_AND_MOMENTS,
    TO_THE_LIMIT,
    right_side,
)
from theorems.infinite_attention.tangent_limit.simulated_layers import DRAWS, TENTH, tests_of_means

_NOTE = "proofs_notes/inf_tangents.md#means-over-the-output-weights"

OUTPUT_WEIGHTS = Hypothesis(
    "output_weights",
    "an output of the layer is $sigma_o / sqrt($heads $value_width) times the sum, over all columns"
    " of values of all heads, of a column's output times an output weight; these weights are"
    " standard normal, independent of each other and of all else; all heads, and all columns of a"
    " head, have one law",
    latex=r"f_{ai} = \tfrac{$sigma_o}{\sqrt{$heads $value_width}}"
    r" \sum_{h,k} \tilde W^{h,O}_{ki} f^h_{ak}",
)
SAME_PRODUCT = Hypothesis(
    "same_product",
    "$kernel_part and $other_coordinate are a product of two outputs, or of derivatives of two"
    " outputs by the same parameters, and $column_product is that product for one column",
)
_m, _n = (Symbol(name, integer=True, nonnegative=True) for name in "mn")
_sum, _weight, _product = map(randoms, ("D", "w", "R"))
#: Weights of another coordinate, and the products of two columns.
_other, _both = randoms("w_other"), randoms("R_two")(_m, _n)
_term, _row = (Function(f"mean of a {one}", real=True) for one in ("term", "row"))
_COUNT = heads * value_width


def _double_sum(given: Given, part: Expr, scale: Expr, weight: Any) -> list[Theorem]:
    """A part of the kernel: the sum over two columns of their products, each with its weight."""
    return [
        given.meaning("a term of the double sum", eq(_term(_m, _n), E(_weight(_m) * weight(_n) * _both))),
        given.meaning(
            "the part of the kernel, a double sum over the columns of all heads",
            eq(E(part), scale * Sum(_row(_m), (_m, 0, _COUNT - 1)) / _COUNT),
            eq(_row(_m), Sum(_term(_m, _n), (_n, 0, _COUNT - 1))),
        ),
    ]


def _terms(given: Given, term: Theorem, column: Expr, one_law: Hypothesis) -> tuple[Theorem, Theorem]:
    """Terms of two columns have no mean, and those of one column with itself that of the product.

    By ``one_law`` all products of a column with itself have the mean of the product ``column``.
    """
    own, later, same = _weight(_m), _weight(_n) * _both, _both.subs(_n, _m)
    weights = given.supposed(
        OUTPUT_WEIGHTS,
        *(eq(E(own), 0), eq(E(own**2), 1), independent(own**2, same)),
        implies(Ne(_m, _n), independent(own, later)),
    )
    zero = rules.follows(
        implies(Ne(_m, _n), eq(_term(_m, _n), 0)),
        [term, weights, facts.expectation_of_independent(own, later)],
    )
    law = given.supposed(one_law, eq(E(same), E(column)))
    known = [term.at({_n: _m}), weights, facts.expectation_of_independent(own**2, same), law]
    return zero, rules.follows(eq(_term(_m, _m), E(column)), known)


def reduced_to_one_column(
    given: Given, part: Expr, column: Expr, *, scale: Expr = sigma_o**2, one_law: Hypothesis = OUTPUT_WEIGHTS
) -> Theorem:
    """E part = scale * E column: a part of the kernel, and its summand for one column of a head.

    The part is ``scale`` over their number times the double sum over the columns of all heads, each
    with its output weight.  Of each row of the sum one term has a mean.
    """
    term, rows = _double_sum(given, part, scale, _weight)
    zero, diagonal = _terms(given, term, column, one_law)
    count = Symbol("count", integer=True, nonnegative=True)
    shorter = Sum(_term(_m, _n), (_n, 0, count - 1))
    found = both(implies(_m < count, eq(shorter, _term(_m, _m))), implies(_m >= count, eq(shorter, 0)))
    order = apart(_m, count, over={_m: integers(0), count: integers(0)})
    here = sums.by_recursion(found, count, premises=[zero.at({_n: count}), order]).at({count: _COUNT})
    each = rules.follows(eq(_row(_m), E(column)), [rows, here, diagonal], under=[_m < _COUNT])
    return _added(given, rows, each, eq(E(part), scale * E(column)))


def _added(given: Given, rows: Theorem, each: Theorem, goal: Boolean) -> Theorem:
    """The rows of the double sum, added up."""
    over = {x: range_ for x, range_ in each.over.items() if x != _m} | given.ranging(_COUNT)
    added = sums.summed(each, _m, _COUNT, over=over)
    known = [rows, added, sums.linear(added.statement.rhs, over=over)]
    return rules.follows(goal, known, over={**over, **rows.over})


COLUMNS = claim(
    "inf.lem19.columns",
    at="Appendix B.2.1",
    title="In the mean over output weights each part of a kernel is that of one column of a head",
    states={
        "equal coordinates": eq(E(kernel_part), sigma_o**2 * E(column_product)),
        "different coordinates": eq(E(other_coordinate), 0),
    },
    assuming=[OUTPUT_WEIGHTS, SAME_PRODUCT],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@COLUMNS.proved("equal coordinates")
def weights_are_uncorrelated(given: Given) -> Theorem:
    """Of the products of two columns only those of one with itself have a mean."""
    return reduced_to_one_column(given, kernel_part, column_product, one_law=SAME_PRODUCT)


@COLUMNS.proved("different coordinates")
def weights_of_two_coordinates(given: Given) -> Theorem:
    """Weights of two coordinates are independent, so each pair of columns has the mean 0."""
    term, rows = _double_sum(given, other_coordinate, sigma_o**2, _other)
    own, later = _weight(_m), _other(_n) * _both
    weights = given.supposed(OUTPUT_WEIGHTS, eq(E(own), 0), independent(own, later))
    known = [term, weights, facts.expectation_of_independent(own, later)]
    zero = rules.follows(eq(_term(_m, _n), 0), known)
    over = {_m: integers(0)} | given.ranging(_COUNT)
    row = sums.summed(zero, _n, _COUNT, over=over)
    empty = sums.linear(row.statement.rhs, over=over)
    each = rules.follows(eq(_row(_m), 0), [rows, row, empty], under=[_m < _COUNT])
    return given.follows(_added(given, rows, each, eq(E(other_coordinate), 0)))


_OUTPUT = sigma_o**2 * sigma_v**2
VALUES = Hypothesis(
    "gaussian_values",
    "given the inputs, values are $sigma_v / sqrt($width) times sums of inputs times independent"
    " standard normal weights, which are independent of queries and keys",
    latex=r"V = \tfrac{$sigma_v}{\sqrt{$width}} g \tilde W^V",
)
_BOTH = [*(sigma_o, sigma_v, heads, value_width, width), *(products, weight_products)]

MEAN = claim(
    "inf.lem19.mean",
    at="Lemma 19",
    title="The part by output weights has the kernel of the finite layer as mean, at every width",
    states={
        "part": eq(E(by_outputs), _OUTPUT * inner(products, weight_products)),
        "kernel": eq(E(by_outputs), E(output_a * output_b)),
    },
    assuming=[OUTPUT_WEIGHTS, VALUES],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


def one_column_of_values(given: Given) -> Theorem:
    """E[f¹_a1 f¹_b1] = σ_V² ⟨κ̂, E[G̃ ⊗ G̃]⟩: values are independent of attention weights."""
    weights = randoms("weight at a")(i) * randoms("weight at b")(j)
    values = randoms("value at x")(i) * randoms("value at x'")(j)
    law = given.supposed(VALUES, independent(values, weights))
    known = [law, mean_of_values(given, VALUES, values, MEAN_PRODUCT, i, j)]
    apart = facts.expectation_of_independent(values, weights, over=law.over)
    parts = [Part(sigma_v**2, inner(products, weight_products), MEAN_PRODUCT * E(weights))]
    attended = E(column_a * column_b)
    return by_entries(given, attended, Integer(1), E(values * weights), parts, *known, apart, size=tokens)


def _diagonal(given: Given) -> Theorem:
    """The mean product over all columns of all heads, which have one law."""
    columns, product = heads * value_width, E(column_a * column_b)
    total = Sum(_product(_n), (_n, 0, columns - 1))
    mean = given.meaning(
        "the mean product over all columns of all heads", eq(E(by_outputs), E(sigma_o**2 * total / columns))
    )
    over = {one: one.belongs_to for one in (column_a, column_b)} | given.ranging(columns)
    added = sums.summed(given.supposed(OUTPUT_WEIGHTS, eq(E(_product(_n)), product)), _n, columns, over=over)
    known = [mean, added, sums.linear(added.statement.rhs, over=over)]
    return given.follows(*known, goal=eq(E(by_outputs), sigma_o**2 * product))


@MEAN.proved("part")
def mean_over_columns(given: Given) -> Theorem:
    """The derivative by an output weight is the output of its column."""
    return given.follows(_diagonal(given), one_column_of_values(given))


@MEAN.proved("kernel")
def outputs_are_sums_of_columns(given: Given) -> Theorem:
    """The product of two outputs has the same mean, as different columns are uncorrelated."""
    columns = reduced_to_one_column(given, output_a * output_b, column_a * column_b)
    return given.follows(_diagonal(given), columns)


INDEPENDENT_HEADS = Hypothesis(
    "independent_heads",
    "given the inputs, $kernel_part is the mean over $heads heads of independent terms of one law,"
    " that of $head_part",
    latex=r"$kernel_part = \tfrac{1}{$heads} \sum_h B^h",
)

RATE = claim(
    "inf.lem19.rate",
    at="Appendix B.2.1",
    title="Given the inputs each direct part has the variance of one head over the number of heads",
    states=eq(E(kernel_part**2) - E(kernel_part) ** 2, (E(head_part**2) - E(head_part) ** 2) / heads),
    assuming=[INDEPENDENT_HEADS],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)
_head = randoms("B")


@RATE.proved()
def one_head_more(given: Given) -> Theorem:
    """By induction E S = n E B and E S² = n E B² + n(n - 1)(E B)² for sums over n heads."""
    longer = given.meaning(
        "sums over heads",
        *(eq(E(_sum(0) ** k), 0) for k in (1, 2)),
        *(eq(E(_sum(_n + 1) ** k), E((_sum(_n) + _head(_n)) ** k)) for k in (1, 2)),
    )
    known = given.supposed(
        INDEPENDENT_HEADS,
        *(eq(E(_head(_n) ** k), E(head_part**k)) for k in (1, 2)),
        independent(_sum(_n), _head(_n)),
    )
    mean, square = E(head_part), E(head_part**2)
    moments = rules.induction(
        both(eq(E(_sum(_n)), _n * mean), eq(E(_sum(_n) ** 2), _n * square + _n * (_n - 1) * mean**2)),
        _n,
        0,
        base=[longer],
        step=[longer, known, facts.expectation_of_independent(_sum(_n), _head(_n))],
    )
    here = moments.at({_n: heads})
    averages = given.meaning(
        "the mean over heads", *(eq(E(kernel_part**k), E(_sum(heads) ** k) / heads**k) for k in (1, 2))
    )
    return given.follows(here, averages)


BY_OUTPUTS = claim(
    "inf.lem19",
    at="Lemma 19",
    title="The derivatives by output weights contribute the kernel",
    states=sentence(r"i = j:\quad \Theta^{W^O}_{ab} \xrightarrow{P} $factor \kappa_{ab}", factor=1),
    assuming=CONVERGENT_INPUTS,
    rests_on=["inf.lem33", *SCORES_AND_MOMENTS, MEAN, RATE],
    discharging={
        **OF_THE_LAYER,
        **dict.fromkeys((OUTPUT_WEIGHTS, VALUES, INDEPENDENT_HEADS), "the weights of the layer are so"),
    },
    note="proofs_notes/inf_tangents.md#simulations",
)


@BY_OUTPUTS.argued(
    uses=[CONVERGENT_INPUTS],
    bridge="Given the inputs the part is a mean over independent heads of one law." + TO_THE_LIMIT,
    controls={"twice": {"factor": 2}},
)
def kernel_of_the_finite_layer(factor: Any) -> Obligations:
    """The proved mean is that of the product of two outputs, once."""
    means = right_side(MEAN, "kernel") - factor * E(output_a * output_b)
    yield "the kernel once", sp.expand(means) == 0


@BY_OUTPUTS.estimated(uses=[CONVERGENT_INPUTS], draws=DRAWS, controls={"a tenth more": {"factor": TENTH}})
def means_by_outputs(rng: np.random.Generator, draws: int, factor: Any) -> Iterator[MeanTest]:
    """Means over draws; given the inputs the variance is that of one head over their number."""
    yield from tests_of_means(lambda one: one.by_outputs, lambda one: factor * one.kernel, rng, draws)

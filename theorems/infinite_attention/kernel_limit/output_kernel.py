"""Theorem 3, (II): the covariances of outputs given the inputs, at every number of heads."""

from sympy import Expr, Function, Integer, symbols

from symbolic.gaussian import gaussian_mean
from theorems.engine import Given, Hypothesis, Obligations, Severity, eq, sentence
from theorems.engine.rules import E, Random, Theorem, facts, inner
from theorems.engine.rules.vocabulary import independent, randoms
from theorems.infinite_attention.kernel_limit.one_head import HEADS
from theorems.infinite_attention.kernel_limit.score_covariances import count, product_of_sums
from theorems.infinite_attention.letters.heads import (
    head_a,
    head_b,
    head_next,
    layer_a,
    layer_b,
    layer_next,
    mean_products,
    tokens,
    weighted_ab,
)
from theorems.infinite_attention.letters.kernels import weight_products
from theorems.infinite_attention.letters.network import heads, sigma_o, sigma_v
from theorems.infinite_attention.letters.table import claim
from theorems.infinite_attention.sums_over_pairs import Part, by_entries, i, j

_AT = "Theorem 3; Equation (7)"
_NOTE = "proofs_notes/inf_kernels.md#outputs-of-the-layer"

LAYER = Hypothesis(
    "sum_of_heads",
    "an output of the layer is the sum of those of its $heads heads, divided by the root of their"
    " number; given the inputs, the heads are independent and have one law",
    latex=r"f = \tfrac{1}{\sqrt{$heads}} \textstyle\sum_h \tilde f^h",
)

PRINTED = claim(
    "inf.thm3.kernel",
    at=_AT,
    title="The kernel of the outputs is that of the inputs, weighted by the attention of a head",
    states=sentence(
        r"$output_kernel($one_input, $other_input) = $scale \textstyle\sum_{i, j}"
        r" {$input_kernel}_{ij}($one_input, $other_input)"
        r" \mathbb{E}[$score_map($head_scores($one_input))_{ai}"
        r" $score_map($head_scores($other_input))_{bj}] \text{ at all scales } $sigma_o, $sigma_v",
        scale=1,
    ),
    note=_NOTE,
)


@PRINTED.refuted(severity=Severity.DEPENDENCE, controls={"scaled": {"scale": 4}})
def output_weights_of_twice_the_size(scale: int) -> Obligations:
    """One token, one head, one value, no nonlinearity, the kernel 1, and the scales 2 and 1."""
    weight, value, score = letters = symbols("w V G", real=True)
    squares = {weight: 4, value: 1, score: 1}
    variance = gaussian_mean(
        (weight * value * score) ** 2, letters, lambda one, other: squares[one] * (one == other)
    )
    yield "the variance is not the printed one", bool(variance != scale)


CORRECTED = PRINTED.corrected(
    "inf.thm3.kernel.corrected",
    title="The covariances of outputs given the inputs are those of (7) with scales, at all widths",
    states={
        "same column": eq(
            E(layer_a * layer_b), sigma_o**2 * sigma_v**2 * inner(mean_products, weight_products)
        ),
        "other column": eq(E(layer_a * layer_next), 0),
    },
    assuming=[HEADS, LAYER],
    rests_on=["inf.lem10.corrected", "inf.lem9"],
    note=_NOTE,
)

layer_sum, layer_sum_b = randoms("F"), randoms("F'")
one_more, one_more_b = randoms("f")(count), randoms("f'")(count)


def _sums_of_heads(given: Given, one: Expr, second: Random) -> list[Theorem]:
    """The covariance of sums of independent centred heads is their number times that of one."""
    pairs = ((layer_sum(count), one_more_b), (one_more, layer_sum_b(count)))
    copies = given.supposed(
        LAYER,
        eq(E(one_more), E(head_a)),
        eq(E(one_more_b), E(second)),
        eq(E(one_more * one_more_b), E(head_a * second)),
        *(independent(*pair) for pair in pairs),
    )
    known = [
        copies,
        *(facts.expectation_of_independent(*pair) for pair in pairs),
        given.fact("inf.lem9", "mean"),
        _other_token(given, second),
    ]
    terms = ((layer_sum, one_more), (layer_sum_b, one_more_b))
    sums = product_of_sums(given, terms, one, known)
    return [sums.at({count: heads})]


def _other_token(given: Given, second: Random) -> Theorem:
    """Outputs at the other token and in the other column are centred as well."""
    return given.substituted(given.fact("inf.lem9", "mean"), {head_a: second})


def _layer(given: Given, second: Random) -> Theorem:
    """Outputs are sums over the heads, divided by the root of their number."""
    product = layer_sum(heads) * layer_sum_b(heads)
    return given.supposed(LAYER, eq(E(layer_a * second), E(product) / heads))


def mean_by_weights(given: Given) -> Theorem:
    """The mean of a weighted mean product is the sum of mean products times means of two weights."""
    weights = randoms("weight at a")(i) * randoms("weight at b")(j)
    kernel, mean = (Function(f"entry of {one}", real=True)(i, j) for one in (mean_products, weight_products))
    entries = given.meaning("means of products of weights", eq(mean, E(weights)))
    parts = [Part(Integer(1), inner(mean_products, weight_products), mean)]
    return by_entries(given, E(weighted_ab), kernel, E(weights), parts, entries, size=tokens)


@CORRECTED.proved("same column")
def mean_over_heads(given: Given) -> Theorem:
    """By induction on the number of heads."""
    sums = _sums_of_heads(given, E(head_a * head_b), head_b)
    one = given.fact("inf.lem10.corrected", "same column")
    return given.follows(*sums, _layer(given, layer_b), one, mean_by_weights(given))


@CORRECTED.proved("other column")
def outputs_of_two_columns(given: Given) -> Theorem:
    """Those of one head are uncorrelated."""
    sums = _sums_of_heads(given, E(head_a * head_next), head_next)
    one = given.fact("inf.lem10.corrected", "other column")
    return given.follows(*sums, _layer(given, layer_next), one)

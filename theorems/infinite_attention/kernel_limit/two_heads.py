"""Lemma 11: fourth moments of outputs of two heads, or twice of the same head."""

from collections.abc import Callable

from sympy import Expr, Symbol, symbols

from symbolic.gaussian import gaussian_mean
from theorems.engine import Choice, Given, Obligations, Provenance, Severity, eq, sentence
from theorems.engine.rules import E, Theorem, facts, inner
from theorems.engine.rules.vocabulary import independent
from theorems.infinite_attention.auxiliary.limits_of_products import CONVERGENT_INPUTS
from theorems.infinite_attention.auxiliary.moment_propagation import OF_A_LAYER
from theorems.infinite_attention.gaussian_sums import sums_with_one_factor, with_u, with_w
from theorems.infinite_attention.kernel_limit.finite_widths.kurtosis import given_scores
from theorems.infinite_attention.kernel_limit.one_head import HEADS
from theorems.infinite_attention.kernel_limit.output_kernel import mean_by_weights
from theorems.infinite_attention.kernel_limit.score_covariances import PROJECTIONS
from theorems.infinite_attention.kernel_limit.scores.bounds_of_moments import NORMAL_FORM
from theorems.infinite_attention.letters.heads import (
    head_a,
    head_a_next,
    head_b,
    head_c,
    head_d,
    mean_products,
    weighted_aa,
    weighted_ab,
    weighted_cd,
)
from theorems.infinite_attention.letters.kernels import weight_products
from theorems.infinite_attention.letters.network import score_width, sigma_o, sigma_v, value_width
from theorems.infinite_attention.letters.scores import projection
from theorems.infinite_attention.letters.table import SIZE, claim

_NOTE = "proofs_notes/inf_kernels.md#fourth-moments-of-two-heads"
_INPUTS = "proofs_notes/inf_kernels.md#scores-of-both-inputs"
_SCALES = sigma_o**2 * sigma_v**2

Columns = Callable[[int, int, int, int], int]


def _one_pairing(i: int, j: int, k: int, m: int) -> int:
    return int(i == j and k == m)


def _all_pairings(i: int, j: int, k: int, m: int) -> int:
    return _one_pairing(i, j, k, m) + int(i == k and j == m) + int(i == m and j == k)


PRINTED = claim(
    "inf.lem11",
    at="Lemma 11",
    title="Output weights pair within the first two and the last two factors, for any two heads",
    states=sentence(
        r"\mathbb{E}[{$output_noise}^h_i {$output_noise}^h_j {$output_noise}^{h'}_k"
        r" {$output_noise}^{h'}_l] = $pairings \text{ for any heads } h, h'",
        pairings=Choice(r"\delta_{i=j} \delta_{k=l}", _one_pairing),
    ),
    note=_NOTE,
)


@PRINTED.refuted(
    severity=Severity.GAP,
    controls={
        "all": {
            "pairings": Choice(
                r"\delta_{i=j} \delta_{k=l} + \delta_{i=k} \delta_{j=l} + \delta_{i=l}"
                r" \delta_{j=k}",
                _all_pairings,
            )
        }
    },
)
def one_head_and_two_columns(pairings: Columns) -> Obligations:
    """One head, with the columns i = k and j = l."""
    first, second = symbols("e_1 e_2", real=True)
    mean = gaussian_mean(
        first * second * first * second,
        [first, second],
        {(first, first): 1, (second, second): 1, (first, second): 0},
    )
    yield "the mean is not the printed one", bool(mean != pairings(1, 2, 1, 2))


CORRECTED = PRINTED.corrected(
    "inf.lem11.corrected",
    title="Fourth moments factorise for two heads, and depend on the number of values for one",
    states={
        "two heads": eq(E(head_a * head_b * head_c * head_d), _SCALES**2 * E(weighted_ab) * E(weighted_cd)),
        "one head": eq(E(head_a**4), 3 * (1 + 2 / value_width) * _SCALES**2 * E(weighted_aa**2)),
        "two columns": eq(
            E(head_a**2 * head_a_next**2), (1 + 2 / value_width) * _SCALES**2 * E(weighted_aa**2)
        ),
    },
    assuming=HEADS,
    rests_on=["inf.lem10.corrected", "inf.thm3.kurtosis.head"],
    note=_NOTE,
)


@CORRECTED.proved("two heads")
def independent_given_the_inputs(given: Given) -> Theorem:
    """The product of two covariances, each as in Lemma 10."""
    pairs = head_a * head_b, head_c * head_d
    first = given.fact("inf.lem10.corrected", "same column")
    second = given.substituted(first, {head_a: head_c, head_b: head_d, weighted_ab: weighted_cd})
    apart = given.supposed(HEADS, independent(*pairs))
    return given.follows(first, second, apart, facts.expectation_of_independent(*pairs))


@CORRECTED.proved("one head")
def moments_of_one_output(given: Given) -> Theorem:
    """As for the kurtosis."""
    return given.follows(given.fact("inf.thm3.kurtosis.head", "fourth"))


@CORRECTED.proved("two columns")
def weights_of_both_columns(given: Given) -> Theorem:
    """Given the scores, each column of values adds a normal variable times either weight."""
    squares = with_w(value_width) ** 2 * with_u(value_width) ** 2
    factor = value_width * (value_width + 2)
    known = given_scores(given, sums_with_one_factor, squares, head_a**2 * head_a_next**2, factor)
    return given.follows(known)


LIMIT = claim(
    "inf.lem11.limit",
    at="Lemma 11",
    title="Mixed fourth moments of two heads converge, and those of one head are bounded",
    states=sentence(
        r"\mathbb{E}[\gamma_{n,h} \gamma_{n,h} \gamma_{n,h'} \gamma_{n,h'}] \to \sigma_*^{$order}"
        r" \text{ for } h \ne h', \text{ and at most } $factor \, \mathbb{E}[v_n v_n] \text{ for }"
        r" h = h', \ v_n \text{ the variance given inputs and scores}",
        order=4,
        factor=9,
    ),
    assuming=[PROJECTIONS, HEADS, CONVERGENT_INPUTS],
    rests_on=[CORRECTED, "inf.lem10.limit", "inf.lem17.moments", "inf.lem32", "inf.lem33"],
    discharging={
        **OF_A_LAYER,
        NORMAL_FORM: "given inputs and scores, a value adds such a form to a projection",
    },
    note=_NOTE,
)


@LIMIT.argued(
    bridge="Given the inputs the mean for two heads is the product of two variances, of which each"
    " converges to that of the limit in probability, with bounded moments; for one head a"
    " projection is, given the scores, a bilinear form of normal vectors for each value.",
    uses=[PROJECTIONS, HEADS, CONVERGENT_INPUTS],
    over={score_width: SIZE, value_width: SIZE},
)
def two_variances(order: int, factor: int, given: Given) -> Obligations:
    """The powers of the scales, and the kurtosis with a single value, which is the largest."""
    scale = Symbol("s", positive=True)
    means = {E(one): scale**2 for one in (weighted_ab, weighted_cd)}
    product = given.fact(CORRECTED, "two heads").statement.rhs.subs({sigma_o: 1, sigma_v: 1})
    yield "two heads", bool(product.xreplace(means) == scale**order)
    one = given.fact(CORRECTED, "one head").statement.rhs.subs({sigma_o: 1, sigma_v: 1})
    bound = given.fact("inf.lem17.moments", "bound").statement.rhs
    yield "projections", bool(bound == factor * E(projection**2) ** 2)
    yield "one value", bool(one.subs(value_width, 1) == factor * E(weighted_aa**2))


SCORES_OF_ONE_INPUT = claim(
    "inf.lem11.inputs",
    at="Lemma 11",
    title="The product of a head's outputs at two inputs has the scores of the first one twice",
    states=sentence(
        r"\mathbb{E}[$head_row_s $head_row_t] = \operatorname{Var}($value_weight) \,"
        r" \mathbb{E}[$score_map($head_scores($input_s))_{a\cdot} $products($input_s, $input_t)"
        r" $score_map($head_scores($second))_{b\cdot}^\top]",
        second=Choice("s", "first input"),
    ),
    provenance=Provenance.EXTRACTED,
    note=_INPUTS,
)


def _mean_of_products(second: str) -> tuple[Expr, Expr]:
    """The mean of two outputs and the right side: one token, and the inputs 1 and 2."""
    query, key, value = letters = symbols("Q K V", real=True)

    def score(size: int) -> Expr:
        return size**2 * query * key

    def mean(of: Expr) -> Expr:
        return gaussian_mean(of, letters, lambda one, other: int(one == other))

    outputs = mean(score(1) * value * score(2) * (2 * value))
    return outputs, mean(score(1) * 2 * score(1 if second == "first input" else 2))


@SCORES_OF_ONE_INPUT.refuted(
    severity=Severity.SLIP, controls={"both": {"second": Choice("t", "second input")}}
)
def inputs_of_two_sizes(second: str) -> Obligations:
    """At an input of twice the size the score is four times as large."""
    outputs, printed = _mean_of_products(second)
    _, both = _mean_of_products("second input")
    yield "the mean is not the printed one", bool(outputs != printed)
    yield "it is that with the scores of both inputs", bool(outputs == both)


BOTH_INPUTS = SCORES_OF_ONE_INPUT.corrected(
    "inf.lem11.inputs.corrected",
    title="The product of a head's outputs at two inputs has the scores of both",
    states=eq(E(head_a * head_b), sigma_o**2 * sigma_v**2 * inner(mean_products, weight_products)),
    assuming=HEADS,
    rests_on="inf.lem10.corrected",
    note=_INPUTS,
)


@BOTH_INPUTS.proved()
def covariance_of_one_head(given: Given) -> Theorem:
    """As in Lemma 10, with the weights of token a at the first input and of b at the second."""
    return given.follows(given.fact("inf.lem10.corrected", "same column"), mean_by_weights(given))

"""Theorem 3: which of the widths must grow, and for what."""

from sympy import Abs, Expr, Function

from theorems.engine import Given, Hypothesis, Provenance, eq, gt, le, rules
from theorems.engine.rules import E, Random, Theorem, Vector, facts, inner
from theorems.engine.rules.vocabulary import randoms
from theorems.infinite_attention.gaussian_sums import n, products, sums_of_products
from theorems.infinite_attention.kernel_limit.finite_widths.kurtosis import ALIVE
from theorems.infinite_attention.kernel_limit.one_head import HEADS
from theorems.infinite_attention.kernel_limit.output_kernel import LAYER
from theorems.infinite_attention.kernel_limit.score_covariances import PROJECTIONS
from theorems.infinite_attention.letters.heads import (
    layer_a,
    layer_b,
    layer_excess,
    mean_products,
    tokens,
    weighted_aa,
)
from theorems.infinite_attention.letters.kernels import weight_products
from theorems.infinite_attention.letters.network import (
    S_aa,
    S_ab,
    S_ii,
    S_ij,
    heads,
    score_width,
    sigma_k,
    sigma_o,
    sigma_q,
    sigma_v,
)
from theorems.infinite_attention.letters.scores import score_ai, score_bj
from theorems.infinite_attention.letters.table import claim
from theorems.infinite_attention.sums_over_pairs import Part, by_entries, i, j

_AT = "Theorem 3"
_NOTE = "proofs_notes/inf_kernels.md#widths"
_W = weighted_aa

WIDTHS = claim(
    "inf.thm3.widths",
    at=_AT,
    title="Many heads bring the excess kurtosis of outputs to zero, and many values alone need not",
    states={
        "heads": le(Abs(layer_excess), 3 * (3 * E(_W**2) / E(_W) ** 2 - 1) / heads),
        "values": gt(layer_excess, 3 * (E(_W**2) / E(_W) ** 2 - 1) / heads),
    },
    assuming=[HEADS, LAYER, ALIVE],
    rests_on="inf.thm3.kurtosis",
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@WIDTHS.proved("heads", "values")
def between_one_and_infinitely_many_values(given: Given) -> Theorem:
    """1 + 2/d^V lies between 1 and 3, and the second moment above the square of the mean."""
    spread = facts.expectation_of_square(_W)
    return given.follows(given.fact("inf.thm3.kurtosis", "excess"), spread)


SCORE_MOMENTS = claim(
    "inf.thm3.widths.scores",
    at=_AT,
    title="Scores are not normal unless the number of columns of queries and keys grows",
    states={
        "second": eq(E(score_ai**2), sigma_q**2 * sigma_k**2 * S_aa * S_ii),
        "fourth": eq(E(score_ai**4), (3 + 6 / score_width) * E(score_ai**2) ** 2),
    },
    assuming=PROJECTIONS,
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@SCORE_MOMENTS.proved("second", "fourth")
def sums_over_columns(given: Given) -> Theorem:
    """A score is a sum of independent products of two normal variables, divided by a root."""
    variances = sigma_q**2 * S_aa, sigma_k**2 * S_ii
    end = sums_of_products(given, PROJECTIONS, variances).at({n: score_width})
    Z = products(score_width)
    scores = given.meaning(
        "a score, the sum over the columns divided by a root",
        *(eq(E(score_ai**p), E(Z**p) / score_width ** (p // 2)) for p in (2, 4)),
    )
    return given.follows(end, scores)


SCORES_THEMSELVES = Hypothesis("identity_of_scores", "the map of the scores is the identity")

LINEAR = claim(
    "inf.thm3.widths.identity",
    at=_AT,
    title="The kernel with the identity as map of the scores does not depend on their width",
    states=eq(
        E(layer_a * layer_b),
        sigma_o**2 * sigma_v**2 * sigma_q**2 * sigma_k**2 * S_ab * inner(mean_products, mean_products),
    ),
    assuming=[PROJECTIONS, HEADS, LAYER, SCORES_THEMSELVES],
    rests_on=["inf.thm3.kernel.corrected", "inf.thm3.scores.corrected"],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


#: By tokens: mean products of inputs, and attention weights of a at one input and of b at another.
MEAN_PRODUCT = Function("mean product of tokens", real=True)(i, j)
WEIGHTS = randoms("weight at a")(i) * randoms("weight at b")(j)


def mean_product_of_weights(given: Given, pair: tuple[Random, Random], covariance: Theorem) -> Theorem:
    """Attention weights are scores, of which the ``pair`` has the covariance that is known."""
    scores = randoms("score at a")(i), randoms("score at b")(j)
    there = given.substituted(covariance, {**dict(zip(pair, scores, strict=True)), S_ij: MEAN_PRODUCT})
    same = given.supposed(SCORES_THEMSELVES, eq(E(WEIGHTS), E(scores[0] * scores[1])))
    return rules.follows(eq(E(WEIGHTS), there.statement.rhs), [there, same])


def products_with_weights(
    given: Given, matrix: Vector, pair: tuple[Random, Random], covariance: Theorem, queries: Expr = S_ab
) -> Theorem:
    """What the matrix of mean products of inputs has with means of products of attention weights.

    That at the tokens of both queries is ``queries``.
    """
    mean = Function("mean product of weights", real=True)(i, j)
    entries = given.meaning("means of products of weights", eq(mean, E(WEIGHTS)))
    known = mean_product_of_weights(given, pair, covariance)
    parts = [Part(sigma_q**2 * sigma_k**2 * queries, inner(matrix, matrix), MEAN_PRODUCT)]
    whole = inner(matrix, weight_products)
    return by_entries(given, whole, MEAN_PRODUCT, mean, parts, entries, known, size=tokens)


@LINEAR.proved()
def covariances_of_scores(given: Given) -> Theorem:
    """The means of products of attention weights are covariances of scores, at every width."""
    scores = given.fact("inf.thm3.scores.corrected", "one head")
    weights = products_with_weights(given, mean_products, (score_ai, score_bj), scores)
    return given.follows(given.fact("inf.thm3.kernel.corrected", "same column"), weights)

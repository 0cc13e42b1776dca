"""Theorem 3, (I): the covariances of scores given the inputs, which are those of the limit."""

from collections.abc import Iterable
from typing import Any

from sympy import Expr, Integer, Symbol, sqrt, symbols

from symbolic.gaussian import gaussian_mean
from theorems.engine import Given, Hypothesis, Obligations, Severity, eq, integers, rules, sentence
from theorems.engine.rules import E, Random, Theorem, facts
from theorems.engine.rules.vocabulary import independent, randoms
from theorems.infinite_attention.letters.kernels import input_ab
from theorems.infinite_attention.letters.layers import one_input, other_input
from theorems.infinite_attention.letters.network import S_ab, S_ij, score_width, sigma_k, sigma_q
from theorems.infinite_attention.letters.rectified import kernel_ij
from theorems.infinite_attention.letters.scores import score_ai, score_bj, score_other
from theorems.infinite_attention.letters.table import claim

_AT = "Theorem 3"
_NOTE = "proofs_notes/inf_scores.md#covariances"

PROJECTIONS = Hypothesis(
    "gaussian_projections",
    "given the inputs, the $score_width columns of the queries of a head are independent centred"
    " normal vectors over all tokens of all inputs, with the squared scale of their weights times"
    " the inputs' mean products as covariances, and so are those of the keys; queries, keys and"
    " different heads are independent",
    latex=r"G = Q K^\top / \sqrt{$score_width}, \quad Q_{\cdot u} \sim \mathcal{N}(0, \sigma_Q^2"
    r" \hat\kappa), \ K_{\cdot u} \sim \mathcal{N}(0, \sigma_K^2 \hat\kappa)"
    r" \text{ independent}",
)

PRINTED = claim(
    "inf.thm3.scores",
    at=_AT,
    title="The covariance of scores is the product of two entries of the input's kernel",
    states=sentence(
        r"\mathbb{E}[$score_ai $score_bj] = $scale \, $input_ab($one_input, $other_input)"
        r" $kernel_ij($one_input, $other_input) \text{ at all scales } $sigma_q, $sigma_k",
        scale=1,
    ),
    given=[score_ai, score_bj, input_ab, kernel_ij, one_input, other_input, sigma_q, sigma_k],
    note=_NOTE,
)


@PRINTED.refuted(severity=Severity.DEPENDENCE, controls={"scaled": {"scale": 4}})
def queries_of_twice_the_size(scale: int) -> Obligations:
    """One token, the kernel 1, and the scales 2 and 1."""
    query, key = symbols("Q K", real=True)
    variance = gaussian_mean(
        query**2 * key**2, [query, key], {(query, query): 4, (key, key): 1, (query, key): 0}
    )
    yield "the variance is not the printed one", bool(variance != scale)


CORRECTED = PRINTED.corrected(
    "inf.thm3.scores.corrected",
    title="The covariances of scores given the inputs are those of the limit, at every width",
    states={
        "one head": eq(E(score_ai * score_bj), sigma_q**2 * sigma_k**2 * S_ab * S_ij),
        "two heads": eq(E(score_ai * score_other), 0),
    },
    given=[*(score_ai, score_bj, score_other), *(sigma_q, sigma_k, S_ab, S_ij, score_width)],
    assuming=PROJECTIONS,
    note=_NOTE,
)

#: How many columns have been added up.
count = Symbol("u", integer=True, nonnegative=True)
COUNTED = {count: integers(0)}
first_sum, second_sum = randoms("S"), randoms("T")
#: A family of sums, and the term by which the next one is longer.
Summand = tuple[Any, Expr]
_Qa, _Qb, _Ki, _Kj = map(randoms, ("Q_a", "Q_b", "K_i", "K_j"))
_other = randoms("Q_b'")(count) * randoms("K_j'")(count)


def product_of_sums(
    given: Given, terms: tuple[Summand, Summand], one: Expr, known: Iterable[Theorem]
) -> Theorem:
    """E S_u T_u = u times ``one`` for sums of u terms, where E XY is one and E SY = E XT = 0."""
    (S, X), (T, Y) = terms
    none = given.meaning("sums of no terms", eq(E(S(0) * T(0)), 0))
    longer = given.meaning(
        "sums with one term more", eq(E(S(count + 1) * T(count + 1)), E((S(count) + X) * (T(count) + Y)))
    )
    goal = eq(E(S(count) * T(count)), count * one)
    return rules.induction(goal, count, 0, base=[none], step=[longer, *known])


def _scores(given: Given, pair: tuple[Random, Random], sums: Theorem) -> Theorem:
    """Scores are sums over the columns, divided by the root of their number."""
    end = sums.at({count: score_width})
    product = first_sum(score_width) * second_sum(score_width)
    scores = given.meaning(
        "a score, the sum over the columns divided by a root",
        eq(E(pair[0] * pair[1]), E(product) / sqrt(score_width) ** 2),
    )
    return given.follows(end, scores)


def _uncorrelated(given: Given, X: Expr, Y: Expr) -> list[Theorem]:
    """E SY = E XT = 0, as columns are independent of those before, and products are centred."""
    pairs = ((first_sum(count), Y), (X, second_sum(count)))
    said = [independent(*pair) for pair in pairs]
    return [
        given.supposed(PROJECTIONS, eq(E(X), 0), eq(E(Y), 0), *said),
        *(facts.expectation_of_independent(*pair) for pair in pairs),
    ]


@CORRECTED.proved("one head")
def sum_over_columns(given: Given) -> Theorem:
    """Each of the columns adds σ_Q²σ_K² S_ab S_ij, by induction."""
    queries, keys = _Qa(count) * _Qb(count), _Ki(count) * _Kj(count)
    X, Y = _Qa(count) * _Ki(count), _Qb(count) * _Kj(count)
    covariances = given.supposed(
        PROJECTIONS,
        eq(E(queries), sigma_q**2 * S_ab),
        eq(E(keys), sigma_k**2 * S_ij),
        independent(queries, keys),
    )
    known = [covariances, facts.expectation_of_independent(queries, keys), *_uncorrelated(given, X, Y)]
    one = sigma_q**2 * sigma_k**2 * S_ab * S_ij
    sums = product_of_sums(given, ((first_sum, X), (second_sum, Y)), one, known)
    return _scores(given, (score_ai, score_bj), sums)


@CORRECTED.proved("two heads")
def matrices_of_another_head(given: Given) -> Theorem:
    """Columns of different heads are independent and centred."""
    X, Y = _Qa(count) * _Ki(count), _other
    apart = given.supposed(PROJECTIONS, independent(X, Y))
    known = [apart, facts.expectation_of_independent(X, Y), *_uncorrelated(given, X, Y)]
    sums = product_of_sums(given, ((first_sum, X), (second_sum, Y)), Integer(0), known)
    return _scores(given, (score_ai, score_other), sums)

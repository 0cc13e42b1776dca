"""Theorem 3, (I): the covariances of scores given the inputs, which are those of the limit."""

from collections.abc import Iterable
from typing import Any

from sympy import Expr, Symbol, sqrt, symbols

from symbolic.gaussian import gaussian_mean
from theorems.engine import Given, Hypothesis, Obligations, Severity, eq, integers, rules, sentence
from theorems.engine.rules import E, Random, Theorem, facts
from theorems.engine.rules.vocabulary import independent, randoms
from theorems.infinite_attention.letters.network import S_ab, S_ij, score_width, sigma_k, sigma_q
from theorems.infinite_attention.letters.scores import score_ai, score_bj, score_other
from theorems.infinite_attention.letters.table import claim
from theorems.infinite_attention.linear_values import mean_of_values

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
    assuming=PROJECTIONS,
    note=_NOTE,
)

#: How many columns have been added up.
count = Symbol("u", integer=True, nonnegative=True)
COUNTED = {count: integers(0)}
first_sum, second_sum = randoms("S"), randoms("T")
#: A family of sums, and the term by which the next one is longer.
Summand = tuple[Any, Expr]


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


def _scores(
    given: Given, law: Hypothesis, pair: tuple[Random, Random], terms: tuple[Expr, Expr], one: Theorem
) -> Theorem:
    """Scores are sums over the columns, divided by the root of their number, and have the mean ``one``.

    Columns are independent of those before, and products of queries and keys are centred.
    """
    S, T = (randoms(f"sum for {score}") for score in pair)
    X, Y = terms
    apart = (S(count), Y), (X, T(count))
    known = [
        given.supposed(law, eq(E(X), 0), eq(E(Y), 0), *(independent(*two) for two in apart)),
        *(facts.expectation_of_independent(*two) for two in apart),
    ]
    mean = one.statement.rhs
    end = product_of_sums(given, ((S, X), (T, Y)), mean, [one, *known]).at({count: score_width})
    scores = given.meaning(
        "a score, the sum over the columns divided by a root",
        eq(E(pair[0] * pair[1]), E(S(score_width) * T(score_width)) / sqrt(score_width) ** 2),
    )
    return given.follows(end, scores, goal=eq(E(pair[0] * pair[1]), mean))


def covariance_of_scores(
    given: Given,
    law: Hypothesis,
    pair: tuple[Random, Random],
    means: tuple[Expr, Expr],
    *,
    by_weights: bool = False,
) -> Theorem:
    """Two scores have σ_Q²σ_K² times two mean products of inputs as covariance.

    These are those of the tokens of their queries and of their keys.  The law says so of queries
    and of keys, or it says what their weights are.
    """
    (Q, K), (Q_, K_) = ((randoms(f"{what} of {score}")(count) for what in ("query", "key")) for score in pair)
    products = {"queries": (Q * Q_, sigma_q, means[0]), "keys": (K * K_, sigma_k, means[1])}
    if by_weights:
        covariances = [
            mean_of_values(given, law, both, mean, head=f"{what} with {mean}", scale=scale, column=[count])
            for what, (both, scale, mean) in products.items()
        ]
    else:
        said = (eq(E(both), scale**2 * mean) for both, scale, mean in products.values())
        covariances = [given.supposed(law, *said)]
    separate = facts.expectation_of_independent(Q * Q_, K * K_)
    goal = eq(E(Q * K * Q_ * K_), sigma_q**2 * sigma_k**2 * means[0] * means[1])
    apart = given.supposed(law, independent(Q * Q_, K * K_))
    one = rules.follows(goal, [*covariances, apart, separate])
    return _scores(given, law, pair, (Q * K, Q_ * K_), one)


@CORRECTED.proved("one head")
def sum_over_columns(given: Given) -> Theorem:
    """Each of the columns adds σ_Q²σ_K² S_ab S_ij, by induction."""
    return covariance_of_scores(given, PROJECTIONS, (score_ai, score_bj), (S_ab, S_ij))


@CORRECTED.proved("two heads")
def matrices_of_another_head(given: Given) -> Theorem:
    """Columns of different heads are independent and centred."""
    X, Y = (randoms(f"product for {score}")(count) for score in (score_ai, score_other))
    apart = given.supposed(PROJECTIONS, independent(X, Y), eq(E(X), 0))
    one = rules.follows(eq(E(X * Y), 0), [apart, facts.expectation_of_independent(X, Y)])
    return _scores(given, PROJECTIONS, (score_ai, score_other), (X, Y), one)

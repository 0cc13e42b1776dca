"""Lemmas 13 and 14 and Corollary 15: what single columns of queries and keys add to the scores."""

from sympy import Expr, symbols

from theorems.engine import Choice, Given, Obligations, Provenance, eq, rules, sentence
from theorems.engine.rules import E, Random, Theorem, facts
from theorems.engine.rules.vocabulary import independent, randoms
from theorems.infinite_attention.auxiliary.limits_of_products import CONVERGENT_INPUTS
from theorems.infinite_attention.auxiliary.moment_propagation import OF_A_LAYER
from theorems.infinite_attention.exchangeability import BRIDGE, same_both_ways
from theorems.infinite_attention.kernel_limit.projections import PLACES, over_pairs, second_moment
from theorems.infinite_attention.kernel_limit.score_covariances import PROJECTIONS
from theorems.infinite_attention.letters.heads import kronecker, projection_terms
from theorems.infinite_attention.letters.network import S_ab, S_ij, score_width, sigma_k, sigma_q
from theorems.infinite_attention.letters.scores import (
    column_ai,
    column_bj,
    column_next,
    column_other,
    key_product,
    projection,
    query_product,
    score_coefficient,
    score_head,
)
from theorems.infinite_attention.letters.table import SIZE, claim

_NOTE = "proofs_notes/inf_scores.md#columns"
_SCALES = sigma_q**2 * sigma_k**2
_Q_a, _Q_b, _K_i, _K_j = map(Random, ("Q_a", "Q_b", "K_i", "K_j"))
_Q_other, _K_other = Random("Q_o"), Random("K_o")

CENTRED = claim(
    "inf.lem14",
    at="Lemma 14",
    title="What a column adds is centred, and uncorrelated with what the next one adds",
    states={"mean": eq(E(column_ai), 0), "covariance": eq(E(column_ai * column_next), 0)},
    assuming=PROJECTIONS,
    note=_NOTE,
)


@CENTRED.proved("mean")
def queries_are_centred(given: Given) -> Theorem:
    """The mean of a query times that of a key."""
    return given.follows(
        given.meaning("the product of a query and a key", eq(E(column_ai), E(_Q_a * _K_i))),
        given.supposed(PROJECTIONS, independent(_Q_a, _K_i), eq(E(_Q_a), 0)),
        facts.expectation_of_independent(_Q_a, _K_i),
    )


def _apart(given: Given, second: Random) -> Theorem:
    """Another column or head has a query that is centred and independent of all the rest."""
    rest = _Q_a * _K_i * _K_other
    return given.follows(
        given.meaning("the products of queries and keys", eq(E(column_ai * second), E(_Q_other * rest))),
        given.supposed(PROJECTIONS, independent(_Q_other, rest), eq(E(_Q_other), 0)),
        facts.expectation_of_independent(_Q_other, rest),
        goal=eq(E(column_ai * second), 0),
    )


@CENTRED.proved("covariance")
def query_of_the_next_column(given: Given) -> Theorem:
    """The query of the next column is centred and independent of all the rest."""
    return _apart(given, column_next)


def _in_one_head(p: Expr, q: Expr) -> Expr:
    """Without its scales, the covariance of what a column adds to two terms: 0 in two heads."""
    return kronecker(score_head(p), score_head(q)) * query_product(p, q) * key_product(p, q)


#: The variance of what a column adds to a projection of any number of scores.
VARIANCE = _SCALES * over_pairs(score_coefficient, _in_one_head, projection_terms)

COVARIANCE = claim(
    "inf.cor15.covariance",
    at="Corollary 15",
    title="Variances of what a column adds to a projection of scores, given the inputs",
    states={
        "one head": eq(E(column_ai * column_bj), _SCALES * S_ab * S_ij),
        "two heads": eq(E(column_ai * column_other), 0),
        "projection": eq(E(projection**2), VARIANCE),
    },
    assuming=PROJECTIONS,
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@COVARIANCE.proved("one head")
def queries_and_keys_apart(given: Given) -> Theorem:
    """Queries and keys are independent."""
    queries, keys = _Q_a * _Q_b, _K_i * _K_j
    return given.follows(
        given.meaning("the products of queries and keys", eq(E(column_ai * column_bj), E(queries * keys))),
        given.supposed(
            PROJECTIONS,
            independent(queries, keys),
            eq(E(queries), sigma_q**2 * S_ab),
            eq(E(keys), sigma_k**2 * S_ij),
        ),
        facts.expectation_of_independent(queries, keys),
    )


@COVARIANCE.proved("two heads")
def query_of_another_head(given: Given) -> Theorem:
    """The query of the other head is centred and independent of all the rest."""
    return _apart(given, column_other)


_total, _query, _key, _added = map(randoms, ("phi", "Q_p", "K_p", "t_p"))


@COVARIANCE.proved("projection")
def pairs_of_terms(given: Given) -> Theorem:
    """The covariances of any two terms, then by induction on the number of terms."""
    p, q = PLACES
    queries, keys = _query(p) * _query(q), _key(p) * _key(q)
    same = kronecker(score_head(p), score_head(q))
    known = [
        given.meaning("the products of queries and keys", eq(E(_added(p) * _added(q)), E(queries * keys))),
        given.supposed(
            PROJECTIONS,
            independent(queries, keys),
            eq(E(queries), sigma_q**2 * same * query_product(p, q)),
            eq(E(keys), sigma_k**2 * same * key_product(p, q)),
        ),
        given.meaning("the Kronecker delta", eq(same, same.unfolded())),
        facts.expectation_of_independent(queries, keys),
    ]
    covariance = eq(E(_added(p) * _added(q)), _SCALES * _in_one_head(p, q))
    each = rules.follows(covariance, known)
    return given.follows(
        second_moment(
            given,
            (projection, projection_terms),
            (_total, _added),
            (score_coefficient, _SCALES, _in_one_head),
            each,
        )
    )


EXCHANGEABLE = claim(
    "inf.lem13",
    at="Lemma 13",
    title="What columns of queries and keys add to a projection of scores is exchangeable",
    states=sentence(
        r"($column_share_nu)_{u \in \mathbb{N}} \text{ exchangeable over } $which \text{, in any"
        r" number}",
        which=Choice(r"\text{columns } u", "columns"),
    ),
    rests_on="inf.lem5",
    note="proofs_notes/inf_kernels.md#exchangeability",
)


@EXCHANGEABLE.argued(bridge=BRIDGE, controls={"tokens": {"which": Choice(r"\text{tokens}", "tokens")}})
def columns_of_one_law(which: str) -> Obligations:
    """Each term is one function of its column of weights, given the inputs."""
    return same_both_ways(which)


_kernel_ab, _kernel_ij = symbols("k_ab k_ij", real=True)

LIMIT = claim(
    "inf.cor15",
    at="Corollary 15",
    title="The variance of what a column adds to a projection of scores converges",
    states=sentence(
        r"\mathbb{E}[\varphi_{n,u} \varphi_{n,u}] \to \textstyle\sum \beta^{x,h}_{ai}"
        r" \beta^{x',h}_{bj} $covariance",
        covariance=Choice(
            r"\sigma_Q^2 \sigma_K^2 \tilde\kappa_{ab}(x, x')"
            r" \tilde\kappa_{ij}(x, x')",
            _SCALES * _kernel_ab * _kernel_ij,
        ),
    ),
    assuming=[PROJECTIONS, CONVERGENT_INPUTS],
    rests_on=[COVARIANCE, "inf.lem32", "inf.lem33"],
    note=_NOTE,
    discharging={**OF_A_LAYER},
)


@LIMIT.argued(
    bridge="The mean over the inputs of a polynomial in their mean products converges, as these do"
    " in probability (Lemma 33) and have bounded moments of all orders (Lemma 32).",
    uses=[PROJECTIONS, CONVERGENT_INPUTS],
    over={score_width: SIZE},
    controls={"no_scales": {"covariance": Choice("k k'", _kernel_ab * _kernel_ij)}},
)
def limit_of_mean_products(covariance: Expr, given: Given) -> Obligations:
    """The covariance given the inputs, at the limit of their mean products."""
    finite = given.fact(COVARIANCE, "one head").statement.rhs
    limits = {S_ab: _kernel_ab, S_ij: _kernel_ij}
    yield "the covariance", bool(finite.xreplace(limits) == covariance)

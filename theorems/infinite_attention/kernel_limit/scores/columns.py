"""Lemmas 13 and 14 and Corollary 15: what single columns of queries and keys add to the scores."""

from sympy import Expr, symbols

from theorems.engine import Choice, Given, Obligations, Provenance, eq, sentence
from theorems.engine.rules import E, Random, Theorem, facts
from theorems.engine.rules.vocabulary import independent
from theorems.infinite_attention.auxiliary.limits_of_products import CONVERGENT_INPUTS
from theorems.infinite_attention.auxiliary.moment_propagation import OF_A_LAYER
from theorems.infinite_attention.exchangeability import BRIDGE, same_both_ways
from theorems.infinite_attention.kernel_limit.score_covariances import PROJECTIONS
from theorems.infinite_attention.letters.kernels import input_ab
from theorems.infinite_attention.letters.network import (
    S_aa,
    S_ab,
    S_bb,
    S_ii,
    S_ij,
    S_jj,
    score_width,
    sigma_k,
    sigma_q,
)
from theorems.infinite_attention.letters.scores import (
    beta_ai,
    beta_bj,
    column_ai,
    column_bj,
    column_next,
    column_other,
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
    given=[column_ai, column_next, score_width],
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
        given.meaning(
            "the products of queries and keys", eq(E(column_ai * second), E(_Q_other * rest))
        ),
        given.supposed(PROJECTIONS, independent(_Q_other, rest), eq(E(_Q_other), 0)),
        facts.expectation_of_independent(_Q_other, rest),
        goal=eq(E(column_ai * second), 0),
    )


@CENTRED.proved("covariance")
def query_of_the_next_column(given: Given) -> Theorem:
    """The query of the next column is centred and independent of all the rest."""
    return _apart(given, column_next)


COVARIANCE = claim(
    "inf.cor15.covariance",
    at="Corollary 15",
    title="Variances of what a column adds to a projection of scores, given the inputs",
    states={
        "one head": eq(E(column_ai * column_bj), _SCALES * S_ab * S_ij),
        "two heads": eq(E(column_ai * column_other), 0),
        "projection": eq(
            E((beta_ai * column_ai + beta_bj * column_bj) ** 2),
            _SCALES
            * (
                beta_ai**2 * S_aa * S_ii
                + 2 * beta_ai * beta_bj * S_ab * S_ij
                + beta_bj**2 * S_bb * S_jj
            ),
        ),
    },
    given=[
        *(column_ai, column_bj, column_other, beta_ai, beta_bj, sigma_q, sigma_k, score_width),
        *(S_aa, S_ab, S_bb, S_ii, S_ij, S_jj),
    ],
    assuming=PROJECTIONS,
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


def _covariance(
    given: Given, factors: tuple[Expr, Expr, Expr, Expr], entries: tuple[Expr, Expr]
) -> Theorem:
    """E Q_a Q_b · E K_i K_j, for columns that are products of these."""
    Q, other_Q, K, other_K = factors
    X, Y = _COLUMNS[Q], _COLUMNS[other_Q]
    queries, keys = Q * other_Q, K * other_K
    value = _SCALES * entries[0] * entries[1]
    return given.follows(
        given.meaning("the products of queries and keys", eq(E(X * Y), E(queries * keys))),
        given.supposed(
            PROJECTIONS,
            independent(queries, keys),
            eq(E(queries), sigma_q**2 * entries[0]),
            eq(E(keys), sigma_k**2 * entries[1]),
        ),
        facts.expectation_of_independent(queries, keys),
        goal=eq(E(X * Y), value),
    )


_COLUMNS = {_Q_a: column_ai, _Q_b: column_bj}


@COVARIANCE.proved("one head")
def queries_and_keys_apart(given: Given) -> Theorem:
    """Queries and keys are independent."""
    return _covariance(given, (_Q_a, _Q_b, _K_i, _K_j), (S_ab, S_ij))


@COVARIANCE.proved("two heads")
def query_of_another_head(given: Given) -> Theorem:
    """The query of the other head is centred and independent of all the rest."""
    return _apart(given, column_other)


@COVARIANCE.proved("projection")
def square_of_a_sum(given: Given) -> Theorem:
    """Two variances and a covariance."""
    return given.follows(
        _covariance(given, (_Q_a, _Q_a, _K_i, _K_i), (S_aa, S_ii)),
        _covariance(given, (_Q_a, _Q_b, _K_i, _K_j), (S_ab, S_ij)),
        _covariance(given, (_Q_b, _Q_b, _K_j, _K_j), (S_bb, S_jj)),
    )


EXCHANGEABLE = claim(
    "inf.lem13",
    at="Lemma 13",
    title="What columns of queries and keys add to a projection of scores is exchangeable",
    states=sentence(
        r"(\varphi_{n,u})_{u \in \mathbb{N}} \text{ exchangeable over } $which \text{, in any"
        r" number}",
        which=Choice(r"\text{columns } u", "columns"),
    ),
    rests_on="inf.lem5",
    note="proofs_notes/inf_kernels.md#exchangeability",
)


@EXCHANGEABLE.argued(
    bridge=BRIDGE, controls={"tokens": {"which": Choice(r"\text{tokens}", "tokens")}}
)
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
            r"\sigma_Q \sigma_Q \sigma_K \sigma_K \tilde\kappa_{ab}(x, x')"
            r" \tilde\kappa_{ij}(x, x')",
            _SCALES * _kernel_ab * _kernel_ij,
        ),
    ),
    given=[score_width, input_ab],
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

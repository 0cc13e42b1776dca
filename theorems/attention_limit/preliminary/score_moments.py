"""Equation (1): the fourth moment of a score given the inputs, and what it says at small width.

A score has the conditional covariances of its limit at every width, but not its fourth moments.
"""

import sympy as sp

from theorems.attention_limit.letters.attention import S_ii, S_jj, m, p_ij, sigma_key, sigma_query
from theorems.attention_limit.letters.table import claim
from theorems.attention_limit.preliminary.attention import GAUSSIAN_ROWS
from theorems.engine import Given, Provenance, both, eq, rules
from theorems.engine.rules import E, Theorem, facts
from theorems.engine.rules.normal_variables import isserlis
from theorems.engine.rules.vocabulary import independent, normal, randoms

_AT = "Equation (1)"
_NOTE = "proofs_notes/attn_laws.md#exact-law"
_a = sp.Symbol("a", integer=True, nonnegative=True)
_t = sp.Symbol("t", nonnegative=True)  # the variance of one product
_Q, _K, _S = randoms("Q"), randoms("K"), randoms("S")
_SCALES = (sigma_query, sigma_key, S_ii, S_jj)
_VARIANCE = sigma_query**2 * sigma_key**2 * S_ii * S_jj
_IS_IT = eq(_t, _VARIANCE)

MOMENTS = claim(
    "attn.exact_law.moments",
    at=_AT,
    title="The first four moments of a score given the inputs",
    states={
        "mean": eq(E(p_ij), 0),
        "second": eq(E(p_ij**2), sigma_query**2 * sigma_key**2 * S_ii * S_jj),
        "fourth": eq(E(p_ij**4), 3 * (1 + 2 / m) * sigma_query**4 * sigma_key**4 * S_ii**2 * S_jj**2),
        "kurtosis": eq(E(p_ij**4), (3 + 6 / m) * E(p_ij**2) ** 2),
    },
    assuming=[GAUSSIAN_ROWS],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


def _one_product(given: Given) -> Theorem:
    """A product X = QK has E X = 0, E X² = t and E X⁴ = 9t², t being its variance."""
    query, key = sigma_query**2 * S_ii, sigma_key**2 * S_jj
    X = _Q(_a) * _K(_a)
    rows = given.supposed(
        GAUSSIAN_ROWS,
        *(eq(E(_Q(_a) ** 2), query), eq(E(_K(_a) ** 2), key)),
        *(normal(_Q(_a)), normal(_K(_a)), independent(_Q(_a), _K(_a))),
    )
    products = [facts.expectation_of_independent(_Q(_a) ** k, _K(_a) ** k) for k in (1, 2, 4)]
    products += [facts.powers_of_independent(_Q(_a), _K(_a), k, k) for k in (2, 4)]
    products += [isserlis(*[one(_a)] * k) for one in (_Q, _K) for k in (1, 4)]
    goal = both(eq(E(X), 0), eq(E(X**2), _t), eq(E(X**4), 9 * _t**2))
    return rules.follows(goal, [rows, *products], under=[_IS_IT])


def _sums(given: Given) -> Theorem:
    """E S_a² = at and E S_a⁴ = 9at² + 3a(a - 1)t² for sums of a products, by induction."""
    S, X = _S(_a), _Q(_a) * _K(_a)
    none = given.meaning("a sum of no rows", *(eq(E(_S(0) ** k), 0) for k in (1, 2, 4)))
    pairs = [(S, X), (S**3, X), (S**2, X**2), (S, X**3)]
    rows = given.supposed(GAUSSIAN_ROWS, *(independent(*pair) for pair in pairs))
    longer = given.meaning(
        "a sum with one row more", *(eq(E(_S(_a + 1) ** k), E((S + X) ** k)) for k in (1, 2, 4))
    )
    products = [facts.expectation_of_independent(*pair) for pair in pairs]
    goal = both(eq(E(S), 0), eq(E(S**2), _a * _t), eq(E(S**4), 9 * _a * _t**2 + 3 * _a * (_a - 1) * _t**2))
    return rules.induction(
        goal, _a, 0, base=[none], step=[rows, longer, *products, _one_product(given)], under=[_IS_IT]
    )


@MOMENTS.proved("mean", "second", "fourth", "kurtosis")
def sums_of_independent_products(given: Given) -> Theorem:
    """A mean of m products has 9/m + 3(m - 1)/m = 3(1 + 2/m) times the square of its variance."""
    sums = _sums(given).at({_a: m, _t: _VARIANCE})
    scores = given.meaning(
        "a score, the sum over the rows divided by a root",
        *(eq(E(p_ij**k), E((_S(m) / sp.sqrt(m)) ** k)) for k in (1, 2, 4)),
    )
    return given.follows(sums, scores)

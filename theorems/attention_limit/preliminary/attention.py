"""Equation (1): the covariances of scores given the inputs, which are those of the limit.

Of the inputs the law knows the matrix S = XXᵀ/n only.  A score is a mean of independent products
of an entry of a query and one of a key.
"""

import sympy as sp

from theorems.attention_limit.letters.attention import (
    S_ik,
    S_jl,
    m,
    n,
    p_ij,
    p_kl,
    query_i,
    query_k,
    sigma_key,
    sigma_query,
    x_i,
    x_k,
)
from theorems.attention_limit.letters.table import claim
from theorems.engine import Given, Hypothesis, Provenance, eq, rules
from theorems.engine.rules import E, Theorem, facts, inner, sums
from theorems.engine.rules.vocabulary import independent, randoms

_AT = "Equation (1)"
_NOTE = "proofs_notes/attn_laws.md#exact-law"

LINEAR_FORMS = Hypothesis(
    "linear_forms_of_a_row",
    "given the inputs, entries of queries are inner products of the inputs with one row of the"
    " matrix, which is a vector of $n independent centred normal variables of the variance"
    " $sigma_query squared over $n",
    latex=r"$query_i = \langle w, $x_i \rangle, \ $query_k = \langle w, $x_k \rangle, \quad"
    r" w \sim \mathcal{N}(0, \tfrac{{$sigma_query}^2}{$n} I)",
)
ROWS = claim(
    "attn.exact_law.rows",
    at="Section 2.1",
    title="Entries of queries, given the inputs, have the covariance of the inputs' mean product",
    states=eq(E(query_i * query_k), sigma_query**2 * inner(x_i, x_k) / n),
    assuming=[LINEAR_FORMS],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


_a = sp.Symbol("a", integer=True, nonnegative=True)
_row, _S, _T = map(randoms, ("w", "S", "T"))
_x, _x_other = (sp.Function(f"coordinate of {one}", real=True) for one in ("x_i", "x_k"))


@ROWS.proved()
def sum_over_coordinates(given: Given) -> Theorem:
    """E S_a T_a = (σ²/n)Σ x_b x_b′ for sums over a coordinates, by induction."""
    X, Y, w = _x(_a), _x_other(_a), _row(_a)
    variance = sigma_query**2 / n
    row = given.supposed(
        LINEAR_FORMS, *(eq(E(w), 0), eq(E(w**2), variance), independent(_S(_a), w), independent(_T(_a), w))
    )
    known = [
        given.meaning("sums of no coordinates", eq(E(_S(0) * _T(0)), 0)),
        given.meaning(
            "sums with one coordinate more",
            eq(E(_S(_a + 1) * _T(_a + 1)), E((_S(_a) + X * w) * (_T(_a) + Y * w))),
        ),
        *(facts.expectation_of_independent(one(_a), w) for one in (_S, _T)),
        row,
    ]
    index = sp.Symbol("b", integer=True, nonnegative=True)
    upto = sp.Sum(_x(index) * _x_other(index), (index, 0, _a - 1))
    found = sums.by_recursion(eq(E(_S(_a) * _T(_a)), variance * upto), _a, premises=known)
    whole = given.meaning(
        "entries of queries, and the inner product of inputs by coordinates",
        eq(E(query_i * query_k), E(_S(n) * _T(n))),
        eq(inner(x_i, x_k), upto.xreplace({_a: n})),
    )
    return given.follows(found.at({_a: n}, over={n: given.domain[n]}), whole)


GAUSSIAN_ROWS = Hypothesis(
    "gaussian_rows",
    "given the inputs, the $m entries of queries and keys are independent centred Gaussian"
    " vectors over the tokens, queries independent of keys, with the covariances"
    " $sigma_query squared and $sigma_key squared times mean products of inputs",
    latex=r"p_{ij} = \tfrac{1}{\sqrt{$m}} \sum_{\alpha \le $m} Q_{\alpha i} K_{\alpha j}, \quad"
    r" Q_\alpha \sim \mathcal{N}(0, {$sigma_query}^2 S),"
    r" \ K_\alpha \sim \mathcal{N}(0, {$sigma_key}^2 S)"
    r" \text{ independent}",
)
_Qi, _Qk, _Kj, _Kl = map(randoms, ("Q_i", "Q_k", "K_j", "K_l"))

COVARIANCE = claim(
    "attn.exact_law.covariance",
    at=_AT,
    title="The covariances of scores given the inputs are those of the limit, at every width",
    states=eq(E(p_ij * p_kl), sigma_query**2 * sigma_key**2 * S_ik * S_jl),
    assuming=[GAUSSIAN_ROWS],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@COVARIANCE.proved()
def sum_over_rows(given: Given) -> Theorem:
    """E S_a T_a = a σ_Q²σ_K² S_ik S_jl for sums over a rows, by induction."""
    X, Y = _Qi(_a) * _Kj(_a), _Qk(_a) * _Kl(_a)
    none = given.meaning("sums of no rows", eq(E(_S(0) * _T(0)), 0))
    longer = given.meaning(
        "sums with one row more", eq(E(_S(_a + 1) * _T(_a + 1)), E((_S(_a) + X) * (_T(_a) + Y)))
    )
    rows = given.supposed(
        GAUSSIAN_ROWS,
        eq(E(_Qi(_a) * _Qk(_a)), sigma_query**2 * S_ik),
        eq(E(_Kj(_a) * _Kl(_a)), sigma_key**2 * S_jl),
        *(eq(E(one), 0) for one in (_Qi(_a), _Qk(_a))),
        *(independent(*pair) for pair in ((_Qi(_a), _Kj(_a)), (_Qk(_a), _Kl(_a)))),
        independent(_Qi(_a) * _Qk(_a), _Kj(_a) * _Kl(_a)),
        independent(_S(_a), Y),
        independent(X, _T(_a)),
    )
    products = [
        facts.expectation_of_independent(*pair)
        for pair in (
            *((_Qi(_a), _Kj(_a)), (_Qk(_a), _Kl(_a)), (_Qi(_a) * _Qk(_a), _Kj(_a) * _Kl(_a))),
            *((_S(_a), Y), (X, _T(_a))),
        )
    ]
    one = sigma_query**2 * sigma_key**2 * S_ik * S_jl
    covariances = rules.induction(
        eq(E(_S(_a) * _T(_a)), _a * one), _a, 0, base=[none], step=[longer, rows, *products]
    )
    at_m = covariances.at({_a: m})
    root = sp.sqrt(m)
    scores = given.meaning("scores", eq(E(p_ij * p_kl), E(_S(m) / root * _T(m) / root)))
    return given.follows(at_m, scores)

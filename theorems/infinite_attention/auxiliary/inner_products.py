"""Lemma 33: the first two moments of mean products of queries and keys, at every width."""

from dataclasses import dataclass

import sympy as sp
from sympy import Abs, Expr, Symbol
from sympy.logic.boolalg import Boolean

from theorems.engine import Given, Hypothesis, Provenance, eq, ge, le
from theorems.engine.rules import E, P, Random, Theorem, facts
from theorems.engine.rules.normal_variables import square_of_product
from theorems.engine.rules.vocabulary import independent, normal
from theorems.infinite_attention.auxiliary.weak_law import chebyshev, moments_of_a_mean
from theorems.infinite_attention.letters.auxiliary import (
    X_mean,
    deviation,
    product_kk,
    product_qk,
    product_qq,
)
from theorems.infinite_attention.letters.network import S_aa, S_ab, S_bb, score_width, sigma_k, sigma_q
from theorems.infinite_attention.letters.table import claim

_NOTE = "proofs_notes/inf_auxiliary.md#mean-products"

SAME_QUERIES = Hypothesis(
    "columns_of_queries",
    "given the inputs, $product_qq is the mean over $score_width columns of the product of two"
    " entries of queries, which are jointly normal and centred with $sigma_q squared times $S_aa,"
    " $S_ab and $S_bb as variances and covariance; columns are independent",
)
SAME_KEYS = Hypothesis(
    "columns_of_keys",
    "given the inputs, $product_kk is the mean over $score_width columns of the product of two"
    " entries of keys, which are jointly normal and centred with $sigma_k squared times $S_aa,"
    " $S_ab and $S_bb as variances and covariance; columns are independent",
)
SAME_WEIGHTS = Hypothesis(
    "columns_of_shared_weights",
    "given the inputs, $product_qk is the mean over $score_width columns of the product of an entry"
    " of a query and one of a key with the same weights but for the scales $sigma_q and $sigma_k;"
    " without these the two are jointly normal and centred with $S_aa, $S_ab and $S_bb as variances"
    " and covariance; columns are independent",
)
OTHER_WEIGHTS = Hypothesis(
    "columns_of_other_weights",
    "given the inputs, $product_qk is the mean over $score_width columns of the product of an entry"
    " of a query and one of a key, which are independent, centred and normal with the variances"
    " $sigma_q squared times $S_aa and $sigma_k squared times $S_bb; columns are independent",
)
_u, _v, _w, _z = (Random(name) for name in ("u_1", "v_1", "u_2", "v_2"))


@dataclass(frozen=True)
class Columns:
    """A mean over columns of products u v: its hypothesis, and the law of u and v."""

    product: Random
    hypothesis: Hypothesis
    variances: tuple[Expr, Expr]
    covariance: Expr
    count: Symbol = score_width

    def moments(self, given: Given) -> list[Theorem]:
        """Those of the products of two columns, and of their mean."""
        first, second = _u * _v, _w * _z
        known = given.supposed(
            self.hypothesis,
            eq(E(_u**2), self.variances[0]),
            eq(E(_v**2), self.variances[1]),
            eq(E(first), self.covariance),
            eq(E(second), E(first)),
            *(independent(first, second), normal(_u, _v)),
        )
        products = facts.expectation_of_independent(first, second)
        mean = moments_of_a_mean(given, self.hypothesis, self.product, (first, second), self.count)
        return [known, square_of_product(_u, _v), products, mean]

    def shown(self, given: Given) -> Theorem:
        """The goal, from these moments, and by Chebyshev's inequality."""
        moments = self.moments(given)
        if not given.goal.atoms(P):
            return given.follows(*moments)
        tail = given.substituted(chebyshev(given, self.covariance), {X_mean: self.product})
        return given.follows(*moments, tail)

    def parts(self, mean: Expr, spread: Expr) -> dict[str, Boolean]:
        """What a claim says of the mean product, in its own terms."""
        X = self.product
        return {
            "mean": eq(E(X), mean),
            "variance": eq(E(X**2) - E(X) ** 2, spread / self.count),
            "rate": le(P(ge(Abs(X - mean), deviation)), spread / (self.count * deviation**2)),
        }


QUERIES = Columns(product_qq, SAME_QUERIES, (sigma_q**2 * S_aa, sigma_q**2 * S_bb), sigma_q**2 * S_ab)
KEYS = Columns(product_kk, SAME_KEYS, (sigma_k**2 * S_aa, sigma_k**2 * S_bb), sigma_k**2 * S_ab)
SHARED = Columns(product_qk, SAME_WEIGHTS, (sigma_q**2 * S_aa, sigma_k**2 * S_bb), sigma_q * sigma_k * S_ab)
OTHER = Columns(product_qk, OTHER_WEIGHTS, (sigma_q**2 * S_aa, sigma_k**2 * S_bb), sp.S.Zero)


PRODUCT_QQ = claim(
    "inf.lem33.queries",
    at="Lemma 33; Equation (38)",
    title="Mean products of queries given the inputs, with their rate, at every width",
    states=QUERIES.parts(sigma_q**2 * S_ab, sigma_q**4 * (S_aa * S_bb + S_ab**2)),
    assuming=SAME_QUERIES,
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@PRODUCT_QQ.proved("mean", "variance", "rate")
def queries_column_by_column(given: Given) -> Theorem:
    """A mean of independent products, of which Isserlis' formula gives the variance."""
    return QUERIES.shown(given)


PRODUCT_KK = claim(
    "inf.lem33.keys",
    at="Lemma 33; Equation (39)",
    title="Mean products of keys given the inputs, with their rate, at every width",
    states=KEYS.parts(sigma_k**2 * S_ab, sigma_k**4 * (S_aa * S_bb + S_ab**2)),
    assuming=SAME_KEYS,
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@PRODUCT_KK.proved("mean", "variance", "rate")
def keys_column_by_column(given: Given) -> Theorem:
    """A mean of independent products, of which Isserlis' formula gives the variance."""
    return KEYS.shown(given)


PRODUCT_SHARED = claim(
    "inf.lem33.shared",
    at="Lemma 33; Equation (40)",
    title="Mean products of queries with keys that share their weights, at every width",
    states=SHARED.parts(sigma_q * sigma_k * S_ab, sigma_q**2 * sigma_k**2 * (S_aa * S_bb + S_ab**2)),
    assuming=SAME_WEIGHTS,
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@PRODUCT_SHARED.proved("mean", "variance", "rate")
def shared_column_by_column(given: Given) -> Theorem:
    """A mean of independent products, of which Isserlis' formula gives the variance."""
    return SHARED.shown(given)


PRODUCT_OTHER = claim(
    "inf.lem33.independent",
    at="Lemma 33; Equation (40)",
    title="Mean products of queries with keys of independent weights, at every width",
    states=OTHER.parts(sp.S.Zero, sigma_q**2 * sigma_k**2 * S_aa * S_bb),
    assuming=OTHER_WEIGHTS,
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@PRODUCT_OTHER.proved("mean", "variance", "rate")
def independent_column_by_column(given: Given) -> Theorem:
    """A mean of independent products, of which Isserlis' formula gives the variance."""
    return OTHER.shown(given)

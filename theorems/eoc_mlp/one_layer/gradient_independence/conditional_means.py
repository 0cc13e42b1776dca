"""Proposition 17, proof: conditional means and explained covariances, as forms of directions.

What is said of vectors is said of their inner products with any vector, so that it holds in every
dimension.
"""

from itertools import combinations_with_replacement
from typing import Any

from sympy import Function, Range, Reals, Sum, Symbol, eye, oo, sqrt

from symbolic.equality import equal
from symbolic.gaussian import GaussianMean
from symbolic.notation import u1, u2
from theorems.engine import (
    Choice,
    Given,
    Obligations,
    Provenance,
    Severity,
    eq,
    half_line,
    open_interval,
    rules,
    sentence,
)
from theorems.engine.rules import E, Random, Theorem, Vector, act, inner
from theorems.eoc_mlp.hypotheses import W_1_BY_DEFINITION, W_2_BY_DEFINITION
from theorems.eoc_mlp.letters.activation import SIGMA
from theorems.eoc_mlp.letters.cosines import rho
from theorems.eoc_mlp.letters.gradients import (
    B_i_star,
    g_11,
    g_12,
    g_21,
    g_22,
    mean_product,
    mu_i,
    precision_11,
    precision_12,
    precision_22,
    regression_1,
    regression_2,
    tau1,
    tau2,
    trace_explained,
    u_i,
    u_j,
    v_y,
    w_1,
    w_2,
    x_i,
    x_j,
    xhat1,
    xhat2,
    y_any,
)
from theorems.eoc_mlp.letters.table import POSITIVE, claim
from theorems.eoc_mlp.one_layer.gradient_independence.explained_block import (
    SIGMA_U,
    derive_explained_block,
    tensor_products,
)
from theorems.eoc_mlp.one_layer.gradient_independence.meanings import (
    B1_STAR,
    B2_STAR,
    PREACTIVATIONS,
    at_every_cosine,
    conditional_mean,
    forms_at_directions,
    inverse_covariance,
)
from theorems.eoc_mlp.one_layer.gradient_independence.polar_integrals import derive_w_moment
from theorems.eoc_mlp.premises.means import lengths

PROOF = "Proposition 17, proof"
BLOCKS = "proofs_notes/eoc_mlp.md#covariance-blocks"
COSINE = {rho: open_interval(-1, 1)}
POSITIVE_LENGTHS = half_line(0, closed=False)
LENGTHS = {tau1: POSITIVE_LENGTHS, tau2: POSITIVE_LENGTHS, SIGMA: None, **COSINE}
SCHUR = 1 - rho**2
SCALE = SIGMA / sqrt(SCHUR)

SIGMA_INVERSE = claim(
    "eoc.prop17.sigma",
    at=PROOF,
    title="Inverse covariance of the preactivations",
    states=[
        eq(precision_11, 1 / (SIGMA**2 * SCHUR * tau1**2)),
        eq(precision_12, -rho / (SIGMA**2 * SCHUR * tau1 * tau2)),
        eq(precision_22, 1 / (SIGMA**2 * SCHUR * tau2**2)),
    ],
    given=LENGTHS,
    rests_on=["eoc.prop17.eq5"],
)


@SIGMA_INVERSE.proved()
def by_cofactors(given: Given) -> Theorem:
    """The cofactors of Σ_u over its determinant, as the product of both is the unit matrix."""
    return given.follows(*_covariance(given), *inverse_covariance(given, PREACTIVATIONS))


def _covariance(given: Given) -> list[Theorem]:
    """(5): the entries are σ²τ_iτ_j, times ρ off the diagonal."""
    activations = Vector("x_1"), Vector("x_2")
    both = zip(PREACTIVATIONS, activations, strict=True)
    pairs = combinations_with_replacement(both, 2)
    entries = ({u_i: u, x_i: x, u_j: v, x_j: y} for (u, x), (v, y) in pairs)
    fact = given.fact("eoc.prop17.eq5")
    return [lengths(given, *activations), *(given.substituted(fact, one) for one in entries)]


DEFINED = [W_1_BY_DEFINITION, W_2_BY_DEFINITION]
OF_PREACTIVATIONS = {u1: None, u2: None, w_1: None, w_2: None, **LENGTHS}

SIGMA_W = claim(
    "eoc.prop17.sigma.w",
    at=PROOF,
    title="The inverse covariance applied to the preactivations",
    states=[
        eq(precision_11 * u1 + precision_12 * u2, w_1 / (tau1 * SIGMA * sqrt(SCHUR))),
        eq(precision_12 * u1 + precision_22 * u2, w_2 / (tau2 * SIGMA * sqrt(SCHUR))),
    ],
    given=OF_PREACTIVATIONS,
    assuming=DEFINED,
    rests_on=[SIGMA_INVERSE],
)


@SIGMA_W.proved()
def insert_the_inverse(given: Given) -> Theorem:
    """Insert the entries of the inverse and the definition of w₁ and w₂."""
    return given.follows(given.fact(SIGMA_INVERSE))


_FIRST, _SECOND = sqrt(SCHUR) ** -1 * (u1 - rho * u2), sqrt(SCHUR) ** -1 * (u2 - rho * u1)

MOMENTS = [
    claim(
        f"eoc.prop17.moments.{name}",
        at=PROOF,
        title=title,
        states=eq(GaussianMean(product, u1, u2, rho), value),
        given=COSINE,
        provenance=Provenance.DERIVED,
    )
    for name, title, product, value in (
        ("w1_squared", "Second moment of w₁", _FIRST**2, 1),
        ("w2_squared", "Second moment of w₂", _SECOND**2, 1),
        ("w1_w2", "Mixed moment of w₁ and w₂", _FIRST * _SECOND, -rho),
    )
]
for _moment in MOMENTS:

    @_moment.proved()
    def integrate_the_square(given: Given) -> Theorem:
        """Integrate in polar coordinates, in units of the standard deviations."""
        derivation = derive_w_moment(given.claim.id.rpartition(".")[2])
        value, cosine = at_every_cosine(given, given.derived(derivation))
        return given.follows(value, cosine, goal=value.statement)


MEAN = claim(
    "eoc.prop17.mean",
    at=PROOF,
    title="Conditional mean of v given u",
    states=eq(
        inner(mu_i, y_any),
        SCALE * (w_1 * inner(act(B_i_star, xhat1), y_any) + w_2 * inner(act(B_i_star, xhat2), y_any)),
    ),
    given=OF_PREACTIVATIONS,
    assuming=DEFINED,
    rests_on=["eoc.prop17.eq5", SIGMA_INVERSE, SIGMA_W, "eoc.prop17.eq7.corrected"],
)


@MEAN.proved()
def condition_on_the_preactivations(given: Given) -> Theorem:
    """E(v | u) = Σ_uv Σ_u^{-1} u, with the cross-covariance (7)."""
    first, second = PREACTIVATIONS
    moments = [*_covariance(given), given.fact(SIGMA_INVERSE)]
    m, c1, c2, r1, r2, f1, f2 = (Symbol(f"number {k}", real=True) for k in range(7))
    numbers = {
        m: inner(mu_i, y_any),
        **{c1: E(v_y * first), c2: E(v_y * second)},
        **{r1: precision_11 * u1 + precision_12 * u2, r2: precision_12 * u1 + precision_22 * u2},
        **{f1: inner(act(B_i_star, xhat1), y_any), f2: inner(act(B_i_star, xhat2), y_any)},
    }
    sum_of_products = rules.follows(
        eq(m, SCALE * (w_1 * f1 + w_2 * f2)),
        over={**dict.fromkeys((*numbers, w_1, w_2), Reals), **LENGTHS, SIGMA: POSITIVE},
        under=[
            eq(m, c1 * r1 + c2 * r2),
            *(eq(c1, tau1 * SIGMA**2 * f1), eq(r1, w_1 / (tau1 * SIGMA * sqrt(SCHUR)))),
            *(eq(c2, tau2 * SIGMA**2 * f2), eq(r2, w_2 / (tau2 * SIGMA * sqrt(SCHUR)))),
        ],
    )
    return given.follows(
        conditional_mean(given, mu_i, y_any, v_y, (first, second), *moments),
        _cross_covariance(given, first, tau1 * xhat1),
        _cross_covariance(given, second, tau2 * xhat2),
        given.fact(SIGMA_W),
        given.substituted(sum_of_products, numbers),
    )


def _cross_covariance(given: Given, u: Random, x: Any) -> Theorem:
    """(7) at one of the two activations."""
    return given.substituted(given.fact("eoc.prop17.eq7.corrected"), {u_j: u, x_j: x})


MEAN_PRODUCT = claim(
    "eoc.prop17.mean_product",
    at=PROOF,
    title="Inner product of the conditional means",
    states=eq(mean_product, SIGMA**2 / SCHUR * (w_1**2 * g_11 + w_2**2 * g_22 + w_1 * w_2 * (g_12 + g_21))),
    given=OF_PREACTIVATIONS,
    assuming=DEFINED,
    rests_on=[MEAN],
)


@MEAN_PRODUCT.proved()
def take_inner_products(given: Given) -> Theorem:
    """⟨μ₁, μ₂⟩ from the means of both inputs, along μ₂ and along B₁*x̂₁ and B₁*x̂₂."""
    first, second = Vector("mu_1"), Vector("mu_2")
    mean = given.fact(MEAN)
    onto = [act(B1_STAR, x) for x in (xhat1, xhat2)]
    return given.follows(
        given.meaning("inner product of the conditional means", eq(mean_product, inner(first, second))),
        given.substituted(mean, {mu_i: first, B_i_star: B1_STAR, y_any: second}),
        *(given.substituted(mean, {mu_i: second, B_i_star: B2_STAR, y_any: one}) for one in onto),
        forms_at_directions(given),
    )


REGRESSION = claim(
    "eoc.prop17.regression",
    at=PROOF,
    title="Regression of v on u",
    states=[
        eq(
            inner(column, y_any),
            (inner(act(B_i_star, one), y_any) - rho * inner(act(B_i_star, other), y_any)) / (SCHUR * tau),
        )
        for column, tau, one, other in (
            (regression_1, tau1, xhat1, xhat2),
            (regression_2, tau2, xhat2, xhat1),
        )
    ],
    given={**{tau1: POSITIVE_LENGTHS, tau2: POSITIVE_LENGTHS}, **COSINE},
    rests_on=[SIGMA_INVERSE, "eoc.prop17.eq7.corrected"],
)


@REGRESSION.proved()
def multiply_with_the_inverse(given: Given) -> Theorem:
    """The columns of Σ_uv Σ_u^{-1}, along any vector."""
    first, second = PREACTIVATIONS
    columns = ((regression_1, precision_11, precision_12), (regression_2, precision_12, precision_22))
    relations = [
        eq(inner(column, y_any), E(v_y * first) * above + E(v_y * second) * below)
        for column, above, below in columns
    ]
    return given.follows(
        given.meaning("columns of the product of two matrices", *relations),
        _cross_covariance(given, first, tau1 * xhat1),
        _cross_covariance(given, second, tau2 * xhat2),
        given.fact(SIGMA_INVERSE),
    )


TRACE = claim(
    "eoc.prop17.trace",
    at=PROOF,
    title="Trace of the explained covariance",
    states=eq(trace_explained, SIGMA**2 / SCHUR * (g_11 + g_22 - rho * g_12 - rho * g_21)),
    given=COSINE,
    rests_on=[REGRESSION],
)


@TRACE.proved()
def add_inner_products_of_columns(given: Given) -> Theorem:
    """The trace of Σ_j r_j ⊗ s_j is Σ_j ⟨r_j, s_j⟩, with r_j the columns of the regression.

    Its entries on the diagonal are sums of products of coordinates, which are added up.
    """
    first, second = Vector("regression_11"), Vector("regression_12")
    columns = {regression_1: first, regression_2: second, B_i_star: B1_STAR}
    onto = [act(B2_STAR, x) for x in (xhat1, xhat2)]
    size, k = Symbol("size", integer=True, positive=True), Symbol("k", integer=True)
    names = ("r_1", "s_1", "r_2", "s_2")
    r1, s1, r2, s2 = (Function(name, real=True)(k) for name in names)
    products = {inner(first, onto[0]): r1 * s1, inner(second, onto[1]): r2 * s2}
    diagonal = Sum(tau1 * r1 * s1 + tau2 * r2 * s2, (k, 0, size - 1))
    over = {size: Range(1, oo), tau1: POSITIVE, tau2: POSITIVE}
    trace = given.meaning(
        "the trace of a sum of tensor products, and inner products, by coordinates",
        eq(trace_explained, SIGMA**2 * diagonal),
        *(eq(one, Sum(term, (k, 0, size - 1))) for one, term in products.items()),
        over={tau1: POSITIVE, tau2: POSITIVE},
    )
    return given.follows(
        trace,
        rules.sums.linear(diagonal, over=over),
        *(given.substituted(given.fact(REGRESSION), {**columns, y_any: one}) for one in onto),
        forms_at_directions(given),
    )


_BLOCK = (
    r"(\Sigma_{uv}\Sigma_u^{$inverse}\Sigma_{uv}^*)_{1,2} = $scale\bigl("
    r"P\hat x_1\otimes Q\hat x_1 - $rho P\hat x_2\otimes Q\hat x_1"
    r" - $rho P\hat x_1\otimes Q\hat x_2 + P\hat x_2\otimes Q\hat x_2\bigr),"
    r" \quad P = $first,\ Q = $second"
)
_BLOCK_SLOTS = {"inverse": -1, "scale": SIGMA**2 / SCHUR}
_B1, _B2 = Choice("B_1^*", 1), Choice("B_2^*", 2)

EXPLAINED = claim(
    "eoc.prop17.trace.block",
    at=PROOF,
    title="The explained covariance, block (1, 2), transposed as (6) is",
    states=sentence(_BLOCK, first=_B2, second=_B1, **_BLOCK_SLOTS),
    given=COSINE,
    note=BLOCKS,
)


@EXPLAINED.refuted(severity=Severity.SLIP, controls={"put_right": {"first": _B1, "second": _B2}})
def transposed_products(inverse: Any, scale: Any, first: Any, second: Any) -> Obligations:
    """The slip of (6) once more: with x ⊗ y = [x_i y_j], Section 2, these are the transposes."""
    yield _power_is_the_inverse(inverse)
    printed = scale * tensor_products(first, second)
    answer = derive_explained_block().claiming(printed).answer
    yield "the printed block is another matrix", None if answer is None else not answer


def _power_is_the_inverse(power: Any) -> tuple[str, bool | None]:
    """Whether the power of Σ_u that a block has is its inverse."""
    return "the power of Σ_u is its inverse", equal(SIGMA_U * SIGMA_U**power, eye(2), COSINE)


EXPLAINED_CORRECTED = EXPLAINED.corrected(
    "eoc.prop17.trace.block.corrected",
    title="The explained covariance, block (1, 2), with B₁ first",
    states=sentence(_BLOCK, first=_B1, second=_B2, **_BLOCK_SLOTS),
    given=COSINE,
    rests_on=[REGRESSION],
    note=BLOCKS,
)


@EXPLAINED_CORRECTED.argued(
    bridge="Entries of both sides are bilinear in entries of B_1^*x and B_2^*x, so two entries of"
    " each stand for any number of them.",
    over={SIGMA: half_line(0, closed=False), **COSINE},
)
def multiply_out(inverse: Any, scale: Any, first: Any, second: Any) -> Obligations:
    """Multiply the regression with the cross-covariance."""
    yield _power_is_the_inverse(inverse)
    block = scale * tensor_products(first, second)
    yield "the block", derive_explained_block().claiming(block).answer

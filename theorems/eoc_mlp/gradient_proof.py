"""Proposition 17: every line of the proof, from the covariances to the two integrals.

What is said of vectors is said of their inner products with any vector, so that it holds in every
dimension.
"""

from __future__ import annotations

from typing import Any

from sympy import Matrix, Symbol, eye, pi, sqrt

from symbolic.derivation import Derivation
from symbolic.equality import equal
from symbolic.gaussian import GaussianMean
from symbolic.gradient_dependence import (
    check_printed_covariances_fail,
    derive_explained_block,
    derive_integral_w1,
    derive_integral_w1w2,
    derive_w_moment,
)
from symbolic.gradient_dependence.symbols import SIGMA_U, p1, p2, q1, q2
from symbolic.notation import u1, u2
from theorems.engine import (
    Choice,
    Given,
    Obligations,
    Provenance,
    Severity,
    claims_in,
    defining,
    eq,
    half_line,
    open_interval,
    sentence,
)
from theorems.engine.rules import E, Random, Theorem, Vector, act, inner, norm
from theorems.eoc_mlp.gradient_meanings import (
    B1_STAR,
    B2_STAR,
    SLOPES,
    W1,
    W2,
    adjoint,
    at_every_cosine,
    conditional_mean,
    directions,
    forms_at_directions,
    inverse_covariance,
    meaning,
    put,
    variances,
)
from theorems.eoc_mlp.hypotheses import W_1_BY_DEFINITION, W_2_BY_DEFINITION
from theorems.eoc_mlp.letters.activation import SIGMA, b
from theorems.eoc_mlp.letters.cosines import rho
from theorems.eoc_mlp.letters.gradients import (
    B_i,
    B_i_star,
    B_j,
    covariance_uu,
    covariance_uv,
    covariance_vv,
    distance_xhat,
    epsilon_gradient,
    g_11,
    g_12,
    g_21,
    g_22,
    integral_w1,
    integral_w1w2,
    integral_w2,
    mean_product,
    mu_i,
    precision_11,
    precision_12,
    precision_22,
    regression_1,
    regression_2,
    regrouped,
    tau1,
    tau2,
    trace_explained,
    u_i,
    u_j,
    v_y,
    v_z,
    w_1,
    w_2,
    x_i,
    x_j,
    xhat1,
    xhat2,
    y_any,
    z_any,
)
from theorems.eoc_mlp.letters.table import LETTERS

claim = claims_in(LETTERS)
_PROOF = "Proposition 17, proof"
_BLOCKS = "proofs_notes/eoc_mlp.md#covariance-blocks"
_COSINE = {rho: open_interval(-1, 1)}
_POSITIVE = half_line(0, closed=False)
_LENGTHS = {tau1: _POSITIVE, tau2: _POSITIVE, SIGMA: None, **_COSINE}
_SCHUR = 1 - rho**2
_SCALE = SIGMA / sqrt(_SCHUR)
_FORMS = dict.fromkeys((g_11, g_12, g_21, g_22))

EQ_5 = claim(
    "eoc.prop17.eq5",
    at="(5)",
    title="Covariance of the preactivations",
    states=defining(covariance_uu, eq(E(u_i * u_j), SIGMA**2 * inner(x_i, x_j))),
    given=[u_i, u_j, SIGMA, x_i, x_j],
)


@EQ_5.proved()
def polarisation_of_preactivations(given: Given) -> Theorem:
    """The variances of u_i, u_j and their sum make up the covariance; u_i = ⟨g, x_i⟩."""
    return given.follows(variances(given, {u_i: x_i, u_j: x_j}))


EQ_6 = claim(
    "eoc.prop17.eq6",
    at="(6)",
    title="Covariance of the back-propagated rows",
    states=sentence(
        r"\Sigma_v = $sigma^$power \begin{bmatrix} B_1^*B_1 & $upper \\ $lower & B_2^*B_2"
        r"\end{bmatrix}",
        power=2,
        upper=Choice("B_2^*B_1", (2, 1)),
        lower=Choice("B_1^*B_2", (1, 2)),
    ),
    given=[SIGMA],
    note=_BLOCKS,
)

EQ_7 = claim(
    "eoc.prop17.eq7",
    at="(7)",
    title="Cross-covariance of back-propagated rows and preactivations, transposed as (6) is",
    states=sentence(
        r"\Sigma_{uv} = $sigma^$power \begin{bmatrix} B_1^*x_1 & $upper \\ $lower & B_2^*x_2"
        r"\end{bmatrix}",
        power=2,
        upper=Choice("B_2^*x_1", (2, 1)),
        lower=Choice("B_1^*x_2", (1, 2)),
    ),
    given=[SIGMA],
    note=_BLOCKS,
)


@EQ_6.refuted(
    severity=Severity.SLIP,
    controls={
        "put_right": {"upper": Choice("B_1^*B_2", (1, 2)), "lower": Choice("B_2^*B_1", (2, 1))}
    },
)
def second_moments_differ(upper: Any, lower: Any) -> Obligations:
    """B₁ = [1 0], B₂ = [0 1]: v = (g, 0, 0, g) has another covariance."""
    yield from _objections("(6)", upper, lower)


@EQ_7.refuted(
    severity=Severity.SLIP,
    controls={
        "put_right": {"upper": Choice("B_1^*x_2", (1, 2)), "lower": Choice("B_2^*x_1", (2, 1))}
    },
)
def mixed_moments_differ(upper: Any, lower: Any) -> Obligations:
    """The slip of (6) once more: B₁ = [1 0], B₂ = [0 1], x₁ = 1, x₂ = 2, so u = (g, 2g)."""
    yield from _objections("(7)", upper, lower)


def _objections(equation: str, upper: Any, lower: Any) -> Obligations:
    transposed = {((2, 1), (1, 2)): True, ((1, 2), (2, 1)): False}[upper, lower]
    for name, holds in check_printed_covariances_fail(transposed=transposed):
        if equation in name:
            yield name, holds


EQ_6_CORRECTED = EQ_6.corrected(
    "eoc.prop17.eq6.corrected",
    title="Covariance of the back-propagated rows, blocks in order",
    states=defining(
        covariance_vv, eq(E(v_y * v_z), SIGMA**2 * inner(y_any, act(B_i_star, act(B_j, z_any))))
    ),
    given=[v_y, v_z, SIGMA, y_any, z_any, B_i_star, B_j],
    note=_BLOCKS,
)


@EQ_6_CORRECTED.proved()
def polarisation_of_rows(given: Given) -> Theorem:
    """⟨v_i, y⟩ = ⟨g, B_i y⟩ and ⟨v_j, z⟩ = ⟨g, B_j z⟩; then B_i goes over to the other side."""
    after = act(B_j, z_any)
    along = variances(given, {v_y: act(B_i, y_any), v_z: after})
    return given.follows(along, adjoint(given, B_i, B_i_star, y_any, after))


EQ_7_CORRECTED = EQ_7.corrected(
    "eoc.prop17.eq7.corrected",
    title="Cross-covariance, blocks in order",
    states=defining(covariance_uv, eq(E(v_y * u_j), SIGMA**2 * inner(y_any, act(B_i_star, x_j)))),
    given=[v_y, u_j, SIGMA, y_any, B_i_star, x_j],
    note=_BLOCKS,
)


@EQ_7_CORRECTED.proved()
def polarisation_of_both(given: Given) -> Theorem:
    """⟨v_i, y⟩ = ⟨g, B_i y⟩ and u_j = ⟨g, x_j⟩; then B_i goes over to the other side."""
    along = variances(given, {v_y: act(B_i, y_any), u_j: x_j})
    return given.follows(along, adjoint(given, B_i, B_i_star, y_any, x_j))


SIGMA_INVERSE = claim(
    "eoc.prop17.sigma",
    at=_PROOF,
    title="Inverse covariance of the preactivations",
    states=[
        eq(precision_11, 1 / (SIGMA**2 * _SCHUR * tau1**2)),
        eq(precision_12, -rho / (SIGMA**2 * _SCHUR * tau1 * tau2)),
        eq(precision_22, 1 / (SIGMA**2 * _SCHUR * tau2**2)),
    ],
    given={precision_11: None, precision_12: None, precision_22: None, **_LENGTHS},
    rests_on=[EQ_5],
)


@SIGMA_INVERSE.proved()
def invert(given: Given) -> Theorem:
    """The product with Σ_u is the identity."""
    return given.follows(inverse_covariance(given))


_DEFINED = [W_1_BY_DEFINITION, W_2_BY_DEFINITION]
_PREACTIVATIONS = {u1: None, u2: None, w_1: None, w_2: None, **_LENGTHS}

SIGMA_W = claim(
    "eoc.prop17.sigma.w",
    at=_PROOF,
    title="The inverse covariance applied to the preactivations",
    states=[
        eq(precision_11 * u1 + precision_12 * u2, w_1 / (tau1 * SIGMA * sqrt(_SCHUR))),
        eq(precision_12 * u1 + precision_22 * u2, w_2 / (tau2 * SIGMA * sqrt(_SCHUR))),
    ],
    given={precision_11: None, precision_12: None, precision_22: None, **_PREACTIVATIONS},
    assuming=_DEFINED,
    rests_on=[SIGMA_INVERSE],
)


@SIGMA_W.proved()
def insert_the_inverse(given: Given) -> Theorem:
    """Insert the entries of the inverse and the definition of w₁ and w₂."""
    return given.follows(given.fact(SIGMA_INVERSE))


_FIRST, _SECOND = sqrt(_SCHUR) ** -1 * (u1 - rho * u2), sqrt(_SCHUR) ** -1 * (u2 - rho * u1)

MOMENTS = [
    claim(
        f"eoc.prop17.moments.{name}",
        at=_PROOF,
        title=title,
        states=eq(GaussianMean(product, u1, u2, rho), value),
        given=_COSINE,
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
        moment: Any = given.claim.id.rpartition(".")[2]
        derivation = derive_w_moment(moment)
        value, cosine = at_every_cosine(given, given.derived(derivation))
        return given.follows(value, cosine, goal=value.statement)


MEAN = claim(
    "eoc.prop17.mean",
    at=_PROOF,
    title="Conditional mean of v given u",
    states=eq(
        inner(mu_i, y_any),
        _SCALE
        * (w_1 * inner(act(B_i_star, xhat1), y_any) + w_2 * inner(act(B_i_star, xhat2), y_any)),
    ),
    given={mu_i: None, y_any: None, B_i_star: None, xhat1: None, xhat2: None, **_PREACTIVATIONS},
    assuming=_DEFINED,
    rests_on=[SIGMA_W, EQ_7_CORRECTED],
)


@MEAN.proved()
def condition(given: Given) -> Theorem:
    """E(v | u) = Σ_uv Σ_u^{-1} u, with the cross-covariance (7)."""
    first, second = Random("u_1"), Random("u_2")
    return given.follows(
        conditional_mean(given, mu_i, y_any, v_y, (first, second)),
        _cross_covariance(given, first, tau1 * xhat1),
        _cross_covariance(given, second, tau2 * xhat2),
        given.fact(SIGMA_W),
    )


def _cross_covariance(given: Given, u: Random, x: Any) -> Theorem:
    """(7) at one of the two activations."""
    return put(given, given.fact(EQ_7_CORRECTED), {u_j: u, x_j: x})


MEAN_PRODUCT = claim(
    "eoc.prop17.mean_product",
    at=_PROOF,
    title="Inner product of the conditional means",
    states=eq(
        mean_product,
        SIGMA**2 / _SCHUR * (w_1**2 * g_11 + w_2**2 * g_22 + w_1 * w_2 * (g_12 + g_21)),
    ),
    given={mean_product: None, **_FORMS, **_PREACTIVATIONS},
    assuming=_DEFINED,
    rests_on=[MEAN],
)


@MEAN_PRODUCT.proved()
def take_inner_products(given: Given) -> Theorem:
    """⟨μ₁, μ₂⟩ from the means of both inputs, along μ₂ and along B₁*x̂₁ and B₁*x̂₂."""
    first, second = Vector("mu_1"), Vector("mu_2")
    mean = given.fact(MEAN)
    onto = [act(B1_STAR, x) for x in (xhat1, xhat2)]
    return given.follows(
        meaning(
            given, "inner product of the conditional means", eq(mean_product, inner(first, second))
        ),
        put(given, mean, {mu_i: first, B_i_star: B1_STAR, y_any: second}),
        *(put(given, mean, {mu_i: second, B_i_star: B2_STAR, y_any: one}) for one in onto),
        forms_at_directions(given),
    )


REGRESSION = claim(
    "eoc.prop17.regression",
    at=_PROOF,
    title="Regression of v on u",
    states=[
        eq(
            inner(column, y_any),
            (inner(act(B_i_star, one), y_any) - rho * inner(act(B_i_star, other), y_any))
            / (_SCHUR * tau),
        )
        for column, tau, one, other in (
            (regression_1, tau1, xhat1, xhat2),
            (regression_2, tau2, xhat2, xhat1),
        )
    ],
    given={
        **dict.fromkeys((regression_1, regression_2, y_any, B_i_star, xhat1, xhat2)),
        **{tau1: _POSITIVE, tau2: _POSITIVE},
        **_COSINE,
    },
    rests_on=[SIGMA_INVERSE, EQ_7_CORRECTED],
)


@REGRESSION.proved()
def multiply_with_the_inverse(given: Given) -> Theorem:
    """The columns of Σ_uv Σ_u^{-1}, along any vector."""
    first, second = Random("u_1"), Random("u_2")
    columns = (
        (regression_1, precision_11, precision_12),
        (regression_2, precision_12, precision_22),
    )
    relations = [
        eq(inner(column, y_any), E(v_y * first) * above + E(v_y * second) * below)
        for column, above, below in columns
    ]
    return given.follows(
        meaning(given, "columns of the product of two matrices", *relations),
        _cross_covariance(given, first, tau1 * xhat1),
        _cross_covariance(given, second, tau2 * xhat2),
        given.fact(SIGMA_INVERSE),
    )


TRACE = claim(
    "eoc.prop17.trace",
    at=_PROOF,
    title="Trace of the explained covariance",
    states=eq(trace_explained, SIGMA**2 / _SCHUR * (g_11 + g_22 - rho * g_12 - rho * g_21)),
    given={trace_explained: None, SIGMA: None, **_FORMS, **_COSINE},
    rests_on=[REGRESSION],
)


@TRACE.proved()
def add_inner_products_of_columns(given: Given) -> Theorem:
    """The trace of Σ_j r_j ⊗ s_j is Σ_j ⟨r_j, s_j⟩, with r_j the columns of the regression."""
    first, second = Vector("regression_11"), Vector("regression_12")
    columns = {regression_1: first, regression_2: second, B_i_star: B1_STAR}
    onto = [act(B2_STAR, x) for x in (xhat1, xhat2)]
    total = SIGMA**2 * (tau1 * inner(first, onto[0]) + tau2 * inner(second, onto[1]))
    return given.follows(
        meaning(given, "trace of a sum of tensor products", eq(trace_explained, total)),
        *(put(given, given.fact(REGRESSION), {**columns, y_any: one}) for one in onto),
        forms_at_directions(given),
    )


_BLOCK = (
    r"(\Sigma_{uv}\Sigma_u^{$inverse}\Sigma_{uv}^*)_{1,2} = $scale\bigl("
    r"$first\hat x_1\otimes $second\hat x_1 - $rho $first\hat x_2\otimes $second\hat x_1"
    r" - $rho $first\hat x_1\otimes $second\hat x_2 + $first\hat x_2\otimes $second\hat x_2\bigr)"
)
_BLOCK_SLOTS = {"inverse": -1, "scale": SIGMA**2 / _SCHUR}
_B1, _B2 = Choice("B_1^*", 1), Choice("B_2^*", 2)

EXPLAINED = claim(
    "eoc.prop17.trace.block",
    at=_PROOF,
    title="The explained covariance, block (1, 2), transposed as (6) is",
    states=sentence(_BLOCK, first=_B2, second=_B1, **_BLOCK_SLOTS),
    given={SIGMA: None, **_COSINE},
    note=_BLOCKS,
)


@EXPLAINED.refuted(severity=Severity.SLIP, controls={"put_right": {"first": _B1, "second": _B2}})
def transposed_products(scale: Any, first: Any, second: Any) -> Obligations:
    """The slip of (6) once more: with x ⊗ y = [x_i y_j], Section 2, these are the transposes."""
    answer = derive_explained_block(claimed=_tensor_products(scale, first, second)).answer
    yield "the printed block is another matrix", None if answer is None else not answer


EXPLAINED_CORRECTED = EXPLAINED.corrected(
    "eoc.prop17.trace.block.corrected",
    title="The explained covariance, block (1, 2), with B₁ first",
    states=sentence(_BLOCK, first=_B1, second=_B2, **_BLOCK_SLOTS),
    given={SIGMA: None, **_COSINE},
    rests_on=[REGRESSION],
    note=_BLOCKS,
)


@EXPLAINED_CORRECTED.argued(
    bridge="Entries of both sides are bilinear in entries of B_1^*x and B_2^*x, so two entries of"
    " each stand for any number of them.",
    over=_COSINE,
)
def multiply_out(inverse: Any, scale: Any, first: Any, second: Any) -> Obligations:
    """Multiply the regression with the cross-covariance."""
    power = equal(SIGMA_U * SIGMA_U**inverse, eye(2), _COSINE)
    yield "the power of Σ_u is its inverse", power
    claimed = _tensor_products(scale, first, second)
    yield "the block", derive_explained_block(claimed=claimed).answer


def _tensor_products(scale: Any, first: int, second: int) -> Any:
    """The printed combination, for B_i^*x̂_1 and B_i^*x̂_2 with two entries."""
    images = {1: (p1, p2), 2: (q1, q2)}
    (x1, x2), (y1, y2) = images[first], images[second]
    products = x1 * y1.T - rho * x2 * y1.T - rho * x1 * y2.T + x2 * y2.T
    return Matrix(scale * products).as_immutable()


_INTEGRAND = (
    SIGMA**2
    / _SCHUR
    * ((w_1**2 - 1) * g_11 + (w_2**2 - 1) * g_22 + (w_1 * w_2 + rho) * (g_12 + g_21))
)

W_FORM = claim(
    "eoc.prop17.w_form",
    at=_PROOF,
    title="The integrand of the gradient-dependence error",
    states=eq(mean_product - trace_explained, _INTEGRAND),
    given={mean_product: None, trace_explained: None, **_FORMS, **_PREACTIVATIONS},
    assuming=_DEFINED,
    rests_on=[MEAN_PRODUCT, TRACE],
)


@W_FORM.proved()
def collect_the_forms(given: Given) -> Theorem:
    """Collect the coefficients of the four forms."""
    return given.follows(given.fact(MEAN_PRODUCT), given.fact(TRACE))


INTEGRALS = claim(
    "eoc.prop17.integrals",
    at=_PROOF,
    title="The gradient-dependence error in terms of two integrals",
    states=eq(
        epsilon_gradient,
        SIGMA**2
        / _SCHUR
        * (integral_w1 * g_11 + integral_w2 * g_22 + integral_w1w2 * (g_12 + g_21)),
    ),
    given={
        **dict.fromkeys((epsilon_gradient, SIGMA, integral_w1, integral_w2, integral_w1w2)),
        **_FORMS,
        **_COSINE,
    },
    rests_on=[W_FORM],
    discharging=dict.fromkeys(_DEFINED, "w_1 and w_2 are letters of the proof, defined so"),
)


@INTEGRALS.proved()
def take_the_mean(given: Given) -> Theorem:
    """ε = E φ'(u₁)φ'(u₂)(⟨μ₁, μ₂⟩ - tr), and means are linear."""
    integrand = _INTEGRAND.xreplace({w_1: W1, w_2: W2})
    factors = (
        (integral_w1, W1**2 - 1),
        (integral_w2, W2**2 - 1),
        (integral_w1w2, W1 * W2 + rho),
    )
    named = [eq(letter, E(SLOPES * factor)) for letter, factor in factors]
    return given.follows(
        meaning(
            given, "error as a mean, of the form in w", eq(epsilon_gradient, E(SLOPES * integrand))
        ),
        meaning(given, "integrals as means", *named),
    )


INTEGRAL_W1 = claim(
    "eoc.prop17.integral_w1",
    at=_PROOF,
    title="First integral of the proof",
    states={
        name: eq(letter, -rho * b**2 * 2 / pi * sqrt(_SCHUR))
        for name, letter in (("w₁", integral_w1), ("w₂", integral_w2))
    },
    given={integral_w1: None, integral_w2: None, b: None, **_COSINE},
)


@INTEGRAL_W1.proved("w₁")
def polar_integration_w1(given: Given) -> Theorem:
    """Integrate over the radius, then over four sectors of constant signs."""
    return _integrated(given, integral_w1, derive_integral_w1("w1"))


@INTEGRAL_W1.proved("w₂")
def polar_integration_w2(given: Given) -> Theorem:
    """The same with the roles of u₁ and u₂ exchanged."""
    return _integrated(given, integral_w2, derive_integral_w1("w2"))


INTEGRAL_W1W2 = claim(
    "eoc.prop17.integral_w1w2",
    at=_PROOF,
    title="Second integral of the proof",
    states=eq(integral_w1w2, b**2 * 2 / pi * sqrt(_SCHUR)),
    given={integral_w1w2: None, b: None, **_COSINE},
)


@INTEGRAL_W1W2.proved()
def polar_integration_mixed(given: Given) -> Theorem:
    """Integrate over the radius, then over four sectors of constant signs."""
    return _integrated(given, integral_w1w2, derive_integral_w1w2())


def _integrated(given: Given, letter: Symbol, derivation: Derivation) -> Theorem:
    """The letter is the mean that the derivation integrates, at t = arccos ρ."""
    value, cosine = at_every_cosine(given, given.derived(derivation))
    named = meaning(
        given, "integral in units of the standard deviations", eq(letter, value.statement.lhs)
    )
    return given.follows(named, value, cosine)


REGROUP = claim(
    "eoc.prop17.regroup",
    at=_PROOF,
    title="Regrouping before the bound",
    states=eq(g_12 - rho * g_11 + g_21 - rho * g_22, regrouped + (1 - rho) * (g_11 + g_22)),
    given={regrouped: None, **_FORMS, **_COSINE},
)


@REGROUP.proved()
def expand_the_form(given: Given) -> Theorem:
    """Expand the form at the difference of the directions."""
    difference = inner(act(B1_STAR, xhat1 - xhat2), act(B2_STAR, xhat2 - xhat1))
    named = meaning(given, "form at the difference", eq(regrouped, difference))
    return given.follows(named, forms_at_directions(given))


DISTANCE = claim(
    "eoc.prop17.distance",
    at=_PROOF,
    title="Distance of the unit vectors",
    states=eq(distance_xhat, sqrt(2 * (1 - rho))),
    given={distance_xhat: None, **_COSINE},
)


@DISTANCE.proved()
def expand_the_square(given: Given) -> Theorem:
    """Expand the square of the norm."""
    named = meaning(given, "distance", eq(distance_xhat, norm(xhat1 - xhat2)))
    return given.follows(named, directions(given))

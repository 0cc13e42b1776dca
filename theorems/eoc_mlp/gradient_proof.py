"""Proposition 17: every line of the proof, from the covariances to the two integrals.

All identities are bilinear in (B₁*x̂_i, B₂*x̂_j), so that symbols for these vectors, or for their
inner products g_ij, decide them in every dimension.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import sympy as sp

from symbolic.derivation import Derivation
from symbolic.gradient_dependence import (
    derive_conditional_mean,
    derive_cross_covariance,
    derive_distance,
    derive_explained_block,
    derive_explained_trace,
    derive_integral_w1,
    derive_integral_w1w2,
    derive_mean_product,
    derive_regression,
    derive_regrouping,
    derive_standardised,
    derive_u_covariance,
    derive_u_precision,
    derive_v_covariance,
    derive_w_form,
    derive_w_moment,
    printed_cross_covariance,
    printed_explained_block,
    printed_v_covariance,
)
from symbolic.gradient_dependence.covariances import check_printed_covariances_fail
from symbolic.notation import b, rho
from theorems.engine import Claim, Obligations, Provenance, claim, open_interval, reals
from theorems.engine.domain import Domain

_GIVEN: dict[str, Domain] = {"rho": open_interval(-1, 1)}
_PROOF = "Proposition 17, proof"
_BLOCKS = "proofs_notes/eoc_mlp.md#covariance-blocks"


def _line(
    identifier: str,
    title: str,
    states: str,
    derive: Callable[..., Derivation],
    *,
    false: Mapping[str, Any],
    at: str = _PROOF,
    rests_on: Iterable[str | Claim] = (),
    **record: Any,
) -> Claim:
    """A line of the proof with the derivation that proves it and false conclusions to reject."""
    one = claim(
        identifier, at=at, title=title, states=states, given=_GIVEN, rests_on=rests_on, **record
    )

    def redo_the_derivation(claimed: Any = None) -> Derivation:
        """Redo each step of the derivation."""
        return derive(claimed=claimed)

    one.proved(controls={name: {"claimed": wrong} for name, wrong in false.items()})(
        redo_the_derivation
    )
    return one


def _other(derive: Callable[..., Derivation], factor: Any = sp.Rational(101, 100)) -> Any:
    """The true conclusion times a factor, to be rejected."""
    return derive().conclusion * factor


EQ_5 = _line(
    "eoc.prop17.eq5",
    "Covariance of the preactivations",
    r"\Sigma_u = \sigma^2 [\langle x_i, x_j\rangle]_{i,j}",
    derive_u_covariance,
    false={"one_per_cent": _other(derive_u_covariance)},
    at="(5)",
)

EQ_6 = claim(
    "eoc.prop17.eq6",
    at="(6)",
    title="Covariance of the back-propagated rows",
    states=(
        r"\Sigma_v = \sigma^2 \begin{bmatrix} B_1^*B_1 & B_2^*B_1 \\ B_1^*B_2 & B_2^*B_2"
        r"\end{bmatrix}"
    ),
    note=_BLOCKS,
)

EQ_7 = claim(
    "eoc.prop17.eq7",
    at="(7)",
    title="Cross-covariance of back-propagated rows and preactivations",
    states=(
        r"\Sigma_{uv} = \sigma^2 \begin{bmatrix} B_1^*x_1 & B_2^*x_1 \\ B_1^*x_2 & B_2^*x_2"
        r"\end{bmatrix}"
    ),
    note=_BLOCKS,
)


@EQ_6.refuted(controls={"put_right": {"transposed": False}})
def second_moments_differ(transposed: bool = True) -> Obligations:
    """B₁ = [1 0], B₂ = [0 1]: v = (g, 0, 0, g) has another covariance."""
    yield from _objections(transposed, "(6)")


@EQ_7.refuted(controls={"put_right": {"transposed": False}})
def mixed_moments_differ(transposed: bool = True) -> Obligations:
    """B₁ = [1 0], B₂ = [0 1], x₁ = 1, x₂ = 2: v = (g, 0, 0, g) and u = (g, 2g)."""
    yield from _objections(transposed, "(7)")


def _objections(transposed: bool, equation: str) -> Obligations:
    for name, holds in check_printed_covariances_fail(transposed=transposed):
        if equation in name:
            yield name, holds


EQ_6_CORRECTED = EQ_6.corrected(
    "eoc.prop17.eq6.corrected",
    title="Covariance of the back-propagated rows, blocks in order",
    states=r"\Sigma_v = \sigma^2 [B_i^*B_j]_{i,j}",
    note=_BLOCKS,
)


@EQ_6_CORRECTED.proved(controls={"printed": {"claimed": printed_v_covariance()}})
def second_moments(claimed: Any = None) -> Derivation:
    """E v v* for v_i = B_i*g."""
    return derive_v_covariance(claimed=claimed)


EQ_7_CORRECTED = EQ_7.corrected(
    "eoc.prop17.eq7.corrected",
    title="Cross-covariance, blocks in order",
    states=r"\Sigma_{uv} = \sigma^2 [B_i^*x_j]_{i,j}",
    note=_BLOCKS,
)


@EQ_7_CORRECTED.proved(controls={"printed": {"claimed": printed_cross_covariance()}})
def mixed_moments(claimed: Any = None) -> Derivation:
    """E v u* for v_i = B_i*g and u_j = ⟨g, x_j⟩."""
    return derive_cross_covariance(claimed=claimed)


SIGMA = _line(
    "eoc.prop17.sigma",
    "Inverse covariance of the preactivations",
    r"\Sigma_u^{-1} = \sigma^{-2}(1-\rho^2)^{-1} \begin{bmatrix} \tau_1^{-2} &"
    r" -\tau_1^{-1}\tau_2^{-1}\rho \\ -\tau_1^{-1}\tau_2^{-1}\rho & \tau_2^{-2} \end{bmatrix}",
    derive_u_precision,
    false={"one_per_cent": _other(derive_u_precision)},
    rests_on=[EQ_5],
)

SIGMA_W = _line(
    "eoc.prop17.sigma.w",
    "The inverse covariance applied to the preactivations",
    r"\Sigma_u^{-1}[u_1,u_2] = \sigma^{-1}(1-\rho^2)^{-1/2}[\tau_1^{-1}w_1, \tau_2^{-1}w_2]",
    derive_standardised,
    false={"root": _other(derive_standardised, sp.sqrt(1 - rho**2))},
    rests_on=[SIGMA],
)

MOMENTS = [
    _line(
        f"eoc.prop17.moments.{name}",
        title,
        states,
        lambda claimed=None, name=name: derive_w_moment(name, claimed=claimed),
        false={"sign": wrong},
        provenance=Provenance.DERIVED,
    )
    for name, title, states, wrong in (
        ("w1_squared", "Second moment of w₁", r"\mathbb{E}w_1^2 = 1", sp.Integer(-1)),
        ("w2_squared", "Second moment of w₂", r"\mathbb{E}w_2^2 = 1", sp.Integer(-1)),
        ("w1_w2", "Mixed moment of w₁ and w₂", r"\mathbb{E}w_1w_2 = -\rho", rho),
    )
]

MEAN = _line(
    "eoc.prop17.mean",
    "Conditional mean of v given u",
    r"\mu_{v|u,i} = \sigma(1-\rho^2)^{-1/2}(w_1 B_i^*\hat x_1 + w_2 B_i^*\hat x_2)",
    derive_conditional_mean,
    false={"root": _other(derive_conditional_mean, sp.sqrt(1 - rho**2))},
    rests_on=[SIGMA_W, EQ_7_CORRECTED],
)

MEAN_PRODUCT = _line(
    "eoc.prop17.mean_product",
    "Inner product of the conditional means",
    r"\langle\mu_{v|u,1}, \mu_{v|u,2}\rangle = \sigma^2(1-\rho^2)^{-1}\bigl("
    r"w_1^2 g_{11} + w_2^2 g_{22} + w_1w_2(g_{12} + g_{21})\bigr),"
    r"\quad g_{ij} = \langle B_1^*\hat x_i, B_2^*\hat x_j\rangle",
    derive_mean_product,
    false={"one_per_cent": _other(derive_mean_product)},
    rests_on=[MEAN],
)

REGRESSION = _line(
    "eoc.prop17.regression",
    "Regression of v on u",
    r"\Sigma_{uv}\Sigma_u^{-1} = (1-\rho^2)^{-1}\begin{bmatrix}"
    r"\tau_1^{-1}B_i^*(\hat x_1 - \rho\hat x_2) & \tau_2^{-1}B_i^*(\hat x_2 - \rho\hat x_1)"
    r"\end{bmatrix}_{i=1,2}",
    derive_regression,
    false={"one_per_cent": _other(derive_regression)},
    rests_on=[SIGMA, EQ_7_CORRECTED],
)

TRACE = _line(
    "eoc.prop17.trace",
    "Trace of the explained covariance",
    r"\operatorname{tr}(\Sigma_{uv}\Sigma_u^{-1}\Sigma_{uv}^*)_{1,2} ="
    r" \sigma^2(1-\rho^2)^{-1}\bigl(g_{11} + g_{22} - \rho g_{12} - \rho g_{21}\bigr)",
    derive_explained_trace,
    false={"one_per_cent": _other(derive_explained_trace)},
    rests_on=[REGRESSION],
)

EXPLAINED = claim(
    "eoc.prop17.trace.block",
    at=_PROOF,
    title="The explained covariance, block (1, 2)",
    states=(
        r"(\Sigma_{uv}\Sigma_u^{-1}\Sigma_{uv}^*)_{1,2} = \sigma^2(1-\rho^2)^{-1}\bigl("
        r"B_2^*\hat x_1\otimes B_1^*\hat x_1 - \rho B_2^*\hat x_2\otimes B_1^*\hat x_1"
        r" - \rho B_2^*\hat x_1\otimes B_1^*\hat x_2 + B_2^*\hat x_2\otimes B_1^*\hat x_2\bigr)"
    ),
    given=_GIVEN,
    note=_BLOCKS,
)


@EXPLAINED.refuted(controls={"put_right": {"printed": derive_explained_block().conclusion}})
def transposed_products(printed: Any = None) -> Obligations:
    """With x ⊗ y = [x_i y_j], Section 2, the printed products are the transposes."""
    claimed = printed_explained_block() if printed is None else printed
    answer = derive_explained_block(claimed=claimed).answer
    yield "the printed block is another matrix", None if answer is None else not answer


EXPLAINED_CORRECTED = EXPLAINED.corrected(
    "eoc.prop17.trace.block.corrected",
    title="The explained covariance, block (1, 2), with B₁ first",
    states=(
        r"(\Sigma_{uv}\Sigma_u^{-1}\Sigma_{uv}^*)_{1,2} = \sigma^2(1-\rho^2)^{-1}\bigl("
        r"B_1^*\hat x_1\otimes B_2^*\hat x_1 - \rho B_1^*\hat x_1\otimes B_2^*\hat x_2"
        r" - \rho B_1^*\hat x_2\otimes B_2^*\hat x_1 + B_1^*\hat x_2\otimes B_2^*\hat x_2\bigr)"
    ),
    given=_GIVEN,
    rests_on=[REGRESSION],
    note=_BLOCKS,
)


@EXPLAINED_CORRECTED.proved(controls={"printed": {"claimed": printed_explained_block()}})
def multiply_out(claimed: Any = None) -> Derivation:
    """Multiply the regression with the cross-covariance."""
    return derive_explained_block(claimed=claimed)


W_FORM = _line(
    "eoc.prop17.w_form",
    "The integrand of the gradient-dependence error",
    r"\langle\mu_{v|u,1},\mu_{v|u,2}\rangle - \operatorname{tr}(\cdot) = \sigma^2(1-\rho^2)^{-1}"
    r"\bigl((w_1^2-1)g_{11} + (w_2^2-1)g_{22} + (w_1w_2+\rho)(g_{12}+g_{21})\bigr)",
    derive_w_form,
    false={"one_per_cent": _other(derive_w_form)},
    rests_on=[MEAN_PRODUCT, TRACE],
)

_ROOT = sp.sqrt(1 - rho**2)

INTEGRAL_W1 = claim(
    "eoc.prop17.integral_w1",
    at=_PROOF,
    title="First integral of the proof",
    states=(
        r"\mathbb{E}\phi'(u_1)\phi'(u_2)(w_i^2 - 1) = -\rho b^2\tfrac{2}{\pi}\sqrt{1-\rho^2},"
        r"\quad i = 1, 2"
    ),
    given={**_GIVEN, "a": reals(), "b": reals()},
)
_FALSE_W1 = {
    "sign": {"claimed": rho * b**2 * 2 / sp.pi * _ROOT},
    "one_over_pi": {"claimed": -rho * b**2 / sp.pi * _ROOT},
    "no_root": {"claimed": -rho * b**2 * 2 / sp.pi * (1 - rho**2)},
    "no_rho": {"claimed": -(b**2) * 2 / sp.pi * _ROOT},
}


@INTEGRAL_W1.proved(controls=_FALSE_W1, part="w₁")
def polar_integration_w1(claimed: Any = None) -> Derivation:
    """Integrate over the radius, then over four sectors of constant signs."""
    return derive_integral_w1("w1", claimed=claimed)


@INTEGRAL_W1.proved(controls=_FALSE_W1, part="w₂")
def polar_integration_w2(claimed: Any = None) -> Derivation:
    """The same with the roles of u₁ and u₂ exchanged."""
    return derive_integral_w1("w2", claimed=claimed)


INTEGRAL_W1W2 = claim(
    "eoc.prop17.integral_w1w2",
    at=_PROOF,
    title="Second integral of the proof",
    states=(r"\mathbb{E}\phi'(u_1)\phi'(u_2)(w_1w_2 + \rho) = b^2\tfrac{2}{\pi}\sqrt{1-\rho^2}"),
    given={**_GIVEN, "a": reals(), "b": reals()},
)


@INTEGRAL_W1W2.proved(
    controls={
        "sign": {"claimed": -(b**2) * 2 / sp.pi * _ROOT},
        "one_over_pi": {"claimed": b**2 / sp.pi * _ROOT},
        "no_root": {"claimed": b**2 * 2 / sp.pi * (1 - rho**2)},
        "rho": {"claimed": rho * b**2 * 2 / sp.pi * _ROOT},
    }
)
def polar_integration_mixed(claimed: Any = None) -> Derivation:
    """Integrate over the radius, then over four sectors of constant signs."""
    return derive_integral_w1w2(claimed=claimed)


REGROUP = _line(
    "eoc.prop17.regroup",
    "Regrouping before the bound",
    r"g_{12} - \rho g_{11} + g_{21} - \rho g_{22} ="
    r" \langle B_1^*(\hat x_1-\hat x_2), B_2^*(\hat x_2-\hat x_1)\rangle + (1-\rho)(g_{11}+g_{22})",
    derive_regrouping,
    false={"one_per_cent": _other(derive_regrouping)},
)

DISTANCE = _line(
    "eoc.prop17.distance",
    "Distance of the unit vectors",
    r"\|\hat x_1 - \hat x_2\| = \sqrt{2(1-\rho)}",
    derive_distance,
    false={"half": _other(derive_distance, sp.Rational(1, 2))},
)

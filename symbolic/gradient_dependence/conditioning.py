r"""Conditioning of v on u in the proof of Proposition 17, line by line."""

from functools import cache

import sympy
from sympy import Expr, ImmutableMatrix, Matrix, sqrt

from symbolic.arguments import flag
from symbolic.derivation import Decision, Derivation, Step
from symbolic.equality import decide_equal
from symbolic.gradient_dependence.symbols import (
    GRAM,
    INSIDE,
    NOTATION_P,
    SIGMA_U,
    STANDARDISED,
    g11,
    g12,
    g21,
    g22,
    p1,
    p2,
    q1,
    q2,
    tau1,
    tau2,
    w1,
    w2,
)
from symbolic.notation import SIGMA, rho, u1, u2

_SCHUR = 1 - rho**2
#: Sigma_uv with B_i^* x_j = tau_j p_j (i = 1) or tau_j q_j (i = 2).
_CROSS = ImmutableMatrix(SIGMA**2 * Matrix([[tau1 * p1, tau2 * p2], [tau1 * q1, tau2 * q2]]))
_U = ImmutableMatrix([u1, u2])


def derive_u_precision(claimed: Expr | None = None) -> Derivation:
    """Sigma_u^-1, checked by multiplication with Sigma_u.

    >>> derive_u_precision().answer
    True
    """
    return _u_precision().claiming(claimed)


def derive_standardised(claimed: Expr | None = None) -> Derivation:
    """Sigma_u^-1 u in terms of w_1 and w_2.

    >>> derive_standardised().answer
    True
    """
    return _standardised().claiming(claimed)


def derive_conditional_mean(claimed: Expr | None = None) -> Derivation:
    """mu_{v|u} = Sigma_uv Sigma_u^-1 u, with p_i = B_1^* xhat_i and q_i = B_2^* xhat_i.

    >>> derive_conditional_mean().answer
    True
    """
    return _conditional_mean().claiming(claimed)


def derive_mean_product(claimed: Expr | None = None) -> Derivation:
    """<mu_1, mu_2> in the Gram numbers g_ij = <B_1^* xhat_i, B_2^* xhat_j>.

    >>> derive_mean_product().answer
    True
    """
    return _mean_product().claiming(claimed)


def derive_regression(claimed: Expr | None = None) -> Derivation:
    """The regression matrix Sigma_uv Sigma_u^-1.

    >>> derive_regression().answer
    True
    """
    return _regression().claiming(claimed)


def derive_explained_block(claimed: Expr | None = None) -> Derivation:
    """Block (1, 2) of Sigma_uv Sigma_u^-1 Sigma_uv^*, corrected: B_1^* comes first.

    With x (x) y = [x_i y_j] as defined in Section 2, the printed tensor products are transposed.

    >>> derive_explained_block().answer, derive_explained_block(printed_explained_block()).answer
    (True, False)
    """
    return _explained_block().claiming(claimed)


def printed_explained_block() -> ImmutableMatrix:
    """Block (1, 2) of Sigma_uv Sigma_u^-1 Sigma_uv^* as printed, B_2^* first."""
    return _explained(q1, q2, p1, p2)


def derive_explained_trace(printed_order: bool = False, claimed: Expr | None = None) -> Derivation:
    """Trace of that block in the Gram numbers; the order of the factors does not matter here.

    >>> [derive_explained_trace(printed_order).answer for printed_order in (False, True)]
    [True, True]
    """
    return _explained_trace(flag(printed_order, "printed_order")).claiming(claimed)


def _explained(first: Matrix, second: Matrix, third: Matrix, fourth: Matrix) -> ImmutableMatrix:
    """The printed combination of the outer products of (first, second) with (third, fourth)."""
    products = first * third.T - rho * second * third.T - rho * first * fourth.T + second * fourth.T
    return ImmutableMatrix(SIGMA**2 / _SCHUR * products)


@cache
def _u_precision() -> Derivation:
    inverse = Matrix([[tau1**-2, -rho / (tau1 * tau2)], [-rho / (tau1 * tau2), tau2**-2]]) / (
        SIGMA**2 * _SCHUR
    )

    def is_inverse(_before: Expr, after: Expr) -> Decision:
        return decide_equal(SIGMA_U * after, sympy.eye(2), INSIDE)

    return Derivation(
        title="Precision of u",
        name=r"\Sigma_u^{-1}",
        start=sympy.Inverse(SIGMA_U),
        steps=[Step(ImmutableMatrix(inverse), r"$\Sigma_u\Sigma_u^{-1} = I$", is_inverse)],
        notation=r"$\tau_j = \|x_j\|$",
    )


@cache
def _standardised() -> Derivation:
    scaled = Matrix([w1 / tau1, w2 / tau2]) / (SIGMA * sqrt(_SCHUR))
    return Derivation(
        title="Precision times u",
        name=r"\Sigma_u^{-1}[u_1, u_2]",
        start=ImmutableMatrix(_u_precision().conclusion * _U),
        steps=[Step(ImmutableMatrix(scaled), "definition of $w_1$ and $w_2$")],
        domain=INSIDE,
        where=STANDARDISED,
    )


@cache
def _conditional_mean() -> Derivation:
    factor = SIGMA / sqrt(_SCHUR)
    through_w = Matrix([w1 * p1 + w2 * p2, w1 * q1 + w2 * q2]) * factor
    return Derivation(
        title="Conditional mean of v given u",
        name=r"\mu_{v|u}",
        start=sympy.MatMul(_CROSS, _u_precision().conclusion, _U),
        steps=[
            Step(
                sympy.MatMul(_CROSS, _standardised().conclusion),
                r"$\Sigma_u^{-1}u$ in $w_1$, $w_2$",
            ),
            Step(ImmutableMatrix(through_w), "multiply out"),
        ],
        domain=INSIDE,
        where=STANDARDISED,
        notation=NOTATION_P,
    )


@cache
def _mean_product() -> Derivation:
    mean = _conditional_mean().conclusion
    squares = w1**2 * g11 + w2**2 * g22 + w1 * w2 * g12 + w1 * w2 * g21
    return Derivation(
        title="Product of the conditional means",
        name=r"\langle\mu_{v|u,1}, \mu_{v|u,2}\rangle",
        start=mean[:2, :].dot(mean[2:, :]),
        steps=[Step(SIGMA**2 / _SCHUR * squares, "bilinearity")],
        domain=INSIDE,
        where=GRAM,
        notation=NOTATION_P,
    )


@cache
def _regression() -> Derivation:
    def row(first: Matrix, second: Matrix) -> Matrix:
        left = (first - rho * second) / tau1
        return Matrix.hstack(left, (second - rho * first) / tau2)

    printed = Matrix([row(p1, p2), row(q1, q2)]) / _SCHUR
    return Derivation(
        title="Regression of v on u",
        name=r"\Sigma_{uv}\Sigma_u^{-1}",
        start=sympy.MatMul(_CROSS, _u_precision().conclusion),
        steps=[Step(ImmutableMatrix(printed), "multiply out")],
        domain=INSIDE,
        notation=NOTATION_P,
    )


@cache
def _explained_block() -> Derivation:
    upper = _regression().conclusion[:2, :]
    lower = ImmutableMatrix(_CROSS[2:, :].T)
    return Derivation(
        title="Covariance of v explained by u, block (1, 2), corrected",
        name=r"\left(\Sigma_{uv}\Sigma_u^{-1}\Sigma_{uv}^*\right)_{1,2}",
        start=sympy.MatMul(upper, lower),
        steps=[Step(_explained(p1, p2, q1, q2), r"$x \otimes y = [x_i y_j]$")],
        domain=INSIDE,
        notation=NOTATION_P,
    )


@cache
def _explained_trace(printed_order: bool) -> Derivation:
    block = printed_explained_block() if printed_order else _explained_block().conclusion
    total = SIGMA**2 / _SCHUR * (g11 + g22 - rho * g12 - rho * g21)
    return Derivation(
        title="Trace of the explained covariance",
        name=r"\operatorname{tr}\left(\Sigma_{uv}\Sigma_u^{-1}\Sigma_{uv}^*\right)_{1,2}",
        start=block.trace(),
        steps=[Step(total, r"$\operatorname{tr}(x \otimes y) = \langle x, y\rangle$")],
        domain=INSIDE,
        where=GRAM,
        notation=NOTATION_P,
    )

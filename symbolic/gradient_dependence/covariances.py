r"""Covariances (5), (6), (7) of Proposition 17, and their printed forms.

The off-diagonal blocks of (6) and (7) are transposed in print. Since u_j = <g, x_j> and
v_i = B_i^* g with g ~ N(0, sigma^2 I), block (i, j) of Sigma_v is sigma^2 B_i^* B_j and block
(i, j) of Sigma_uv is sigma^2 B_i^* x_j; printed are sigma^2 B_j^* B_i and sigma^2 B_j^* x_i.
The printed Sigma_v is the partial transpose of a covariance and need not be positive
semidefinite. The rest of the proof uses the correct blocks.
"""

from collections.abc import Iterator
from functools import cache

import sympy
from sympy import BlockMatrix, Expr, ImmutableMatrix, Matrix

from symbolic.derivation import Derivation, Step
from symbolic.equality import equal
from symbolic.gradient_dependence.symbols import (
    B1,
    B2,
    NOTATION_B,
    NOTATION_X,
    tau1,
    tau2,
    xhat1,
    xhat2,
)
from symbolic.notation import SIGMA

_X1, _X2 = tau1 * xhat1, tau2 * xhat2
_U_MAP = Matrix.hstack(_X1, _X2).T
_V_MAP = Matrix.hstack(B1, B2).T
_NOISE = SIGMA**2 * sympy.eye(2)
_LINEAR = r"$\mathbb{E}\,gg^* = \sigma^2 I$ and linearity"


def derive_u_covariance(claimed: Expr | None = None) -> Derivation:
    """Equation (5): E u u^* for u_j = <g, x_j>, in inner products of the x_j.

    >>> derive_u_covariance().answer
    True
    """
    return _u_covariance().claiming(claimed)


def derive_v_covariance(claimed: Expr | None = None) -> Derivation:
    """Equation (6), corrected: block (i, j) of E v v^* is sigma^2 B_i^* B_j.

    >>> derive_v_covariance().answer, derive_v_covariance(printed_v_covariance()).answer
    (True, False)
    """
    return _v_covariance().claiming(claimed)


def derive_cross_covariance(claimed: Expr | None = None) -> Derivation:
    """Equation (7), corrected: block (i, j) of E v u^* is sigma^2 B_i^* x_j.

    >>> derive_cross_covariance().answer
    True
    >>> derive_cross_covariance(printed_cross_covariance()).answer
    False
    """
    return _cross_covariance().claiming(claimed)


def printed_v_covariance() -> ImmutableMatrix:
    """Equation (6) as printed, with block (i, j) equal to sigma^2 B_j^* B_i."""
    return _blocks([[B1.T * B1, B2.T * B1], [B1.T * B2, B2.T * B2]])


def printed_cross_covariance() -> ImmutableMatrix:
    """Equation (7) as printed, with block (i, j) equal to sigma^2 B_j^* x_i."""
    return _blocks([[B1.T * _X1, B2.T * _X1], [B1.T * _X2, B2.T * _X2]])


def check_printed_covariances_fail(transposed: bool = True) -> Iterator[tuple[str, bool | None]]:
    """An exact example in which (6) and (7) as printed are not the covariances of u and v.

    B_1 = [1 0], B_2 = [0 1] (n = 1, p = 2), x_1 = 1, x_2 = 2: then v = (g, 0, 0, g). With
    `transposed=False` the blocks are put right, and every objection is answered False.

    >>> all(answer for _, answer in check_printed_covariances_fail())
    True
    >>> any(answer for _, answer in check_printed_covariances_fail(transposed=False))
    False
    """
    maps, inputs = (Matrix([[1, 0]]), Matrix([[0, 1]])), (Matrix([1]), Matrix([2]))
    v_map, u_map = Matrix.hstack(*maps).T, Matrix.hstack(*inputs)

    def block(right: tuple[Matrix, Matrix], i: int, j: int) -> Matrix:
        return maps[j].T * right[i] if transposed else maps[i].T * right[j]

    covariance, cross = (
        Matrix([[block(right, i, j) for j in (0, 1)] for i in (0, 1)]) for right in (maps, inputs)
    )
    yield "(6) is not the covariance of v", not equal(covariance, v_map * v_map.T)
    yield "(6) has a negative eigenvalue", any(value < 0 for value in covariance.eigenvals())
    yield "(7) is not the covariance of v and u", not equal(cross, v_map * u_map)


@cache
def _u_covariance() -> Derivation:
    inner = SIGMA**2 * Matrix([[_X1.dot(_X1), _X1.dot(_X2)], [_X2.dot(_X1), _X2.dot(_X2)]])
    return Derivation(
        title="Covariance of u, equation (5)",
        name=r"\Sigma_u",
        start=_unevaluated(_U_MAP, _U_MAP),
        steps=[Step(ImmutableMatrix(inner), _LINEAR)],
        notation=NOTATION_X,
    )


@cache
def _v_covariance() -> Derivation:
    return Derivation(
        title="Covariance of v, equation (6) corrected",
        name=r"\Sigma_v",
        start=_unevaluated(_V_MAP, _V_MAP),
        steps=[Step(_blocks([[B1.T * B1, B1.T * B2], [B2.T * B1, B2.T * B2]]), _LINEAR)],
        notation=NOTATION_B,
    )


@cache
def _cross_covariance() -> Derivation:
    return Derivation(
        title="Covariance of v and u, equation (7) corrected",
        name=r"\Sigma_{uv}",
        start=_unevaluated(_V_MAP, _U_MAP),
        steps=[Step(_blocks([[B1.T * _X1, B1.T * _X2], [B2.T * _X1, B2.T * _X2]]), _LINEAR)],
        notation=f"{NOTATION_B}, {NOTATION_X}",
    )


def _unevaluated(left: Matrix, right: Matrix) -> Expr:
    """The product left E[g g^*] right^*, not multiplied out."""
    factors = (left, _NOISE, right.T)
    return sympy.MatMul(*[ImmutableMatrix(factor) for factor in factors])


def _blocks(blocks: list[list[Matrix]]) -> ImmutableMatrix:
    return ImmutableMatrix(SIGMA**2 * BlockMatrix(blocks).as_explicit())

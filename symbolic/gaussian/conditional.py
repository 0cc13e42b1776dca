"""Conditioning of jointly Gaussian vectors, for symbolic matrices.

For centred (u, v) with covariances Sigma_u, Sigma_v and Sigma_uv = E v u^* (one row per entry of
v, as in "MLPs at the EOC"), v given u is normal with mean Sigma_uv Sigma_u^-1 u and covariance
Sigma_v - Sigma_uv Sigma_u^-1 Sigma_uv^*.
"""

from typing import Any

import sympy
from sympy import Expr, ImmutableMatrix, Matrix

from symbolic.arguments import exact_matrix, natural
from symbolic.derivation import Derivation, Step


def conditional_mean(sigma_uv: Any, sigma_u: Any, u: Any) -> ImmutableMatrix:
    """Mean Sigma_uv Sigma_u^-1 u of v given u.

    Shapes: sigma_uv n by m, sigma_u m by m and invertible (ValueError if it is known to be
    singular), u m by 1.

    >>> rho, u = sympy.symbols("rho u", real=True)
    >>> conditional_mean([[rho]], [[1]], [[u]])
    Matrix([[rho*u]])
    """
    sigma_u, sigma_uv = _covariances(sigma_u, sigma_uv)
    u = exact_matrix(u, "u", (sigma_u.shape[0], 1))
    return ImmutableMatrix(sigma_uv * sigma_u.inv() * u)


def conditional_covariance(sigma_v: Any, sigma_uv: Any, sigma_u: Any) -> ImmutableMatrix:
    """Covariance Sigma_v - Sigma_uv Sigma_u^-1 Sigma_uv^* of v given u, a Schur complement.

    Shapes: sigma_v n by n, sigma_uv n by m, sigma_u m by m and invertible (ValueError if it is
    known to be singular).

    >>> rho = sympy.Symbol("rho", real=True)
    >>> conditional_covariance([[1]], [[rho]], [[1]])
    Matrix([[1 - rho**2]])
    """
    sigma_u, sigma_uv = _covariances(sigma_u, sigma_uv)
    rows = sigma_uv.shape[0]
    sigma_v = exact_matrix(sigma_v, "sigma_v", (rows, rows))
    return ImmutableMatrix(sigma_v - sigma_uv * sigma_u.inv() * sigma_uv.T)


def derive_conditioning(rows: int = 2, claimed: Expr | None = None) -> tuple[Derivation, ...]:
    """Why the formulas hold, for a v of `rows` entries, a u of two, and symbolic covariances.

    The rest v - Sigma_uv Sigma_u^-1 u is uncorrelated with u, hence independent of it, and its
    covariance is the Schur complement. Returns both covariances as derivations; `claimed`
    replaces the conclusion of the second.

    >>> [chain.answer for chain in derive_conditioning()]
    [True, True]
    """
    rows = natural(rows, "rows")
    sigma_u, sigma_v, sigma_uv = _symmetric("p", 2), _symmetric("q", rows), _full("s", rows, 2)
    regression = (sigma_uv * sigma_u.inv()).applyfunc(sympy.factor)
    rest = ImmutableMatrix(Matrix.hstack(sympy.eye(rows), -regression))
    joint = ImmutableMatrix(Matrix([[sigma_v, sigma_uv], [sigma_uv.T, sigma_u]]))
    invertible = (sympy.Ne(sigma_u.det(), 0),)
    uncorrelated = Derivation(
        title="The rest is uncorrelated with the condition",
        name=r"\mathbb{E}\,(v - \Sigma_{uv}\Sigma_u^{-1}u)u^*",
        start=sympy.MatMul(rest, joint[:, rows:]),
        steps=[Step(sympy.ImmutableMatrix.zeros(rows, 2), r"$\Sigma_u^{-1}\Sigma_u = I$")],
        under=invertible,
    )
    schur = Derivation(
        title="The covariance of the rest is the Schur complement",
        name=r"\operatorname{Cov}(v - \Sigma_{uv}\Sigma_u^{-1}u)",
        start=sympy.MatMul(rest, joint, rest.T),
        steps=[Step(conditional_covariance(sigma_v, sigma_uv, sigma_u), "multiply out")],
        under=invertible,
    )
    return uncorrelated, schur.claiming(claimed)


def _covariances(sigma_u: Any, sigma_uv: Any) -> tuple[ImmutableMatrix, ImmutableMatrix]:
    sigma_u = exact_matrix(sigma_u, "sigma_u", (None, None))
    if sigma_u.shape[0] != sigma_u.shape[1]:
        raise ValueError(f"sigma_u must be square, got shape {sigma_u.shape}")
    if sigma_u.det().expand() == 0:
        raise ValueError(f"sigma_u must be invertible, got {sigma_u}")
    return sigma_u, exact_matrix(sigma_uv, "sigma_uv", (None, sigma_u.shape[0]))


def _full(name: str, rows: int, columns: int) -> Matrix:
    return Matrix(rows, columns, lambda i, j: sympy.Symbol(f"{name}_{i}{j}", real=True))


def _symmetric(name: str, size: int) -> Matrix:
    entry = sympy.Symbol
    return Matrix(size, size, lambda i, j: entry(f"{name}_{min(i, j)}{max(i, j)}", real=True))

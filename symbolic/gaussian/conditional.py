"""Conditioning of jointly Gaussian vectors, for symbolic matrices.

For centred (u, v) with covariances Sigma_u, Sigma_v and Sigma_uv = E v u^* (one row per entry of
v, as in "MLPs at the EOC"), v given u is normal with mean Sigma_uv Sigma_u^-1 u and covariance
Sigma_v - Sigma_uv Sigma_u^-1 Sigma_uv^*.
"""

from typing import Any

from sympy import ImmutableMatrix

from symbolic.arguments import exact_matrix


def conditional_mean(sigma_uv: Any, sigma_u: Any, u: Any) -> ImmutableMatrix:
    """Mean Sigma_uv Sigma_u^-1 u of v given u.

    Shapes: sigma_uv n by m, sigma_u m by m and invertible (ValueError if it is known to be
    singular), u m by 1.

    >>> import sympy
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

    >>> import sympy
    >>> rho = sympy.Symbol("rho", real=True)
    >>> conditional_covariance([[1]], [[rho]], [[1]])
    Matrix([[1 - rho**2]])
    """
    sigma_u, sigma_uv = _covariances(sigma_u, sigma_uv)
    rows = sigma_uv.shape[0]
    sigma_v = exact_matrix(sigma_v, "sigma_v", (rows, rows))
    return ImmutableMatrix(sigma_v - sigma_uv * sigma_u.inv() * sigma_uv.T)


def _covariances(sigma_u: Any, sigma_uv: Any) -> tuple[ImmutableMatrix, ImmutableMatrix]:
    sigma_u = exact_matrix(sigma_u, "sigma_u", (None, None))
    if sigma_u.shape[0] != sigma_u.shape[1]:
        raise ValueError(f"sigma_u must be square, got shape {sigma_u.shape}")
    if sigma_u.det().expand() == 0:
        raise ValueError(f"sigma_u must be invertible, got {sigma_u}")
    return sigma_u, exact_matrix(sigma_uv, "sigma_uv", (None, sigma_u.shape[0]))

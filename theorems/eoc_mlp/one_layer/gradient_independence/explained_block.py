r"""The covariance of v explained by u, block (1, 2).

B_i is an n by p matrix, x_i = tau_i xhat_i a vector in R^n, g ~ N(0, sigma^2 I_n), u_j = <g, x_j>
and v_i = B_i^* g. Entries of the block are bilinear in (B_1^* xhat_i, B_2^* xhat_j), an entry of
each, so that two generic entries stand for all n and p.
"""

from functools import cache

from sympy import ImmutableMatrix, MatMul, Matrix, factor, symbols

from symbolic.derivation import Derivation, Step
from symbolic.notation import DOMAIN, SIGMA, rho

_TAU = symbols("tau_1 tau_2", positive=True)


def _columns(name: str) -> tuple[ImmutableMatrix, ImmutableMatrix]:
    first, second = (symbols(f"{name}_1{j} {name}_2{j}", real=True) for j in (1, 2))
    return ImmutableMatrix(first), ImmutableMatrix(second)


#: B_i^* xhat_1 and B_i^* xhat_2, with two generic entries each.
_IMAGES = {1: _columns("p"), 2: _columns("q")}
_CROSS = {
    i: SIGMA**2 * Matrix.hstack(*(tau * x for tau, x in zip(_TAU, images, strict=True)))
    for i, images in _IMAGES.items()
}
#: Covariance (5) of u in terms of the norms and the cosine.
SIGMA_U = ImmutableMatrix(2, 2, lambda i, j: SIGMA**2 * _TAU[i] * _TAU[j] * (1 if i == j else rho))


def tensor_products(first: int, second: int) -> ImmutableMatrix:
    """The printed combination, up to its scale, for B_first in front and B_second behind."""
    (x1, x2), (y1, y2) = _IMAGES[first], _IMAGES[second]
    return ImmutableMatrix(x1 * y1.T - rho * x2 * y1.T - rho * x1 * y2.T + x2 * y2.T)


@cache
def derive_explained_block() -> Derivation:
    """Block (1, 2) of Sigma_uv Sigma_u^-1 Sigma_uv^*, corrected: B_1^* comes first."""
    regression = (_CROSS[1] * SIGMA_U.inv()).applyfunc(factor)
    return Derivation(
        title="Covariance of v explained by u, block (1, 2), corrected",
        name=r"\left(\Sigma_{uv}\Sigma_u^{-1}\Sigma_{uv}^*\right)_{1,2}",
        start=MatMul(ImmutableMatrix(regression), ImmutableMatrix(_CROSS[2].T)),
        steps=[Step(SIGMA**2 / (1 - rho**2) * tensor_products(1, 2), r"$x \otimes y = [x_i y_j]$")],
        domain=DOMAIN,
        notation=r"$[p_{ij}] = B_1^*[\hat x_1, \hat x_2]$, $[q_{ij}] = B_2^*[\hat x_1, \hat x_2]$",
    )

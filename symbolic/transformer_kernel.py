"""The tangent kernel of the shallow transformer given the attention, exactly.

Lemma 4 of "Shallow transformers" asks for means over U ~ N(0, I_d) of functions of u = (U.a, U.a')
and, in the W-block, of U U^T as well. For means a, a' in general position U is its projection on
their plane plus an independent normal vector of the orthogonal complement, so that with the Gram
matrix G and A = (a, a')

    E g(u) U U^T = E g(u) (I - A G^-1 A^T) + A G^-1 E[g(u) u u^T] G^-1 A^T.

For sigma = erf the slopes tilt the normal law: with S = I + 2(a a^T + a' a'^T),

    exp(-|U|^2/2 - (U.a)^2 - (U.a')^2) = exp(-U.S U/2).
"""

from typing import Any, NamedTuple

import sympy
from sympy import Expr, ImmutableMatrix, Rational, asin, pi, sign, sqrt

from symbolic.arguments import choice, exact, exact_matrix
from symbolic.gaussian import bivariate_expectation
from symbolic.notation import u1, u2

__all__ = ["Blocks", "blocks_given_attention", "slope_second_moment"]

_KNOWN = ("erf", "relu")
_STEPS = (1 + sign(u1)) * (1 + sign(u2)) / 4


class Blocks(NamedTuple):
    """The blocks K_c, K_u, K_w; K is their sum."""

    c: Expr
    u: Expr
    w: Expr


def slope_second_moment(activation: str, mean1: Any, mean2: Any) -> ImmutableMatrix:
    """E sigma'(U.a) sigma'(U.a') U U^T for sigma = "erf" or "relu", a d x d matrix.

    Means a, a' as columns; for "relu" they must not be parallel.
    Raises ValueError for other activations and shapes, and for parallel means with "relu".
    Source: "Shallow transformers", Lemma 4, the W-block (derived).

    >>> slope_second_moment("relu", [[1], [0]], [[0], [1]])
    Matrix([
    [     1/4, 1/(2*pi)],
    [1/(2*pi),      1/4]])
    >>> slope_second_moment("erf", [[0]], [[1]])
    Matrix([[4*sqrt(3)/(9*pi)]])
    """
    choice(activation, "activation", _KNOWN)
    a, b = _columns(mean1, mean2)
    if activation == "erf":
        S = sympy.eye(a.rows) + 2 * (a * a.T + b * b.T)
        return ImmutableMatrix(4 / pi / sqrt(S.det()) * S.inv())
    A = a.row_join(b)
    G = A.T * A
    if sympy.simplify(G.det()) == 0:
        raise ValueError(f"mean2 must not be parallel to mean1 for 'relu', got {mean2}")
    in_plane = sympy.Matrix([[_of_steps(u1**2, G), _of_steps(u1 * u2, G)]] * 2)
    in_plane[1, 0], in_plane[1, 1] = in_plane[0, 1], _of_steps(u2**2, G)
    dual = A * G.inv()
    outside = sympy.eye(a.rows) - dual * A.T
    moment = _of_steps(sympy.S.One, G) * outside + dual * in_plane * dual.T
    return ImmutableMatrix(moment.applyfunc(sympy.simplify))


def _columns(mean1: Any, mean2: Any) -> tuple[ImmutableMatrix, ImmutableMatrix]:
    a = exact_matrix(mean1, "mean1", (None, 1))
    return a, exact_matrix(mean2, "mean2", (a.rows, 1))


def _of_steps(f: Expr, G: sympy.Matrix) -> Expr:
    """E 1{u1 > 0} 1{u2 > 0} f(u1, u2), u = (U.a, U.a') with covariance G."""
    rho = G[0, 1] / sqrt(G[0, 0] * G[1, 1])
    return bivariate_expectation(_STEPS * f, u1, u2, rho, (G[0, 0], G[1, 1]))


def blocks_given_attention(
    activation: str,
    mean1: Any,
    mean2: Any,
    covariance1: Any,
    covariance2: Any,
    query_product: Any,
) -> Blocks:
    """K_c, K_u, K_w given W, exactly, for sigma = "erf" or "relu".

    Means a, a' as columns, covariances M, M' as d x d matrices, <q, q'> a number.
    Raises ValueError as `slope_second_moment` does.
    Source: "Shallow transformers", Lemma 4 (closed forms derived).

    >>> M = [["1/2", 0], [0, "1/2"]]
    >>> blocks_given_attention("erf", [[0], [0]], [[0], [1]], M, M, 1)
    Blocks(c=0, u=0, w=4*sqrt(3)/(9*pi))
    """
    moment = slope_second_moment(activation, mean1, mean2)
    a, b = _columns(mean1, mean2)
    M = exact_matrix(covariance1, "covariance1", moment.shape)
    N = exact_matrix(covariance2, "covariance2", moment.shape)
    dual, slope = (_erf_duals if activation == "erf" else _relu_duals)(a, b)
    weight = exact(query_product, "query_product")
    return Blocks(dual, (a.T * b)[0, 0] * slope, weight * (M * N * moment).trace())


def _erf_duals(a: ImmutableMatrix, b: ImmutableMatrix) -> tuple[Expr, Expr]:
    first, second = 1 + 2 * (a.T * a)[0, 0], 1 + 2 * (b.T * b)[0, 0]
    inner = 2 * (a.T * b)[0, 0]
    dual = 2 / pi * asin(inner / sqrt(first * second))
    return dual, 4 / pi / sqrt(first * second - inner**2)


def _relu_duals(a: ImmutableMatrix, b: ImmutableMatrix) -> tuple[Expr, Expr]:
    A = a.row_join(b)
    G = A.T * A
    return _of_steps(u1 * u2, G), _of_steps(Rational(1), G)

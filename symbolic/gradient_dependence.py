"""Gradient dependence at finite width, "MLPs at the EOC", Proposition 17: closed forms."""

from typing import Any

import sympy
from sympy import Expr, pi, sqrt

from symbolic.arguments import CORRELATION, OPEN_CORRELATION, UNIT, exact, exact_in, exact_matrix

__all__ = ["bound_printed", "bound_sharp", "error", "integral_w1", "integral_w1w2"]


def integral_w1(rho: Any, b: Any) -> Expr:
    """E phi'(u1) phi'(u2) (w1^2 - 1) = -rho b^2 (2/pi) sqrt(1 - rho^2).

    Here w1 = (u1 - rho u2) / sqrt(1 - rho^2) for standard normals with correlation rho in
    (-1, 1); the formula extends to [-1, 1]. The integral with w2 in place of w1 is the same.
    ValueError outside. Source: proof of Proposition 17.

    >>> integral_w1("3/5", 1)
    -24/(25*pi)
    """
    rho, b = exact_in(rho, "rho", CORRELATION), exact(b, "b")
    return -rho * b**2 * 2 / pi * sqrt(1 - rho**2)


def integral_w1w2(rho: Any, b: Any) -> Expr:
    """E phi'(u1) phi'(u2) (w1 w2 + rho) = b^2 (2/pi) sqrt(1 - rho^2).

    Notation and domain as for `integral_w1`, with w2 = (u2 - rho u1) / sqrt(1 - rho^2). Source:
    proof of Proposition 17.

    >>> integral_w1w2("3/5", 1)
    8/(5*pi)
    """
    rho, b = exact_in(rho, "rho", CORRELATION), exact(b, "b")
    return b**2 * 2 / pi * sqrt(1 - rho**2)


def error(product: Any, x1: Any, x2: Any, delta: Any) -> Expr:
    r"""Gradient dependence error of Proposition 17, exactly.

    With M = B_1 B_2^* (`product`, n by n), unit vectors xhat_i along x1, x2 (n by 1) and their
    cosine rho in (-1, 1), the expectation of X'_{k1,k2} minus varrho'(rho) X'_{k1,k2-1} is

    .. math:: \Delta_\phi \tfrac{2}{\pi} (1-\rho^2)^{-1/2} \bigl(
        \hat x_1^* M (\hat x_2 - \rho \hat x_1) + \hat x_2^* M (\hat x_1 - \rho \hat x_2)\bigr).

    Raises ValueError for parallel or zero vectors, where the formula has no meaning.

    >>> swap = [[0, 1], [1, 0]]
    >>> error(swap, [[2], [1]], [[1], [2]], 1)
    12/(5*pi)
    """
    product = exact_matrix(product, "product", (None, None))
    if product.shape[0] != product.shape[1]:
        raise ValueError(f"product must be square, got shape {product.shape}")
    first, second = (_unit(x, name, product.shape[0]) for x, name in ((x1, "x1"), (x2, "x2")))
    rho = _cosine(first, second)
    bracket = first.dot(product * (second - rho * first)) + second.dot(product * (first - rho * second))
    share = exact_in(delta, "delta", UNIT)
    return share * 2 / pi * sympy.together(bracket) / sqrt(sympy.factor(1 - rho**2))


def bound_printed(rho: Any, delta: Any) -> Expr:
    """Bound of Proposition 17 over |B_1| |B_2|: Delta (8/pi) sqrt((1 - rho) / (1 + rho)).

    rho lies in (-1, 1], Delta in [0, 1]; ValueError outside.

    >>> bound_printed("3/5", 1)
    4/pi
    """
    rho, delta = exact_in(rho, "rho", _RIGHT_CLOSED), exact_in(delta, "delta", UNIT)
    return delta * 8 / pi * sqrt((1 - rho) / (1 + rho))


def bound_sharp(rho: Any, delta: Any) -> Expr:
    """Sharp bound over |B_1 B_2^*|: Delta (4/pi) sqrt(1 - rho^2).

    It is (1 + rho) / 2 times the printed one, and attained. rho lies in [-1, 1] (the error is
    only defined inside), Delta in [0, 1]; ValueError outside.

    >>> bound_sharp("3/5", 1)
    16/(5*pi)
    """
    rho, delta = exact_in(rho, "rho", CORRELATION), exact_in(delta, "delta", UNIT)
    return delta * 4 / pi * sqrt(1 - rho**2)


_RIGHT_CLOSED = sympy.Interval.Lopen(-1, 1)


def _unit(x: Any, name: str, size: int) -> sympy.ImmutableMatrix:
    x = exact_matrix(x, name, (size, 1))
    length = sqrt(x.dot(x))
    if length.is_zero:
        raise ValueError(f"{name} must not be zero, got {x.tolist()}")
    return x / length


def _cosine(first: sympy.ImmutableMatrix, second: sympy.ImmutableMatrix) -> Expr:
    rho = sympy.simplify(first.dot(second))
    try:
        return exact_in(rho, "rho", OPEN_CORRELATION)
    except ValueError as refused:
        raise ValueError(f"x1 and x2 must not be parallel, got the cosine {rho}") from refused

"""The limiting NTK of "MLPs at the EOC", Definition 22."""

from itertools import accumulate, repeat
from typing import Any

import sympy
from sympy import Add, Expr, Mul, sqrt

from symbolic.arguments import CORRELATION, UNIT, exact_in, exact_matrix, natural
from symbolic.cosine_maps.closed_forms import cosine_map, cosine_slope


def limiting_ntk_profile(rho: Any, depth: Any, delta: Any) -> Expr:
    r"""Scalar profile of the limiting NTK as printed in Definition 22.

    .. math:: K_l(\rho) = \sum_{k=1}^{l} \varrho^{\circ(k-1)}(\rho)
        \prod_{k'=k}^{l-1} \varrho'(\varrho^{\circ(k'-1)}(\rho))

    for rho in [-1, 1], depth l >= 1 (the paper has l >= 2), Delta in [0, 1]. The limiting NTK
    itself is |x1| |x2| K_l(rho) times the identity of the output space. ValueError or TypeError
    for arguments outside their domain.

    >>> limiting_ntk_profile(1, 5, "1/3"), limiting_ntk_profile(0, 2, 1)
    (5, 2/pi)
    """
    start, share = exact_in(rho, "rho", CORRELATION), exact_in(delta, "delta", UNIT)
    steps = repeat(share, natural(depth, "depth") - 1)
    cosines = list(accumulate(steps, cosine_map, initial=start))
    slopes = [cosine_slope(cosine, share) for cosine in cosines[:-1]]
    return Add(*[Mul(cosine, *slopes[k:]) for k, cosine in enumerate(cosines)])


def limiting_ntk(x1: Any, x2: Any, depth: Any, delta: Any) -> Expr:
    """Limiting NTK |x1| |x2| K_l(rho) of two vectors, rho their cosine.

    x1 and x2 are column vectors (n by 1) of exact entries, symbols included; zero vectors give
    zero, since the kernel is continuous there. Source: "MLPs at the EOC", Definition 22.

    >>> limiting_ntk([[1], [0]], [[3], [4]], 2, 0), limiting_ntk([[0], [0]], [[3], [4]], 2, 1)
    (6, 0)
    """
    x1 = exact_matrix(x1, "x1", (None, 1))
    x2 = exact_matrix(x2, "x2", (x1.shape[0], 1))
    product = sqrt(x1.dot(x1)) * sqrt(x2.dot(x2))
    if product.is_zero:
        natural(depth, "depth")
        exact_in(delta, "delta", UNIT)
        return sympy.S.Zero
    return product * limiting_ntk_profile(x1.dot(x2) / product, depth, delta)

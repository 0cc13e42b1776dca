"""Norms of J = diag(p) - p p^T, exactly."""

from itertools import combinations
from typing import Any

import sympy
from sympy import Expr

from symbolic.softmax_jacobian.weights import exact_weights, softmax_jacobian

_MOST_TOKENS = 16


def infinity_to_one_norm(weights: Any) -> tuple[Expr, tuple[int, ...]]:
    """max |J u|_1 over |u|_inf <= 1, and a set of tokens (from 0 on) where u = 1 attains it.

    All vectors of signs are tried, one of each pair ±u; the norm is convex in u, so the maximum is
    at one of them. At most 16 weights, all numbers; ValueError otherwise.
    Source: derived from "Shallow transformers", Fact 1, which bounds it by 2.

    >>> infinity_to_one_norm(["1/6", "1/3", "1/2"]), infinity_to_one_norm([1])
    ((1, (0, 1)), (0, ()))
    >>> infinity_to_one_norm(["1/3", "1/3", "1/3"])
    (8/9, (0,))
    """
    p = exact_weights(weights)
    if len(p) > _MOST_TOKENS or not all(entry.is_number for entry in p):
        raise ValueError(f"weights must be at most {_MOST_TOKENS} numbers, got {len(p)} entries")
    J, tokens = softmax_jacobian(p), range(len(p) - 1)
    best: Expr = sympy.Integer(0)
    chosen: tuple[int, ...] = ()
    for size in range(len(p)):
        for subset in combinations(tokens, size):
            u = sympy.Matrix([1 if t in subset else -1 for t in range(len(p))])
            value = sympy.simplify(sum(map(abs, J * u)))
            if value > best:
                best, chosen = value, subset
    return best, chosen


def sum_of_squares(weights: Any) -> Expr:
    """|J|_F^2 = sum p^2 - 2 sum p^3 + (sum p^2)^2.

    Source: derived from "Shallow transformers", Fact 1.

    >>> sum_of_squares(["1/2", "1/2"])
    1/4
    """
    p = exact_weights(weights)
    squares, cubes = (sum(entry**k for entry in p) for k in (2, 3))
    return sympy.expand(squares - 2 * cubes + squares**2)

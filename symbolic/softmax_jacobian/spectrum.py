"""The characteristic polynomial of J = diag(p) - p p^T, its null space and its pseudo-inverse."""

from typing import Any

import sympy
from sympy import Expr, ImmutableMatrix, Symbol

from symbolic.arguments import symbol
from symbolic.softmax_jacobian.weights import exact_weights, softmax_jacobian

_LAMBDA = Symbol("lambda", real=True)


def characteristic_polynomial(weights: Any, variable: Symbol = _LAMBDA) -> Expr:
    """det(J - lambda), as a determinant, expanded.

    >>> characteristic_polynomial(["1/2", "1/2"])
    lambda**2 - lambda/2
    """
    J = softmax_jacobian(weights)
    x = symbol(variable, "variable")
    return sympy.expand((J - x * sympy.eye(J.rows)).det(method="berkowitz"))


def secular_polynomial(weights: Any, variable: Symbol = _LAMBDA) -> Expr:
    """-lambda sum_t p_t prod_{s != t} (p_s - lambda), expanded.

    It is det(J - lambda): the nonzero eigenvalues are the roots of sum_t p_t/(p_t - lambda), and
    each weight that several tokens share.
    Source: derived from "Shallow transformers", Fact 1.

    >>> secular_polynomial(["1/2", "1/2"])
    lambda**2 - lambda/2
    """
    p, x = exact_weights(weights), symbol(variable, "variable")
    return sympy.expand(
        -x * sum(p[t] * sympy.prod(p[s] - x for s in range(len(p)) if s != t) for t in range(len(p)))
    )


def eigenvalue_product(weights: Any) -> Expr:
    """T prod_t p_t, the product of the eigenvalues of J but one 0.

    >>> eigenvalue_product(["1/3", "2/3"])
    4/9
    """
    p = exact_weights(weights)
    return sympy.expand(len(p) * sympy.prod(p))


def pseudo_inverse(weights: Any) -> ImmutableMatrix:
    """P diag(1/p) P with P = I - 1 1^T / T, the Moore-Penrose inverse of J; weights not 0.

    >>> pseudo_inverse(["1/2", "1/2"])
    Matrix([
    [ 1, -1],
    [-1,  1]])
    """
    p = exact_weights(weights)
    if any(entry.is_zero for entry in p):
        raise ValueError("weights must lie in (0, 1], got 0 among them")
    T = len(p)
    projection = sympy.eye(T) - sympy.ones(T, T) / T
    return ImmutableMatrix(projection * sympy.diag(*(1 / entry for entry in p)) * projection)

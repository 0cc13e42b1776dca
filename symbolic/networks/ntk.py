"""Backpropagation matrices and the neural tangent kernel of an exact MLP, by formula (2)."""

from typing import Any

import sympy
from sympy import Expr, ImmutableMatrix

from symbolic.arguments import natural
from symbolic.networks.mlp import ExactMLP, expanded


def backpropagation_matrix(mlp: ExactMLP, x: Any, k1: int, k2: int) -> ImmutableMatrix:
    r"""B_{k1,k2}(x), shape (m_{k2-1}, m_{k1-1}); 2 <= k1 <= k2 <= l.

    .. math:: B_{k_1,k_2} = \sigma D_{x'_{k_2}} m^{q_{k_2-1}/2} A_{k_2-1} \cdots
        m^{q_{k_1}/2} A_{k_1} D_{x'_{k_1}}

    The paper prints m^((q_{k2}-1)/2); its proofs use m^(q_{k2-1}/2), as here.

    Source: "MLPs at the EOC", Definition 5.

    >>> mlp = ExactMLP([[[1]], [[-3]], [[1]]], a=0, b=1)
    >>> backpropagation_matrix(mlp, [2], 2, 3)
    Matrix([[3]])
    """
    if not 2 <= natural(k1, "k1", 2) <= natural(k2, "k2", 2) <= mlp.depth:
        raise ValueError(f"2 <= k1 <= k2 <= {mlp.depth} must hold, got {(k1, k2)}")
    product = sympy.diag(*mlp.derivative(x, k1))
    for k in range(k1 + 1, k2 + 1):
        step = mlp.scale(k - 1) * sympy.diag(*mlp.derivative(x, k)) * mlp.layer(k - 1)
        product = step * product
    return expanded(mlp.sigma * product)


def inner_product(mlp: ExactMLP, x1: Any, x2: Any, k: int) -> Expr:
    """X_k(x_1, x_2) = <x_k(x_1), x_k(x_2)>, k in [1 : l]."""
    return sympy.expand(mlp.activation(x1, k).dot(mlp.activation(x2, k)))


def ntk(mlp: ExactMLP, x1: Any, x2: Any) -> ImmutableMatrix:
    r"""K_theta(x_1, x_2), shape (m_l, m_l).

    .. math:: \sigma^{-2} \sum_{k=1}^{l-1} m^{q_k} X_k\,
        A_l B_{k+1,l}(x_1) B_{k+1,l}(x_2)^* A_l^* + X_l I

    Source: "MLPs at the EOC", Proposition 6.

    >>> ntk(ExactMLP([[[-2]], [[3]]], a=0, b=1), [5], [5])
    Matrix([[325]])
    """
    depth, A = mlp.depth, mlp.layer(mlp.depth)
    weight = (mlp.scale(depth) / mlp.sigma) ** 2
    form = weight * A * last_layer_form(mlp, x1, x2) * A.T
    return expanded(form + inner_product(mlp, x1, x2, depth) * sympy.eye(A.rows))


def last_layer_form(mlp: ExactMLP, x1: Any, x2: Any) -> ImmutableMatrix:
    r"""J(x_1, x_2), shape (m_{l-1}, m_{l-1}): the form of which the NTK's fluctuation is a value.

    .. math:: J = \sum_{k=1}^{l-1} m^{q_k-q_l} X_k\, B_{k+1,l}(x_1) B_{k+1,l}(x_2)^*,
        \quad K_\theta = G J G^* + X_l I, \quad G = \sigma^{-1} m^{q_l/2} A_l

    The mean over the last layer is E K = (tr J + X_l) I (Proposition 7).

    Source: "MLPs at the EOC", Proposition 9.

    >>> last_layer_form(ExactMLP([[[-2]], [[3]]], a=0, b=1), [5], [5])
    Matrix([[25]])
    """
    depth = mlp.depth
    total = sympy.zeros(mlp.widths[depth - 1])
    for k in range(1, depth):
        first, second = (backpropagation_matrix(mlp, x, k + 1, depth) for x in (x1, x2))
        weight = (mlp.scale(k) / mlp.scale(depth)) ** 2 * inner_product(mlp, x1, x2, k)
        total += weight * first * second.T
    return expanded(total)

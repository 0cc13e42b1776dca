"""Gradients of an exact shallow transformer: SymPy's, and the closed form of the paper.

The parameters of a head are ordered c, U, W column by column. All derivatives are columns in
that order.
"""

from typing import Any

import sympy
from sympy import Dummy, Expr, ImmutableMatrix, sqrt

from symbolic.networks.transformer import ExactTransformer, Head


def differentiated_gradient(net: ExactTransformer, tokens: Any, query: Any, i: int = 1) -> ImmutableMatrix:
    """The derivatives of f with respect to c_i, U_i and vec W_i, by SymPy's differentiation.

    >>> net = ExactTransformer([(2, [[3]], [[0]])], sympy.exp)
    >>> differentiated_gradient(net, [[1], [-1]], [[1]]).T
    Matrix([[1, 0, 6]])
    """
    letters, moved = _in_letters(net, i)
    output = moved.output(tokens, query)
    values = dict(zip(letters, net.head(i).parameters, strict=True))
    return ImmutableMatrix([output.diff(one).subs(values) for one in letters])


def gradient(net: ExactTransformer, tokens: Any, query: Any, i: int = 1) -> ImmutableMatrix:
    """The same from (5)-(8): m^(-1/2) (h, c sigma' a, c sigma' (M U) q^T).

    Source: "Shallow transformers", Lemma 1.

    >>> net = ExactTransformer([(2, [[3]], [[0]])], sympy.exp)
    >>> gradient(net, [[1], [-1]], [[1]]).T
    Matrix([[1, 0, 6]])
    """
    head, q = net.head(i), sympy.Matrix(query)
    slope = head.c * slope_of(net, net.preactivation(tokens, query, i))
    W_part = net.covariance(tokens, query, i) * head.U * q.T
    blocks = (
        sympy.Matrix([net.hidden(tokens, query, i)]),
        slope * net.mean(tokens, query, i),
        slope * sympy.Matrix(list(W_part.T)),
    )
    return ImmutableMatrix(sympy.Matrix.vstack(*blocks) / sqrt(net.m))


def slope_of(net: ExactTransformer, z: Expr, order: int = 1) -> Expr:
    """A derivative of the activation of a network, at z."""
    letter = Dummy("x", real=True)
    return net.activation(letter).diff(letter, order).subs(letter, z)


def _in_letters(net: ExactTransformer, i: int) -> tuple[list[Expr], ExactTransformer]:
    letters = [Dummy(f"x{k}", real=True) for k in range(len(net.head(i).parameters))]
    return letters, net.with_head(i, Head.of(letters, net.d))

"""The Jacobian of an exact MLP with respect to its parameters, computed in two ways.

`differentiated_jacobian` lets SymPy differentiate the network as a function of the entries of its
matrices; `recursive_jacobian` is the paper's (1). Columns: A_1 row by row, then A_2, and so on.
"""

from itertools import product
from typing import Any

import sympy
from sympy import ImmutableMatrix, Symbol

from symbolic.arguments import natural
from symbolic.networks.mlp import ExactMLP, column, expanded

_STEP = Symbol("h", real=True)


def multiplier(x: Any, n: int) -> ImmutableMatrix:
    """Matrix of the right multiplier operator M_{x,n}: A -> A x on n x m matrices A.

    A is flattened row by row. x is a list of exact entries or a column.

    Source: "MLPs at the EOC", Section 2.

    >>> multiplier([1, 2], 2)
    Matrix([
    [1, 2, 0, 0],
    [0, 0, 1, 2]])
    """
    length = x.rows if isinstance(x, sympy.MatrixBase) else len(x)
    row = column(x, length).T
    return ImmutableMatrix(sympy.diag(*[row] * natural(n, "n")))


def differentiated_jacobian(mlp: ExactMLP, x: Any) -> ImmutableMatrix:
    """Differentiate N(x, theta + h E) at h = 0 for each entry E of theta; shape (m_l, P).

    |s| has the derivative sgn(s). At a vanishing preactivation this is the paper's convention
    phi'(0) = a, and no derivative in the usual sense.

    >>> differentiated_jacobian(ExactMLP([[[-2]], [[3]]], a=0, b=1), [5])
    Matrix([[-15, 10]])
    """
    columns = []
    for k, A in enumerate(mlp.layers):
        for i, j in product(range(A.rows), range(A.cols)):
            moved = A.as_mutable()
            moved[i, j] += _STEP
            layers = (*mlp.layers[:k], moved, *mlp.layers[k + 1 :])
            output = mlp.with_layers(layers).output(x)
            columns.append(output.diff(_STEP).subs(_STEP, 0).doit())
    return expanded(sympy.Matrix.hstack(*columns))


def recursive_jacobian(mlp: ExactMLP, x: Any) -> ImmutableMatrix:
    """Push the Jacobian forward through the layers by (1); shape (m_l, P).

    >>> recursive_jacobian(ExactMLP([[[-2]], [[3]]], a=0, b=1), [5])
    Matrix([[-15, 10]])
    """
    pushed = mlp.scale(1) * multiplier(mlp.activation(x, 1), mlp.widths[1])
    for k in range(2, mlp.depth + 1):
        earlier = mlp.layer(k) * sympy.diag(*mlp.derivative(x, k)) * pushed
        own = multiplier(mlp.activation(x, k), mlp.widths[k])
        scale = mlp.scale(k) if k < mlp.depth else 1
        pushed = scale * sympy.Matrix.hstack(earlier, own)
    return expanded(pushed)

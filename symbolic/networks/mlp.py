"""The multilayer perceptron of "MLPs at the EOC", Section 3.1, over exact numbers or symbols.

Indices are the paper's: layer matrices A_1, ..., A_l, widths m_0, ..., m_l, activations x_1 = x,
x_k = m_{k-1}^(-1/2) phi(N_{k-1}).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Self

import sympy
from sympy import Expr, ImmutableMatrix, Symbol, sqrt

from symbolic.arguments import exact, exact_matrix, natural, shown


@dataclass(frozen=True, init=False)
class ExactMLP:
    r"""An l-layer MLP with (a, b)-ReLU whose layer matrices have exact entries.

    .. math:: N_1 = m^{q_1/2} A_1 x, \quad
        N_k = m^{q_k/2} A_k\, m_{k-1}^{-1/2} \phi(N_{k-1}), \quad
        N = A_l\, m_{l-1}^{-1/2} \phi(N_{l-1}).

    - ``layers``: A_1, ..., A_l with l >= 2, A_k of shape (m_k, m_{k-1}); entries are integers,
      fractions, decimal strings or SymPy expressions, never floats.
    - ``a``, ``b``: coefficients of phi, not both zero; ``m``: width unit, a positive integer.
    - ``q``: the scaling coefficients, one for all layers or (q_1, ..., q_l).

    Raises TypeError or ValueError for anything else, naming the argument.

    Source: "MLPs at the EOC", Section 3.1 and Definition 2.

    >>> mlp = ExactMLP([[[-2]], [[3]]], a=0, b=1)
    >>> mlp.activation([5], 2), mlp.output([5])
    (Matrix([[10]]), Matrix([[30]]))
    """

    layers: tuple[ImmutableMatrix, ...]
    a: Expr
    b: Expr
    q: tuple[Expr, ...]
    m: int

    def __init__(self, layers: Sequence[Any], a: Any, b: Any, q: Any = 0, m: int = 1) -> None:
        if not isinstance(layers, Sequence) or isinstance(layers, str):
            raise TypeError(f"layers must be a list of matrices, got {shown(layers)}")
        matrices = [exact_matrix(A, f"A_{k}", (None, None)) for k, A in enumerate(layers, start=1)]
        if len(matrices) < 2:
            raise ValueError(f"layers must be at least two matrices, got {len(matrices)}")
        for k, (lower, upper) in enumerate(pairwise(matrices), start=2):
            exact_matrix(upper, f"A_{k}", (None, lower.rows))
        slopes = exact(a, "a"), exact(b, "b")
        if all(slope.is_zero for slope in slopes):
            raise ValueError("a and b must not both vanish, got (0, 0)")
        object.__setattr__(self, "layers", tuple(matrices))
        object.__setattr__(self, "a", slopes[0])
        object.__setattr__(self, "b", slopes[1])
        object.__setattr__(self, "q", _scalings(q, len(matrices)))
        object.__setattr__(self, "m", natural(m, "m"))

    @property
    def depth(self) -> int:
        """l, the number of layer matrices."""
        return len(self.layers)

    @property
    def widths(self) -> tuple[int, ...]:
        """(m_0, ..., m_l)."""
        return (self.layers[0].cols, *(A.rows for A in self.layers))

    @property
    def sigma(self) -> Expr:
        """(a^2 + b^2)^(-1/2)."""
        return 1 / sqrt(self.a**2 + self.b**2)

    def layer(self, k: int) -> ImmutableMatrix:
        """A_k, for k in [1 : l]."""
        return self.layers[self._index(k, 1, self.depth) - 1]

    def scale(self, k: int) -> Expr:
        """m^(q_k/2), for k in [1 : l]."""
        return sympy.Integer(self.m) ** (self.q[self._index(k, 1, self.depth) - 1] / 2)

    def preactivation(self, x: Any, k: int) -> ImmutableMatrix:
        """N_k(x) = m^(q_k/2) A_k x_k, a column of m_k entries, for k in [1 : l-1]."""
        self._index(k, 1, self.depth - 1)
        return expanded(self.scale(k) * self.layer(k) * self.activation(x, k))

    def activation(self, x: Any, k: int) -> ImmutableMatrix:
        """x_k(x), a column of m_{k-1} entries: the input for k = 1; k in [1 : l]."""
        if self._index(k, 1, self.depth) == 1:
            return column(x, self.widths[0])
        before = self.preactivation(x, k - 1)
        return expanded(before.applyfunc(self.phi) / sqrt(self.widths[k - 1]))

    def derivative(self, x: Any, k: int) -> ImmutableMatrix:
        """x'_k(x) = m_{k-1}^(-1/2) phi'(N_{k-1}), a column of m_{k-1} entries, k in [2 : l]."""
        self._index(k, 2, self.depth)
        slopes = self.preactivation(x, k - 1).applyfunc(self.phi_prime)
        return expanded(slopes / sqrt(self.widths[k - 1]))

    def output(self, x: Any) -> ImmutableMatrix:
        """N(x) = A_l x_l, a column of m_l entries."""
        return expanded(self.layer(self.depth) * self.activation(x, self.depth))

    def phi(self, s: Expr) -> Expr:
        """Apply the (a, b)-ReLU a s + b|s|."""
        return self.a * s + self.b * sympy.Abs(s)

    def phi_prime(self, s: Expr) -> Expr:
        """Apply its derivative a + b sgn(s), which is a at 0."""
        return self.a + self.b * sympy.sign(s)

    def with_layers(self, layers: Sequence[Any]) -> Self:
        """Return the same network with other layer matrices."""
        return type(self)(layers, self.a, self.b, self.q, self.m)

    def _index(self, k: int, least: int, most: int) -> int:
        if natural(k, "k", least) > most:
            raise ValueError(f"k must lie in [{least} : {most}], got {k}")
        return int(k)


class LinearPiece(ExactMLP):
    """The network where no preactivation changes its sign: phi'(N_k) is a vector of letters.

    Each sign pattern is one choice of the letters, a + b or a - b over m_{k-1}^(1/2), so that an
    identity in them holds for all patterns, and on each it is one of polynomials.

    >>> piece = LinearPiece([[[-2]], [[3]]], a=0, b=1)
    >>> piece.output([5])
    Matrix([[-30*d2_0]])
    """

    def derivative(self, x: Any, k: int) -> ImmutableMatrix:
        """x'_k, m_{k-1} letters d_k0, d_k1, ...; k in [2 : l]."""
        column(x, self.widths[0])
        width = self.widths[self._index(k, 2, self.depth) - 1]
        return ImmutableMatrix([Symbol(f"d{k}_{j}", real=True) for j in range(width)])

    def activation(self, x: Any, k: int) -> ImmutableMatrix:
        """x_k = D_{x'_k} N_{k-1}, for k in [2 : l]; the input for k = 1."""
        if self._index(k, 1, self.depth) == 1:
            return super().activation(x, k)
        before = self.preactivation(x, k - 1)
        return expanded(self.derivative(x, k).multiply_elementwise(before))


def column(x: Any, length: int) -> ImmutableMatrix:
    """Convert a vector (a list, or a matrix of one column) to an exact column.

    >>> column(["1/2", 3], 2)
    Matrix([
    [1/2],
    [  3]])
    """
    rows = x if isinstance(x, sympy.MatrixBase) else [[entry] for entry in _entries(x)]
    return exact_matrix(rows, "x", (length, 1))


def _entries(x: Any) -> Sequence[Any]:
    if not isinstance(x, Sequence) or isinstance(x, str):
        raise TypeError(f"x must be a list of exact numbers, got {shown(x)}")
    return x


def _scalings(q: Any, depth: int) -> tuple[Expr, ...]:
    values = q if isinstance(q, tuple | list) else [q] * depth
    if len(values) != depth:
        raise ValueError(f"q must be one number or {depth} of them, got {len(values)}")
    return tuple(exact(value, "q") for value in values)


def expanded(matrix: Any) -> ImmutableMatrix:
    """The matrix with its entries multiplied out."""
    return ImmutableMatrix(matrix).applyfunc(sympy.expand)

r"""The shallow transformer of "Shallow transformers", Section 3.2, over exact numbers or symbols.

Attention pools d-dimensional tokens X_1, ..., X_T for one query q, and m heads are added up:

.. math:: a_i = \sum_t p_t X_t, \quad p = \operatorname{softmax}(X_t^\top W_i q)_t, \quad
    f = m^{-1/2} \sum_i c_i\, \sigma(U_i^\top a_i).

The activation is a formal function unless another is given: its derivatives are functions of their
own, so that identities in them hold for every smooth activation.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Self

import sympy
from sympy import Expr, Function, ImmutableMatrix, sqrt

from symbolic.arguments import exact, exact_matrix, natural, shown
from symbolic.softmax_jacobian import covariance, softmax

Activation = Callable[[Expr], Expr]


class _Formal(Function):  # type: ignore[misc]
    """A derivative of the formal activation: `order` times differentiated."""

    order = 0

    def fdiff(self, argindex: int = 1) -> Expr:
        """The next derivative."""
        del argindex
        return formal_activation(self.order + 1)(*self.args)

    def _eval_is_real(self) -> bool:
        return True


def formal_activation(order: int = 0) -> Any:
    """The activation sigma as a function without a formula, or one of its derivatives.

    >>> x = sympy.Symbol("x", real=True)
    >>> formal_activation()(x**2).diff(x)
    2*x*sigma_1(x**2)
    """
    return _FORMAL.setdefault(
        natural(order, "order", 0), type(f"sigma_{order}", (_Formal,), {"order": order})
    )


_FORMAL: dict[int, Any] = {}


@dataclass(frozen=True)
class Head:
    """One head: output weight c, read-out U (a column) and attention matrix W (square)."""

    c: Expr
    U: ImmutableMatrix
    W: ImmutableMatrix

    @property
    def parameters(self) -> tuple[Expr, ...]:
        """c, the entries of U, and those of W column by column."""
        return (self.c, *self.U, *self.W.T)

    @classmethod
    def of(cls, parameters: Sequence[Expr], d: int) -> Self:
        """The head with these parameters."""
        W = sympy.Matrix(d, d, list(parameters[1 + d :])).T
        return cls(parameters[0], ImmutableMatrix(parameters[1 : 1 + d]), ImmutableMatrix(W))


@dataclass(frozen=True, init=False)
class ExactTransformer:
    """A transformer with m heads (c, U, W) in dimension d.

    - ``heads``: a list of m >= 1 triples (c, U, W) with U of shape (d, 1) and W (d, d); entries
      are integers, fractions, decimal strings or SymPy expressions, never floats.
    - ``activation``: a function of expressions; without one, a formal function.

    Methods take the tokens X, of shape (T, d) with rows X_t, and the query q, of shape (d, 1).
    Heads are numbered from 1. Raises TypeError or ValueError, naming the argument.
    Source: "Shallow transformers", (2)-(4).

    >>> net = ExactTransformer([(2, [[1]], [[0]])])
    >>> net.output([[1], [3]], [[1]])
    2*sigma_0(2)
    """

    heads: tuple[Head, ...]
    activation: Activation

    def __init__(self, heads: Sequence[Any], activation: Activation | None = None) -> None:
        if not isinstance(heads, Sequence) or isinstance(heads, str) or not heads:
            raise TypeError(f"heads must be a list of (c, U, W), got {shown(heads)}")
        d = exact_matrix(_triple(heads[0])[1], "U", (None, 1)).rows
        object.__setattr__(self, "heads", tuple(_head(one, d) for one in heads))
        object.__setattr__(self, "activation", activation or formal_activation())

    @property
    def m(self) -> int:
        """The number of heads."""
        return len(self.heads)

    @property
    def d(self) -> int:
        """The dimension of tokens and query."""
        return int(self.heads[0].U.rows)

    def head(self, i: int) -> Head:
        """The i-th head, i in [1 : m]."""
        if natural(i, "i") > self.m:
            raise ValueError(f"i must lie in [1 : {self.m}], got {i}")
        return self.heads[i - 1]

    def logits(self, tokens: Any, query: Any, i: int = 1) -> ImmutableMatrix:
        """X_t^T W_i q, a column of T entries."""
        X, q = self._input(tokens, query)
        return ImmutableMatrix(X * self.head(i).W * q)

    def weights(self, tokens: Any, query: Any, i: int = 1) -> ImmutableMatrix:
        """The softmax weights of head i, a column of T entries."""
        return softmax(self.logits(tokens, query, i))

    def mean(self, tokens: Any, query: Any, i: int = 1) -> ImmutableMatrix:
        """a(X; W_i), a column of d entries, (2)."""
        X, _ = self._input(tokens, query)
        return ImmutableMatrix(X.T * self.weights(tokens, query, i))

    def covariance(self, tokens: Any, query: Any, i: int = 1) -> ImmutableMatrix:
        """M(X; W_i), (8), as the covariance of the tokens under the weights."""
        X, _ = self._input(tokens, query)
        return covariance(self.weights(tokens, query, i), X)

    def preactivation(self, tokens: Any, query: Any, i: int = 1) -> Expr:
        """U_i^T a(X; W_i)."""
        return self.head(i).U.dot(self.mean(tokens, query, i))

    def hidden(self, tokens: Any, query: Any, i: int = 1) -> Expr:
        """h(X; theta_i), (3)."""
        return self.activation(self.preactivation(tokens, query, i))

    def output(self, tokens: Any, query: Any) -> Expr:
        """f(X; phi), (4)."""
        numbers = range(1, self.m + 1)
        summands = (self.head(i).c * self.hidden(tokens, query, i) for i in numbers)
        return sum(summands, sympy.Integer(0)) / sqrt(self.m)

    def with_head(self, i: int, head: Head) -> Self:
        """Return the same network with another i-th head."""
        self.head(i)
        heads = [*self.heads[: i - 1], head, *self.heads[i:]]
        return type(self)([(one.c, one.U, one.W) for one in heads], self.activation)

    def _input(self, tokens: Any, query: Any) -> tuple[ImmutableMatrix, ImmutableMatrix]:
        return (exact_matrix(tokens, "tokens", (None, self.d)), exact_matrix(query, "query", (self.d, 1)))


def symmetric_heads(heads: Sequence[Any]) -> tuple[Any, ...]:
    """The heads, and after them the same ones with the opposite c: the symmetric initialisation.

    Source: "Shallow transformers", Section 5.2.

    >>> symmetric_heads([(1, [[2]], [[3]])])
    ((1, [[2]], [[3]]), (-1, [[2]], [[3]]))
    """
    return (*heads, *((-c, U, W) for c, U, W in map(_triple, heads)))


def _triple(head: Any) -> tuple[Any, Any, Any]:
    if not isinstance(head, tuple | list) or len(head) != 3:
        raise TypeError(f"heads must be a list of (c, U, W), got the head {shown(head)}")
    return head[0], head[1], head[2]


def _head(head: Any, d: int) -> Head:
    c, U, W = _triple(head)
    return Head(exact(c, "c"), exact_matrix(U, "U", (d, 1)), exact_matrix(W, "W", (d, d)))

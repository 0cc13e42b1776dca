"""Heads and inputs of the shallow transformer, and its symmetric initialisation."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from numeric.arguments import Floats, integer, positive_integer, real_array, real_number, sequence, shown
from numeric.networks import arguments

__all__ = ["Heads", "Inputs", "last_token", "sample_heads", "symmetric_initialisation"]


@dataclass(frozen=True, eq=False, init=False)
class Heads:
    r"""The parameters phi = (c_i, U_i, W_i), i in [m], or any vector of their space.

    - ``c``: shape ``(m,)``; ``U``: shape ``(m, d)``; ``W``: shape ``(m, d, d)``.

    The arrays are copied and cannot be written to; m, d >= 1. Gradients and differences are
    vectors of the same space: ``phi - eta * gradient`` is one step of descent.
    Raises TypeError or ValueError for other shapes and for entries that are not finite.

    Source: "Shallow transformers", Section 3.2.

    >>> phi = Heads([1.0, -1.0], [[2.0], [2.0]], [[[3.0]], [[3.0]]])
    >>> phi.m, phi.d
    (2, 1)
    >>> (phi - 0.5 * phi).U
    array([[1.], [1.]])
    >>> phi.inner(phi)
    28.0
    """

    c: Floats
    U: Floats
    W: Floats

    def __init__(self, c: ArrayLike, U: ArrayLike, W: ArrayLike) -> None:
        heads = _frozen("c", c, ("m",))
        directions = _frozen("U", U, (len(heads), "d"))
        width = directions.shape[1]
        object.__setattr__(self, "c", heads)
        object.__setattr__(self, "U", directions)
        object.__setattr__(self, "W", _frozen("W", W, (len(heads), width, width)))

    @property
    def m(self) -> int:
        """The width, the number of heads."""
        return len(self.c)

    @property
    def d(self) -> int:
        """The dimension of the tokens."""
        return int(self.U.shape[1])

    def __add__(self, other: "Heads") -> "Heads":
        other = of_same_space("other", other, self)
        return Heads(self.c + other.c, self.U + other.U, self.W + other.W)

    def __sub__(self, other: "Heads") -> "Heads":
        other = of_same_space("other", other, self)
        return Heads(self.c - other.c, self.U - other.U, self.W - other.W)

    def __rmul__(self, factor: float) -> "Heads":
        scale = real_number("factor", factor)
        return Heads(scale * self.c, scale * self.U, scale * self.W)

    def inner(self, other: "Heads") -> float:
        """The Euclidean inner product, summed over heads and blocks."""
        other = of_same_space("other", other, self)
        return float(np.vdot(self.c, other.c) + np.vdot(self.U, other.U) + np.vdot(self.W, other.W))

    def block_norms(self) -> Floats:
        """|c_i|, |U_i|, |W_i|_F for each head, shape ``(3, m)``."""
        rows = self.W.reshape(self.m, -1)
        return np.stack([abs(self.c), np.linalg.norm(self.U, axis=1), np.linalg.norm(rows, axis=1)])

    def heads(self, first: int, last: int) -> "Heads":
        """The heads ``first``, ..., ``last - 1``, counted from 0."""
        start = integer("first", first, 0, self.m - 1)
        part = slice(start, integer("last", last, start + 1, self.m))
        return Heads(self.c[part], self.U[part], self.W[part])


def of_same_space(name: str, value: object, like: Heads) -> Heads:
    """`value` if it is parameters with the same m and d, else ValueError or TypeError."""
    if not isinstance(value, Heads):
        raise TypeError(f"{name} must be Heads, got {shown(value)}")
    if value.U.shape != like.U.shape:
        shapes = f"{like.U.shape}, got {value.U.shape}"
        raise ValueError(f"{name} must be parameters of shape (m, d) = {shapes}")
    return value


def _frozen(name: str, value: ArrayLike, shape: tuple[int | str, ...]) -> Floats:
    array = real_array(name, value, shape=shape).copy()
    if array.size == 0:
        raise ValueError(f"{name} must have at least one entry, got shape {array.shape}")
    array.flags.writeable = False
    return array


@dataclass(frozen=True, eq=False, init=False)
class Inputs:
    """Sequences X^(j) with their queries q^(j), j in [n].

    - ``tokens``: shape ``(n, T, d)``, rows are tokens X_t; ``queries``: shape ``(n, d)``.

    n, T, d >= 1. The paper asks for norms of at most 1; nothing here does.
    Raises TypeError or ValueError for other shapes and for entries that are not finite.

    Source: "Shallow transformers", Sections 3.1 and 3.2.

    >>> X = Inputs([[[0.0, 1.0], [1.0, 0.0], [0.6, 0.8]]], queries=[[0.6, 0.8]])
    >>> X.n, X.T, X.d
    (1, 3, 2)
    """

    tokens: Floats
    queries: Floats

    def __init__(self, tokens: ArrayLike, queries: ArrayLike) -> None:
        sequences = _frozen("tokens", tokens, ("n", "T", "d"))
        count, _, width = sequences.shape
        object.__setattr__(self, "tokens", sequences)
        object.__setattr__(self, "queries", _frozen("queries", queries, (count, width)))

    @property
    def n(self) -> int:
        """The number of samples."""
        return len(self.tokens)

    @property
    def T(self) -> int:  # noqa: N802 - the paper's letter
        """The length of the sequences."""
        return int(self.tokens.shape[1])

    @property
    def d(self) -> int:
        """The dimension of the tokens."""
        return int(self.tokens.shape[2])

    def take(self, samples: ArrayLike) -> "Inputs":
        """The samples of the given indices in [0 : n-1], repeated ones included."""
        chosen = indices("samples", samples, self.n)
        return Inputs(self.tokens[chosen], self.queries[chosen])


def indices(name: str, value: object, n: int) -> list[int]:
    """At least one index in [0 : n-1], as a list."""
    listed = sequence(name, value, of="indices")
    if not listed:
        raise ValueError(f"{name} must be at least one index, got none")
    return [integer(name, j, 0, n - 1) for j in listed]


def last_token(tokens: ArrayLike) -> Inputs:
    """The sequences with q_X = X_T, tokens of shape ``(n, T, d)`` (Section 6.1).

    >>> last_token([[[1.0], [2.0]]]).queries
    array([[2.]])
    """
    sequences = _frozen("tokens", tokens, ("n", "T", "d"))
    return Inputs(sequences, sequences[:, -1])


def sample_heads(count: int, d: int, rng: np.random.Generator) -> Heads:
    """Independent heads: c_i = +-1 equally likely, U_i and W_i with standard normal entries.

    Source: "Shallow transformers", Section 5.2 (the first half) and the pool of Section 6.1.

    >>> heads = sample_heads(3, 2, np.random.default_rng(0))
    >>> heads.W.shape, bool((abs(heads.c) == 1).all())
    ((3, 2, 2), True)
    """
    size, width = positive_integer("count", count), positive_integer("d", d)
    source = arguments.generator(rng)
    c = source.choice([-1.0, 1.0], size)
    U = source.standard_normal((size, width))
    return Heads(c, U, source.standard_normal((size, width, width)))


def symmetric_initialisation(m: int, d: int, rng: np.random.Generator) -> Heads:
    """phi^(0): m/2 independent heads, then the same heads with -c_i; m is even.

    The output f(X; phi^(0)) is 0 for every X. Raises ValueError for odd m.

    Source: "Shallow transformers", Section 5.2 and Remark 5.

    >>> phi = symmetric_initialisation(4, 2, np.random.default_rng(0))
    >>> bool((phi.W[:2] == phi.W[2:]).all()), phi.c[:2] + phi.c[2:]
    (True, array([0., 0.]))
    """
    width = positive_integer("m", m)
    if width % 2:
        raise ValueError(f"m must be even, got {width}")
    half = sample_heads(width // 2, d, rng)
    return Heads(np.concatenate([half.c, -half.c]), np.tile(half.U, (2, 1)), np.tile(half.W, (2, 1, 1)))

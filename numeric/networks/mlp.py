"""The multilayer perceptron of "MLPs at the EOC", Section 3.1: shape, scalings, parameters.

Indices are the paper's: layer matrices are A_1, ..., A_l, widths m_0, ..., m_l.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from numeric.arguments import Floats, integer, positive_integer, real_array, real_number, shown
from numeric.networks import arguments


@dataclass(frozen=True, eq=False, init=False)
class Parameters:
    """The layer matrices A_1, ..., A_l, each of shape ``(..., m_k, m_{k-1})``.

    Leading axes, the same for all matrices, number independent draws. The matrices are copied
    and cannot be written to.

    >>> theta = Parameters([[[1.0, 2.0]], [[3.0]]])
    >>> theta.layer(1)
    array([[1., 2.]])
    >>> theta.replace(2, [[5.0]]).flatten()
    array([1., 2., 5.])
    """

    matrices: tuple[Floats, ...]

    def __init__(self, matrices: Sequence[ArrayLike]) -> None:
        frozen = tuple(_matrix(A, f"A_{k}") for k, A in enumerate(matrices, start=1))
        if len({A.shape[:-2] for A in frozen}) != 1:
            shapes = [A.shape for A in frozen]
            raise ValueError(f"matrices must share their leading axes, got shapes {shapes}")
        object.__setattr__(self, "matrices", frozen)

    @classmethod
    def _of_own(cls, matrices: Sequence[Floats]) -> "Parameters":
        """Of matrices that nobody else holds, and that need no check: large ones cost a second."""
        made = cls.__new__(cls)
        for matrix in matrices:
            matrix.flags.writeable = False
        object.__setattr__(made, "matrices", tuple(matrices))
        return made

    @property
    def batch(self) -> tuple[int, ...]:
        """The leading axes: ``()`` for one draw, ``(size,)`` for several."""
        return self.matrices[0].shape[:-2]

    def layer(self, k: int) -> Floats:
        """A_k, for k in [1 : l]."""
        return self.matrices[integer("k", k, 1, len(self.matrices)) - 1]

    def replace(self, k: int, matrix: ArrayLike) -> "Parameters":
        """Return the same parameters with another A_k."""
        index = integer("k", k, 1, len(self.matrices))
        return Parameters((*self.matrices[: index - 1], matrix, *self.matrices[index:]))

    def flatten(self) -> Floats:
        """All entries as one vector ``(..., P)``: A_1 row by row, then A_2, and so on."""
        return np.concatenate([A.reshape(*self.batch, -1) for A in self.matrices], axis=-1)


def _matrix(value: ArrayLike, name: str) -> Floats:
    matrix = real_array(name, value, shape=("...", "m_k", "m_(k-1)")).copy()
    if matrix.size == 0:
        raise ValueError(f"{name} must have at least one entry, got shape {matrix.shape}")
    matrix.flags.writeable = False
    return matrix


@dataclass(frozen=True, init=False)
class MLP:
    r"""An l-layer MLP N with (a, b)-ReLU, at the edge of chaos when its parameters are sampled.

    .. math:: N_1 = m^{q_1/2} A_1 x, \quad
        N_k = m^{q_k/2} A_k\, m_{k-1}^{-1/2} \phi(N_{k-1}), \quad
        N = A_l\, m_{l-1}^{-1/2} \phi(N_{l-1}),

    with phi(s) = a s + b|s| and A_k ~ N(0, sigma^2 m^{-q_k}), sigma = (a^2 + b^2)^(-1/2). As in
    the paper the last layer carries no factor m^{q_l/2}.

    - ``widths``: (m_0, ..., m_l), positive integers, depth l >= 2.
    - ``a``, ``b``: finite, sqrt(a^2 + b^2) in [1e-150, 1e150].
    - ``q``: the scaling coefficients, one number for all layers (the paper's (3)) or
      (q_1, ..., q_l), with |q_k| log(m) <= 300.
    - ``m``: the width unit, a common divisor of the hidden widths, gamma_k = m_k / m; by default
      their greatest common divisor.

    Raises TypeError or ValueError for anything else, naming the argument.

    Source: "MLPs at the EOC", Section 3.1 and Definition 2.

    >>> mlp = MLP((3, 8, 16, 1), a=0, b=1)
    >>> mlp.depth, mlp.m, mlp.gammas
    (3, 8, (1, 2))
    >>> [A.shape for A in mlp.sample(np.random.default_rng(0)).matrices]
    [(8, 3), (16, 8), (1, 16)]
    """

    widths: tuple[int, ...]
    a: float
    b: float
    q: tuple[float, ...]
    m: int

    def __init__(
        self,
        widths: Sequence[int],
        a: float,
        b: float,
        q: float | Sequence[float] = 0.0,
        m: int | None = None,
    ) -> None:
        sizes = arguments.widths("widths", widths, least=3)
        unit = _unit(sizes[1:-1], m)
        for name, value in {
            "widths": sizes,
            "a": real_number("a", a),
            "b": real_number("b", b),
            "q": _scalings(q, len(sizes) - 1, unit),
            "m": unit,
        }.items():
            object.__setattr__(self, name, value)
        if not 1e-150 <= math.hypot(self.a, self.b) <= 1e150:
            given = (self.a, self.b)
            raise ValueError(f"(a, b) must have a norm in [1e-150, 1e150], got {given}")

    @property
    def depth(self) -> int:
        """l, the number of layer matrices."""
        return len(self.widths) - 1

    @property
    def gammas(self) -> tuple[int, ...]:
        """The width parameters gamma_k = m_k / m of the hidden layers, k in [1 : l-1]."""
        return tuple(width // self.m for width in self.widths[1:-1])

    @property
    def sigma(self) -> float:
        """(a^2 + b^2)^(-1/2)."""
        return 1 / math.hypot(self.a, self.b)

    def scale(self, k: int) -> float:
        """m^{q_k / 2}, for k in [1 : l]."""
        exponent = self.q[integer("k", k, 1, self.depth) - 1]
        return float(self.m ** (exponent / 2))

    def phi(self, s: Floats) -> Floats:
        """Apply the (a, b)-ReLU a s + b|s| (Definition 2)."""
        return self.a * s + self.b * np.abs(s)

    def phi_prime(self, s: Floats) -> Floats:
        """Apply its derivative a + b sgn(s), which is a at 0 (Definition 2)."""
        return self.a + self.b * np.sign(s)

    def sample_layer(self, k: int, rng: np.random.Generator, size: int | None = None) -> Floats:
        """Draw A_k ~ N(0, sigma^2 m^{-q_k}): ``(m_k, m_{k-1})``, or ``(size, m_k, m_{k-1})``."""
        deviation = self.sigma / self.scale(k)
        shape = (*arguments.draws(size), self.widths[k], self.widths[k - 1])
        return arguments.generator(rng).normal(0.0, deviation, shape)

    def sample(self, rng: np.random.Generator, size: int | None = None) -> Parameters:
        """Draw theta = [A_1, ..., A_l], or ``size`` independent ones along a leading axis."""
        layers = [self.sample_layer(k, rng, size) for k in range(1, self.depth + 1)]
        return Parameters._of_own(layers)


def _unit(hidden: tuple[int, ...], m: int | None) -> int:
    if m is None:
        return math.gcd(*hidden)
    unit = positive_integer("m", m)
    if math.gcd(*hidden) % unit:
        raise ValueError(f"m must divide the hidden widths {hidden}, got {shown(unit)}")
    return unit


def _scalings(q: float | Sequence[float], depth: int, m: int) -> tuple[float, ...]:
    scalings = arguments.scalings(q, depth)
    for value in scalings:
        # exp(300) < 1e131: m^q and sigma m^{-q/2} stay normal floats, whatever a and b.
        if abs(value) * math.log(m) > 300:
            raise ValueError(f"q must satisfy |q| log(m) <= 300 for m = {m}, got {value}")
    return scalings

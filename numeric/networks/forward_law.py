r"""The forward pass of a random MLP at few inputs, from its exact law, without layer matrices.

A layer of width M with i.i.d. entries N(0, sigma^2) turns n activations with Gram matrix X into M
columns of preactivations, each N(0, sigma^2 X) and independent of the others. A factor of X is
therefore all that a layer needs of the one below: the cost is n^2 M, whatever the width below.
Of one input alone only the length is left, and its law is that of two chi-squares: no cost at all
in ``sample_lengths``.

Nearly parallel inputs need care: 1 - rho falls like k^-2, and scalar products would round it
away. The rows carried along are the first activation and the differences of the others from it,
whose norms keep all their digits; and inputs are made unit vectors first, for phi is homogeneous.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from numeric.arguments import Floats, positive_integer, real_array
from numeric.networks import arguments
from numeric.networks.mlp import MLP
from numeric.networks.sampling import batch_sizes

__all__ = ["ForwardLaw", "sample_forward", "sample_lengths"]

Mask = NDArray[np.bool_]

# Floats in an array of a batch of draws (512 kB): its arithmetic stays in the processor's cache.
_BLOCK_FLOATS = 2**16
_PROBED = 64


@dataclass(frozen=True, eq=False)
class ForwardLaw:
    """Norms and distances of n inputs at the activations x_1, ..., x_l, for draws of a network.

    norms                     |x_k|, shape ``(size, l, n)``
    squared_cosine_distances  z = (1 - rho_k)/2, shape ``(size, l, n, n)``

    An activation that vanishes (a dead layer) has norm 0 and no cosine: z is then 1/2.
    """

    norms: Floats
    squared_cosine_distances: Floats

    @property
    def cosines(self) -> Floats:
        """rho_k = 1 - 2z."""
        return 1 - 2 * self.squared_cosine_distances

    @property
    def inner_products(self) -> Floats:
        """X_k = <x_k(x_i), x_k(x_j)>."""
        return self.norms[..., :, None] * self.norms[..., None, :] * self.cosines

    @property
    def inverse_cosine_distances(self) -> Floats:
        """w_k = z^(-1/2), infinite for parallel activations (an input with itself)."""
        with np.errstate(divide="ignore"):
            return np.asarray(1 / np.sqrt(self.squared_cosine_distances))


def sample_forward(
    x: ArrayLike, widths: Sequence[int], a: float, b: float, rng: np.random.Generator, size: int = 1
) -> ForwardLaw:
    """Draw the norms and cosines of the activations of a random MLP at a few inputs.

    - ``x``: inputs, shape ``(n, m_0)``, or ``(size, n, m_0)`` with other inputs for each draw;
      none of them zero.
    - ``widths``: the hidden widths (m_1, ..., m_{l-1}), at least one.
    - ``a``, ``b``: the activation a s + b|s| (the scalings q_k cancel in the law).
    - ``rng``: a NumPy Generator; ``size``: the number of independent draws.

    Relative to the distance of an input from the first one, distances are accurate to some 1e-13.
    Raises TypeError or ValueError for an argument outside its domain, naming it.

    Source: "MLPs at the EOC", Section 3.1 and Proposition 11.

    >>> draws = sample_forward(np.eye(2), (64, 64), 0, 1, np.random.default_rng(0), size=200)
    >>> draws.norms.shape, draws.squared_cosine_distances.shape
    ((200, 3, 2), (200, 3, 2, 2))
    >>> bool(abs(draws.inner_products[:, 1, 0, 1].mean() - 2 / np.pi) < 0.05)  # varrho(0)
    True
    """
    hidden = arguments.widths("widths", widths, least=1)
    count = positive_integer("size", size)
    rows = _inputs(x, count)
    mlp = MLP((rows.shape[-1], *hidden, 1), a, b)
    generator = arguments.generator(rng)
    return ForwardLaw(*_draw(mlp, rows, generator))


def sample_lengths(
    widths: Sequence[int], a: float, b: float, rng: np.random.Generator, size: int = 1
) -> Floats:
    """Draw |x_k| / |x_1| for one input, k = 1, ..., l: shape ``(size, l)``; widths to 10^18.

    Of the coordinates u of a standard normal vector those above 0 are half on average, and phi(u)^2
    is (a + b)^2 u^2 there, else (a - b)^2 u^2: sums of squares of a random number of normals each.
    Arguments are those of ``sample_forward``, whose norms have the same law.

    Source: "MLPs at the EOC", Section 3.1.

    >>> lengths = sample_lengths((10**9, 10**9), 0.5, 0.5, np.random.default_rng(0), size=3)
    >>> bool(abs(lengths - 1).max() < 1e-3)
    True
    """
    mlp = MLP((1, *arguments.widths("widths", widths, least=1), 1), a, b)
    count, generator = positive_integer("size", size), arguments.generator(rng)
    lengths = [np.ones(count)]
    for width in mlp.widths[1:-1]:
        above = generator.binomial(width, 0.5, size=count)
        right, left = (2 * generator.standard_gamma(n / 2) for n in (above, width - above))
        squares = (mlp.a + mlp.b) ** 2 * right + (mlp.a - mlp.b) ** 2 * left
        lengths.append(mlp.sigma * lengths[-1] * np.sqrt(squares / width))
    return np.stack(lengths, axis=1)


def _inputs(x: ArrayLike, size: int) -> Floats:
    rows = real_array("x", x, shape=("...", "n", "m_0"))
    if rows.ndim > 3 or rows.size == 0 or (rows.ndim == 3 and len(rows) != size):
        wanted = f"shape (n, m_0) or ({size}, n, m_0) with n, m_0 >= 1"
        raise ValueError(f"x must have {wanted}, got shape {rows.shape}")
    if not np.abs(rows).max(axis=-1).all():
        raise ValueError("x must have no zero rows, got one")
    return np.broadcast_to(rows, (size, *rows.shape[-2:]))


def _draw(mlp: MLP, x: Floats, rng: np.random.Generator) -> tuple[Floats, Floats]:
    peak = np.abs(x).max(axis=-1, keepdims=True)
    scaled = x / peak
    lengths = np.linalg.norm(scaled, axis=-1, keepdims=True)
    scale = (peak * lengths)[..., 0]
    factor, alive = _factor(_relative(scaled / lengths)), np.ones(scale.shape, dtype=bool)
    norms, distances = [], []
    for width in (*mlp.widths[1:-1], 0):
        norm, distance = _measured(factor, alive)
        norms.append(scale * norm)
        distances.append(distance)
        if width:
            batches = batch_sizes(len(x), factor.shape[-1] * width, _BLOCK_FLOATS)
            ends = np.cumsum(batches)[:-1]
            pairs = zip(np.split(factor, ends), np.split(alive, ends), strict=True)
            passed = [_passed(mlp, width, *pair, rng) for pair in pairs]
            factor, alive = (np.concatenate(parts) for parts in zip(*passed, strict=True))
    return np.stack(norms, axis=1), np.stack(distances, axis=1)


def _passed(
    mlp: MLP, width: int, factor: Floats, alive: Mask, rng: np.random.Generator
) -> tuple[Floats, Mask]:
    """The factor behind a layer, and which activations do not vanish."""
    normals = rng.standard_normal((len(factor), factor.shape[-1], width))
    rows, living = _activated(mlp, mlp.sigma * factor @ normals, alive)
    rows /= math.sqrt(width)
    return _factor(rows), living


def _relative(vectors: Floats) -> Floats:
    """Rows but the first one replaced by their differences from it."""
    return np.concatenate([vectors[:, :1], vectors[:, 1:] - vectors[:, :1]], axis=1)


def _activated(mlp: MLP, rows: Floats, alive: Mask) -> tuple[Floats, Mask]:
    """phi of the first row u, and phi(u + d) - phi(u) for the others d, without cancellation.

    Which activations do not vanish is kept beside: differences show zero up to rounding only.
    """
    u, d = rows[:, :1], rows[:, 1:]
    first, dead = mlp.phi(u), ~alive[:, 1:, None]
    d = np.where(dead, -u, d) if dead.any() else d
    living = [_living(mlp, u, 0), _living(mlp, u, d)]
    along = np.copysign(1.0, u) * d  # |u + d| - |u| if the sign stays
    rows = np.empty_like(rows)
    rows[:, :1] = first
    changes = rows[:, 1:]
    np.maximum(along, -along - 2 * np.abs(u), out=changes)
    changes *= mlp.b
    if mlp.a:
        changes += mlp.a * d
    return rows, np.concatenate(living, axis=1)


def _living(mlp: MLP, u: Floats, d: Floats | int) -> Mask:
    """Where phi(u + d) does not vanish everywhere, which mostly few entries show."""
    few = d if isinstance(d, int) else d[..., :_PROBED]
    found = (mlp.phi(u[..., :_PROBED] + few) != 0).any(axis=-1)
    return np.asarray(found if found.all() else (mlp.phi(u + d) != 0).any(axis=-1))


def _factor(rows: Floats) -> Floats:
    """Lower triangular L with L L^T the Gram matrix of the rows, by modified Gram-Schmidt."""
    size, n, _ = rows.shape
    factor, rest = np.zeros((size, n, n)), np.array(rows)
    for i in range(n):
        factor[:, i, i] = np.linalg.norm(rest[:, i], axis=-1)
        divisor = np.where(factor[:, i, i] > 0, factor[:, i, i], 1)
        direction = rest[:, i] / divisor[:, None]
        for j in range(i + 1, n):
            factor[:, j, i] = np.einsum("sw,sw->s", rest[:, j], direction)
            rest[:, j] -= factor[:, j, i, None] * direction
    return factor


def _measured(factor: Floats, alive: Mask) -> tuple[Floats, Floats]:
    """Norms and squared cosine distances from a factor of the first row and the differences."""
    origin = np.zeros_like(factor[:, :1])
    steps = np.concatenate([origin, factor[:, 1:]], axis=1)
    vectors = factor[:, :1] + steps
    norms = np.where(alive, np.linalg.norm(vectors, axis=-1), 0.0)
    apart = steps[:, None] - steps[:, :, None]  # from input i to input j
    own, other = norms[:, :, None], norms[:, None, :]
    both = alive[:, :, None] & alive[:, None, :]
    longer = np.sum(apart * (vectors[:, None] + vectors[:, :, None]), axis=-1)
    longer /= np.where(both, own + other, 1.0)  # |x_j| - |x_i|
    squares = np.sum(apart * apart, axis=-1) - longer * longer
    distances = np.clip(squares / np.where(both, 4 * own * other, 1.0), 0.0, 1.0)
    return norms, np.where(both, distances, 0.5)

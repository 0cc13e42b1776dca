r"""The diagonal of the neural tangent kernel from its exact law, in a few numbers a layer.

For one input, the coordinates of a layer count by their signs alone.  With N_k = sigma |x_k| u for
standard normals u, let S_+ and S_- be the sums of squares of the positive and of the negative ones,
chi-squares of binomial numbers of degrees.  Then

.. math:: |x_{k+1}|^2 = \sigma^2 |x_k|^2 \rho^2 / m_k, \qquad
    \rho^2 = (a+b)^2 S_+ + (a-b)^2 S_-.

A gradient h at x_{k+1} becomes g = x'_{k+1} h, and A_k^* g at x_k.  It has along x_k the component
<A_k x_k, g> / |x_k| = sigma rho <x_{k+1}, h> / (|x_{k+1}| sqrt(m_k)), since phi(s) = phi'(s) s, and
off x_k it is sigma |g| times a vector of fresh standard normals (``exact_law``).  Of that vector
one needs the sums of squares over positive and over negative coordinates, and its component in
the plane of the two parts of u that is orthogonal to x_{k+1}.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from numeric.arguments import Floats, positive_integer
from numeric.networks import arguments
from numeric.networks.mlp import MLP

__all__ = ["sample_ntk_diagonal"]

Integers = NDArray[np.int64]


def sample_ntk_diagonal(
    widths: Sequence[int], a: float, b: float, rng: np.random.Generator, size: int = 1
) -> Floats:
    """Draw K_theta(x, x) / |x|^2 for one output unit, shape ``(size,)``; widths to 10^18.

    Arguments are those of ``sample_lengths``.  One draw costs a few random numbers a layer, where
    ``sample_ntk`` draws vectors as long as the widths.

    Source: derived from "MLPs at the EOC", Definition 4 and Section 3.1.

    >>> draws = sample_ntk_diagonal((10**9, 10**9), 0.5, 0.5, np.random.default_rng(0), size=3)
    >>> bool(abs(draws - 3).max() < 1e-3)  # the mean is l = 3, exactly
    True
    """
    mlp = MLP((1, *arguments.widths("widths", widths, least=1), 1), a, b)
    count, generator = positive_integer("size", size), arguments.generator(rng)
    layers = [_Layer.drawn(mlp, width, generator, count) for width in mlp.widths[1:-1]]
    squares = [np.ones(count)]
    for layer in layers:
        squares.append(squares[-1] * (mlp.sigma * layer.root) ** 2)
    kernel, gradient = squares.pop(), np.ones(count)
    along = mlp.sigma * generator.standard_normal(count)
    for layer in reversed(layers):
        gradient = layer.differentiated(along, mlp.sigma * np.sqrt(gradient), generator)
        along = mlp.sigma * layer.root * along
        kernel = kernel + squares.pop() * gradient
    return kernel


@dataclass(frozen=True, eq=False)
class _Layer:
    """Numbers of positive and negative coordinates, squares of slopes, and shares of x_{k+1}.

    ``root`` is rho / sqrt(m_k); ``shares`` are the components of x_{k+1} / |x_{k+1}| along the
    positive and the negative part of u.
    """

    width: int
    counts: tuple[Integers, Integers]
    slopes: tuple[float, float]
    root: Floats
    shares: tuple[Floats, Floats]

    @staticmethod
    def drawn(mlp: MLP, width: int, rng: np.random.Generator, size: int) -> "_Layer":
        above = rng.binomial(width, 0.5, size=size)
        counts, slopes = (above, width - above), (mlp.a + mlp.b, mlp.a - mlp.b)
        parts = [
            slope * np.sqrt(2 * rng.standard_gamma(count / 2))
            for slope, count in zip(slopes, counts, strict=True)
        ]
        root = np.hypot(*parts)
        first, second = (part / np.where(root > 0, root, 1) for part in parts)
        return _Layer(width, counts, slopes, root / math.sqrt(width), (first, second))

    def differentiated(self, along: Floats, size: Floats, rng: np.random.Generator) -> Floats:
        """|x' h|^2 for h that is ``along`` on x_{k+1} / |x_{k+1}|, and ``size`` times normals."""
        (up, down), (above, below) = self.shares, self.counts
        across = size * rng.standard_normal(len(along)) * ((above > 0) & (below > 0))
        parts = [along * up + across * down, along * down - across * up]
        total = np.zeros(len(along))
        for part, count, slope in zip(parts, self.counts, self.slopes, strict=True):
            rest = 2 * rng.standard_gamma(np.maximum(count - 1, 0) / 2)
            total += slope**2 * (part**2 + size**2 * rest)
        return total / self.width

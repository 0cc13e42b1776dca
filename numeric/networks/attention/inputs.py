r"""Inputs of an attention layer, and factors of their Gram matrices.

Of its inputs X (s x n) the law of an attention layer knows the matrix S = X X^T / n only.  A factor
R with R R^T = S is what the samplers take.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from numeric.arguments import Floats, integer, positive_integer, real_array, shown
from numeric.dual_activations import dual_activation
from numeric.networks import arguments
from numeric.networks.attention.mean_squares import mean_square_factor
from numeric.networks.sampling import batch_sizes

Activation = Callable[[Floats], Floats]


def sample_inputs(
    activation: Activation | None, width: int, tokens: int, rng: np.random.Generator, size: int = 1
) -> Floats:
    r"""Draw the inputs x^i = psi(W^i h) of the paper's experiments, shape ``(size, s, n)``.

    h has independent standard normal entries and W^i independent ones of variance 1/n, so that
    given h the entries of W^i h are independent N(0, |h|^2/n): no matrix is drawn.

    - ``activation``: psi, applied to arrays; None for the identity.
    - ``width``, ``tokens``: n and s.

    Source: "Infinite-Width Limit of a Single Attention Layer", Appendix B.1.

    >>> sample_inputs(None, 16, 4, np.random.default_rng(0), size=3).shape
    (3, 4, 16)
    """
    n, s = _shape(activation, width, tokens)
    count, generator = positive_integer("size", size), arguments.generator(rng)
    lengths = np.sqrt(generator.chisquare(n, size=(count, 1, 1)) / n)
    values = lengths * generator.standard_normal((count, s, n))
    return values if activation is None else np.asarray(activation(values))


def sample_input_factors(
    activation: Activation | None, width: int, tokens: int, rng: np.random.Generator, size: int = 1
) -> Floats:
    r"""Draw factors R of X X^T / n for the inputs of ``sample_inputs``, ``(size, s, s)``.

    For the identity the Gram matrix is a chi-square times a Wishart matrix, whose factor is
    triangular with known entries (Bartlett): no vector of length n is drawn then.

    >>> factors = sample_input_factors(None, 10**9, 2, np.random.default_rng(0))
    >>> bool(abs(factors - np.eye(2)).max() < 1e-3)
    True
    """
    n, s = _shape(activation, width, tokens)
    count, generator = positive_integer("size", size), arguments.generator(rng)
    if activation is None:
        lengths = np.sqrt(generator.chisquare(n, size=(count, 1, 1)) / n)
        return np.asarray(lengths * mean_square_factor(s, n, generator, (count,)))
    parts = []
    for batch in batch_sizes(count, s * n):
        x = sample_inputs(activation, n, s, generator, batch)
        parts.append(gram_factor(x @ np.swapaxes(x, -1, -2) / n))
    return np.concatenate(parts)


def limit_gram(name: str, tokens: int, *, digits: int | None = None, **parameters: Any) -> Any:
    r"""The limit S of X X^T / n for the inputs of ``sample_inputs``, shape ``(s, s)``.

    By the master theorem its entries are those of independent standard normal variables g_i behind
    the activation, E psi(g_i) psi(g_j), duals at the correlations 1 and 0:

    .. math:: S_{ii} = \mathbb{E}\, \psi(g)^2, \qquad S_{ij} = (\mathbb{E}\, \psi(g))^2.

    - ``name``: psi by its name among ``list_activations``, with its parameters.
    - ``tokens``: s, at most 10^4.

    Entries are floats, or with ``digits`` mpf of so many correct digits.
    Source: "Infinite-Width Limit of a Single Attention Layer", Appendices B.1 and B.3.2.

    >>> limit_gram("relu", 2)
    array([[0.5       , 0.15915494],
           [0.15915494, 0.5       ]])
    >>> limit_gram("clip", 2, bound=100)
    array([[1., 0.],
           [0., 1.]])
    """
    s = integer("tokens", tokens, 1, _MOST_TOKENS)
    square, product = (dual_activation(name, rho, digits=digits, **parameters) for rho in (1, 0))
    gram = np.full((s, s), product)
    np.fill_diagonal(gram, square)
    return gram


_MOST_TOKENS = 10**4


def _shape(activation: object, width: object, tokens: object) -> tuple[int, int]:
    if activation is not None and not callable(activation):
        raise TypeError(f"activation must be a function or None, got {shown(activation)}")
    return positive_integer("width", width), positive_integer("tokens", tokens)


def gram_factor(gram: ArrayLike) -> Floats:
    """A factor R, ``(..., s, s)``, of matrices S = R R^T, which may be singular.

    Raises ValueError for a matrix that is not symmetric and nonnegative definite but for rounding.

    >>> gram_factor([[4, 2], [2, 1]]) @ gram_factor([[4, 2], [2, 1]]).T
    array([[4., 2.],
           [2., 1.]])
    """
    given = real_array("gram", gram, shape=("...", "s", "s"))
    if given.shape[-1] == 0:
        raise ValueError(f"gram must have at least one row, got shape {given.shape}")
    scale = np.abs(given).max(axis=(-1, -2), keepdims=True, initial=0.0)
    room = 2.0**-40 * given.shape[-1] * scale
    if (np.abs(given - np.swapaxes(given, -1, -2)) > room).any():
        raise ValueError("gram must be symmetric")
    try:
        return np.asarray(np.linalg.cholesky(given), dtype=float)
    except np.linalg.LinAlgError:  # singular, or it only looks so
        values, vectors = np.linalg.eigh(given)
    if (values[..., :1] < -room[..., 0]).any():
        raise ValueError(f"gram must be nonnegative definite, got the eigenvalue {values.min()}")
    return np.asarray(vectors * np.sqrt(np.maximum(values, 0.0))[..., None, :])

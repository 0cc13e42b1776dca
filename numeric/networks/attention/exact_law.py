r"""The exact law of an attention layer at finite width, without its weight matrices.

Given the inputs, the entries of a column of (queries, keys, values) of a head are Gaussian with
covariance S = X X^T / n over the tokens, and columns are independent.  With S = R R^T the m columns
of the queries are R G_Q, so that with independent standard normals in G_Q, G_K, G_V

.. math:: \text{scores} = \sigma R\, G_Q G_K^T R^T / \sqrt{m} \sim \sigma R\, N L^T R^T / \sqrt{m},

where L L^T = G_K G_K^T is a Wishart matrix and N is a fresh matrix of standard normals.  Given the
scores and the values, one coordinate of the outputs is a centred Gaussian vector over the tokens,

.. math:: \operatorname{Cov}(y) = \frac{1}{H} \sum_a \sigma_a^2 A_a R\, L_a' L_a'^T R^T A_a^T / m,

with the attention weights A_a and further Wishart matrices L_a' L_a'^T.  The cost of a draw is of
order H s^3, whatever n and m.

Of one token alone even less is left: its scores are (|Q_i|/sqrt m) R z with |Q_i|^2 = S_ii times a
chi-square of m degrees, and a^T R L' L'^T R^T a is a^T S a times another one.
"""

import numpy as np
from numpy.typing import ArrayLike

from numeric.arguments import Floats, integer, real_array
from numeric.networks import arguments
from numeric.networks.attention.layer import AttentionLayer, check_layer
from numeric.networks.attention.mean_squares import mean_square, mean_square_factor
from numeric.networks.sampling import batch_sizes
from numeric.softmax_jacobian import softmax


def sample_scores(factors: ArrayLike, attention: AttentionLayer, rng: np.random.Generator) -> Floats:
    """Draw the scores of all pairs of tokens in all heads, one draw for each factor.

    - ``factors``: R with R R^T = X X^T / n, shape ``(size, s, k)``.

    The result has shape ``(size, H, s, s)``.  Raises TypeError or ValueError for other factors.
    Source: derived from "Infinite-Width Limit of a Single Attention Layer", Equation (1).

    >>> sample_scores(np.eye(4)[None], AttentionLayer(2, 64), np.random.default_rng(0)).shape
    (1, 2, 4, 4)
    """
    given, generator = _checked(factors, attention), arguments.generator(rng)
    return np.concatenate([_scores(part, attention, generator) for part in _parts(given, attention)])


def sample_output_covariances(
    factors: ArrayLike, attention: AttentionLayer, rng: np.random.Generator
) -> Floats:
    """Draw the covariance of one coordinate of the outputs given scores and values, over tokens.

    The coordinate itself is a centred Gaussian vector of that covariance: its density is a mean of
    Gaussian densities, which needs no draws of outputs.

    - ``factors``: R with R R^T = X X^T / n, shape ``(size, s, k)``.

    The result has shape ``(size, s, s)``.
    Source: derived from "Infinite-Width Limit of a Single Attention Layer", Equation (2).

    >>> layer = AttentionLayer(2, 64)
    >>> sample_output_covariances(np.eye(4)[None], layer, np.random.default_rng(0)).shape
    (1, 4, 4)
    """
    given, generator = _checked(factors, attention), arguments.generator(rng)
    return np.concatenate([_covariances(part, attention, generator) for part in _parts(given, attention)])


def sample_output_variances(
    factors: ArrayLike,
    attention: AttentionLayer,
    rng: np.random.Generator,
    token: int = 0,
    normals: np.random.Generator | None = None,
) -> Floats:
    """Draw the variance of one entry of the output of a token given scores and values.

    It is the diagonal entry of ``sample_output_covariances``, at a cost of order H s^2.  Calls with
    generators of one seed share the normals z of the scores, whatever the rows and factors: so
    differences between layers are seen with little noise.

    - ``factors``: R with R R^T = X X^T / n, shape ``(size, s, k)``.
    - ``token``: i, from 0 to s - 1.
    - ``normals``: a generator for the normals z, if they shall come from another one.

    The result has shape ``(size,)``.

    >>> layer = AttentionLayer(1, 10**9)
    >>> variances = sample_output_variances(np.ones((5, 1, 1)), layer, np.random.default_rng(0))
    >>> bool(abs(variances - 1).max() < 1e-3)  # one token has weight 1
    True
    """
    given, generator = _checked(factors, attention), arguments.generator(rng)
    row = integer("token", token, 0, given.shape[-2] - 1)
    if normals is None:
        normals, generator = generator.spawn(2)
    z, parts = arguments.generator(normals), _parts(given, attention)
    return np.concatenate([_variances(part, attention, z, generator, row) for part in parts])


def _checked(factors: ArrayLike, attention: AttentionLayer) -> Floats:
    check_layer(attention)
    given = real_array("factors", factors, shape=("size", "s", "k"))
    if given.size == 0:
        raise ValueError(f"factors must not be empty, got shape {given.shape}")
    return given


def _parts(factors: Floats, attention: AttentionLayer) -> list[Floats]:
    """Factors in batches of bounded memory."""
    _, s, k = factors.shape
    counts = batch_sizes(len(factors), attention.heads * (s + k) ** 2)
    return np.split(factors, np.cumsum(counts)[:-1])


def _scores(factors: Floats, attention: AttentionLayer, rng: np.random.Generator) -> Floats:
    size, _, k = factors.shape
    keys = mean_square_factor(k, attention.rows, rng, (size, attention.heads))
    queries = rng.standard_normal(keys.shape)
    rows, scales = factors[:, None], attention.score_scales[:, None, None]
    return np.asarray(scales * (rows @ queries) @ np.swapaxes(rows @ keys, -1, -2))


def _covariances(factors: Floats, attention: AttentionLayer, rng: np.random.Generator) -> Floats:
    size, _, k = factors.shape
    weights = softmax(_scores(factors, attention, rng))
    values = factors[:, None] @ mean_square_factor(k, attention.rows, rng, (size, attention.heads))
    mixed = attention.value_scales[:, None, None] * weights @ values
    return np.asarray(np.einsum("bhik,bhjk->bij", mixed, mixed) / attention.heads)


def _variances(
    factors: Floats,
    attention: AttentionLayer,
    normals: np.random.Generator,
    squares: np.random.Generator,
    token: int,
) -> Floats:
    size, _, k = factors.shape
    m, shape = attention.rows, (size, attention.heads)
    lengths = np.linalg.norm(factors[:, token], axis=-1)[:, None]
    queries = lengths * attention.score_scales * np.sqrt(mean_square(m, squares, shape))
    keys = np.einsum("bik,bhk->bhi", factors, normals.standard_normal((*shape, k)))
    mixed = np.einsum("bhi,bik->bhk", softmax(queries[..., None] * keys), factors)
    spread = np.einsum("bhk,bhk->bh", mixed, mixed) * attention.value_scales**2
    return np.asarray((spread * mean_square(m, squares, shape)).mean(axis=1))

"""Multi-head attention simulated with its weight matrices, as in Algorithm 1 of the paper."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from numeric.arguments import Floats, positive_integer
from numeric.networks import arguments
from numeric.networks.attention.layer import AttentionLayer, check_layer
from numeric.networks.sampling import batch_sizes
from numeric.softmax_jacobian import softmax


@dataclass(frozen=True, eq=False)
class AttentionPass:
    """Scores ``(H, s, s)`` and outputs ``(s, n)`` of one draw of the weights.

    Of several draws they have an axis of the draws before these.
    """

    scores: Floats
    outputs: Floats


def sample_attention(
    x: ArrayLike, attention: AttentionLayer, rng: np.random.Generator, size: int | None = None
) -> AttentionPass:
    r"""Draw all weight matrices of a layer and evaluate it at inputs x, shape ``(s, n)``.

    .. math:: y^i = H^{-1/2} \sum_a \sum_j \operatorname{SoftMax}_j(p^{(a)}_{i,\cdot})
        W^{O,a} W^{V,a} x^j, \qquad p^{(a)}_{i,j} = m^{-1/2} (W^{Q,a} x^i)^T (W^{K,a} x^j).

    It costs of the order of H m n (s + number of entries of a matrix); ``exact_law`` has the law
    without matrices.  ``size`` is the number of independent draws, or None for one without a
    leading axis.  Raises TypeError or ValueError for inputs that are no array of rows.
    Source: "Infinite-Width Limit of a Single Attention Layer", Equations (1) and (2).

    >>> layer = AttentionLayer(2, 16)
    >>> sample_attention(np.eye(2, 16), layer, np.random.default_rng(0)).scores.shape
    (2, 2, 2)
    """
    rows, generator = arguments.inputs(x), arguments.generator(rng)
    check_layer(attention)
    if attention.rows == math.inf:
        raise ValueError("attention must have finitely many rows to be simulated")
    (s, n), m = rows.shape, int(attention.rows)
    count = 1 if size is None else positive_integer("size", size)
    parts = [_drawn(rows, attention, m, generator, batch) for batch in batch_sizes(count, n * (m + s))]
    scores, outputs = (np.concatenate(pieces) for pieces in zip(*parts, strict=True))
    return AttentionPass(scores, outputs) if size else AttentionPass(scores[0], outputs[0])


def _drawn(
    rows: Floats, attention: AttentionLayer, m: int, rng: np.random.Generator, size: int
) -> tuple[Floats, Floats]:
    """Scores and outputs of so many draws, head by head."""
    s, n = rows.shape
    scores, outputs = np.empty((size, attention.heads, s, s)), np.zeros((size, s, n))
    for a in range(attention.heads):
        queries, keys, values = (rows @ rng.standard_normal((size, n, m)) / math.sqrt(n) for _ in range(3))
        products = queries @ np.swapaxes(keys, -1, -2)
        scores[:, a] = attention.score_scales[a] * products / math.sqrt(m)
        last = rng.standard_normal((size, m, n)) * attention.value_scales[a] / math.sqrt(m)
        outputs += softmax(scores[:, a]) @ (values @ last)
    return scores, outputs / math.sqrt(attention.heads)

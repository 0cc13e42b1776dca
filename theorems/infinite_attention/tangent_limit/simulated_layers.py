"""Layers of great width at fixed inputs, drawn from their exact law, and the limits of the parts.

Two inputs of two tokens each, correlated; the scales of the four kinds of weights are all
different.  Widths are so large that what they contribute is far below the errors of the means.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from numeric.arguments import Floats
from numeric.dual_activations import dual_activation, dual_activation_derivative
from numeric.networks.multi_head import MultiHeadLayer, TangentParts, sample_tangent_parts
from numeric.statistics import mean_test
from numeric.statistics.means import MeanTest

WIDTH = 10**12
HEADS = 100
DRAWS = 150
#: What controls multiply a term by.
TENTH, FIFTH = Fraction(11, 10), Fraction(6, 5)
SCALES = {"sigma_q": 1.3, "sigma_k": 0.7, "sigma_v": 1.6, "sigma_o": 0.8}
#: Inputs x, x' and tokens a, b at which parts are compared.
ENTRIES = ((0, 0, 0, 0), (0, 1, 0, 1))

_FIRST = np.array([[0.9, 0.3, 0.0, 0.2], [0.4, 0.8, 0.1, 0.0]])
_FACTORS = np.stack([_FIRST, 0.8 * _FIRST + np.array([[0, 0, 0.5, 0.1], [0.1, 0, 0, 0.6]])])
_BELOW = np.stack([_FIRST[:, ::-1], 0.6 * _FIRST[:, ::-1] + 0.3])
INPUTS = np.einsum("xam,ybm->xyab", _FACTORS, _FACTORS)
TANGENTS = np.einsum("xam,ybm->xyab", _BELOW, _BELOW)


def draw_parts(
    score_map: str,
    rng: np.random.Generator,
    draws: int,
    *,
    heads: int = HEADS,
    tau: float = 0.5,
    columns: int = 1,
) -> TangentParts:
    """Draw the eight parts of the tangent kernel, for so many columns of the output."""
    layer = MultiHeadLayer(heads, WIDTH, WIDTH, tau=tau, score_map=score_map, **SCALES)
    return sample_tangent_parts(_FACTORS, layer, WIDTH, columns, TANGENTS, rng, draws)


@dataclass(frozen=True)
class Limits:
    """The sums of Equation (22) at two tokens, with all scales.

    ``kernel`` is κ_ab, ``moved`` the sum with Θ̃ and means of products of attention weights,
    ``slopes`` and ``moved_slopes`` the sums with means of products of derivatives, and κ̃ κ̃ or
    κ̃ Θ̃; ``own`` and ``own_tangent`` are κ̃_ab and Θ̃_ab.
    """

    kernel: float
    moved: float
    slopes: float
    moved_slopes: float
    own: float
    own_tangent: float


def limits(score_map: str, entry: tuple[int, int, int, int]) -> Limits:
    """Compute the sums for τ = 1/2, the identity or ReLU."""
    x, y, a, b = entry
    means, slopes = _means(score_map, entry)
    values = (SCALES["sigma_v"] * SCALES["sigma_o"]) ** 2
    scores = values * (SCALES["sigma_q"] * SCALES["sigma_k"]) ** 2
    inputs, tangents = INPUTS[x, y], TANGENTS[x, y]
    return Limits(
        kernel=values * float(np.sum(inputs * means)),
        moved=values * float(np.sum(tangents * means)),
        slopes=scores * float(np.sum(inputs * inputs * slopes)),
        moved_slopes=scores * float(np.sum(inputs * tangents * slopes)),
        own=float(inputs[a, b]),
        own_tangent=float(tangents[a, b]),
    )


def constant_limits(entry: tuple[int, int, int, int]) -> tuple[float, float]:
    """Compute κ_ab and the sum with Θ̃ for τ = 1 and softmax: weights are constants."""
    x, y, a, b = entry
    rows = []
    for z, token in ((x, a), (y, b)):
        scores = np.exp(SCALES["sigma_q"] * SCALES["sigma_k"] * INPUTS[z, z, token])
        rows.append(scores / scores.sum())
    values = (SCALES["sigma_v"] * SCALES["sigma_o"]) ** 2
    kernel, moved = (values * float(rows[0] @ one[x, y] @ rows[1]) for one in (INPUTS, TANGENTS))
    return kernel, moved


def _means(score_map: str, entry: tuple[int, int, int, int]) -> tuple[Floats, Floats]:
    """Means of ζ(G)_ac ζ(G)_bd and of the products of derivatives, over c and d."""
    x, y, a, b = entry
    scale = (SCALES["sigma_q"] * SCALES["sigma_k"]) ** 2
    means, slopes = np.empty((2, 2)), np.ones((2, 2))
    for c, d in np.ndindex(2, 2):
        covariance = scale * INPUTS[x, y, a, b] * INPUTS[x, y, c, d]
        means[c, d] = covariance
        if score_map == "relu":
            variances = [
                float(scale * INPUTS[z, z, e, e] * INPUTS[z, z, f, f]) for z, e, f in ((x, a, c), (y, b, d))
            ]
            cosine = float(np.clip(covariance / np.sqrt(np.prod(variances)), -1, 1))
            means[c, d] = dual_activation("relu", cosine, variances=variances)
            slopes[c, d] = dual_activation_derivative("relu", cosine, variances=variances)
    return means, slopes


def tests_of_means(
    part: Callable[[Any], Any], limit: Callable[[Limits], float], rng: np.random.Generator, draws: int
) -> Iterator[MeanTest]:
    """Means of a part over draws of a layer of 100 heads, for the identity and for ReLU."""
    for score_map in ("identity", "relu"):
        drawn = part(draw_parts(score_map, rng, draws))
        for entry in ENTRIES:
            samples = drawn[(slice(None), *entry, 0, 0)]
            yield mean_test(samples, limit(limits(score_map, entry)), rounding=1e-4)


def tests_of_vanishing(
    part: Callable[[Any], Any], limit: Any, rng: np.random.Generator, draws: int, *, different: bool
) -> Iterator[MeanTest]:
    """Means of a part for equal weights and softmax, or of two different columns and ReLU."""
    if different:
        drawn, column = part(draw_parts("relu", rng, draws, columns=2)), 1
    else:
        drawn, column = part(draw_parts("softmax", rng, draws, tau=1)), 0
    for entry in ENTRIES:
        yield mean_test(drawn[(slice(None), *entry, 0, column)], limit, rounding=1e-4)

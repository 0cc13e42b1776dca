r"""The exact law of the kernels of a multi-head layer, at a cost that no width enters.

Write the inputs, all tokens below each other, as sqrt(d_in) R E^T, with R R^T their Gram matrix
divided by d_in and k orthonormal columns in E.  The layer sees the matrices E^T W^Q, E^T W^K and
E^T W^V of k rows, and W^O: and in a head it sees only inner products of the rows of (E^T W^Q,
E^T W^K), over d_G columns, and of those of (E^T W^V, (W^O)^T), over d_V.  Both are Wishart, and
any factor of them stands for the weights.

Derivatives by the inputs meet the rest of the rows of the weights as well.  That is independent of
all of the above, and standard normal: the derivative by the coordinates outside the span of E is
C^T N, where N has d_in - k independent rows of standard normals, and C is known.  With C = U T, U
of orthonormal columns, only another Wishart matrix of the size of T is left.
"""

import dataclasses
import math

import numpy as np
from numpy.typing import ArrayLike

from numeric.arguments import Floats, integer, positive_integer, real_array
from numeric.networks import arguments
from numeric.networks.attention.mean_squares import mean_square_factor
from numeric.networks.multi_head.forward import HeadsPass
from numeric.networks.multi_head.gradients import InputPaths, input_paths, through_scores, through_values
from numeric.networks.multi_head.layer import HeadWeights, MultiHeadLayer, check_multi_head
from numeric.networks.multi_head.tangent import TangentParts, checked_tangent, parts_of
from numeric.networks.sampling import batch_sizes


def sample_multi_head(
    factors: ArrayLike,
    layer: MultiHeadLayer,
    width: int,
    output_dim: int,
    rng: np.random.Generator,
    size: int = 1,
) -> HeadsPass:
    r"""Draw scores, values, heads and outputs of a layer at given inputs.

    Their law is exact up to a rotation of the d_G and of the d_V coordinates in every head, which
    nothing depends on: arrays of queries, keys, values and heads have fewer columns than that.

    - ``factors``: R(x) with :math:`R(x) R(x')^T = x x'^T / d_{in}`, shape ``(inputs, s, k)``.
    - ``width``: d_in, at least k; the law depends on it only through the derivatives.
    - ``output_dim``: how many coordinates of the output.

    All arrays of the result have a leading axis of ``size`` draws.  Raises TypeError or ValueError
    for other arguments.
    Source: derived from "Infinite attention", Equations (2)-(4).

    >>> layer = MultiHeadLayer(2, 10**6, 10**6, score_map="relu")
    >>> draws = sample_multi_head(np.eye(4)[None, :2], layer, 10**6, 3, np.random.default_rng(0), 5)
    >>> draws.outputs.shape, draws.output_covariances.shape
    ((5, 1, 2, 3), (5, 1, 1, 2, 2))
    """
    rows, n, outputs = _checked(factors, layer, width, output_dim)
    count = positive_integer("size", size)
    with np.errstate(over="ignore", invalid="ignore"):
        return _heads(layer, rows, n, outputs, arguments.generator(rng), count)


def sample_tangent_parts(
    factors: ArrayLike,
    layer: MultiHeadLayer,
    width: int,
    output_dim: int,
    input_tangent: ArrayLike,
    rng: np.random.Generator,
    size: int = 1,
) -> TangentParts:
    r"""Draw the parts of the tangent kernel of a layer at given inputs.

    - ``factors``: R(x) with :math:`R(x) R(x')^T = x x'^T / d_{in}`, shape ``(inputs, s, k)``.
    - ``width``: d_in, at least k.
    - ``output_dim``: how many coordinates of the output.
    - ``input_tangent``: Theta~ of the layers below, shape ``(inputs, inputs, s, s)``.

    The parts have axes (size, x, x', a, b, i, j).  Raises TypeError or ValueError for other
    arguments.
    Source: derived from "Infinite attention", Equations (2)-(4), (21) and (27).

    >>> layer = MultiHeadLayer(2, 10**6, 10**6, score_map="relu")
    >>> rows, below = np.eye(4)[None, :2], np.ones((1, 1, 2, 2))
    >>> parts = sample_tangent_parts(rows, layer, 10**6, 1, below, np.random.default_rng(0))
    >>> parts.total.shape
    (1, 1, 1, 2, 2, 1, 1)
    """
    rows, n, outputs = _checked(factors, layer, width, output_dim)
    below = checked_tangent(input_tangent, rows)
    generator, count = arguments.generator(rng), positive_integer("size", size)
    batches = batch_sizes(count, _floats_per_draw(layer, rows, outputs))
    draws = [_parts(layer, rows, n, outputs, below, generator, one) for one in batches]
    return _joined(draws)


def _checked(
    factors: ArrayLike, layer: MultiHeadLayer, width: int, output_dim: int
) -> tuple[Floats, int, int]:
    check_multi_head(layer)
    rows = real_array("factors", factors, shape=("inputs", "s", "k"))
    if rows.size == 0:
        raise ValueError(f"factors must not be empty, got shape {rows.shape}")
    n = integer("width", width, rows.shape[-1])
    return rows, n, positive_integer("output_dim", output_dim)


def _floats_per_draw(layer: MultiHeadLayer, rows: Floats, outputs: int) -> int:
    """The paths through the scores are the largest arrays."""
    inputs, tokens, k = (int(length) for length in rows.shape)
    ends = inputs * tokens**2 * outputs
    return ends * (8 * layer.heads * (2 * k + outputs) + 8 * ends)


def _joined(draws: list[TangentParts]) -> TangentParts:
    names = [field.name for field in dataclasses.fields(TangentParts)]
    return TangentParts(*(np.concatenate([getattr(one, name) for one in draws]) for name in names))


def _parts(
    layer: MultiHeadLayer,
    rows: Floats,
    width: int,
    outputs: int,
    below: Floats,
    rng: np.random.Generator,
    size: int,
) -> TangentParts:
    with np.errstate(over="ignore", invalid="ignore"):
        state = _heads(layer, rows, width, outputs, rng, size)
        paths = input_paths(state)
        value, score = through_values(state, paths), through_scores(state, paths)
        if width > rows.shape[-1]:
            others = _outside_the_span(paths, layer.tied, width - rows.shape[-1], rng)
            value = np.concatenate([value, others[0]], axis=-1)
            score = np.concatenate([score, others[1]], axis=-1)
        parts = parts_of(state, below, value, score)
        arguments.finite_result(parts.total, "factors must be so small that kernels")
    return parts


def _heads(
    layer: MultiHeadLayer, rows: Floats, width: int, outputs: int, rng: np.random.Generator, size: int
) -> HeadsPass:
    weights = _weights(layer, rows.shape[-1], outputs, rng, size)
    state = HeadsPass(layer, weights, rows, width)
    arguments.finite_result(state.scores, "factors must be so small that scores")
    arguments.finite_result(state.output_covariances, "factors must be so small that outputs")
    return state


def _weights(layer: MultiHeadLayer, k: int, outputs: int, rng: np.random.Generator, size: int) -> HeadWeights:
    """Weights in the basis E, and in other orthonormal bases of d_G and d_V coordinates."""
    shape, d_g, d_v = (size, layer.heads), layer.score_dim, layer.value_dim
    rows_seen = k if layer.tied else 2 * k
    scored = math.sqrt(d_g) * mean_square_factor(rows_seen, d_g, rng, shape)
    valued = math.sqrt(d_v) * mean_square_factor(k + outputs, d_v, rng, shape)
    return HeadWeights(
        scored[..., :k, :], scored[..., -k:, :], valued[..., :k, :], np.swapaxes(valued[..., k:, :], -1, -2)
    )


def _outside_the_span(
    paths: InputPaths, tied: bool, coordinates: int, rng: np.random.Generator
) -> tuple[Floats, Floats]:
    """The derivatives by the other coordinates of the inputs, in a basis of their own."""
    ends = paths.values.shape[2:-1]
    if tied:
        by_score = _columns(paths.queries + paths.keys)
    else:
        by_score = np.concatenate([_columns(paths.queries), _columns(paths.keys)], axis=-2)
    value, score = (
        np.swapaxes(np.linalg.qr(one, mode="r"), -1, -2) for one in (_columns(paths.values), by_score)
    )
    split = value.shape[-1]
    factor = mean_square_factor(split + score.shape[-1], coordinates, rng, value.shape[:1])
    normals = math.sqrt(coordinates) * factor
    drawn = value @ normals[:, :split], score @ normals[:, split:]
    first, second = (one.reshape(one.shape[0], *ends, one.shape[-1]) for one in drawn)
    return first, second


def _columns(path: Floats) -> Floats:
    """(size, h, x, a, c, i, m) as (size, h m, x a c i)."""
    moved = np.moveaxis(path, -1, 2)
    return moved.reshape(moved.shape[0], moved.shape[1] * moved.shape[2], -1)

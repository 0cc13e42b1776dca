"""The forward pass of a multi-head layer, with what its derivatives need."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from numeric.arguments import Floats, real_array, shown
from numeric.networks.arguments import finite_result
from numeric.networks.multi_head.layer import HeadWeights, MultiHeadLayer, check_multi_head


@dataclass(frozen=True, eq=False)
class HeadsPass:
    """A layer at inputs x, x', ...; the axes are (..., head, input, token, ...).

    ``rows`` are the inputs divided by sqrt(d_in), shape ``(inputs, s, k)``.  The weights have as
    many rows as they have columns.  ``width`` is d_in; it may be more than k, when weights and
    rows are written in a basis of the span of the rows.
    """

    layer: MultiHeadLayer
    weights: HeadWeights
    rows: Floats
    width: int

    @cached_property
    def gram(self) -> Floats:
        """<x_a, x'_b> / d_in, shape ``(inputs, inputs, s, s)``."""
        return np.asarray(np.einsum("xak,ybk->xyab", self.rows, self.rows))

    @cached_property
    def queries(self) -> Floats:
        """Q, shape ``(..., H, inputs, s, d_G)``."""
        return self._image(self.weights.queries) * self.layer.sigma_q

    @cached_property
    def keys(self) -> Floats:
        """K, shape ``(..., H, inputs, s, d_G)``."""
        return self._image(self.weights.keys) * self.layer.sigma_k

    @cached_property
    def values(self) -> Floats:
        """V, shape ``(..., H, inputs, s, d_V)``."""
        return self._image(self.weights.values) * self.layer.sigma_v

    @cached_property
    def scores(self) -> Floats:
        """G, shape ``(..., H, inputs, s, s)``."""
        return self.layer.score_scale * self.queries @ np.swapaxes(self.keys, -1, -2)

    @cached_property
    def attention(self) -> Floats:
        """zeta(G)."""
        return self.layer.zeta.values(self.scores)

    @cached_property
    def heads(self) -> Floats:
        """zeta(G) V, shape ``(..., H, inputs, s, d_V)``."""
        return self.attention @ self.values

    @cached_property
    def outputs(self) -> Floats:
        """f, shape ``(..., inputs, s, outputs)``."""
        sums = np.einsum("...hxak,...hki->...xai", self.heads, self.weights.outputs)
        return np.asarray(self.layer.output_scale * sums)

    @cached_property
    def output_covariances(self) -> Floats:
        """The covariances of f_ai(x) and f_bi(x') given the heads, axes (..., x, x', a, b).

        They are the empirical NNGP kernel: over draws of W^O, which the rest does not depend on.
        """
        sums = np.einsum("...hxak,...hybk->...xyab", self.heads, self.heads, optimize=True)
        return np.asarray(self.layer.output_scale**2 * sums)

    def _image(self, matrices: Floats) -> Floats:
        return np.asarray(np.einsum("xsk,...hkm->...hxsm", self.rows, matrices, optimize=True))


def heads_forward(layer: MultiHeadLayer, weights: HeadWeights, x: ArrayLike) -> HeadsPass:
    """Evaluate a layer at several inputs.

    - ``x``: the inputs, shape ``(inputs, s, d_in)``.

    Raises TypeError or ValueError for weights of another layer, and for other inputs.
    Source: "Infinite attention", Equations (2)-(4).

    >>> from numeric.networks.multi_head.layer import sample_head_weights
    >>> layer = MultiHeadLayer(2, 16, 8)
    >>> weights = sample_head_weights(layer, 5, 3, np.random.default_rng(0))
    >>> heads_forward(layer, weights, np.ones((2, 4, 5))).outputs.shape
    (2, 4, 3)
    """
    check_multi_head(layer)
    if not isinstance(weights, HeadWeights):
        raise TypeError(f"weights must be HeadWeights, got {shown(weights)}")
    given = real_array("x", x, shape=("inputs", "s", "d_in"))
    if given.size == 0:
        raise ValueError(f"x must not be empty, got shape {given.shape}")
    _check_weights(layer, weights, given.shape[-1])
    with np.errstate(over="ignore", invalid="ignore"):
        result = HeadsPass(layer, weights, given / given.shape[-1] ** 0.5, given.shape[-1])
        finite_result(result.scores, "x must be so small that scores")
        finite_result(result.outputs, "x must be so small that outputs")
    return result


def _check_weights(layer: MultiHeadLayer, weights: HeadWeights, width: int) -> None:
    scored = (layer.heads, width, layer.score_dim)
    valued = (layer.heads, width, layer.value_dim)
    last = (layer.heads, layer.value_dim)
    wanted = {"queries": scored, "keys": scored, "values": valued}
    for name, shape in wanted.items():
        given = getattr(weights, name).shape
        if given != shape:
            raise ValueError(f"weights must have {name} of shape {shape}, got {given}")
    if weights.outputs.shape[:-1] != last or weights.outputs.ndim != 3:
        raise ValueError(
            f"weights must have outputs of shape {(*last, 'outputs')}, got {weights.outputs.shape}"
        )

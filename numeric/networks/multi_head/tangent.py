r"""The neural tangent kernel of a multi-head layer, part by part.

With the kernel of the layers below written as (Theta~ of the tokens) times the unit matrix of the
coordinates,

.. math:: \Theta_{ai,bj}(x, x') = \sum_{W} \frac{\partial f_{ai}(x)}{\partial W}
    \frac{\partial f_{bj}(x')}{\partial W} + \sum_{c,d,p} \tilde\Theta_{cd}(x, x')
    \frac{\partial f_{ai}(x)}{\partial x_{cp}} \frac{\partial f_{bj}(x')}{\partial x'_{dp}},

where W runs over the entries of W^O, W^V, W^Q, W^K, and the derivatives by inputs are sums of one
through the values and one through the scores, which gives four sums.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from numeric.arguments import Floats, real_array
from numeric.networks.multi_head.forward import HeadsPass
from numeric.networks.multi_head.gradients import (
    check_pass,
    input_paths,
    query_gradients,
    score_gradients,
    through_scores,
    through_values,
)


@dataclass(frozen=True, eq=False)
class TangentParts:
    """The terms of the tangent kernel, axes (..., x, x', a, b, i, j).

    ``by_outputs``, ``by_values``, ``by_queries`` and ``by_keys`` are the direct parts (Lemmas 19,
    20 and 21); for i = j the first is also the covariance of f_a(x) and f_b(x') given the heads.
    ``values_values``, ``scores_scores``, ``values_scores`` and ``scores_values`` are the indirect
    parts (Lemmas 22, 23, 25 and 25).
    """

    by_outputs: Floats
    by_values: Floats
    by_queries: Floats
    by_keys: Floats
    values_values: Floats
    scores_scores: Floats
    values_scores: Floats
    scores_values: Floats

    @property
    def direct(self) -> Floats:
        """What the weights of this layer contribute."""
        return self.by_outputs + self.by_values + self.by_queries + self.by_keys

    @property
    def indirect(self) -> Floats:
        """What the layers below contribute."""
        crossed = self.values_scores + self.scores_values
        return self.values_values + self.scores_scores + crossed

    @property
    def total(self) -> Floats:
        """The tangent kernel."""
        return self.direct + self.indirect


def tangent_parts(state: HeadsPass, input_tangent: ArrayLike) -> TangentParts:
    """The parts of the tangent kernel between all inputs of a forward pass.

    - ``input_tangent``: the kernel of the layers below; Theta~ if it is that times the unit matrix
      of the coordinates, shape ``(inputs, inputs, s, s)``, or in general the kernel of Equation
      (27) with all coordinates, shape ``(inputs, inputs, s, s, d_in, d_in)``.

    Raises TypeError or ValueError for other arguments.
    Source: "Infinite attention", Equations (21) and (27), and Lemmas 19-26.

    >>> from numeric.networks.multi_head import MultiHeadLayer, heads_forward, sample_head_weights
    >>> layer = MultiHeadLayer(2, 16, 8)
    >>> weights = sample_head_weights(layer, 5, 1, np.random.default_rng(0))
    >>> state = heads_forward(layer, weights, np.ones((2, 4, 5)))
    >>> tangent_parts(state, np.ones((2, 2, 4, 4))).total.shape
    (2, 2, 4, 4, 1, 1)
    """
    check_pass(state)
    paths = input_paths(state)
    below = _kernel_below(input_tangent, state)
    return parts_of(state, below, through_values(state, paths), through_scores(state, paths))


def checked_tangent(input_tangent: ArrayLike, rows: Floats) -> Floats:
    """Theta~ for all pairs of inputs, else ValueError."""
    inputs, tokens = rows.shape[:2]
    return real_array("input_tangent", input_tangent, shape=(inputs, inputs, tokens, tokens))


def _kernel_below(input_tangent: ArrayLike, state: HeadsPass) -> Floats:
    given = real_array("input_tangent", input_tangent)
    if given.ndim != 6:
        return checked_tangent(given, state.rows)
    inputs, tokens, n = state.rows.shape
    return real_array("input_tangent", given, shape=(inputs, inputs, tokens, tokens, n, n))


def parts_of(state: HeadsPass, below: Floats, by_value: Floats, by_score: Floats) -> TangentParts:
    """The parts, from derivatives by the inputs in any orthonormal basis of coordinates."""
    return TangentParts(
        _by_outputs(state),
        _by_values(state),
        _by_queries(state),
        _by_keys(state),
        _product(below, by_value, by_value),
        _product(below, by_score, by_score),
        _product(below, by_value, by_score),
        _product(below, by_score, by_value),
    )


def _by_outputs(state: HeadsPass) -> Floats:
    units = np.eye(state.weights.outputs.shape[-1])
    return np.asarray(state.output_covariances[..., None, None] * units)


def _by_values(state: HeadsPass) -> Floats:
    layer, last = state.layer, state.weights.outputs
    mixed = np.einsum("...hxac,xcp->...hxap", state.attention, state.rows)
    tokens = np.einsum("...hxap,...hybp->...hxyab", mixed, mixed, optimize=True)
    outputs = np.einsum("...hki,...hkj->...hij", last, last)
    scale = (layer.sigma_v * layer.output_scale) ** 2
    return np.asarray(scale * np.einsum("...hxyab,...hij->...xyabij", tokens, outputs))


def _by_queries(state: HeadsPass) -> Floats:
    gradients = query_gradients(state)
    sums = np.einsum("...hxaiu,...hybju->...xyabij", gradients, gradients, optimize=True)
    return np.asarray(state.layer.sigma_q**2 * state.gram[..., None, None] * sums)


def _by_keys(state: HeadsPass) -> Floats:
    layer, queries = state.layer, state.queries
    moved = np.einsum("...hxadi,xdp->...hxaip", score_gradients(state), state.rows)
    scores = np.einsum("...hxaip,...hybjp->...hxyabij", moved, moved, optimize=True)
    products = np.einsum("...hxau,...hybu->...hxyab", queries, queries, optimize=True)
    scale = (layer.sigma_k * layer.score_scale) ** 2
    return np.asarray(scale * np.einsum("...hxyabij,...hxyab->...xyabij", scores, products))


def _product(below: Floats, first: Floats, second: Floats) -> Floats:
    pattern = "xycd,...ybdjp->...xybcjp" if below.ndim == 4 else "xycdpq,...ybdjq->...xybcjp"
    spread = np.einsum(pattern, below, second, optimize=True)
    return np.asarray(np.einsum("...xacip,...xybcjp->...xyabij", first, spread, optimize=True))

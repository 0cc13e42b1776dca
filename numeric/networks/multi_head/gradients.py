r"""Derivatives of the outputs of a multi-head layer, written out.

Entry f_ai of the output depends on head h through row a of zeta(G_h) and through V_h:

.. math:: \frac{\partial f_{ai}}{\partial V_{ck}} = \zeta(G)_{ac} A_{ki}, \qquad
    \frac{\partial f_{ai}}{\partial G_{ad}} = D_{adi}
    = \sum_c (V A)_{ci} \frac{\partial \zeta(G)_{ac}}{\partial G_{ad}}, \qquad
    A = \frac{\sigma_O}{\sqrt{H d_V}} W^O.

By the chain rule the derivative in Q_a is d_G^-tau sum_d D_adi K_d, and that in K_d is
d_G^-tau D_adi Q_a.
"""

from dataclasses import dataclass

import numpy as np

from numeric.arguments import Floats, shown
from numeric.networks.multi_head.forward import HeadsPass


@dataclass(frozen=True, eq=False)
class OutputGradients:
    """Derivatives of f_ai(x) by all weights and by the input x; axes (input, a, i, ...).

    ``by_outputs`` has further axes (H, d_V, outputs), the other weights (H, d_in, d_G or d_V).
    ``through_values`` and ``through_scores`` add up to the derivative by x_cp, axes (c, p).
    """

    by_outputs: Floats
    by_values: Floats
    by_queries: Floats
    by_keys: Floats
    through_values: Floats
    through_scores: Floats


@dataclass(frozen=True, eq=False)
class InputPaths:
    """How f_ai depends on x_c through one row of W^V, W^Q and W^K, axes (..., h, x, a, c, i, m).

    The derivative by x_cp is the sum over h and m of these times entry (p, m) of the weights.
    """

    values: Floats
    queries: Floats
    keys: Floats


def score_gradients(state: HeadsPass) -> Floats:
    """D, the derivatives of f_ai by G_ad, axes (..., h, x, a, d, i)."""
    layer = state.layer
    mixed = layer.output_scale * np.einsum("...hxck,...hki->...hxci", state.values, state.weights.outputs)
    slopes = layer.zeta.derivatives(state.scores)
    return np.asarray(np.einsum("...hxci,...hxacd->...hxadi", mixed, slopes, optimize=True))


def query_gradients(state: HeadsPass) -> Floats:
    """The derivatives of f_ai by Q_a, axes (..., h, x, a, i, u)."""
    sums = np.einsum("...hxadi,...hxdu->...hxaiu", score_gradients(state), state.keys, optimize=True)
    return np.asarray(state.layer.score_scale * sums)


def input_paths(state: HeadsPass) -> InputPaths:
    """What multiplies the rows of W^V, W^Q and W^K in the derivatives by the inputs."""
    layer, narrow = state.layer, state.width**-0.5
    values = np.einsum("...hxac,...hmi->...hxacim", state.attention, state.weights.outputs)
    units = np.eye(state.rows.shape[1])
    queries = np.einsum("ac,...hxaiu->...hxaciu", units, query_gradients(state))
    keys = np.einsum("...hxaci,...hxau->...hxaciu", score_gradients(state), state.queries)
    return InputPaths(
        narrow * layer.sigma_v * layer.output_scale * values,
        narrow * layer.sigma_q * queries,
        narrow * layer.sigma_k * layer.score_scale * keys,
    )


def through_values(state: HeadsPass, paths: InputPaths) -> Floats:
    """The derivatives by the inputs through the values, axes (..., x, a, c, i, p)."""
    return _follow(paths.values, state.weights.values)


def through_scores(state: HeadsPass, paths: InputPaths) -> Floats:
    """The derivatives by the inputs through queries and keys, axes (..., x, a, c, i, p)."""
    by_queries = _follow(paths.queries, state.weights.queries)
    return by_queries + _follow(paths.keys, state.weights.keys)


def _follow(path: Floats, weights: Floats) -> Floats:
    return np.asarray(np.einsum("...hxacim,...hpm->...xacip", path, weights))


def output_gradients(state: HeadsPass) -> OutputGradients:
    """All derivatives of the outputs of a layer at its inputs.

    Raises TypeError for what is no forward pass.
    Source: "Infinite attention", Appendix B.2, before Lemma 22 and in the proofs of Lemmas 19-23.

    >>> from numeric.networks.multi_head import MultiHeadLayer, heads_forward, sample_head_weights
    >>> layer = MultiHeadLayer(2, 16, 8)
    >>> weights = sample_head_weights(layer, 5, 3, np.random.default_rng(0))
    >>> output_gradients(heads_forward(layer, weights, np.ones((1, 4, 5)))).by_keys.shape
    (1, 4, 3, 2, 5, 16)
    """
    check_pass(state)
    layer, rows, weights = state.layer, state.rows, state.weights
    units = np.eye(weights.outputs.shape[-1])
    mixed = np.einsum("hxac,xcp->hxap", state.attention, rows)
    moved = np.einsum("hxadi,xdp->hxaip", score_gradients(state), rows)
    by_keys = np.einsum("hxaip,hxau->xaihpu", moved, state.queries)
    paths = input_paths(state)
    return OutputGradients(
        by_outputs=layer.output_scale * np.einsum("hxak,ij->xaihkj", state.heads, units),
        by_values=layer.sigma_v * layer.output_scale * np.einsum("hxap,hki->xaihpk", mixed, weights.outputs),
        by_queries=layer.sigma_q * np.einsum("hxaiu,xap->xaihpu", query_gradients(state), rows),
        by_keys=layer.sigma_k * layer.score_scale * by_keys,
        through_values=np.swapaxes(through_values(state, paths), -2, -3),
        through_scores=np.swapaxes(through_scores(state, paths), -2, -3),
    )


def check_pass(state: object) -> None:
    """Raise TypeError unless it is a forward pass, and ValueError if weights are left out of it.

    A pass from the exact law has no weights outside the span of its inputs.
    """
    if not isinstance(state, HeadsPass):
        raise TypeError(f"state must be a HeadsPass, got {shown(state)}")
    given, layer = state.weights.queries.shape, state.layer
    if given != (layer.heads, state.width, layer.score_dim):
        raise ValueError(f"state must be the pass of one draw of all weights, got W^Q {given}")

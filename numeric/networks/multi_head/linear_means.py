r"""Exact means of the tangent kernel of a layer whose scores are not changed, at any width.

For zeta the identity, and queries independent of keys, the kernel is a polynomial of the weights.
Let S = x x'^T / d_in, Theta the kernel of the layers below, s = sigma_O sigma_V sigma_Q sigma_K.
Given the inputs the kernel has degree 0 or 2 in each of W^O, W^V, W^Q and W^K, which are
independent, so its mean is a sum over ways to pair their entries.  In a derivative by x_cp the rows
p of W^V, W^Q, W^K are free.  If they are paired with each other, the sum over p gives d_in; if with
entries inside V, Q and K, it gives a product of two tokens, which is what is divided by d_in below.

.. math:: \mathbb{E}\, \Theta^{VV} = s^2 S_{ab} \langle S, \Theta\rangle, \qquad
    \mathbb{E}\, \Theta^{GG} = s^2 \Bigl(\Theta_{ab} |S|^2 + S_{ab} \langle S, \Theta\rangle
    + \frac{(\Theta S^T S + S S^T \Theta)_{ab}}{d_{in}}\Bigr), \qquad
    \mathbb{E}\, \Theta^{VG}
    = \frac{s^2}{d_{in}} \bigl(S_{ab} \langle S, \Theta\rangle + (S S^T \Theta)_{ab}\bigr),

the transposed term for Theta^GV, and s^2 S_ab |S|^2 for each of the four direct parts.  Neither
d_G nor d_V nor H enters.
"""

import math

import numpy as np
from numpy.typing import ArrayLike

from numeric.arguments import Floats, positive_integer, real_array
from numeric.networks import arguments
from numeric.networks.multi_head.layer import MultiHeadLayer, check_multi_head
from numeric.networks.multi_head.tangent import TangentParts


def linear_tangent_means(
    gram: ArrayLike, layer: MultiHeadLayer, width: float, input_tangent: ArrayLike
) -> TangentParts:
    r"""The means of the parts of the tangent kernel, given the inputs, for zeta the identity.

    - ``gram``: S(x, x') = x x'^T / d_in, shape ``(inputs, inputs, s, s)``.
    - ``layer``: one with ``score_map="identity"`` and tau = 1/2.
    - ``width``: d_in, or ``math.inf`` for the limit, which is Equation (22).
    - ``input_tangent``: Theta~, of the shape of ``gram``; the layers below have this kernel times
      the unit matrix of their coordinates.

    The parts have axes (x, x', a, b, 1, 1).  Raises TypeError or ValueError for other arguments.
    Source: derived from "Infinite attention", Equations (21), (22), (30) and (31); the terms
    divided by d_in are those that vanish in Lemmas 24 and 25.

    >>> layer = MultiHeadLayer(2, 16, 8, score_map="identity")
    >>> one = [[[[1.0]]]]
    >>> [float(linear_tangent_means(one, layer, n, one).total.squeeze()) for n in (1, 6, math.inf)]
    [13.0, 8.0, 7.0]
    """
    check_multi_head(layer)
    if layer.score_map != "identity" or layer.tied:
        raise ValueError(f"layer must have score_map 'identity' and tau 1/2, got {layer}")
    products, below = _kernels(gram, input_tangent)
    inverse = 0.0 if width == math.inf else 1 / positive_integer("width", width)
    with np.errstate(over="ignore", invalid="ignore"):
        result = _means(layer, products, below, inverse)
        arguments.finite_result(result.total, "gram must be so small that kernels")
    return result


def _kernels(gram: ArrayLike, input_tangent: ArrayLike) -> tuple[Floats, Floats]:
    products = real_array("gram", gram, shape=("inputs", "inputs", "s", "s"))
    if products.size == 0:
        raise ValueError(f"gram must not be empty, got shape {products.shape}")
    return products, real_array("input_tangent", input_tangent, shape=products.shape)


def _means(layer: MultiHeadLayer, gram: Floats, below: Floats, inverse: float) -> TangentParts:
    scale = (layer.sigma_q * layer.sigma_k * layer.sigma_v * layer.sigma_o) ** 2
    transposed = np.swapaxes(gram, -1, -2)
    own, mixed = (np.sum(gram * one, axis=(-1, -2), keepdims=True) for one in (gram, below))
    direct, through_one = gram * own, gram * mixed
    before, behind = gram @ transposed @ below, below @ transposed @ gram
    scored = below * own + through_one + inverse * (before + behind)
    crossed = [inverse * (through_one + one) for one in (before, behind)]
    parts = [*([direct] * 4), through_one, scored, *crossed]
    return TangentParts(*(scale * one[..., None, None] for one in parts))

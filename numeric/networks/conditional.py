"""One layer redrawn with all others fixed, as in the conditional expectations E_{A_{k-1}}.

Propositions 11, 15, 16 and 17 of "MLPs at the EOC" fix all parameters but one layer matrix.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from numeric.arguments import Floats, integer, positive_integer
from numeric.networks.backpropagation import backpropagation_matrix, backpropagation_products, frobenius_gram
from numeric.networks.forward_pass import ForwardPass, gram
from numeric.networks.sampling import batch_sizes


@dataclass(frozen=True, eq=False)
class LayerDraws:
    """Draws under A_{k-1} alone, for the layer k = ``layer`` + 1; each ``(size, n, n)``.

    ``inner_products`` are X_k, ``derivative_products`` are X'_{k,k} and
    ``backpropagation_products[k1]`` are X'_{k1,k} for k1 in [2 : k-1].
    """

    layer: int
    inner_products: Floats
    derivative_products: Floats
    backpropagation_products: Mapping[int, Floats]


def resample_layer(state: ForwardPass, layer: int, rng: np.random.Generator, size: int) -> LayerDraws:
    """Redraw A_layer ``size`` times, all else in ``state`` fixed; layer in [1 : l-1].

    With k = layer + 1 the draws are those of X_k, X'_{k,k} and X'_{k1,k}, whose means are the
    subject of Propositions 11, 15, 16 and 17. Each is an average over the m_layer rows of
    A_layer, which are independent. A_layer is drawn by ``MLP.sample_layer``.

    Raises TypeError or ValueError for an argument outside its domain, or if the parameters of
    ``state`` are more than a single draw.

    Source: "MLPs at the EOC", Section 3.2.

    >>> from numeric.networks.forward_pass import forward_pass
    >>> from numeric.networks.mlp import MLP
    >>> mlp, rng = MLP((2, 5, 7, 1), a=0, b=1), np.random.default_rng(0)
    >>> state = forward_pass(mlp, mlp.sample(rng), [[1.0, 0.0], [0.6, 0.8]])
    >>> draws = resample_layer(state, layer=2, rng=rng, size=4)
    >>> draws.inner_products.shape, list(draws.backpropagation_products)
    ((4, 2, 2), [2])
    """
    mlp = _single(state).mlp
    layer = integer("layer", layer, 1, mlp.depth - 1)
    below = {k1: backpropagation_matrix(state, k1, layer) for k1 in range(2, layer + 1)}
    width = sum(B.shape[-1] for B in below.values()) + mlp.widths[layer - 1] + 3
    floats = mlp.widths[layer] * width * len(state.output)
    batches = [
        _redraw(state, layer, mlp.sample_layer(layer, rng, count), below)
        for count in batch_sizes(positive_integer("size", size), floats)
    ]
    return LayerDraws(
        layer,
        np.concatenate([batch.inner_products for batch in batches]),
        np.concatenate([batch.derivative_products for batch in batches]),
        {k1: np.concatenate([b.backpropagation_products[k1] for b in batches]) for k1 in below},
    )


def _redraw(state: ForwardPass, layer: int, matrices: Floats, below: Mapping[int, Floats]) -> LayerDraws:
    """Return the products for given draws of A_layer, shape ``(size, m_layer, m_{layer-1})``."""
    mlp = state.mlp
    rows = mlp.scale(layer) * matrices
    z = state.activation(layer) @ np.swapaxes(rows, -1, -2)
    shrink = mlp.widths[layer] ** -0.5
    derivative = shrink * mlp.phi_prime(z)
    products = {
        k1: frobenius_gram(derivative[..., None] * (rows[..., None, :, :] @ B)) for k1, B in below.items()
    }
    return LayerDraws(layer, gram(shrink * mlp.phi(z)), gram(mlp.sigma * derivative), products)


@dataclass(frozen=True, eq=False)
class BackpropagationPair:
    """The quantities of Proposition 17, for two inputs and layers k1 < k2.

    ``B1``, ``B2`` are B_{k1,k2-1}(x_i), shape ``(m_{k2-2}, m_{k1-1})``; ``xhat1``, ``xhat2`` the
    unit vectors of x_{k2-1}(x_i), shape ``(m_{k2-2},)``; ``rho`` their cosine rho_{k2-1};
    ``product`` is X'_{k1,k2-1}(x_1, x_2) and ``next_product`` is X'_{k1,k2}(x_1, x_2).
    """

    B1: Floats
    B2: Floats
    xhat1: Floats
    xhat2: Floats
    rho: float
    product: float
    next_product: float


def backpropagation_pair(
    state: ForwardPass, k1: int, k2: int, first: int = 0, second: int = 1
) -> BackpropagationPair:
    """Return the quantities of Proposition 17 for inputs ``first`` and ``second`` of ``state``.

    Raises TypeError or ValueError unless 2 <= k1 < k2 <= l, both inputs exist, no activation
    x_{k2-1} vanishes and the parameters are a single draw.

    Source: "MLPs at the EOC", Proposition 17 and its proof.

    >>> from numeric.networks.forward_pass import forward_pass
    >>> from numeric.networks.mlp import MLP
    >>> mlp, rng = MLP((2, 5, 7, 1), a=0, b=1), np.random.default_rng(0)
    >>> state = forward_pass(mlp, mlp.sample(rng), [[1.0, 0.0], [0.6, 0.8]])
    >>> pair = backpropagation_pair(state, 2, 3)
    >>> pair.B1.shape, pair.xhat1.shape
    ((5, 5), (5,))
    """
    k2 = integer("k2", k2, 3, _single(state).mlp.depth)
    k1 = integer("k1", k1, 2, k2 - 1)
    last = len(state.output) - 1
    i = integer("first", first, 0, last)
    j = integer("second", second, 0, last)
    B = backpropagation_matrix(state, k1, k2 - 1)
    xhat = state.unit_activations(k2 - 1)
    return BackpropagationPair(
        B1=B[i],
        B2=B[j],
        xhat1=xhat[i],
        xhat2=xhat[j],
        rho=float(state.cosines(k2 - 1)[i, j]),
        product=float(np.vdot(B[i], B[j])),
        next_product=float(backpropagation_products(state, k1, k2)[i, j]),
    )


def _single(state: ForwardPass) -> ForwardPass:
    if state.parameters.batch:
        raise ValueError(f"parameters must be one draw, got leading axes {state.parameters.batch}")
    return state

"""Backpropagation matrices of an MLP and their Frobenius inner products (Definition 5)."""

from collections.abc import Iterator

import numpy as np

from numeric.arguments import Floats, integer
from numeric.networks.forward_pass import ForwardPass, gram


def backward_pass(state: ForwardPass, rows: Floats, start: int) -> Iterator[tuple[int, Floats]]:
    r"""Pull row vectors back through the layers: yield (k, G_k) for k = start, ..., 2.

    .. math:: G_k(x) = R\, D_{x'_{start}}\, m^{q_{start-1}/2} A_{start-1} D_{x'_{start-1}}
        \cdots m^{q_k/2} A_k D_{x'_k}.

    ``rows`` is R, shape ``(..., r, m_{start-1})``; G_k has shape ``(..., n, r, m_{k-1})``. No
    product of two layer matrices is formed: the cost is n r m_k m_{k-1} for each layer.
    """
    pulled = rows[..., None, :, :] * state.derivative(start)[..., :, None, :]
    yield start, pulled
    for k in range(start - 1, 1, -1):
        flat = pulled.reshape(*pulled.shape[:-3], -1, pulled.shape[-1])
        product = (flat @ state.parameters.layer(k)).reshape(*pulled.shape[:-1], -1)
        pulled = state.mlp.scale(k) * product * state.derivative(k)[..., :, None, :]
        yield k, pulled


def backpropagation_matrix(state: ForwardPass, k1: int, k2: int) -> Floats:
    r"""B_{k1,k2}(x) for each input, shape ``(..., n, m_{k2-1}, m_{k1-1})``; 2 <= k1 <= k2 <= l.

    .. math:: B_{k_1,k_2} = \sigma D_{x'_{k_2}} m^{q_{k_2-1}/2} A_{k_2-1} \cdots
        m^{q_{k_1}/2} A_{k_1} D_{x'_{k_1}}

    The paper prints m^{(q_{k2}-1)/2}; its proofs use m^{q_{k2-1}/2}, as here.

    Raises TypeError or ValueError if k1 or k2 is outside its range.

    Source: "MLPs at the EOC", Definition 5.

    >>> from numeric.networks.forward_pass import forward_pass
    >>> from numeric.networks.mlp import MLP, Parameters
    >>> theta = Parameters([[[1.0]], [[-3.0]], [[1.0]]])
    >>> state = forward_pass(MLP((1, 1, 1, 1), a=0, b=1), theta, [[2.0]])
    >>> backpropagation_matrix(state, 2, 3)
    array([[[3.]]])
    """
    k2 = integer("k2", k2, 2, state.mlp.depth)
    k1 = integer("k1", k1, 2, k2)
    return dict(_matrices(state, k2, down_to=k1))[k1]


def backpropagation_products(state: ForwardPass, k1: int, k2: int) -> Floats:
    r"""X'_{k1,k2}(x_1, x_2) = tr(B_{k1,k2}(x_1) B_{k1,k2}(x_2)^*), shape ``(..., n, n)``.

    Raises TypeError or ValueError if k1 or k2 is outside 2 <= k1 <= k2 <= l.

    Source: "MLPs at the EOC", after Definition 5.

    >>> from numeric.networks.forward_pass import forward_pass
    >>> from numeric.networks.mlp import MLP, Parameters
    >>> theta = Parameters([[[1.0]], [[-3.0]], [[1.0]]])
    >>> state = forward_pass(MLP((1, 1, 1, 1), a=0, b=1), theta, [[2.0], [-1.0]])
    >>> backpropagation_products(state, 2, 3)
    array([[ 9., -9.],
           [-9.,  9.]])
    """
    return frobenius_gram(backpropagation_matrix(state, k1, k2))


def products_up_to(state: ForwardPass, k2: int) -> Iterator[tuple[int, Floats]]:
    """Yield (k1, X'_{k1,k2}) for k1 = k2, ..., 2 from a single backward pass."""
    for k1, matrix in _matrices(state, k2, down_to=2):
        yield k1, frobenius_gram(matrix)


def frobenius_gram(matrices: Floats) -> Floats:
    """Frobenius inner products of all pairs: ``(..., n, r, c)`` to ``(..., n, n)``."""
    return gram(matrices.reshape(*matrices.shape[:-2], -1))


def _matrices(state: ForwardPass, k2: int, down_to: int) -> Iterator[tuple[int, Floats]]:
    """Yield (k1, B_{k1,k2}) for k1 = k2, ..., down_to."""
    identity = state.mlp.sigma * np.eye(state.mlp.widths[k2 - 1])
    for k1, matrix in backward_pass(state, identity, k2):
        yield k1, matrix
        if k1 == down_to:
            return

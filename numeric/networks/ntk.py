"""The neural tangent kernel of an MLP: formula (2), its mean over the last layer, its matrix."""

import numpy as np

from numeric.arguments import Floats, real_array
from numeric.networks import arguments
from numeric.networks.backpropagation import backward_pass, products_up_to
from numeric.networks.forward_pass import ForwardPass, gram


def ntk(state: ForwardPass) -> Floats:
    r"""K_theta(x_1, x_2) for all pairs of inputs, shape ``(..., n, n, m_l, m_l)``.

    .. math:: K_\theta = \sigma^{-2} \sum_{k=1}^{l-1} m^{q_k} X_k
        A_l B_{k+1,l}(x_1) B_{k+1,l}(x_2)^* A_l^* + X_l I_{m_l}

    Evaluated with the rows A_l sigma^{-1} B_{k+1,l}, never the matrices B: one draw costs
    n m_l sum_k m_k m_{k-1}.

    Raises ValueError if the kernel overflows.

    Source: "MLPs at the EOC", Proposition 6.

    >>> from numeric.networks.forward_pass import forward_pass
    >>> from numeric.networks.mlp import MLP, Parameters
    >>> state = forward_pass(MLP((1, 1, 1), a=0, b=1), Parameters([[[-2.0]], [[3.0]]]), [[5.0]])
    >>> ntk(state)  # the Jacobian of N = 3 |A_1 x| is (-15, 10)
    array([[[[325.]]]])
    """
    depth = state.mlp.depth
    with np.errstate(over="ignore", invalid="ignore"):
        kernel = multiples_of_identity(state.inner_products(depth), state.mlp.widths[-1])
        for above, rows in backward_pass(state, state.parameters.layer(depth), depth):
            k = above - 1
            weight = state.mlp.scale(k) ** 2 * state.inner_products(k)
            kernel += weight[..., None, None] * inner_product_blocks(rows)
    return arguments.finite_result(kernel, "the kernel")


def expected_ntk(state: ForwardPass) -> Floats:
    r"""Mean of K_theta over the last layer A_l alone, shape ``(..., n, n, m_l, m_l)``.

    .. math:: \Bigl(\sum_{k=1}^{l-1} m^{q_k - q_l} X_k X'_{k+1,l} + X_l\Bigr) I_{m_l}

    The entries of A_l in ``state`` do not enter.

    Raises ValueError if the kernel overflows.

    Source: "MLPs at the EOC", Proposition 7.

    >>> from numeric.networks.forward_pass import forward_pass
    >>> from numeric.networks.mlp import MLP, Parameters
    >>> state = forward_pass(MLP((1, 1, 1), a=0, b=1), Parameters([[[-2.0]], [[3.0]]]), [[5.0]])
    >>> expected_ntk(state)  # E (5 A_2)^2 + 10^2 with A_2 standard normal
    array([[[[125.]]]])
    """
    depth = state.mlp.depth
    with np.errstate(over="ignore", invalid="ignore"):
        mean = state.inner_products(depth)
        for above, product in products_up_to(state, depth):
            k = above - 1
            scaling = (state.mlp.scale(k) / state.mlp.scale(depth)) ** 2
            mean = mean + scaling * state.inner_products(k) * product
        kernel = multiples_of_identity(mean, state.mlp.widths[-1])
    return arguments.finite_result(kernel, "the expected kernel")


def ntk_matrix(kernel: Floats) -> Floats:
    """Return the NTK matrix, blocks K(x_i, x_j)/n: ``(..., n, n, p, p)`` to ``(..., n p, n p)``.

    Raises ValueError if ``kernel`` has another shape.

    Source: "MLPs at the EOC", Definitions 20 and 23.

    >>> ntk_matrix(np.array([[[[4.0]], [[1.0]]], [[[1.0]], [[2.0]]]]))
    array([[2. , 0.5],
           [0.5, 1. ]])
    """
    kernel = real_array("kernel", kernel, shape=("...", "n", "n", "p", "p"))
    n, p = kernel.shape[-3], kernel.shape[-1]
    blocks = np.swapaxes(kernel, -3, -2)
    return np.asarray(blocks.reshape(*kernel.shape[:-4], n * p, n * p) / n)


def multiples_of_identity(values: Floats, dimension: int) -> Floats:
    """``(..., n, n)`` times the identity: ``(..., n, n, dimension, dimension)``."""
    return values[..., None, None] * np.eye(dimension)


def inner_product_blocks(rows: Floats) -> Floats:
    """<row j_1 of x_1, row j_2 of x_2>: ``(..., n, r, w)`` to ``(..., n, n, r, r)``."""
    *batch, n, r, width = rows.shape
    flat = gram(rows.reshape(*batch, n * r, width))
    return np.swapaxes(flat.reshape(*batch, n, r, n, r), -3, -2)

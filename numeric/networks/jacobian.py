"""The Jacobian of an MLP with respect to all its parameters, by the recursion (1), and J J^*.

Nothing here knows of backpropagation: Jacobians are pushed forward through the layers, which
makes ``ntk_from_jacobian`` an independent check of the formula (2).
"""

import math

import numpy as np

from numeric.arguments import Floats, integer, real_array
from numeric.networks.arguments import finite_result
from numeric.networks.forward_pass import ForwardPass

_MOST_ENTRIES = 10**9


def multiplier(x: Floats, n: int) -> Floats:
    """Matrix of the right multiplier operator M_{x,n}: A -> A x on n x m matrices A.

    A is flattened row by row: ``(..., m)`` to ``(..., n, n m)``, the Kronecker product of the
    identity and x^*. Raises TypeError or ValueError unless x is real and n a positive integer
    with at most 10^9 entries, which are 8 gigabytes, in the result.

    Source: "MLPs at the EOC", Section 2.

    >>> multiplier(np.array([1.0, 2.0]), 2)
    array([[1., 2., 0., 0.],
           [0., 0., 1., 2.]])
    """
    x = real_array("x", x, shape=("...", "m"))
    n = integer("n", n, 1, math.isqrt(_MOST_ENTRIES // max(1, x.size)))
    operator = np.zeros((*x.shape[:-1], n, n, x.shape[-1]))
    operator[..., np.arange(n), np.arange(n), :] = x[..., None, :]
    return operator.reshape(*x.shape[:-1], n, n * x.shape[-1])


def jacobian(state: ForwardPass) -> Floats:
    """Return the Jacobian of N(x, theta) with respect to theta, ``(..., n, m_l, P)``.

    Columns follow ``Parameters.flatten``. Every entry is formed: meant for small networks.

    Source: "MLPs at the EOC", (1).

    >>> from numeric.networks.forward_pass import forward_pass
    >>> from numeric.networks.mlp import MLP, Parameters
    >>> state = forward_pass(MLP((1, 1, 1), a=0, b=1), Parameters([[[-2.0]], [[3.0]]]), [[5.0]])
    >>> jacobian(state)  # N = 3 |A_1 x|
    array([[[-15.,  10.]]])
    """
    mlp = state.mlp
    pushed = mlp.scale(1) * multiplier(state.activation(1), mlp.widths[1])
    for k in range(2, mlp.depth):
        pushed = mlp.scale(k) * _step(state, k, pushed)
    return _step(state, mlp.depth, pushed)


def ntk_from_jacobian(J: Floats) -> Floats:
    """Return J(x_1) J(x_2)^* for all pairs of inputs, shape ``(..., n, n, m_l, m_l)``.

    ``J`` has shape ``(..., n, m_l, P)``, as :func:`jacobian` gives it. Raises TypeError or
    ValueError for another J, or if the kernel overflows.

    Source: "MLPs at the EOC", Definition 4.

    >>> ntk_from_jacobian(np.array([[[-15.0, 10.0]]]))
    array([[[[325.]]]])
    """
    J = real_array("J", J, shape=("...", "n", "m_l", "P"))
    adjoint = np.swapaxes(J, -1, -2)
    with np.errstate(over="ignore", invalid="ignore"):
        kernel = np.asarray(J[..., :, None, :, :] @ adjoint[..., None, :, :, :])
    return finite_result(kernel, "J J^*")


def _step(state: ForwardPass, k: int, pushed: Floats) -> Floats:
    """[A_k D_{x'_k} J_{k-1}, M_{x_k, m_k}], without the factor m^{q_k/2}."""
    through = state.derivative(k)[..., None] * pushed
    earlier = state.parameters.layer(k)[..., None, :, :] @ through
    own = multiplier(state.activation(k), state.mlp.widths[k])
    return np.concatenate([earlier, own], axis=-1)

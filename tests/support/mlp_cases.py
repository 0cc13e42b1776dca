"""Networks, inputs, rounding bounds and the literal Definition 5, for the tests of MLPs."""

import numpy as np
from hypothesis import strategies as st

from numeric.networks import MLP, Parameters, forward_pass

EPS = np.finfo(float).eps
SLOPES = [(0, 1), (1, 0), (0.5, 0.5), (0.5, -0.5), (-1, 0.3), (0, -2), (0.25, 1.5)]


@st.composite
def networks(draw):
    """An MLP of any shape: unequal widths, every sign of (a, b), its own q_k for each layer."""
    depth = draw(st.integers(2, 5))
    widths = draw(st.lists(st.integers(1, 5), min_size=depth + 1, max_size=depth + 1))
    m = draw(st.integers(1, 3))
    hidden = [m * width for width in widths[1:-1]]
    a, b = draw(st.sampled_from(SLOPES))
    q = draw(st.lists(st.sampled_from([-1.0, 0.0, 0.5, 2.0]), min_size=depth, max_size=depth))
    return MLP((widths[0], *hidden, widths[-1]), a, b, q, m)


@st.composite
def states(draw):
    """A network evaluated at random parameters on inputs some of which are zero or parallel."""
    mlp = draw(networks())
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    x = rng.normal(size=(draw(st.integers(1, 3)), mlp.widths[0]))
    factor = draw(st.sampled_from([None, 0.0, 1.0, -1.0, 3.0]))
    x[-1] = x[-1] if factor is None else factor * x[0]
    return forward_pass(mlp, mlp.sample(rng), x)


def magnitudes(state):
    """The same network with every product of the sums made positive, at least as large.

    The sums of absolute values of all terms bound the rounding errors: a sum of products of at
    most r roundings has error at most r eps/2 times that of the absolute values.
    """
    linear = MLP(state.mlp.widths, abs(state.mlp.a) + abs(state.mlp.b), 0, state.mlp.q, state.mlp.m)
    theta = Parameters([np.abs(A) for A in state.parameters.matrices])
    return forward_pass(linear, theta, np.abs(state.activation(1)))


def roundings(mlp):
    """At most 8 + m_k roundings per layer and pass; a kernel makes two passes for each factor."""
    return 4 * sum(width + 8 for width in mlp.widths) * EPS


def assert_close(actual, wanted, state, size):
    """Equal up to the rounding errors that ``size``, a positive majorant, allows."""
    assert actual.shape == wanted.shape
    assert (np.abs(actual - wanted) <= roundings(state.mlp) * size).all()


def literal_backpropagation_matrix(state, i, k1, k2):
    """Definition 5 for input i, product by product, with its own powers of m and m_k."""
    mlp = state.mlp

    def slopes(k):
        z = state.preactivation(k - 1)[i]
        signs = np.where(z > 0, 1, np.where(z < 0, -1, 0))
        return np.diag((mlp.a + mlp.b * signs) / mlp.widths[k - 1] ** 0.5)

    product = slopes(k1)
    for k in range(k1, k2):
        product = slopes(k + 1) @ (mlp.m ** (mlp.q[k - 1] / 2) * state.parameters.layer(k)) @ product
    return product / (mlp.a**2 + mlp.b**2) ** 0.5

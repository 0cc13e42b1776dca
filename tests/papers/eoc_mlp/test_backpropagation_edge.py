"""The edge of a product of free factors: a single factor, two Gaussian ones, many layers."""

import numpy as np
import pytest
from trying import each

from theorems.eoc_mlp.all_layers.backpropagation.edge_of_product import edge_of_product


def slopes(delta):
    """1 over the S-transform of m_k^{-1} G* S^2 G, with squared slopes 1 + r and 1 - r."""
    spread = 16 * delta * (1 - delta)
    return lambda t: (1 + 2 * t + np.sqrt(1 + spread * t * (1 + t))) / 2


def edge(k1, k2, delta):
    """The limit of (k_1 - 1) m^{1/2} |B_{k1,k2}| for widths m_k = k^2 m."""
    return edge_of_product(slopes(delta), (np.arange(k1 - 1, k2) / (k1 - 1)) ** 2)


@each("delta", 0.0, 0.25, 0.5, 1.0)
def test_edges_of_one_layer(delta):
    """|B_{k,k}| = kappa m_{k-1}^{-1/2}; a Gaussian factor of ratio c has edge (1 + sqrt c)^2."""
    kappa = np.sqrt(1 + 2 * np.sqrt(delta * (1 - delta)))
    for k in (2, 7):
        # The minimum is at infinity, cut off at e^40.
        assert edge(k, k, delta) == pytest.approx(kappa, rel=1e-12)
    if delta == 1.0:
        for k in (2, 3, 9):
            assert edge(k, k + 1, delta) == pytest.approx(1 + (k - 1) / k, rel=1e-9)


def test_more_layers_push_the_edge_out_but_not_far():
    edges = [edge(2, k, 1.0) for k in range(2, 40)]
    assert edges == sorted(edges)
    assert edges[-1] < 1.9136
    assert edge(2, 10**6, 1.0) == pytest.approx(1.913584, abs=2e-6)

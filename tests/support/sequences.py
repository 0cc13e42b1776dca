"""Sequences of tokens that are drawn, and kernels of them, for the tests of attention."""

import numpy as np

from numeric.attention_kernels import activated_kernels, dense_kernels, token_kernels

STRUCTURE = np.exp(-(np.subtract.outer(range(4), range(4)) ** 2.0))


def drawn(seed=0, n=3, s=4, d=5, common=0.0):
    """Sequences of tokens; the more they have in common, the closer their correlations are to 1."""
    rng = np.random.default_rng(seed)
    return rng.standard_normal((n, s, d)) + common * rng.standard_normal(d)


def deep(x, y=None):
    """Kernels that have an NTK: those after a hidden layer."""
    return dense_kernels(activated_kernels(dense_kernels(token_kernels(x, y), 1.3), "relu"), 0.9)


def close(found, expected, tolerance=1e-13):
    """Whether all entries agree, relative to the largest."""
    return np.abs(np.subtract(found, expected)).max() <= tolerance * np.abs(expected).max()

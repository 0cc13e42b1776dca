"""Random cases for the tests of transformers, and the model written out for any numbers."""

import numpy as np
from hypothesis import strategies as st

from numeric.networks.transformer import Heads, Inputs

COMPLEX = {"tanh": np.tanh, "sine": np.sin, "logistic": lambda s: 1 / (1 + np.exp(-s))}


def written_out(c, U, W, tokens, q, sigma):
    """f(X) for one sample, head by head and token by token; entries may be complex."""
    total = 0
    for i in range(len(c)):
        logits = [x @ W[i] @ q for x in tokens]
        largest = max(z.real for z in logits)
        terms = [np.exp(z - largest) for z in logits]
        mean = sum(e * x for e, x in zip(terms, tokens, strict=True)) / sum(terms)
        total += c[i] * sigma(U[i] @ mean)
    return total / np.sqrt(len(c))


def blocks(parameters):
    """The three arrays of a point, of a gradient, or of gradients per sample."""
    return parameters.c, parameters.U, parameters.W


def sampled(n, T, d, m, seed, scale=1.0):
    """Heads and inputs with normal entries."""
    rng = np.random.default_rng(seed)
    shapes = ((m,), (m, d), (m, d, d))
    parameters = Heads(*(scale * rng.standard_normal(shape) for shape in shapes))
    return parameters, Inputs(rng.standard_normal((n, T, d)), rng.standard_normal((n, d)))


CASES = st.builds(
    sampled,
    n=st.integers(1, 4),
    T=st.integers(1, 6),
    d=st.integers(1, 4),
    m=st.integers(1, 5),
    seed=st.integers(0, 10**6),
    scale=st.sampled_from([0.01, 0.5, 1.0, 2.0]),
)

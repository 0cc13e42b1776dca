"""The layers and inputs of the figures: three sequences of two tokens, scales that are not 1.

Two of the sequences are equal, so that the kernels show equal and different inputs. The inputs'
kernel is held fixed while widths grow; below the layer stands a dense layer, whose tangent kernel
is its kernel.
"""

import numpy as np

from numeric.arguments import Floats
from numeric.attention_kernels import (
    AttentionKernel,
    TokenKernels,
    attention_kernels,
    sampled_attention_kernels,
)
from numeric.networks.multi_head import MultiHeadLayer

_FIRST = ((1.0, 0.2, -0.3, 0.1), (0.4, 0.9, 0.0, -0.5))
_SECOND = ((0.3, -0.6, 0.8, 0.2), (-0.2, 0.7, 0.4, 0.9))
#: Rows R with R R^T the mean products of the inputs, of shape (inputs, tokens, 4).
FACTORS: Floats = np.array([_FIRST, _SECOND, _FIRST])
#: A width beyond which nothing changes in floats.
WIDE = 10**9
_SCALES = {"sigma_q": 1.1, "sigma_k": 0.9, "sigma_v": 1.2, "sigma_o": 0.8}


def finite_layer(zeta: str, heads: int, score_dim: int, value_dim: int) -> MultiHeadLayer:
    """A layer of finite width at tau = 1/2."""
    return MultiHeadLayer(heads, score_dim, value_dim, score_map=zeta, **_SCALES)


def input_kernels() -> TokenKernels:
    """The kernel of the inputs, which is also the tangent kernel of the dense layer below."""
    gram = np.einsum("xak,ybk->xyab", FACTORS, FACTORS)
    own = gram[range(len(gram)), range(len(gram))]
    return TokenKernels(gram, own, own, gram, symmetric=True)


def limits(zeta: str, rng: np.random.Generator, count: int) -> TokenKernels:
    """Kernels of infinitely many heads: in closed form, for softmax from so many draws."""
    one = finite_layer(zeta, 1, 1, 1)
    layer = AttentionKernel(
        zeta, query_key_std=one.sigma_q * one.sigma_k, value_output_std=one.sigma_v * one.sigma_o
    )
    if layer.rows is None:
        return attention_kernels(input_kernels(), layer)
    return sampled_attention_kernels(input_kernels(), layer, rng, count).kernels


def relative_distances(found: Floats, limit: Floats) -> Floats:
    """||K - K*||^2 / ||K*||^2 of Equation (15) for draws (size, x, x', a, b) of kernels."""
    squares = ((found - limit) ** 2).sum(axis=(1, 2, 3, 4))
    result: Floats = squares / (limit**2).sum()
    return result

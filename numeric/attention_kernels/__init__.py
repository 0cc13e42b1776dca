"""NNGP and NTK of deep attention networks of infinite width, layer by layer, in floats."""

from numeric.attention_kernels.attention import SampledKernels, attention_kernels, sampled_attention_kernels
from numeric.attention_kernels.conventions import decaying_covariance, neural_tangents_attention
from numeric.attention_kernels.elementary import activated_kernels, dense_kernels, residual_kernels
from numeric.attention_kernels.kernels import TokenKernels, token_kernels
from numeric.attention_kernels.layer import SOFTMAX, AttentionKernel, Encoding, RowMap
from numeric.attention_kernels.network import (
    Dense,
    Elementwise,
    Flattening,
    Pooling,
    Residual,
    flattened_kernels,
    network_kernels,
    pooled_kernels,
)

__all__ = [
    "SOFTMAX",
    "AttentionKernel",
    "Dense",
    "Elementwise",
    "Encoding",
    "Flattening",
    "Pooling",
    "Residual",
    "RowMap",
    "SampledKernels",
    "TokenKernels",
    "activated_kernels",
    "attention_kernels",
    "decaying_covariance",
    "dense_kernels",
    "flattened_kernels",
    "network_kernels",
    "neural_tangents_attention",
    "pooled_kernels",
    "residual_kernels",
    "sampled_attention_kernels",
    "token_kernels",
]

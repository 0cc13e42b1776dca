"""One layer of multi-head attention with random weights: direct simulation, and its exact law."""

from numeric.networks.attention.direct import AttentionPass, sample_attention
from numeric.networks.attention.exact_law import (
    sample_output_covariances,
    sample_output_variances,
    sample_scores,
)
from numeric.networks.attention.inputs import gram_factor, sample_input_factors, sample_inputs
from numeric.networks.attention.layer import AttentionLayer

__all__ = [
    "AttentionLayer",
    "AttentionPass",
    "gram_factor",
    "sample_attention",
    "sample_input_factors",
    "sample_inputs",
    "sample_output_covariances",
    "sample_output_variances",
    "sample_scores",
]

"""One layer of multi-head attention with random weights: direct simulation, and its exact law."""

from numeric.networks.attention.direct import AttentionPass, sample_attention
from numeric.networks.attention.exact_law import (
    sample_output_covariances,
    sample_output_variances,
    sample_scores,
)
from numeric.networks.attention.inputs import gram_factor, limit_gram, sample_input_factors, sample_inputs
from numeric.networks.attention.layer import AttentionLayer
from numeric.networks.attention.limit_law import AttentionLaw
from numeric.networks.attention.two_tokens import (
    TwoTokenLaw,
    two_token_characteristic,
    two_token_density,
    two_token_distance,
    two_token_divergence,
    two_token_kurtosis,
    two_token_moment,
    two_token_tail,
)

__all__ = [
    "AttentionLaw",
    "AttentionLayer",
    "AttentionPass",
    "TwoTokenLaw",
    "gram_factor",
    "limit_gram",
    "sample_attention",
    "sample_input_factors",
    "sample_inputs",
    "sample_output_covariances",
    "sample_output_variances",
    "sample_scores",
    "two_token_characteristic",
    "two_token_density",
    "two_token_distance",
    "two_token_divergence",
    "two_token_kurtosis",
    "two_token_moment",
    "two_token_tail",
]

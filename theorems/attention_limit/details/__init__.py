"""Appendix B: the experimental setup, low-rank attention, and inputs behind a ReLU."""

SECTIONS = (
    "clipping",
    "clipped_inputs",
    "low_rank",
    "low_rank_heads",
    "two_tokens_of_low_rank",
    "heads_of_fixed_dimension",
    "eight_tokens",
    "relu",
    "outputs_behind_relu",
)

"""Appendix B.1: outputs of many heads become Gaussian, and their kernel."""

SECTIONS = (
    "score_covariances",
    "output_kernel",
    "attention_kernel",
    "positive_parts",
    "rectified_attention",
    "finite_widths",
    "limit",
    "central_limit",
    "one_head",
    "two_heads",
    "four_tokens",
    "scores",
)

"""Section 3: the limit law of the vectors and scores, and of multi-head attention."""

SECTIONS = (
    "limit_law",
    "convergence",
    "multi_head",
    "softmax",
    "output_maps",
    "kurtosis",
    "infinite_heads",
    "two_tokens",
    "variance_range",
    "densities",
    "four_tokens",
    "variance",
)

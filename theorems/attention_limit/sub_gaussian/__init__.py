"""Appendix E: the limit outputs of attention are sub-Gaussian."""

SECTIONS = (
    "variance_given_scores",
    "tails",
    "least_rate",
)

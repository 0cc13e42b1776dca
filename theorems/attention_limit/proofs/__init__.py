"""Appendix D: the dot products become Gaussian, and what is averaged given them converges."""

SECTIONS = (
    "dot_products",
    "conditioning",
    "sections",
    "uniform_convergence",
    "limit_of_scores",
    "corollary",
)

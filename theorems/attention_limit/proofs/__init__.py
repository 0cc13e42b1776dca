"""Appendix D: the dot products become Gaussian, and what is averaged given them converges."""

SECTIONS = (
    "dot_products",
    "conditioning",
    "balls",
    "sections",
    "uniform_convergence",
    "limit_of_scores",
    "corollary",
)

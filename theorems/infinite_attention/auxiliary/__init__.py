"""Appendix B.4: convergence of means, moments of all layers, and products of their inputs."""

SECTIONS = (
    "convergence",
    "weak_law",
    "weak_law_by_truncation",
    "dense_moments",
    "query_moments",
    "score_moments",
    "score_bounds",
    "head_moments",
    "moment_propagation",
    "inner_products",
    "limits_of_products",
    "layers_of_matrices",
)

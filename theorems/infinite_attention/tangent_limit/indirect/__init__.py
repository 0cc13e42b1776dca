"""Appendix B.2.2: what the parameters of the layers below contribute to the tangent kernel."""

SECTIONS = (
    "value_derivatives",
    "one_score",
    "score_derivatives",
    "linear_layer",
    "cross_sums",
    "cross_variances",
    "cross_terms",
)

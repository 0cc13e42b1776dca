"""Appendix B.2.2: what the parameters of the layers below contribute to the tangent kernel."""

SECTIONS = (
    "tangents_of_inputs",
    "linear_layer",
    "value_derivatives",
    "score_limits",
    "one_score",
    "score_derivatives",
    "equal_weights",
    "two_heads",
    "form_limits",
    "cross_terms",
    "cross_summands",
    "cross_sums",
    "cross_variances",
    "cross_squares",
)

"""Appendix B.2.1: what the parameters of the layer contribute to the tangent kernel."""

SECTIONS = (
    "output_weights",
    "moment_bounds",
    "value_weights",
    "score_weights",
    "integrands",
    "second_moments",
)

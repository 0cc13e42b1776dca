"""Section 5: what the paper's experiments show, and what their estimator cannot see."""

SECTIONS = ("finite_width", "scores_and_heads")

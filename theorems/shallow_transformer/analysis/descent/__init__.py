"""Section 5.5, first part: the convergence of projected gradient descent (Theorem 1).

The proof of Appendix A.7 comes first, in the order of Equations (21) to (43); then the theorem, the
sharper theorem, and what can be seen along runs.
"""

SECTIONS = (
    "one_step",
    "feature_change",
    "feature_error",
    "gradient_sizes",
    "drift",
    "least_and_average_loss",
    "convergence",
    "sharp_convergence",
    "best_order",
    "runs_of_students",
)

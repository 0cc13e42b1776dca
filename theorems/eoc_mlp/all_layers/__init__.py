"""Section 3.3: all layers and all inputs at once, and the matrix of the tangent kernel.

Definition 20 to Remark 29, with Theorem 28, the main result.
"""

SECTIONS = (
    "ntk_matrix",
    "limit",
    "norms",
    "cosines",
    "backpropagation",
    "products",
    "theorem_28",
    "choice_of_p",
)

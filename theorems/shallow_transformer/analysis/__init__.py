"""Section 5: the transformer near its random start, in the order of the paper.

The proofs of Appendix A stand with what they prove.  Each folder is a numbered statement, or a few
that belong together: the gradients (Lemma 1), the start (Definitions 1 and 2), one head (Lemma 2),
the linear model (Lemma 3), the tangent kernel (Lemma 4), its function space, the approximation of
targets (Lemma 5), gradient descent (Theorem 1), the assumptions on the target and on the radius
(Remarks 9 and 10), and stochastic gradient descent (Proposition 1).
"""

SECTIONS = (
    "gradients",
    "initialisation",
    "one_head",
    "linearisation",
    "kernel",
    "function_space",
    "approximation",
    "descent",
    "target_and_radius",
    "stochastic_descent",
)

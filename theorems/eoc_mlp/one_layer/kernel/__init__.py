"""The tangent kernel as a sum over the layers, and its mean over the last one.

Definitions 4 and 5, Propositions 6 and 7, and Remark 8 on the scaling coefficients.
"""

SECTIONS = ("adjoint", "backpropagation_matrices", "formula", "mean", "scalings")

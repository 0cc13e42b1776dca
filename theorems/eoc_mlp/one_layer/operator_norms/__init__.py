"""Proposition 10: the operator norms of backpropagation matrices, and the constant before it.

First the range of κ; then the rows of the random layer and their law given the signs, the mean of
the norm, its tail with constants, and its tail in the printed forms.
"""

SECTIONS = ("kappa", "rows", "mean_norm", "concentration", "printed_forms")

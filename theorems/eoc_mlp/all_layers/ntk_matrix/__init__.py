"""Definition 20 and Remark 21: the matrix of the tangent kernel over a data set.

The matrix, its exact law at finite width, and its normalisation as an integral operator.
"""

SECTIONS = ("definition", "exact_law", "normalisation")

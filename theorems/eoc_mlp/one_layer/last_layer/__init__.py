"""Proposition 9: how the tangent kernel concentrates over the matrix of the last layer.

The proof goes from a norm to a net of unit vectors, and from there to quadratic forms of Gaussian
vectors; the statement, with constants and as printed, comes last.
"""

SECTIONS = ("net", "forms", "concentration")

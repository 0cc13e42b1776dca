"""Proposition 26: the norms of all backpropagation matrices at once.

Frobenius norms, operator norms with Equations (10) to (12), the exact size of the matrices in wide
networks, and that it stays bounded for the absolute value.
"""

SECTIONS = ("frobenius_norms", "operator_norms", "wide_networks", "bounded_norms")

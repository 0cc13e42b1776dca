"""Proposition 26: the norms of all backpropagation matrices at once.

Frobenius norms, operator norms with Equations (10) to (12), and the exact size of the matrices in
wide networks.
"""

SECTIONS = (
    "frobenius_norms",
    "operator_norms",
    "wide_networks",
)

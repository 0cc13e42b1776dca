"""Section 3.2: the parts of the tangent kernel, layer by layer.

Definitions 4 and 5 to Proposition 19, with Figure 1: means and tails over the random matrix of one
layer, the layers below it fixed.
"""

SECTIONS = (
    "kernel",
    "last_layer",
    "operator_norms",
    "inner_products",
    "distances",
    "widths",
    "norms",
    "derivatives",
    "frobenius_norms",
    "gradient_independence",
    "derivative_products",
    "backpropagation_products",
)

"""Section 1 and the abstract: what the paper announces.

The constants of the two best known activation functions, whether widths have to grow quadratically
for the tangent kernel, Theorem 1 (Theorem 28 in a simplified form), and how any data set becomes
one without parallel inputs.
"""

SECTIONS = (
    "absolute_value_and_relu",
    "widths_for_norms",
    "widths_for_the_kernel",
    "main_theorem",
    "non_parallel_inputs",
)

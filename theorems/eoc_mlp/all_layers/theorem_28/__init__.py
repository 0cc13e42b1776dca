"""Theorem 28: the matrix of the tangent kernel is close to its limit.

The mean of the kernel, the sums of the errors of cosines, the matrix of the last layer, the
reduction to inputs of length 1, the theorem with Equation (15) and with explicit constants,
and the rate at which the error falls.
"""

SECTIONS = ("mean", "cosine_errors", "last_layer", "unit_inputs", "theorem", "explicit", "depth_32")

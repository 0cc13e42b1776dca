"""Section 5.4, first part: the functions that the tangent kernel spans, and transportation maps.

Here are the inner product of the class, its kernel, the norm of bounded maps (Remark 7), and the
parameters to which a map transports the start (Equation (11)).
"""

SECTIONS = ("function_class", "reproducing_kernel", "transported_parameters")

"""Proposition 15: the mean inner product of two derivatives, and the derivative of the cosine map.

After Proposition 14 the paper says that taking the dual commutes with differentiation: for many
activation functions, and for its own, where the dual is the cosine map.
"""

SECTIONS = ("duals", "slope_of_the_cosine_map", "expectation")

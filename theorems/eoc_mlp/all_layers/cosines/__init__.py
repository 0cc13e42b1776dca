"""Proposition 25: the cosines of all pairs of inputs in all layers at once.

The inverse cosine distance map, from Equation (9) to the cosine of one layer, how the iterates of
the map grow, the induction over the layers, the bound of all cosines, and the rate at which errors
fall.
"""

SECTIONS = (
    "inverse_distances",
    "law_of_cosines",
    "error_of_a_layer",
    "potential",
    "iterates",
    "logarithmic_steps",
    "induction",
    "concentration",
    "depth_32",
)

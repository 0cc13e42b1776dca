"""Proposition 12: the distances of activations, and the squared cosine distance map before it.

The map, the lines of the proof, the tail with constants, the tail as printed, and the best constant
of the lower tail.
"""

SECTIONS = (
    "distance_map",
    "half_differences",
    "squared_distance",
    "concentration",
    "printed_form",
    "lower_tail",
)

"""Section 3: the limiting distribution of an attention layer, and what its example uses."""

SECTIONS = ("softmax", "output_maps")

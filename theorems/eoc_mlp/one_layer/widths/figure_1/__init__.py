"""Figure 1: the errors of inverse cosine distances for three patterns of widths.

What one layer adds to the error, what the layers above leave of it, the law of the error in every
layer to first order, its bounds, and how fast it grows.
"""

SECTIONS = ("layer_noise", "noise_bounds", "slopes", "first_order_law", "error_bounds", "growth_rates")

"""Proposition 27: the inner products of all backpropagation matrices at once.

The second derivative of the cosine map and its slopes at nearby cosines, one step with Equations
(13) and (14), how the gradient dependence decays, a sum of squared logarithms, the bound of all
inner products, and the rate at which errors fall.
"""

SECTIONS = (
    "second_derivative",
    "slopes_of_the_limit",
    "steps",
    "gradient_dependence",
    "squared_logarithms",
    "concentration",
    "depth_8",
)

"""Derivatives along lines and directions of parameters, and the sums that they are made of."""

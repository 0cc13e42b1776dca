"""Proposition 24: the lengths of the activations in all layers at once.

The ratios of successive lengths, Equation (8), and from these the lengths.
"""

SECTIONS = ("ratios", "concentration")

"""Proposition 14: the lengths of activations.

Their exact law, their fourth moment, and their concentration with the best constant.
"""

SECTIONS = ("law", "fourth_moment", "concentration")

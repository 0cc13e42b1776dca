"""Proposition 11: the mean inner product of two activations, and the cosine map before it."""

SECTIONS = ("cosine_map", "expectation")

"""Fact 1: the Jacobian of softmax, its norms and eigenvalues, and derivatives of higher order."""

SECTIONS = ("jacobian", "norm", "spectrum", "trace", "cumulants", "largest_cumulants", "contraction")

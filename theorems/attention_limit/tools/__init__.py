"""Appendix C: the inequalities, modes of convergence and functions that the proofs use."""

SECTIONS = ("power_means", "compositions", "products")

"""Appendix C: the inequalities, modes of convergence and functions that the proofs use."""

SECTIONS = ("power_means", "convergence", "pseudo_lipschitz", "compositions", "products")

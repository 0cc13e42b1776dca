"""Proposition 17: at finite width gradients are nearly independent.

Covariances, conditional means and integrals as in the proof, then the exact error with the printed
bound, and the best bound.
"""

SECTIONS = ("covariances", "conditional_means", "integrals", "error", "best_bound")

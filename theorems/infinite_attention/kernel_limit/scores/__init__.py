"""Appendix B.1.1: scores become Gaussian."""

SECTIONS = ("convergence", "rate_of_convergence", "columns", "fourth_moments", "bounds_of_moments")

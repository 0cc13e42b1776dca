"""Appendix B.1.1: scores become Gaussian."""

SECTIONS = ("columns", "fourth_moments", "bounds_of_moments")

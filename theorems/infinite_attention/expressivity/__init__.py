"""Appendix B.3: which attention coefficients make the kernel of a convolution."""

SECTIONS = ("constant_coefficients", "random_coefficients")

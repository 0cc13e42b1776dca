"""Appendix A.1: useful facts on softmax, pooled tokens and Gaussian vectors (Facts 1 to 4)."""

SECTIONS = ("softmax", "pooled_tokens", "gaussian_norms")

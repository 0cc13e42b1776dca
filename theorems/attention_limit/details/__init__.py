"""Appendix B: the experimental setup, low-rank attention, and inputs behind a ReLU."""

SECTIONS = ("clipping", "relu")

"""Appendix B.1: outputs of many heads become Gaussian, and their kernel."""

SECTIONS = ("attention_kernel",)

"""Appendix C: positional encodings that are added or appended to a layer's input."""

SECTIONS = ("exchangeability", "moments", "mean_products", "tangent_kernel")

"""Appendix B.2: the tangent kernel of many heads has a limit."""

SECTIONS = (
    "chain_rule",
    "tangent_kernel",
    "finite_width",
    "rectifier",
    "rows",
    "wide_layers",
    "direct",
    "indirect",
)

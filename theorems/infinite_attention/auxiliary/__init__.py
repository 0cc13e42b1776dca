"""Appendix B.4: convergence of means, moments of all layers, and products of their inputs."""

SECTIONS = ("convergence", "weak_law")

"""Appendix B.1: the IndRNN, its Jacobian, and how that grows with the horizon (Proposition 2)."""

SECTIONS = ("jacobian", "growth", "maximal_norms")

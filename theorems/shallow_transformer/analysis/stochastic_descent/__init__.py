"""Section 5.5, last part: projected stochastic gradient descent (Proposition 1, Appendix A.8)."""

SECTIONS = ("one_step", "convergence")

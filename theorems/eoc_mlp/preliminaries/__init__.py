"""Section 2: matrices as operators, eigenvalues, and tails of random variables."""

SECTIONS = ("matrices", "eigenvalues", "tails")

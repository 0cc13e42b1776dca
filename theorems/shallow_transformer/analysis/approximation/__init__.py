"""Section 5.4, second part: how well the linear model approximates a target (Lemma 5, Remark 8).

The proof of Appendix A.6 goes from pairs of heads to the part of W, Equation (20), and to the tail
of a mean; then come the lemma, and what is sharper.
"""

SECTIONS = ("pairs_of_heads", "w_part", "tail", "best_proxy", "error_bound", "sharper")

"""Appendix E: the limit outputs of attention are sub-Gaussian."""

SECTIONS = ("variance_given_scores", "tails", "tails_of_many_heads", "scores_near_vertices", "least_rate")

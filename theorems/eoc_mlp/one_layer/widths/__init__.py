"""Remark 13 and Figure 1: which widths keep inverse cosine distances close to their limit.

How inverse distances grow in the limit, what the remark computes from that, which patterns of
widths are sufficient or necessary, and the errors that the figure shows.
"""

SECTIONS = ("growth_in_the_limit", "relative_errors", "sufficient_widths", "figure_1")

"""Section 2: an attention layer at finite width, and its scores under two scalings."""

SECTIONS = ("attention", "score_moments", "scaling")

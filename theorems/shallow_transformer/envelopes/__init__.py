"""Appendix A.7, Lemma 6: how large the model and the target can be at most."""

SECTIONS = ("model", "target")

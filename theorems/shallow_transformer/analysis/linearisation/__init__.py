"""Section 5.2, third part: the linear model (Definition 3) and its error (Lemma 3)."""

SECTIONS = ("linear_model", "remainder", "error_bound", "block_by_block", "order")

"""Section 5.1: the gradients of the network (Lemma 1), and Remarks 3 and 4 on their size."""

SECTIONS = ("formulas", "number_of_tokens", "pooled_token")

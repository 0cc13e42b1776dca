"""Section 4: the informal theorem, and the three features that the paper names.

They are: any number of steps and any width, a width that is logarithmic in the number of samples,
and no dependence on the length of the sequences.
"""

SECTIONS = ("informal_theorem", "any_width", "sufficient_width", "sequence_length")

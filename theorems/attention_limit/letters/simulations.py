"""Letters of Section 5: an entry of an output, and its limit."""

from theorems.attention_limit.letters.table import random

first_output = random("first_output", r"y^1_\alpha", "an entry of the output of the first token")
first_limit = random("first_limit", "Z^{y^1}", "limit of an entry of the output of the first token")

"""Letters of Section 5: an entry of an output and its limit, and scores in the experiments."""

from theorems.attention_limit.letters.table import random

first_output = random("first_output", r"y^1_\alpha", "an entry of the output of the first token")
first_limit = random("first_limit", "Z^{y^1}", "limit of an entry of the output of the first token")
score_root = random("score_root", "p_{1,1}", "score of the first token with itself")
score_linear = random("score_linear", r"p_{1,1}^{1/n}", "the same with 1/n in place of the root of 1/n")

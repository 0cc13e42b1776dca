"""Letters of normal laws whose variance lies between two bounds."""

from theorems.attention_limit.letters.table import LETTERS, POSITIVE, REAL

mixed_variance = LETTERS.number("mixed_variance", "v", "a variance given the scores", POSITIVE)
top_variance = LETTERS.number("top_variance", "v'", "an upper bound of the variance", POSITIVE)
far_point = LETTERS.number("far_point", "x", "a point, far out", REAL)

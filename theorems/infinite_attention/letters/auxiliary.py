"""Letters of Appendix B.4: means of exchangeable variables, moments, and mean products."""

from theorems.infinite_attention.letters.table import (
    LETTERS,
    NONNEGATIVE,
    POSITIVE,
    SIZE,
    random,
    real,
    size,
)

terms = LETTERS.number("terms", "d_n", "number of variables of which a mean is taken", SIZE)
X_first = random("X_first", "X_{n,1}", "the first of the variables of a mean")
X_second = random("X_second", "X_{n,2}", "the second of them")
X_mean = random("X_mean", r"\bar S_n", "mean of the variables")
deviation = LETTERS.number("deviation", r"\delta", "size of a deviation", POSITIVE)
X_any = random("X_any", "X_n", "one of a sequence of random variables")
more = LETTERS.number(
    "more", r"\varepsilon", "by how much the order of a moment exceeds one", POSITIVE
)
level = LETTERS.number("level", "c", "level above which a variable is cut off", POSITIVE)
small = LETTERS.number("small", r"\eta", "how small a mean is to be", POSITIVE)
moment_bound = LETTERS.number(
    "moment_bound", "M", "supremum of the moments of order 1 + ε", NONNEGATIVE
)
X_limit = random("X_limit", r"X_{\star,1}", "the first of the variables of the limit in law")
lim_mean = real("lim_mean", r"\lim_n \mathbb{E}[\bar S_n]", "limit of the mean of the mean")
lim_square = size(
    "lim_square", r"\lim_n \mathbb{E}[\bar S_n^2]", "limit of the mean square of the mean"
)
lim_chance = size(
    "lim_chance",
    r"\limsup_n \mathbb{P}(|\bar S_n - \mathbb{E}[X_{\star,1}]| \ge \delta)",
    "largest limit of the probability of a deviation from the mean of the limit",
)

"""Letters of Proposition D.1 at finite width: distribution functions of scores and of outputs."""

from theorems.attention_limit.letters.table import (
    LETTERS,
    NONNEGATIVE,
    POSITIVE,
    REAL,
    SIZE,
    random,
    size,
)

level = LETTERS.number("level", "x", "level in units of the standard deviation", REAL)
score_sum = random(
    "score_sum",
    r"\langle t, p\rangle",
    "linear combination of the scores p of all pairs of tokens and all heads, given the inputs",
)
eigenvalues = LETTERS.number(
    "eigenvalues",
    "r",
    "number of nonzero eigenvalues of the combination's variance as a form in the keys",
    SIZE,
)
largest_distance = size(
    "largest_distance",
    r"\sup_x |\mathbb{P}(p_{ij} \le x \sqrt{\mathbb{E} p_{ij}^2}) - \Phi(x)|",
    "largest distance of the distribution functions of a score and of its limit",
)

output_level = LETTERS.number("output_level", "x", "level that an output is compared with", REAL)
least_q = LETTERS.number("least_q", "q_-", "lower bound of the variance given the scores", POSITIVE)
most_q = LETTERS.number("most_q", "q_+", "upper bound of the variance given the scores", POSITIVE)
low_rank_y = random("low_rank_y", "y'", "one entry of the limit output of low-rank heads")
C_near = size("C_near", "C", "factor in a bound of the distance of characteristic functions")
dot_sum = random(
    "dot_sum", r"\langle t, p\rangle", "linear combination of the dot products, given the inputs"
)
phase = LETTERS.number("phase", r"\theta", "phase, which makes a cosine any real part", REAL)
limit_variance = LETTERS.number(
    "limit_variance", r"\sigma_*^2", "variance of the combination in the limit", NONNEGATIVE
)

past_sum = random("past_sum", "A", "linear combination of earlier dot products")
explained = random(
    "explained", "D", "combination of earlier ones that new dot products contain, at finite width"
)
explained_limit = random(
    "explained_limit", "D_*", "the same combination with the coefficients of the limit"
)
fresh_variance = random(
    "fresh_variance", "V", "variance of the rest of the new dot products, given all that is earlier"
)
all_sum = random("all_sum", "T", "linear combination of earlier and of new dot products")
Z_new = random("Z_new", "Z^{g}", "limit of a new image under a matrix")
Z_old = random(
    "Z_old", "Z^{c}", "linear combination of the limits of earlier images under that matrix"
)
Z_rest = random("Z_rest", r"\zeta", "the rest of the limit of the new image, of variance one")
Z_third = random("Z_third", "Z^{h}", "limit of an earlier image under another matrix")
Z_fourth = random("Z_fourth", "Z^{h'}", "limit of another earlier image under another matrix")
Z_fifth = random("Z_fifth", "Z^{h''}", "limit of a third earlier image")
rest_size = LETTERS.number("rest_size", r"\rho", "scale of the rest", NONNEGATIVE)

"""Letters of Proposition D.1 at finite width: distribution functions of scores and of outputs."""

from theorems.attention_limit.letters.table import LETTERS, NONNEGATIVE, POSITIVE, REAL, SIZE, random, size

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
combination_variance = LETTERS.number(
    "combination_variance", r"\sigma_*^2", "variance of the combination in the limit", NONNEGATIVE
)

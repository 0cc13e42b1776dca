"""Letters of Proposition D.1 at finite width: distribution functions of scores and of outputs."""

from theorems.attention_limit.letters.table import LETTERS, REAL, SIZE, random, size

level = LETTERS.number("level", "x", "level in units of the standard deviation", REAL)
score_sum = random(
    "score_sum",
    r"\sum_{a, i, j} t^a_{ij} p^a_{ij}",
    "linear combination of the scores of all pairs of tokens and all heads, given the inputs",
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

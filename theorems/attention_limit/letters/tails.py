"""Letters of Appendix E: tails of a limit output."""

from theorems.attention_limit.letters.table import LETTERS, NONNEGATIVE, POSITIVE, random, size, vector

t_level = LETTERS.number("t_level", "t", "level that an output is compared with", NONNEGATIVE)
Z_output = random("Z_output", "Z^{y^i}", "limit of an output of one head")
q_value = size("q_value", r"a^\top\Sigma a", "value of the form at softmax weights a")
norm_weights_squared = size("norm_weights_squared", r"\|a\|^2", "squared norm of softmax weights")
Sigma_norm = LETTERS.quantity(
    "Sigma_norm", r"\|\Sigma\|", "operator norm of the covariance of the values", POSITIVE
)
Sigma_top = LETTERS.quantity("Sigma_top", r"\max_j\Sigma_{jj}", "largest variance of a value", POSITIVE)
K_prefactor = size("K_prefactor", "K", "prefactor of a Gaussian bound of a tail")
c_rate = size("c_rate", "c", "rate of a Gaussian bound of a tail")
N_standard = random("N_standard", "N", "a standard normal variable")
V_heads = size(
    "V_heads",
    r"\frac{1}{H} \sum_{a \le H} a_{(a)}^\top\Sigma^{(a)}a_{(a)}",
    "mean over the heads of the values of their forms at their softmax weights",
)
Sigma_mean = LETTERS.quantity(
    "Sigma_mean",
    r"\frac{1}{H} \sum_{a \le H} \max_j\Sigma^{(a)}_{jj}",
    "mean over the heads of the largest variances of their values",
    POSITIVE,
)
Z_direction = random("Z_direction", r"\sum_i c_i Z^{y^i}", "a combination of the limit outputs of the tokens")
V_direction = size(
    "V_direction",
    r"\mathrm{Var}(\sum_i c_i Z^{y^i} \mid \mathring{p})",
    "variance given the scores of a combination of the limit outputs of the tokens",
)
c_sizes = LETTERS.quantity(
    "c_sizes", r"\sum_i |c_i|", "sum of the sizes of the coefficients of tokens", POSITIVE
)

# Scores at which the weights are near a vertex, and values as vectors

u_longest = vector("u_longest", "x_j", "value of a token of largest variance, as a vector")
x_token = vector("x_token", "x_k", "value of a token, as a vector")
x_mean = vector("x_mean", r"\overline{x}", "mean of the values of all tokens, as a vector")
y_far = vector("y_far", "y", "output of a head, as a vector")
score_size = LETTERS.number(
    "score_size", r"\lambda", "factor of scores that are products of values", POSITIVE
)
mean_spread = size(
    "mean_spread",
    r"\frac{1}{s} \sum_{k \le s} \|x_k - \overline{x}\|^2",
    "mean squared distance of the values from their mean",
)

"""Letters of Appendix E: tails of a limit output."""

from theorems.attention_limit.letters.table import LETTERS, NONNEGATIVE, POSITIVE, random, size

t_level = LETTERS.number("t_level", "t", "level that an output is compared with", NONNEGATIVE)
Z_output = random("Z_output", "Z^{y^i}", "limit of an output of one head")
q_value = size("q_value", r"a^\top\Sigma a", "value of the form at softmax weights a")
norm_weights_squared = size("norm_weights_squared", r"\|a\|^2", "squared norm of softmax weights")
Sigma_norm = LETTERS.quantity(
    "Sigma_norm", r"\|\Sigma\|", "operator norm of the covariance of the values", POSITIVE
)
Sigma_top = LETTERS.quantity(
    "Sigma_top", r"\max_j\Sigma_{jj}", "largest variance of a value", POSITIVE
)
K_prefactor = size("K_prefactor", "K", "prefactor of a Gaussian bound of a tail")
c_rate = size("c_rate", "c", "rate of a Gaussian bound of a tail")
N_standard = random("N_standard", "N", "a standard normal variable")

"""Letters of nonlinearities: what Appendix B assumes of them, and kernels in closed form."""

from sympy import Interval, asin, oo, pi, sqrt

from symbolic import notation
from symbolic.dual_activations import S1, S2
from theorems.engine.statements.domain import interval
from theorems.infinite_attention.letters.table import LETTERS, NONNEGATIVE, POSITIVE, REAL, UNIT, real

_BELOW_ZERO = Interval(-oo, 0)

leak = LETTERS.number("leak", r"\lambda", "slope of the leaky ReLU on the left of 0", UNIT)
left_argument = LETTERS.number("left_argument", "z", "argument on the left of 0, or 0", _BELOW_ZERO)
left_other = LETTERS.number("left_other", "z'", "another such argument", _BELOW_ZERO)
any_score = LETTERS.number("any_score", "G_{ai}", "a score", REAL)
other_weights = LETTERS.number(
    "other_weights",
    r"\textstyle\sum_{j \ne i} e^{G_{aj}}",
    "sum of the exponentials of the token's other scores",
    NONNEGATIVE,
)
envelope_constant = LETTERS.number("envelope_constant", "c", "constant of a linear envelope", NONNEGATIVE)
envelope_slope = LETTERS.number("envelope_slope", "m", "slope of a linear envelope", NONNEGATIVE)
nonlinearity_value = LETTERS.quantity(
    "nonlinearity_value", r"\phi(G_{ai})", "value of the nonlinearity at the score", REAL
)

# Maps of scores with one kink, and correlations of scores.
linear_part = LETTERS.number(notation.a, "a", "coefficient of the linear part of the map of the scores", REAL)
absolute_part = LETTERS.number(
    notation.b, "b", "coefficient of the absolute value in the map of the scores", REAL
)
normal_score = real(notation.u, "u", "standard normal variable")
normal_score_a = real(notation.u1, "u_1", "first of two standard normal variables")
normal_score_b = real(notation.u2, "u_2", "second of two standard normal variables")
deviation_a = LETTERS.number(S1, "s_1", "standard deviation of a score of one input", POSITIVE)
deviation_b = LETTERS.number(S2, "s_2", "standard deviation of a score of the other", POSITIVE)
score_correlation = LETTERS.number(notation.rho, r"\rho", "correlation of two scores", interval(-1, 1))
score_angle = LETTERS.number(notation.t, "t", "angle of which the correlation is the cosine", interval(0, pi))
token_correlation = LETTERS.number(
    "token_correlation", "r", "correlation of two inputs of one token", interval(-1, 1)
)
token_square = LETTERS.number("token_square", "c", "mean square of either input of one token", POSITIVE)
own_size = LETTERS.function(
    "own_size", "c", "root of the entry of the kernel of one input at a token with itself, by its number"
)
other_size = LETTERS.function("other_size", "c'", "the same root of the other input")
correlation_at = LETTERS.function(
    "correlation_at",
    "r",
    "entry of the kernel at a token of one input and a token of the other, divided by their roots",
)
positive_mean = LETTERS.function(
    "positive_mean",
    "p",
    "mean of the product of the positive parts of two standard normal variables, by their correlation",
    closed_form=lambda rho: rho / 4 + (sqrt(1 - rho**2) + rho * asin(rho)) / (2 * pi),
    justified_by="inf.thm3.relu",
)

"""Letters of kernels in closed form: maps of scores with one kink, and correlations of scores."""

from sympy import pi

from symbolic import notation
from symbolic.dual_activations import S1, S2
from theorems.engine.statements.domain import interval
from theorems.infinite_attention.letters.table import LETTERS, POSITIVE, REAL, real

linear_part = LETTERS.number(
    notation.a, "a", "coefficient of the linear part of the map of the scores", REAL
)
absolute_part = LETTERS.number(
    notation.b, "b", "coefficient of the absolute value in the map of the scores", REAL
)
normal_score = real(notation.u, "u", "standard normal variable")
normal_score_a = real(notation.u1, "u_1", "first of two standard normal variables")
normal_score_b = real(notation.u2, "u_2", "second of two standard normal variables")
deviation_a = LETTERS.number(S1, "s_1", "standard deviation of a score of one input", POSITIVE)
deviation_b = LETTERS.number(S2, "s_2", "standard deviation of a score of the other", POSITIVE)
score_correlation = LETTERS.number(
    notation.rho, r"\rho", "correlation of two scores", interval(-1, 1)
)
score_angle = LETTERS.number(
    notation.t, "t", "angle of which the correlation is the cosine", interval(0, pi)
)
token_correlation = LETTERS.number(
    "token_correlation", "r", "correlation of two inputs of one token", interval(-1, 1)
)
token_square = LETTERS.number(
    "token_square", "c", "mean square of either input of one token", POSITIVE
)

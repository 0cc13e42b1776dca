"""Letters of Theorem 18 for rectified scores: shares of two tokens i and j, and all of them."""

from sympy import pi

from theorems.engine import half_line, interval
from theorems.infinite_attention.letters.table import LETTERS, REAL, real

tangent_share = real(
    "tangent_share",
    r"\Theta_{ab}^{ij}",
    "what the values of tokens i of x and j of x' contribute to the tangent kernel",
)
rectified_angle = LETTERS.number(
    "rectified_angle", r"\theta", "angle between the scores of a and i and of b and j", interval(0, pi)
)
spread_ai = LETTERS.number(
    "spread_ai", "s_{ai}", "standard deviation of the score of a and i", half_line(0, closed=False)
)
spread_bj = LETTERS.number(
    "spread_bj", "s_{bj}", "standard deviation of the score of b and j", half_line(0, closed=False)
)
kernel_ij = LETTERS.number(
    "kernel_ij", r"\tilde\kappa_{ij}", "entry of the input's kernel at tokens i and j", REAL
)
tangent_ij = LETTERS.number(
    "tangent_ij", r"\tilde\Theta_{ij}", "entry of the input's tangent kernel at tokens i and j", REAL
)

# The same for all tokens, by their numbers from 0 on.
kernel_at = LETTERS.function(
    "kernel_at", r"\tilde\kappa", "entry of the input's kernel at a token of x and one of x'"
)
tangent_at = LETTERS.function(
    "tangent_at", r"\tilde\Theta", "entry of the input's tangent kernel at a token of x and one of x'"
)
spread_a = LETTERS.function("spread_a", "s_a", "standard deviation of the score of a and a token of x")
spread_b = LETTERS.function("spread_b", "s_b", "standard deviation of the score of b and a token of x'")
angle_at = LETTERS.function(
    "angle_at", r"\theta", "angle between the scores of a and a token of x and of b and a token of x'"
)

"""Letters of Theorem 18 for rectified scores: what two tokens i and j contribute."""

from sympy import pi

from theorems.engine import half_line, open_interval
from theorems.infinite_attention.letters.table import LETTERS, REAL, real

tangent_share = real(
    "tangent_share",
    r"\Theta_{ab}^{ij}",
    "what the values of tokens i of x and j of x' contribute to the tangent kernel",
)
rectified_angle = LETTERS.number(
    "rectified_angle",
    r"\theta",
    "angle between the scores of a and i and of b and j",
    open_interval(0, pi),
)
rectified_cosine = LETTERS.number(
    "rectified_cosine",
    r"\rho",
    "correlation of the scores of a and i and of b and j",
    open_interval(-1, 1),
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
    "tangent_ij",
    r"\tilde\Theta_{ij}",
    "entry of the input's tangent kernel at tokens i and j",
    REAL,
)

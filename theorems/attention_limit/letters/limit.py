"""Letters of Section 3 and Appendix B: limits of the inputs, of the scores and of the outputs."""

from typing import Any

from sympy import Abs, Expr, Integer, Piecewise, erf, exp, pi, sqrt

from theorems.attention_limit.letters.table import LETTERS, POSITIVE, REAL, SIZE, random, real
from theorems.engine.statements.domain import integers, interval

BIT = integers(0, 1)

# Clipped inputs

clip_level = LETTERS.number("clip_level", "C", "level at which inputs are clipped", POSITIVE)
other_level = LETTERS.number("other_level", "C'", "another level of clipping", POSITIVE)
limit_h = real("limit_h", "h", "standard normal limit of a vector before the activation function")
other_h = real("other_h", "h'", "the same for another token")


def _clipped(at: Any, level: Any) -> Expr:
    return Piecewise((-level, at < -level), (at, at <= level), (level, True))


psi = LETTERS.function("psi", r"\psi", "clipping at C", shown=1, closed_form=_clipped)
Phi = LETTERS.function(
    "Phi",
    r"\Phi",
    "distribution function of a standard normal variable",
    closed_form=lambda x: (1 + erf(x / sqrt(2))) / 2,
    well_known=True,
)
density = LETTERS.function(
    "density",
    r"\phi",
    "density of a standard normal variable",
    closed_form=lambda x: exp(-(x**2) / 2) / sqrt(2 * pi),
)
relu = LETTERS.function("relu", r"\operatorname{relu}", "the ReLU", closed_form=lambda x: (x + Abs(x)) / 2)

# Limits of vectors that MatMul generates, and of their inner products

sigma_weight = LETTERS.number("sigma_weight", r"\sigma_W", "scale of the weights of a matrix", POSITIVE)
Z_h1 = random("Z_h1", "Z^{h^1}", "limit of a vector that a matrix is applied to")
Z_h2 = random("Z_h2", "Z^{h^2}", "limit of another vector that a matrix is applied to")
Z_g1 = random("Z_g1", "Z^{g^1}", "limit of the image of the first vector")
Z_g2 = random("Z_g2", "Z^{g^2}", "limit of the image of the second vector")
c_1 = LETTERS.number("c_1", "c_1", "a coefficient", REAL)
c_2 = LETTERS.number("c_2", "c_2", "another coefficient", REAL)

# Multi-head attention: the heads a and b, tokens i, j, k and l

Z_xi = random("Z_xi", "Z^{x^i}", "limit of the input of token i")
Z_xj = random("Z_xj", "Z^{x^j}", "limit of the input of token j")
Z_xk = random("Z_xk", "Z^{x^k}", "limit of the input of token k")
Z_xl = random("Z_xl", "Z^{x^l}", "limit of the input of token l")
value_j = random("value_j", r"Z^{\tilde v^{a,j}}", "limit of the value of token j in a head")
value_k = random("value_k", r"Z^{\tilde v^{a,k}}", "limit of the value of token k in that head")
value_other = random("value_other", r"Z^{\tilde v^{b,k}}", "limit of the value of token k in another head")
query_limit_i = random("query_limit_i", "Z^{q^i}", "limit of the query of token i in a head")
query_limit_k = random("query_limit_k", "Z^{q^k}", "limit of the query of token k in that head")
key_limit_j = random("key_limit_j", "Z^{k^j}", "limit of the key of token j in that head")
key_limit_l = random("key_limit_l", "Z^{k^l}", "limit of the key of token l in that head")
p_limit_ij = random("p_limit_ij", r"\mathring{p}^{(a)}_{i,j}", "limit of a score of a head")
p_limit_kl = random("p_limit_kl", r"\mathring{p}^{(a)}_{k,l}", "limit of a score of that head")
p_limit_other = random("p_limit_other", r"\mathring{p}^{(b)}_{k,l}", "limit of a score of another head")

# One entry of the limit output, a Gaussian variable times the root of a random variance

H = LETTERS.number("H", "H", "number of heads", SIZE)
q = random("q", "q", "variance of the limit output of one head given its scores")
Z_y = random("Z_y", "Z^y", "one entry of the limit output of a token")
kurtosis = real("kurtosis", r"\kappa", "excess kurtosis of an entry of the limit output")
same_ik = LETTERS.number("same_ik", "1_{i=k}", "1 if the tokens i and k are the same, else 0", BIT)
same_jl = LETTERS.number("same_jl", "1_{j=l}", "1 if the tokens j and l are the same, else 0", BIT)
same_jk = LETTERS.number("same_jk", "1_{j=k}", "1 if the tokens j and k are the same, else 0", BIT)
mean_q = LETTERS.function(
    "mean_q", r"\overline{q}", "mean of the variance of the output of a head given its scores"
)
head = LETTERS.number("head", "a", "a head", SIZE)

# Two tokens: the entries of the covariance of their limits, and two scores

sigma_11 = LETTERS.number("sigma_11", r"\Sigma_{11}", "variance of the first value", REAL)
sigma_12 = LETTERS.number("sigma_12", r"\Sigma_{12}", "covariance of both values", REAL)
sigma_22 = LETTERS.number("sigma_22", r"\Sigma_{22}", "variance of the second value", REAL)
first_weight = LETTERS.number("first_weight", "a_1", "attention weight of the first token", REAL)
second_weight = LETTERS.number("second_weight", "a_2", "attention weight of the second one", REAL)
variance_at = LETTERS.function(
    "variance_at",
    "q",
    "variance given the scores of an output of two tokens, of the difference of the weights",
    shown=1,
    closed_form=lambda h, s_11, s_12, s_22: (
        ((s_11 + 2 * s_12 + s_22) + 2 * (s_11 - s_22) * h + (s_11 - 2 * s_12 + s_22) * h**2) / 4
    ),
)
weight_gap = LETTERS.number("weight_gap", "h", "difference of the two attention weights", interval(-1, 1))
decimal_units = LETTERS.function(
    "decimal_units",
    "10^{-23}",
    "a number of units of the 23rd decimal place",
    closed_form=lambda number: number / Integer(10) ** 23,
    well_known=True,
)


def _print_decimals(node: Any, _printer: Any) -> str:
    """So many units of the 23rd decimal place, as a decimal fraction."""
    number = int(node.args[0])
    return "10^{-23}" if number == 1 else f"0.{number:023d}"


decimal_units._latex = _print_decimals  # type: ignore[method-assign, assignment]

# Low rank

low_rank_q = random(
    "low_rank_q", "q'", "variance of a low-rank output given the scores and values of its head"
)
chi = random("chi", r"\chi", "squared length of a value over its scale")
gap_of_rows = random(
    "gap_of_rows", r"\delta_n", "difference of two scores of a token, of matrices with n rows"
)
gap_limit = random("gap_limit", r"\mathring\delta", "limit of the difference of two scores")
gap = random("gap", r"\delta", "difference of the two scores of a token")
chi_rows = random("chi_rows", r"\chi", "chi-square variable")
g_gap = random("g_gap", "g", "standard normal variable, independent of the chi-square one")

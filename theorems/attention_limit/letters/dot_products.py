"""Letters of Appendix D.1.1: one coordinate of the dot products, and its moments given the inputs.

The inputs x are given: what is written E is the mean over the matrices of the dot products.
"""

from theorems.attention_limit.letters.table import (
    LETTERS,
    NONNEGATIVE,
    REAL,
    SIZE,
    random,
    real,
    size,
    some_function,
    vector,
)
from theorems.engine import integers

g_11 = random("g_11", r"g^{i_1,1}_\alpha", "first factor of a dot product, at a coordinate")
g_12 = random("g_12", r"g^{i_1,2}_\alpha", "second factor of a dot product, at the same coordinate")
g_21 = random("g_21", r"g^{i_2,1}_\alpha", "first factor of another dot product, at the coordinate")
g_22 = random("g_22", r"g^{i_2,2}_\alpha", "second factor of another dot product, at the same coordinate")
X = random("X", r"X_\alpha", "weighted sum of the terms of the dot products at a coordinate")
X_other = random("X_other", r"X_\beta", "the same sum at another coordinate")

sigma_1 = LETTERS.number(
    "sigma_1", r"\sigma_{W^{i_1,1}}", "scale of the first matrix of a dot product", NONNEGATIVE
)
sigma_2 = LETTERS.number(
    "sigma_2", r"\sigma_{W^{i_1,2}}", "scale of the second matrix of a dot product", NONNEGATIVE
)
_INPUTS = "product of two inputs divided by the width, of the factors"
S_11 = LETTERS.number("S_11", r"\tfrac1n\langle x^{i_1,1}, x^{i_2,1}\rangle", f"{_INPUTS} 1 and 1", REAL)
S_12 = LETTERS.number("S_12", r"\tfrac1n\langle x^{i_1,1}, x^{i_2,2}\rangle", f"{_INPUTS} 1 and 2", REAL)
S_21 = LETTERS.number("S_21", r"\tfrac1n\langle x^{i_1,2}, x^{i_2,1}\rangle", f"{_INPUTS} 2 and 1", REAL)
S_22 = LETTERS.number("S_22", r"\tfrac1n\langle x^{i_1,2}, x^{i_2,2}\rangle", f"{_INPUTS} 2 and 2", REAL)
_SAME = "1 if the matrices of these factors are the same, and 0 otherwise: factors"
d_11 = LETTERS.number("d_11", "d_{(i_1,1)}^{(i_2,1)}", f"{_SAME} 1 and 1", integers(0, 1))
d_12 = LETTERS.number("d_12", "d_{(i_1,1)}^{(i_2,2)}", f"{_SAME} 1 and 2", integers(0, 1))
d_21 = LETTERS.number("d_21", "d_{(i_1,2)}^{(i_2,1)}", f"{_SAME} 2 and 1", integers(0, 1))
d_22 = LETTERS.number("d_22", "d_{(i_1,2)}^{(i_2,2)}", f"{_SAME} 2 and 2", integers(0, 1))


r = LETTERS.number("r", "r", "number of dot products", SIZE)
N = LETTERS.number("N", "N", "number of matrices that are paired with each other", integers(2))
u = LETTERS.number("u", "u", "argument of a characteristic function", REAL)
tau = LETTERS.number("tau", r"\tau", "standard deviation of a term of a dot product", NONNEGATIVE)
p = random("p", "p", "dot product of two outputs, divided by the root of the width")

C = LETTERS.number("C", "C", "largest size of the limits of four means of products", NONNEGATIVE)
R_size = LETTERS.number(
    "R_size", r"\tilde R", "largest root of order four of the fourth moment of an error", NONNEGATIVE
)
R = tuple(random(f"R_{k}", f"R_{k}", f"error of the mean of products number {k}") for k in range(1, 5))
c = tuple(
    LETTERS.number(f"limit_{k}", f"c_{k}", f"limit of the mean of products number {k}", REAL)
    for k in range(1, 5)
)
sigma_4 = LETTERS.number(
    "sigma_4", r"\sigma_{W^{i_2,2}}", "scale of the second matrix of another dot product", NONNEGATIVE
)
sigma_3 = LETTERS.number(
    "sigma_3", r"\sigma_{W^{i_2,1}}", "scale of the first matrix of another dot product", NONNEGATIVE
)
rank = LETTERS.number("rank", "M", "number of independent Gaussian variables in a form", SIZE)

width = LETTERS.number("width", "n", "number of variables in a sum", SIZE)
distance = size(
    "distance",
    r"|\mathbb{E}e^{iuS} - e^{-u^2\sigma_*^2/2}|",
    "distance of a characteristic function from that of the limit",
)
deviation = size("deviation", r"\mathbb{E}|V - \sigma_*^2|", "mean distance of a variance")
fourth = size("fourth", r"\mathbb{E}V^2", "mean square of the variance given further variables")
size_of_third = size("size_of_third", r"\mathbb{E}|X_1|^3", "third absolute moment")
four_gap, two_gap = (
    real(
        f"gap_of_{count}",
        rf"\mathbb{{E}}\prod_{{k \le {count}}}(R_k + c_k) - \prod_{{k \le {count}}}c_k",
        f"mean of a product of {words} means of products less the product of their limits",
    )
    for count, words in ((4, "four"), (2, "two"))
)

# Lemmas D.2 and D.3

X_row = random("X_row", r"X_\alpha", "variable of a finite row, of which there is one for each width")
S_row = random("S_row", "S", "sum of the variables of a row over the root of their number")
sigma_limit = LETTERS.quantity(
    "sigma_limit", r"\sigma_*", "standard deviation of the limit of the sums", NONNEGATIVE
)
places_map = some_function("places_map", r"\pi", "map that moves the coordinates")
x_factor = vector("x_factor", "x^{i,j}", "input of the matrix of factor j of dot product i")

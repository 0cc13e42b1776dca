"""Letters of Appendix B.4: means of exchangeable variables, moments, and mean products."""

from typing import Any

import sympy

from theorems.engine.statements.letters import Kind
from theorems.infinite_attention.letters.table import (
    LETTERS,
    NONNEGATIVE,
    POSITIVE,
    REAL,
    SIZE,
    random,
    real,
    size,
)


def _even_tuples(k: Any, d: Any) -> Any:
    """E (r_1 + ... + r_d)^(2k) for independent signs r_i."""
    j = sympy.Symbol("j", integer=True)
    return sympy.Sum(sympy.binomial(d, j) * (d - 2 * j) ** (2 * k), (j, 0, d)) / 2**d


terms = LETTERS.number("terms", "d_n", "number of variables of which a mean is taken", SIZE)
X_first = random("X_first", "X_{n,1}", "the first of the variables of a mean")
X_second = random("X_second", "X_{n,2}", "the second of the variables of a mean")
X_mean = random("X_mean", r"\bar S_n", "mean of the variables")
deviation = LETTERS.number("deviation", r"\delta", "size of a deviation", POSITIVE)
X_any = random("X_any", "X_n", "one of a sequence of random variables")
more = LETTERS.number("more", r"\varepsilon", "by how much the order of a moment exceeds one", POSITIVE)
level = LETTERS.number("level", "c", "level above which a variable is cut off", POSITIVE)
small = LETTERS.number("small", r"\eta", "how small a mean is to be", POSITIVE)
moment_bound = LETTERS.number("moment_bound", "M", "supremum of the moments of order 1 + ε", NONNEGATIVE)
X_limit = random("X_limit", r"X_{*,1}", "the first of the variables of the limit in law")
lim_mean = real("lim_mean", r"\lim_n \mathbb{E}[\bar S_n]", "limit of the mean of the mean")
lim_square = size("lim_square", r"\lim_n \mathbb{E}[\bar S_n^2]", "limit of the mean square of the mean")
lim_chance = size(
    "lim_chance",
    r"\limsup_n \mathbb{P}(|\bar S_n - \mathbb{E}[X_{*,1}]| \ge \delta)",
    "largest limit of the probability of a deviation from the mean of the limit",
)

# Moments of layers. A dense layer is a sum of its input's entries with centred normal weights.
fan_in = LETTERS.number("fan_in", "d", "number of entries of the input of a dense layer", SIZE)
dense_scale = LETTERS.number("dense_scale", r"\sigma", "scale of the weights of a dense layer", NONNEGATIVE)
dense_input = random("dense_input", "g_{1}", "the first entry of the input of a dense layer")
dense_square = random(
    "dense_square", r"\hat\kappa", "mean of the squares of the entries of the input of a dense layer"
)
dense_output = random("dense_output", "f_{1}", "an entry of the output of a dense layer")
noise = random("noise", r"\varepsilon'", "a standard normal variable")
half_order = LETTERS.number("half_order", "k", "half the order of a moment", SIZE)
odd_product = LETTERS.function(
    "odd_product",
    "(2k-1)!!",
    "product of the odd numbers up to 2k - 1",
    shown=0,
    closed_form=lambda k: sympy.factorial2(2 * k - 1),
    well_known=True,
)
query_entry = random("query_entry", "Q_{c1}", "an entry of a query")
rising_product = LETTERS.function(
    "rising_product",
    r"\textstyle\prod_{j < k} (1 + 2j/d^G)",
    "k-th moment of a mean of squares of normal variables of variance one, as many as columns",
    shown=0,
    closed_form=lambda k, d: (2 / d) ** k * sympy.gamma(d / 2 + k) / sympy.gamma(d / 2),
)
score_entry = random("score_entry", "G_{ai}", "a score")
key_square = random("key_square", r"\tfrac{1}{d^G}\textstyle\sum_u K_{iu}^2", "mean of the squares of a key")
chi_square = random("chi_square", r"\chi^2", "sum of squares of standard normal variables")
square_a = random("square_a", r"\hat\kappa_{aa}", "mean square of the input at token a, as drawn")
square_i = random("square_i", r"\hat\kappa_{ii}", "mean square of the input at token i, as drawn")
entry_a = random("entry_a", "g_{a1}", "an entry of the input at token a")
entry_i = random("entry_i", "g_{i1}", "an entry of the input at token i")
plain_a = random("plain_a", r"Q_{a1}/\sigma_Q", "an entry of the query of token a, for weights of scale one")
plain_i = random("plain_i", r"K_{i1}/\sigma_K", "an entry of the key of token i, for weights of scale one")
largest_moment = size(
    "largest_moment",
    r"\max_i \mathbb{E}|X_i|^t",
    "bound of the moments of order t of the variables of a mean, such as the largest of them",
)
sequence = LETTERS.number("sequence", "d^s", "number of tokens of an input", SIZE)
head_output = random("head_output", "f^h_{ci}", "an entry of the output of a head")
attended = random(
    "attended",
    r"\tilde G_{c\cdot} g_{\cdot 1}",
    "an entry of the input, in the mean over the tokens with the attention weights of token c",
)
weight_moment = size(
    "weight_moment",
    r"\max_{c'} \mathbb{E}|\tilde G_{cc'}|^{2t}",
    "largest moment of order 2t of an attention weight of token c",
)
input_moment = size(
    "input_moment",
    r"\max_{c'} \mathbb{E}|g_{c'1}|^{2t}",
    "largest moment of order 2t of an entry of the input",
)
transformed = random("transformed", r"\tilde G", "what the nonlinearity makes of a variable")
degree = LETTERS.number("degree", "m", "degree of a polynomial that bounds a nonlinearity", SIZE)
term_moment = size(
    "term_moment",
    r"\max_{s \le m} c_s^t \, \mathbb{E}|G|^{st}",
    "largest moment of order t of a term of this polynomial",
)
even_tuples = LETTERS.function(
    "even_tuples",
    r"N_{2k}(d^G)",
    "number of sequences of 2k columns in which each column occurs an even number of times",
    shown=0,
    closed_form=_even_tuples,
)

# Mean products of two tokens, over the columns
product_qq = random(
    "product_qq",
    r"\langle Q_{a\cdot}(x), Q_{b\cdot}(x')\rangle / d^G",
    "mean product of the queries of two tokens",
)
product_kk = random(
    "product_kk",
    r"\langle K_{a\cdot}(x), K_{b\cdot}(x')\rangle / d^G",
    "mean product of the keys of two tokens",
)
product_qk = random(
    "product_qk",
    r"\langle Q_{a\cdot}(x), K_{b\cdot}(x')\rangle / d^G",
    "mean product of the query of one token and the key of another one",
)
product_gg = random(
    "product_gg", r"\hat\kappa_{ab}(x, x')", "mean product of the inputs of tokens a and b, as drawn"
)
total_product = random(
    "total_product",
    r"\langle Q_{a\cdot}(x), Q_{b\cdot}(x')\rangle",
    "inner product of the queries of two tokens",
)
g_a1 = random("g_a1", "g_{a1}(x)", "the first entry of the input at one token")
g_b1 = random("g_b1", "g_{b1}(x')", "the first entry of the input at the other token")
g_a2 = random("g_a2", "g_{a2}(x)", "the second entry of the input at one token")
g_b2 = random("g_b2", "g_{b2}(x')", "the second entry of the input at the other token")
square_b = random("square_b", r"\hat\kappa_{bb}(x', x')", "mean square of the input at token b, as drawn")


def _limits(name: str, latex: str, of: str) -> tuple[sympy.Symbol, sympy.Symbol]:
    """The limits of the mean and of the mean square."""
    return (
        real(f"lim_{name}", rf"\lim_n \mathbb{{E}}[{latex}]", f"limit of the mean of {of}"),
        size(f"lim_{name}_square", rf"\lim_n \mathbb{{E}}[({latex})^2]", f"limit of the mean square of {of}"),
    )


lim_gg, lim_gg_square = _limits("gg", r"\hat\kappa_{ab}", "the mean product of the inputs of two tokens")
lim_qq, lim_qq_square = _limits(
    "qq", r"\langle Q_{a\cdot}, Q_{b\cdot}\rangle / d^G", "the mean product of two queries"
)
lim_kk, lim_kk_square = _limits(
    "kk", r"\langle K_{a\cdot}, K_{b\cdot}\rangle / d^G", "the mean product of two keys"
)
lim_shared, lim_shared_square = _limits(
    "shared",
    r"\langle Q_{a\cdot}, K_{b\cdot}\rangle / d^G",
    "the mean product of a query and a key with shared weights",
)
lim_other, lim_other_square = _limits(
    "other",
    r"\langle Q_{a\cdot}, K'_{b\cdot}\rangle / d^G",
    "the mean product of a query and a key with independent weights",
)

# The weak law with fewer moments: variables are cut off at a level
cut_mean = random(
    "cut_mean", r"\bar S_n^c", "mean of the variables that are cut off at plus and minus a level c"
)
centre = LETTERS.number("centre", r"\mu", "mean of the variables of the limit in law", REAL)

# Facts about convergence in law, and the central limit theorem for exchangeable variables.
random_sequence = random("random_sequence", "X_n", "the n-th of many random sequences of real numbers")
limit_sequence = random("limit_sequence", "X", "random sequence of real numbers, the limit in law")
finite_part = LETTERS.thing(
    "finite_part",
    r"\Gamma^J",
    "map that keeps the entries of a sequence whose indices are in J",
    Kind.FUNCTION,
)
limit_variable = random("limit_variable", "X", "random variable, the limit in law")
Y_any = random("Y_any", "Y_n", "one of a second sequence of random variables")
limit_constant = LETTERS.number(
    "limit_constant", "c", "number to which the second sequence converges in probability", REAL
)
exchangeable = random("exchangeable", "X", "variable of the n-th exchangeable sequence, by its number")
summands = LETTERS.number("summands", "d_n", "number of terms of the sum over the n-th sequence", SIZE)
limit_variance = LETTERS.number(
    "limit_variance",
    "v",
    "limit of the variance of a variable, which is the variance of the normal law",
    NONNEGATIVE,
)

# Moments and mean products, as the proofs write them.
query_any = random("query_any", "Q", "an entry of a query")
order_constant = size("order_constant", "C_t", "constant that depends on the order of the moment alone")
layer_tangent = random(
    "layer_tangent",
    r"\widehat\Theta_{ai,bj}(x, x')",
    "entry of the tangent kernel of a layer at finite width, at token a in column i for an input x,"
    " and at token b in column j for an input x'",
)
input_rows = LETTERS.thing(
    "input_rows", "g", "input of a dense layer, by its tokens and their entries", Kind.MATRIX
)
dense_matrix = LETTERS.thing(
    "dense_matrix", "W", "weights of a dense layer, with a row for each entry of a token's input", Kind.MATRIX
)
query_a_row = LETTERS.thing("query_a_row", "Q_a", "query of token a of one input", Kind.VECTOR)
query_b_row = LETTERS.thing(
    "query_b_row", "Q'_b", "query of token b of another input, with the same weights", Kind.VECTOR
)
square_b_drawn = random("square_b_drawn", r"\hat\kappa_{bb}", "mean square of the input at token b, as drawn")
product_drawn = random(
    "product_drawn", r"\hat\kappa_{ab}", "mean product of the inputs at tokens a and b, as drawn"
)

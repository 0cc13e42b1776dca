"""Letters of Definition 5 and Propositions 10, 15, 16, 18 and 19: backpropagation matrices."""

from sympy import FiniteSet, Symbol

from theorems.engine.statements.letters import Kind
from theorems.eoc_mlp.letters.table import (
    CORRELATION,
    LETTERS,
    NONNEGATIVE,
    matrix,
    nonnegative,
    probability,
    random,
    real,
    vector,
)

# Two matrices that follow each other: B ends below a layer of width M, B' ends above it.
B = matrix("B", "B", "backpropagation matrix from layer k_2 − 1 to layer k_1 of one input")
B_next = matrix("B_next", "B'", "backpropagation matrix from layer k_2 to layer k_1 of one input")
norm_b = nonnegative("norm_b", r"\|B\|", "operator norm of B")
frob_b = nonnegative("frob_b", r"\|B\|_F", "Frobenius norm of B")
norm_drawn = random(
    "norm_drawn", r"\|B'\|", "operator norm of B', random through the layer matrices below it"
)
norm_b_drawn = random(
    "norm_b_drawn", r"\|B\|", "operator norm of B, random through the layer matrices below it"
)
frob_b_drawn = random(
    "frob_b_drawn", r"\|B\|_F", "Frobenius norm of B, random through the layer matrices below it"
)
norm_kk = nonnegative("norm_kk", r"\|B_{k,k}\|", "operator norm of the backpropagation matrix of one layer")
width_b = nonnegative("width_b", "w(B)", "Gaussian width of the image of the unit sphere under B")
squared_width = nonnegative(
    "squared_width",
    r"\mathbb{E}\|B^*g\|^2",
    "mean squared length of the image of a Gaussian vector under the adjoint of B",
)
level = LETTERS.number("level", "x", "level that a norm exceeds", NONNEGATIVE)
chi_tail = probability(
    "chi_tail",
    r"\mathbb{P}(\chi_M \ge x)",
    "probability that the length of a standard normal vector of dimension M is at least x",
)

# One layer given the signs of its preactivations.
signs = LETTERS.thing("signs", r"\varepsilon", "signs of the preactivations", Kind.VECTOR)
moduli = LETTERS.thing("moduli", "|h|", "moduli of the standardised preactivations", Kind.VECTOR)
slopes = LETTERS.thing("slopes", "s", "slopes at the preactivations, times σ", Kind.VECTOR)
G_across = matrix(
    "G_across", r"G_\perp", "part of the standard normal layer matrix across the activations that enter it"
)
mean_sign = LETTERS.quantity(
    "mean_sign", r"\bar\varepsilon", "mean of the signs of the preactivations", CORRELATION
)
mean_norm_next = nonnegative(
    "mean_norm_next",
    r"\mathbb{E}\bigl[\sqrt M\|B'\| \bigm| \varepsilon\bigr]",
    "mean norm of B' given the signs, times the root of the width",
)

xhat = vector("xhat", r"\hat x", "direction of the activations that enter the layer")
row_form = random(
    "row_form",
    r"\langle\phi'(z_j)v_j, y\rangle",
    "inner product of a row of the random layer, times its slope, with a vector",
)
sign_j = LETTERS.number(
    Symbol("sign_j", real=True), r"\varepsilon_j", "sign of one preactivation", FiniteSet(-1, 1)
)

# Two inputs, and the inner products of their matrices.
B1 = matrix("B1", "B_1", "backpropagation matrix below the layer, first input")
B2 = matrix("B2", "B_2", "backpropagation matrix below the layer, second input")
norm_b1 = nonnegative("norm_b1", r"\|B_1\|", "operator norm of B_1")
norm_b2 = nonnegative("norm_b2", r"\|B_2\|", "operator norm of B_2")
frob_b1 = nonnegative("frob_b1", r"\|B_1\|_F", "Frobenius norm of B_1")
frob_b2 = nonnegative("frob_b2", r"\|B_2\|_F", "Frobenius norm of B_2")
X_prime = real(
    "X_prime", r"X'_{k_1,k_2}", "Frobenius inner product of the backpropagation matrices of two inputs"
)
X_prime_below = real(
    "X_prime_below",
    r"X'_{k_1,k_2-1}",
    "Frobenius inner product of the backpropagation matrices of two inputs, one layer below",
)
X_prime_next = real(
    "X_prime_next",
    r"X'_{k+1,l}",
    "inner product of the backpropagation matrices from the last layer to layer k + 1",
)
X_mean = real(
    "X_mean",
    r"\mathbb{E}_{A_{k_2-1}}X'_{k_1,k_2}",
    "mean of the inner product over the layer matrix below it",
)
X_mean_single = real(
    "X_mean_single",
    r"\mathbb{E}_{A_{k-1}}X'_{k,k}",
    "mean product of the slopes of one layer, averaged over the layer matrix",
)
X_mean_same = nonnegative(
    "X_mean_same",
    r"\mathbb{E}_{A_{k_2-1}}X'_{k_1,k_2}(x, x)",
    "mean squared Frobenius norm of the backpropagation matrix of one input over the layer matrix below it",
)
X_prime_same = nonnegative(
    "X_prime_same",
    r"X'_{k_1,k_2-1}(x, x)",
    "squared Frobenius norm of the backpropagation matrix of one input, one layer below",
)
W = real("W", "W", "one summand of the inner product of the matrices of two inputs")
tail_slopes = probability(
    "tail_slopes",
    r"\mathbb{P}\bigl(|X'_{k,k} - \varrho'(\rho)| \ge t\bigr)",
    "probability that the mean product of slopes is off its mean by at least t",
)
tail_slopes_scaled = probability(
    "tail_slopes_scaled",
    r"\mathbb{P}_{1:l-1}\bigl(\gamma_{k-1}^{1/2}|X'_{k,k} - \varrho'(\rho)| \ge t\bigr)",
    "probability that the mean product of slopes is off its mean by at least t over the root of"
    " the width in units of m",
)
tail_products = probability(
    "tail_products",
    r"\mathbb{P}\Bigl(\frac{|X'_{k_1,k_2} - \mathbb{E}_{A_{k_2-1}}X'_{k_1,k_2}|}"
    r"{\|B_1\|_F\|B_2\|_F} \ge t\Bigr)",
    "probability that the inner product is off its mean by at least t, relatively",
)

# Proposition 19: one row of the layer matrix, propagated back at both inputs.
back_1 = vector("back_1", "B_1^*v", "row of the layer matrix, propagated back by B_1")
back_2 = vector("back_2", "B_2^*v", "row of the layer matrix, propagated back by B_2")
summand = random("summand", "W", "summand of the inner product of the matrices of two inputs", Kind.LAW)
summand_mean = random(
    "summand_mean",
    r"X'_{k_1,k_2}",
    "inner product of the matrices of two inputs, the mean of the summands over the rows",
    Kind.LAW,
)
tail_products_scaled = probability(
    "tail_products_scaled",
    r"\mathbb{P}_{1:l-1}\Bigl(\frac{\gamma_{k_2-1}^{1/2}|X'_{k_1,k_2}"
    r" - \mathbb{E}_{A_{k_2-1}}X'_{k_1,k_2}|}{\|B_1\|_F\|B_2\|_F} \ge t\Bigr)",
    "probability that the inner product is off its mean by at least t over the root of the width"
    " in units of m, relatively",
)

# Definition 5.
B_between = matrix(
    "B_between", "B_{k_1,k_2}", "backpropagation matrix from layer k_2 to layer k_1 of one input"
)
diagonal_of = LETTERS.thing(
    "diagonal_of", "D", "diagonal matrix with the entries of a vector, which stands below", Kind.MATRIX
)
layer_slopes = LETTERS.thing(
    "layer_slopes",
    "x'",
    "slopes of the activation function that belong to the activations of a layer, by its number",
    Kind.FUNCTION,
)
